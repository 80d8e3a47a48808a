//! Decisions: recorded from a closed vote, posted and pinned, found again, reviewed; with the real bot, killed and
//! started again where that is the point.
#![allow(unreachable_pub)] // a program of its own
#![allow(clippy::unwrap_used, clippy::expect_used)] // tests

#[path = "../support/mod.rs"]
mod support;

mod found;
mod killed;
mod pinned;
mod recorded;
mod refused;
mod reviewed;
mod scene;
