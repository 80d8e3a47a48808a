//! A text as the gate reads it: words, with what stands between them, whose they are and what exempts them.

use crate::domain::{Side, brief::is_invisible};

/// What stands before a word and divides it from the one before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Gap {
    /// Nothing but white space, or marks that divide nothing.
    None,
    /// A comma or a bracket.
    Comma,
    /// A colon.
    Colon,
    /// A semicolon or a dash: another clause.
    Clause,
    /// The end of a sentence.
    Sentence,
}

/// A word.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a fact of its own; they exclude nothing
pub(super) struct Word {
    /// In small letters, without a possessive `'s`.
    pub text: String,
    /// As it was written, to show it to the moderator.
    pub written: String,
    /// It had a possessive `'s`, or was shortened with `is`.
    pub possessive: bool,
    /// The side it names: `Pro` or `Con`, in any case, and not in a compound such as `pro-growth`.
    pub side: Option<Side>,
    /// It begins with a capital letter.
    pub capital: bool,
    /// What divides it from the word before.
    pub gap: Gap,
    /// It stands in quotation marks.
    pub quoted: bool,
    /// It is a word of the proposition, which is quoted.
    pub proposed: bool,
    /// It is said in the name of a side.
    pub attributed: bool,
    hyphen: bool,
}

/// What follows `Pro` or `Con` where it is a word of another language and no name: `pro Kopf`, `con la`.
const NO_NAME: [&str; 24] = [
    "kopf",
    "jahr",
    "tag",
    "monat",
    "person",
    "stunde",
    "einwohner",
    "stück",
    "capita",
    "rata",
    "bono",
    "forma",
    "la",
    "el",
    "los",
    "las",
    "un",
    "una",
    "lo",
    "esto",
    "eso",
    "su",
    "respecto",
    "artist",
];

/// Reads a text. Emphasis, invisible characters and the kind of white space, apostrophe and case make no difference.
pub(super) fn read(text: &str) -> Vec<Word> {
    let chars = unmarked(text);
    let quoted = quoted(&chars);
    let mut words: Vec<Word> = Vec::new();
    let mut gap = Gap::Sentence;
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        if !is_letter(c) {
            gap = gap.max(gap_at(&chars, at));
            at += 1;
            continue;
        }
        let end = word_end(&chars, at);
        let written: String = chars.get(at..end).unwrap_or_default().iter().collect();
        let hyphen = [at.checked_sub(1), Some(end)]
            .into_iter()
            .flatten()
            .any(|at| matches!(chars.get(at), Some('-' | '\u{2010}' | '\u{2011}')));
        let capital = c.is_uppercase();
        let quoted = quoted.iter().any(|(from, to)| (*from..*to).contains(&at));
        let (text, possessive, negated) = stem(&written);
        let word = Word {
            text,
            written,
            possessive,
            side: None,
            capital,
            gap,
            quoted,
            proposed: false,
            attributed: false,
            hyphen,
        };
        let not = negated.then(|| Word {
            text: "not".to_owned(),
            written: String::new(),
            gap: Gap::None,
            ..word.clone()
        });
        words.push(word);
        words.extend(not);
        gap = Gap::None;
        at = end;
    }
    for at in 0..words.len() {
        let next = words.get(at + 1).filter(|next| next.gap == Gap::None).map(|next| next.text.as_str());
        let word = &words[at];
        let named = match word.text.as_str() {
            "pro" => Some(Side::Pro),
            "con" => Some(Side::Con),
            _ => None,
        };
        let compound = word.hyphen && !next.is_some_and(|next| SIDE_NOUNS.contains(&next));
        words[at].side = named.filter(|_| !compound && !next.is_some_and(|next| NO_NAME.contains(&next)));
    }
    words
}

/// What a side is called by with its name: `the Pro side`.
pub(super) const SIDE_NOUNS: [&str; 24] = [
    "side",
    "case",
    "cases",
    "position",
    "argument",
    "arguments",
    "advocate",
    "team",
    "camp",
    "view",
    "claim",
    "claims",
    "reasoning",
    "stance",
    "point",
    "points",
    "answer",
    "answers",
    "evidence",
    "assumption",
    "assumptions",
    "perspective",
    "thesis",
    "rebuttal",
];

/// The text without emphasis, invisible characters and headings' marks, as characters.
fn unmarked(text: &str) -> Vec<char> {
    let kept: Vec<char> =
        text.chars().filter(|c| !matches!(c, '*' | '`' | '~' | '\\' | '\r') && !is_invisible(*c)).collect();
    let inner = |at: Option<usize>| at.and_then(|at| kept.get(at)).is_some_and(|c| c.is_alphanumeric());
    let edge = |at: usize| !(inner(at.checked_sub(1)) && inner(at.checked_add(1)));
    kept.iter()
        .enumerate()
        .filter(|(at, c)| **c != '_' || !edge(*at))
        .map(|(_, c)| if *c == '_' { ' ' } else { *c })
        .collect()
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36f}')
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | 'ʼ' | '＇')
}

fn word_end(chars: &[char], from: usize) -> usize {
    let mut end = from;
    while let Some(&c) = chars.get(end) {
        let joins = is_apostrophe(c) && chars.get(end + 1).is_some_and(|c| is_letter(*c));
        if joins && is_elision(chars.get(from..end).unwrap_or_default()) {
            break;
        }
        if !is_letter(c) && !joins {
            break;
        }
        end += 1;
    }
    end
}

/// The French `l’`, `d’`, `qu’` …, which is a word of its own.
fn is_elision(word: &[char]) -> bool {
    match word {
        [c] => "ldjmtsncLDJMTSNC".contains(*c),
        [q, 'u'] => matches!(q, 'q' | 'Q'),
        _ => false,
    }
}

/// A word in small letters; whether it had `'s`; whether it had `n't`.
fn stem(written: &str) -> (String, bool, bool) {
    let lower: String =
        written.to_lowercase().chars().map(|c| if is_apostrophe(c) { '\'' } else { c }).collect();
    if let Some(stem) = lower.strip_suffix("n't") {
        return (stem.to_owned(), false, true);
    }
    if let Some(stem) = lower.strip_suffix("'s") {
        return (stem.to_owned(), true, false);
    }
    let short = ["'ve", "'d", "'ll", "'re", "'m"].iter().find_map(|end| lower.strip_suffix(end));
    (short.map_or_else(|| lower.clone(), str::to_owned), false, false)
}

/// Abbreviations after whose full stop the sentence goes on.
const ABBREVIATIONS: [&str; 14] =
    ["e.g", "i.e", "cf", "vs", "dr", "mr", "mrs", "ms", "prof", "approx", "z.b", "d.h", "bzw", "ca"];

fn gap_at(chars: &[char], at: usize) -> Gap {
    let next = chars.get(at + 1).copied();
    match chars.get(at) {
        // A bracket is set in like a clause between commas; who speaks goes on after it.
        Some(',' | '，' | '、' | '(' | ')' | '[' | ']') => Gap::Comma,
        Some(':' | '：') => Gap::Colon,
        Some(';' | '；' | '—' | '–' | '|') => Gap::Clause,
        Some('。' | '！' | '？' | '!' | '?' | '…') => Gap::Sentence,
        Some('.')
            if next.is_none_or(|c| c.is_whitespace() || !c.is_alphanumeric()) && !abbreviates(chars, at) =>
        {
            Gap::Sentence
        }
        Some('\n') => {
            let rest: String =
                chars.get(at + 1..).unwrap_or_default().iter().take_while(|c| **c != '\n').collect();
            let line = rest.trim_start();
            let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
            let listed = number.len() < line.len() && number.starts_with(['.', ')']);
            let begins = listed || line.starts_with(['-', '+', '#', '>', '•', '|']);
            let blank = line.is_empty() && next.is_some();
            if begins || blank { Gap::Sentence } else { Gap::None }
        }
        _ => Gap::None,
    }
}

/// Whether the full stop here ends an abbreviation such as `e.g.` or `U.S.`.
fn abbreviates(chars: &[char], at: usize) -> bool {
    let word: Vec<char> = chars
        .get(..at)
        .unwrap_or_default()
        .iter()
        .rev()
        .take_while(|c| is_letter(**c) || **c == '.')
        .take(12)
        .copied()
        .collect();
    let word: String = word.into_iter().rev().collect::<String>().to_lowercase();
    let initials = word.contains('.') && word.split('.').all(|letter| letter.chars().count() == 1);
    initials || ABBREVIATIONS.contains(&word.as_str())
}

/// Longest quotation, in characters; a mark that is not closed within it opens none.
const LONGEST_QUOTATION: usize = 1_000;

/// Where quotations stand, within one paragraph each: the places of both marks, in characters.
pub(in crate::domain) fn quoted(chars: &[char]) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let inside = chars.get(at + 1).is_some_and(|c| !c.is_whitespace());
        let after_word = at.checked_sub(1).and_then(|at| chars.get(at)).is_some_and(|c| is_letter(*c));
        let closing: &[char] = match c {
            '“' => &['”'],
            '„' => &['“', '”'],
            '"' | '＂' => &['"', '＂', '”'],
            '«' => &['»'],
            '»' if !after_word => &['«'],
            '‹' => &['›'],
            '「' => &['」'],
            '『' => &['』'],
            '‘' if !after_word => &['’'],
            _ => &[],
        };
        let end = if closing.is_empty() || !inside { None } else { closes(chars, at + 1, closing) };
        match end {
            Some(end) => {
                spans.push((at, end));
                at = end + 1;
            }
            None => at += 1,
        }
    }
    spans
}

fn closes(chars: &[char], from: usize, closing: &[char]) -> Option<usize> {
    let within = chars.get(from..chars.len().min(from + LONGEST_QUOTATION))?;
    for (at, c) in within.iter().enumerate() {
        let next = within.get(at + 1);
        if *c == '\n' && next == Some(&'\n') {
            return None;
        }
        // In `‘the states’ duty’` the first mark may be an apostrophe; one between two letters is.
        let apostrophe = *c == '’' && next.is_some_and(|c| is_letter(*c));
        if closing.contains(c) && !apostrophe {
            return Some(from + at);
        }
    }
    None
}
