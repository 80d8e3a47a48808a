//! Where the gateway is, with how many shards, and how often a connection may still be begun.

use std::time::Duration;

use reqwest::Method;
use serde::Deserialize;

use super::{Discord, SendError, Urgency, transport::Request};

/// What Discord recommends (documentation, events/gateway: Get Gateway Bot).
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Gateway {
    /// Such as `wss://gateway.discord.gg`.
    pub url: String,
    /// With how many shards to connect.
    pub shards: u32,
    /// How often that may still be done.
    #[serde(rename = "session_start_limit")]
    pub starts: SessionStarts,
}

/// How often a session may be begun (IDENTIFY). Who exceeds it has the bot's token taken away.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct SessionStarts {
    /// In a day.
    pub total: u32,
    /// Of which this many are left.
    pub remaining: u32,
    /// Milliseconds until the next day.
    pub reset_after: u64,
}

impl SessionStarts {
    /// How long to wait before so many shards are started: not at all as long as a tenth is left; then the rest is
    /// spread over what is left of the day, so that a process that is started again and again cannot use it up.
    #[must_use]
    pub fn wait(&self, shards: u32) -> Duration {
        let reset = Duration::from_millis(self.reset_after);
        match self.remaining / shards.max(1) {
            0 => reset,
            times if self.remaining < self.total / 10 => reset / times,
            _ => Duration::ZERO,
        }
    }
}

impl Discord {
    /// Asks how to connect to the gateway.
    pub async fn gateway(&self) -> Result<Gateway, SendError> {
        let asked = Request::new(Method::GET, "/gateway/bot", &[]);
        self.transport.send(Request { urgency: Urgency::First, ..asked }).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_tenth_of_the_starts_is_spread_over_the_rest_of_the_day() {
        let wait = |remaining, shards| {
            SessionStarts { total: 1_000, remaining, reset_after: 3_600_000 }.wait(shards).as_secs()
        };
        assert_eq!(
            [wait(1_000, 1), wait(100, 1), wait(99, 1), wait(1, 1), wait(0, 1)],
            [0, 0, 36, 3_600, 3_600]
        );
        assert_eq!([wait(100, 16), wait(64, 16), wait(15, 16)], [0, 900, 3_600]);
    }
}
