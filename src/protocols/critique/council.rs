//! The council: who sits on it, what it reads, and what of that it may spend.

use crate::{
    prompt::critique::{Desk, Labels},
    steps::Steps,
};
use domain::{
    CallPlan, ContextNote, CritiqueBrief, DocumentSection, Philosopher, Reading, Seat, StepKey, Tree,
};

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
    pub(super) fn members(&self) -> impl Iterator<Item = (Philosopher, &'a Seat)> + use<'a> {
        Philosopher::ALL.into_iter().zip(&self.brief.members)
    }

    /// What requests have in common.
    pub(super) fn desk(&self, notes: &'a [ContextNote]) -> Desk<'a> {
        let (sections, plan) = (self.sections(), self.plan());
        Desk { prompts: self.steps.prompts(), brief: self.brief, sections, plan, notes }
    }

    /// The numbers under which claims are told.
    pub(super) fn labels(&self, trees: &[Tree]) -> Labels {
        Labels::of(trees, self.steps.seed("claims"))
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

/// The panel on which the trees are shown; a member's stands below it.
pub(super) const TREES: &str = "critique";

/// The panel on which is shown what members make of their trees; a member's stands below it.
pub(super) const SELF: &str = "self-critique";

/// The step of a member's part of a panel.
pub(super) fn step_of(panel: &str, member: Philosopher) -> StepKey {
    StepKey::from(panel).child(member.as_str())
}
