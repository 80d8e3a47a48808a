//! A draft as it is mended: which of its words go, and what stands in their place. All else stays word for word, by code and not by
//! the goodwill of whoever mends. Where what was found turns the choice itself, it is told anew instead.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ChosenDraft, Span, count_words, find_quote, one_line};

/// A change to the draft.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// The number of the objection by which it changes; 0 for what you found yourself.
    #[schemars(range(min = 0, max = 99), extend("label" = "Objection"))]
    pub objection: u32,
    /// The words of the draft that go, copied exactly, as few whole sentences, rows or headings as it takes. Of a long passage its
    /// first and its last five words, with … between. Where they stand more than once, each goes.
    #[schemars(extend("verbatim" = true, "label" = "Stood there"))]
    pub stands: String,
    /// What stands in their place, in Markdown as theirs; empty if nothing.
    #[schemars(extend("label" = "Stands there now"))]
    pub becomes: String,
}

impl Edit {
    /// In a line, for people: what stood there, and what stands there now.
    #[must_use]
    pub fn told(&self) -> String {
        let now = if self.becomes.is_empty() { "nothing".to_owned() } else { one_line(&self.becomes) };
        format!("~~{}~~ → {now}", one_line(&self.stands))
    }
}

/// The whole told anew.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Anew {
    /// What to do and why, in two or three sentences that somebody could say aloud.
    #[schemars(extend("line" = true, "label" = "Do this"))]
    pub answer: String,
    /// Markdown: the rest, under headings (`##`). It goes on where `answer` ends and does not say it again.
    #[schemars(extend("label" = "The rest"))]
    pub text: String,
}

/// A draft with its changes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mended {
    /// Its first sentences.
    pub answer: String,
    /// The rest.
    pub text: String,
    /// The changes that could not be made, by their place, with the reason.
    pub failed: Vec<(usize, Unmendable)>,
    /// How many words it has more than the draft; below 0 if it has fewer.
    pub grown: i64,
}

/// Why a change cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unmendable {
    /// The draft has no such words.
    NotThere,
    /// Another change takes away the same words.
    Taken,
}

impl Unmendable {
    /// Ready to stand after the words that go.
    #[must_use]
    pub fn why(self) -> &'static str {
        match self {
            Self::NotThere => "does not stand in the draft; copy its words exactly",
            Self::Taken => "overlaps with another change; make one of both",
        }
    }
}

/// A place that changes.
struct Place<'a> {
    part: usize,
    span: Span,
    becomes: &'a str,
}

impl ChosenDraft {
    /// The draft with these changes. One that cannot be made is named, and the others are made.
    #[must_use]
    pub fn mended(&self, edits: &[Edit]) -> Mended {
        let parts = [self.opening.as_str(), self.text.as_str()];
        let mut places: Vec<Place<'_>> = Vec::new();
        let mut failed = Vec::new();
        for (at, edit) in edits.iter().enumerate() {
            let found: Vec<(usize, Span)> = found(&parts, &edit.stands);
            let taken = |(part, span): &(usize, Span)| {
                places.iter().any(|place| {
                    place.part == *part && place.span.start < span.end && span.start < place.span.end
                })
            };
            if found.is_empty() {
                failed.push((at, Unmendable::NotThere));
            } else if found.iter().any(taken) {
                failed.push((at, Unmendable::Taken));
            } else {
                let becomes = edit.becomes.as_str();
                places.extend(found.into_iter().map(|(part, span)| Place { part, span, becomes }));
            }
        }
        let [answer, text] = [0, 1].map(|part| replaced(parts[part], part, &mut places));
        let words = |texts: [&str; 2]| {
            texts.map(count_words).into_iter().fold(0_i64, |sum, words| sum + i64::from(words))
        };
        let grown = words([&answer, &text]) - words(parts);
        Mended { answer, text, failed, grown }
    }
}

/// Where the words stand: everywhere letter by letter, or else in the one place where they do but for marks and spaces.
fn found(parts: &[&str; 2], words: &str) -> Vec<(usize, Span)> {
    let words = words.trim();
    if words.is_empty() {
        return Vec::new();
    }
    let exact = parts.iter().enumerate().flat_map(|(part, text)| {
        let spans = text.match_indices(words).map(|(start, words)| Span { start, end: start + words.len() });
        spans.filter(|span| is_whole(text, *span)).map(move |span| (part, span))
    });
    let exact: Vec<(usize, Span)> = exact.collect();
    if !exact.is_empty() {
        return exact;
    }
    let alike = parts.iter().enumerate().find_map(|(part, text)| {
        let span = find_quote(text, Span { start: 0, end: text.len() }, words)?;
        Some((part, with_ends(text, span, words)))
    });
    alike.into_iter().collect()
}

/// Whether no word and no number goes on before or behind it: 470 is no part of 1,470.
fn is_whole(text: &str, span: Span) -> bool {
    let (before, rest) = text.split_at(span.start);
    let (inside, behind) = rest.split_at(span.len());
    let goes_on = |mut outwards: &mut dyn Iterator<Item = char>, edge: Option<char>| {
        let Some(next) = outwards.next() else { return false };
        let beyond =
            |outwards: &mut dyn Iterator<Item = char>| outwards.next().is_some_and(|c| c.is_ascii_digit());
        edge.is_some_and(char::is_alphanumeric)
            && (next.is_alphanumeric()
                || edge.is_some_and(|c| c.is_ascii_digit())
                    && WITHIN.contains(&next)
                    && beyond(&mut outwards))
    };
    !goes_on(&mut before.chars().rev(), inside.chars().next())
        && !goes_on(&mut behind.chars(), inside.chars().next_back())
}

/// What stands within a number.
const WITHIN: [char; 7] = ['.', ',', '\'', '’', '\u{a0}', '\u{2009}', '\u{202f}'];

/// A place with the marks at its ends that the words have as well: a search for words passes over a full stop.
fn with_ends(text: &str, span: Span, words: &str) -> Span {
    let is_mark = |c: &char| !c.is_alphanumeric() && !c.is_whitespace();
    let is_same = |a: char, b: char| a == b || QUOTES.contains(&a) && QUOTES.contains(&b);
    let mut span = span;
    let behind: Vec<char> = words.chars().rev().take_while(is_mark).collect();
    for mark in behind.into_iter().rev() {
        if let Some(there) = text[span.end..].chars().next().filter(|there| is_same(*there, mark)) {
            span.end += there.len_utf8();
        }
    }
    let before: Vec<char> = words.chars().take_while(is_mark).collect();
    for mark in before.into_iter().rev() {
        if let Some(there) = text[..span.start].chars().next_back().filter(|there| is_same(*there, mark)) {
            span.start -= there.len_utf8();
        }
    }
    span
}

/// Marks that models set for one another.
const QUOTES: [char; 9] = ['"', '“', '”', '„', '«', '»', '‘', '’', '\''];

/// A part with its changes, from the last to the first.
fn replaced(text: &str, part: usize, places: &mut [Place<'_>]) -> String {
    places.sort_by_key(|place| place.span.start);
    let mut text = text.to_owned();
    for place in places.iter().rev().filter(|place| place.part == part) {
        let Span { mut start, mut end } = place.span;
        // Where nothing takes their place, a space beside them goes, too.
        if place.becomes.is_empty() {
            if text[end..].starts_with(' ') {
                end += 1;
            } else if text[..start].ends_with(' ') {
                start -= 1;
            }
        }
        text.replace_range(start..end, place.becomes);
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn draft() -> ChosenDraft {
        ChosenDraft {
            opening: "Take the hall, and ask on Friday.".into(),
            text: "## Why\n\nIt costs 12 × 40 = **470** a year. Ask on Friday: “Is it free?”\n\n| Hall | Price |\n|---|---|\n| Large | 470 |\n\n- Pay by 3 May.\n- Tell Ann."
                .into(),
            ..ChosenDraft::default()
        }
    }

    fn edit(stands: &str, becomes: &str) -> Edit {
        Edit { objection: 1, stands: stands.into(), becomes: becomes.into() }
    }

    #[test]
    fn only_the_words_that_go_change() {
        let ChosenDraft { opening, text, .. } = draft();
        for (stands, becomes, now) in [
            // Letter by letter, and everywhere.
            ("470", "480", [opening.clone(), text.replace("470", "480")]),
            ("Friday", "Monday", [opening.replace("Friday", "Monday"), text.replace("Friday", "Monday")]),
            ("| Large | 470 |", "| Large | 480 |", [opening.clone(), text.replace("| 470 |", "| 480 |")]),
            // But for marks and spaces: the full stop goes once.
            (
                "it costs 12 × 40 = 470 a year.",
                "It costs 480.",
                [opening.clone(), text.replace("It costs 12 × 40 = **470** a year.", "It costs 480.")],
            ),
            (
                "Ask on Friday: \"Is it free?\"",
                "Ask Ann.",
                [opening.clone(), text.replace("Ask on Friday: “Is it free?”", "Ask Ann.")],
            ),
            // Nothing in their place.
            (
                "Ask on Friday: “Is it free?”",
                "",
                [opening.clone(), text.replace(" Ask on Friday: “Is it free?”", "")],
            ),
            ("\n- Tell Ann.", "", [opening.clone(), text.replace("- Tell Ann.", "").trim().to_owned()]),
        ] {
            let mended = draft().mended(&[edit(stands, becomes)]);
            assert_eq!(mended.failed, [], "{stands}");
            assert_eq!(
                [mended.answer.trim(), mended.text.trim()],
                now.each_ref().map(|text| text.trim()),
                "{stands}"
            );
        }
    }

    #[test]
    fn what_cannot_be_changed_is_named_and_the_rest_is_done() {
        let mended = draft().mended(&[
            edit("Tell Ann.", "Tell Ben and Ann."),
            edit("It is dear.", "It is cheap."),
            edit("- Tell Ann", "- Nothing"),
            edit(" ", "x"),
        ]);
        let failed = [(1, Unmendable::NotThere), (2, Unmendable::Taken), (3, Unmendable::NotThere)];
        assert_eq!(mended.failed, failed);
        assert_eq!((mended.grown, mended.text.ends_with("- Tell Ben and Ann.")), (2, true));
        // Within a word or a number nothing is found.
        for part in ["47", "all", "Large | 47"] {
            assert_eq!(draft().mended(&[edit(part, "x")]).failed, [(0, Unmendable::NotThere)], "{part}");
        }
        let numbers = ChosenDraft { text: "1,470 and 470.50 and 470, 2.5 of 470.".into(), ..draft() };
        let mended = numbers.mended(&[edit("470", "480")]);
        assert_eq!(mended.text, "1,470 and 470.50 and 480, 2.5 of 480.");
    }

    proptest! {
        #[test]
        fn whatever_is_asked_for_ends_and_no_change_is_none(stands in "\\PC{0,40}", becomes in "\\PC{0,20}") {
            let draft = draft();
            let mended = draft.mended(&[edit(&stands, &becomes)]);
            if mended.failed.len() == 1 {
                prop_assert_eq!((&mended.answer, &mended.text), (&draft.opening, &draft.text));
            }
        }
    }
}
