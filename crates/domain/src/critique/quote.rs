//! Whether a quotation really stands in a text, and where.

use unicode_normalization::UnicodeNormalization as _;

use super::spelling::{Spelling, is_unspaced};
use crate::{Span, text::quoted};

/// Fewest letters and digits of a quotation; fewer stand everywhere.
const FEWEST: usize = 3;

/// A quotation of at least so many letters and digits may begin or end within a word; a shorter one would be found in
/// words that have nothing to do with it, as `art` in `party`.
const LONG: usize = 12;

/// Fewest words of each part of a quotation that leaves something out.
const PART_WORDS: usize = 3;

/// Most bytes of the text that may be left out between two parts of a quotation, made alike.
const LEFT_OUT: usize = 600;

/// Where in `text`, within a part of it, a quotation stands: the first place at which it is the same after white space,
/// quotation marks, dashes, case of letters, marks of Markdown and the hyphens of broken lines were made alike; a place
/// where it stands letter by letter goes before the others. Marks around it, ellipses and a full stop at its ends do
/// not count, and one that leaves something out (`…`) is found where its parts follow one another closely. Nothing for a
/// quotation of fewer than three letters or digits, which stands everywhere.
#[must_use]
pub fn find_quote(text: &str, within: Span, quote: &str) -> Option<Span> {
    // As the text has been since it was read.
    let quote = &quote.nfc().collect::<String>();
    let spelled = Spelling::of(quote).text;
    let wanted = core(&spelled);
    if letters(wanted) < FEWEST {
        return None;
    }
    let part = text.get(within.start..within.end)?;
    let is_found = |span: &Span| stands_alone(text, *span) || letters(wanted) >= LONG;
    if let Some(verbatim) = verbatim(text, within.start, part, quote).filter(is_found) {
        return Some(verbatim);
    }
    let page = Page { text, from: within.start, spelling: Spelling::of(part) };
    page.whole(wanted).or_else(|| page.parts(wanted)).or_else(|| page.items(quote))
}

/// Fewest words of a quotation that has to stand in a text: fewer are a term, and set off by marks in other ways too.
const QUOTED_WORDS: usize = 3;

/// What a review sets in quotation marks and the `text` has nowhere.
#[must_use]
pub fn misquoted<'a>(text: &str, review: &'a str) -> Vec<&'a str> {
    let whole = Span { start: 0, end: text.len() };
    let (at, chars): (Vec<usize>, Vec<char>) = review.char_indices().unzip();
    let inside = quoted(&chars).into_iter().filter_map(|(open, close)| review.get(at[open + 1]..at[close]));
    let long = inside.filter(|quote| words(quote) >= QUOTED_WORDS);
    long.filter(|quote| find_quote(text, whole, quote).is_none()).collect()
}

/// The part of a text that is searched.
struct Page<'a> {
    text: &'a str,
    from: usize,
    spelling: Spelling,
}

impl Page<'_> {
    /// Where all of it stands, whole words first.
    fn whole(&self, wanted: &str) -> Option<Span> {
        let mut inside = None;
        for at in places(&self.spelling.text, wanted) {
            let span = self.span(at, at + wanted.len());
            if stands_alone(self.text, span) {
                return Some(span);
            }
            inside = inside.or(Some(span));
        }
        inside.filter(|_| letters(wanted) >= LONG)
    }

    /// Where the parts of a quotation that leaves something out stand closely behind one another.
    fn parts(&self, wanted: &str) -> Option<Span> {
        // The brackets around what is left out go with it.
        let parts: Vec<&str> =
            wanted.split('…').map(|part| core(part.trim_matches(['[', ']', '(', ')']))).collect();
        let (first, others) = parts.split_first()?;
        if others.is_empty() || parts.iter().any(|part| words(part) < PART_WORDS) {
            return None;
        }
        places(&self.spelling.text, first).find_map(|start| {
            let end = others.iter().try_fold(start + first.len(), |end, part| self.next(end, part))?;
            let span = self.span(start, end);
            stands_alone(self.text, span).then_some(span)
        })
    }

    /// Where the items of a list stand that were quoted in one line, with the mark of each.
    fn items(&self, quote: &str) -> Option<Span> {
        let (first, others) = quote.split_once(" - ")?;
        let mut flat = first.to_owned();
        for item in others.split(" - ") {
            // Before a digit it may be a minus.
            flat.push_str(if item.starts_with(|c: char| c.is_ascii_digit()) { " - " } else { " " });
            flat.push_str(item);
        }
        self.whole(core(&Spelling::of(&flat).text))
    }

    /// Where a part ends that begins closely behind a place.
    fn next(&self, from: usize, part: &str) -> Option<usize> {
        let rest = self.spelling.text.get(from..)?;
        let room = (LEFT_OUT + part.len()).min(rest.len());
        let room = (room..=rest.len()).find(|at| rest.is_char_boundary(*at))?;
        rest.get(..room)?.find(part).map(|at| from + at + part.len())
    }

    /// The span of the original text that is spelled by these bytes.
    fn span(&self, start: usize, end: usize) -> Span {
        let at = |place: usize| self.from + self.spelling.at.get(place).copied().unwrap_or_default();
        let last = at(end.saturating_sub(1));
        let width = self.text.get(last..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        Span { start: at(start), end: last + width }
    }
}

/// Where a quotation stands letter by letter; only of one that begins and ends with a letter or a digit, so that what is
/// found is the same as after making alike.
fn verbatim(text: &str, from: usize, part: &str, quote: &str) -> Option<Span> {
    let quote = quote.trim();
    let bare = quote.starts_with(char::is_alphanumeric) && quote.ends_with(char::is_alphanumeric);
    let spans = places(part, quote).map(|at| Span { start: from + at, end: from + at + quote.len() });
    bare.then_some(spans)?.find(|span| stands_alone(text, *span))
}

/// Where a text begins in another, places that overlap too: of two, only the later one may stand between words.
fn places<'a>(text: &'a str, wanted: &'a str) -> impl Iterator<Item = usize> + 'a {
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = from + text.get(from..)?.find(wanted)?;
        from = at + text[at..].chars().next().map_or(1, char::len_utf8);
        Some(at)
    })
}

/// A quotation without what does not count at its ends.
fn core(quote: &str) -> &str {
    let mut quote = quote;
    loop {
        let bare = quote.trim_matches(MARKS);
        let inner =
            OMITTED.iter().find_map(|mark| bare.strip_prefix(mark).or_else(|| bare.strip_suffix(mark)));
        let Some(inner) = inner else { return signed(quote, bare) };
        quote = inner;
    }
}

/// Marks that do not count at the ends of a quotation.
const MARKS: [char; 7] = [' ', '…', '.', ',', ';', ':', '-'];

/// How a quotation shows that it leaves something out, besides an ellipsis alone.
const OMITTED: [&str; 2] = ["[…]", "(…)"];

/// What was trimmed, with the minus that belongs to its first number.
fn signed<'a>(quote: &'a str, bare: &'a str) -> &'a str {
    let behind = quote.trim_start_matches(MARKS).len();
    let minus = quote.len() - behind;
    let is_number = bare.starts_with(|c: char| c.is_ascii_digit()) && quote[..minus].ends_with('-');
    if is_number { &quote[minus - 1..minus + bare.len()] } else { bare }
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

/// Words, two characters to one in writings without spaces.
fn words(text: &str) -> usize {
    let unspaced = text.chars().filter(|c| is_unspaced(*c)).count();
    let spaced = |word: &&str| word.chars().any(|c| c.is_alphanumeric() && !is_unspaced(c));
    text.split(' ').filter(spaced).count() + unspaced / 2
}

/// Whether a span begins and ends between words.
fn stands_alone(text: &str, span: Span) -> bool {
    let part_of_word = |c: char| c.is_alphanumeric() && !is_unspaced(c);
    let edges = |before: Option<char>, after: Option<char>| {
        !(before.is_some_and(part_of_word) && after.is_some_and(part_of_word))
    };
    let (before, rest) = text.split_at(span.start);
    let (inside, after) = rest.split_at(span.len());
    edges(before.chars().next_back(), inside.chars().next())
        && edges(inside.chars().next_back(), after.chars().next())
}
