//! How fast the bot's own pauses pass.

use std::time::Duration;

/// How fast the pauses pass that the bot makes of itself: how far apart it edits a card, how soon it tries again or
/// looks again. In production they are as they are written; on a stage, where nobody reads along, they are a part of
/// that. What others ask for (rate limits, `retry-after`), what people set (deadlines) and how long an answer may
/// take are no such pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace(u32);

impl Pace {
    /// Pauses as they are written: people read along.
    pub const REAL: Self = Self(1);

    /// Pauses so many times shorter.
    #[must_use]
    pub const fn faster(times: u32) -> Self {
        Self(if times == 0 { 1 } else { times })
    }

    /// How long a pause really is.
    #[must_use]
    pub fn of(self, pause: Duration) -> Duration {
        pause / self.0
    }
}
