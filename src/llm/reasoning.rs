//! How much a model may think before it answers, and how each provider is told.
//!
//! What is seen of an answer and what is thought before it are two bounds. Providers count both as output, so a call
//! with room for its answer alone comes back empty from a model that thinks.

use super::{learned::Dropped, learned::Parameter, price};
use crate::domain::{ModelName, Prompt};

/// How hard a model is asked to think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effort {
    /// Checks and points: an answer of a few words.
    Low,
    /// What is read by people.
    Medium,
}

/// Up to so many tokens, an answer is a check or points.
const SHORT: u32 = 400;

impl Effort {
    /// For a request, by how long its answer may be.
    pub(super) fn of(prompt: &Prompt) -> Self {
        if prompt.max_tokens <= SHORT { Self::Low } else { Self::Medium }
    }

    /// The word that all providers have for it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
        }
    }

    /// Room for it in tokens, above the answer.
    pub(super) fn room(self) -> u32 {
        match self {
            Self::Low => 4_000,
            Self::Medium => 10_000,
        }
    }
}

/// The effort to ask for, where the list knows the model as one that takes it and it has not refused it.
pub(super) fn asked_for(model: &ModelName, prompt: &Prompt, dropped: Dropped) -> Option<Effort> {
    let told = prompt.room > 0 && price::reasons(model) && !dropped.has(Parameter::Effort);
    told.then(|| Effort::of(prompt))
}
