//! What the reading child may use. It sets this on itself before it reads a byte, and nothing in it can lift it.

use std::io;

/// Most memory of the child, in bytes: its own program, what it was given and what it makes of it.
#[cfg(unix)]
const MEMORY: u64 = 512 << 20;

/// Limits this process for the rest of its life, to so many seconds on the processor among others. Without a file that
/// it could open there is no file, no socket and no address that a document could lead to; what is open already (the two
/// pipes) goes on to work.
#[cfg(unix)]
pub(super) fn limit_this_process(seconds: u64) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, nice, setrlimit};

    let limits = [
        (Resource::As, MEMORY),
        (Resource::Cpu, seconds),
        (Resource::Fsize, 0),
        (Resource::Core, 0),
        (Resource::Nproc, 0),
        (Resource::Nofile, 0),
    ];
    for (resource, most) in limits {
        let set = setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
        // Other systems lack some of these; there the parent's patience and the others have to do.
        if cfg!(target_os = "linux") {
            set?;
        }
    }
    // The bot's own work comes first. A process that may not be nicer is no danger.
    let _ = nice(5);
    Ok(())
}

/// There is nothing to set here; the parent's patience has to do.
#[cfg(not(unix))]
pub(super) fn limit_this_process(_seconds: u64) -> io::Result<()> {
    Ok(())
}
