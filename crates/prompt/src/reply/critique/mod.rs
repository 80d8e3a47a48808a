//! What is read from the replies of a critique: forms, and their way into the domain.
//!
//! Invariant: a quotation counts only where it stands in the text that was shown; what is no claim (a word for nothing, a copy)
//! is dropped; no reply changes another's claim, and nothing that says something is cut. Called by `protocols::critique`.

mod look;
mod numbers;
mod review;
mod self_critique;
mod words;

pub use look::{Grown, Reading};
pub use review::{read_compared, read_review};
pub use self_critique::read_self_critique;

#[cfg(test)]
mod tests;
