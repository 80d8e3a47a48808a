//! The council: who sits on it, what it reads, and what of that it may spend.

use crate::{prompt::critique::DocumentPlan, steps::Steps};
use domain::{CallPlan, CritiqueBrief, DocumentSection, Philosopher, Reading, Seat};

/// Six members over a document. It is made anew by each run, from what the journal gives back.
#[derive(Clone, Copy)]
pub(super) struct Council<'a> {
    pub(super) steps: &'a Steps,
    pub(super) brief: &'a CritiqueBrief,
    /// What was worked out at the start, and holds to the end.
    pub(super) reading: &'a Reading,
}

impl<'a> Council<'a> {
    /// The members with their seats, in the order of the council.
    pub(super) fn members(&self) -> impl Iterator<Item = (Philosopher, &'a Seat)> {
        Philosopher::ALL.into_iter().zip(&self.brief.members)
    }

    /// What is read of the document.
    pub(super) fn document_plan(&self) -> DocumentPlan<'a> {
        DocumentPlan { brief: self.brief, sections: self.sections(), plan: self.plan() }
    }

    /// All sections of the document.
    pub(super) fn sections(&self) -> &'a [DocumentSection] {
        &self.reading.sections
    }

    /// What may be called.
    pub(super) fn plan(&self) -> &'a CallPlan {
        &self.reading.plan
    }
}
