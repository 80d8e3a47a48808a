//! Whether the other side really said what is quoted of it. Compared by words: white space, quotation marks, case,
//! punctuation and Markdown make no difference, every word does.

use super::parts;
use crate::{
    Debate, DebateTurn, Side,
    citations::without_marks,
    problem::is_invisible,
    text::{count_words, is_han, is_south_east},
};

/// Whether a quotation stands in one of the side's turns. An ellipsis may leave something out, so long as what is
/// before and after it stands in one turn and in that order.
pub(super) fn is_said(quotation: &str, debate: &Debate, by: Side) -> bool {
    let quotation = quotation.replace("...", "…");
    let pieces: Vec<Piece> =
        quotation.split('…').map(Piece::of).filter(|piece| !piece.words.is_empty()).collect();
    !pieces.is_empty()
        && debate.turns.iter().filter(|turn| turn.slot.side == by).any(|turn| in_order(&pieces, turn))
}

/// What stands between two ellipses.
struct Piece {
    words: String,
    /// Looked for with the spaces between words left away: its writing sets none, or not always.
    unspaced: bool,
    /// Too short to be anything but whole words.
    short: bool,
}

impl Piece {
    fn of(text: &str) -> Self {
        let unspaced = text.contains(|c| is_han(c) || is_south_east(c));
        let words = plain(text);
        Self {
            words: if unspaced { words.replace(' ', "") } else { words },
            unspaced,
            short: count_words(text) < 3,
        }
    }
}

fn in_order(pieces: &[Piece], turn: &DebateTurn) -> bool {
    let mut texts = vec![turn.in_short.as_str()];
    texts.extend(parts(&turn.body));
    texts.extend(turn.acknowledged.iter().map(|said| said.how.as_str()));
    let spaced = texts.into_iter().map(plain).collect::<Vec<_>>().join(" ");
    let unspaced = spaced.replace(' ', "");
    // Each in its own form of the text; only pieces in the same form can be put in an order.
    let (mut from_spaced, mut from_unspaced) = (0, 0);
    pieces.iter().all(|piece| {
        let (text, from) =
            if piece.unspaced { (&unspaced, &mut from_unspaced) } else { (&spaced, &mut from_spaced) };
        let found = text[*from..].match_indices(&piece.words).find(|(at, found)| {
            let (start, end) = (*from + at, *from + at + found.len());
            piece.unspaced || !piece.short || is_whole(text, start, end)
        });
        let end = found.map(|(at, found)| *from + at + found.len());
        *from = end.unwrap_or(*from);
        end.is_some()
    })
}

fn is_whole(text: &str, start: usize, end: usize) -> bool {
    let part_of_word = |c: char| c != ' ';
    !text[..start].ends_with(part_of_word) && !text[end..].starts_with(part_of_word)
}

/// A text as words in small letters with one space between them. Apostrophes and emphasis go without a trace, so
/// that `don’t` is `don't` and `**mora**torium` is one word; anything else that is no letter or digit is a space.
pub(super) fn plain(text: &str) -> String {
    // Whoever quotes a sentence may leave its sources away, and they have other numbers elsewhere.
    let text = &without_marks(text);
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            // The address of a link is not said.
            ']' if rest.peek() == Some(&'(') => {
                rest.by_ref().take_while(|c| *c != ')').for_each(drop);
                plain.push(' ');
            }
            '\'' | '’' | '‘' | 'ʼ' | '*' | '_' | '`' | '~' => {}
            _ if is_invisible(c) => {}
            _ if c.is_alphanumeric() || is_mark(c) => plain.extend(c.to_lowercase()),
            _ => plain.push(' '),
        }
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Marks set over or under letters, without which other words would stand there.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{e31}' | '\u{e34}'..='\u{e4e}' | '\u{900}'..='\u{dff}')
}
