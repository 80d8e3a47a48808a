//! About how many tokens the calls of a critique take, worked out from the requests themselves, so that the two cannot
//! part.

use super::{
    Branch, DocumentPlan, MAX_MISSED, assess, assessment, claims_at_first, claims_below,
    material::{Shown, material},
    scoring, self_critique,
};
use crate::{
    domain::{
        Claim, ClaimEvidence, ClaimId, Confidence, Consolidated, Deeper, DocumentSection, Look, MAX_FINDINGS,
        Philosopher, Prompt, SectionId, Severity, Span, Tree,
    },
    prompt::{
        Prompts,
        estimate::{bytes, tokens},
    },
};

/// Characters that a claim takes in a tree that is told, its quotation with it.
const CLAIM: usize = 420;
/// Characters that a finding takes with its quotations, and what contradicts it.
const FINDING: usize = 1_000;
/// Characters of an option to be scored, and of what a scorer claimed itself.
const OPTION: usize = 350;
const STANCE: usize = 1_500;
/// Characters of the assessment that scorers read.
const ASSESSED: usize = 1_800;
/// The member with the longest method file stands for all.
const LONGEST: Philosopher = Philosopher::Kant;

/// About how many tokens a call of each stage sends and receives at most, for the estimate; in the order of
/// [`CallPlan::stages`](crate::domain::CallPlan::stages). Of a tree's level it is the mean over the sections that are
/// read, so that all calls of the level together take no more. Counted as budgets count: a token for every three bytes.
#[must_use]
pub fn tokens_per_call(reading: DocumentPlan<'_>) -> Vec<(u64, u64)> {
    let prompts = Prompts::embedded();
    let levels = reading.plan.depth.levels();
    let mut stages: Vec<(u64, u64)> = (1..=levels).map(|level| of_level(&prompts, reading, level)).collect();
    let members = Philosopher::ALL.len();
    // At a second look there are the claims about what was missing, too.
    let again = Look::of(reading.brief.effort).len() - 1;
    let claims = claims_of_a_member(reading) + again * MAX_MISSED;
    let empty =
        Tree { member: LONGEST, claims: vec![], failed: vec![], failed_branches: 0, answered_by: vec![] };
    let peers = vec![&empty; members - 1];
    let critique = self_critique(
        &prompts,
        reading,
        *Look::of(reading.brief.effort).last().unwrap_or(&Look::First),
        &empty,
        &peers,
        &[],
    );
    // Labels stand in the schema, and those of one's own claims twice.
    let labels = claims.saturating_mul(members + 1) * 8;
    stages.push(of_later(&prompts, reading, &critique, members * claims * CLAIM, labels));
    let findings = MAX_FINDINGS.min(members * claims);
    let wording = assessment(&prompts, reading, &Consolidated::default(), &[], &[]);
    stages.push(of_later(&prompts, reading, &wording, findings * FINDING, findings * 8));
    let points = scoring(&prompts, reading, &empty, None, &[], &[]);
    stages.push(of_later(&prompts, reading, &points, findings * OPTION + STANCE + ASSESSED, findings * 60));
    stages
}

/// Claims of a member at most, as far as the plan allows.
fn claims_of_a_member(reading: DocumentPlan<'_>) -> usize {
    let members = Philosopher::ALL.len();
    let levels = reading.plan.stages.iter().take(usize::from(reading.plan.depth.levels()));
    let calls = levels.map(|calls| usize::try_from(*calls).unwrap_or(usize::MAX).div_ceil(members));
    let effort = reading.brief.effort;
    let longest = reading.sections.iter().map(|section| section.span.end - section.span.start).max();
    let first = claims_at_first(effort, longest.unwrap_or_default());
    let most = std::iter::once(first).chain(std::iter::repeat(claims_below(effort)));
    calls.zip(most).map(|(calls, claims)| calls.saturating_mul(claims)).fold(0, usize::saturating_add)
}

/// The mean over the sections that are read.
fn of_level(prompts: &Prompts, reading: DocumentPlan<'_>, level: u8) -> (u64, u64) {
    let read = reading.sections.iter().filter(|section| reading.plan.read.contains(&section.id));
    let of: Vec<(u64, u64)> = read.map(|section| of_branch(prompts, reading, section, level)).collect();
    let count = (of.len() as u64).max(1);
    let sent: u64 = of.iter().map(|(sent, _)| sent).sum();
    (sent.div_ceil(count), of.first().map_or(0, |(_, received)| *received))
}

/// A call at a level: further down on a segment of two thirds of what is above it, which is as much as there can be.
fn of_branch(
    prompts: &Prompts,
    reading: DocumentPlan<'_>,
    section: &DocumentSection,
    level: u8,
) -> (u64, u64) {
    let text = &reading.brief.document.text;
    let mut end = section.span.end;
    for _ in 1..level {
        end = section.span.start + (end - section.span.start) * 2 / 3;
    }
    let end = (end..=section.span.end).find(|end| text.is_char_boundary(*end)).unwrap_or(section.span.end);
    let segment = Span { start: section.span.start, end };
    let parent = (level > 1).then(|| claim(section.id, segment, level - 1));
    let effort = reading.brief.effort;
    let most =
        if level > 1 { claims_below(effort) } else { claims_at_first(effort, end - section.span.start) };
    let branch = Branch { section: section.id, segment, parent: parent.as_ref(), first: 1, most };
    let prompt = assess(prompts, reading, LONGEST, &branch, &[]);
    (tokens(bytes(&prompt)), u64::from(prompt.max_tokens))
}

/// A call after the trees, whose request is here without what was found: so many characters of it, and so many bytes of
/// its schema. The text itself goes along as long as both have room.
fn of_later(
    prompts: &Prompts,
    reading: DocumentPlan<'_>,
    prompt: &Prompt,
    found: usize,
    schema: usize,
) -> (u64, u64) {
    let document = &reading.brief.document.text;
    let chars = document.chars().count();
    // A text that is too long by itself never goes along.
    let whole = if chars <= reading.room() { chars } else { 0 };
    let shown = whole.saturating_add(found).min(reading.room());
    // What was found is in the text's language.
    let shown = shown.saturating_mul(document.len()) / chars.max(1);
    let map = prompts.render("critique/material.md", &material(reading, Shown::Map)).len();
    let fixed = bytes(prompt) - prompt.shared.len() + map;
    (tokens(fixed + shown + schema), u64::from(prompt.max_tokens))
}

/// A claim of usual length, to be looked into.
fn claim(section: SectionId, segment: Span, level: u8) -> Claim {
    let words = |chars: usize| "words ".repeat(chars / 6);
    Claim {
        id: ClaimId { member: LONGEST, path: vec![1; usize::from(level)] },
        section,
        segment,
        area: words(30),
        claim: words(300),
        evidence: ClaimEvidence { quote: words(200), found: Some(segment) },
        confidence: Confidence::new(1.0),
        severity: Severity::Critical,
        deeper: Some(Deeper { passage: words(120), topic: words(90) }),
        children: Vec::new(),
        ended: None,
    }
}
