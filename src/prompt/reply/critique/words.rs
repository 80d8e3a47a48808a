//! Small readings of what members write: whether it says something, quotation marks.

use crate::domain::one_line;

/// What models write where they have nothing to say, or what they copy out of the request.
const NOTHING: [&str; 26] = [
    "",
    "na",
    "n a",
    "none",
    "null",
    "nil",
    "nothing",
    "string",
    "text",
    "claim",
    "claims",
    "quote",
    "area",
    "topic",
    "placeholder",
    "todo",
    "tbd",
    "example",
    "no claim",
    "no claims",
    "no issue",
    "no issues",
    "no finding",
    "no findings",
    "nothing is wrong",
    "one or two sentences at most 45 words",
];

/// The words of the request that a claim must not merely repeat.
const ECHOES: [&str; 3] = [
    "what is wrong or missing",
    "what is wrong with what stands in the text or what is missing that it cannot do without",
    "what is wrong or missing and what follows from it",
];

/// Whether a text says something, rather than stand in the place of something.
pub(super) fn says_something(text: &str) -> bool {
    let plain = plain(text);
    let plain = plain.as_str();
    plain.chars().any(char::is_alphanumeric) && !NOTHING.contains(&plain) && !ECHOES.contains(&plain)
}

/// Letters and digits in small letters, a space between words.
fn plain(text: &str) -> String {
    let plain: String =
        text.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    one_line(&plain)
}

/// A quotation without the marks around it, which whoever shows it adds.
pub(super) fn unquoted(text: &str) -> &str {
    const MARKS: [char; 10] = ['"', '“', '”', '„', '«', '»', '‘', '’', '\'', '`'];
    let text = text.trim();
    let inner = text.strip_prefix(MARKS).and_then(|rest| rest.strip_suffix(MARKS));
    inner.map_or(text, str::trim)
}
