//! Documents, fetched over the wire from servers on loopback and read in a process of their own.
#![allow(unreachable_pub)] // its parts share what they have
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, its servers too")]

mod bombs;
mod good;
mod hostile;
mod memory;
mod packages;
mod pdfs;
mod refused;
mod scene;
mod wire;
