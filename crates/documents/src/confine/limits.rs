//! What a child may use. It sets this on itself before it reads a byte, and nothing in it can lift it.

use std::{io, time::Duration};

use super::Bounds;

/// Limits this process for the rest of its life. Without a file that it could open there is no file, no socket and no
/// address that what it reads could lead to; what is open already (its pipes) goes on to work.
#[cfg(unix)]
pub(super) fn limit_this_process(bounds: Bounds) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, nice, setrlimit};

    let limits = [
        (Resource::As, bounds.memory),
        (Resource::Cpu, bounds.seconds),
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
pub(super) fn limit_this_process(_bounds: Bounds) -> io::Result<()> {
    Ok(())
}

/// How long this process has been on a processor, all its threads together: what [`Bounds::seconds`] counts. It does not go
/// on while others have the machine.
#[cfg(unix)]
#[must_use]
pub fn processor_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};

    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

/// Nobody counts it here; the parent's patience has to do.
#[cfg(not(unix))]
#[must_use]
pub fn processor_time() -> Duration {
    Duration::ZERO
}
