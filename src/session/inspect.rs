//! Behind a card: how it came about; its whole text comes from [`whole`](super::whole).

use serde_json::{Value, json};

use super::{Sessions, critique::is_critique, debate};
use crate::{
    domain::{Post, PromptVersion, SessionId, StepKey},
    error::UserError,
    render::{self, inspect::Inspection},
    store::{AttemptRow, StepRow, StepState},
};

pub(super) const NOTHING: &str = "There is nothing stored for this card.";

/// Which side of a card somebody wants to see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// The whole text.
    Whole,
    /// Request, reply, tokens, cost and time.
    Raw,
}

impl Sessions {
    /// The whole or the raw side of the card that a step made.
    pub async fn inspect(
        &self,
        session: &SessionId,
        key: &StepKey,
        shown: Shown,
    ) -> anyhow::Result<Vec<Post>> {
        let row = self.0.world.store.session(session).await?;
        let of_debate = debate::is_debate(&row);
        if of_debate && shown == Shown::Raw {
            return self.behind(session, key).await;
        }
        if is_critique(&row)
            && shown == Shown::Raw
            && let Some(posts) = self.behind_critique(session, key).await?
        {
            return Ok(posts);
        }
        // Of what a debate asked for more than once, only what was kept of it is anybody's to read.
        let key = &if of_debate { debate::card_of(key) } else { key.clone() };
        let step =
            self.0.world.store.step(session, key).await?.filter(|step| step.state != StepState::Intent);
        let Some(step) = step else { return UserError::of(NOTHING) };
        match shown {
            Shown::Whole => {
                let (title, text) = self.whole(&row, key, step).await?;
                Ok(render::inspect::whole(&title, &text))
            }
            // Points are drawn from several models' steps: their raw outputs are the scorers'.
            Shown::Raw if key.as_str() == "points" => {
                let mut posts = Vec::new();
                for (key, _) in self.0.world.store.steps(session, "scoring/").await? {
                    posts.extend(self.raw(session, &StepKey::new(key)).await?);
                }
                Ok(posts)
            }
            Shown::Raw => match self.raw(session, key).await? {
                Some(post) => Ok(vec![post]),
                None => UserError::of(NOTHING),
            },
        }
    }

    /// How a step came about: its last attempt, and every one before it, those of the steps it stands in for
    /// too (`round-1/tech` for `round-1/tech/simpler`). Of a step that failed, how the one came about that stood in
    /// for it. `None` where no model was asked.
    async fn raw(&self, session: &SessionId, key: &StepKey) -> anyhow::Result<Option<Post>> {
        let store = &self.0.world.store;
        let origin = origin(key);
        let family: Vec<(StepKey, StepRow)> = (store.steps(session, origin.as_str()).await?.into_iter())
            .map(|(other, row)| (StepKey::new(other), row))
            .filter(|(other, _)| *other == origin || other.as_str().starts_with(&format!("{origin}/")))
            .collect();
        let failed = |(step, row): &(StepKey, StepRow)| step == key && row.state == StepState::Failed;
        let stands_in = |(step, row): &&(StepKey, StepRow)| {
            step != key && row.state == StepState::Done && row.kind.starts_with("ask:")
        };
        let instead = family.iter().any(failed).then(|| family.iter().find(stands_in)).flatten();
        let shown = instead.map_or_else(|| key.clone(), |(step, _)| step.clone());
        let mut attempts = Vec::new();
        for (step, _) in &family {
            let rows = store.attempts(session, step).await?;
            attempts.extend(rows.into_iter().map(|row| (step.clone(), row)));
        }
        attempts.sort_by_key(|(_, row)| row.started_ms);
        // A step that asked nobody itself, such as a summary made without the notary, shows what came before it.
        let own = attempts.iter().rposition(|(step, _)| *step == shown);
        let Some(at) = own.or(attempts.len().checked_sub(1)) else { return Ok(None) };
        let (earlier, last) = (&attempts[..at], &attempts[at].1);
        let output = store.step(session, &shown).await?.and_then(|step| step.output).unwrap_or_default();
        Ok(Some(render::inspect::raw(&inspection(&shown, earlier, last, output))))
    }
}

/// The step that a stand-in's key begins with.
fn origin(key: &StepKey) -> StepKey {
    let whole = key.as_str();
    let alone = ["synthesis", "gatekeeper", "notary"];
    let depth = if alone.iter().any(|name| whole.split('/').next() == Some(name)) { 1 } else { 2 };
    StepKey::new(whole.splitn(depth + 1, '/').take(depth).collect::<Vec<_>>().join("/"))
}

pub(super) fn inspection(
    key: &StepKey,
    earlier: &[(StepKey, AttemptRow)],
    last: &AttemptRow,
    read: Value,
) -> Inspection {
    let problem = last.problem.as_ref().or_else(|| earlier.last().and_then(|(_, row)| row.problem.as_ref()));
    Inspection {
        step: key.clone(),
        asked: last.model.clone(),
        answered: last.answered.clone().unwrap_or_else(|| last.model.clone()),
        prompt_version: PromptVersion(last.prompt_version.clone()),
        tokens: tokens(last),
        cached: whole(last.cached_tokens).unwrap_or_default(),
        cost: last.money,
        millis: last.millis.and_then(|ms| u64::try_from(ms).ok()).unwrap_or_default(),
        attempts: u32::try_from(earlier.len() + 1).unwrap_or(u32::MAX),
        state: last.state.clone(),
        request: serde_json::from_str(&last.request).unwrap_or_default(),
        reply: last.reply.clone().unwrap_or_default(),
        problem: problem.cloned(),
        earlier: earlier.iter().map(attempt).collect(),
        read,
    }
}

fn whole(tokens: Option<i64>) -> Option<u64> {
    tokens.and_then(|tokens| u64::try_from(tokens).ok())
}

/// Tokens in and out, as far as the provider said.
fn tokens(row: &AttemptRow) -> Option<u64> {
    let input = whole(row.input_tokens)?.saturating_add(whole(row.cached_tokens)?);
    Some(input.saturating_add(whole(row.output_tokens)?))
}

pub(super) fn attempt((step, row): &(StepKey, AttemptRow)) -> Value {
    json!({
        "step": step,
        "attempt": row.n,
        "state": row.state,
        "model": row.model,
        "answered": row.answered,
        "prompt": row.prompt_version,
        "tokens": tokens(row),
        "cost": row.money.map(|money| money.to_string()),
        "milliseconds": row.millis,
        "problem": row.problem,
        "request": serde_json::from_str::<Value>(&row.request).unwrap_or_default(),
        "reply": row.reply,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stand_in_leads_back_to_the_step_it_stands_in_for() {
        for (key, expected) in [
            ("round-1/tech/simpler", "round-1/tech"),
            ("round-1/tech", "round-1/tech"),
            ("synthesis/fallback-1", "synthesis"),
            ("notary/plain", "notary"),
            ("gatekeeper", "gatekeeper"),
            ("analysis/expert-1/fallback-2", "analysis/expert-1"),
            ("followup/123/fallback-1", "followup/123"),
            ("scoring/risk", "scoring/risk"),
        ] {
            assert_eq!(origin(&StepKey::new(key)).as_str(), expected);
        }
    }
}
