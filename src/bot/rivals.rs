//! Another process that answers for the same servers with the same token: two were given the same range of shards, each a
//! file of its own, so that no lease of a file keeps them apart. Discord then tells both of everything, takes the first
//! answer to an interaction and refuses the second (40060), by which the second process learns of the first.
//!
//! Invariant: who is refused so does nothing of what a command asked for, or it would be done twice; whoever runs the bots is
//! told once, and by `/healthz` as long as it goes on. What this process has answered itself is no sign of another: Discord
//! delivers some interactions twice. Called by `reply`.

use std::{
    collections::VecDeque,
    sync::{Mutex, Once, PoisonError},
};

use super::Connections;
use crate::domain::InteractionId;

/// So many interactions are remembered; one that Discord delivers again, it delivers within minutes.
const REMEMBERED: usize = 10_000;

/// What this process answered itself, and whether another one was noticed.
pub(super) struct Rivals {
    connections: Connections,
    own: Mutex<VecDeque<InteractionId>>,
    told: Once,
}

/// An interaction that another process has answered: nothing is done about it here.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("another process has answered this")]
pub(super) struct AnsweredElsewhere;

impl Rivals {
    pub(super) fn new(connections: Connections) -> Self {
        Self { connections, own: Mutex::default(), told: Once::new() }
    }

    /// Notes that this process is about to answer an interaction. `false`: it was already.
    pub(super) fn answers(&self, interaction: InteractionId) -> bool {
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        if own.contains(&interaction) {
            return false;
        }
        if own.len() >= REMEMBERED {
            own.pop_front();
        }
        own.push_back(interaction);
        true
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

    #[test]
    fn what_was_answered_here_is_remembered_for_a_while() {
        let rivals = Rivals::new(Connections::default());
        assert!(rivals.answers(InteractionId(1)) && rivals.answers(InteractionId(2)));
        assert!(!rivals.answers(InteractionId(1)), "delivered twice");
        for other in 0..REMEMBERED as u64 {
            rivals.answers(InteractionId(1_000 + other));
        }
        assert!(rivals.answers(InteractionId(1)), "forgotten");
    }
}
