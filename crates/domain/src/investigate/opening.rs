//! How an investigation begins, as its investigator says it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Level, figures::Figures};

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

/// Different numbers from which a text is held to be worked out: what is given, and what follows.
const FIGURES: usize = 3;

impl Critic {
    /// The special checks that a text needs, whoever agrees with it: code tells from what stands there.
    #[must_use]
    pub fn needed_by(text: &str) -> Vec<Self> {
        let mut numbers: Vec<String> =
            Figures::of(text).quantities.into_iter().map(|quantity| quantity.number).collect();
        // A single digit counts something, or is the number of a page.
        numbers.retain(|number| number.len() > 1);
        numbers.sort_unstable();
        numbers.dedup();
        let calculates = (numbers.len() >= FIGURES).then_some(Self::Calculation);
        let runs = text.lines().any(|line| line.trim_start().starts_with("```"));
        calculates.into_iter().chain(runs.then_some(Self::Code)).collect()
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_worked_out_or_run_is_checked_whoever_agrees_with_it() {
        assert!(Critic::needed_by("It is 84,000 [1], and 84,000 again in 7 parts.").is_empty());
        let worked = Critic::needed_by("Twelve times 7,000 is 84,000, over 3 years 252,000.");
        assert_eq!(worked, [Critic::Calculation]);
        assert_eq!(Critic::needed_by("Run this:\n```sql\nVACUUM t;\n```"), [Critic::Code]);
    }
}
