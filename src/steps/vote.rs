//! Opening a vote: rules, solutions and the experts' points go into the database with the panel that people vote
//! on, in one transaction. What becomes of the vote after that is no part of any run.

use serde_json::Value;

use super::{Steps, Stop, now_ms};
use crate::{
    domain::{Decision, ExpertPoints, Solution, StepKey, Vote, VoteRules, VoteState},
    render,
    store::{NewVote, Settled},
};

/// What a vote opens with.
#[derive(Clone, Debug)]
pub struct Opening {
    /// What is to be decided, short.
    pub question: String,
    /// The experts' solutions, at least one.
    pub solutions: Vec<Solution>,
    /// What the experts gave.
    pub experts: Vec<ExpertPoints>,
    /// How it is held.
    pub rules: VoteRules,
}

impl Steps {
    /// Opens the session's vote, once. Returns at once; the vote outlives the run.
    pub async fn open_vote(&self, key: impl Into<StepKey>, opening: Opening) -> Result<(), Stop> {
        let key = key.into();
        if let Some(opened) = self.recall::<Value>(&key, "vote").await? {
            return opened.map(|_| ()).map_err(|_| Stop::Drift(key));
        }
        let now = now_ms();
        let Opening { question, solutions, experts, rules } = opening;
        let new = NewVote { question, rules, solutions, experts };
        let vote = Vote {
            question: new.question.clone(),
            solutions: new.solutions.clone(),
            experts: new.experts.clone(),
            rules: new.rules.clone(),
            state: VoteState::Open,
            deadline: new.deadline_ms(now) / 1000,
            ballots: Vec::new(),
        };
        let session = &self.scope.session;
        // The panel is found by the key of its post, so that is the same whatever the step is called.
        let post = render::vote::panel(session, &vote);
        let settled = Settled {
            kind: "vote".to_owned(),
            failed: false,
            output: Value::Null,
            posts: self.outgoing(&StepKey::from("vote"), vec![post]),
            allowed: self.scope.allowed,
            key,
        };
        self.world.store.open_vote(session, settled, new, now).await?;
        self.outbox.kick(session);
        self.world.deadlines.notify_one();
        Ok(())
    }

    /// The session's vote, once its ballots are counted; while it is open they are secret.
    pub async fn counted_vote(&self) -> Result<Option<Vote>, Stop> {
        let row = self.world.store.vote(&self.scope.session).await?;
        Ok(row.filter(|row| row.counted).map(|row| row.vote))
    }

    /// The decisions recorded in the session, the first first.
    pub async fn decided(&self) -> Result<Vec<Decision>, Stop> {
        let rows = self.world.store.decisions_of(&self.scope.session).await?;
        Ok(rows.into_iter().map(|row| row.decision).collect())
    }
}
