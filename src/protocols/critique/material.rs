//! What a critique holds for questions about it.

use crate::{
    domain::{Assessment, CritiqueBrief, Document, Seat, SelfCritique, Tree},
    prompt::{critique, followup::Part},
    steps::{Steps, Stop, assessment_key},
};

/// Who answers questions: the assessor, who is no member of the council.
pub(in crate::protocols) fn seat(brief: &CritiqueBrief) -> &Seat {
    &brief.assessor
}

/// The document, where it is no longer than what a model reads at once; else what was found in it has to do, beside a map.
pub(in crate::protocols) fn shown(brief: &CritiqueBrief) -> Option<&Document> {
    Some(&brief.document).filter(|document| document.text.chars().count() <= brief.at_once)
}

/// Its parts so far, in the order in which they came about. `true`: there is an assessment.
pub(in crate::protocols) async fn parts(
    steps: &Steps,
    brief: &CritiqueBrief,
) -> Result<(Vec<Part>, bool), Stop> {
    let trees: Vec<Tree> = steps.stored("critique/").await?;
    let critiques: Vec<Vec<SelfCritique>> = steps.stored("self-critique").await?;
    let assessment: Option<Assessment> = steps.stored(assessment_key().as_str()).await?.pop();
    let triage = steps.triage_now().await?;
    let critiques = critiques.last().map(Vec::as_slice).unwrap_or_default();
    let parts = critique::parts(brief, &trees, critiques, assessment.as_ref(), &triage);
    Ok((parts, assessment.is_some()))
}
