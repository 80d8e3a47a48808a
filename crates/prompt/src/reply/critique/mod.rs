//! What is read from the replies of a critique: a type for each shape that is asked for, and its way into the domain.
//!
//! Invariant: a quotation counts only where it stands in the segment; what is no claim (a word for nothing, a copy)
//! is dropped; no reply changes another's claim, or what a finding rests on. Called by `protocols::critique`.

mod assessment;
mod labels;
mod number;
mod segment;
mod self_critique;
mod words;

pub use assessment::{AssessmentReply, PointReply, unworded};
pub use segment::{ClaimReply, SegmentReply};
pub use self_critique::{AdjustmentReply, OppositionReply, SelfCritiqueReply};

#[cfg(test)]
mod tests;
