//! Whether the bot hears what happens on Discord: how many of its connections to the gateway are served.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

/// The connections to Discord's gateway, one a shard. Clones tell of the same.
#[derive(Clone, Debug, Default)]
pub struct Connections(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    wanted: AtomicU64,
    served: AtomicU64,
}

impl Connections {
    /// How many there should be; 0 as long as Discord has not said it.
    #[must_use]
    pub fn wanted(&self) -> u64 {
        self.0.wanted.load(Relaxed)
    }

    /// How many Discord serves: it has taken the session on them and sends events.
    #[must_use]
    pub fn served(&self) -> u64 {
        self.0.served.load(Relaxed)
    }

    pub(super) fn want(&self, shards: u64) {
        self.0.wanted.store(shards, Relaxed);
    }

    /// One more is served, until what is given is dropped.
    pub(super) fn serve(&self) -> Served {
        self.0.served.fetch_add(1, Relaxed);
        Served(Arc::clone(&self.0))
    }
}

/// A connection that is served, as long as this lives.
pub(super) struct Served(Arc<Counts>);

impl Drop for Served {
    fn drop(&mut self) {
        self.0.served.fetch_sub(1, Relaxed);
    }
}
