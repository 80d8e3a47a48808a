//! What is read from the replies of a debate: the moderator's analysis and the proposition are
//! types of the domain, checked here; the parts of a turn lie flat beside what every turn has, so each act has a shape of
//! its own on the way into one [`DebateTurn`](domain::DebateTurn).
//!
//! Invariant: what a reply breaks of its phase's rules is kept as it was said, for it is told and marked by the
//! domain; only a reply in which there is nothing to use is an error. Called by `prompt::debate`.

mod checks;
mod cross;
mod proposition;
mod speech;
mod synthesis;
mod turn;

pub use checks::{ClarificationReply, ConductReply, NeutralityReply, TurnCheckReply};
pub use cross::{AnswersReply, CrossAnswerReply, QuestionsReply};
pub use proposition::checked_proposition;
pub use speech::{ArgumentsReply, ClosingReply, OpeningReply, RebuttalReply};
pub use synthesis::{checked_debate_synthesis, checked_hinge};
pub use turn::Speaker;

#[cfg(test)]
mod tests;
