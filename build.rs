//! How the program is linked.
//!
//! Its three megabytes of addresses that are set at each start (relocations) are packed into forty
//! kilobytes, so that a start reads less and some five megabytes of memory are never touched. The system's loader has to know how to
//! unpack them: glibc does since 2.36 (August 2022; <https://sourceware.org/glibc/wiki/Release/2.36>, `DT_RELR`).

#![allow(clippy::print_stdout, reason = "cargo is told so")]
#![allow(clippy::disallowed_methods, reason = "cargo says so in variables")]

use std::{env, process::Command};

/// The first that unpacks them.
const GLIBC: (u32, u32) = (2, 36);

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let (target, host) = (env::var("TARGET"), env::var("HOST"));
    // Of another machine's glibc nothing is known here.
    if target.is_ok_and(|target| target.ends_with("-linux-gnu") && host.as_ref() == Ok(&target))
        && glibc().is_some_and(|here| here >= GLIBC)
    {
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// This machine's, as `getconf` names it ("glibc 2.36"); `None` where there is another C library.
fn glibc() -> Option<(u32, u32)> {
    let said = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let (major, minor) = str::from_utf8(&said.stdout).ok()?.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
