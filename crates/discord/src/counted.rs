//! What was asked of Discord's API since the start, for whoever watches the bot.

use std::sync::{Mutex, MutexGuard};

use reqwest::StatusCode;

use super::{Discord, limit::lock};

/// Requests to Discord's API since the start, each attempt by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Requests {
    /// Carried out.
    pub done: u64,
    /// Answered 429: too many, by any of Discord's limits.
    pub limited: u64,
    /// Refused with another status.
    pub refused: u64,
    /// Not answered at all.
    pub unanswered: u64,
    /// Waiting at this moment for their turn by Discord's limits.
    pub waiting: u64,
}

#[derive(Default)]
pub(super) struct Counted(Mutex<Requests>);

impl Counted {
    /// One attempt has ended; `None`: without an answer.
    pub(super) fn ended(&self, status: Option<StatusCode>) {
        let mut requests = self.lock();
        let how = match status {
            Some(StatusCode::TOO_MANY_REQUESTS) => &mut requests.limited,
            Some(status) if status.is_success() => &mut requests.done,
            Some(_) => &mut requests.refused,
            None => &mut requests.unanswered,
        };
        *how += 1;
    }

    /// One more waits, until what is given is dropped.
    pub(super) fn waits(&self) -> Waits<'_> {
        self.lock().waiting += 1;
        Waits(self)
    }

    fn lock(&self) -> MutexGuard<'_, Requests> {
        lock(&self.0)
    }
}

/// Is counted as long as it lives.
pub(super) struct Waits<'a>(&'a Counted);

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.lock().waiting -= 1;
    }
}

impl Discord {
    /// What was asked since the start.
    #[must_use]
    pub fn requests(&self) -> Requests {
        *self.transport.counted().lock()
    }
}
