//! Whether the bot hears what happens on Discord: how many of its connections to the gateway are served, and whether another
//! process hears the same.

use std::{
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use domain::ShardRange;

/// How long another process is spoken of after it was noticed last: it is noticed only where somebody uses a command.
const NOTICED_FOR: Duration = Duration::from_mins(10);

/// The connections to Discord's gateway, one a shard. Clones tell of the same.
#[derive(Clone, Debug, Default)]
pub struct Connections(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    wanted: OnceLock<ShardRange>,
    served: AtomicU64,
    /// Interactions that another process has answered.
    elsewhere: AtomicU64,
    /// When that was noticed last.
    noticed: Mutex<Option<Instant>>,
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

    /// How many interactions were answered by another process with the same token, as far as it was noticed here.
    #[must_use]
    pub fn elsewhere(&self) -> u64 {
        self.0.elsewhere.load(Relaxed)
    }

    /// Whether another process answered for these servers in the last ten minutes.
    #[must_use]
    pub fn shared(&self) -> bool {
        let noticed = *self.0.noticed.lock().unwrap_or_else(PoisonError::into_inner);
        noticed.is_some_and(|at| at.elapsed() < NOTICED_FOR)
    }

    /// One more was.
    pub(super) fn answered_elsewhere(&self) {
        self.0.elsewhere.fetch_add(1, Relaxed);
        *self.0.noticed.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
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
