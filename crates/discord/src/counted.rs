//! What was asked of Discord's API since the start, for whoever watches the bot.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use reqwest::StatusCode;

use super::Discord;

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
pub(super) struct Counted {
    done: AtomicU64,
    limited: AtomicU64,
    refused: AtomicU64,
    unanswered: AtomicU64,
    waiting: AtomicU64,
}

impl Counted {
    /// One attempt has ended; `None`: without an answer.
    pub(super) fn ended(&self, status: Option<StatusCode>) {
        let how = match status {
            Some(StatusCode::TOO_MANY_REQUESTS) => &self.limited,
            Some(status) if status.is_success() => &self.done,
            Some(_) => &self.refused,
            None => &self.unanswered,
        };
        how.fetch_add(1, Relaxed);
    }

    /// One more waits, until what is given is dropped.
    pub(super) fn waits(&self) -> Waits<'_> {
        self.waiting.fetch_add(1, Relaxed);
        Waits(&self.waiting)
    }
}

/// Is counted as long as it lives.
pub(super) struct Waits<'a>(&'a AtomicU64);

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl Discord {
    /// What was asked since the start.
    #[must_use]
    pub fn requests(&self) -> Requests {
        let counted = self.transport.counted();
        Requests {
            done: counted.done.load(Relaxed),
            limited: counted.limited.load(Relaxed),
            refused: counted.refused.load(Relaxed),
            unanswered: counted.unanswered.load(Relaxed),
            waiting: counted.waiting.load(Relaxed),
        }
    }
}
