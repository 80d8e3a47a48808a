//! Votes, from the first ballot to the count. A vote lives in the database alone: it needs no run, and a session
//! that is done has one all the same.
//!
//! Invariants: every ballot, proposal and close is applied once, however often it is delivered; whoever may not do
//! something, or does it wrongly, is told what is valid and has changed nothing; the result is posted once. Called
//! by `bot` (what people do) and by the watcher of deadlines.

mod cast;
mod close;
mod propose;

use super::{Actor, Sessions};
use crate::{
    domain::{SessionId, VoteState},
    error::UserError,
    steps::now_ms,
    store::{StoreError, VoteRefusal, VoteRow},
};

/// Key of a vote's panel.
const PANEL: &str = "vote";

impl Sessions {
    /// A session's vote, whether it is open or not.
    pub async fn vote(&self, session: &SessionId) -> anyhow::Result<VoteRow> {
        match self.0.world.store.vote(session).await? {
            Some(row) => Ok(row),
            None => refused(VoteRefusal::Absent),
        }
    }

    /// A session's vote, if it is open and this member may take part.
    async fn open_vote_for(&self, session: &SessionId, actor: &Actor) -> anyhow::Result<VoteRow> {
        let row = self.vote(session).await?;
        if row.vote.state != VoteState::Open || now_ms() >= row.deadline_ms {
            return refused(VoteRefusal::Over);
        }
        if !row.vote.rules.electorate.admits(actor.user, &actor.roles) {
            return refused(VoteRefusal::Ineligible);
        }
        Ok(row)
    }
}

/// The sentence for somebody whose part a vote does not take.
fn refused<T>(refusal: VoteRefusal) -> anyhow::Result<T> {
    UserError::of(match refusal {
        VoteRefusal::Absent => "There is no vote in this session yet. It opens when the experts are done.".to_owned(),
        VoteRefusal::Over => {
            "This vote is closed, so nothing more is counted. The result is in the thread.".to_owned()
        }
        VoteRefusal::Ineligible => {
            "This vote is for others: its panel says who may vote. Ask whoever started the session if you should be among them.".to_owned()
        }
        VoteRefusal::Same(id) => {
            format!("{id} says the same already. Vote for {id}, or propose something that differs from it.")
        }
        VoteRefusal::Full => {
            "There are ten solutions, which is as many as a vote can have. Vote for one of them.".to_owned()
        }
        VoteRefusal::Unknown(1) => "There is only one solution in this vote: S1.".to_owned(),
        VoteRefusal::Unknown(most) => format!("This vote has the solutions S1 to S{most}. Choose among those."),
    })
}

/// What is said when something was applied, now or before, or was refused.
fn applied(outcome: Result<(), StoreError>, said: String) -> anyhow::Result<String> {
    match outcome {
        Ok(()) => Ok(said),
        Err(StoreError::Duplicate(said)) => Ok(said),
        Err(StoreError::Vote(refusal)) => refused(refusal),
        Err(other) => Err(other.into()),
    }
}
