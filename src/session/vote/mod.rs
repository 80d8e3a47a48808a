//! Votes of whatever kind, from the first ballot to the count. A vote lives in the database alone: it needs no run, and
//! a session that is done has one all the same. Its key is that of its panel, so a session can hold several.
//!
//! Invariants: every ballot, proposal and close is applied once, however often it is delivered; whoever may not do
//! something, or does it wrongly, is told what is valid and has changed nothing; the result is posted once. Called
//! by `bot` (what people do), by rooms whose sessions hold votes of their own, and by the watcher of deadlines.

mod cast;
mod close;
mod points;
mod propose;

use super::{Actor, Sessions};
use crate::{
    error::UserError,
    steps::vote_key,
    store::{StoreError, VoteRefusal, VoteRow},
};
use domain::{SessionId, StepKey, VoteKind, VoteState};

impl Sessions {
    /// A vote, whether it is open or not.
    async fn vote(&self, session: &SessionId, key: &StepKey) -> anyhow::Result<VoteRow> {
        match self.0.world.store.vote(session, key).await? {
            Some(row) => Ok(row),
            None => refused(VoteRefusal::Absent),
        }
    }

    /// The vote of points, if it is open and this member may take part.
    async fn open_points(&self, session: &SessionId, actor: &Actor) -> anyhow::Result<VoteRow> {
        let row = self.vote(session, &vote_key()).await?;
        if row.vote.kind != VoteKind::Points {
            return refused(VoteRefusal::Absent);
        }
        if row.vote.state != VoteState::Open
            || row.deadline_ms.is_some_and(|deadline| self.now_ms() >= deadline)
        {
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
        VoteRefusal::Absent => "This vote is not open yet. It opens when the experts are done.".to_owned(),
        VoteRefusal::Over => "This vote is closed; the result is in the thread.".to_owned(),
        VoteRefusal::Ineligible => {
            "This vote is for others. Ask whoever started the session if you should be among them.".to_owned()
        }
        VoteRefusal::Reread => {
            "The proposition was edited since you read it. Read it again on the card in the thread, then vote.".to_owned()
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
pub(in crate::session) fn applied(outcome: Result<String, StoreError>) -> anyhow::Result<String> {
    match outcome {
        Ok(said) | Err(StoreError::Duplicate(said)) => Ok(said),
        Err(StoreError::Vote(refusal)) => refused(refusal),
        Err(other) => Err(other.into()),
    }
}
