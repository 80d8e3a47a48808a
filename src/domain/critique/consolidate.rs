//! From adjusted trees to findings: what is below the floor falls away, what says the same is one.

use std::{cmp::Reverse, collections::BTreeSet};

use super::{
    Claim, ClaimEvidence, ClaimId, Confidence, Consolidated, Contradiction, Finding, FindingId, MAX_FINDINGS,
    Opposition, Philosopher, SelfCritique, Tree,
    alike::{Said, Sentences},
};
use crate::domain::Document;

/// Sums such as 0.7 − 0.4 are a little less than they should be; what is that near to the floor stands on it.
const ROUNDING: f64 = 1e-9;

/// Puts the adjusted `trees` together: claims below [`Confidence::FLOOR`] fall away (a child may stay where its parent
/// falls); claims that rest on overlapping passages and speak of the same, or say the same in other words, are one
/// finding that names who holds it; what members named as contradictions stands between findings where both claims
/// stayed, and is never put together. Findings come by severity, then confidence, then number of holders, then place in
/// the text. Every claim is counted once: below the floor, merged, or leading a finding.
#[must_use]
pub fn consolidate(document: &Document, trees: &[Tree], critiques: &[SelfCritique]) -> Consolidated {
    let all: Vec<&Claim> = trees.iter().flat_map(Tree::all).collect();
    let stayed: Vec<&Claim> = all.iter().copied().filter(|claim| stays(claim)).collect();
    let oppositions = oppositions(&stayed, critiques);
    let sentences = Sentences::of(document);
    let groups = grouped(stayed.iter().map(|claim| Said::of(claim, &sentences)).collect(), &oppositions);
    let mut findings: Vec<Finding> = groups.iter().map(|group| finding(group)).collect();
    findings.sort_by(|a, b| weight(a).cmp(&weight(b)));
    let (found, stayed_count) = (findings.len(), stayed.len());
    findings.truncate(MAX_FINDINGS);
    for (finding, id) in findings.iter_mut().zip(1..) {
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

/// The claims in groups that say the same, each led by its surest. A claim goes to the leader it is most like, so that a
/// chain of half-likenesses never ends in a group whose ends have nothing in common.
fn grouped<'a>(mut said: Vec<Said<'a>>, oppositions: &[&Opposition]) -> Vec<Vec<&'a Claim>> {
    said.sort_by_key(|said| Reverse(sureness(said.claim)));
    let opposed: BTreeSet<_> = oppositions.iter().map(|one| pair(&one.own, &one.other)).collect();
    let mut groups: Vec<(Said, Vec<&Claim>)> = Vec::new();
    for said in said {
        let mut best: Option<(f64, usize)> = None;
        for (place, (leader, claims)) in groups.iter().enumerate() {
            let barred = claims.iter().any(|claim| opposed.contains(&pair(&claim.id, &said.claim.id)));
            let likeness = if barred { None } else { leader.likeness(&said) };
            if let Some(likeness) = likeness
                && best.is_none_or(|(most, _)| likeness > most)
            {
                best = Some((likeness, place));
            }
        }
        let claim = said.claim;
        if let Some((_, place)) = best {
            groups[place].1.push(claim);
        } else {
            groups.push((said, vec![claim]));
        }
    }
    groups.into_iter().map(|(_, claims)| claims).collect()
}

/// How sure a claim is, in millionths, and how much it matters: what leads goes last.
fn sureness(claim: &Claim) -> (u32, Reverse<crate::domain::Severity>) {
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
        Reverse(millionths(finding.confidence)),
        Reverse(finding.held_by.len()),
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
