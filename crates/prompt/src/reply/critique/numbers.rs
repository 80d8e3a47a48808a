//! Labels of groups in brackets become the numbers of their findings: whoever writes the review knows `G3`, people know `F2`.

use std::collections::BTreeSet;

use crate::critique::group_label;
use domain::FindingId;

/// A text as people read it.
pub(super) struct Numbered {
    /// With the numbers of findings where the labels were.
    pub(super) text: String,
    /// The findings whose labels stood in it.
    pub(super) told: BTreeSet<FindingId>,
}

/// What opens a bracket, and what closes it.
const BRACKETS: [(char, char); 4] = [('(', ')'), ('（', '）'), ('[', ']'), ('［', '］')];

/// Words that may stand between two labels, besides marks.
const BETWEEN: [&str; 10] = ["and", "und", "et", "y", "e", "et", "و", "和", "と", "и"];

/// The text with the labels in brackets made numbers, each once; brackets whose labels no group has go. Other brackets stay: a
/// text may be about the G7, so that a word of the `document` is a label only where a paragraph ends with it.
pub(super) fn number_labels(
    text: &str,
    document: &str,
    number: impl Fn(usize) -> Option<FindingId>,
) -> Numbered {
    let (mut written, mut told) = (String::new(), BTreeSet::new());
    let mut rest = text;
    while let Some(bracket) = next_bracket(rest) {
        let Bracket { before, open, inside, close, after } = bracket;
        written.push_str(before);
        let Some(labels) = inside.and_then(labels).filter(|labels| {
            ends_paragraph(after) || !labels.iter().any(|place| is_word_of(document, *place))
        }) else {
            written.push(open);
            rest = &rest[before.len() + open.len_utf8()..];
            continue;
        };
        let numbers: BTreeSet<FindingId> = labels.into_iter().filter_map(&number).collect();
        if numbers.is_empty() {
            written.truncate(written.trim_end().len());
        } else {
            let numbers_told: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            written.push(open);
            written.push_str(&numbers_told.join(", "));
            written.push(close);
        }
        told.extend(numbers);
        rest = after;
    }
    written.push_str(rest);
    Numbered { text: written, told }
}

struct Bracket<'a> {
    before: &'a str,
    open: char,
    inside: Option<&'a str>,
    close: char,
    after: &'a str,
}

fn next_bracket(text: &str) -> Option<Bracket<'_>> {
    let (at, open) = text.char_indices().find(|(_, c)| BRACKETS.iter().any(|(open, _)| open == c))?;
    let close = BRACKETS.iter().find(|(known, _)| *known == open)?.1;
    let (before, within) = (&text[..at], &text[at + open.len_utf8()..]);
    let (inside, after) =
        within.split_once(close).map_or((None, ""), |(inside, after)| (Some(inside), after));
    Some(Bracket { before, open, inside, close, after })
}

/// The places of the groups, from 0, where nothing else stands between these brackets.
fn labels(inside: &str) -> Option<Vec<usize>> {
    if inside.contains(BRACKETS.map(|(open, _)| open)) {
        return None;
    }
    let words = inside.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words = words.filter(|word| !BETWEEN.contains(&word.to_lowercase().as_str()));
    let places: Vec<usize> = words.map(place).collect::<Option<_>>()?;
    (!places.is_empty()).then_some(places)
}

/// The place of the group of this label, from 0: `G3`, `g3`.
fn place(label: &str) -> Option<usize> {
    let digits = label.strip_prefix(['G', 'g'])?;
    let number: usize = digits.bytes().all(|c| c.is_ascii_digit()).then(|| digits.parse().ok())??;
    number.checked_sub(1)
}

/// Whether nothing but marks follows on the line, or in the cell of a table.
fn ends_paragraph(after: &str) -> bool {
    let line = after.lines().next().unwrap_or_default();
    !line.split('|').next().unwrap_or_default().chars().any(char::is_alphanumeric)
}

/// Whether the document itself has the label of this group as a word.
fn is_word_of(document: &str, place: usize) -> bool {
    let label = group_label(place);
    document.split(|c: char| !c.is_alphanumeric()).any(|word| word == label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_become_numbers_however_they_are_written_and_other_brackets_stay() {
        // Of nine groups the second and the third are one finding.
        let number = |place: usize| -> Option<FindingId> {
            let numbers = [1, 2, 2, 4, 5, 6, 7, 8, 9];
            numbers.get(place).map(|number| FindingId(*number))
        };
        let document = "What the G7 agreed in Hiroshima.";
        for (said, read) in [
            ("It is asserted. (G1, G9)", "It is asserted. (F1, F9)"),
            ("Both (g2; G3) and then (G4 and G5).", "Both (F2) and then (F4, F5)."),
            ("ذلك غير مذكور. (G3، G9)", "ذلك غير مذكور. (F2, F9)"),
            ("没有依据。（G3、G9）", "没有依据。（F2, F9）"),
            ("Ohne Grund [G1 und G4].", "Ohne Grund [F1, F4]."),
            ("| Rent | 4 (G1) | 5 |", "| Rent | 4 (F1) | 5 |"),
            ("What (the G1) says; (see G1); (G1", "What (the G1) says; (see G1); (G1"),
            ("Of nobody (G77). (G20) goes.", "Of nobody. goes."),
            ("The seven (G7) agreed.", "The seven (G7) agreed."),
            ("The seven agreed to nothing. (G7)", "The seven agreed to nothing. (F7)"),
            ("The **sum** (of (G1)) and (G2 (G3)).", "The **sum** (of (F1)) and (G2 (F2))."),
            ("", ""),
        ] {
            assert_eq!(number_labels(said, document, number).text, read, "{said}");
        }
        let told = number_labels("F1 is Formula 1. (G2) (G77) (see G4)", document, number).told;
        assert_eq!(
            told.into_iter().collect::<Vec<_>>(),
            [FindingId(2)],
            "only what stands in brackets is told"
        );
    }
}
