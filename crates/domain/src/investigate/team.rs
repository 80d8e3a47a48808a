//! A question to the team, which may answer it or let the session go on without.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Editing, Terms, is_blank};

/// Longest answer, in characters.
const MAX_ANSWER: usize = 1_000;

/// What the team is asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TeamQuestion {
    /// The question.
    pub question: String,
    /// Why it is asked, or what can be meant.
    pub why: Vec<String>,
    /// The answer; `None` until somebody writes one.
    pub answer: Option<String>,
    /// Who wrote it.
    #[serde(default)]
    pub by: String,
}

/// Why an answer is none.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum TeamAnswerError {
    /// Nothing in it.
    #[error(
        "The answer is empty. Write a sentence, or press **Go on** to let the investigation go on without one."
    )]
    Empty,
    /// Too long.
    #[error("The answer has {0} characters; at most 1,000 fit.")]
    Long(usize),
}

impl TeamQuestion {
    /// What is said around it.
    pub const TERMS: Terms = Terms {
        button: "Go on",
        under: "the question to the team",
        phase: (3, "A question to the team waits for an answer"),
        decide: "answer the investigation's question",
        absent: "This session has asked the team nothing.",
        begins: "The investigation goes on.",
        confirmed: "Let go on",
        fixed: "has pressed Go on already, so the investigation goes on. You can still add context for its next step.",
        edit: Some(Editing {
            button: "Answer",
            what: "the answer",
            saved: "Saved. Press **Go on** when the answer is as you want it.",
            late: "Somebody has answered after you, so theirs stands. The card in the thread shows it.",
            kept: "The answer is as it was.",
        }),
    };

    /// The same with the answer that somebody wrote into the form's only box.
    pub fn edited(&self, written: &BTreeMap<String, String>, by: &str) -> Result<Self, TeamAnswerError> {
        let text = written.values().next().map(|text| text.trim()).unwrap_or_default();
        match text.chars().count() {
            _ if is_blank(text) => Err(TeamAnswerError::Empty),
            long if long > MAX_ANSWER => Err(TeamAnswerError::Long(long)),
            _ => Ok(Self { answer: Some(text.to_owned()), by: by.to_owned(), ..self.clone() }),
        }
    }
}
