//! How a critique's cards came about. A tree is grown by many calls, so their raw outputs are shown one by one, and from
//! a certain number on as one file.

use serde_json::{Value, json};

use super::Sessions;
use crate::{
    domain::{Post, SessionId, StepKey},
    error::UserError,
    render,
    session::inspect::{NOTHING, attempt, inspection},
    store::{AttemptRow, StepRow},
};

/// Most calls that are shown one by one.
const ONE_BY_ONE: usize = 8;

/// A call as it is stored: its step, those of the models that stood in, and every attempt at them, first to last.
struct Call {
    key: StepKey,
    family: Vec<(StepKey, StepRow)>,
    attempts: Vec<(StepKey, AttemptRow)>,
}

impl Sessions {
    /// How the card came about that a critique's step made of several calls; `None` if it is not one of those.
    pub(in crate::session) async fn behind_critique(
        &self,
        session: &SessionId,
        key: &StepKey,
    ) -> anyhow::Result<Option<Vec<Post>>> {
        let Some(prefix) = calls_of(key) else { return Ok(None) };
        let calls = self.calls(session, &prefix).await?;
        if calls.is_empty() {
            return UserError::of(NOTHING);
        }
        let mut posts: Vec<Post> = calls.iter().take(ONE_BY_ONE).filter_map(shown).collect();
        if let Some(rest) = calls.get(ONE_BY_ONE..).filter(|rest| !rest.is_empty()) {
            let listed: Vec<Value> = rest.iter().map(listed).collect();
            posts.push(render::inspect::further(key, rest.len(), &json!(listed)));
        }
        Ok(Some(posts))
    }

    /// The calls at and below a key, in the order in which people count them.
    async fn calls(&self, session: &SessionId, prefix: &str) -> anyhow::Result<Vec<Call>> {
        let store = &self.0.world.store;
        let below = format!("{prefix}/");
        let mut calls: Vec<Call> = Vec::new();
        for (step, row) in store.steps(session, prefix).await? {
            let asked = row.kind.starts_with("ask:") && (step == prefix || step.starts_with(&below));
            if !asked {
                continue;
            }
            let (step, own) = (StepKey::new(&step), own_key(&step));
            let attempts = store.attempts(session, &step).await?;
            let attempts = attempts.into_iter().map(|row| (step.clone(), row));
            match calls.iter_mut().find(|call| call.key == own) {
                Some(call) => {
                    call.attempts.extend(attempts);
                    call.family.push((step, row));
                }
                None => {
                    calls.push(Call { key: own, attempts: attempts.collect(), family: vec![(step, row)] });
                }
            }
        }
        for call in &mut calls {
            call.attempts.sort_by_key(|(_, row)| row.started_ms);
        }
        calls.retain(|call| !call.attempts.is_empty());
        calls.sort_by_cached_key(|call| place(&call.key));
        Ok(calls)
    }
}

/// Where the calls lie from which a card was made.
fn calls_of(key: &StepKey) -> Option<String> {
    match key.as_str() {
        "self-critique" => Some("self".to_owned()),
        "assessment" => Some("assess".to_owned()),
        key => {
            let member = key.strip_prefix("critique/")?.split('/').next()?;
            Some(format!("tree/{member}"))
        }
    }
}

/// A stand-in's key leads back to the call that it stands in for.
fn own_key(step: &str) -> StepKey {
    let stands_in = |last: &str| last.starts_with("fallback-");
    StepKey::new(match step.rsplit_once('/') {
        Some((own, last)) if stands_in(last) => own,
        _ => step,
    })
}

/// By section, and in it a claim before what was found below it; 10 after 9.
fn place(key: &StepKey) -> (Vec<u32>, String) {
    let numbers = key.as_str().split(['/', '-']).filter_map(|part| part.parse().ok()).collect();
    (numbers, key.to_string())
}

/// The attempt that answered, or the last one.
fn answer(call: &Call) -> Option<usize> {
    let answered = call.attempts.iter().rposition(|(_, row)| row.state == "ok");
    answered.or(call.attempts.len().checked_sub(1))
}

/// What the attempt's step was read as.
fn outcome(call: &Call, step: &StepKey) -> Value {
    let found = call.family.iter().find(|(key, _)| key == step);
    found.and_then(|(_, row)| row.output.clone()).unwrap_or_default()
}

fn shown(call: &Call) -> Option<Post> {
    let at = answer(call)?;
    let (step, last) = &call.attempts[at];
    let earlier: Vec<(StepKey, AttemptRow)> = call
        .attempts
        .iter()
        .enumerate()
        .filter(|(place, _)| *place != at)
        .map(|(_, one)| one.clone())
        .collect();
    Some(render::inspect::raw(&inspection(step, &earlier, last, outcome(call, step))))
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
    let read = answer(call).map(|at| outcome(call, &call.attempts[at].0)).unwrap_or_default();
    json!({ "call": call.key, "attempts": attempts.collect::<Vec<_>>(), "read": read })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_lead_to_their_calls() {
        for (card, calls) in [
            ("critique/popper", Some("tree/popper")),
            ("critique/popper/missing", Some("tree/popper")),
            ("self-critique", Some("self")),
            ("assessment", Some("assess")),
            ("points", None),
            ("scoring/popper", None),
            ("followup/12", None),
        ] {
            assert_eq!(calls_of(&StepKey::new(card)).as_deref(), calls, "{card}");
        }
    }

    #[test]
    fn calls_are_counted_as_people_count_and_stand_ins_belong_to_theirs() {
        assert_eq!(own_key("tree/kant/2/1-2/fallback-1"), StepKey::from("tree/kant/2/1-2"));
        assert_eq!(own_key("tree/kant/2/1-2"), StepKey::from("tree/kant/2/1-2"));
        assert_eq!(own_key("assess/fallback-2"), StepKey::from("assess"));
        let keys = ["tree/kant/10", "tree/kant/2/1-2", "tree/kant/2", "tree/kant/2/1", "tree/kant/1"];
        let mut keys = keys.map(StepKey::from);
        keys.sort_by_cached_key(place);
        let expected = ["tree/kant/1", "tree/kant/2", "tree/kant/2/1", "tree/kant/2/1-2", "tree/kant/10"];
        assert_eq!(keys, expected.map(StepKey::from));
    }
}
