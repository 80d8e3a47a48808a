//! The cards of a critique, in the order in which they appear: what each member found (one message, edited as they come), what
//! each made of it after reading the others (another), the review, and the findings with what the team makes of them.
//!
//! Invariants: a quotation is shown as one only where it stands in the text, with its place, and else is said not to; what
//! nobody read, and who could not be asked, is named on the card and never behind a control alone; a severity and a verdict
//! are words with a sign, whatever the colour; nothing that a model wrote is cut. Called by `protocols::critique`, by `steps`
//! (what is kept true) and by `session` (what is behind a control).

mod estimate;
mod export;
mod finding;
mod quotation;
mod review;
mod round;
#[cfg(test)]
mod tests;
mod tree;
mod triage;

pub(super) use estimate::{WHAT, depth, less, map, read_so, why};
pub use export::triage_export;
pub use finding::finding;
pub use review::{review_cards, whole_review};
pub use round::{critiques_card, trees_card};
pub use tree::{whole_self_critique, whole_tree};
pub use triage::triage;

use super::{card, markdown, text};
use domain::{Confidence, Document, DocumentSection, Field, Philosopher, SectionId, Severity};

/// Stands before what the council or one of it says.
const COUNCIL: &str = "🏛️";

/// Longest text of a whole that is put on one line; far more than a model is asked for.
const WHOLE: usize = 8_000;

/// A document's name, as text.
fn name(document: &Document) -> String {
    text::label(&document.name, 100)
}

/// What a model wrote, on one line, whole.
fn line(text: &str) -> String {
    markdown::inline(text, WHOLE)
}

/// `Descartes, Popper and Russell`.
fn members(members: &[Philosopher]) -> String {
    let names: Vec<String> = members.iter().map(|member| member.name().to_owned()).collect();
    card::listed(&names)
}

/// `§2 Costs`; the number alone where nothing more is known of it.
fn section(id: SectionId, sections: &[DocumentSection]) -> String {
    let title =
        sections.iter().find(|section| section.id == id).map(|section| text::label(&section.title, 100));
    title.filter(|title| !title.is_empty()).map_or_else(|| id.to_string(), |title| format!("{id} {title}"))
}

/// A line for each of these sections, as many as fit.
fn section_lines(ids: &[SectionId], sections: &[DocumentSection], room: usize, where_else: &str) -> String {
    let lines: Vec<String> = ids.iter().map(|id| format!("- {}", section(*id, sections))).collect();
    card::lines(&lines, room, where_else)
}

/// What of the files is not in the text; nobody reads it, so nobody is to take it for read. And how they were read, where
/// that has to be known.
pub(super) fn omissions(document: &Document) -> Vec<Field> {
    let (missing, read) = card::omissions(&document.omissions);
    let field = |lines: Vec<String>, title: &str, before: &str| {
        let listed = card::lines(&items(&lines), card::FIELD_ROOM - 120, "like these.");
        (!lines.is_empty()).then(|| card::field(title, format!("{before}{listed}")))
    };
    let missing = field(missing, "⚠️ Not part of the text", "Only text is read. Nobody gets to see:\n");
    missing.into_iter().chain(field(read, "ℹ️ How it was read", "")).collect()
}

fn items(lines: &[String]) -> Vec<String> {
    lines.iter().map(|line| format!("- {line}")).collect()
}

/// `fairly sure (72 %)`: how sure a claim is, in words and as a number.
fn sure(confidence: Confidence) -> String {
    let words = match confidence.get() {
        0.85.. => "very sure",
        0.65.. => "fairly sure",
        0.45.. => "somewhat sure",
        0.3.. => "rather unsure",
        _ => "unsure",
    };
    format!("{words} ({})", card::percent(confidence.get()))
}

/// A severity without its sign.
fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "Critical",
        Severity::High => "High",
        Severity::Medium => "Medium",
        Severity::Low => "Low",
    }
}

/// A severity's sign, as [`card::severity`] shows it.
fn sign(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "🟥",
        Severity::High => "🟧",
        Severity::Medium => "🟨",
        Severity::Low => "🟦",
    }
}
