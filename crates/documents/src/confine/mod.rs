//! A child process that can do nothing but read its input, work in memory and write its output: this same program with a
//! hidden subcommand. Untrusted bytes are worked on there and nowhere else.
//!
//! Invariants:
//! * The child limits itself before it reads a byte: its memory, its time on the processor, and no file, socket or process
//!   that it could open. It has no environment but a word to its allocator. On Linux the system refuses it everything but its pipes, memory and its
//!   own end, also as root; where it cannot, the child reads nothing, unless whoever runs the bot allows that.
//! * Dropped by its parent, it is killed.
//!
//! Called by `documents` and `sandbox`, for parent and child alike.

mod calls;
mod limits;
mod probe;

use std::{io, path::Path, process::Stdio};

use tokio::process::Command;

pub use limits::processor_time;
pub use probe::{Confinement, probe_this_process};

/// What a child may use at most.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Memory in bytes: its own program, what it was given and what it makes of it.
    pub memory: u64,
    /// Seconds on the processor.
    pub seconds: u64,
}

/// The allocator of the program (mimalloc) takes a gigabyte of addresses ahead unless it is told how many KiB; a child's
/// limit counts them, and then refuses its stack to grow.
const ALLOCATOR: (&str, &str) = ("MIMALLOC_ARENA_RESERVE", "16384");

/// How a child has to be shut in before it reads anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Confine {
    /// By the system; where that cannot, it reads nothing.
    #[default]
    Strictly,
    /// By its limits of memory, time and open files alone where the system cannot: whoever runs the bot allows it.
    Weakly,
}

/// The option by which a child is told that it may be shut in weakly.
pub const WEAK: &str = "weak";

/// Shuts this process in for the rest of its life. `false`: the system does not, and it has to.
pub fn shut_in(bounds: Bounds, how: Confine) -> io::Result<bool> {
    limits::limit_this_process(bounds)?;
    Ok(calls::confine_this_process().is_ok() || how == Confine::Weakly)
}

/// This program as a child: without the bot's environment, with pipes and nothing else that is open. What it says to standard error is
/// lost, unless it is asked for.
#[must_use]
pub fn child(program: &Path, subcommand: &str, how: Confine) -> Command {
    let mut child = Command::new(program);
    child
        .arg(subcommand)
        .args((how == Confine::Weakly).then(|| format!("--{WEAK}")))
        .env_clear()
        .env(ALLOCATOR.0, ALLOCATOR.1)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    child
}
