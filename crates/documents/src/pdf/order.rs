//! Lines with Hebrew, Arabic and the like in the order in which they are read. A page has them in any order: as they
//! stand from left to right, as they are read, or word by word.

use unicode_normalization::UnicodeNormalization as _;

use super::{
    letters::Text,
    lines::{Mark, begins_with_space, is_gap, push},
};

/// Whether a letter is of a script that is written from right to left.
pub(super) fn is_right_to_left(text: &Text) -> bool {
    match text {
        Text::One(one) => is_rtl(*one),
        Text::Many(many) => many.chars().any(is_rtl),
    }
}

fn is_rtl(one: char) -> bool {
    matches!(one, '\u{590}'..='\u{65f}' | '\u{66a}'..='\u{6ef}' | '\u{6fa}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}')
}

/// Which way a piece of a line is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Left,
    Number,
    Right,
    Either,
    /// A sign that belongs to the number beside it, such as `€`.
    Sign,
    /// One that belongs to the number behind it, where that stands apart from what is before it.
    Minus,
    Space,
}

fn way(piece: &str) -> Way {
    match piece.chars().next() {
        Some(first) if is_rtl(first) => Way::Left,
        Some(first) if first.is_numeric() => Way::Number,
        Some(first) if first.is_alphabetic() => Way::Right,
        Some(' ') | None => Way::Space,
        Some('$' | '€' | '£' | '¥' | '₪' | '%' | '‰' | '#' | '°') => Way::Sign,
        Some('-' | '−' | '+') => Way::Minus,
        Some(_) => Way::Either,
    }
}

/// A line as it is read. Its letters are put from left to right by their places first; then what is read from right to
/// left is turned, and numbers and words of other scripts in it are not.
pub(super) fn as_read(marks: &[Mark]) -> String {
    let mut sorted: Vec<&Mark> = marks.iter().filter(|mark| !begins_with_space(mark)).collect();
    sorted.sort_by(|one, other| one.along.total_cmp(&other.along));
    let mut pieces: Vec<String> = Vec::new();
    let mut last: Option<&Mark> = None;
    let spaces: Vec<f64> =
        marks.iter().filter(|mark| begins_with_space(mark)).map(|mark| mark.along).collect();
    for mark in sorted {
        let mut text = String::new();
        push(&mut text, &mark.text);
        let text: String = text.chars().flat_map(plain).collect();
        let parted = last.is_some_and(|last| {
            is_gap(last, mark)
                || spaces
                    .iter()
                    .any(|&space| space > last.along && space < mark.along && mark.along > last.end - 0.1)
        });
        if parted {
            pieces.push(" ".to_owned());
        }
        match pieces.last_mut() {
            // Points and vowels stay with the letter that they stand over.
            Some(letter) if !parted && text.chars().all(is_point) => letter.push_str(&text),
            _ => pieces.push(text),
        }
        last = Some(mark);
    }
    mirrored(turned(&pieces))
}

/// Brackets that are read from right to left are drawn as their mirror images. Some files say what is drawn, others what is meant:
/// those are right that open before they close.
fn mirrored(line: String) -> String {
    if is_paired(&line) {
        return line;
    }
    let other: String = line.chars().map(mirror).collect();
    if is_paired(&other) { other } else { line }
}

fn mirror(one: char) -> char {
    match one {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '«' => '»',
        '»' => '«',
        '<' => '>',
        '>' => '<',
        other => other,
    }
}

/// Whether no bracket closes that was not opened, or stays open.
fn is_paired(line: &str) -> bool {
    let mut open = Vec::new();
    line.chars().all(|one| match one {
        '(' | '[' | '{' => {
            open.push(mirror(one));
            true
        }
        ')' | ']' | '}' => open.pop() == Some(one),
        _ => true,
    }) && open.is_empty()
}

/// The forms that a letter has at the beginning, within and at the end of a word are the same letter.
fn plain(one: char) -> Vec<char> {
    match one {
        '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' => one.nfkc().collect(),
        _ => vec![one],
    }
}

fn is_point(one: char) -> bool {
    matches!(one, '\u{591}'..='\u{5bd}' | '\u{5bf}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}')
}

/// Pieces that stand from left to right, in the order in which they are read.
fn turned(pieces: &[String]) -> String {
    let ways: Vec<Way> = pieces.iter().map(|piece| way(piece)).collect();
    let count = |what: Way| ways.iter().filter(|way| **way == what).count();
    let leftwards = count(Way::Left) >= count(Way::Right);
    let mut line = String::new();
    if leftwards {
        // From the right, with each run that is read rightwards as it stands.
        let mut end = pieces.len();
        while end > 0 {
            let start = match ways[end - 1] {
                // Behind a number: `5 %` and `5%`.
                Way::Sign if end > 1 && ways[end - 2] == Way::Number => number_before(&ways, end - 1),
                Way::Number => number_before(&ways, end),
                _ => run_before(&ways, end, |way| matches!(way, Way::Right | Way::Number)),
            };
            line.extend(pieces[start..end].iter().map(String::as_str));
            end = start;
        }
    } else {
        let mut start = 0;
        while start < pieces.len() {
            let end = run_after(&ways, start);
            line.extend(pieces[start..end].iter().rev().map(String::as_str));
            start = end;
        }
    }
    line
}

/// Where the number begins that ends here, with the signs that stand before it.
fn number_before(ways: &[Way], end: usize) -> usize {
    let mut start = run_before(ways, end, |way| matches!(way, Way::Right | Way::Number));
    if start > 0 && ways[start] == Way::Number {
        start -= usize::from(ways[start - 1] == Way::Sign);
    }
    let alone = start == 1 || (start > 1 && ways[start - 2] == Way::Space);
    if start > 0 && alone && ways[start - 1] == Way::Minus { start - 1 } else { start }
}

/// Where the run begins that ends here: one piece, or all that are read rightwards together.
fn run_before(ways: &[Way], end: usize, is_in: impl Fn(Way) -> bool) -> usize {
    let last = end - 1;
    if !is_in(ways[last]) {
        return last;
    }
    let mut start = last;
    while start > 0 {
        let before = ways[start - 1];
        let joined = match before {
            _ if is_in(before) => 1,
            // A point, a comma or a stroke within a number; between words, a space, too.
            Way::Either | Way::Sign | Way::Minus if start > 1 && is_in(ways[start - 2]) => 2,
            Way::Space if start > 1 && ways[start - 2] == Way::Right && ways[start] == Way::Right => 2,
            _ => break,
        };
        start -= joined;
    }
    start
}

/// Where the run ends that begins here: one piece, or all that are read leftwards together.
fn run_after(ways: &[Way], start: usize) -> usize {
    if ways[start] != Way::Left {
        return start + 1;
    }
    let mut end = start + 1;
    while end < ways.len() {
        match ways[end] {
            Way::Left => end += 1,
            Way::Either | Way::Sign | Way::Minus | Way::Space if ways.get(end + 1) == Some(&Way::Left) => {
                end += 2;
            }
            _ => break,
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(visual: &str) -> String {
        mirrored(turned(&visual.chars().map(String::from).collect::<Vec<_>>()))
    }

    #[test]
    fn brackets_open_before_they_close() {
        // As they are drawn, and as they are meant.
        for drawn in ["(5.12) ריחמ", ")5.12( ריחמ", "]5.12[ ריחמ"] {
            let read = read(drawn);
            assert!(matches!(&*read, "מחיר (5.12)" | "מחיר [5.12]"), "{drawn}: {read}");
        }
        assert_eq!(read("םולש (א"), "א( שלום", "what has no pair stays as it is drawn");
        assert_eq!(read("(םולש) ריחמ (הז)"), "(זה) מחיר (שלום)");
        assert_eq!(read("-5 ריחמ"), "מחיר -5");
        assert_eq!(read("5- ריחמ"), "מחיר -5", "as programs show it");
        assert_eq!(read("הז -€5.50 ריחמ"), "מחיר -€5.50 זה");
        assert_eq!(read("25% ריחמ"), "מחיר 25%");
        assert_eq!(read("1,200.50 € :ריחמ"), "מחיר: € 1,200.50");
        assert_eq!(read("02/05/2026 ךיראת"), "תאריך 02/05/2026");
    }

    #[test]
    fn what_is_read_from_right_to_left_is_turned_and_numbers_are_not() {
        // As they stand, from left to right.
        assert_eq!(read("םולש"), "שלום");
        assert_eq!(read("5.12 ריחמ"), "מחיר 5.12");
        assert_eq!(read("2021 - 2020 םינש"), "שנים 2020 - 2021");
        assert_eq!(read("Open AI הלודגה הרבחה"), "החברה הגדולה Open AI");
        // Most letters say which way a line is read.
        assert_eq!(read("Open AI תרבח"), "Open AI חברת");
        assert_eq!(read("The word םולש means peace"), "The word שלום means peace");
    }
}
