//! The record of a debate so far: every turn, and what the team brought in, with who and when.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Addressee, DebateTurn, Preset, Proposition, Slot};
use crate::{
    UserId,
    written::{number, word},
};

/// What a member brought as evidence. Quoted as data; nobody has checked it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Evidence {
    /// From 1 in its session: `E1`.
    pub number: u32,
    /// Who brought it.
    pub author: UserId,
    /// The name they go by.
    pub author_name: String,
    /// What it says.
    pub claim: String,
    /// Where it is from; empty: they named no source.
    pub source: String,
    /// The hinge it was brought on, from 1; `None`: for the advocates' next turns.
    pub hinge: Option<u8>,
    /// When, in seconds since 1970.
    pub at: i64,
}

/// What an advocate makes of a piece of evidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bearing {
    /// It uses it, or answers it.
    Used,
    /// It says why it does not bear on the proposition.
    DoesNotBear,
}

/// What an advocate says of a piece of the team's evidence: how it takes it, before the word for it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Acknowledgement {
    /// Which, such as E1.
    #[serde(deserialize_with = "number")]
    #[schemars(with = "String")]
    pub evidence: u32,
    /// How the turn uses or answers it, or why it does not bear on the proposition; a sentence.
    #[schemars(length(max = 260))]
    pub how: String,
    /// used: the turn uses or answers it; `does_not_bear`: it does not bear on the proposition.
    #[serde(deserialize_with = "word")]
    #[schemars(with = "Bearing")]
    pub bearing: Bearing,
}

/// Something a member wanted made clear; answered by the moderator at the next break between phases, and read by
/// both sides from then on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Clarification {
    /// The interaction's snowflake.
    pub id: u64,
    /// Who asked.
    pub author: UserId,
    /// The name they go by.
    pub author_name: String,
    /// What is to be made clear.
    pub text: String,
    /// What the moderator answered; `None`: not yet, or it could not without taking a side.
    pub answer: Option<String>,
    /// When, in seconds since 1970.
    pub at: i64,
}

/// What a member asked one of the three, and what it answered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AnsweredQuestion {
    /// Whom it was put to.
    pub to: Addressee,
    /// What was asked.
    pub text: String,
    /// What was answered.
    pub answer: String,
}

/// A turn for which no model answered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Missing {
    /// The turn that is missing.
    pub slot: Slot,
    /// Why, as a sentence without its full stop.
    pub why: String,
}

/// A debate so far.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Debate {
    /// What is debated.
    pub proposition: Proposition,
    /// How long it is.
    pub preset: Preset,
    /// What was said, in the order of the debate.
    pub turns: Vec<DebateTurn>,
    /// Turns that were not taken.
    pub missing: Vec<Missing>,
    /// What the team brought in.
    pub evidence: Vec<Evidence>,
    /// What the team had made clear.
    pub clarifications: Vec<Clarification>,
    /// What members asked and were answered.
    pub questions: Vec<AnsweredQuestion>,
}

impl Debate {
    /// A debate before its first turn.
    #[must_use]
    pub fn new(proposition: Proposition, preset: Preset) -> Self {
        Self {
            proposition,
            preset,
            turns: Vec::new(),
            missing: Vec::new(),
            evidence: Vec::new(),
            clarifications: Vec::new(),
            questions: Vec::new(),
        }
    }

    /// The turn at a place, if it was taken.
    #[must_use]
    pub fn turn(&self, slot: Slot) -> Option<&DebateTurn> {
        self.turns.iter().find(|turn| turn.slot == slot)
    }
}
