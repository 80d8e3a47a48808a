//! What members make of their own trees after reading the others', and how code applies it.

use serde::{Deserialize, Serialize};

use super::{Claim, ClaimId, Confidence, Philosopher, Tree};
use crate::Effort;

/// Which look of the members at their own trees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// At what each wrote, beside what the others wrote.
    First,
    /// At what is left of it, beside what is left of the others'.
    Second,
}

impl Look {
    /// One, and two where a deep session is asked for.
    #[must_use]
    pub fn of(effort: Effort) -> &'static [Self] {
        match effort {
            Effort::Brief | Effort::Standard => &[Self::First],
            Effort::Deep => &[Self::First, Self::Second],
        }
    }

    /// The key of its card, under which the calls for it stand.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::First => "self-critique",
            Self::Second => "self-critique-again",
        }
    }

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "self-critique",
            Self::Second => "second self-critique",
        }
    }
}

/// A change of how sure one of a member's own claims is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Adjustment {
    /// Which claim.
    pub target: ClaimId,
    /// −1 to 1.
    pub delta: f64,
    /// Why the member judges so.
    pub reasoning: String,
}

/// Another member's claim that cannot hold together with one's own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Opposition {
    /// One's own claim.
    pub own: ClaimId,
    /// The other's.
    pub other: ClaimId,
    /// Why both cannot hold.
    pub why: String,
}

/// Another member's claim that says the same as one's own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sameness {
    /// One's own claim.
    pub own: ClaimId,
    /// The other's.
    pub other: ClaimId,
}

/// What a member says of its own tree.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SelfCritique {
    /// The member who looked at its own tree.
    pub member: Philosopher,
    /// What it found in itself: bias, misses, overstatements, in a sentence or two.
    pub reflection: String,
    /// What it changes.
    pub adjustments: Vec<Adjustment>,
    /// What contradicts it.
    pub oppositions: Vec<Opposition>,
    /// What others say as it does. Two claims are one finding where both members say so.
    pub same: Vec<Sameness>,
    /// What the text misses and no claim says yet: claims of its own, numbered after those of its tree.
    pub missed: Vec<Claim>,
    /// Adjustments, oppositions and samenesses that named no claim there is (or, for adjustments, none of its own), left out.
    pub dropped: u32,
    /// The model that answered.
    pub answered_by: String,
}

/// The trees with every adjustment applied, by code, and with what members found missing: several adjustments of one
/// claim add up, and the sum is held to 0 to 1. Only a member's own claims change; what names another's, or none, does
/// nothing.
#[must_use]
pub fn adjusted(trees: &[Tree], critiques: &[SelfCritique]) -> Vec<Tree> {
    let mut trees = trees.to_vec();
    for tree in &mut trees {
        let member = tree.member;
        let own: Vec<&Adjustment> = critiques
            .iter()
            .filter(|critique| critique.member == member)
            .flat_map(|critique| &critique.adjustments)
            .filter(|adjustment| !adjustment.delta.is_nan())
            .collect();
        for claim in &mut tree.claims {
            adjust(claim, &own);
        }
        let missed = critiques.iter().filter(|critique| critique.member == member);
        let missed = missed.flat_map(|critique| &critique.missed).filter(|claim| claim.id.member == member);
        for claim in missed {
            if tree.claims.iter().all(|known| known.id != claim.id) {
                tree.claims.push(claim.clone());
            }
        }
    }
    trees
}

fn adjust(claim: &mut Claim, own: &[&Adjustment]) {
    let deltas = own.iter().filter(|adjustment| adjustment.target == claim.id);
    let sum: f64 = deltas.map(|adjustment| adjustment.delta.clamp(-1.0, 1.0)).sum();
    claim.confidence = Confidence::new(claim.confidence.get() + sum);
    for child in &mut claim.children {
        adjust(child, own);
    }
}
