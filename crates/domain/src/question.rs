//! The question: what a session has to decide, in a sentence. A problem of one line is its own; of a longer one a
//! model says it, and whoever started the session may change it until the panel's members answer one another.

use serde::{Deserialize, Serialize};

use super::Problem;

/// Longest question, in characters.
pub const MAX_QUESTION: usize = 200;

/// Most characters of a problem that is read at a glance.
const LINE: usize = 120;

/// The question of a session, as its live card shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StatedQuestion {
    /// In a sentence; `None` while nobody has said it.
    pub text: Option<String>,
    /// The name of whoever changed it; `None`: as a model put it.
    pub changed_by: Option<String>,
    /// Whether it may still be changed.
    pub open: bool,
}

/// What a model made of a problem: the question, and where that was asked, whether the usual modules fit it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PutQuestion {
    /// The question alone.
    Alone(String),
    /// With whether what decides it is among what the usual modules look at.
    Judged {
        /// In a sentence.
        question: String,
        /// Whether they fit.
        usual_fit: bool,
    },
}

impl PutQuestion {
    /// The question.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Alone(question) | Self::Judged { question, .. } => question,
        }
    }

    /// Whether the usual modules are known to miss what decides it.
    #[must_use]
    pub fn is_missed(&self) -> bool {
        matches!(self, Self::Judged { usual_fit: false, .. })
    }
}

impl Problem {
    /// Whether it is longer than a line, so that its beginning may not say what has to be decided.
    #[must_use]
    pub fn is_longer_than_a_line(&self) -> bool {
        self.as_str().contains('\n') || self.as_str().chars().count() > LINE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_of_several_lines_or_of_a_long_one_is_longer_than_a_line() {
        let longer = |text: &str| Problem::new(text).unwrap().is_longer_than_a_line();
        assert!(!longer("Should we open on Sundays?"));
        assert!(!longer(&"é".repeat(120)));
        assert!(longer(&"é".repeat(121)));
        assert!(longer("We bake bread.\nShould we open on Sundays?"));
    }
}
