//! What is debated: as somebody typed it, and as a neutral question that can be answered for or against.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Problem, is_blank, written::word};

/// Longest proposition, in characters, as typed and as normalised.
pub const MAX_PROPOSITION_CHARS: usize = 500;

/// Why a text cannot be debated; each says what is valid.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PropositionError {
    /// Nothing to read.
    #[error(
        "The proposition is empty. Write what should be debated, such as “Should we move to a four-day week?”."
    )]
    Empty,
    /// Too long.
    #[error(
        "The proposition has {0} characters; at most 500 fit. Put it in one question; background can be added as evidence."
    )]
    Long(usize),
    /// Too short to be for or against.
    #[error(
        "“{0}” is not something one can be for or against. Write a question such as “Should we move to a four-day week?”."
    )]
    Short(String),
}

/// Takes what somebody typed as a proposition: a problem of 1 to 500 characters and at least three words.
pub fn debatable(text: &str) -> Result<Problem, PropositionError> {
    let text = text.trim();
    match text.chars().count() {
        _ if is_blank(text) => Err(PropositionError::Empty),
        long if long > MAX_PROPOSITION_CHARS => Err(PropositionError::Long(long)),
        _ if too_short(text) => Err(PropositionError::Short(text.chars().take(60).collect())),
        _ => Problem::new(text).map_err(|_| PropositionError::Empty),
    }
}

/// Fewer than three words, in writings that set spaces between words.
fn too_short(text: &str) -> bool {
    text.is_ascii() && text.split_whitespace().count() < 3
}

/// By what kind of reason the question is mostly decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Framing {
    /// What a body should do.
    Policy,
    /// What is right.
    Ethical,
    /// What works.
    Technical,
    /// How to go about it.
    Practical,
}

/// How much of something there is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Little of it.
    Low,
    /// Some of it.
    Medium,
    /// Much of it.
    High,
}

/// Within which bounds the question is asked; empty where nothing was said.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PropositionContext {
    /// Where; empty if nothing was said.
    #[schemars(length(max = 120))]
    pub geography: String,
    /// When; empty if nothing was said.
    #[schemars(length(max = 120))]
    pub timeframe: String,
    /// Of which field.
    #[schemars(length(max = 120))]
    pub domain: String,
    /// Whom it concerns.
    #[schemars(length(max = 6), inner(length(max = 80)))]
    pub stakeholders: Vec<String>,
    /// What one has to know, from what was written only; empty if nothing was said.
    #[schemars(length(max = 500))]
    pub background: String,
}

/// The proposition as the gatekeeper of a debate writes it, the bounds before the question that keeps within them, and
/// as every prompt of the debate carries it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Proposition {
    /// As it was typed.
    #[serde(default)]
    #[schemars(skip)]
    pub raw: String,
    /// The bounds.
    pub context: PropositionContext,
    /// One neutral question that can be answered for or against.
    #[serde(rename(deserialize = "normalized_question"), alias = "question")]
    #[schemars(length(max = 400))]
    pub question: String,
    /// What was changed and why, in a sentence; empty if nothing was.
    #[schemars(length(max = 260))]
    pub changed: String,
    /// policy: what a body should do; ethical: what is right; technical: what works; practical: how to go about it.
    #[serde(deserialize_with = "word")]
    #[schemars(with = "Framing")]
    pub framing: Framing,
    /// How many things hang together in it.
    #[serde(deserialize_with = "word")]
    #[schemars(with = "Level")]
    pub complexity: Level,
    /// Why it cannot be debated, and what to write instead; null if it can.
    #[schemars(length(max = 300))]
    pub objection: Option<String>,
    /// The model that put it neutrally; `None`: it stands as it was typed, because none could.
    #[schemars(skip)]
    pub answered_by: Option<String>,
    /// The name of whoever edited it last.
    #[schemars(skip)]
    pub edited_by: Option<String>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_can_be_debated_is_told_from_what_cannot() {
        for (text, taken) in [
            ("Should we move to a four-day week?", Ok("Should we move to a four-day week?")),
            ("  ban cars downtown\n", Ok("ban cars downtown")),
            ("Остановить стройку", Ok("Остановить стройку")),
            ("是否应该暂停建设数据中心？", Ok("是否应该暂停建设数据中心？")),
            ("", Err(PropositionError::Empty)),
            (" \n\t", Err(PropositionError::Empty)),
            ("\u{200b}\u{feff}", Err(PropositionError::Empty)),
            ("yes", Err(PropositionError::Short("yes".to_owned()))),
            (" hello there ", Err(PropositionError::Short("hello there".to_owned()))),
        ] {
            let problem = debatable(text);
            assert_eq!(problem.as_ref().map(Problem::as_str), taken.as_ref().copied(), "{text:?}");
        }
    }

    #[test]
    fn the_length_counts_characters_and_not_bytes() {
        let fits = format!("ü ü {}", "ü".repeat(MAX_PROPOSITION_CHARS - 4));
        assert_eq!(debatable(&fits).unwrap().as_str(), fits);
        assert_eq!(debatable(&format!("{fits}ü")), Err(PropositionError::Long(501)));
        assert!(debatable(&format!("\n {fits} \n")).is_ok(), "what is trimmed does not count");
    }

    #[test]
    fn each_error_says_what_is_valid() {
        let long = debatable(&"word ".repeat(200)).unwrap_err().to_string();
        assert!(long.contains("999 characters") && long.contains("at most 500"), "{long}");
        let short = debatable(&"w".repeat(400)).unwrap_err().to_string();
        assert!(short.contains(&format!("“{}”", "w".repeat(60))) && short.contains('?'), "{short}");
        assert!(debatable("").unwrap_err().to_string().contains("Write what should be debated"));
    }

    proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn whatever_is_taken_is_within_bounds(text in "\\PC{0,600}|[a-z ]{0,520}|(?s).{0,80}") {
            match debatable(&text) {
                Ok(problem) => {
                    let taken = problem.as_str();
                    prop_assert_eq!(taken, text.trim());
                    prop_assert!((1..=MAX_PROPOSITION_CHARS).contains(&taken.chars().count()) && !is_blank(taken));
                    prop_assert!(!taken.is_ascii() || taken.split_whitespace().count() >= 3);
                }
                Err(PropositionError::Empty) => prop_assert!(is_blank(text.trim())),
                Err(PropositionError::Long(chars)) => prop_assert!(chars > MAX_PROPOSITION_CHARS),
                Err(PropositionError::Short(start)) => prop_assert!(text.trim().starts_with(&start)),
            }
        }
    }
}
