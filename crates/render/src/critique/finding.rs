//! A finding: what is wrong or missing, on which words of the text it rests, who holds it, and what the team made of it.

use super::{
    super::{card, markdown, text},
    members, one, quotation, sign, sure, word,
};
use domain::{
    Assessment, ButtonStyle, Color, CustomId, Document, Does, Embed, Finding, FindingId, Post, Row,
    SessionId, Severity, Triage, TriageVerdict,
};

/// Quotations that a card shows.
const SHOWN: usize = 2;

/// A finding with its place, quotation, holders and confidence, and what the team made of it; kept true.
#[must_use]
pub fn finding(
    session: &SessionId,
    assessment: &Assessment,
    finding: &Finding,
    document: &Document,
    triage: Option<&Triage>,
) -> Post {
    let said = triage.filter(|said| said.verdict != TriageVerdict::Open);
    let mut blocks = vec![markdown::short(&finding.critique, 900)];
    blocks.extend(
        finding.evidence.iter().take(SHOWN).map(|evidence| quotation::block(document, evidence, 320)),
    );
    if finding.evidence.is_empty() {
        blocks.push(quotation::NONE.to_owned());
    }
    if finding.evidence.len() > SHOWN {
        let more = card::count(finding.evidence.len() - SHOWN, "more quotation");
        blocks.push(format!("…and {more} in the whole assessment."));
    }
    blocks.push(format!(
        "**Held by** {} ({} of {})\n**How sure:** {}",
        members(&finding.held_by),
        finding.held_by.len(),
        assessment.readers(),
        sure(finding.confidence)
    ));
    let state = said.map_or_else(
        || {
            format!(
                "{} **Open.** Right (Accept), wrong (Reject) or mended already (Fixed)?",
                verdict(TriageVerdict::Open).0
            )
        },
        state,
    );
    blocks.push(state);
    blocks.retain(|block| !block.trim().is_empty());
    let claims: Vec<String> = finding.claims.iter().map(ToString::to_string).collect();
    let embed = Embed {
        title: format!(
            "{} {} · {} · {}",
            sign(finding.severity),
            finding.id,
            word(finding.severity),
            text::label(&finding.area, 160)
        ),
        description: blocks.join("\n\n"),
        color: match said.map(|said| said.verdict) {
            Some(TriageVerdict::Fixed) => Color::Good,
            Some(TriageVerdict::Rejected) => Color::Neutral,
            _ => color(finding.severity),
        },
        footer: if claims.len() > 1 {
            format!("Merged from {}.", text::cut(&card::listed(&claims), 400))
        } else {
            String::new()
        },
        ..Embed::default()
    };
    let rows = vec![buttons(session, finding, said)];
    one(Post { embeds: vec![embed], rows, ..Post::default() })
}

/// What a button of the triage does with a finding.
type Says = fn(FindingId) -> Does;

/// None looks like the one to press; what was said cannot be said again, and can be taken back.
fn buttons(session: &SessionId, finding: &Finding, said: Option<&Triage>) -> Row {
    let of = |does: Says, label, emoji| {
        card::button(CustomId::new(session, does(finding.id)), label, emoji, ButtonStyle::Secondary)
    };
    let choices: [(TriageVerdict, Says, &str); 3] = [
        (TriageVerdict::Accepted, Does::TriageAccept, "Accept"),
        (TriageVerdict::Rejected, Does::TriageReject, "Reject"),
        (TriageVerdict::Fixed, Does::TriageFixed, "Fixed"),
    ];
    let mut buttons = Vec::new();
    for (choice, does, label) in choices {
        let now = said.is_some_and(|said| said.verdict == choice);
        let (emoji, word) = verdict(choice);
        let mut button = of(does, if now { word } else { label }, emoji);
        button.disabled = now;
        buttons.push(button);
    }
    if said.is_some() {
        buttons.push(of(Does::TriageUndo, "Reopen", "↩️"));
    }
    Row::Buttons(buttons)
}

/// `✅ **Accepted** by Ada <t:1790000000:R>`.
fn state(said: &Triage) -> String {
    format!("{} {}", verdict(said.verdict).0, said_by(said))
}

/// `**Accepted** by Ada <t:1790000000:R>`.
pub(super) fn said_by(said: &Triage) -> String {
    format!("**{}** by {} <t:{}:R>", verdict(said.verdict).1, text::label(&said.by_name, 80), said.at)
}

/// A verdict as emoji and word.
pub(super) fn verdict(verdict: TriageVerdict) -> (&'static str, &'static str) {
    match verdict {
        TriageVerdict::Accepted => ("✅", "Accepted"),
        TriageVerdict::Rejected => ("❌", "Rejected"),
        TriageVerdict::Fixed => ("🔧", "Fixed"),
        TriageVerdict::Open => ("⬜", "Open"),
    }
}

/// The bar's colour for a severity; the title says the same in a word.
pub(super) fn color(severity: Severity) -> Color {
    match severity {
        Severity::Critical => Color::Danger,
        Severity::High | Severity::Medium => Color::Caution,
        Severity::Low => Color::Neutral,
    }
}
