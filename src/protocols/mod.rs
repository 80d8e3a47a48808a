//! What each protocol does, each an async function that reads like its description and runs from its top every
//! time its session starts or goes on.
//!
//! Invariant: a protocol touches the world only through [`Steps`](crate::steps::Steps); it has no clock, no
//! chance and no memory of its own, so running it again recalls what was done and does what was not. Called by
//! `session`.

pub mod critique;
pub mod debate;
pub mod followup;
pub mod mediate;
mod points;
pub mod roundtable;
