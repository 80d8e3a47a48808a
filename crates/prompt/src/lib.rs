//! What models are asked and how their replies are read: templates in `prompts/` become a
//! [`Prompt`](domain::Prompt), a reply becomes a value of the domain or a [`ParseError`] that names
//! what is wrong with it.
//!
//! Invariants: pure (the same arguments give the same request, byte for byte, so that a resumed session asks
//! what it asked before); text that came from people or models stands only between the tags of [`fence()`];
//! no source or citation survives a reply while nothing is searched. Called by the room `protocols`.
//!
//! # How a request is laid out
//! `rules` (constant), then `shared` (the problem, the document, who sits at the table), then `task`. `rules`
//! and `shared` are the same for every seat *and every round* of a session, so one cached prefix serves all
//! of them, and a local server keeps its evaluated prefix. Whatever differs by reader stands in `task`: the
//! peers' analyses of round 2 in the reader's own order, the team's notes, the persona, the task.
//!
//! First answers of a table and of an investigation have rules and material of their own (`prompts/alone/`): who is asked
//! plainly answers best.
//!
//! A critique's text may be too long for one request. There `shared` is the same for every member and every level of
//! the calls that read one section; what comes after the trees shares the whole text, or the map of its sections.

pub mod audit;
pub mod critique;
pub mod debate;
pub mod delphi;
mod drafts;
pub mod eval;
mod fence;
mod files;
pub mod followup;
pub mod investigate;
mod length;
mod looked_up;
pub mod picture;
pub mod question;
mod quote;
pub mod reading;
pub mod reply;
pub mod roundtable;
mod scoring;
mod shuffle;
pub mod solutions;
pub mod table;
mod team;
mod turn;

pub use drafts::{asked_of_draft, asked_of_drafts};
pub use fence::fence;
use fence::inline_fence;
pub use files::{Prompts, PromptsError};
use forms::schema;
pub use forms::{ParseError, parse};
pub use shuffle::{seed, shuffled};
pub use team::{decision_part, vote_part};
pub use turn::repair;

/// The same for every call of every protocol, but for first answers.
const RULES: &str = "rules.md";
/// What a first answer has instead of it and of its session's material.
const ALONE: [&str; 2] = ["alone/rules.md", "alone/material.md"];

#[cfg(test)]
#[allow(dead_code, unused_imports, reason = "the unit tests of each crate use their part of it")]
#[path = "../../domain/src/sample/mod.rs"]
mod sample;
