//! The findings and their triage: cards that follow what the team makes of them.

use super::assessment::ASSESSMENT;
use crate::{
    render,
    steps::{Journal, Steps, Stop},
};
use domain::{Assessment, CritiqueBrief, Document, FindingId, OpenMatter, OpenMatters, Post, StepKey};

/// The panel of the triage.
#[must_use]
pub fn triage_key() -> StepKey {
    StepKey::from("triage")
}

/// A session's assessment, once it is kept.
pub async fn assessment(journal: &Journal) -> Result<Option<Assessment>, Stop> {
    journal.kept(&ASSESSMENT.into()).await
}

/// What a critique leaves open, for whoever wants to go on with it: findings, each of which says that something in the text does
/// not hold.
pub(in crate::protocols) async fn left_open(journal: &Journal) -> Result<OpenMatters, Stop> {
    let findings = assessment(journal).await?.map(|assessment| assessment.findings).unwrap_or_default();
    let facts = findings.iter().map(|finding| OpenMatter::new(&finding.critique, ""));
    Ok(OpenMatters { facts: facts.collect(), ..OpenMatters::default() })
}

/// Posts the findings that matter most and the triage of all, each once, each kept true from then on.
pub(super) async fn open(steps: &Steps, assessment: &Assessment, document: &Document) -> Result<(), Stop> {
    let session = steps.session();
    for finding in assessment.voted() {
        let post = render::critique::finding(session, assessment, finding, document, None);
        steps.post_panel(finding.id.key(), post).await?;
    }
    // Nobody's word is taken before this is open, so it begins with none.
    steps.post_panel(triage_key(), render::critique::triage(session, assessment, &[])).await
}

/// A finding as it stands, or the triage; nothing for any other panel's key.
pub(super) async fn panel(journal: &Journal, key: &str) -> Result<Option<Post>, Stop> {
    let finding = FindingId::of_key(key);
    if finding.is_none() && triage_key().as_str() != key {
        return Ok(None);
    }
    let Some(assessment) = assessment(journal).await? else { return Ok(None) };
    let said = journal.triage().await?;
    let Some(id) = finding else {
        return Ok(Some(render::critique::triage(journal.session(), &assessment, &said)));
    };
    let Some(finding) = assessment.findings.iter().find(|finding| finding.id == id) else { return Ok(None) };
    let CritiqueBrief { document, .. } = journal.brief().await?;
    let said = said.iter().find(|said| said.finding == id);
    Ok(Some(render::critique::finding(journal.session(), &assessment, finding, &document, said)))
}
