//! Small readings of what members write: whether it says something, quotation marks.

use domain::one_line;

/// What models write where they have nothing to say.
const NOTHING: [&str; 14] = [
    "",
    "na",
    "n a",
    "none",
    "null",
    "nil",
    "nothing",
    "no claim",
    "no claims",
    "no issue",
    "no issues",
    "no finding",
    "no findings",
    "nothing is wrong",
];

/// Whether a text says something, rather than stand in the place of something.
pub(super) fn says_something(text: &str) -> bool {
    let plain = plain(text);
    let plain = plain.as_str();
    plain.chars().any(char::is_alphanumeric) && !NOTHING.contains(&plain)
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
