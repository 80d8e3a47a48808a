//! Another process that answers for the same servers with the same token: two were given the same range of shards, each a
//! file of its own, so that no lease of a file keeps them apart. Discord then tells both of everything, takes the first
//! answer to an interaction and refuses the second (40060), by which the second process learns of the first.
//!
//! Invariant: who is refused so does nothing of what a command asked for, or it would be done twice; whoever runs the bots is
//! told once, and by `/healthz` as long as it goes on. What this process may have answered itself is no sign of another, for
//! Discord delivers some interactions twice, at the same moment even; nor is what was used before it began, which the process
//! before it may have answered. Called by `reply`.

use std::{
    collections::VecDeque,
    sync::{Mutex, Once, PoisonError},
};

use super::Connections;
use domain::InteractionId;

/// So many interactions are remembered; one that Discord delivers again, it delivers within minutes.
const REMEMBERED: usize = 10_000;

/// What this process answered itself, and whether another one was noticed.
pub(super) struct Rivals {
    connections: Connections,
    /// Since when this process runs, in milliseconds since 1970.
    began_ms: i64,
    own: Mutex<VecDeque<Tried>>,
    told: Once,
}

/// An interaction that this process has tried to answer.
struct Tried {
    interaction: InteractionId,
    /// It was delivered again.
    again: bool,
}

/// An interaction that another process has answered: nothing is done about it here.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("another process has answered this")]
pub(super) struct AnsweredElsewhere;

impl Rivals {
    pub(super) fn new(connections: Connections, began_ms: i64) -> Self {
        Self { connections, began_ms, own: Mutex::default(), told: Once::new() }
    }

    /// Notes that this process is about to answer an interaction.
    pub(super) fn answers(&self, interaction: InteractionId) {
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tried) = own.iter_mut().find(|tried| tried.interaction == interaction) {
            tried.again = true;
            return;
        }
        if own.len() >= REMEMBERED {
            own.pop_front();
        }
        own.push_back(Tried { interaction, again: false });
    }

    /// Whether an answer that Discord says was given cannot be this bot's own: it was used since this process began, which has
    /// tried to answer it once.
    pub(super) fn is_anothers(&self, interaction: InteractionId) -> bool {
        let own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        let once = own.iter().any(|tried| tried.interaction == interaction && !tried.again);
        once && interaction.made_ms() >= self.began_ms
    }

    /// Another process has answered an interaction that this one had not.
    pub(super) fn noticed(&self) {
        self.connections.answered_elsewhere();
        self.told.call_once(|| {
            tracing::error!(
                "another process answers for the same servers with the same token: an interaction was answered before this \
                 process had answered it. What another one answers is not done here. Stop one of them; several processes of \
                 one bot each need a range of shards of their own (QUORUM_SHARDS)"
            );
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of what was used so many milliseconds after 2015 began, Discord's own first.
    fn used(ms: u64) -> InteractionId {
        InteractionId(ms << 22)
    }

    #[test]
    fn what_this_bot_may_have_answered_itself_is_nobody_elses() {
        let began = used(1_000).made_ms();
        let rivals = Rivals::new(Connections::default(), began);
        for (after, once) in [(999, false), (1_000, true), (2_000, true)] {
            assert!(!rivals.is_anothers(used(after)), "{after}: not tried yet");
            rivals.answers(used(after));
            assert_eq!(rivals.is_anothers(used(after)), once, "{after}");
            rivals.answers(used(after));
            assert!(!rivals.is_anothers(used(after)), "{after}: delivered twice");
        }
        for other in 0..REMEMBERED as u64 {
            rivals.answers(used(10_000 + other));
        }
        rivals.answers(used(2_000));
        assert!(rivals.is_anothers(used(2_000)), "forgotten");
    }
}
