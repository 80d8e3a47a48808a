//! The investigator's loop: a turn, a tool, what it gives back, the next turn. The guard is code; the model only wishes.

use super::{
    Case, Found, checks,
    tools::{self, Done, Enquiry},
};
use crate::{
    prompt::{
        self,
        investigate::Turn,
        reply::investigate::{self as replies, ActionReply},
    },
    render,
    steps::{Question, Stop},
};
use domain::{
    Call, Called, Compared, Guard, InvestigatorTool, Level, LoopLimits, Nudge, Opening, Piece, QuestionKind,
    Reply, StepKey, StopReason, ToolAction,
};

/// The step below which every turn is.
pub(super) const ENQUIRY: &str = "enquiry";
/// The step in which the calls are kept.
pub(super) const CALLS: &str = "calls";
/// The step in which it is said how to begin.
pub(super) const OPENING: &str = "opening";
/// Turns without an action, in all of it, after which the investigator counts as silent.
const MOST_SILENT: usize = 2;

/// Free while the matter is unclear, bound to checks once it is clear; a question that is routine, or whose answer somebody
/// has to account for, is checked step by step from the start, and so is one that stays unclear.
pub(super) async fn adaptive(case: &Case<'_>, compared: &Compared) -> Result<Found, Stop> {
    let Case { steps, brief, .. } = *case;
    let key = StepKey::from(OPENING);
    let notes = steps.notes("opening/notes").await?;
    let question = Question {
        key: key.clone(),
        who: "Investigator".to_owned(),
        prompt: prompt::investigate::opening(steps.prompts(), brief, compared, &notes),
    };
    let read = |reply: &Reply, _| replies::opening(prompt::parse::<Opening>(&reply.text)?);
    let cards = |key: &StepKey, opening: &Opening, _: Option<&_>| {
        render::investigate::opening_card(steps.session(), key, opening)
    };
    let Ok(opening) = steps.ask_seat(&brief.investigator, question, read, cards).await? else {
        // Nobody says how to begin, so it goes the way that needs no saying.
        steps.note_degraded(key, [Piece::Opening.missing(None)]).await?;
        return checks::structured(case, compared, Found::default()).await;
    };
    let opening = opening.value;
    let critics = opening.critics.clone();
    let begun = format!("{}\nClear: {:?}. First: {}", opening.restated, opening.clarity, opening.first);
    if opening.kind != QuestionKind::Open {
        let found = Found { critics, begun: Some(begun), ..Found::default() };
        return checks::structured(case, compared, found).await;
    }
    let (calls, ended, checked) = enquire(case, compared, Some(&begun)).await?;
    let found = Found { calls, ended: Some(ended), critics, checks: checked, begun: Some(begun) };
    // An enquiry that came to no end of its own leaves the disagreements open: they are checked one by one.
    let unclear = ended != StopReason::Done || opening.clarity == Level::Low && found.checks.is_empty();
    if unclear { checks::structured(case, compared, found).await } else { Ok(found) }
}

/// Nothing prescribed but principles and the budget.
pub(super) async fn free(case: &Case<'_>, compared: &Compared) -> Result<Found, Stop> {
    let (calls, ended, checks) = enquire(case, compared, None).await?;
    Ok(Found { calls, ended: Some(ended), checks, ..Found::default() })
}

/// The loop. Strict where it has an opening.
async fn enquire(
    case: &Case<'_>,
    compared: &Compared,
    opening: Option<&str>,
) -> Result<(Vec<Call>, StopReason, Vec<domain::Check>), Stop> {
    let Case { steps, brief, .. } = *case;
    let guard = Guard { limits: brief.limits, strict: opening.is_some() };
    let (mut calls, mut checks, mut silent) = (Vec::new(), Vec::new(), 0);
    let ended = loop {
        if let Some(over) = guard.over(&calls) {
            break over;
        }
        let number = calls.len() + silent + 1;
        let key = StepKey::from(ENQUIRY).child(number);
        let notes = steps.notes(key.child("notes")).await?;
        let records = prompt::investigate::records(&calls, &[]);
        let models = case.models();
        let turn = Turn {
            compared,
            answers: case.answers,
            opening,
            models: &models,
            records: &records,
            left: guard.left(&calls),
            searching: tools::searches(case),
            asked: tools::has_asked(case, &calls).await?,
            strict: guard.strict,
            notes: &notes,
        };
        let (next, took) = steps.timed(key.child("took"), wish(case, &key, &turn)).await?;
        let Some((action, tokens)) = next else {
            silent += 1;
            steps.note_degraded(key, [Piece::Wish(number)].map(|piece| piece.missing(None))).await?;
            if silent >= MOST_SILENT {
                break StopReason::Silent;
            }
            continue;
        };
        let nudge = guard.judge(&calls, &action);
        let warning = match nudge {
            Nudge::Stop(reason) => {
                if action.tool == InvestigatorTool::Done {
                    calls.push(Call::of_turn(action, Called::Answered(String::new()), tokens, took));
                }
                break reason;
            }
            Nudge::Back(why) => {
                calls.push(Call::of_turn(action, Called::SentBack(why.to_owned()), tokens, took));
                continue;
            }
            Nudge::Warned(why) => Some(why),
            Nudge::Through => None,
        };
        let left = guard.left(&calls);
        steps.phase(3, super::PHASES, &now(&action, brief.limits, left));
        let enquiry = Enquiry { case, compared, records: &records };
        let doing = tools::carry_out(enquiry, &key, &action);
        let (done, longer) = steps.timed(key.child("lasted"), doing).await?;
        let called = match (done.called.clone(), warning) {
            (Called::Answered(text), Some(why)) => Called::Answered(format!("{text}\n\nWarning: {why}")),
            (called, _) => called,
        };
        checks.extend(done.check.clone());
        // What the team takes to answer is not the loop's time.
        let ms = if action.tool == InvestigatorTool::AskTeam { took } else { took + longer };
        let Done { tokens: theirs, pages, settled, .. } = done;
        calls.push(Call { action, called, tokens: tokens + theirs, ms, pages, settled });
    };
    let card = render::investigate::calls_card(steps.session(), &CALLS.into(), &calls, ended, brief.limits);
    let (calls, ended) = steps.keep(CALLS, &(calls, ended), card).await?;
    Ok((calls, ended, checks))
}

/// What is done now, and why, for the live card.
fn now(action: &ToolAction, limits: LoopLimits, left: LoopLimits) -> String {
    let number = limits.calls - left.calls + 1;
    let purpose = domain::shortened(&action.purpose, 120);
    let what = render::investigate::tool_words(action.tool);
    format!("Call {number} of {}: {what} — {purpose}", limits.calls)
}

/// What the investigator wants to do next, with the tokens of the turn; nothing where its model could not say.
async fn wish(case: &Case<'_>, key: &StepKey, turn: &Turn<'_>) -> Result<Option<(ToolAction, u64)>, Stop> {
    let Case { steps, brief, .. } = *case;
    let prompt = prompt::investigate::turn(steps.prompts(), brief, turn);
    let question = Question { key: key.clone(), who: "Investigator".to_owned(), prompt };
    let read = |reply: &Reply, _| {
        let action = prompt::parse::<ActionReply>(&reply.text)?.into_action()?;
        Ok((action, tools::tokens_of(&reply.text)))
    };
    let said = steps.ask_seat(&brief.investigator, question, read, |_, _, _| Vec::new()).await?;
    Ok(said.ok().map(|said| said.value))
}
