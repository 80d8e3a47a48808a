//! From domain to [`Post`](domain::Post): cards, lists, notices and pictures.
//!
//! Invariant: whatever text comes in (a model's, a member's, a document's), what goes out fits every limit of
//! Discord, mentions nobody, links only where it says it links, and has every fence closed. Everything here is
//! pure; only [`Rasterizer`] reads, once, the fonts it is told to. Protocols call the cards, `bot` the lists
//! and notices, `discord` the rasterizer.

pub mod audit;
pub mod beginning;
pub mod bell;
pub mod budget;
mod came_out;
mod card;
pub mod chart;
pub mod chosen;
pub mod closing;
pub mod confirmation;
pub mod critique;
pub mod debate;
pub mod decision;
pub mod degraded;
pub mod delphi;
pub mod estimate;
pub mod followup;
pub mod history;
pub mod inspect;
pub mod investigate;
pub mod limits;
pub mod lists;
pub mod notices;
pub mod options;
pub mod participant;
pub mod pictures;
pub mod points;
pub mod privacy;
pub mod reading;
pub mod roundtable;
pub mod sequel;
pub mod settings;
mod sources;
pub mod status;
#[cfg(test)]
mod support;
pub mod table;
#[cfg(test)]
mod tests;
mod trust;
pub mod vote;

pub use discord::{Rasterizer, markdown, text};
pub use limits::fit;

#[cfg(test)]
#[allow(dead_code, unused_imports, reason = "the unit tests of each crate use their part of it")]
#[path = "../../domain/src/sample/mod.rs"]
mod sample;
