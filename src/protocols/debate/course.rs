//! The course of a debate: what was said at each place and what became of the synthesis, as it is kept, and what did
//! not go as planned.

use serde::{Deserialize, Serialize};

use crate::domain::{Body, Debate, DebateTurn, Evidence, ModelName, NeutralSynthesis, Side, Slot, is_blank};

/// What did not go as planned, beside what stands in the record.
#[derive(Default)]
pub(super) struct Course {
    /// The model that normalised the proposition in the gatekeeper's place.
    pub(super) gatekeeper_stand_in: Option<ModelName>,
    /// The turns that were written by another model than the side's own.
    pub(super) stand_ins: Vec<(Slot, ModelName)>,
    /// Turns of which nobody could say whether they keep to the proposition.
    pub(super) unchecked: u32,
    /// Highest number of the evidence that each side was asked to acknowledge: Pro, Con.
    pub(super) heard: [u32; 2],
    /// Clarifications that could not be answered without taking a side.
    pub(super) unclear_withheld: u32,
    /// Clarifications that no model could be had to answer.
    pub(super) unclear_failed: u32,
    /// What became of the synthesis.
    pub(super) synthesis: Written,
}

/// What came of one place for a turn.
pub(super) struct Taken {
    pub(super) slot: Slot,
    /// What the team had brought in when it began.
    pub(super) evidence: Vec<Evidence>,
    /// What was said, or why nothing was, as a sentence without its full stop.
    pub(super) outcome: Result<KeptTurn, String>,
}

/// A turn as it is kept.
#[derive(Serialize, Deserialize)]
pub(super) struct KeptTurn {
    #[serde(flatten)]
    pub(super) turn: DebateTurn,
    /// The model that stood in for the side's own.
    #[serde(default)]
    pub(super) stand_in: Option<ModelName>,
    /// Nobody could say whether it keeps to the proposition.
    #[serde(default)]
    pub(super) unchecked: bool,
}

/// What became of the synthesis, for the last line.
#[derive(Default)]
pub(super) enum Written {
    /// It was not written yet.
    #[default]
    Not,
    /// It stands.
    Stands(Box<KeptSynthesis>),
    /// No model could be had to write it; the sentence has no full stop.
    Failed(String),
}

/// The synthesis as it is kept.
#[derive(Serialize, Deserialize)]
pub(super) struct KeptSynthesis {
    #[serde(flatten)]
    pub(super) neutral: NeutralSynthesis,
    /// The model that stood in for the moderator's.
    #[serde(default)]
    pub(super) stand_in: Option<ModelName>,
}

/// Whether these are questions, and none.
pub(super) fn asks_nothing(body: &Body) -> bool {
    matches!(body, Body::Questions { questions } if questions.is_empty())
}

/// Whether a side has said something of a piece of evidence.
pub(super) fn acknowledged(debate: &Debate, side: Side, evidence: u32) -> bool {
    let own = debate.turns.iter().filter(|turn| turn.slot.side == side);
    own.flat_map(|turn| &turn.acknowledged).any(|said| said.evidence == evidence && !is_blank(&said.how))
}
