//! Quotations with their places. They are the document's words, so they are shown as text and never as markup.

use super::{super::text, WHOLE};
use domain::{ClaimEvidence, Document, Span};

/// Where something stands, as text: the name of a file may be in it.
pub(super) fn place(document: &Document, span: Span) -> String {
    text::label(&document.place(span).to_string(), 160)
}

/// `“The budget covers it.” (page 3, line 12)`, on one line.
pub(super) fn inline(document: &Document, evidence: &ClaimEvidence) -> String {
    let words = words(evidence);
    match (evidence.found, words.is_empty()) {
        (Some(span), _) => format!("“{words}” ({})", place(document, span)),
        (None, true) => NONE.to_owned(),
        (None, false) => format!("⚠️ Not quoted, for these words do not stand in the text: “{words}”"),
    }
}

/// The same as a block of its own: the quotation marked as one, its place behind it.
pub(super) fn block(document: &Document, evidence: &ClaimEvidence) -> String {
    let words = words(evidence);
    match (evidence.found, words.is_empty()) {
        (Some(span), _) => format!("> “{words}” ({})", place(document, span)),
        (None, true) => NONE.to_owned(),
        (None, false) => {
            format!("⚠️ **Not quoted:** the words given do not stand in the text. They were: “{words}”")
        }
    }
}

/// Said where no evidence was given at all.
pub(super) const NONE: &str = "⚠️ **Not quoted:** no words of the text were given.";

/// The words without marks around them.
fn words(evidence: &ClaimEvidence) -> String {
    let marks: &[char] = &['"', '“', '”', '„', '«', '»', ' ', '\n', '\t'];
    text::label(evidence.quote.trim_matches(marks), WHOLE)
}
