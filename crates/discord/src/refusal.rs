//! Discord bans an address for a while that has 10,000 requests refused (401, 403 or 429) in ten minutes
//! (documentation, topics/rate-limits). Long before that, something is wrong and sending stops, but for the answers to
//! interactions.

use std::{collections::VecDeque, time::Duration};

use tokio::time::Instant;

use super::SendError;

/// Refusals in [`WINDOW`] after which nothing is sent but answers to interactions. Others may share the address.
const MOST: usize = 5_000;
const WINDOW: Duration = Duration::from_mins(10);

/// The refusals of the last ten minutes.
#[derive(Debug, Default)]
pub(super) struct Refusals(VecDeque<Instant>);

impl Refusals {
    /// Counts one.
    pub(super) fn add(&mut self, now: Instant) {
        self.0.push_back(now);
    }

    /// Whether anything may be sent of the bot's own accord.
    pub(super) fn check(&mut self, now: Instant) -> Result<(), SendError> {
        while self.0.front().is_some_and(|&first| now.duration_since(first) >= WINDOW) {
            self.0.pop_front();
        }
        match self.0.front() {
            Some(&first) if self.0.len() >= MOST => {
                let wait = first + WINDOW - now;
                Err(SendError::later(wait, "too many requests were refused lately; nothing is sent for now"))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sending_stops_half_way_to_a_ban_and_goes_on_later() {
        let (mut refusals, start) = (Refusals::default(), Instant::now());
        for _ in 0..MOST {
            assert_eq!(refusals.check(start), Ok(()));
            refusals.add(start);
        }
        let error = refusals.check(start + Duration::from_mins(1)).unwrap_err();
        assert_eq!(error.retry_after, Some(Duration::from_mins(9)));
        assert!(!error.is_final() && !error.is_transient());
        assert_eq!(refusals.check(start + WINDOW), Ok(()));
    }
}
