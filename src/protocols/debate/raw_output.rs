//! How a debate's card came about. What it shows was kept by the protocol from one of several tries, so the tries are
//! shown; of the moderator's, in words, only those that took no side.

use serde_json::{Value, json};

use super::record;
use crate::{
    protocols::raw_output::of_tries,
    steps::{AttemptRow, Journal, Stop},
};
use domain::{Addressee, DebateSynthesis, Post, Preset, Proposition, StepKey, neutrality};

/// Stands for a reply that is not shown.
const WITHHELD: &str = "This reply did not pass the neutrality check and is not shown.";
/// Stands for a request that repeats such a reply, with what it broke.
const REPEATS: &str =
    "This request repeats a reply that did not pass the neutrality check, and so is not shown.";

/// How the card that a debate's step made came about; nothing where no model was asked.
pub(in crate::protocols) async fn raw_output(journal: &Journal, card: &StepKey) -> Result<Vec<Post>, Stop> {
    let mut attempts = journal.attempts(card).await?;
    if let Some(round) = round(card) {
        // What was judged together with the other side's turn is behind both cards.
        for number in 1..=3 {
            attempts.extend(journal.attempts(&round.child(format!("check-{number}"))).await?);
        }
        attempts.sort_by_key(|row| row.started_ms);
    }
    let kept = journal.output(card).await?;
    if is_moderators(journal, card).await? {
        let proposition = record::proposed(journal).await?;
        withhold(card, &mut attempts, proposition.as_ref());
        if card.as_str().starts_with("hinge/") {
            withhold_uneven(card, &mut attempts, kept.as_ref().is_some_and(|kept| !kept.is_null()));
        }
    }
    // The last try that was read, and not what was judged of it.
    let tried = |row: &AttemptRow| row.state == "ok" && is_try(card, &row.key);
    let Some(at) = attempts.iter().rposition(tried).or(attempts.len().checked_sub(1)) else {
        return Ok(Vec::new());
    };
    let number = attempts.iter().filter(|row| is_try(card, &row.key)).count().max(1);
    let shown = attempts.remove(at);
    let read = kept.unwrap_or_default();
    Ok(vec![of_tries((card, &title(card)), &shown, (&attempts, number), read)])
}

/// What people call a card.
fn title(card: &StepKey) -> String {
    let mut parts = card.as_str().split('/');
    let turn = || Preset::ALL.into_iter().flat_map(record::slots).find(|slot| slot.step() == *card);
    match (parts.next(), parts.next()) {
        (Some("turn"), _) => turn().map_or_else(|| card.to_string(), |slot| slot.to_string()),
        (Some("synthesis"), _) => "Moderator · synthesis".to_owned(),
        (Some("normalise"), _) => "The proposition".to_owned(),
        (Some("clarified"), _) => "Clarification".to_owned(),
        (Some("followup"), _) => "Answer".to_owned(),
        (Some("hinge"), Some(number)) => format!("Open question {number}, looked at again"),
        _ => card.to_string(),
    }
}

/// Whether the moderator wrote a card.
async fn is_moderators(journal: &Journal, card: &StepKey) -> Result<bool, Stop> {
    let mut parts = card.as_str().split('/');
    Ok(match parts.next() {
        Some("turn" | "normalise") => false,
        Some("followup") => {
            let question = parts.next().and_then(|id| id.parse().ok()).unwrap_or_default();
            !matches!(journal.addressee(question).await?, Some(Addressee::Advocate(_)))
        }
        _ => true,
    })
}

/// The step above those of both sides' turns, of a card that is a turn's.
fn round(card: &StepKey) -> Option<StepKey> {
    let (round, _) = card.as_str().rsplit_once('/').filter(|(round, _)| round.starts_with("turn/"))?;
    Some(StepKey::new(round))
}

/// Whether a step only judged a try.
fn is_check(card: &StepKey, step: &StepKey) -> bool {
    let of_round = round(card).is_some_and(|round| step.as_str().starts_with(&format!("{round}/check-")));
    let below = step.as_str().strip_prefix(card.as_str()).unwrap_or_default();
    of_round || ["/check-", "/judge-", "/short/judge-"].iter().any(|begins| below.starts_with(begins))
}

/// Whether in a step something was looked up for what was written: it holds words of queries and of pages, and no voice of
/// the moderator's.
fn is_lookup(card: &StepKey, step: &StepKey) -> bool {
    let below = step.as_str().strip_prefix(card.as_str()).unwrap_or_default();
    ["/queries", "/search"].iter().any(|begins| below.starts_with(begins))
}

/// Whether a step is a try at the card itself.
fn is_try(card: &StepKey, step: &StepKey) -> bool {
    !is_check(card, step) && !is_lookup(card, step)
}

/// Takes out of the moderator's attempts, first to last, what did not pass the gate: the reply, what was said of it,
/// and each later request, which repeats it; what a judge said of it quotes it.
fn withhold(card: &StepKey, attempts: &mut [AttemptRow], proposition: Option<&Proposition>) {
    let (mut repeats, mut hidden) = (false, false);
    for row in attempts.iter_mut().filter(|row| !is_lookup(card, &row.key)) {
        if repeats {
            row.request = row.request.take().map(|_| json!(REPEATS).to_string());
        }
        let Some(reply) = &row.reply else {
            // Whether it passed cannot be told once it is deleted.
            if row.request.is_none() {
                row.problem = row.problem.take().map(|_| WITHHELD.to_owned());
            }
            continue;
        };
        if is_check(card, &row.key) {
            if hidden {
                row.reply = Some(WITHHELD.to_owned());
                row.problem = row.problem.take().map(|_| WITHHELD.to_owned());
            }
            continue;
        }
        let neutral = match (proposition, &row.outcome) {
            (Some(proposition), Some(read)) if row.state == "ok" => takes_no_side(reply, read, proposition),
            _ => false,
        };
        hidden = !neutral;
        if hidden {
            row.reply = Some(WITHHELD.to_owned());
            // What was wrong with it may quote it.
            row.problem = row.problem.take().map(|_| WITHHELD.to_owned());
            repeats = true;
        }
    }
}

/// Takes out of the attempts at a hinge those that were asked for again, or withheld in the end. A hinge may take a side
/// beside the others only, and then its words tell nothing of it.
fn withhold_uneven(card: &StepKey, attempts: &mut [AttemptRow], passed: bool) {
    let tried = |row: &AttemptRow| row.state == "ok" && is_try(card, &row.key);
    let last = attempts.iter().rposition(tried).filter(|_| passed);
    let mut repeats = false;
    for (at, row) in attempts.iter_mut().enumerate() {
        if repeats {
            row.request = row.request.take().map(|_| json!(REPEATS).to_string());
        }
        let judges_last = is_check(card, &row.key) && last.is_some_and(|last| at > last);
        if row.state == "ok" && Some(at) != last && !judges_last && !is_lookup(card, &row.key) {
            row.reply = Some(WITHHELD.to_owned());
            repeats = true;
        }
    }
}

/// Whether a reply passes the gate as it was read, and so does everything in it that was not read.
fn takes_no_side(reply: &str, read: &Value, proposition: &Proposition) -> bool {
    let neutral = |text: &str| neutrality::of_text(text, proposition).is_empty();
    let synthesis = serde_json::from_value::<DebateSynthesis>(read.clone());
    let passes = match &synthesis {
        Ok(synthesis) => neutrality::of_synthesis(synthesis, proposition).is_empty(),
        Err(_) => texts(read).into_iter().all(neutral),
    };
    let known = texts(read);
    passes
        && match serde_json::from_str::<Value>(reply.trim()) {
            Ok(whole) => texts(&whole).into_iter().all(|text| known.contains(&text) || neutral(text)),
            Err(_) => neutral(reply),
        }
}

/// Every text in a value.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(fields) => fields.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}
