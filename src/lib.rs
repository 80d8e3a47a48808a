//! Quorum: a Discord bot with which teams decide things well.
//!
//! # Layout
//! Rooms lie along the flow of data, from left to right; nothing imports to its left, and the rooms on the
//! right never import one another.
//!
//! ```text
//! main -> cli, app, example -> bot -> session -> protocols -> steps -> store          crates: discord | models | documents -> domain
//!                             session -> report, protocols -> prompt | render | audit     (pure)
//! ```
//!
//! * [`metrics`]: how the bot does, for whoever runs it; under `app`, beside `bot`.
//! * [`example`]: a finished session for newcomers to the playground, written by hand.
//! * `sample`: for unit tests alone, one session of each kind; its file is the domain's.

pub mod app;
pub mod audit;
pub mod bot;
pub mod cli;
pub mod config;
pub mod error;
pub mod example;
pub mod metrics;
pub mod protocols;
pub mod report;
pub mod session;
pub mod steps;

// Rooms that are crates, under the names that they have everywhere.
pub use {::prompt, ::render, ::store};

#[cfg(test)]
#[allow(dead_code, unused_imports, reason = "the unit tests of each crate use their part of it")]
#[path = "../crates/domain/src/sample/mod.rs"]
mod sample;
