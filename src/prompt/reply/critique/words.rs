//! Small readings of what members write: whether it says something, whether it says the same, quotation marks.

use std::collections::BTreeSet;

use crate::{
    domain::one_line,
    prompt::reply::notary::{share, stems},
};

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

/// Two claims that share at least this part of their words, each way, say the same.
const SAME: f64 = 0.9;

/// Words that turn what is said into its opposite, in a few languages.
const DENIALS: [&str; 16] = [
    "no", "not", "never", "none", "nor", "neither", "without", "cannot", "nothing", "nicht", "kein", "keine",
    "nie", "pas", "sin", "non",
];

/// Whether a text says something, rather than stand in the place of something.
pub(super) fn says_something(text: &str) -> bool {
    let plain = plain(text);
    let plain = plain.as_str();
    plain.chars().any(char::is_alphanumeric) && !NOTHING.contains(&plain) && !ECHOES.contains(&plain)
}

/// Whether two texts say the same, but for order, endings and small words. One that denies what the other says does
/// not, nor one that names other numbers.
pub(super) fn same(one: &str, other: &str) -> bool {
    let (a, b) = (stems(one), stems(other));
    if a.is_empty() || b.is_empty() {
        return plain(one) == plain(other);
    }
    share(&a, &b) >= SAME
        && share(&b, &a) >= SAME
        && denies(one) == denies(other)
        && numbers(one) == numbers(other)
}

fn denies(text: &str) -> bool {
    let plain = plain(&text.to_lowercase().replace("n't", " not").replace("n’t", " not"));
    plain.split(' ').any(|word| DENIALS.contains(&word))
}

fn numbers(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).collect()
}

/// Which part of a text's words stand in others; 0 for a text without words of weight.
pub(super) fn spoken_in(text: &str, others: &[&str]) -> f64 {
    let all: BTreeSet<String> = others.iter().flat_map(|other| stems(other)).collect();
    share(&stems(text), &all)
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
