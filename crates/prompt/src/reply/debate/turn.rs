//! What every turn has, whatever its place.

use crate::reply::words::{Cleaner, MAX_ITEMS, is_said};
use domain::{Acknowledgement, Body, DebateTurn, Side, Slot, shortened};

/// Most characters kept of a sentence beside the speech, whose words no rule counts: its card has room for so many, and
/// nothing is read of it that is not shown.
const MAX_SENTENCE: usize = 500;

/// Whose turn a reply is.
#[derive(Clone, Copy, Debug)]
pub struct Speaker<'a> {
    /// Where, and who.
    pub slot: Slot,
    /// The model the provider says answered.
    pub model: &'a str,
    /// How many pages it was shown, which it may cite from 1.
    pub pages: usize,
}

/// The turn of a side: its body, already clean, with what all turns have. Evidence is acknowledged once, in the
/// order of its numbers, and by a sentence.
pub(super) fn turn(
    mut clean: Cleaner,
    Speaker { slot, model, .. }: Speaker<'_>,
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
        in_short: shortened(unlabelled(&clean.line(in_short), slot.side), MAX_SENTENCE),
        body,
        acknowledged,
        answered_by: model.to_owned(),
        dropped_citations: clean.dropped,
        marks: Vec::new(),
        sources: Vec::new(),
        searched: None,
    }
}

/// A text without its speaker's name before it ("Con: we …"), which its card has above it already.
pub(super) fn unlabelled(text: &str, speaker: Side) -> &str {
    let named = text.split_once(':').filter(|(name, _)| {
        name.trim_matches(|c: char| !c.is_alphanumeric()).eq_ignore_ascii_case(speaker.name())
    });
    named.map_or(text, |(_, said)| said.trim_start_matches(['*', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_named_before_its_own_words() {
        for (text, said) in [
            ("Con: we wait.", "we wait."),
            ("**Con:** we wait.", "we wait."),
            ("Pro: it holds.", "Pro: it holds."),
            ("Con holds: we wait.", "Con holds: we wait."),
            ("We wait.", "We wait."),
        ] {
            assert_eq!(unlabelled(text, Side::Con), said);
        }
    }
}
