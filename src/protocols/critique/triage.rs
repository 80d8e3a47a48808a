//! The findings and their triage: cards that follow what the team makes of them.

use super::assessment::ASSESSMENT;
use crate::{
    domain::{Assessment, CritiqueBrief, Document, FindingId, Post, StepKey},
    render,
    steps::{Journal, Steps, Stop},
};

/// The panel of a finding.
#[must_use]
pub fn finding_key(finding: FindingId) -> StepKey {
    StepKey::new(format!("finding/{}", finding.0))
}

/// The finding that a panel's key names; nothing for a key that is not exactly one.
#[must_use]
pub fn finding_of(key: &str) -> Option<FindingId> {
    let number = key.strip_prefix("finding/")?;
    let finding = FindingId(number.parse().ok()?);
    (finding.0 > 0 && finding_key(finding).as_str() == key).then_some(finding)
}

/// The panel of the triage.
#[must_use]
pub fn triage_key() -> StepKey {
    StepKey::from("triage")
}

/// A session's assessment, once it is kept.
pub async fn assessment(journal: &Journal) -> Result<Option<Assessment>, Stop> {
    journal.kept(&ASSESSMENT.into()).await
}

/// Posts the findings and the triage, each once, each kept true from then on.
pub(super) async fn open(steps: &Steps, assessment: &Assessment, document: &Document) -> Result<(), Stop> {
    let session = steps.session();
    for finding in &assessment.findings {
        let post = render::critique::finding(session, assessment, finding, document, None);
        steps.post_panel(finding_key(finding.id), post).await?;
    }
    // Nobody's word is taken before this is open, so it begins with none.
    steps.post_panel(triage_key(), render::critique::triage(session, assessment, &[])).await
}

/// A finding as it stands, or the triage; nothing for any other panel's key.
pub(super) async fn panel(journal: &Journal, key: &str) -> Result<Option<Post>, Stop> {
    let finding = finding_of(key);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_key_of_a_finding_names_one() {
        assert_eq!(finding_of("finding/1"), Some(FindingId(1)));
        assert_eq!(finding_of(finding_key(FindingId(10)).as_str()), Some(FindingId(10)));
        for wrong in
            ["", "finding", "finding/", "finding/0", "finding/01", "finding/+1", "finding/-1", "finding/256"]
        {
            assert_eq!(finding_of(wrong), None, "{wrong}");
        }
        for wrong in ["finding/1/2", "finding/1 ", " finding/1", "findings/1", "Finding/1", "finding/١", "1"]
        {
            assert_eq!(finding_of(wrong), None, "{wrong}");
        }
    }
}
