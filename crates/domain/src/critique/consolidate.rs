//! From adjusted trees to findings: what is below the floor falls away, what says the same is one.
//!
//! Whether two claims say the same is for those to say who made them, in whatever language. Code joins only what both
//! members call the same, and what says it in equal words.

use std::{cmp::Reverse, collections::BTreeSet};

use super::{
    Claim, ClaimEvidence, ClaimId, Confidence, Consolidated, Contradiction, Finding, FindingId, Opposition,
    Philosopher, SelfCritique, Tree,
};
use crate::text::equal_words;

/// Sums such as 0.7 − 0.4 are a little less than they should be; what is that near to the floor stands on it.
const ROUNDING: f64 = 1e-9;

/// Puts the adjusted `trees` together: claims below [`Confidence::FLOOR`] fall away (a child may stay where its parent
/// falls); claims that two members both call the same, or that are equal but for case, spaces and punctuation, are one
/// finding that names who holds it; what members named as contradictions stands between findings where both claims
/// stayed, and is never put together. Findings come by severity, then number of holders, then confidence, then place in
/// the text. Every claim is counted once: below the floor, merged, or leading a finding.
#[must_use]
pub fn consolidate(trees: &[Tree], critiques: &[SelfCritique]) -> Consolidated {
    let all: Vec<&Claim> = trees.iter().flat_map(Tree::all).collect();
    let stayed: Vec<&Claim> = all.iter().copied().filter(|claim| stays(claim)).collect();
    let oppositions = oppositions(&stayed, critiques);
    let groups = grouped(stayed.clone(), &agreed(critiques), &oppositions);
    let mut findings: Vec<Finding> = groups.iter().map(|group| finding(group)).collect();
    findings.sort_by(|a, b| weight(a).cmp(&weight(b)));
    let (found, stayed_count) = (findings.len(), stayed.len());
    findings.truncate(usize::from(u8::MAX));
    for (finding, id) in findings.iter_mut().zip(1..=u8::MAX) {
        finding.id = FindingId(id);
    }
    Consolidated {
        contradictions: oppositions.iter().map(|one| contradiction(one, &stayed, &findings)).collect(),
        claims: count(all.len()),
        below_floor: count(all.len() - stayed_count),
        merged: count(stayed_count - found),
        lesser: count(found - findings.len()),
        findings,
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn stays(claim: &Claim) -> bool {
    claim.confidence.get() + ROUNDING >= Confidence::FLOOR.get()
}

/// What members named as contradictions of their own claims, where both stayed; of each pair only what was said first.
fn oppositions<'a>(stayed: &[&Claim], critiques: &'a [SelfCritique]) -> Vec<&'a Opposition> {
    let there = |id: &ClaimId| stayed.iter().any(|claim| claim.id == *id);
    let mut pairs = BTreeSet::new();
    critiques
        .iter()
        .flat_map(|critique| critique.oppositions.iter().map(move |one| (critique.member, one)))
        .filter(|(member, one)| one.own.member == *member && one.other.member != *member)
        .filter(|(_, one)| there(&one.own) && there(&one.other))
        .map(|(_, one)| one)
        .filter(|one| pairs.insert(pair(&one.own, &one.other)))
        .collect()
}

fn pair<'a>(a: &'a ClaimId, b: &'a ClaimId) -> (&'a ClaimId, &'a ClaimId) {
    (a.min(b), a.max(b))
}

/// The pairs of claims that both their members call the same. What one of them alone says is its opinion.
fn agreed(critiques: &[SelfCritique]) -> BTreeSet<(&ClaimId, &ClaimId)> {
    let said: BTreeSet<(&ClaimId, &ClaimId)> = critiques
        .iter()
        .flat_map(|critique| critique.same.iter().map(move |same| (critique.member, same)))
        .filter(|(member, same)| same.own.member == *member && same.other.member != *member)
        .map(|(_, same)| (&same.own, &same.other))
        .collect();
    said.iter().filter(|(own, other)| said.contains(&(*other, *own))).map(|(a, b)| pair(a, b)).collect()
}

/// The claims in groups that say the same, each led by its surest. Who agrees with one of a group agrees with all of it,
/// unless a contradiction was named between them.
fn grouped<'a>(
    mut claims: Vec<&'a Claim>,
    agreed: &BTreeSet<(&ClaimId, &ClaimId)>,
    oppositions: &[&Opposition],
) -> Vec<Vec<&'a Claim>> {
    claims.sort_by_key(|claim| Reverse(sureness(claim)));
    let opposed: BTreeSet<_> = oppositions.iter().map(|one| pair(&one.own, &one.other)).collect();
    let same = |a: &Claim, b: &Claim| agreed.contains(&pair(&a.id, &b.id)) || equal_words(&a.claim, &b.claim);
    let barred = |a: &Claim, b: &Claim| opposed.contains(&pair(&a.id, &b.id));
    let mut groups: Vec<Vec<&Claim>> = Vec::new();
    for claim in claims {
        let mut joined = vec![claim];
        // Every group it belongs to becomes one with it, the surest first.
        let mut rest = Vec::new();
        for group in groups {
            let belongs = group.iter().any(|one| joined.iter().any(|other| same(one, other)));
            let clashes = group.iter().any(|one| joined.iter().any(|other| barred(one, other)));
            if belongs && !clashes { joined.extend(group) } else { rest.push(group) }
        }
        // Of claims as sure as one another, in the order in which they came.
        joined.rotate_left(1);
        joined.sort_by_key(|claim| Reverse(sureness(claim)));
        rest.push(joined);
        groups = rest;
    }
    groups
}

/// How sure a claim is, in millionths, and how much it matters: what leads goes last.
fn sureness(claim: &Claim) -> (u32, Reverse<crate::Severity>) {
    (millionths(claim.confidence), Reverse(claim.severity))
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 1
fn millionths(confidence: Confidence) -> u32 {
    (confidence.get() * 1e6).round() as u32
}

/// What a finding is sorted by, the weightiest first.
fn weight(finding: &Finding) -> impl Ord {
    let place = finding.evidence.iter().filter_map(|evidence| evidence.found).map(|span| span.start).min();
    (
        finding.severity,
        Reverse(finding.held_by.len()),
        Reverse(millionths(finding.confidence)),
        place.unwrap_or(usize::MAX),
        finding.claims.first().cloned(),
    )
}

fn finding(group: &[&Claim]) -> Finding {
    let leader = group[0];
    let holds = |member: &Philosopher| group.iter().any(|claim| claim.id.member == *member);
    Finding {
        id: FindingId(0),
        area: leader.area.clone(),
        critique: leader.claim.clone(),
        severity: group.iter().map(|claim| claim.severity).min().unwrap_or(leader.severity),
        confidence: leader.confidence,
        held_by: Philosopher::ALL.into_iter().filter(|member| holds(member)).collect(),
        evidence: evidence(group),
        claims: group.iter().map(|claim| claim.id.clone()).collect(),
    }
}

/// The passages of a group, those that stand in the text first, each once; a passage within another is that one.
fn evidence(group: &[&Claim]) -> Vec<ClaimEvidence> {
    let mut kept: Vec<ClaimEvidence> = Vec::new();
    for evidence in group.iter().map(|claim| &claim.evidence) {
        let same = |other: &ClaimEvidence| match (evidence.found, other.found) {
            (Some(a), Some(b)) => a.holds(b) || b.holds(a),
            _ => evidence.quote.trim().eq_ignore_ascii_case(other.quote.trim()),
        };
        if !evidence.quote.trim().is_empty() && !kept.iter().any(same) {
            kept.push(evidence.clone());
        }
    }
    kept.sort_by_key(|evidence| evidence.found.is_none());
    kept
}

fn contradiction(one: &Opposition, stayed: &[&Claim], findings: &[Finding]) -> Contradiction {
    let words = |id: &ClaimId| {
        stayed.iter().find(|claim| claim.id == *id).map_or_else(String::new, |claim| claim.claim.clone())
    };
    let went = [&one.own, &one.other].into_iter().filter_map(|id| {
        findings.iter().find(|finding| finding.claims.contains(id)).map(|finding| finding.id)
    });
    Contradiction {
        first: one.own.clone(),
        second: one.other.clone(),
        findings: went.collect(),
        claims: (words(&one.own), words(&one.other)),
        why: one.why.clone(),
    }
}
