//! The whole text behind a card.

use super::{Numbered, Source};

/// What a card shows in part, whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FullText {
    /// Above it.
    pub title: String,
    /// In Markdown.
    pub text: String,
    /// The pages that its marks point at.
    pub sources: Vec<Numbered>,
}

impl FullText {
    /// The text, and below it the pages, in Markdown.
    #[must_use]
    pub fn with_sources(&self) -> String {
        if self.sources.is_empty() {
            return self.text.clone();
        }
        let page = |Numbered { number, source: Source { title, url, .. } }: &Numbered| {
            format!("- \\[{number}\\] {}: <{}>", plain(title), url.as_str())
        };
        let pages: Vec<String> = self.sources.iter().map(page).collect();
        format!("{}\n\n**Sources**\n\n{}", self.text, pages.join("\n"))
    }
}

/// A title, which is whatever a page says, without what Markdown would take for its own.
fn plain(title: &str) -> String {
    title
        .replace(['<', '>', '[', ']', '*', '_', '`', '\\', '|', '!'], " ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

impl From<(String, String)> for FullText {
    fn from((title, text): (String, String)) -> Self {
        Self { title, text, sources: Vec::new() }
    }
}
