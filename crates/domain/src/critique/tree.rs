//! The reasoning tree that a member grows over the text.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Philosopher, SectionId};
use crate::{Severity, Span};

/// How sure a claim is, 0 to 1.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Confidence(f64);

impl Confidence {
    /// Claims below it are neither grown nor kept.
    pub const FLOOR: Self = Self(0.3);

    /// A number, held to 0 to 1; what is no number counts as 0.
    #[must_use]
    pub fn new(value: f64) -> Self {
        Self(if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) })
    }

    /// 0 to 1.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }
}

/// A claim's place: whose, and its path in the tree (the second child of the first claim: 1, 2). Shown as `Popper 1.2`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ClaimId {
    /// The member whose branch it is.
    pub member: Philosopher,
    /// From 1 at each level.
    pub path: Vec<u16>,
}

impl ClaimId {
    /// The id of a child, from 1.
    #[must_use]
    pub fn child(&self, place: u16) -> Self {
        let path = self.path.iter().copied().chain([place]).collect();
        Self { member: self.member, path }
    }

    /// `1.2`.
    #[must_use]
    pub fn number(&self) -> String {
        self.path.iter().map(u16::to_string).collect::<Vec<_>>().join(".")
    }
}

impl fmt::Display for ClaimId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.member, self.number())
    }
}

/// What a claim rests on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Evidence {
    /// The words, as the model gave them.
    pub quote: String,
    /// Where they stand in the text; `None`: they do not, and the claim is marked unquoted.
    pub found: Option<Span>,
}

/// Why a branch goes no deeper.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// The depth that was chosen is reached.
    Depth,
    /// The passage is too small to split.
    TooSmall,
    /// The claim is below [`Confidence::FLOOR`].
    Unsure,
    /// The member says that nothing is gained by going on.
    NothingGained,
    /// The passage it named does not stand in the text.
    NotFound,
    /// The plan of calls allows no more branches here.
    Budget,
    /// The call that was to grow it failed.
    Failed,
}

/// Where a member wants to look deeper.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Deeper {
    /// Words of the passage, verbatim.
    pub passage: String,
    /// What to look at in it.
    pub topic: String,
}

/// A claim about a segment, with what was found by looking deeper.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// Its place.
    pub id: ClaimId,
    /// The section its branch began in.
    pub section: SectionId,
    /// The part of the text that it is about.
    pub segment: Span,
    /// What it is about, in a few words, such as `Cost estimate`.
    pub area: String,
    /// What is wrong or missing.
    pub claim: String,
    /// The passage that it rests on.
    pub evidence: Evidence,
    /// How sure it is; halved where the evidence is not in the text.
    pub confidence: Confidence,
    /// How much it matters.
    pub severity: Severity,
    /// Where the member wants to look deeper, if it does.
    pub deeper: Option<Deeper>,
    /// What was found there.
    pub children: Vec<Claim>,
    /// Why the branch ends here; `None` where it has been grown.
    pub ended: Option<Ended>,
}

/// What one call gave: the claims about a segment, without children.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Grown {
    /// The claims, the weightiest first.
    pub claims: Vec<Claim>,
    /// What this says of the claim that was looked into: −1 to 1; 0 at the first level.
    pub parent_delta: f64,
    /// The model that answered.
    pub answered_by: String,
}

/// A member's tree.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tree {
    /// The member whose tree it is.
    pub member: Philosopher,
    /// The claims of the first level, in the order of the text's sections.
    pub claims: Vec<Claim>,
    /// Sections that this member could not read, because its call failed.
    pub failed: Vec<SectionId>,
    /// Calls that grew it and failed further down.
    pub failed_branches: u32,
    /// The models that answered, each once.
    pub answered_by: Vec<String>,
}

impl Tree {
    /// Every claim, parents before children.
    #[must_use]
    pub fn all(&self) -> Vec<&Claim> {
        fn walk<'a>(claim: &'a Claim, all: &mut Vec<&'a Claim>) {
            all.push(claim);
            for child in &claim.children {
                walk(child, all);
            }
        }
        let mut all = Vec::new();
        for claim in &self.claims {
            walk(claim, &mut all);
        }
        all
    }

    /// The claim of that place.
    #[must_use]
    pub fn claim(&self, id: &ClaimId) -> Option<&Claim> {
        self.all().into_iter().find(|claim| claim.id == *id)
    }

    /// How many levels it has; 0 without a claim.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.all().iter().map(|claim| claim.id.path.len()).max().unwrap_or_default()
    }
}
