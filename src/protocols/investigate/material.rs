//! What an investigation holds for questions about it.

use super::{answer::ANSWER, checks::CHECKS, compare::COMPARED, enquiry::CALLS, scouts};
use crate::{
    prompt::investigate,
    protocols::followup::Held,
    steps::{Journal, Steps, Stop},
};
use domain::{
    Call, Check, Compared, InvestigateBrief, InvestigationAnswer, ScoutAnswer, StepKey, StopReason,
};

/// All that was kept so far.
pub(super) struct Kept {
    pub(super) compared: Option<Compared>,
    pub(super) calls: Vec<Call>,
    pub(super) checks: Vec<Check>,
    pub(super) answer: Option<InvestigationAnswer>,
}

/// Reads it.
pub(super) async fn kept(journal: &Journal) -> Result<Kept, Stop> {
    let calls: Option<(Vec<Call>, StopReason)> = journal.kept(&CALLS.into()).await?;
    let calls = calls.map(|(calls, _)| calls).unwrap_or_default();
    let mut checks: Vec<Check> =
        journal.all_kept("enquiry/").await?.into_iter().map(|(_, check)| check).collect();
    let later: Vec<(StepKey, Check)> = journal.all_kept(&format!("{CHECKS}/")).await?;
    checks.extend(later.into_iter().map(|(_, check)| check));
    Ok(Kept {
        compared: journal.stored(COMPARED).await?.pop(),
        calls,
        checks,
        answer: journal.kept(&StepKey::from(ANSWER).child("kept")).await?,
    })
}

/// What has come about so far. The investigator answers.
pub(in crate::protocols) async fn material<'a>(
    steps: &Steps,
    brief: &'a InvestigateBrief,
) -> Result<Held<'a>, Stop> {
    let journal = steps.journal();
    let answers = scouts::last_of_each(journal.all_stored("scouts/").await?);
    let answers: Vec<ScoutAnswer> = answers.into_iter().map(|(_, answer)| answer).collect();
    let kept = kept(&journal).await?;
    let parts = investigate::parts(
        &answers,
        kept.compared.as_ref(),
        (&kept.calls, &kept.checks),
        kept.answer.as_ref(),
    );
    Ok(Held {
        seat: &brief.investigator,
        document: brief.document.as_ref(),
        parts,
        summed_up: kept.answer.is_some(),
    })
}
