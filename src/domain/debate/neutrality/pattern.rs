//! Small patterns of words, in which the rules of the gate are written.

use super::reading::{Gap, SIDE_NOUNS, Word};

/// One element of a pattern.
enum Element<'a> {
    /// `SIDE`: Pro or Con, with what is called by its name: `Pro's cost argument`, `the Con side`.
    Side,
    /// `OWNER`: Pro or Con with a possessive.
    Owner,
    /// `~`: up to six words that only colour what is said: `clearly`, `in fact`.
    Filler,
    /// `.`: any word.
    Any,
    /// `a|b`: one of these; `ab*` is every word that begins with it.
    One(&'a str),
    /// `x?`: may be missing.
    Maybe(&'a str),
}

/// Words that say nothing of their own between a side and what is said of it.
const FILLERS: [&str; 40] = [
    "quite", "very", "more", "most", "also", "just", "in", "fact", "on", "balance", "the", "a", "an", "not",
    "all", "things", "here", "still", "far", "much", "both", "of", "course", "indeed", "so", "then", "thus",
    "again", "now", "even", "too", "been", "be", "being", "to", "well", "this", "point", "itself", "always",
];

/// A pattern, read from its elements with a space between them.
pub(super) struct Pattern<'a>(Vec<Element<'a>>);

impl<'a> Pattern<'a> {
    /// Reads it.
    pub(super) fn of(text: &'a str) -> Self {
        Self(text.split(' ').map(element).collect())
    }

    /// Where it ends, exclusive, if it begins at that word and stays in its clause.
    pub(super) fn matches(&self, words: &[Word], at: usize) -> Option<usize> {
        from(&self.0, words, at, at)
    }
}

fn element(text: &str) -> Element<'_> {
    match text {
        "SIDE" => Element::Side,
        "OWNER" => Element::Owner,
        "~" => Element::Filler,
        "." => Element::Any,
        _ => text.strip_suffix('?').map_or(Element::One(text), Element::Maybe),
    }
}

fn from(elements: &[Element], words: &[Word], at: usize, start: usize) -> Option<usize> {
    let Some((first, rest)) = elements.split_first() else { return Some(at) };
    let next = |at: usize| from(rest, words, at, start);
    let here = word(words, at, start);
    match first {
        Element::Side => {
            let name = here.filter(|word| word.side.is_some())?;
            let noun = |at: usize| {
                word(words, at, start).is_some_and(|word| SIDE_NOUNS.contains(&word.text.as_str()))
            };
            // The longest name first, so that what follows it is not taken for a part of it.
            let far = if name.possessive { 4 } else { 1 };
            let own = |end: usize| {
                (at + 1..end).all(|at| {
                    word(words, at, start).is_some_and(|word| !matches!(word.text.as_str(), "that" | "which"))
                })
            };
            let tails = (at + 1..=at + far).rev().filter(|at| noun(*at) && own(*at)).map(|at| at + 1);
            tails.chain([at + 1]).find_map(next)
        }
        Element::Owner => {
            here.filter(|word| word.side.is_some() && word.possessive).and_then(|_| next(at + 1))
        }
        Element::Filler => (0..=6)
            .take_while(|count| {
                *count == 0
                    || word(words, at + count - 1, start).is_some_and(|word| {
                        FILLERS.contains(&word.text.as_str()) || word.text.ends_with("ly")
                    })
            })
            .find_map(|count| next(at + count)),
        Element::Any => here.and_then(|_| next(at + 1)),
        Element::One(words) => here.filter(|word| is_one(words, &word.text)).and_then(|_| next(at + 1)),
        Element::Maybe(words) => {
            here.filter(|word| is_one(words, &word.text)).and_then(|_| next(at + 1)).or_else(|| next(at))
        }
    }
}

/// The word there, if it belongs to the clause in which the pattern began.
fn word(words: &[Word], at: usize, start: usize) -> Option<&Word> {
    let word = words.get(at)?;
    (at == start || word.gap < Gap::Clause).then_some(word)
}

fn is_one(alternatives: &str, word: &str) -> bool {
    alternatives.split('|').any(|one| match one.strip_suffix('*') {
        Some(begin) => word.starts_with(begin),
        None => one == word,
    })
}
