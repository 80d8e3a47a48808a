//! What every turn has, whatever its place.

use crate::{
    domain::{Acknowledgement, Body, DebateTurn, Slot, shortened},
    prompt::reply::words::{Cleaner, MAX_ITEMS, is_said},
};

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
    mut acknowledged: Vec<Acknowledgement>,
) -> DebateTurn {
    let mut seen = Vec::new();
    clean.items(&mut acknowledged, usize::MAX, |clean, said| {
        said.how = shortened(&clean.line(&said.how), MAX_SENTENCE);
        let keep = is_said(&[&said.how]) && !seen.contains(&said.evidence);
        if keep {
            seen.push(said.evidence);
        }
        keep
    });
    acknowledged.sort_by_key(|said| said.evidence);
    acknowledged.truncate(MAX_ITEMS * 2);
    DebateTurn {
        slot,
        in_short: shortened(&clean.line(in_short), MAX_SENTENCE),
        body,
        acknowledged,
        answered_by: answered_by.to_owned(),
        dropped_citations: clean.dropped,
        marks: Vec::new(),
    }
}
