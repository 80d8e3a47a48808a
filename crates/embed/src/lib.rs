//! Puts a folder's files into a program by name, so that it needs no folder beside it: prompts, and the changes of tables.
//!
//! Called by build scripts only.

#![allow(clippy::print_stdout, reason = "cargo is told so")]
#![allow(clippy::disallowed_methods, reason = "cargo says so in variables")]

use std::{
    env, fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// Writes a list of the files of a folder of the workspace, to be included: each one's path below the folder, with slashes,
/// and its text.
///
/// # Errors
/// Where the folder cannot be read or the list not be written.
pub fn embed(folder: &str, name: &str) -> io::Result<()> {
    let variable = |name| env::var(name).map(PathBuf::from).map_err(io::Error::other);
    let root = variable("CARGO_MANIFEST_DIR")?.join("../..").join(folder).canonicalize()?;
    println!("cargo:rerun-if-changed={}", root.display());
    let mut paths = files(&root)?;
    paths.sort();
    let mut list = fs::File::create(variable("OUT_DIR")?.join(format!("{folder}.rs")))?;
    writeln!(list, "static {name}: &[(&str, &str)] = &[")?;
    for path in paths {
        let below = path.strip_prefix(&root).map_err(io::Error::other)?.to_string_lossy().replace('\\', "/");
        let whole = path.to_string_lossy();
        writeln!(list, "    ({below:?}, include_str!({whole:?})),")?;
    }
    writeln!(list, "];")
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}
