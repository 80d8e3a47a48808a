//! How an investigation begins, as its investigator says it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Level;

/// What kind of question it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuestionKind {
    /// Nobody knows yet how to answer it.
    Open,
    /// A known procedure answers it.
    Routine,
    /// Somebody has to show how it was answered.
    Accountable,
}

/// A special check that an answer needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Critic {
    /// Of its figures.
    Calculation,
    /// Of its units and dates.
    UnitsAndDates,
    /// Of its programs, queries and commands.
    Code,
}

impl Critic {
    /// What is checked of the answer.
    #[must_use]
    pub fn topic(self) -> &'static str {
        match self {
            Self::Calculation => "The calculation in this answer",
            Self::UnitsAndDates => "The units, currencies and dates in this answer",
            Self::Code => {
                "The programs, queries and commands in this answer: whether they run, and do what it says"
            }
        }
    }
}

/// How to begin.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The question without ambiguity.
    #[schemars(length(max = 280))]
    pub restated: String,
    /// How clear it is what would count as an answer.
    pub clarity: Level,
    /// What kind of question it is.
    pub kind: QuestionKind,
    /// Which special checks the answer will need.
    #[schemars(length(max = 3))]
    pub critics: Vec<Critic>,
    /// What would tell most.
    #[schemars(length(max = 180))]
    pub first: String,
}
