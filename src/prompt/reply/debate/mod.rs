//! What is read from the replies of a debate: a type for each shape that is asked for, and its way into the domain.
//!
//! Invariant: what a reply breaks of its phase's rules is kept as it was said, for it is told and marked by the
//! domain; only a reply in which there is nothing to use is an error. Called by `prompt::debate`.

mod checks;
mod cross;
mod proposition;
mod speech;
mod synthesis;
mod turn;

pub use checks::{ClarificationReply, TopicReply};
pub use cross::{AnswersReply, CrossAnswerReply, CrossQuestionReply, QuestionsReply};
pub use proposition::{ContextReply, PropositionReply};
pub use speech::{ArgumentReply, ArgumentsReply, ClosingReply, OpeningReply, PointReply, RebuttalReply};
pub use synthesis::{AgreementReply, ConflictReply, DisagreementReply, GapReply, HingeReply, SynthesisReply};
pub use turn::AcknowledgementReply;

/// Whether there is a letter or a digit to read in any of the texts.
fn is_said(texts: &[&str]) -> bool {
    texts.iter().any(|text| text.chars().any(char::is_alphanumeric))
}

#[cfg(test)]
mod tests;
