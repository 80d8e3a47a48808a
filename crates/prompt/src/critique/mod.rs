//! The requests of a critique: one function for each place in its protocol at which a model is asked.
//!
//! Invariants: the document, or the section that is read, stands first in every request of that section, so that one
//! cached prefix serves every member and every level; a child's request holds the located segment *and* the sub-topic;
//! peers' trees stand under letters in an order of the reader's own; nobody's name but the reader's stands in it. Called
//! by `protocols::critique`.

mod anonymous;
mod assess;
mod assessment;
mod material;
mod parts;
mod peers;
mod scoring;
mod tree;

pub use assess::assess;
pub use assessment::assessment;
pub use parts::parts;
pub use peers::self_critique;
pub(super) use peers::{OWN, peer_letter};
pub use scoring::scoring;

use domain::{CallPlan, Claim, CritiqueBrief, DocumentSection, Effort, Philosopher, SectionId, Span};

/// Most claims about a section at the first level, by the effort and the section's length in bytes: brief asks for three
/// whatever its length.
#[must_use]
pub fn claims_at_first(effort: Effort, bytes: usize) -> usize {
    let more = match effort {
        Effort::Brief => 3,
        Effort::Standard => 4 + bytes / 15_000,
        Effort::Deep => 6 + bytes / 8_000,
    };
    more.min(most_at_first(effort))
}

/// Most that [`claims_at_first`] ever comes to, by which sections are numbered.
#[must_use]
pub fn most_at_first(effort: Effort) -> usize {
    match effort {
        Effort::Brief => 3,
        Effort::Standard => 8,
        Effort::Deep => 12,
    }
}

/// Most claims about a segment further down.
#[must_use]
pub fn claims_below(effort: Effort) -> usize {
    match effort {
        Effort::Brief | Effort::Standard => 2,
        Effort::Deep => 3,
    }
}

/// Most adjustments of a self-critique.
pub const MAX_ADJUSTMENTS: usize = 6;
/// Most contradictions that a self-critique names.
pub const MAX_OPPOSITIONS: usize = 3;

/// Most tokens of what a member says of a segment: three claims at the schema's bounds come to about 1,000 tokens of
/// English.
pub const MAX_SEGMENT_TOKENS: u32 = 1_200;
/// Most pairs of claims that a member calls the same.
pub const MAX_SAME: usize = 12;
/// Most things that a member says the text misses, beside its claims.
pub const MAX_MISSED: usize = 2;
/// Most tokens of a self-critique: six adjustments and three contradictions, a sentence each, twelve pairs of labels and
/// two claims.
pub const MAX_SELF_CRITIQUE_TOKENS: u32 = 1_800;
/// Most tokens of the assessment: ten findings of 50 words and 180 words for the whole are some 1,100 tokens of English.
pub const MAX_ASSESSMENT_TOKENS: u32 = 1_900;

/// A member holds to its method, and finds more than one thing with it.
const MEMBER: f32 = 0.5;
/// Whoever words what was found adds nothing.
const ASSESSOR: f32 = 0.2;

/// How the text is taken apart for this session, and what of it is read.
#[derive(Clone, Copy, Debug)]
pub struct DocumentPlan<'a> {
    /// The brief with the document.
    pub brief: &'a CritiqueBrief,
    /// All sections.
    pub sections: &'a [DocumentSection],
    /// What is read of them, how deep.
    pub plan: &'a CallPlan,
}

/// Where a branch is grown: a segment within a section, and the claim that it looks into.
#[derive(Clone, Copy, Debug)]
pub struct Branch<'a> {
    /// The section its request begins with.
    pub section: SectionId,
    /// The part of the text to assess: the section, or the located segment.
    pub segment: Span,
    /// The claim that is looked into, with its sub-topic; `None` at the first level.
    pub parent: Option<&'a Claim>,
    /// The number that the first claim gets at its level.
    pub first: u16,
    /// Most claims that its call may give.
    pub most: usize,
}

impl Branch<'_> {
    /// The level of its claims, from 1.
    fn level(&self) -> usize {
        self.parent.map_or(1, |parent| parent.id.path.len() + 1)
    }
}

/// The prompt file of a member.
fn member_file(member: Philosopher) -> String {
    format!("critique/members/{}.md", member.as_str())
}

#[cfg(test)]
mod tests;
