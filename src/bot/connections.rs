//! Whether the bot hears what happens on Discord: how many of its connections to the gateway are served.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use crate::domain::ShardRange;

/// The connections to Discord's gateway, one a shard. Clones tell of the same.
#[derive(Clone, Debug, Default)]
pub struct Connections(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    wanted: OnceLock<ShardRange>,
    served: AtomicU64,
}

impl Connections {
    /// How many there should be; 0 as long as Discord has not said it.
    #[must_use]
    pub fn wanted(&self) -> u64 {
        self.range().map_or(0, |range| u64::from(range.count()))
    }

    /// How many Discord serves: it has taken the session on them and sends events.
    #[must_use]
    pub fn served(&self) -> u64 {
        self.0.served.load(Relaxed)
    }

    /// The shards that this process runs; `None` as long as Discord has not said how many there are.
    #[must_use]
    pub fn range(&self) -> Option<ShardRange> {
        self.0.wanted.get().copied()
    }

    /// There are to be those; a process runs the same ones to its end.
    pub(super) fn want(&self, shards: ShardRange) {
        let _ = self.0.wanted.set(shards);
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
