//! Why a protocol does not go on.

use thiserror::Error;

use crate::store::{AccountScope, BudgetRefusal, Panicked, Quota, Reserve, Short, StoreError};
use domain::StepKey;

/// Ends a run of a protocol. What is done stays done; a later run goes on from there.
#[derive(Debug, Error)]
pub enum Stop {
    /// Somebody paused or cancelled the session; its row says so already.
    #[error("the session was stopped by someone")]
    Halted,
    /// It cannot go on until somebody has done something; the sentence says what.
    #[error("{0}")]
    Pause(String, Option<Short>),
    /// Its own budget is used up, to which people can add; the sentence says of what.
    #[error("{0}")]
    Spent(String, Short),
    /// It cannot go on; *Try again* asks for the failed part once more. The sentence says why.
    #[error("{0}")]
    Fail(String),
    /// The journal holds another kind of step under this key: the protocol was changed under the session.
    #[error("step {0} is of another kind than it was when the session started")]
    Drift(StepKey),
    /// The database failed or was taken over by another process.
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotRunning(_) => Self::Halted,
            StoreError::Quota(used_up @ Quota::Share) => Self::Pause(used_up.to_string(), None),
            other => Self::Store(other),
        }
    }
}

impl From<Panicked> for Stop {
    fn from(panicked: Panicked) -> Self {
        Self::Store(panicked.into())
    }
}

impl Stop {
    /// A call did not fit a budget.
    pub(super) fn short(refusal: BudgetRefusal, reserve: &Reserve) -> Self {
        let (sentence, short) = (budget_sentence(refusal), Short::of(refusal, reserve));
        match refusal.scope {
            AccountScope::Session => Self::Spent(sentence, short),
            _ => Self::Pause(sentence, Some(short)),
        }
    }

    /// Whether the same may go well when it is tried again.
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, Self::Store(error) if error.may_pass())
    }
}

/// What is used up, and until when.
pub(crate) fn budget_sentence(refusal: BudgetRefusal) -> String {
    let text = refusal.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    let until = match refusal.scope {
        AccountScope::Session => {
            "Whoever decides here can add to it with **Add budget**; else what was posted stays."
        }
        AccountScope::Member | AccountScope::Guild => {
            "Resume when there is budget again (daily budgets start anew at midnight UTC), or cancel."
        }
        AccountScope::Bot | AccountScope::BotMonth => {
            "Whoever runs me has set it for all servers together (a day and a month begin anew at midnight UTC). Resume then, or cancel."
        }
        AccountScope::Month => {
            "Resume when the next month has begun (UTC), or cancel. Whoever manages the server can allow more to new sessions with `/settings budget`."
        }
    };
    format!("{first}{}, so no further call was made. {until}", letters.as_str())
}
