//! What members make of their own trees after reading the others', and how code applies it.

use serde::{Deserialize, Serialize};

use super::{Claim, ClaimId, Confidence, Philosopher, Tree};
use crate::Severity;

/// A change of one of a member's own claims.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Adjustment {
    /// Which claim.
    pub target: ClaimId,
    /// How sure it is now.
    pub confidence: Confidence,
    /// How grave it is now; a claim is never made graver.
    pub severity: Severity,
    /// Its words now, where they are narrowed.
    pub restated: Option<String>,
    /// Why the member judges so.
    pub reasoning: String,
}

/// Two claims that cannot hold together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Opposition {
    /// Of the member who says so.
    pub own: ClaimId,
    /// The other's.
    pub other: ClaimId,
    /// Why both cannot hold.
    pub why: String,
    /// What would settle it.
    pub settles: String,
}

/// What a member says of its own tree.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SelfCritique {
    /// The member who looked at its own tree.
    pub member: Philosopher,
    /// What it found in itself: bias, overstatements, misreadings.
    pub reflection: String,
    /// What it changes.
    pub adjustments: Vec<Adjustment>,
    /// Pairs of claims that say the same, one of them its own.
    pub same: Vec<(ClaimId, ClaimId)>,
    /// What contradicts it.
    pub oppositions: Vec<Opposition>,
    /// What the text misses and no claim says yet: claims of its own, numbered after those of its tree.
    pub missed: Vec<Claim>,
    /// Remarks that named no claim there is, or, for adjustments, none of its own; left out.
    pub dropped: u32,
    /// The model that answered.
    pub answered_by: String,
    /// The model that stood in, if the member's own could not answer.
    pub stand_in: Option<crate::ModelName>,
}

/// The trees with every adjustment applied, by code, and with what members found missing. Only a member's own claims change;
/// what names another's, or none, does nothing.
#[must_use]
pub fn adjusted(trees: &[Tree], critiques: &[SelfCritique]) -> Vec<Tree> {
    let mut trees = trees.to_vec();
    for tree in &mut trees {
        for critique in critiques.iter().filter(|critique| critique.member == tree.member) {
            for claim in &mut tree.claims {
                adjust(claim, &critique.adjustments);
            }
            let missed = critique.missed.iter().filter(|claim| claim.id.member == tree.member);
            let missed = missed.filter(|claim| tree.claims.iter().all(|known| known.id != claim.id));
            let missed: Vec<Claim> = missed.cloned().collect();
            tree.claims.extend(missed);
        }
    }
    trees
}

fn adjust(claim: &mut Claim, own: &[Adjustment]) {
    let target = claim.id.clone();
    for change in own.iter().filter(|adjustment| adjustment.target == target) {
        let why = (None, change.reasoning.as_str());
        claim.change(why, change.confidence, change.severity, change.restated.as_deref());
    }
    for child in &mut claim.children {
        adjust(child, own);
    }
}
