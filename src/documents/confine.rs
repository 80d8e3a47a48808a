//! What the reading child may ask of the system: to read and write the two pipes that it has, memory, and its own end.
//! Everything else is refused, whatever a document makes of the code that reads it and whoever it runs as.

use std::{fs::File, io, process::Stdio};

use serde::{Deserialize, Serialize};

use super::{Documents, SUBCOMMAND, limits};

/// Shuts this process in for the rest of its life. Fails where the system cannot do so; then its limits
/// ([`limits::limit_this_process`]) are all that holds.
#[cfg(target_os = "linux")]
pub(super) fn confine_this_process() -> io::Result<()> {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};

    let unfit = |error: &dyn std::fmt::Display| io::Error::new(io::ErrorKind::Unsupported, error.to_string());
    let arch = if cfg!(target_arch = "x86_64") {
        TargetArch::x86_64
    } else if cfg!(target_arch = "aarch64") {
        TargetArch::aarch64
    } else {
        return Err(unfit(&"not known for this processor"));
    };
    let allowed = ALLOWED.iter().map(|&call| (call, Vec::new())).collect();
    // Refused calls fail like any other: parsers give up with an error, and nothing is killed half-way.
    let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let filter = SeccompFilter::new(allowed, refused, SeccompAction::Allow, arch);
    let program: BpfProgram = filter.and_then(BpfProgram::try_from).map_err(|error| unfit(&error))?;
    // It also sets `no_new_privs`, without which only root may do this.
    seccompiler::apply_filter(&program).map_err(|error| unfit(&error))
}

/// The system calls of a program that reads one pipe, works in memory and writes another.
#[cfg(target_os = "linux")]
const ALLOWED: &[i64] = &[
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_close,
    libc::SYS_brk,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_madvise,
    libc::SYS_futex,
    libc::SYS_sched_yield,
    libc::SYS_getrandom,
    libc::SYS_clock_gettime,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// Only Linux has the means that this uses.
#[cfg(not(target_os = "linux"))]
pub(super) fn confine_this_process() -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "only Linux can do this"))
}

/// What a child that was shut in found that it can do all the same; `doctor` says so.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Confinement {
    /// Why the system does not shut it in, if it does not.
    pub lacking: Option<String>,
    /// What it could do: `open a file`. Nothing, where it is shut in.
    pub possible: Vec<String>,
}

/// Shuts this process in as one that reads a document, tries what a document might make it do, and writes to standard
/// output what succeeded, as JSON. What the hidden subcommand does with `--probe`.
pub fn probe_in_child() -> anyhow::Result<()> {
    let signal = signal_to_parent();
    limits::limit_this_process(super::PROCESSOR_SECONDS)?;
    let lacking = confine_this_process().err().map(|error| error.to_string());
    let tried: [(&str, bool); 7] = [
        ("open a file", File::open("/proc/self/status").is_ok()),
        ("write a file", File::options().write(true).open("/dev/null").is_ok()),
        ("remove a file", !refused(&std::fs::remove_file("/there-is-no-such-file"))),
        ("list a folder", std::fs::read_dir("/").is_ok()),
        ("reach the network", std::net::UdpSocket::bind("127.0.0.1:0").is_ok()),
        ("start a program", std::process::Command::new("/bin/true").status().is_ok()),
        ("signal another process", signal()),
    ];
    let possible = tried.iter().filter(|(_, done)| *done).map(|(what, _)| (*what).to_owned()).collect();
    serde_json::to_writer(io::stdout().lock(), &Confinement { lacking, possible })?;
    Ok(())
}

/// Whether the system did not even look.
fn refused(outcome: &io::Result<()>) -> bool {
    outcome.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
}

/// Asks whether a signal could be sent to whoever started this process; none is sent.
#[cfg(unix)]
fn signal_to_parent() -> impl Fn() -> bool {
    use rustix::process::{getppid, test_kill_process};
    let parent = getppid();
    move || parent.is_some_and(|parent| test_kill_process(parent).is_ok())
}

#[cfg(not(unix))]
fn signal_to_parent() -> impl Fn() -> bool {
    || false
}

impl Documents {
    /// What a process that reads a document could do besides on this machine.
    pub async fn confinement(&self) -> anyhow::Result<Confinement> {
        let child = tokio::process::Command::new(self.program())
            .args([SUBCOMMAND, "--probe"])
            .env_clear()
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .output();
        Ok(serde_json::from_slice(&child.await?.stdout)?)
    }
}
