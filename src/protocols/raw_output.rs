//! How a card came about: the calls it was made from, each with all that were made in its place. A card's key is the
//! beginning of the keys of its calls, so one query finds them.

use serde_json::{Value, json};

use crate::{
    render::{self, inspect::Inspection},
    steps::{AttemptRow, Journal, Stop},
};
use domain::{Post, PromptVersion, StepKey};

/// Most calls that are shown one by one; a tree is grown by many, and the rest of them is one file.
const ONE_BY_ONE: usize = 8;

/// A call with every attempt at it, those of models that stood in too, first to last.
struct Call {
    key: StepKey,
    attempts: Vec<AttemptRow>,
}

/// The calls behind a card; nothing where no model was asked.
pub(super) async fn of(journal: &Journal, card: &StepKey) -> Result<Vec<Post>, Stop> {
    let calls = calls(journal.attempts(card).await?);
    // What was made without a model where none could answer, such as a summary without the notary.
    let instead: Option<Value> = match &calls[..] {
        [only] if only.attempts.iter().all(|row| row.state != "ok") => journal.stands(card).await?,
        _ => None,
    };
    let shown = |call: &Call| {
        let at = call.answer();
        let (row, others) = (&call.attempts[at], call.others(at));
        let read = instead.clone().or_else(|| row.outcome.as_deref().cloned()).unwrap_or_default();
        one(&row.key, row, &others, read)
    };
    let mut posts: Vec<Post> = calls.iter().take(ONE_BY_ONE).map(shown).collect();
    if let Some(rest) = calls.get(ONE_BY_ONE..).filter(|rest| !rest.is_empty()) {
        let listed: Vec<Value> = rest.iter().map(listed).collect();
        posts.push(render::inspect::further(card, rest.len(), &json!(listed)));
    }
    Ok(posts)
}

/// Attempts by the call that they are of, in the order in which people count calls.
fn calls(attempts: Vec<AttemptRow>) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    for attempt in attempts {
        let key = attempt.key.call();
        match calls.iter_mut().find(|call| call.key == key) {
            Some(call) => call.attempts.push(attempt),
            None => calls.push(Call { key, attempts: vec![attempt] }),
        }
    }
    calls.sort_by_cached_key(|call| place(&call.key));
    calls
}

/// By section, and in it a claim before what was found below it; 10 after 9.
fn place(key: &StepKey) -> (Vec<u32>, String) {
    let numbers = key.as_str().split(['/', '-']).filter_map(|part| part.parse().ok()).collect();
    (numbers, key.to_string())
}

impl Call {
    /// The attempt that answered, or the last one; there is at least one.
    fn answer(&self) -> usize {
        let answered = self.attempts.iter().rposition(|row| row.state == "ok");
        answered.unwrap_or(self.attempts.len() - 1)
    }

    fn others(&self, at: usize) -> Vec<AttemptRow> {
        [&self.attempts[..at], &self.attempts[at + 1..]].concat()
    }
}

/// A call as an entry of a list: its request is left out, which repeats the document.
fn listed(call: &Call) -> Value {
    let attempts = call.attempts.iter().map(|one| {
        let mut told = attempt(one);
        if let Some(told) = told.as_object_mut() {
            told.remove("request");
        }
        told
    });
    let read = &call.attempts[call.answer()].outcome;
    json!({ "call": call.key, "attempts": attempts.collect::<Vec<_>>(), "read": read })
}

/// One post for a step: its attempt that is `shown`, and all others as they were. `read` is what was made of it.
pub(super) fn one(step: &StepKey, shown: &AttemptRow, others: &[AttemptRow], read: Value) -> Post {
    of_tries((step, step.as_str()), shown, (others, others.len() + 1), read)
}

/// The same under a title, where not all others are `tries` at it: some only judged one, or looked something up for it.
pub(super) fn of_tries(
    (step, title): (&StepKey, &str),
    shown: &AttemptRow,
    (others, tries): (&[AttemptRow], usize),
    read: Value,
) -> Post {
    let problem = shown.problem.as_ref().or_else(|| others.last().and_then(|row| row.problem.as_ref()));
    render::inspect::raw(&Inspection {
        step: step.clone(),
        title: title.to_owned(),
        asked: shown.model.clone(),
        answered: shown.answered.clone().unwrap_or_else(|| shown.model.clone()),
        prompt_version: PromptVersion(shown.prompt_version.clone()),
        tokens: tokens(shown),
        cached: whole(shown.cached_tokens).unwrap_or_default(),
        cost: shown.money,
        millis: shown.millis.and_then(|ms| u64::try_from(ms).ok()).unwrap_or_default(),
        attempts: u32::try_from(tries).unwrap_or(u32::MAX),
        state: shown.state.clone(),
        request: shown.request.as_ref().map(|request| serde_json::from_str(request).unwrap_or_default()),
        reply: shown.reply.clone().unwrap_or_default(),
        problem: problem.cloned(),
        earlier: others.iter().map(attempt).collect(),
        read,
    })
}

fn whole(tokens: Option<i64>) -> Option<u64> {
    tokens.and_then(|tokens| u64::try_from(tokens).ok())
}

/// Tokens in and out, as far as the provider said.
fn tokens(row: &AttemptRow) -> Option<u64> {
    let input = whole(row.input_tokens)?.saturating_add(whole(row.cached_tokens)?);
    Some(input.saturating_add(whole(row.output_tokens)?))
}

fn attempt(row: &AttemptRow) -> Value {
    json!({
        "step": row.key,
        "attempt": row.n,
        "state": row.state,
        "model": row.model,
        "answered": row.answered,
        "prompt": row.prompt_version,
        "tokens": tokens(row),
        "cost": row.money.map(|money| money.to_string()),
        "milliseconds": row.millis,
        "problem": row.problem,
        "request": row.request.as_ref().and_then(|request| serde_json::from_str::<Value>(request).ok()),
        "reply": row.reply,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted_as_people_count() {
        let keys = [
            "critique/kant/10",
            "critique/kant/2/1-2",
            "critique/kant/2",
            "critique/kant/2/1",
            "critique/kant/1",
        ];
        let mut keys = keys.map(StepKey::from);
        keys.sort_by_cached_key(place);
        let expected = [
            "critique/kant/1",
            "critique/kant/2",
            "critique/kant/2/1",
            "critique/kant/2/1-2",
            "critique/kant/10",
        ];
        assert_eq!(keys, expected.map(StepKey::from));
    }
}
