//! Model Markdown as Discord Markdown.

use super::text;

/// A first form: cleaned and cut, not yet split by structure.
#[must_use]
pub fn parts(markdown: &str, most: usize) -> Vec<String> {
    let text = text::defuse(&text::clean(markdown));
    let mut rest = text.trim();
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let head = text::head(rest, most);
        parts.push(head.to_owned());
        rest = rest[head.len()..].trim_start();
    }
    parts
}

/// Markdown on one line of at most `most` units.
#[must_use]
pub fn inline(markdown: &str, most: usize) -> String {
    text::label(markdown, most)
}

/// Markdown cut after at most `most` units.
#[must_use]
pub fn short(markdown: &str, most: usize) -> String {
    text::cut(&text::defuse(&text::clean(markdown)), most)
}
