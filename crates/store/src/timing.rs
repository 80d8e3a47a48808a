//! How long transactions take until they are on the disk, and what waits for the writer.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

use super::Store;

/// Up to how long, in milliseconds; what takes longer is counted beyond the last.
const BOUNDS: [u16; 12] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 30_000];

/// What the writer says of its work.
#[derive(Debug, Default)]
pub(super) struct Timing {
    /// How many transactions took so long, each counted under the first bound it keeps.
    within: [AtomicU64; BOUNDS.len()],
    beyond: AtomicU64,
    micros: AtomicU64,
    /// Pieces of work that were handed over and are not on the disk.
    pub(super) queued: AtomicU64,
}

/// How long transactions took since the start, waits for a disk that takes nothing among them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommitTimes {
    /// So many took at most so long; each bound counts those below it too.
    pub within: Vec<(Duration, u64)>,
    /// All of them.
    pub count: u64,
    /// The time of all together.
    pub sum: Duration,
}

impl Timing {
    pub(super) fn committed(&self, took: Duration) {
        let bound = BOUNDS.iter().position(|bound| took <= Duration::from_millis(u64::from(*bound)));
        bound.and_then(|at| self.within.get(at)).unwrap_or(&self.beyond).fetch_add(1, Relaxed);
        self.micros.fetch_add(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Relaxed);
    }

    fn times(&self) -> CommitTimes {
        let mut count = 0;
        let within = BOUNDS.iter().zip(&self.within).map(|(bound, took)| {
            count += took.load(Relaxed);
            (Duration::from_millis(u64::from(*bound)), count)
        });
        let within = within.collect();
        // Never less than the last bound's: a reader is told of what happens meanwhile at the next reading.
        let count = count + self.beyond.load(Relaxed);
        CommitTimes { within, count, sum: Duration::from_micros(self.micros.load(Relaxed)) }
    }
}

impl Store {
    /// How long transactions took since the start.
    #[must_use]
    pub fn commit_times(&self) -> CommitTimes {
        self.writer.timing().times()
    }

    /// How many pieces of work wait for the writer or are being written.
    #[must_use]
    pub fn queued_writes(&self) -> u64 {
        self.writer.timing().queued.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_counts_what_is_below_it() {
        let timing = Timing::default();
        for millis in [0, 1, 2, 3, 30_000, 30_001] {
            timing.committed(Duration::from_millis(millis));
        }
        let times = timing.times();
        let counts: Vec<u64> = times.within.iter().map(|(_, count)| *count).collect();
        assert_eq!(counts, [2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5]);
        assert_eq!((times.count, times.sum), (6, Duration::from_millis(60_007)));
    }
}
