//! What has to be decided, as somebody typed it, and when there is nothing to read in a text.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::shortened;

/// Longest problem, in characters.
pub const MAX_PROBLEM_CHARS: usize = 4_000;

/// Why a text is not a problem.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ProblemError {
    /// Nothing, or only white space and invisible characters.
    #[error("The problem is empty. Describe in a sentence or more what has to be decided.")]
    Empty,
    /// Too long.
    #[error(
        "The problem has {0} characters; at most 4,000 fit. Shorten it and attach the rest as a document."
    )]
    Long(usize),
}

/// What has to be decided: 1 to 4,000 characters with something to read in them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Problem(String);

impl Problem {
    /// Takes a member's text, trimmed.
    pub fn new(text: &str) -> Result<Self, ProblemError> {
        let text = text.trim();
        match text.chars().count() {
            _ if is_blank(text) => Err(ProblemError::Empty),
            long if long > MAX_PROBLEM_CHARS => Err(ProblemError::Long(long)),
            _ => Ok(Self(text.to_owned())),
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A title of at most `most` characters: the first line, cut at a word.
    #[must_use]
    pub fn title(&self, most: usize) -> String {
        shortened(self.0.lines().next().unwrap_or_default(), most)
    }

    /// What it asks, in at most `most` characters: the last of its lines that ends with a question mark, where one fits whole;
    /// else its title.
    #[must_use]
    pub fn asks(&self, most: usize) -> String {
        let asked = self.0.lines().map(str::trim).rfind(|line| line.ends_with(['?', '？', '؟']));
        let fitting = asked.filter(|line| (2..=most).contains(&line.chars().count()));
        fitting.map_or_else(|| self.title(most), str::to_owned)
    }
}

impl TryFrom<String> for Problem {
    type Error = ProblemError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::new(&text)
    }
}

impl From<Problem> for String {
    fn from(problem: Problem) -> Self {
        problem.0
    }
}

/// Whether there is nothing to read in a text: no character at all, or only such as nobody sees.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    !text.chars().any(|c| !c.is_whitespace() && !c.is_control() && !is_invisible(c))
}

/// Zero-width and direction marks, and letters that are drawn as nothing.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{ad}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}' | '\u{115f}' | '\u{1160}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_have_something_to_read_in_them() {
        for empty in ["", "   \n\t ", "\u{200b}\u{feff}", "\u{0}"] {
            assert_eq!(Problem::new(empty), Err(ProblemError::Empty), "{empty:?}");
        }
        assert!(Problem::new(&"é".repeat(4_000)).is_ok());
        assert_eq!(Problem::new(&"é".repeat(4_001)), Err(ProblemError::Long(4_001)));
    }

    #[test]
    fn what_is_asked_is_the_last_line_that_asks() {
        let asks = |text: &str| Problem::new(text).unwrap().asks(40);
        assert_eq!(
            asks("We rent a yard.\nBuy it?\nShould we pay 2.5 % more?\nMoney is short."),
            "Should we pay 2.5 % more?"
        );
        assert_eq!(asks("Do we buy from Dr. Weber or wait?"), "Do we buy from Dr. Weber or wait?");
        assert_eq!(asks("We rent a yard. Decide."), "We rent a yard. Decide.");
        let long = format!("Is this {} too long?", "far ".repeat(20));
        assert!(asks(&long).starts_with("Is this far") && asks(&long).ends_with('…'));
    }

    #[test]
    fn titles_are_cut_at_words() {
        let problem = Problem::new("We want to build a food delivery app\nfor a town").unwrap();
        assert_eq!(problem.title(100), "We want to build a food delivery app");
        assert_eq!(problem.title(20), "We want to build a…");
        assert_eq!(Problem::new(&"x".repeat(50)).unwrap().title(10).chars().count(), 10);
    }
}
