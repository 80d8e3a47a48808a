//! The review: verdict, text, what is grave and not told there, what holds up, and what was not read. All findings are behind
//! its buttons.

use std::fmt::Write as _;

use super::{
    super::{card, limits, markdown, text},
    COUNCIL, finding, line, members, name, omissions, quotation, section_lines, sign, word,
};
use domain::{
    Color, Document, DocumentSection, Embed, Field, Finding, Opposition, Philosopher, Post, Review,
    SessionId, Severity, Skipped, StepKey, first_sentence,
};

/// Where the rest is.
const WHOLE: &str = "in the whole review.";
/// A card without a text tells so many findings, and all that are critical or high. The lists below it have the others.
const TOLD: usize = 20;
/// Room for an embed's part of the findings: below what an embed may hold, so that embeds fill messages evenly.
const PART: usize = 2_800;

/// The review, whole; where there are no findings, it says so plainly.
#[must_use]
pub fn review_cards(
    session: &SessionId,
    key: &StepKey,
    review: &Review,
    document: &Document,
    sections: &[DocumentSection],
) -> Vec<Post> {
    let color = color(review);
    let part = |description| Embed { description, color, ..Embed::default() };
    let mut embeds = vec![Embed {
        author: review.answered_by.as_deref().map(card::answered_by).unwrap_or_default(),
        title: format!("{COUNCIL} Review · {}", name(document)),
        fields: degraded(review, document, sections),
        ..part(opening(review, document, sections))
    }];
    embeds.extend(markdown::body(&review.text, limits::DESCRIPTION - 96).into_iter().map(part));
    let title = if review.text.is_empty() { "🔎 What is wrong or missing" } else { "🔎 Also found" };
    let lines = section(title, lines(review, document)).into_iter().chain(lesser(review));
    embeds.extend(packed(lines).into_iter().map(part));
    let behind = [
        section("🧱 What holds up", holding_up(review)),
        section("↔️ Cannot both hold", contradicting(review)),
    ]
    .concat();
    embeds.extend(packed(behind).into_iter().map(part));
    if let Some(last) = embeds.last_mut() {
        last.footer = marked(review);
    }
    // Without a finding the card is the whole, and nobody was asked.
    let rows = (!review.no_findings()).then(|| card::whole_and_raw(session, key, "Whole review"));
    let rows = rows.into_iter().collect();
    limits::fit(Post { embeds, rows, ..Post::default() })
}

/// Blocks in as few parts as hold them, none of them split.
fn packed(blocks: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for block in blocks {
        match parts.last_mut() {
            Some(last) if text::length(last) + text::length(&block) < PART => {
                last.push_str(if block.starts_with("**") { "\n\n" } else { "\n" });
                last.push_str(&block);
            }
            _ => parts.push(block),
        }
    }
    parts
}

/// The lines of a section, the first with its title; nothing where there is none.
fn section(title: &str, mut lines: Vec<String>) -> Vec<String> {
    if let Some(first) = lines.first_mut() {
        *first = format!("**{title}**\n{first}");
    }
    lines
}

fn holding_up(review: &Review) -> Vec<String> {
    review.holds_up.iter().map(|holds| format!("- {}", line(holds))).collect()
}

fn contradicting(review: &Review) -> Vec<String> {
    review.oppositions.iter().map(|one| opposed(review, one)).collect()
}

/// The verdict, and how many findings of which severity; or that there are none.
fn opening(review: &Review, document: &Document, sections: &[DocumentSection]) -> String {
    if review.no_findings() {
        return nothing(review, document, sections);
    }
    let verdict = markdown::short(&review.verdict, super::WHOLE);
    let (severities, counted) = (severities(&review.findings), counted(review));
    format!("{verdict}\n\n**{severities}**\n-# {counted}").trim_start().to_owned()
}

/// What the text does not tell, a line each: sign, number, what is wrong, and where it stands.
fn lines(review: &Review, document: &Document) -> Vec<String> {
    let told = |finding: &Finding| {
        let found = finding.evidence().first().and_then(|evidence| evidence.found);
        let place = found.map_or_else(
            || "⚠️ not quoted from the text".to_owned(),
            |span| quotation::place(document, span),
        );
        let (sign, id) = (sign(finding.severity()), finding.id);
        // What stands apart from its group was given no line.
        let apart = finding.title.trim().is_empty();
        let told = if apart { first_sentence(&finding.line) } else { &finding.line };
        format!("{sign} **{id}** {} ({place})", line(told))
    };
    let own = review.findings.iter().take(told_to(review)).filter(|finding| !review.tells(finding.id));
    own.map(told).collect()
}

/// The number of the last finding that the card tells; they are numbered by severity. Beside a text only grave ones that it does
/// not tell have a line: what somebody needs of the rest stands in it.
fn told_to(review: &Review) -> usize {
    let grave = review.findings.iter().filter(|finding| finding.severity() <= Severity::High).count();
    if review.text.is_empty() { grave.max(TOLD).min(review.findings.len()) } else { grave }
}

/// How many findings the card leaves out, and where they are.
fn lesser(review: &Review) -> Option<String> {
    let left = review.findings.get(told_to(review)..)?.iter();
    let left = left.filter(|finding| !review.tells(finding.id)).count();
    let weigh = if left == 1 { "weighs" } else { "weigh" };
    let left = (left > 0).then(|| card::count(left, "finding"))?;
    Some(format!("-# {left} {weigh} less: open them from the list below, or read the whole review."))
}

/// Which findings, why, and what would settle it.
fn opposed(review: &Review, one: &Opposition) -> String {
    let of =
        |claim| review.holding(claim).map_or_else(|| format!("{claim}"), |finding| finding.id.to_string());
    let settles = Some(line(&one.settles)).filter(|settles| !settles.is_empty());
    let settles = settles.map(|settles| format!(" *Settled by:* {settles}")).unwrap_or_default();
    format!("- **{}** against **{}**: {}{settles}", of(&one.own), of(&one.other), line(&one.why))
}

/// Said where there are no findings: what was read, by whom, and what became of their claims. No praise.
fn nothing(review: &Review, document: &Document, sections: &[DocumentSection]) -> String {
    let readers: Vec<Philosopher> =
        Philosopher::ALL.into_iter().filter(|member| !review.missing.contains(member)).collect();
    let read = match (sections.len().saturating_sub(review.unread.len()), sections.len()) {
        (_, 0 | 1) => "all of it, at once".to_owned(),
        (read, all) if read == all => format!("all of it, in {all} sections"),
        (read, all) => format!("{read} of {}", card::count(all, "section")),
    };
    let skipped = if review.skipped.is_empty() { "" } else { " Not everybody read every section." };
    format!(
        "**No significant findings.**\n\n{} read {}: {read}.{skipped} {}",
        members(&readers),
        name(document),
        counted(review)
    )
}

/// `🟥 2 critical · 🟧 1 high`.
fn severities(findings: &[Finding]) -> String {
    let parts: Vec<String> = [Severity::Critical, Severity::High, Severity::Medium, Severity::Low]
        .into_iter()
        .filter_map(|severity| {
            let count = findings.iter().filter(|finding| finding.severity() == severity).count();
            let word = word(severity).to_lowercase();
            (count > 0).then(|| format!("{} {count} {word}", sign(severity)))
        })
        .collect();
    parts.join(" · ")
}

/// What became of all that was claimed.
fn counted(review: &Review) -> String {
    if review.claims == 0 {
        return "No claims were made.".to_owned();
    }
    let mut told = card::count(review.claims, "claim");
    if review.below_floor > 0 {
        let fell = card::thousands(review.below_floor.into());
        let _ = write!(told, ", {fell} of them taken back or less than 30 % sure");
    }
    told.push('.');
    if !review.no_findings() {
        let findings = card::count(review.findings.len(), "finding");
        let _ = write!(told, " What stays is told as {findings}");
        if review.lesser > 0 {
            let lesser = card::count(review.lesser, "lesser one");
            let _ = write!(told, "; {lesser} only in the trees");
        }
        told.push('.');
    }
    told
}

/// What was not read, who did not answer, and what was not as planned.
fn degraded(review: &Review, document: &Document, sections: &[DocumentSection]) -> Vec<Field> {
    let mut fields = Vec::new();
    if review.answered_by.is_none() && !review.no_findings() {
        let value = "No model could write the review, so the findings stand in the critics' own words.";
        fields.push(card::field("⚠️ Degraded", value).inside());
    }
    if !review.unread.is_empty() {
        let lines = section_lines(&review.unread, sections, card::FIELD_ROOM - 100, WHOLE);
        let value = format!(
            "Nobody read {} of {}:\n{lines}",
            review.unread.len(),
            card::count(sections.len(), "section")
        );
        fields.push(card::field("⚠️ Not read", value));
    }
    if !review.missing.is_empty() {
        let line = |member: &Philosopher| format!("- **{member}**, who looks for {}", member.looks_for());
        let lines: Vec<String> = review.missing.iter().map(line).collect();
        fields.push(card::field("⚠️ No answer", lines.join("\n")).inside());
    }
    if !review.skipped.is_empty() {
        let line = |skipped: &Skipped| {
            let ids: Vec<String> = skipped.sections.iter().map(ToString::to_string).collect();
            format!("- **{}** did not read {}", skipped.member, card::listed(&ids))
        };
        let lines: Vec<String> = review.skipped.iter().map(line).collect();
        fields.push(card::field("⚠️ Not read by everybody", card::lines(&lines, card::FIELD_ROOM, WHOLE)));
    }
    fields.extend(omissions(document));
    fields
}

/// As severe as its worst finding.
fn color(review: &Review) -> Color {
    match review.findings.iter().map(Finding::severity).min() {
        Some(severity) => finding::color(severity),
        None if review.missing.is_empty() && review.unread.is_empty() => Color::Neutral,
        None => Color::Caution,
    }
}

/// How many sentences and quotations are not as they should be.
fn marked(review: &Review) -> String {
    let sentences = (review.marked > 0).then(|| {
        let many = card::count(review.marked, "sentence");
        format!("{many} in it: personal, praise or advice, though none was asked for.")
    });
    let quotations = (review.misquoted > 0)
        .then(|| format!("{} in it not found in the text.", card::count(review.misquoted, "quotation")));
    sentences.into_iter().chain(quotations).collect::<Vec<_>>().join(" ")
}

/// The whole review behind its button, each finding with all that belongs to it: title and text.
#[must_use]
pub fn whole_review(review: &Review, document: &Document, sections: &[DocumentSection]) -> (String, String) {
    let opening = if review.no_findings() {
        nothing(review, document, sections)
    } else {
        format!("{}\n\n**{}**\n{}", review.verdict, severities(&review.findings), counted(review))
    };
    let mut parts = vec![opening, review.text.clone()];
    // The list comes after whatever heading the text ends under.
    parts.extend((!review.findings.is_empty()).then(|| "## Findings".to_owned()));
    parts.extend(review.findings.iter().map(|one| {
        let title = text::label(one.name(), 200);
        let head = format!("### {} · {} · {title}", one.id, card::severity(one.severity()));
        format!("{head}\n\n{}", finding::whole(review, one, document))
    }));
    for (title, lines) in [("What holds up", holding_up(review)), ("Cannot both hold", contradicting(review))]
    {
        parts.extend((!lines.is_empty()).then(|| format!("## {title}\n\n{}", lines.join("\n"))));
    }
    if !review.unread.is_empty() {
        let lines = section_lines(&review.unread, sections, usize::MAX, "");
        parts.push(format!("## Not read by anybody\n\n{lines}"));
    }
    if !review.missing.is_empty() {
        parts.push(format!("## No answer from\n\n{}", members(&review.missing)));
    }
    parts.push(marked(review));
    parts.retain(|part| !part.trim().is_empty());
    (format!("{COUNCIL} Review · {}", document.name), parts.join("\n\n"))
}
