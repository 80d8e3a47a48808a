//! What a critique holds for questions about it.

use super::tree::{Teller, TreeText};
use crate::{fence, followup::Part, quote::severity_name};
use domain::{
    Assessment, CritiqueBrief, Finding, Look, SelfCritique, Tree, Triage, TriageVerdict, TriagedFinding,
    sections, shortened,
};

/// Most quotations of a finding, and most characters of each: the first of these with which all have room.
const QUOTATIONS: [(usize, usize); 3] = [(8, 300), (2, 160), (1, 80)];

/// Its parts so far; what has not happened yet is empty. All of them together are held to about twice what a model of
/// this session reads at once, the text itself not counted: first the assessment and its findings, then what members said
/// of themselves, and of the trees what there is room for.
#[must_use]
pub fn parts(
    brief: &CritiqueBrief,
    trees: &[Tree],
    critiques: &[SelfCritique],
    assessment: Option<&Assessment>,
    triage: &[Triage],
) -> Vec<Part> {
    let mut parts: Vec<Part> =
        map_text(brief).map(|map| Part::new("map of the text", map)).into_iter().collect();
    if let Some(assessment) = assessment {
        parts.push(Part::new("assessment", assessment_text(assessment)));
        let texts = finding_texts(brief, &assessment.findings);
        let labelled = assessment.findings.iter().zip(texts);
        parts.extend(labelled.map(|(finding, text)| Part::new(format!("finding {}", finding.id), text)));
    }
    let of_themselves = self_critiques(critiques, brief.at_once / 2);
    let used: usize = parts.iter().chain(&of_themselves).map(|part| part.text.chars().count()).sum();
    let room = brief.at_once.saturating_mul(2).saturating_sub(used).max(brief.at_once / 2);
    parts.extend(tree_parts(trees, room));
    parts.extend(of_themselves);
    if let Some(text) = assessment.and_then(|assessment| triage_text(assessment, triage)) {
        parts.push(Part::new("triage", text));
    }
    parts
}

fn tree_parts(trees: &[Tree], room: usize) -> Vec<Part> {
    let in_sections = trees.iter().flat_map(|tree| &tree.claims).any(|claim| claim.section.0 > 1);
    let teller = Teller { anonymous: None, sections: in_sections, sure_of: None };
    let told: Vec<(&str, &Tree)> = trees.iter().map(|tree| ("", tree)).collect();
    let part = |(tree, told): (&Tree, TreeText)| Part {
        name: format!("{}, tree", tree.member.as_str()),
        shown: format!("{}, tree", tree.member),
        text: fence("tree", &format!("Claims of {}:\n{}", tree.member, told.text())),
    };
    trees.iter().zip(teller.within(room, &told)).map(part).collect()
}

/// What members said of their own claims; only what it comes to, where there is no room for all.
fn self_critiques(critiques: &[SelfCritique], room: usize) -> Vec<Part> {
    let whole: Vec<String> = critiques.iter().map(self_critique_text).collect();
    let fits = whole.iter().map(|text| text.chars().count()).sum::<usize>() <= room;
    let share = room / critiques.len().max(1);
    let part = |(place, (critique, whole)): (usize, (&SelfCritique, String))| {
        let first = critiques.iter().position(|other| other.member == critique.member) == Some(place);
        let name = if first { Look::First } else { Look::Second }.name();
        Part {
            name: format!("{}, {name}", critique.member.as_str()),
            shown: format!("{}, {name}", critique.member),
            text: fence("self-critique", &if fits { whole } else { shortened(&whole, share) }),
        }
    };
    critiques.iter().zip(whole).enumerate().map(part).collect()
}

/// The findings, with as many of their quotations as there is room for.
fn finding_texts(brief: &CritiqueBrief, findings: &[Finding]) -> Vec<String> {
    let told = |quotations| -> Vec<String> {
        findings.iter().map(|finding| finding_text(brief, finding, quotations)).collect()
    };
    let fits =
        |texts: &Vec<String>| texts.iter().map(|text| text.chars().count()).sum::<usize>() <= brief.at_once;
    let first = QUOTATIONS.into_iter().map(told).find(fits);
    first.unwrap_or_else(|| told(QUOTATIONS[QUOTATIONS.len() - 1]))
}

/// The sections of a text that is too long to go along.
fn map_text(brief: &CritiqueBrief) -> Option<String> {
    let sections = sections(&brief.document, brief.at_once);
    if sections.len() <= 1 {
        return None;
    }
    let lines: Vec<String> =
        sections.iter().map(|section| format!("{} {}", section.id, section.title)).collect();
    let map = shortened(&lines.join("\n"), brief.at_once / 4);
    Some(fence("map", &format!("The text is too long to stand here whole. Its sections:\n{map}")))
}

fn assessment_text(assessment: &Assessment) -> String {
    let mut lines = vec![assessment.text.clone()];
    if assessment.answered_by.is_none() && !assessment.no_findings() {
        lines.push("(Worded by code; no assessor answered.)".to_owned());
    }
    if assessment.no_findings() {
        lines.push("No significant findings.".to_owned());
    }
    for contradiction in &assessment.contradictions {
        let (first, second) = &contradiction.claims;
        lines.push(format!(
            "{} and {} contradict each other. {first} Against it: {second} Why: {}",
            contradiction.first, contradiction.second, contradiction.why
        ));
    }
    if !assessment.unread.is_empty() {
        let unread: Vec<String> = assessment.unread.iter().map(ToString::to_string).collect();
        lines.push(format!("Sections that nobody read: {}.", unread.join(", ")));
    }
    if !assessment.missing.is_empty() {
        let missing: Vec<&str> = assessment.missing.iter().map(|member| member.name()).collect();
        lines.push(format!("Did not answer: {}.", missing.join(", ")));
    }
    lines.push(format!(
        "{} claims in all; {} fell below the floor, {} went into another's finding, {} lesser findings stay in the trees.",
        assessment.claims, assessment.below_floor, assessment.merged, assessment.lesser
    ));
    fence("assessment", &lines.join("\n"))
}

fn finding_text(brief: &CritiqueBrief, finding: &Finding, (quotations, length): (usize, usize)) -> String {
    let held: Vec<&str> = finding.held_by.iter().map(|member| member.name()).collect();
    let mut lines = vec![format!(
        "{} {} ({}, confidence {:.2}, held by {}): {}",
        finding.id,
        finding.area,
        severity_name(finding.severity),
        finding.confidence.get(),
        held.join(", "),
        finding.critique
    )];
    for evidence in finding.evidence.iter().take(quotations) {
        let quote = shortened(&evidence.quote, length);
        lines.push(match evidence.found {
            Some(span) => format!("{}: “{quote}”", brief.document.place(span)),
            None => format!("Not found in the text: “{quote}”"),
        });
    }
    fence("finding", &lines.join("\n"))
}

fn self_critique_text(critique: &SelfCritique) -> String {
    let mut lines = vec![format!("{} on its own claims: {}", critique.member, critique.reflection)];
    for adjustment in &critique.adjustments {
        let number = adjustment.target.number();
        lines.push(format!("Claim {number}, confidence {:+.2}: {}", adjustment.delta, adjustment.reasoning));
    }
    for opposition in &critique.oppositions {
        lines.push(format!(
            "{} and {} cannot both hold: {}",
            opposition.own, opposition.other, opposition.why
        ));
    }
    lines.join("\n")
}

/// Who said what of which finding, last. Names stand inside the fence, for people chose them.
fn triage_text(assessment: &Assessment, triage: &[Triage]) -> Option<String> {
    let said: Vec<String> = TriagedFinding::all(&assessment.findings, triage)
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
    if said.is_empty() {
        return None;
    }
    let (all, open) = (assessment.findings.len(), assessment.findings.len() - said.len());
    Some(fence("triage", &format!("{}\nStill open: {open} of {all} findings.", said.join("\n"))))
}
