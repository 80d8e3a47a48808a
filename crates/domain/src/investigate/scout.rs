//! Scouts: they answer first, each alone.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Level, ModelName};

/// A scout's place, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ScoutId(pub u8);

/// As steps and prompts spell it: `scout-1`.
impl fmt::Display for ScoutId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "scout-{}", self.0)
    }
}

impl ScoutId {
    /// As people read it: `Scout 1`.
    #[must_use]
    pub fn title(self) -> String {
        format!("Scout {}", self.0)
    }

    /// Reads what a model calls one, in any case: `scout-2`, `Scout 2`, `2`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let digits = text.trim().to_lowercase();
        let digits = digits.strip_prefix("scout").unwrap_or(&digits);
        digits.trim_matches(['-', ' ', '_', '#']).parse().ok().map(Self)
    }
}

/// A scout's answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ScoutAnswer {
    /// Whose.
    pub scout: ScoutId,
    /// The question as it understood it.
    pub understood: String,
    /// What it answers, in a sentence or two.
    pub answer: String,
    /// Why, in Markdown.
    pub reasoning: String,
    /// What the answer rests on, each a sentence that could be checked.
    pub claims: Vec<String>,
    /// How sure it says it is.
    pub confidence: Level,
    /// The model the provider says answered.
    pub answered_by: String,
    /// Citations the code took out because nothing was searched.
    pub dropped_citations: u32,
    /// The model that answered in place of its own, which is then no uninvolved one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stand_in: Option<ModelName>,
}

impl ScoutAnswer {
    /// How its claims are numbered: `scout-2.1`.
    #[must_use]
    pub fn claim_ids(&self) -> Vec<String> {
        (1..=self.claims.len()).map(|number| format!("{}.{number}", self.scout)).collect()
    }
}

/// What became of a scout.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Scout {
    /// It answered.
    Answered(ScoutAnswer),
    /// It could not.
    Silent(ScoutId),
}

impl Scout {
    /// The answers there are.
    #[must_use]
    pub fn answers(all: Vec<Self>) -> Vec<ScoutAnswer> {
        let said = |scout| match scout {
            Self::Answered(answer) => Some(answer),
            Self::Silent(_) => None,
        };
        all.into_iter().filter_map(said).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scout_is_read_however_a_model_spells_it() {
        for text in ["scout-2", "Scout 2", " SCOUT_2 ", "2", "scout #2"] {
            assert_eq!(ScoutId::read(text), Some(ScoutId(2)), "{text}");
        }
        for text in ["", "scout", "two", "scout-2 and 3", "-"] {
            assert_eq!(ScoutId::read(text), None, "{text}");
        }
    }
}
