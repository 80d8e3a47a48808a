//! From adjusted trees to groups: what is below the floor falls away, what says the same is one.

use std::collections::BTreeSet;

use super::{Claim, ClaimId, Opposition, SelfCritique, Tree};
use crate::text::equal_words;

/// What is left of the trees, told once.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Grouped {
    /// Claims that say the same, the graver and surer first; and so the groups.
    pub groups: Vec<Vec<Claim>>,
    /// Contradictions of claims that both stayed, each pair once.
    pub oppositions: Vec<Opposition>,
    /// Claims in all.
    pub claims: u32,
    /// Claims that fell below the floor.
    pub below_floor: u32,
}

/// The claims that stay: those not below the floor. A child may stay where its parent falls.
#[must_use]
pub fn stayed(trees: &[Tree]) -> Vec<&Claim> {
    trees.iter().flat_map(Tree::all).filter(|claim| claim.confidence.stays()).collect()
}

/// Puts the adjusted trees together. Claims go together that were `compared` to be the same, that two members both call the
/// same (or one of two of its own), and that are equal but for case, spaces and punctuation; never those that somebody
/// says contradict one another.
#[must_use]
pub fn grouped(trees: &[Tree], critiques: &[SelfCritique], compared: &[Vec<ClaimId>]) -> Grouped {
    let stayed = stayed(trees);
    let all = trees.iter().map(|tree| tree.all().len()).sum::<usize>();
    let oppositions = oppositions(&stayed, critiques);
    let opposed: BTreeSet<_> = oppositions.iter().map(|one| pair(&one.own, &one.other)).collect();
    let agreed = agreed(critiques);
    let same = |a: &Claim, b: &Claim| {
        agreed.contains(&pair(&a.id, &b.id))
            || compared.iter().any(|group| group.contains(&a.id) && group.contains(&b.id))
            || equal_words(&a.claim, &b.claim)
    };
    let mut groups: Vec<Vec<&Claim>> = Vec::new();
    for claim in &stayed {
        let mut joined = vec![*claim];
        // Every group it belongs to becomes one with it.
        for group in std::mem::take(&mut groups) {
            let belongs = group.iter().any(|one| joined.iter().any(|other| same(one, other)));
            let clashes = group
                .iter()
                .any(|one| joined.iter().any(|other| opposed.contains(&pair(&one.id, &other.id))));
            if belongs && !clashes { joined.extend(group) } else { groups.push(group) }
        }
        groups.push(joined);
    }
    for group in &mut groups {
        group.sort_by(|a, b| a.weight().cmp(&b.weight()).then_with(|| a.id.cmp(&b.id)));
    }
    groups.sort_by(|a, b| a[0].weight().cmp(&b[0].weight()).then_with(|| a[0].id.cmp(&b[0].id)));
    Grouped {
        groups: groups.iter().map(|group| group.iter().map(|claim| (*claim).clone()).collect()).collect(),
        claims: count(all),
        below_floor: count(all - stayed.len()),
        oppositions,
    }
}

pub(super) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn pair(a: &ClaimId, b: &ClaimId) -> (ClaimId, ClaimId) {
    if a <= b { (a.clone(), b.clone()) } else { (b.clone(), a.clone()) }
}

/// What members named as contradictions, where both claims stayed as they were read; of each pair only what was said first.
/// What was narrowed in the same breath is another claim than the one that was contradicted.
fn oppositions(stayed: &[&Claim], critiques: &[SelfCritique]) -> Vec<Opposition> {
    let narrowed = |id: &ClaimId| {
        let all = critiques.iter().flat_map(|critique| &critique.adjustments);
        all.filter(|change| change.target == *id).any(|change| change.restated.is_some())
    };
    let there = |id: &ClaimId| stayed.iter().any(|claim| claim.id == *id) && !narrowed(id);
    let mut pairs = BTreeSet::new();
    let all = critiques.iter().flat_map(|critique| &critique.oppositions);
    let both = all.filter(|one| one.own != one.other && there(&one.own) && there(&one.other));
    both.filter(|one| pairs.insert(pair(&one.own, &one.other))).cloned().collect()
}

/// The pairs that everybody calls the same whose claims they are. What one of two says alone is its opinion.
fn agreed(critiques: &[SelfCritique]) -> BTreeSet<(ClaimId, ClaimId)> {
    let says = |member, pair: &(ClaimId, ClaimId)| {
        let own = critiques.iter().filter(|critique| critique.member == member);
        own.flat_map(|critique| &critique.same).any(|(a, b)| self::pair(a, b) == *pair)
    };
    let all = critiques.iter().flat_map(|critique| &critique.same).map(|(a, b)| pair(a, b));
    all.filter(|pair| says(pair.0.member, pair) && says(pair.1.member, pair)).collect()
}
