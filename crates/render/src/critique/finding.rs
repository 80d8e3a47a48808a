//! A finding, whole, as whoever chose it sees it: what is wrong or missing, on which words of the text it rests, who holds it,
//! what became of its claims, and what the team made of it.

use super::{
    super::{card, limits, text},
    line, members, quotation, sign, sure,
    tree::change,
    word,
};
use domain::{
    ButtonStyle, Color, CustomId, Document, Does, Embed, Finding, FindingId, Post, Review, Row, SessionId,
    Severity, Triage, TriageVerdict,
};

/// A finding with all that belongs to it and the buttons of the triage.
#[must_use]
pub fn finding(
    session: &SessionId,
    review: &Review,
    finding: &Finding,
    document: &Document,
    triage: Option<&Triage>,
) -> Vec<Post> {
    let said = triage.filter(|said| said.verdict != TriageVerdict::Open);
    let open = || {
        let sign = verdict(TriageVerdict::Open).0;
        format!("{sign} **Open.** Right (Accept), wrong (Reject) or mended already (Fixed)?")
    };
    let state = said.map_or_else(open, |said| format!("{} {}", verdict(said.verdict).0, said_by(said)));
    let embed = Embed {
        title: format!(
            "{} {} · {} · {}",
            sign(finding.severity()),
            finding.id,
            word(finding.severity()),
            text::label(finding.name(), 180)
        ),
        description: format!("{}\n\n{state}", whole(review, finding, document)),
        color: match said.map(|said| said.verdict) {
            Some(TriageVerdict::Fixed) => Color::Good,
            Some(TriageVerdict::Rejected) => Color::Neutral,
            _ => color(finding.severity()),
        },
        ..Embed::default()
    };
    limits::fit(Post { embeds: vec![embed], rows: vec![buttons(session, finding, said)], ..Post::default() })
}

/// The whole of a finding: its claim, the quotations, the holders, what became of each claim.
pub(super) fn whole(review: &Review, finding: &Finding, document: &Document) -> String {
    let mut blocks = vec![line(finding.critique())];
    let evidence = finding.evidence();
    blocks.extend(evidence.iter().map(|evidence| quotation::block(document, evidence)));
    if evidence.is_empty() {
        blocks.push(quotation::NONE.to_owned());
    }
    let held_by = finding.held_by();
    blocks.push(format!(
        "**Held by** {} ({} of {})\n**How sure:** {}",
        members(&held_by),
        held_by.len(),
        review.readers(),
        sure(finding.confidence())
    ));
    let others = finding.claims.iter().skip(1).map(|claim| {
        let weighed = format!("{}, {}", word(claim.severity).to_lowercase(), sure(claim.confidence));
        format!("- **{}** says the same ({weighed}): {}", claim.id, line(&claim.claim))
    });
    let changes = finding
        .claims
        .iter()
        .flat_map(|claim| claim.changes.iter().map(|one| format!("- **{}** · {}", claim.id, change(one))));
    let listed: Vec<String> = others.chain(changes).collect();
    blocks.push(listed.join("\n"));
    blocks.retain(|block| !block.trim().is_empty());
    blocks.join("\n\n")
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
