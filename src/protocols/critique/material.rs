//! What a critique holds for questions about it.

use super::assessment::ASSESSMENT;
use crate::{
    prompt::critique,
    protocols::followup::Held,
    steps::{Journal, Steps, Stop},
};
use domain::{Assessment, CritiqueBrief, Look, Philosopher, SelfCritique, StepKey, Tree};

/// What has come about so far. The assessor, who is no member of the council, answers.
pub(in crate::protocols) async fn material<'a>(
    steps: &Steps,
    brief: &'a CritiqueBrief,
) -> Result<Held<'a>, Stop> {
    let journal = steps.journal();
    let trees = trees(&journal).await?;
    let mut critiques: Vec<SelfCritique> = Vec::new();
    for look in [Look::First, Look::Second] {
        let said: Option<Vec<SelfCritique>> = journal.kept(&look.key().into()).await?;
        critiques.extend(said.unwrap_or_default());
    }
    let assessment: Option<Assessment> = journal.kept(&ASSESSMENT.into()).await?;
    let triage = journal.triage().await?;
    let parts = critique::parts(brief, &trees, &critiques, assessment.as_ref(), &triage);
    // Where it is longer than what a model reads at once, what was found in it has to do, beside a map.
    let document = Some(&brief.document).filter(|document| document.text.chars().count() <= brief.at_once);
    Ok(Held { seat: &brief.assessor, document, parts, summed_up: assessment.is_some() })
}

/// The trees that stand so far, in the order of the council.
pub(super) async fn trees(journal: &Journal) -> Result<Vec<Tree>, Stop> {
    let mut trees = Vec::new();
    for member in Philosopher::ALL {
        trees.extend(journal.kept::<Tree>(&StepKey::from("critique").child(member.as_str())).await?);
    }
    Ok(trees)
}
