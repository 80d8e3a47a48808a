//! What the machine is like on which is measured: how busy, how fast its disk, whether its clock is steady. What makes the
//! figures worth little is said beside them.

use std::{
    fs::{self, File},
    io::Write as _,
    time::{Duration, Instant, SystemTime},
};

use super::table::{ms, percentile};

/// A disk that takes longer to sync makes a commit slow, whatever is measured.
const SLOW_DISK: Duration = Duration::from_millis(10);
/// A clock that went off by more was set while something was measured by it.
const JUMP: Duration = Duration::from_millis(100);

pub struct Machine {
    load: String,
    /// Milliseconds of a sync of one page: median and slowest of fifty.
    sync: (f64, f64),
    /// Both clocks at the start: one that cannot jump, and the one that people set.
    began: (Instant, SystemTime),
}

impl Machine {
    pub fn look() -> Self {
        Self { load: load(), sync: sync(), began: (Instant::now(), SystemTime::now()) }
    }

    pub fn print(&self) {
        let (median, slowest) = self.sync;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        println!(
            "{processors} processors; a sync of the disk takes {median:.1} ms, the slowest of 50 {slowest:.1} ms."
        );
        if median > ms(SLOW_DISK) {
            println!(
                "That is a slow disk: each step waits for two syncs, and most of what follows is the disk's time."
            );
        }
    }

    pub fn print_end(&self) {
        println!("\nLoad average {} at the start, {} at the end.", self.load, load());
        let (began, clock) = self.began;
        let off = match SystemTime::now().duration_since(clock) {
            Ok(passed) => passed.abs_diff(began.elapsed()),
            Err(set_back) => set_back.duration() + began.elapsed(),
        };
        if off > JUMP {
            println!(
                "The machine's clock was set meanwhile, by {off:.1?}: times of posts are not to be trusted."
            );
        }
    }

    /// The day on which it began.
    pub fn day(&self) -> String {
        chrono::DateTime::<chrono::Utc>::from(self.began.1).format("%Y-%m-%d").to_string()
    }
}

fn sync() -> (f64, f64) {
    let folder = tempfile::tempdir().unwrap();
    let mut file = File::create(folder.path().join("sync")).unwrap();
    let mut times = Vec::new();
    for _ in 0..50 {
        file.write_all(&[1; 4096]).unwrap();
        let began = Instant::now();
        file.sync_data().unwrap();
        times.push(ms(began.elapsed()));
    }
    (percentile(&times, 50.0), percentile(&times, 100.0))
}

fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').take(2).collect::<Vec<_>>().join(", ")
}
