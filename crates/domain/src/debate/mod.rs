//! A debate: what is debated, who speaks where, what was said, and what the moderator and the team make of it.
//!
//! Invariants: a proposition is a question that can be answered for or against, or says why it is none; a turn is
//! what one side said at one place; a mark on a turn says what it breaks, so that nothing is passed over in
//! silence. Nothing here says which side is right, and nothing may. Read by every other room.

mod addressed;
mod brief;
mod citing;
mod mark;
pub mod neutrality;
mod proposition;
mod proposition_form;
mod record;
mod rules;
mod slot;
mod synthesis;
mod turn;

pub use addressed::addressed;
pub use brief::{Advocates, DebateBrief};
pub use mark::Mark;
pub use proposition::{
    Framing, Level, MAX_PROPOSITION_CHARS, Proposition, PropositionContext, PropositionError, debatable,
};
pub use proposition_form::{
    MAX_BACKGROUND_CHARS, MAX_BOUND_CHARS, MAX_STAKEHOLDERS_CHARS, PropositionFormError,
};
pub use record::{Acknowledgement, AnsweredQuestion, Bearing, Clarification, Debate, Evidence, Missing};
pub(crate) use rules::parts;
pub use rules::{bounds, breaks, paper_bounds, words};
pub use slot::{Act, Addressee, DebatePhase, Preset, Side, Slot, Theme};
pub use synthesis::{
    Agreement, AssumptionConflict, Between, CoreDisagreement, DebateSynthesis, EvidenceGap, Favors, Hinge,
    Knowledge, NeutralSynthesis, RootCause, Section, Withheld,
};
pub use turn::{
    Aim, AnswerKind, Argument, Body, CrossAnswer, CrossQuestion, DebateTurn, EvidenceKind, RebuttalPoint,
};
