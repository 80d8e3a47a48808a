//! What came of a place for a turn: what was said, as it is kept, and what is to be said of it.

use serde::{Deserialize, Serialize};

use domain::{
    Act, Body, Countable, Debate, DebateBrief, DebateTurn, Degraded, Evidence, Mark, ModelName, Piece, Side,
    Slot, is_blank,
};

/// What came of one place for a turn.
pub(super) struct Taken {
    pub(super) slot: Slot,
    /// What the team had brought in when it began.
    pub(super) evidence: Vec<Evidence>,
    /// What was said, or why nothing was, as a sentence without its full stop.
    pub(super) outcome: Result<DebateTurn, String>,
}

/// A turn as it is kept.
#[derive(Serialize, Deserialize)]
pub(super) struct KeptTurn {
    #[serde(flatten)]
    pub(super) turn: DebateTurn,
    /// The model that stood in for the side's own.
    pub(super) stand_in: Option<ModelName>,
    /// Nobody could say whether it keeps to the proposition.
    pub(super) unchecked: bool,
}

impl KeptTurn {
    /// What is to be said of it.
    pub(super) fn degraded(&self, brief: &DebateBrief) -> impl Iterator<Item = Degraded> {
        // Of an opening nobody has been shown a page yet.
        let shown = brief.looks_up_for(Act::Rebuttal) && self.turn.slot.act != Act::Opening;
        let citations = if shown { Countable::Unfounded } else { Countable::Citations };
        let Self { turn, stand_in, unchecked } = self;
        let said = !asks_nothing(&turn.body);
        // How its side was told the debate is nothing that a turn breaks.
        let breaks = said && turn.marks.iter().any(|mark| *mark != Mark::ReadInShort);
        let in_short = said && turn.marks.contains(&Mark::ReadInShort);
        let notes = [
            Piece::Turn(turn.slot).stood_in(stand_in.as_ref()),
            Countable::MarkedTurns.counted(u32::from(breaks)),
            Countable::TurnsReadInShort.counted(u32::from(in_short)),
            Countable::UncheckedTurns.counted(u32::from(*unchecked)),
            citations.counted(if said { turn.dropped_citations } else { 0 }),
        ];
        notes.into_iter().flatten()
    }
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
