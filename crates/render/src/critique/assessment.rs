//! The assessment: what it says, how much it found, who contradicts whom, and what was not read.

use super::{
    super::{card, limits, markdown},
    COUNCIL, members, name, omissions, section_lines, sign,
};
use domain::{
    Assessment, Color, Contradiction, Document, DocumentSection, Embed, Field, Finding, Philosopher, Post,
    Row, SessionId, Severity, Skipped, StepKey,
};

/// Where the rest is.
const WHOLE: &str = "in the whole assessment.";

/// The assessment, with what was not read; where there are no findings, it says so plainly.
#[must_use]
pub fn assessment_cards(
    session: &SessionId,
    key: &StepKey,
    assessment: &Assessment,
    document: &Document,
    sections: &[DocumentSection],
) -> Vec<Post> {
    let mut fields = Vec::new();
    if assessment.answered_by.is_none() && !assessment.no_findings() {
        let value = "No model could word it, so the findings are in the critics' own words.";
        fields.push(card::field("⚠️ Degraded", value).inside());
    }
    if !assessment.contradictions.is_empty() {
        let blocks: Vec<String> = assessment
            .contradictions
            .iter()
            .map(|contradiction| format!("{}\n", short(contradiction)))
            .collect();
        fields
            .push(card::field("↔️ Contradictions", card::lines(&blocks, card::FIELD_ROOM, WHOLE).trim_end()));
    }
    fields.extend(unread(assessment, sections));
    fields.extend(missing(assessment));
    fields.extend(skipped(assessment));
    fields.extend(omissions(document));
    if !assessment.no_findings() {
        fields.push(card::field("How it was counted", counted(assessment)));
    }
    let description = if assessment.no_findings() {
        nothing(assessment, document, sections)
    } else {
        let said = markdown::short(&assessment.text, 1_600);
        format!("**{}**\n\n{said}", severities(&assessment.findings)).trim_end().to_owned()
    };
    let embed = Embed {
        author: assessment.answered_by.as_deref().map(card::answered_by).unwrap_or_default(),
        title: format!("{COUNCIL} Assessment · {}", name(document)),
        description,
        color: color(assessment),
        fields,
        footer: marked(assessment),
        ..Embed::default()
    };
    limits::fit(Post {
        embeds: vec![embed],
        rows: vec![buttons(session, key, assessment)],
        ..Post::default()
    })
}

/// Raw output only where somebody was asked.
fn buttons(session: &SessionId, key: &StepKey, assessment: &Assessment) -> Row {
    let mut row = card::whole_and_raw(session, key, "Whole assessment");
    if let Row::Buttons(buttons) = &mut row
        && assessment.no_findings()
        && assessment.answered_by.is_none()
    {
        buttons.truncate(1);
    }
    row
}

/// Said where there are no findings: what was read, by whom, and what became of their claims. No praise.
pub(super) fn nothing(assessment: &Assessment, document: &Document, sections: &[DocumentSection]) -> String {
    let readers: Vec<Philosopher> =
        Philosopher::ALL.into_iter().filter(|member| !assessment.missing.contains(member)).collect();
    let read = match (sections.len().saturating_sub(assessment.unread.len()), sections.len()) {
        (_, 0 | 1) => "all of it, at once".to_owned(),
        (read, all) if read == all => format!("all of it, in {all} sections"),
        (read, all) => format!("{read} of {}", card::count(all, "section")),
    };
    format!(
        "**No significant findings.**\n\n{} read {}: {read}.{} {}",
        members(&readers),
        name(document),
        if assessment.skipped.is_empty() { "" } else { " Not everybody read every section." },
        counted(assessment)
    )
}

/// `🟥 2 critical · 🟧 1 high`.
pub(super) fn severities(findings: &[Finding]) -> String {
    let parts: Vec<String> = [Severity::Critical, Severity::High, Severity::Medium, Severity::Low]
        .into_iter()
        .filter_map(|severity| {
            let count = findings.iter().filter(|finding| finding.severity == severity).count();
            let word = super::word(severity).to_lowercase();
            (count > 0).then(|| format!("{} {count} {word}", sign(severity)))
        })
        .collect();
    parts.join(" · ")
}

/// What became of all that was claimed.
pub(super) fn counted(assessment: &Assessment) -> String {
    if assessment.claims == 0 {
        return "No claims were made.".to_owned();
    }
    let raised = card::count(assessment.claims, "claim");
    let mut fates = Vec::new();
    if assessment.below_floor > 0 {
        let fell = card::thousands(assessment.below_floor.into());
        fates.push(format!("{fell} {} dropped (less than 30 % sure)", was(assessment.below_floor)));
    }
    if assessment.merged > 0 {
        let merged = card::thousands(assessment.merged.into());
        fates.push(format!("{merged} {} merged with one that says the same", was(assessment.merged)));
    }
    if assessment.lesser > 0 {
        let lesser = card::count(assessment.lesser, "lesser finding");
        fates.push(format!("{lesser} can be found behind the Tree buttons only"));
    }
    if assessment.findings.len() > assessment.voted().len() {
        let (voted, all) = (assessment.voted().len(), assessment.findings.len());
        fates.push(format!("the {voted} weightiest of {all} findings are put to the vote"));
    }
    if fates.is_empty() {
        return format!("{raised} made.");
    }
    format!("{raised} made: {}.", card::listed(&fates))
}

fn was(count: u32) -> &'static str {
    if count == 1 { "was" } else { "were" }
}

/// Sections that nobody read.
fn unread(assessment: &Assessment, sections: &[DocumentSection]) -> Option<Field> {
    let ids = &assessment.unread;
    let lines = section_lines(ids, sections, card::FIELD_ROOM - 100, WHOLE);
    let value = format!("Nobody read {} of {}:\n{lines}", ids.len(), card::count(sections.len(), "section"));
    (!ids.is_empty()).then(|| card::field("⚠️ Not read", value))
}

fn missing(assessment: &Assessment) -> Option<Field> {
    let lines: Vec<String> = assessment
        .missing
        .iter()
        .map(|member| format!("- **{member}**, who looks for {}", member.looks_for()))
        .collect();
    (!lines.is_empty()).then(|| card::field("⚠️ No answer", lines.join("\n")).inside())
}

/// What single members did not read, which is all the more to be known where nobody found anything.
fn skipped(assessment: &Assessment) -> Option<Field> {
    let lines = skipped_lines(assessment);
    let shown = || card::lines(&lines, card::FIELD_ROOM, WHOLE);
    (!lines.is_empty()).then(|| card::field("⚠️ Not read by everybody", shown()))
}

/// `- **Popper**: §2 and §5`.
pub(super) fn skipped_lines(assessment: &Assessment) -> Vec<String> {
    let line = |skipped: &Skipped| {
        let ids: Vec<String> = skipped.sections.iter().map(ToString::to_string).collect();
        format!("- **{}** did not read {}", skipped.member, card::listed(&ids))
    };
    assessment.skipped.iter().map(line).collect()
}

/// Who against whom, what each holds, and why not both.
fn short(contradiction: &Contradiction) -> String {
    let (first, second) = &contradiction.claims;
    format!(
        "{}\n{} holds: {}\n{} holds: {}\n-# {}",
        between(contradiction),
        contradiction.first.member,
        markdown::inline(first, 140),
        contradiction.second.member,
        markdown::inline(second, 140),
        markdown::inline(&contradiction.why, 180)
    )
}

/// `**Popper 1.2** against **Kant 3** (F1 and F4)`.
pub(super) fn between(contradiction: &Contradiction) -> String {
    let ids: Vec<String> = contradiction.findings.iter().map(ToString::to_string).collect();
    let within = if ids.is_empty() { String::new() } else { format!(" ({})", card::listed(&ids)) };
    format!("**{}** against **{}**{within}", contradiction.first, contradiction.second)
}

/// As severe as its worst finding.
fn color(assessment: &Assessment) -> Color {
    match assessment.findings.iter().map(|finding| finding.severity).min() {
        Some(severity) => super::finding::color(severity),
        None if assessment.missing.is_empty() && assessment.unread.is_empty() => Color::Neutral,
        None => Color::Caution,
    }
}

/// How many sentences are not as they should be.
pub(super) fn marked(assessment: &Assessment) -> String {
    match assessment.marked {
        0 => String::new(),
        marked => format!(
            "{} in it: personal, praise or advice, though none was asked for.",
            card::count(marked, "sentence")
        ),
    }
}
