//! How a text that is longer than a model reads at once is taken apart into sections.

use std::{
    collections::{BTreeSet, HashSet},
    fmt,
};

use serde::{Deserialize, Serialize};

use super::outline::{self, Outline};
use crate::{Document, Landmark, Span};

/// A section's place in the document, from 1; shown as `§2`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SectionId(pub u16);

impl fmt::Display for SectionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "§{}", self.0)
    }
}

/// A part of the document that a member reads in one go.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DocumentSection {
    /// Its place.
    pub id: SectionId,
    /// Its heading, or its first words, at most 80 characters.
    pub title: String,
    /// Where it stands. Sections follow one another without gaps and cover the whole text.
    pub span: Span,
}

/// Longest title, in characters.
const LONGEST_TITLE: usize = 80;

/// Of a line so many characters are read for a title.
const LONGEST_READ: usize = 400;

/// Most sections there can be; a shorter limit of characters is raised so that there are no more.
const MOST_SECTIONS: usize = 30_000;

/// The sections of a document, each of at most `at_once` characters: one, where all of it fits; else by files and
/// headings, then by pages, by paragraphs, by lines and sentences, and where a sentence is longer than that between
/// words; small neighbours go together. Nothing is left out, and an empty text has none.
#[must_use]
pub fn sections(document: &Document, at_once: usize) -> Vec<DocumentSection> {
    let whole = document.whole();
    if whole.is_empty() {
        return Vec::new();
    }
    let outline = Outline::of(document);
    // Two neighbours are together longer than the limit, so this many sections are not exceeded.
    let at_once = at_once.max(2 * chars(&document.text) / MOST_SECTIONS).max(1);
    let mut parts = Vec::new();
    divide(document, &outline, at_once, whole, outline::FILE, &mut parts);
    let together = packed(document, &parts, at_once);
    let running = running_heads(document);
    let title = |span| title(document, &outline, &running, span);
    let numbered = together.into_iter().zip(1..=u16::MAX);
    numbered.map(|(span, id)| DocumentSection { id: SectionId(id), title: title(span), span }).collect()
}

/// What stands on top of several pages, numbers aside: it tells no section from another.
fn running_heads(document: &Document) -> HashSet<String> {
    // A page without text begins where the next one does.
    let pages: BTreeSet<usize> = (document.landmarks.iter())
        .filter(|(_, landmark)| matches!(landmark, Landmark::Page(_) | Landmark::Slide(_)))
        .map(|(at, _)| *at)
        .collect();
    let tops = pages.into_iter().filter_map(|at| {
        let page = document.text.get(at..)?;
        page.lines().find(|line| !line.trim().is_empty()).map(without_numbers)
    });
    let (mut seen, mut running) = (HashSet::new(), HashSet::new());
    for top in tops {
        if let Some(again) = seen.replace(top) {
            running.insert(again);
        }
    }
    running
}

fn without_numbers(line: &str) -> String {
    line.trim().chars().filter(|c| !c.is_numeric()).take(LONGEST_READ).collect()
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

/// Divides a span into parts that fit, at the strongest marks that are in it.
fn divide(
    document: &Document,
    outline: &Outline,
    at_once: usize,
    span: Span,
    rank: u8,
    parts: &mut Vec<Span>,
) {
    if chars(document.part(span)) <= at_once {
        parts.push(span);
        return;
    }
    let found = (rank..=outline::LINE).find(|rank| outline.within(span, *rank).next().is_some());
    if let Some(rank) = found {
        for piece in outline::pieces(span, outline.within(span, rank)) {
            divide(document, outline, at_once, piece, rank + 1, parts);
        }
        return;
    }
    for sentence in outline::pieces(span, outline::sentence_starts(&document.text, span)) {
        parts.extend(outline::pieces(sentence, cuts(document.part(sentence), sentence.start, at_once)));
    }
}

/// Where a text without sentences is cut so that every piece fits: between words if it can be, `from` being where the
/// text begins.
fn cuts(text: &str, from: usize, at_once: usize) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut start = 0;
    while let Some((end, _)) = text.get(start..).and_then(|rest| rest.char_indices().nth(at_once)) {
        let piece = text.get(start..start + end).unwrap_or_default();
        let word = piece.char_indices().rfind(|(_, c)| c.is_whitespace()).map(|(at, c)| at + c.len_utf8());
        start += word.filter(|at| *at > end / 2).unwrap_or(end);
        cuts.push(from + start);
    }
    cuts
}

/// Small neighbours put together.
fn packed(document: &Document, parts: &[Span], at_once: usize) -> Vec<Span> {
    let mut together: Vec<Span> = Vec::new();
    let mut length = 0;
    for part in parts {
        let more = chars(document.part(*part));
        match together.last_mut() {
            Some(last) if length + more <= at_once => {
                last.end = part.end;
                length += more;
            }
            _ => {
                together.push(*part);
                length = more;
            }
        }
    }
    together
}

/// The heading that a section begins with, else its first words that do not run over its pages, else the document's name.
fn title(document: &Document, outline: &Outline<'_>, running: &HashSet<String>, span: Span) -> String {
    let text = document.part(span);
    let first = span.start + text.len() - text.trim_start().len();
    let lines =
        || text.lines().map(str::trim).filter(|line| !line.starts_with("```") && !line.starts_with("~~~"));
    let said = |line: &str| plain(line).chars().any(char::is_alphanumeric);
    let heading = outline.headings.iter().find(|heading| heading.at == first).map(|heading| heading.title);
    let words = heading
        .filter(|title| said(title))
        .or_else(|| lines().find(|line| said(line) && !running.contains(&without_numbers(line))))
        .or_else(|| lines().find(|line| said(line)))
        .unwrap_or(&document.name);
    let plain = plain(words);
    if chars(&plain) <= LONGEST_TITLE {
        return plain;
    }
    let cut: String = plain.chars().take(LONGEST_TITLE - 1).collect();
    let whole = cut.rfind(' ').filter(|at| *at > cut.len() / 2).unwrap_or(cut.len());
    format!("{}…", cut[..whole].trim_end_matches([' ', ',', ';', ':', '.', '-', '–', '—']))
}

/// The beginning of a line without the marks of Markdown, in one run of words.
fn plain(line: &str) -> String {
    let end = line.char_indices().nth(LONGEST_READ).map_or(line.len(), |(at, _)| at);
    let line = &line[..end];
    let line = line.trim_start_matches(['#', '>', '-', '*', '+', '|', ' ', '\t']);
    let mut plain = String::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        let inside = plain.ends_with(char::is_alphanumeric) && rest.starts_with(char::is_alphanumeric);
        match c {
            '*' | '`' | '~' | '|' | '[' => {}
            '_' if !inside => {}
            '!' if rest.starts_with('[') => {}
            // Of a link, only what it says.
            ']' => {
                let target = rest.starts_with('(').then(|| rest.split_once(')')).flatten();
                rest = target.map_or(rest, |(_, after)| after);
            }
            '\\' if rest.starts_with(|c: char| c.is_ascii_punctuation()) => {}
            _ => plain.push(c),
        }
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
