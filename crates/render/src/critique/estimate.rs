//! What a critique reads of its document, on the card that says what it takes.

use super::{
    super::{reading, text},
    card, section_lines,
};
use domain::{Document, DocumentSection, Field, Reading};

/// What will happen, in two lines.
pub(crate) const WHAT: &str = "Six critics, each in the manner of a philosopher, read the text and check themselves against \
                        one another.\nYou get one review, and say of each of its findings what becomes of it.";

/// Who reads how much at once, and how deep.
pub(crate) fn read_so(reading: &Reading) -> String {
    let parts = match reading.plan.read.len() {
        0 | 1 => "the whole text at once".to_owned(),
        parts => format!("the text in {parts} parts"),
    };
    format!("Six critics read {parts}, {} deep.", card::count(reading.plan.depth.levels(), "level"))
}

/// Why somebody is asked about it.
pub(crate) fn why(reading: &Reading) -> Vec<String> {
    let mut why = Vec::new();
    if !reading.plan.unread.is_empty() {
        why.push("not all of the text would be read".to_owned());
    }
    if reading.plan.depth.levels() < reading.plan.wanted.levels() {
        why.push("it would go less deep than was asked".to_owned());
    }
    why
}

/// What falls short of what was asked for.
pub(crate) fn less(reading: &Reading) -> Vec<Field> {
    let plan = &reading.plan;
    let mut fields = Vec::new();
    if !plan.unread.is_empty() {
        let value = format!(
            "The session's budget does not reach for {} of {}:\n{}",
            plan.unread.len(),
            card::count(reading.sections.len(), "section"),
            section_lines(&plan.unread, &reading.sections, card::FIELD_ROOM - 120, "like these.")
        );
        fields.push(card::field("⚠️ Will not be read", value));
    }
    if plan.depth.levels() < plan.wanted.levels() {
        let value = format!(
            "{} asked for, {} fit the session's budget.",
            card::count(plan.wanted.levels(), "level"),
            plan.depth.levels()
        );
        fields.push(card::field("⚠️ Less deep than asked", value));
    }
    fields
}

/// How deep it goes.
pub(crate) fn depth(reading: &Reading) -> String {
    match (reading.plan.depth.levels(), reading.plan.branches) {
        (1, _) | (_, 0) => "1 level".to_owned(),
        (depth, branches) => {
            format!(
                "{depth} levels, with up to {} of each reading looked into",
                card::count(branches, "claim")
            )
        }
    }
}

/// The sections that are read, in short.
pub(crate) fn map(document: &Document, reading: &Reading) -> Field {
    let plan = &reading.plan;
    let read: Vec<&DocumentSection> =
        reading.sections.iter().filter(|section| plan.read.contains(&section.id)).collect();
    if let ([_], true) = (&read[..], plan.unread.is_empty()) {
        return card::field("🗺️ The text", "Short enough to be read whole, at once.");
    }
    let line = |section: &&DocumentSection| {
        format!(
            "- {} {} · {}",
            section.id,
            text::label(&section.title, 60),
            reading::place(document, section.span)
        )
    };
    let lines: Vec<String> = read.iter().map(line).collect();
    card::field(
        format!("🗺️ Will be read, in {}", card::count(read.len(), "part")),
        card::lines(&lines, card::FIELD_ROOM - 100, "like these."),
    )
}
