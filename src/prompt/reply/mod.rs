//! From what a model wrote to a value: [`parse`] finds the JSON and the type decides whether it fits, then
//! each type's `into_…` applies the rules of the domain (nothing invented, nothing empty, nothing unknown).

mod answer;
pub mod critique;
pub mod debate;
mod error;
mod gatekeeper;
mod json;
mod mend;
mod module;
mod notary;
mod points;
mod statement;
mod synthesis;
mod words;

pub use answer::AnswerReply;
pub use error::ParseError;
pub use gatekeeper::{GatekeeperReply, RoleReply};
pub use json::{How, MAX_REPLY_BYTES, Parsed, parse};
pub use module::{FlagReply, ModuleReply, RevisionReply};
pub use notary::{NotaryReply, SolutionReply};
pub use points::PointsReply;
pub(super) use points::label;
pub use statement::{AnalysisReply, RebuttalReply};
pub use synthesis::{ConflictReply, RecommendationReply, SynthesisReply};
pub(super) use words::shortened;
