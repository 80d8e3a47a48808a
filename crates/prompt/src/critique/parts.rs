//! What a critique holds for questions about it.

use super::claims::Teller;
use crate::{fence, followup::Part};
use domain::{
    Claim, CritiqueBrief, Finding, Review, SelfCritique, Tree, Triage, TriageVerdict, TriagedFinding,
    sections,
};

/// Its parts so far; what has not happened yet is empty. The trees are told with quotations as far as twice what a model of this
/// session reads at once allows, the text itself not counted.
#[must_use]
pub fn parts(
    brief: &CritiqueBrief,
    trees: &[Tree],
    critiques: &[SelfCritique],
    review: Option<&Review>,
    triage: &[Triage],
) -> Vec<Part> {
    let document = &brief.document;
    let mut parts: Vec<Part> =
        map_text(brief).map(|map| Part::new("map of the text", map)).into_iter().collect();
    let in_sections = trees.iter().flat_map(|tree| &tree.claims).any(|claim| claim.section.0 > 1);
    let teller = Teller { labels: None, anonymous: None, document, sections: in_sections };
    if let Some(review) = review {
        parts.push(Part::new("review", review_text(review)));
        let text = |finding: &Finding| {
            let claims: Vec<&Claim> = finding.claims.iter().collect();
            let told = teller.list(&claims, true, true);
            fence("finding", &format!("{}: {}\nIts claims:\n{told}", finding.id, finding.line))
        };
        let findings = review.findings.iter();
        parts.extend(findings.map(|finding| Part::new(format!("finding {}", finding.id), text(finding))));
    }
    let used: usize = parts.iter().map(|part| part.text.chars().count()).sum();
    let room = brief.at_once.saturating_mul(2).saturating_sub(used).max(brief.at_once / 2);
    let lists: Vec<Vec<&Claim>> = trees.iter().map(Tree::all).collect();
    let lists: Vec<(&[&Claim], bool)> = lists.iter().map(|claims| (&claims[..], true)).collect();
    let part = |(tree, told): (&Tree, String)| Part {
        name: format!("{}, tree", tree.member.as_str()),
        shown: format!("{}, tree", tree.member),
        text: fence("tree", &format!("Claims of {}:\n{told}", tree.member)),
    };
    parts.extend(trees.iter().zip(teller.within(room, &lists)).map(part));
    parts.extend(critiques.iter().map(|critique| Part {
        name: format!("{}, self-critique", critique.member.as_str()),
        shown: format!("{}, self-critique", critique.member),
        text: fence("self-critique", &self_critique_text(critique)),
    }));
    if let Some(text) = review.and_then(|review| triage_text(review, triage)) {
        parts.push(Part::new("triage", text));
    }
    parts
}

/// The sections of a text that is too long to go along.
fn map_text(brief: &CritiqueBrief) -> Option<String> {
    let sections = sections(&brief.document, brief.at_once);
    let lines: Vec<String> =
        sections.iter().map(|section| format!("{} {}", section.id, section.title)).collect();
    let map = || format!("The text is too long to stand here whole. Its sections:\n{}", lines.join("\n"));
    (sections.len() > 1).then(|| fence("map", &map()))
}

fn review_text(review: &Review) -> String {
    let mut lines = vec![review.verdict.clone(), review.text.clone()];
    lines.retain(|text| !text.trim().is_empty());
    if review.answered_by.is_none() && !review.no_findings() {
        lines.push("(No model could write a review; the findings stand in the readers' words.)".to_owned());
    }
    if review.no_findings() {
        lines.push("No significant findings.".to_owned());
    }
    lines.extend(review.holds_up.iter().map(|holds| format!("Holds up: {holds}")));
    for one in &review.oppositions {
        let (own, other) = (&one.own, &one.other);
        lines.push(format!(
            "{own} and {other} contradict each other: {} Settled by: {}",
            one.why, one.settles
        ));
    }
    if !review.unread.is_empty() {
        let unread: Vec<String> = review.unread.iter().map(ToString::to_string).collect();
        lines.push(format!("Sections that nobody read: {}.", unread.join(", ")));
    }
    if !review.missing.is_empty() {
        let missing: Vec<&str> = review.missing.iter().map(|member| member.name()).collect();
        lines.push(format!("Did not answer: {}.", missing.join(", ")));
    }
    fence("review", &lines.join("\n"))
}

fn self_critique_text(critique: &SelfCritique) -> String {
    let mut lines = vec![format!("{} on its own claims: {}", critique.member, critique.reflection)];
    for one in &critique.adjustments {
        let restated = one.restated.as_ref().map(|words| format!(" Narrowed to: {words}"));
        let sure = one.confidence.get() * 100.0;
        let restated = restated.unwrap_or_default();
        lines.push(format!("{}, now sure {sure:.0} of 100: {}{restated}", one.target, one.reasoning));
    }
    lines.extend(critique.missed.iter().map(|claim| format!("Missed ({}): {}", claim.id, claim.claim)));
    lines.join("\n")
}

/// Who said what of which finding, last. Names stand inside the fence, for people chose them.
fn triage_text(review: &Review, triage: &[Triage]) -> Option<String> {
    let said: Vec<String> = TriagedFinding::all(&review.findings, triage)
        .into_iter()
        .filter_map(|finding| {
            let triage = finding.triage?;
            let verdict = match triage.verdict {
                TriageVerdict::Accepted => "accepted",
                TriageVerdict::Rejected => "rejected",
                TriageVerdict::Fixed => "marked as fixed",
                TriageVerdict::Open => return None,
            };
            Some(format!("{} was {verdict} by {}.", finding.finding.id, triage.by_name))
        })
        .collect();
    let (all, open) = (review.findings.len(), review.findings.len() - said.len());
    let text = || format!("{}\nStill open: {open} of {all} findings.", said.join("\n"));
    (!said.is_empty()).then(|| fence("triage", &text()))
}
