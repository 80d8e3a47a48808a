//! The rules of the critique, case by case and for whatever comes.

mod grouping;
mod plans;
mod quotes;
mod sections;
mod segments;
mod values;

use super::*;
use crate::{Document, Span, sample::document};

/// Where a part of a text stands first.
fn span(text: &str, part: &str) -> Span {
    let start = text.find(part).unwrap();
    Span { start, end: start + part.len() }
}
