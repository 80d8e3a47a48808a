//! What a critique is asked.

use serde::{Deserialize, Serialize};

use crate::{
    Brief, Document, Effort, Estimate, OptionName, Problem, Seat, TreeDepth,
    brief::{SessionBrief, said_alike},
};

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

impl SessionBrief for CritiqueBrief {
    said_alike!();

    fn document(&self) -> Option<&Document> {
        Some(&self.document)
    }

    fn replace_document(&mut self, document: Document) {
        self.document = document;
    }

    fn panel(&self) -> Vec<&Seat> {
        self.members.iter().collect()
    }

    fn beside(&self) -> Vec<&Seat> {
        vec![&self.reviewer, &self.checker]
    }

    fn seats_mut(&mut self) -> Vec<&mut Seat> {
        self.members.iter_mut().chain([&mut self.reviewer]).collect()
    }

    fn options(&self) -> Vec<(OptionName, String)> {
        vec![(OptionName::Depth, self.depth.levels().to_string())]
    }

    fn phases(&self) -> u8 {
        5
    }

    fn measured(&self) -> &'static crate::measured::Sessions {
        &crate::measured::CRITIQUE
    }

    fn takes_a_question(&self) -> bool {
        // It has its document.
        false
    }

    fn least_letters(&self) -> Option<usize> {
        Some(Self::LEAST_LETTERS)
    }

    fn confirm(&mut self, estimate: &Estimate) {
        if let Some(reading) = &estimate.reading {
            self.depth = reading.plan.wanted;
        }
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
