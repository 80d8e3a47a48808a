//! What came of a piece of code that a model wrote.

use serde::{Deserialize, Serialize};

/// What a piece of code printed and found, or why it did not. Whatever is wrong with it is a result, too.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Ran {
    /// What it printed, from its beginning.
    pub printed: String,
    /// The value of its last expression, as a console shows it; nothing where that has none.
    pub value: Option<String>,
    /// What went wrong, as a sentence.
    pub error: Option<String>,
    /// Whether more was printed than is kept.
    pub cut: bool,
    /// How many bytes of it are not kept; 0 where nobody could count them.
    pub left_out: u64,
}

impl Ran {
    /// One that did not get to run, for a reason that is a sentence.
    #[must_use]
    pub fn failed(error: impl Into<String>) -> Self {
        Self { error: Some(error.into()), ..Self::default() }
    }

    /// Whether it came to its end.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.error.is_none()
    }

    /// All of it, as a model and a person read it. Untrusted, like the code.
    #[must_use]
    pub fn told(&self) -> String {
        let mut parts = Vec::new();
        if !self.printed.is_empty() {
            parts.push(format!("It printed:\n{}", self.printed.trim_end_matches('\n')));
        }
        match (self.cut, self.left_out) {
            (false, _) => {}
            (true, 0) => parts.push("It printed more, which is not kept.".to_owned()),
            (true, bytes) => parts.push(format!("It printed {bytes} bytes more, which are not kept.")),
        }
        if let Some(value) = &self.value {
            parts.push(format!("The value of its last expression is {value}"));
        }
        parts.extend(self.error.clone());
        if parts.is_empty() {
            parts
                .push("It ran to its end, printed nothing, and its last expression has no value.".to_owned());
        }
        parts.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_came_of_it_is_told() {
        let ran = |printed: &str, value: Option<&str>, error: Option<&str>, left_out: Option<u64>| Ran {
            printed: printed.to_owned(),
            value: value.map(str::to_owned),
            error: error.map(str::to_owned),
            cut: left_out.is_some(),
            left_out: left_out.unwrap_or_default(),
        };
        for (ran, told) in [
            (
                ran("", None, None, None),
                "It ran to its end, printed nothing, and its last expression has no value.",
            ),
            (ran("", Some("42"), None, None), "The value of its last expression is 42"),
            (ran("a\nb\n", None, None, None), "It printed:\na\nb"),
            (
                ran("a", None, Some("It took too long."), Some(0)),
                "It printed:\na\nIt printed more, which is not kept.\nIt took too long.",
            ),
            (
                ran("a", Some("1"), None, Some(7)),
                "It printed:\na\nIt printed 7 bytes more, which are not kept.\nThe value of its last expression is 1",
            ),
        ] {
            assert_eq!(ran.told(), told);
        }
    }
}
