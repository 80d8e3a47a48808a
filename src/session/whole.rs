//! The whole text behind a card, for each kind of thing a step can have made.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    Sessions,
    critique::{self, is_critique},
    debate,
    inspect::NOTHING,
};
use crate::{
    domain::{
        Basis, Minutes, ModuleOutput, Proposal, Reading, Score, Scored, SessionId, Solution, Stage,
        Statement, StepKey, Synthesis, WaitKind,
    },
    error::UserError,
    prompt::followup::Answer,
    render::{self, points::Reasoned},
    steps::confirmation,
    store::{SessionRow, StepRow, StepState},
};

impl Sessions {
    /// Title and text of the whole side of a step's card.
    pub(super) async fn whole(
        &self,
        row: &SessionRow,
        key: &StepKey,
        step: StepRow,
    ) -> anyhow::Result<(String, String)> {
        let session = &row.id;
        if is_critique(row)
            && let Some(whole) = critique::whole_of(self, row, key, &step).await?
        {
            return Ok(whole);
        }
        let output = step.output.unwrap_or_default();
        if key.as_str() == "points" {
            return self.whole_points(session, &output).await;
        }
        if key.as_str() == "gatekeeper" {
            // The roles as they stand now; people may have changed them, and the gatekeeper may have failed.
            return match self.proposal(session).await? {
                Some(proposal) => {
                    Ok(("The proposal".to_owned(), render::roundtable::whole_proposal(&proposal)))
                }
                None => Ok((key.to_string(), String::new())),
            };
        }
        if let Some(statement) = read::<Statement>(&output) {
            return self.whole_statement(session, &statement).await;
        }
        Ok(whole_of(key, &output))
    }

    /// An expert's statement; of a rebuttal with the names of those it answers.
    async fn whole_statement(
        &self,
        session: &SessionId,
        statement: &Statement,
    ) -> anyhow::Result<(String, String)> {
        let Some(proposal) = self.proposal(session).await? else {
            return Ok((statement.expert.to_string(), statement.stance.clone()));
        };
        let labels: Option<Vec<Reading>> = self.made(session, "rebuttal/labels").await?.pop();
        let readings = labels.filter(|_| statement.stage == Stage::Rebuttal).unwrap_or_default();
        let reading = readings.iter().find(|reading| reading.reader == statement.expert);
        Ok(render::roundtable::whole_statement(statement, reading, &proposal))
    }

    /// A roundtable's roles as people changed or confirmed them, or as they were proposed.
    async fn proposal(&self, session: &SessionId) -> anyhow::Result<Option<Proposal>> {
        match confirmation(&self.0.world.store, session, WaitKind::Roles).await? {
            Some(proposal) => Ok(Some(proposal)),
            None => Ok(self.made(session, "gatekeeper").await?.pop()),
        }
    }

    /// Every expert's points with its reasons.
    async fn whole_points(&self, session: &SessionId, output: &Value) -> anyhow::Result<(String, String)> {
        let title = "All points".to_owned();
        if let Some(scored) = read::<Scored>(output) {
            let reasoned = scored.experts.iter().zip(&scored.reasons).map(|(expert, reasoning)| Reasoned {
                title: &expert.title,
                allocation: &expert.allocation,
                basis: expert.basis,
                reasoning,
            });
            let reasoned: Vec<_> = reasoned.collect();
            return Ok((title, render::points::all_points(&scored.solutions, &reasoned)));
        }
        let syntheses: Vec<Synthesis> = self.made(session, "synthesis").await?;
        let scores: Vec<Score> = self.made(session, "scoring/").await?;
        let Some(last) = syntheses.last() else { return UserError::of(NOTHING) };
        let titles: Vec<String> = scores.iter().map(|score| score.module.expert()).collect();
        let reasoned: Vec<_> = (scores.iter().zip(&titles))
            .map(|(score, title)| Reasoned {
                title,
                allocation: &score.allocation,
                basis: if score.scaled { Basis::Scaled } else { Basis::Given },
                reasoning: &score.reasoning,
            })
            .collect();
        let solutions = Solution::distinct(&last.recommendations);
        Ok((title, render::points::all_points(&solutions, &reasoned)))
    }

    /// What steps under a prefix made, where it is a `T`.
    pub(super) async fn made<T: DeserializeOwned>(
        &self,
        session: &SessionId,
        prefix: &str,
    ) -> anyhow::Result<Vec<T>> {
        let rows = self.0.world.store.steps(session, prefix).await?;
        let done = rows.into_iter().filter(|(_, step)| step.state == StepState::Done);
        Ok(done.filter_map(|(_, step)| read(&step.output?)).collect())
    }
}

fn read<T: DeserializeOwned>(output: &Value) -> Option<T> {
    serde_json::from_value(output.clone()).ok()
}

/// Title and text, for what says everything itself.
fn whole_of(key: &StepKey, output: &Value) -> (String, String) {
    if let Some(whole) = debate::whole_of(key, output) {
        return whole;
    }
    if let Some(output) = read::<ModuleOutput>(output) {
        return (format!("{} · round {}", output.module.title(), output.round.number()), output.analysis);
    }
    // Before the synthesis, which has a synthesis of another shape.
    if let Some(minutes) = read::<Minutes>(output).filter(|_| key.as_str().starts_with("notary")) {
        return ("The notary's record".to_owned(), render::roundtable::whole_minutes(&minutes));
    }
    if let Some(synthesis) = read::<Synthesis>(output) {
        return ("Synthesis".to_owned(), synthesis.synthesis);
    }
    if let Some(answer) = read::<Answer>(output) {
        return ("Answer".to_owned(), answer.text);
    }
    (key.to_string(), String::new())
}
