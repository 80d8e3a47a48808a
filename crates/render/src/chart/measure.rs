//! How wide a text will be, and how to break it: a drawing has no line breaks of its own.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

/// Advance widths of `DejaVu Sans` from space to `~`, in thousandths of the size; from the font's `hmtx`.
#[rustfmt::skip]
const ASCII: [u16; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
    603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635,
    634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
];

/// The bold face is about this much wider.
const BOLD: f64 = 1.13;

/// Width of a text at a size, in the drawing's units; for scripts the font lacks, rather too much.
pub(super) fn width(text: &str, size: f64, bold: bool) -> f64 {
    let advance = |c: char| match usize::try_from(u32::from(c)).ok().and_then(|code| code.checked_sub(32)) {
        Some(place) if place < ASCII.len() => f64::from(ASCII[place]) / 1_000.0,
        _ => match c.width() {
            Some(0) | None => 0.0,
            Some(1) => 0.68,
            Some(_) => 1.05,
        },
    };
    text.chars().map(advance).sum::<f64>() * size * if bold { BOLD } else { 1.0 }
}

/// A text in at most `lines` lines of a width, broken between words, inside a word only where it is longer
/// than a line; `…` where there is more.
pub(super) fn wrap(text: &str, size: f64, bold: bool, most: f64, lines: usize) -> Vec<String> {
    let mut wrapped: Vec<String> = vec![String::new()];
    for word in words(text) {
        for piece in pieces(word, size, bold, most) {
            let Some(line) = wrapped.last_mut() else { continue };
            if !line.is_empty() && width(&format!("{line}{}", piece.trim_end()), size, bold) > most {
                wrapped.push(piece.trim_start().to_owned());
            } else if !(line.is_empty() && piece.trim().is_empty()) {
                line.push_str(piece);
            }
        }
    }
    let more = wrapped.len() > lines;
    wrapped.truncate(lines);
    if let Some(last) = wrapped.last_mut().filter(|_| more) {
        while !last.is_empty() && width(&format!("{}…", last.trim_end()), size, bold) > most {
            let end = last.grapheme_indices(true).next_back().map_or(0, |(at, _)| at);
            last.truncate(end);
        }
        // Between words where one ends in the last third.
        let word = last.rfind(char::is_whitespace).filter(|&at| at >= last.len() * 2 / 3);
        let closed = last.trim_end().trim_end_matches([',', ';', ':']).len();
        last.truncate(word.unwrap_or(closed).min(closed));
        *last = format!("{}…", last.trim_end().trim_end_matches([',', ';', ':']));
    }
    wrapped.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

/// A text's words and spaces; what closes stays with the word before it, what opens with the one after, so that no
/// line begins with a comma.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut after_opening = true;
    for (at, word) in text.split_word_bound_indices() {
        let closes = word.chars().all(|c| ",.;:!?)]}…»”’%-–/、。，！？；：）」』،؛؟".contains(c));
        let after_space = text[..at].ends_with(char::is_whitespace);
        if at > start && !after_opening && (!closes || after_space) {
            words.push(&text[start..at]);
            start = at;
        }
        after_opening = word.chars().all(|c| "([{«“‘（「『".contains(c));
    }
    words.push(&text[start..]);
    words
}

/// A word in pieces no wider than a line.
fn pieces(word: &str, size: f64, bold: bool, most: f64) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, grapheme) in word.grapheme_indices(true) {
        if at > start && width(&word[start..at + grapheme.len()], size, bold) > most {
            pieces.push(&word[start..at]);
            start = at;
        }
    }
    pieces.push(&word[start..]);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_cut_with_a_mark() {
        assert_eq!(wrap("one two three", 10.0, false, 50.0, 3), ["one two", "three"]);
        let cut = wrap("one two three four", 10.0, false, 50.0, 1);
        assert_eq!(cut.len(), 1);
        assert!(cut[0].ends_with('…') && width(&cut[0], 10.0, false) <= 50.0, "{cut:?}");
        let long = wrap(&"x".repeat(40), 10.0, false, 60.0, 9);
        assert!(long.len() > 3 && long.iter().all(|line| width(line, 10.0, false) <= 60.0), "{long:?}");
        assert_eq!(wrap("市场分析市场分析", 10.0, false, 45.0, 2).len(), 2);
        assert_eq!(wrap("", 10.0, false, 45.0, 2), [""]);
        assert_eq!(wrap("to food, and on", 10.0, false, 37.0, 3), ["to", "food,", "and on"]);
        assert_eq!(wrap("as it is (now)", 10.0, false, 42.0, 3), ["as it is", "(now)"]);
        assert_eq!(wrap("市场分析，试点", 10.0, false, 45.0, 3), ["市场分", "析，试点"]);
    }
}
