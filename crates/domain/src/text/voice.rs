//! What an author says in its own voice: sentence by sentence, without what it quotes.

use super::{quoted, sentence_ends};
use crate::problem::is_invisible;

/// Stands where somebody else's words stood.
const OTHERS: char = '\u{fffc}';

/// The sentences of a text, each on one line, with a mark in place of what stands in quotation marks and of the texts
/// in `others`, which are somebody else's. Emphasis, invisible characters and kinds of apostrophe make no difference.
pub(crate) fn own_sentences(text: &str, others: &[&str]) -> Vec<String> {
    let chars: Vec<char> = unmarked(text).chars().collect();
    let mut own = String::new();
    let mut from = 0;
    for (open, close) in quoted(&chars) {
        own.extend(chars.get(from..open).into_iter().flatten());
        own.push(OTHERS);
        // A sentence that ends with its quotation ends.
        own.extend(
            close.checked_sub(1).and_then(|at| chars.get(at)).filter(|c| matches!(c, '.' | '!' | '?')),
        );
        from = close + 1;
    }
    own.extend(chars.get(from..).into_iter().flatten());
    for other in others {
        own = without(&own, unmarked(other).trim().trim_end_matches(['?', '.']));
    }
    let mut start = 0;
    let mut sentences = Vec::new();
    for end in sentence_ends(&own) {
        let sentence = own.get(start..end).unwrap_or_default();
        sentences.push(sentence.split_whitespace().collect::<Vec<_>>().join(" "));
        start = end;
    }
    sentences
}

/// The text without emphasis and invisible characters, and with plain apostrophes; everything else stays in its place.
fn unmarked(text: &str) -> String {
    let kept = text.chars().filter(|c| !matches!(c, '*' | '`' | '~' | '\\' | '\r') && !is_invisible(*c));
    kept.map(|c| match c {
        '’' | 'ʼ' | '＇' => '\'',
        '\u{a0}' | '\u{202f}' | '_' => ' ',
        c => c,
    })
    .collect()
}

/// A text with the mark in place of another one, in any case of its letters. A few letters are no text.
fn without(text: &str, other: &str) -> String {
    let (chars, other): (Vec<char>, Vec<char>) = (text.chars().collect(), other.chars().collect());
    if other.len() < 8 {
        return text.to_owned();
    }
    let same = |a: &char, b: &char| a == b || a.to_lowercase().eq(b.to_lowercase());
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(c) = chars.get(at) {
        let here = chars
            .get(at..at + other.len())
            .is_some_and(|here| here.iter().zip(&other).all(|(a, b)| same(a, b)));
        kept.push(if here { OTHERS } else { *c });
        at += if here { other.len() } else { 1 };
    }
    kept
}
