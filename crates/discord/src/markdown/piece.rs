//! What Discord knows to show, one piece below the other.

use super::token::Token;

/// A paragraph, heading, list item or block of code.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Piece {
    /// `## `, `- `, `3. `, or nothing.
    pub(super) marker: String,
    /// Columns before the marker.
    pub(super) indent: usize,
    /// Stands in a quotation.
    pub(super) quote: bool,
    /// What it says.
    pub(super) body: Body,
}

/// What a piece says.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Body {
    /// Words and their gaps.
    Words(Vec<Token>),
    /// Code. The lines of `head` are repeated wherever it is continued.
    Code { info: String, head: Vec<String>, lines: Vec<String> },
}

impl Piece {
    pub(super) fn paragraph(tokens: Vec<Token>, indent: usize, quote: bool) -> Self {
        Self { marker: String::new(), indent, quote, body: Body::Words(tokens) }
    }

    /// Code stands alone: inside an item or a quotation Discord shows fences badly.
    pub(super) fn code(info: String, head: Vec<String>, lines: Vec<String>) -> Self {
        Self { marker: String::new(), indent: 0, quote: false, body: Body::Code { info, head, lines } }
    }

    pub(super) fn is_empty(&self) -> bool {
        match &self.body {
            Body::Words(tokens) => tokens.is_empty(),
            Body::Code { head, lines, .. } => head.iter().chain(lines).all(|line| line.trim().is_empty()),
        }
    }

    pub(super) fn is_code(&self) -> bool {
        matches!(self.body, Body::Code { .. })
    }

    pub(super) fn is_heading(&self) -> bool {
        self.marker.starts_with('#')
    }

    pub(super) fn is_item(&self) -> bool {
        !self.marker.is_empty() && !self.is_heading()
    }
}
