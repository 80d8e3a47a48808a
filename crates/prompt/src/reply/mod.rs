//! From what a model wrote to a value: [`forms::parse`] finds the JSON and the type decides whether it fits, then
//! the type's `checked` applies the rules of the domain (nothing invented, nothing empty, nothing unknown). What a model
//! writes and what is kept is one type of the domain. Where the wire really differs, a `…Reply` stands here and its
//! `into_…` makes the domain's type of it: labels in place of ids, a quotation before it is looked up, two names for
//! what becomes one field.

mod answer;
pub mod critique;
pub mod debate;
mod gatekeeper;
pub mod investigate;
pub(crate) mod mending;
mod module;
mod notes;
mod picture;
mod plain;
mod points;
mod queries;
mod question;
mod resolution;
mod selection;
mod solutions;
mod synthesis;

pub use forms::ParseError;
use forms::clean as words;
pub use gatekeeper::{GatekeeperReply, RoleReply};
pub use module::Reading;
pub use notes::NotesReply;
pub use picture::PictureReply;
pub use plain::checked_plain_answer;
pub(super) use points::label;
pub use points::{CHANCES, PointsReply};
pub use queries::QueriesReply;
pub use question::QuestionReply;
pub use resolution::{ResolutionReply, read_resolution};
pub use selection::{GapsReply, PickReply, SelectReply, SpecialistReply};
pub use solutions::{DuplicatesReply, PairReply};
pub use synthesis::{MemoBounds, read_check, read_memo, unanswered};
