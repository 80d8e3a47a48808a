//! What a child that was shut in can do all the same.

use std::{fs::File, io};

use serde::{Deserialize, Serialize};

use super::{Bounds, Confine, calls, limits};

/// What a child that was shut in found that it can do all the same; `doctor` says so.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Confinement {
    /// Why the system does not shut it in, if it does not.
    pub lacking: Option<String>,
    /// What it could do: `open a file`. Nothing, where it is shut in.
    pub possible: Vec<String>,
}

impl Confinement {
    /// What is wrong with it, in a sentence; `None` where the system shuts it in.
    #[must_use]
    pub fn wrong(&self, how: Confine) -> Option<String> {
        if self.lacking.is_none() && self.possible.is_empty() {
            return None;
        }
        let why = self.lacking.as_deref().unwrap_or("something is allowed that should not be");
        let could = if self.possible.is_empty() {
            "nothing else that was tried".to_owned()
        } else {
            self.possible.join(", ")
        };
        Some(match how {
            Confine::Strictly if self.lacking.is_some() => format!(
                "documents are not read and code is not run: this system does not shut in the process that does it ({why}). \
                 QUORUM_CONFINE=weak has it done all the same, with limits of memory, time and open files alone; then it can: {could}"
            ),
            Confine::Strictly | Confine::Weakly => format!(
                "the process that reads documents and runs code has only its limits of memory, time and open files ({why}); \
                 it can: {could}"
            ),
        })
    }
}

/// Shuts this process in, tries what somebody's bytes might make it do, and writes to standard output what succeeded, as
/// JSON.
pub fn probe_this_process(bounds: Bounds) -> anyhow::Result<()> {
    let signal = signal_to_parent();
    limits::limit_this_process(bounds)?;
    let lacking = calls::confine_this_process().err().map(|error| error.to_string());
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
