//! The Python that is there.

use std::{ffi::OsStr, process::Stdio};

use tokio::process::Command;

use super::LocalModelError;
use crate::config::SETTINGS;

/// A Python 3.10 or later with pip.
#[derive(Clone, Debug)]
pub(super) struct Python {
    program: &'static str,
}

impl Python {
    /// The first of `programs` that is a Python 3; it may yet be too old or without pip.
    pub(super) async fn find(programs: &[&'static str]) -> Result<Self, LocalModelError> {
        const ASK: &str = "import sys, importlib.util as u\n\
                           print(*sys.version_info[:2], u.find_spec('pip') is not None)";
        for program in programs {
            let python = Self { program };
            let Ok(said) =
                python.command([OsStr::new("-I"), OsStr::new("-c"), OsStr::new(ASK)]).output().await
            else {
                continue;
            };
            let said = String::from_utf8_lossy(&said.stdout).into_owned();
            let mut words = said.split_whitespace();
            let mut number = || words.next()?.parse::<u32>().ok();
            let (Some(3), Some(minor)) = (number(), number()) else { continue };
            if minor < 10 {
                return Err(LocalModelError::OldPython(format!("3.{minor}")));
            }
            if words.next() != Some("True") {
                return Err(LocalModelError::NoPip);
            }
            return Ok(python);
        }
        Err(LocalModelError::NoPython)
    }

    /// A run of it, which ends when the value it becomes is dropped, and which is told no settings of this
    /// program, for they hold secrets.
    pub(super) fn command<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(self.program);
        command.args(arguments).stdin(Stdio::null()).kill_on_drop(true);
        for setting in SETTINGS {
            command.env_remove(setting);
        }
        command
    }
}

#[cfg(test)]
impl Python {
    /// One that is not there.
    pub(super) fn none() -> Self {
        Self { program: "no-such-python" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn no_python_is_said_so() {
        let error = Python::find(&["no-such-python", "true"]).await.unwrap_err().to_string();
        assert!(error.contains("there is no python3 on the PATH. Install it"), "{error}");
    }
}
