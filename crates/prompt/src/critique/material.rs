//! What the calls of a critique begin with: the text, the section that is read, or the map of the whole.

use std::ops::Range;

use minijinja::{Value, context};

use super::Desk;
use crate::{fence, quote::plain_name};
use domain::{Document, DocumentSection, Omitted, SectionId};

/// What of the text a request shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shown {
    /// One section, which is the whole text where there is only one.
    Section(SectionId),
    /// The whole text.
    Whole,
    /// The titles of its sections only.
    Map,
}

/// What every call that shows the same has in common, to the byte.
pub(super) fn material(reading: Desk<'_>, shown: Shown) -> Value {
    let document = &reading.brief.document;
    let one = reading.sections.len() <= 1;
    let section = match shown {
        Shown::Section(id) if !one => reading.sections.iter().find(|section| section.id == id),
        _ => None,
    };
    let text = match (shown, section) {
        (Shown::Map, _) => None,
        (_, Some(section)) => Some(fence("section", document.part(section.span))),
        (Shown::Section(_) | Shown::Whole, None) => Some(fence("document", &document.text)),
    };
    context! {
        name => plain_name(&document.name),
        // A map beside the whole text would say nothing new.
        map => (!one && shown != Shown::Whole).then(|| map(reading, section.map(|section| section.id))),
        text,
        number => section.map(|section| section.id.0),
        count => reading.sections.len(),
        // Names of files and sheets have no place in it: what others wrote is fenced, and this need not be.
        omitted => told(document, true),
        remarks => told(document, false),
        language => reading.brief.language,
        today => reading.brief.today,
    }
}

/// What is missing of the text, or how it was read.
fn told(document: &Document, missing: bool) -> Vec<String> {
    let of = document.omissions.iter().map(|omission| &omission.what);
    of.filter(|what| what.is_missing() == missing).map(Omitted::without_names).collect()
}

/// The sections with their titles, and which of them nobody reads: all of them, or as many around the one that is read
/// as fit half of what is read at once. Fenced, for titles come from the text.
fn map(reading: Desk<'_>, around: Option<SectionId>) -> String {
    let lines: Vec<String> = reading.sections.iter().map(|section| line(reading, section)).collect();
    let at = around.and_then(|id| reading.sections.iter().position(|section| section.id == id));
    let shown = around_of(&lines, at.unwrap_or_default(), reading.brief.at_once / 2);
    let left = |count: usize, place: &str| (count > 0).then(|| format!("({count} more {place} these)"));
    let mut parts: Vec<String> = left(shown.start, "before").into_iter().collect();
    parts.extend_from_slice(&lines[shown.clone()]);
    parts.extend(left(lines.len() - shown.end, "after"));
    fence("map", &parts.join("\n"))
}

/// Which lines fit in so many characters: the one at this place whatever its length, and those around it by turns.
fn around_of(lines: &[String], at: usize, room: usize) -> Range<usize> {
    let length = |place: usize| lines.get(place).map(|line| line.chars().count() + 1);
    let mut shown = at..(at + 1).min(lines.len());
    let mut left = room.saturating_sub(length(at).unwrap_or_default());
    loop {
        let after = length(shown.end).filter(|length| *length <= left);
        if let Some(length) = after {
            left -= length;
            shown.end += 1;
        }
        let before = shown.start.checked_sub(1).and_then(length).filter(|length| *length <= left);
        if let Some(length) = before {
            left -= length;
            shown.start -= 1;
        }
        if after.is_none() && before.is_none() {
            return shown;
        }
    }
}

fn line(reading: Desk<'_>, section: &DocumentSection) -> String {
    let read = if reading.plan.read.contains(&section.id) { "" } else { " (not read)" };
    format!("{}. {}{read}", section.id.0, section.title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_map_what_is_around_the_section_is_shown() {
        let lines: Vec<String> = (0..10).map(|place| format!("line {place}")).collect();
        for (at, room, shown) in
            [(0, 1_000, 0..10), (4, 7 * 4, 3..7), (0, 7 * 3, 0..3), (9, 7 * 3, 7..10), (5, 0, 5..6)]
        {
            assert_eq!(around_of(&lines, at, room), shown, "{at} in {room}");
        }
        assert_eq!(around_of(&[], 0, 100), 0..0);
    }
}
