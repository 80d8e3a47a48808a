//! What every turn has, whatever its place.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::is_said;
use crate::{
    domain::{Acknowledgement, Bearing, Body, DebateTurn, Slot},
    prompt::reply::words::{Cleaner, MAX_ITEMS, number, shortened, word},
};

/// What an advocate says of a piece of the team's evidence: how it takes it, before the word for it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AcknowledgementReply {
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

/// Most characters kept of a sentence beside the speech, whose words no rule counts: its card has room for so many, and
/// nothing is read of it that is not shown.
const MAX_SENTENCE: usize = 500;

/// The turn of a side: its body, already clean, with what all turns have. Evidence is acknowledged once, in the
/// order of its numbers, and by a sentence.
pub(super) fn turn(
    mut clean: Cleaner,
    (slot, answered_by): (Slot, &str),
    body: Body,
    in_short: &str,
    acknowledged: Vec<AcknowledgementReply>,
) -> DebateTurn {
    let mut kept: Vec<Acknowledgement> = Vec::new();
    for reply in acknowledged {
        let how = shortened(&clean.line(&reply.how), MAX_SENTENCE);
        let again = kept.iter().any(|earlier| earlier.evidence == reply.evidence);
        if is_said(&[&how]) && !again {
            kept.push(Acknowledgement { evidence: reply.evidence, bearing: reply.bearing, how });
        }
    }
    kept.sort_by_key(|acknowledgement| acknowledgement.evidence);
    kept.truncate(MAX_ITEMS * 2);
    DebateTurn {
        slot,
        in_short: shortened(&clean.line(in_short), MAX_SENTENCE),
        body,
        acknowledged: kept,
        answered_by: answered_by.to_owned(),
        dropped_citations: clean.dropped,
        marks: Vec::new(),
    }
}
