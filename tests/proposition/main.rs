//! What a team does around a debate, over the wire: it words the proposition and starts it, says what it thinks before
//! and after, and records what it decides.
#![allow(unreachable_pub)] // a program of its own
#![allow(clippy::unwrap_used, clippy::expect_used)] // tests

#[path = "../support/mod.rs"]
mod support;

mod afterwards;
mod before;
mod recorded;
mod scene;
mod worded;
