//! What the calls of a critique begin with: the text, the section that is read, or the map of the whole.

use minijinja::{Value, context};

use super::Reading;
use crate::{
    domain::{DocumentSection, SectionId},
    prompt::{fence, quote::plain_name},
};

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
pub(super) fn material(reading: Reading<'_>, shown: Shown) -> Value {
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
        map => (!one && shown != Shown::Whole).then(|| map(reading)),
        text,
        number => section.map(|section| section.id.0),
        count => reading.sections.len(),
        // Names of files have no place in it: what others wrote is fenced, and this need not be.
        omitted => document.omissions.iter().map(|omission| omission.what.to_string()).collect::<Vec<_>>(),
        language => reading.brief.language,
    }
}

/// What fits beside `others`, so many characters that were found: the whole text, or its map.
pub(super) fn beside(reading: Reading<'_>, others: usize) -> Shown {
    let whole = reading.brief.document.text.chars().count();
    if whole + others <= reading.room() { Shown::Whole } else { Shown::Map }
}

/// The sections with their titles, and which of them nobody reads. Fenced, for titles come from the text.
fn map(reading: Reading<'_>) -> String {
    let lines: Vec<String> = reading.sections.iter().map(|section| line(reading, section)).collect();
    fence("map", &lines.join("\n"))
}

fn line(reading: Reading<'_>, section: &DocumentSection) -> String {
    let read = if reading.plan.read.contains(&section.id) { "" } else { " (not read)" };
    format!("{}. {}{read}", section.id.0, section.title)
}
