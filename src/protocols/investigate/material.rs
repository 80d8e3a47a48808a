//! What an investigation holds: for questions about it, and its cards as they have to look now.

use super::{
    answer::ANSWER,
    checks::CHECKS,
    compare::COMPARED,
    enquiry::{CALLS, ENQUIRY},
    scouts,
};
use crate::{
    prompt::investigate,
    protocols::followup::Held,
    render,
    steps::{Journal, Steps, Stop},
};
use domain::{
    Call, Check, Compared, InvestigateBrief, InvestigationAnswer, Post, ScoutAnswer, SourceList, StepKey,
    StopReason,
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
    let checks = checks(journal).await?.into_iter().map(|(_, check)| check).collect();
    Ok(Kept {
        compared: journal.stored(COMPARED).await?.pop(),
        calls,
        checks,
        answer: journal.kept(&StepKey::from(ANSWER).child("kept")).await?,
    })
}

/// The checks so far, each with its step: those of the enquiry in the order of its turns, then the others.
pub(super) async fn checks(journal: &Journal) -> Result<Vec<(StepKey, Check)>, Stop> {
    let mut all: Vec<(StepKey, Check)> = journal.all_kept(&format!("{ENQUIRY}/")).await?;
    let asked = all.len();
    all.extend(journal.all_kept(&format!("{CHECKS}/")).await?);
    let place = |(key, _): &(StepKey, Check)| -> Vec<u32> {
        key.as_str().split(['/', '-']).filter_map(|part| part.parse().ok()).collect()
    };
    // 10 after 9.
    let (enquiry, others) = all.split_at_mut(asked);
    enquiry.sort_by_key(place);
    others.sort_by_key(place);
    let above = |key: &StepKey| key.as_str().trim_end_matches("/found").into();
    Ok(all.into_iter().map(|(key, check)| (above(&key), check)).collect())
}

/// Checks as people read them: their pages are on one list, and their marks have its numbers.
pub(super) fn numbered(checks: Vec<(StepKey, Check)>) -> (SourceList, Vec<(StepKey, Check)>) {
    let mut sources = SourceList::default();
    let checks = checks.into_iter().map(|(key, check)| (key, sources.take_in(check))).collect();
    (sources, checks)
}

/// What one of its cards has to show now; nothing for a key that is none of them.
pub(in crate::protocols) async fn panel(journal: &Journal, key: &str) -> Result<Option<Post>, Stop> {
    match key {
        scouts::SCOUTS => scouts::panel(journal, false).await,
        scouts::SCOUTS_AGAIN => scouts::panel(journal, true).await,
        CHECKS => {
            let (sources, checks) = numbered(checks(journal).await?);
            Ok(Some(render::investigate::checks_card(journal.session(), &checks, &sources)))
        }
        _ => Ok(None),
    }
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
