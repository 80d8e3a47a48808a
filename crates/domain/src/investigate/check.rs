//! Checks: a claim or a disagreement looked at by code, by the web, or by a model that has no part in it.

use serde::{Deserialize, Serialize};

use super::ScoutId;
use crate::{Citing, ModelName, Source};

/// By what something was checked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckedBy {
    /// A calculation that was run.
    Code {
        /// The program.
        code: String,
        /// What it printed, or why it failed.
        printed: String,
    },
    /// Pages of the web that it cites.
    Pages,
    /// A model that was asked for nothing else.
    Model(ModelName),
}

impl CheckedBy {
    /// In words, behind `checked`: `by a calculation`.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Code { .. } => "by a calculation".to_owned(),
            Self::Pages => "on the web".to_owned(),
            Self::Model(model) => format!("by {}, asked alone, from memory", model.shown()),
        }
    }
}

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// The position of this place, from 0, holds.
    Holds(usize),
    /// None of the positions holds.
    None,
    /// It could not be told.
    Unsettled,
}

/// A check of a matter: a disagreement's sides, or a claim and its denial.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Check {
    /// What it is about.
    pub topic: String,
    /// What could be so.
    pub positions: Vec<String>,
    /// Who says it alone, where that is why it was checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lone: Option<ScoutId>,
    /// What was found.
    pub finding: Finding,
    /// By what.
    pub by: CheckedBy,
    /// Why, in a sentence or two.
    pub why: String,
    /// The pages that the reason cites, from 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<Source>,
    /// Whether the model that judged had no part in what it judged.
    pub independent: bool,
    /// Citations the code took out because they named no page that was found.
    pub dropped_citations: u32,
}

impl Check {
    /// Whether something holds, or nothing does.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.finding != Finding::Unsettled
    }

    /// Whether it found that this claim, which is what it was about, holds.
    #[must_use]
    pub fn confirms(&self, claim: &str) -> bool {
        self.topic == claim && self.holds() == Some(claim)
    }

    /// Whether this is one of its positions.
    #[must_use]
    pub fn has(&self, position: &str) -> bool {
        self.positions.iter().any(|own| own == position)
    }

    /// Whether it found that the claim which it was about does not hold.
    #[must_use]
    pub fn denies(&self) -> bool {
        self.is_settled() && self.positions.contains(&self.topic) && !self.confirms(&self.topic)
    }

    /// The position that holds.
    #[must_use]
    pub fn holds(&self) -> Option<&str> {
        match self.finding {
            Finding::Holds(place) => self.positions.get(place).map(String::as_str),
            Finding::None | Finding::Unsettled => None,
        }
    }
}

impl Citing for Check {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        change(&mut self.why);
    }

    fn sources(&mut self) -> &mut Vec<Source> {
        &mut self.pages
    }
}
