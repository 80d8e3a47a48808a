//! Opening a vote: rules, what is voted on and the experts' points go into the database with the panel that people vote
//! on, in one transaction. What becomes of the vote after that is no part of any run.

use serde_json::Value;

use super::{Steps, Stop};
use crate::{
    render,
    store::{NewVote, Settled},
};
use domain::{Decision, StepKey, Vote, VoteKind};

/// The vote in which points are given to what a session came to.
#[must_use]
pub fn vote_key() -> StepKey {
    StepKey::from("vote")
}

impl Steps {
    /// Opens a vote, once; its panel has the key of the step. Returns at once; the vote outlives the run.
    pub async fn open_vote(&self, key: impl Into<StepKey>, new: NewVote) -> Result<(), Stop> {
        let key = key.into();
        // As the journals of running sessions have it.
        let kind = match new.kind {
            VoteKind::Points => "vote",
            VoteKind::Opinion => "opinions",
        };
        if let Some(opened) = self.recall::<Value>(&key, kind).await? {
            return opened.map(|_| ()).map_err(|_| Stop::Drift(key));
        }
        let (now, session, store) = (self.world.now_ms(), &self.scope.session, &self.world.store);
        let earlier = match &new.repeats {
            Some(earlier) => store.vote(session, earlier).await?.map(|row| row.vote.ballots),
            None => None,
        };
        let vote = Vote {
            kind: new.kind,
            question: new.question.clone(),
            solutions: new.solutions.clone(),
            experts: new.experts.clone(),
            champions: new.champions.clone(),
            rules: new.rules.clone(),
            deadline: Some(new.deadline_ms(now) / 1000),
            earlier: earlier.unwrap_or_default(),
            ..Vote::default()
        };
        let settled = Settled {
            kind: kind.to_owned(),
            failed: false,
            output: if new.came_out.is_empty() { Value::Null } else { new.came_out.as_str().into() },
            posts: self.outgoing(&key, vec![render::vote::panel(session, &vote)]),
            panel: None,
            allowed: self.scope.allowed,
            key,
        };
        store.open_vote(session, settled, new, now).await?;
        self.outbox.kick(session);
        self.world.deadlines.notify_one();
        Ok(())
    }

    /// The vote that the session is decided on, once its ballots are counted; while it is open they are secret.
    pub async fn counted_vote(&self) -> Result<Option<Vote>, Stop> {
        let row = self.world.store.deciding_vote(&self.scope.session).await?;
        Ok(row.filter(|row| row.counted).map(|row| row.vote))
    }

    /// The decisions recorded in the session, the first first.
    pub async fn decided(&self) -> Result<Vec<Decision>, Stop> {
        let rows = self.world.store.decisions_of(&self.scope.session).await?;
        Ok(rows.into_iter().map(|row| row.decision).collect())
    }
}
