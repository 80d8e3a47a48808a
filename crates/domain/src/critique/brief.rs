//! What a critique is asked.

use serde::{Deserialize, Serialize};

use crate::{Brief, Document, Effort, Problem, Seat, TreeDepth};

/// A critique's brief.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CritiqueBrief {
    /// `Critique of plan.pdf`: what the session and its vote are called.
    pub problem: Problem,
    /// What is examined.
    pub document: Document,
    /// How deep the trees may grow.
    pub depth: TreeDepth,
    /// Most characters of the document that a model reads at once.
    pub at_once: usize,
    /// The council's models, in the order of [`Philosopher::ALL`](crate::Philosopher::ALL).
    pub members: Vec<Seat>,
    /// Who writes the review.
    pub reviewer: Seat,
    /// Who compares the claims.
    pub checker: Seat,
    /// The language the answers should be in, as a name (`English`); `None`: the document's own.
    pub language: Option<String>,
    /// How much is asked of everybody.
    pub effort: Effort,
    /// The date on which it began, as people write it: `27 November 2026`.
    #[serde(default)]
    pub today: String,
}

impl CritiqueBrief {
    /// Fewest letters and digits of a text that six can say anything about.
    pub const LEAST_LETTERS: usize = 100;

    /// Most characters of a request's text and of what was found in it, so that both fit a small model.
    #[must_use]
    pub fn room(&self) -> usize {
        self.at_once.saturating_mul(3) / 2
    }
}

impl TryFrom<Brief> for CritiqueBrief {
    type Error = Brief;

    fn try_from(brief: Brief) -> Result<Self, Brief> {
        match brief {
            Brief::Critique(brief) => Ok(brief),
            other => Err(other),
        }
    }
}
