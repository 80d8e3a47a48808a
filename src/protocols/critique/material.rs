//! What a critique holds for questions about it.

use super::assessment::ASSESSMENT;
use crate::{
    domain::{Assessment, CritiqueBrief, SelfCritique, Tree},
    prompt::critique,
    protocols::followup::Held,
    steps::{Steps, Stop},
};

/// What has come about so far. The assessor, who is no member of the council, answers.
pub(in crate::protocols) async fn material<'a>(
    steps: &Steps,
    brief: &'a CritiqueBrief,
) -> Result<Held<'a>, Stop> {
    let journal = steps.journal();
    let trees: Vec<Tree> = journal.stored("critique/").await?;
    let critiques: Vec<Vec<SelfCritique>> = journal.stored("self-critique").await?;
    let assessment: Option<Assessment> = journal.stored(ASSESSMENT).await?.pop();
    let triage = journal.triage().await?;
    let critiques = critiques.last().map(Vec::as_slice).unwrap_or_default();
    let parts = critique::parts(brief, &trees, critiques, assessment.as_ref(), &triage);
    // Where it is longer than what a model reads at once, what was found in it has to do, beside a map.
    let document = Some(&brief.document).filter(|document| document.text.chars().count() <= brief.at_once);
    Ok(Held { seat: &brief.assessor, document, parts, summed_up: assessment.is_some() })
}
