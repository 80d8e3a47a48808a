//! When this process first tried what it posts, by a clock that never jumps: the one on the wall may stand anywhere, and says
//! nothing of whether Discord still knows a nonce.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use super::Outbox;
use crate::store::{OutboxRow, Target};

/// How long after its first try a post's nonce is still trusted. Discord says only "the past few minutes".
const NONCE_TRUSTED: Duration = Duration::from_mins(1);
/// How long a post is tried that is answered in no way that means anything, if Discord answers other questions meanwhile,
/// and how often at least.
const GIVEN_UP_AFTER: (Duration, i64) = (Duration::from_mins(15), 10);

/// The first tries of what is not there yet.
#[derive(Clone, Default)]
pub(super) struct Tries(Arc<Mutex<HashMap<i64, Instant>>>);

impl Tries {
    /// A post is tried now.
    pub(super) fn begins(&self, post: i64) {
        self.with(|tries| *tries.entry(post).or_insert_with(Instant::now));
    }

    /// It is there, or given up.
    pub(super) fn ends(&self, post: i64) {
        self.with(|tries| tries.remove(&post));
    }

    /// How long ago this process first tried it; `None`: it has not.
    fn since(&self, post: i64) -> Option<Duration> {
        self.with(|tries| tries.get(&post).map(Instant::elapsed))
    }

    /// Whether its place has to be read before it is sent again.
    pub(super) fn is_old(&self, row: &OutboxRow) -> bool {
        is_old(self.since(row.id), row.tries > 0 && row.target == Target::Channel)
    }

    fn with<T>(&self, of: impl FnOnce(&mut HashMap<i64, Instant>) -> T) -> T {
        of(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Whether Discord may have forgotten a nonce that was first tried here so long ago. What an earlier process tried in a thread
/// is looked for when that is read, once in each life; a card that it tried (`card_before`) is not.
fn is_old(here: Option<Duration>, card_before: bool) -> bool {
    here.map_or(card_before, |since| since > NONCE_TRUSTED)
}

impl Outbox {
    pub(super) fn tried_long_enough(&self, row: &OutboxRow) -> bool {
        let (long, often) = (self.world.pace.of(GIVEN_UP_AFTER.0), GIVEN_UP_AFTER.1);
        row.tries >= often && self.tries.since(row.id).is_some_and(|since| since >= long)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nonce_is_trusted_for_a_minute_of_a_clock_that_never_jumps() {
        let (minute, second) = (NONCE_TRUSTED, Duration::from_secs(1));
        assert!(!is_old(None, false), "new, or its thread is read anyway");
        assert!(is_old(None, true), "an earlier process tried the card, whenever that was");
        assert!(!is_old(Some(second), true), "looked for in this life already");
        assert!(is_old(Some(minute + second), false));
        let tries = Tries::default();
        assert_eq!(tries.since(1), None);
        tries.begins(1);
        let first = tries.since(1).unwrap();
        std::thread::sleep(Duration::from_millis(2));
        tries.begins(1);
        assert!(tries.since(1).unwrap() > first, "from the first try on");
        tries.ends(1);
        assert_eq!(tries.since(1), None);
    }
}
