//! How much a model may think before it answers, and the words in which it is told.
//!
//! What is seen of an answer and what is thought before it are two bounds. Providers count both as output, so a call
//! with room for its answer alone comes back empty from a model that thinks.

use domain::{Effort, Prompt};

/// How hard a model is asked to think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Thinking {
    /// Checks and points, which are an answer of a few words, and all of a brief session.
    Low,
    /// What is read by people.
    Medium,
    /// The same in a deep session.
    High,
}

/// Up to so many tokens, an answer is a check or points.
const SHORT: u32 = 400;

impl Thinking {
    /// For a request, by how long its answer may be and the session's effort.
    pub(super) fn of(prompt: &Prompt) -> Self {
        Self::at(prompt.effort, prompt.max_tokens)
    }

    /// For an answer of so many tokens.
    pub(super) fn at(effort: Effort, tokens: u32) -> Self {
        match effort {
            _ if tokens <= SHORT => Self::Low,
            Effort::Brief => Self::Low,
            Effort::Standard => Self::Medium,
            Effort::Deep => Self::High,
        }
    }

    /// The word that all providers have for it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// Room for it in tokens, above the answer.
    pub(super) fn room(self) -> u32 {
        match self {
            Self::Low => 4_000,
            Self::Medium => 10_000,
            Self::High => 32_000,
        }
    }
}
