//! Where this program itself is.

use std::{
    io,
    path::{Path, PathBuf},
};

/// Under this name Linux has the file that a process runs, even after an upgrade has put another in its place.
const RUNNING: &str = "/proc/self/exe";

/// This program's file, to start it anew for what must not happen in the bot's own process.
pub fn program() -> io::Result<PathBuf> {
    // A child that is started under this name runs what its parent runs, so that the two always fit.
    if Path::new(RUNNING).exists() { Ok(RUNNING.into()) } else { std::env::current_exe() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_this_program() {
        let output = std::process::Command::new(program().unwrap()).arg("--list").output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains("config::program::tests::it_is_this_program: test"), "{said}");
    }
}
