//! The segment around a passage that needs a deeper look.

use super::outline::{self, Outline};
use crate::{Document, Span};

/// A segment shorter than this, in characters, is too small to split.
pub const MIN_SEGMENT: usize = 300;

/// The part under a heading is taken whole up to this many characters.
const LARGEST_PART: usize = 6_000;

/// The segment around a passage in a part of the text: the part under its heading or its paragraphs, of at least
/// [`MIN_SEGMENT`] characters and at most four fifths of the part, always with the whole passage in it. `None` where the
/// part is too small to split, or the passage is none of it.
#[must_use]
pub fn segment(document: &Document, within: Span, passage: Span) -> Option<Span> {
    let part = document.text.get(within.start..within.end)?;
    document.text.get(passage.start..passage.end)?;
    let most = part.chars().count() * 4 / 5;
    if passage.is_empty() || !within.holds(passage) || most < MIN_SEGMENT {
        return None;
    }
    let outline = Outline::of(document);
    let fits = |segment: &Span, most: usize| (MIN_SEGMENT..=most).contains(&length(document, *segment));
    let under_heading = (1..=outline::HEADING)
        .rev()
        .map(|level| tight(document, under(&outline, level, within, passage), passage))
        .find(|segment| fits(segment, most.min(LARGEST_PART)));
    let blocks = |rank: u8| outline::pieces(within, outline.within(within, rank));
    under_heading
        .or_else(|| {
            let block = |blocks: Vec<Span>| tight(document, around(document, &blocks, passage), passage);
            let ranks = [outline::PARAGRAPH, outline::LINE].into_iter().map(|rank| block(blocks(rank)));
            ranks.into_iter().find(|segment| fits(segment, most))
        })
        .or_else(|| {
            let sentences = outline::pieces(within, outline::sentence_starts(&document.text, within));
            let segment = tight(document, around(document, &sentences, passage), passage);
            fits(&segment, most).then_some(segment)
        })
}

fn length(document: &Document, span: Span) -> usize {
    document.part(span).chars().count()
}

/// From the last heading of at most that level before the passage to the first after it.
fn under(outline: &Outline, level: u8, within: Span, passage: Span) -> Span {
    let strong =
        || outline.headings.iter().filter(|heading| heading.level <= level).map(|heading| heading.at);
    let start = strong().rfind(|at| *at <= passage.start).unwrap_or(within.start);
    let end = strong().find(|at| *at >= passage.end).unwrap_or(within.end);
    Span { start: start.max(within.start), end: end.min(within.end) }
}

/// The blocks that a passage stands in, and of their neighbours the shorter ones until they are long enough.
fn around(document: &Document, blocks: &[Span], passage: Span) -> Span {
    let mut first = blocks.partition_point(|block| block.end <= passage.start);
    let mut behind = blocks.partition_point(|block| block.start < passage.end).max(first + 1);
    let bytes = |block: Option<&Span>| block.map_or(usize::MAX, |block| block.len());
    loop {
        let span = Span {
            start: blocks.get(first).map_or(passage.start, |block| block.start),
            end: blocks.get(behind - 1).map_or(passage.end, |block| block.end),
        };
        let (before, after) = (first.checked_sub(1), blocks.get(behind));
        let enough = length(document, tight(document, span, passage)) >= MIN_SEGMENT;
        if enough || (before.is_none() && after.is_none()) {
            return span;
        }
        match before {
            Some(before) if bytes(blocks.get(before)) <= bytes(after) => first = before,
            _ => behind += 1,
        }
    }
}

/// A span without the white space at its ends that is not the passage's own.
fn tight(document: &Document, span: Span, passage: Span) -> Span {
    let part = document.part(span);
    let start = span.start + part.len() - part.trim_start().len();
    let end = span.start + part.trim_end().len();
    Span { start: start.min(passage.start), end: end.max(passage.end) }
}
