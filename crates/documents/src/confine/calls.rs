//! What a child may ask of the system: to read and write the pipes that it has, memory, and its own end. Everything else
//! is refused, whatever it reads makes of its code and whoever it runs as.

use std::io;

/// Shuts this process in for the rest of its life. Fails where the system cannot do so; then its limits are all that
/// holds.
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
