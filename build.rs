//! Which files are in the program, and how it is linked.
//!
//! The prompts and the changes of the tables are put into it by name, so that it needs no folder beside it.
//!
//! Linked it is so: its three megabytes of addresses that are set at each start (relocations) are packed into forty
//! kilobytes, so that a start reads less and some five megabytes of memory are never touched. The system's loader has to know how to
//! unpack them: glibc does since 2.36 (August 2022; <https://sourceware.org/glibc/wiki/Release/2.36>, `DT_RELR`).

#![allow(clippy::print_stdout, reason = "cargo is told so")]
#![allow(clippy::disallowed_methods, reason = "cargo says so in variables")]

use std::{
    env, fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::Command,
};

/// The first that unpacks them.
const GLIBC: (u32, u32) = (2, 36);

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    embed("prompts", "PROMPTS")?;
    embed("migrations", "MIGRATIONS")?;
    let (target, host) = (env::var("TARGET"), env::var("HOST"));
    // Of another machine's glibc nothing is known here.
    if target.is_ok_and(|target| target.ends_with("-linux-gnu") && host.as_ref() == Ok(&target))
        && glibc().is_some_and(|here| here >= GLIBC)
    {
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    Ok(())
}

/// Writes a list of a folder's files, to be included: each one's path below the folder, with slashes, and its text.
fn embed(folder: &str, name: &str) -> io::Result<()> {
    println!("cargo:rerun-if-changed={folder}");
    let variable = |name| env::var(name).map(PathBuf::from).map_err(io::Error::other);
    let root = variable("CARGO_MANIFEST_DIR")?.join(folder);
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

/// This machine's, as `getconf` names it ("glibc 2.36"); `None` where there is another C library.
fn glibc() -> Option<(u32, u32)> {
    let said = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let (major, minor) = str::from_utf8(&said.stdout).ok()?.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
