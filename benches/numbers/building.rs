//! How long whoever has a fresh clone waits until the program is built.

use std::{
    process::{Command, Stdio},
    time::Instant,
};

use super::table::{Measured, Table};

/// Builds the program from nothing, in a folder of its own, as README's command does; crates are fetched already.
pub fn building(table: &mut Table) {
    let folder = tempfile::tempdir().unwrap();
    let mut build = Command::new(env!("CARGO"));
    build
        .args(["build", "--release", "--locked", "--bin", "quorum", "--target-dir"])
        .arg(folder.path())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stderr(Stdio::null());
    let began = Instant::now();
    assert!(build.status().unwrap().success(), "the program cannot be built");
    let value = began.elapsed().as_secs_f64() / 60.0;
    table.check(
        "the program built from a fresh clone",
        Measured { value, goal: 5.0, limit: 20.0, unit: "min" },
    );
}
