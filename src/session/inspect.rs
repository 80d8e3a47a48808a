//! Behind a card: its whole text, and how it came about.

use serde_json::{Value, json};

use super::Sessions;
use crate::{
    domain::{ModuleOutput, Post, PromptVersion, Score, SessionId, Solution, StepKey, Synthesis},
    error::UserError,
    prompt::followup::Answer,
    render::{self, inspect::Inspection},
    store::{AttemptRow, StepState},
};

const NOTHING: &str = "There is nothing stored for this card.";

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
        let step =
            self.0.world.store.step(session, key).await?.filter(|step| step.state != StepState::Intent);
        let Some(step) = step else { return UserError::of(NOTHING) };
        match shown {
            Shown::Whole if key.as_str() == "points" => self.whole_points(session).await,
            Shown::Whole => {
                let (title, text) = whole_of(key, &step.output.unwrap_or_default());
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
    /// too (`round-1/tech` for `round-1/tech/simpler`). `None` for a step that asked no model.
    async fn raw(&self, session: &SessionId, key: &StepKey) -> anyhow::Result<Option<Post>> {
        let store = &self.0.world.store;
        let origin = origin(key);
        let mut attempts = Vec::new();
        for (other, _) in store.steps(session, origin.as_str()).await? {
            let other = StepKey::new(other);
            let stands_in = other == origin || other.as_str().starts_with(&format!("{origin}/"));
            if stands_in && other != *key {
                attempts.extend(
                    store.attempts(session, &other).await?.into_iter().map(|row| (other.clone(), row)),
                );
            }
        }
        attempts.extend(store.attempts(session, key).await?.into_iter().map(|row| (key.clone(), row)));
        attempts.sort_by_key(|(_, row)| row.started_ms);
        let Some(at) = attempts.iter().rposition(|(step, _)| step == key) else { return Ok(None) };
        let (earlier, last) = (&attempts[..at], &attempts[at].1);
        let output = store.step(session, key).await?.and_then(|step| step.output).unwrap_or_default();
        Ok(Some(render::inspect::raw(&inspection(key, earlier, last, output))))
    }

    /// Every expert's points with its reasons.
    async fn whole_points(&self, session: &SessionId) -> anyhow::Result<Vec<Post>> {
        let read = async |prefix: &'static str| {
            let rows = self.0.world.store.steps(session, prefix).await?;
            anyhow::Ok(rows.into_iter().filter_map(|(_, step)| step.output))
        };
        let syntheses: Vec<Synthesis> =
            read("synthesis").await?.filter_map(|o| serde_json::from_value(o).ok()).collect();
        let scores: Vec<Score> =
            read("scoring/").await?.filter_map(|o| serde_json::from_value(o).ok()).collect();
        let Some(last) = syntheses.last() else {
            return UserError::of(NOTHING);
        };
        let solutions = Solution::distinct(&last.recommendations);
        Ok(render::inspect::whole("All points", &render::mediate::all_points(&solutions, &scores)))
    }
}

/// Title and text of the whole side, for each kind of thing a step can have made.
fn whole_of(key: &StepKey, output: &serde_json::Value) -> (String, String) {
    if let Ok(output) = serde_json::from_value::<ModuleOutput>(output.clone()) {
        return (format!("{} · round {}", output.module.title(), output.round.number()), output.analysis);
    }
    if let Ok(synthesis) = serde_json::from_value::<Synthesis>(output.clone()) {
        return ("Synthesis".to_owned(), synthesis.synthesis);
    }
    if let Ok(answer) = serde_json::from_value::<Answer>(output.clone()) {
        return ("Answer".to_owned(), answer.text);
    }
    (key.to_string(), String::new())
}

/// The step that a stand-in's key begins with.
fn origin(key: &StepKey) -> StepKey {
    let whole = key.as_str();
    let depth = if whole.starts_with("synthesis") { 1 } else { 2 };
    StepKey::new(whole.splitn(depth + 1, '/').take(depth).collect::<Vec<_>>().join("/"))
}

fn inspection(
    key: &StepKey,
    earlier: &[(StepKey, AttemptRow)],
    last: &AttemptRow,
    read: Value,
) -> Inspection {
    let whole = |tokens: Option<i64>| tokens.and_then(|tokens| u64::try_from(tokens).ok());
    let sum = |a: Option<u64>, b: Option<u64>| Some(a? + b?);
    let problem = last.problem.as_ref().or_else(|| earlier.last().and_then(|(_, row)| row.problem.as_ref()));
    Inspection {
        step: key.clone(),
        asked: last.model.clone(),
        answered: last.answered.clone().unwrap_or_else(|| last.model.clone()),
        prompt_version: PromptVersion(last.prompt_version.clone()),
        tokens: sum(sum(whole(last.input_tokens), whole(last.cached_tokens)), whole(last.output_tokens)),
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

fn attempt((step, row): &(StepKey, AttemptRow)) -> Value {
    json!({
        "step": step,
        "attempt": row.n,
        "state": row.state,
        "model": row.model,
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
            ("followup/123/fallback-1", "followup/123"),
            ("scoring/risk", "scoring/risk"),
        ] {
            assert_eq!(origin(&StepKey::new(key)).as_str(), expected);
        }
    }
}
