//! All findings as a list with what the team made of each.

use super::{
    super::{card, text},
    finding::{state, verdict},
    one,
};
use crate::domain::{
    Assessment, ButtonStyle, Color, CustomId, Does, Embed, Post, Row, SessionId, Triage, TriageVerdict,
    TriagedFinding,
};

/// All findings as a list with what the team made of each; kept true.
#[must_use]
pub fn triage(session: &SessionId, assessment: &Assessment, triage: &[Triage]) -> Post {
    let all = TriagedFinding::all(&assessment.findings, triage);
    let said = all.iter().filter(|finding| finding.triage.is_some()).count();
    let lines: Vec<String> = all.iter().map(line).collect();
    let embed = Embed {
        title: format!("🗂️ Triage · {said} of {} triaged", all.len()),
        description: format!("{}\n\n{}", counts(&all), lines.join("\n")),
        color: if said == all.len() { Color::Good } else { Color::Active },
        footer: "Whoever may vote, and moderators, press the buttons on each finding's card; the newest press counts.".to_owned(),
        ..Embed::default()
    };
    let list =
        card::button(CustomId::new(session, Does::TriageList), "Export list", "📋", ButtonStyle::Secondary);
    one(Post { rows: vec![Row::Buttons(vec![list])], ..card::post(embed) })
}

/// `✅ 1 accepted · ⬜ 4 open`.
pub(super) fn counts(all: &[TriagedFinding<'_>]) -> String {
    let verdicts =
        [TriageVerdict::Accepted, TriageVerdict::Rejected, TriageVerdict::Fixed, TriageVerdict::Open];
    let parts: Vec<String> = verdicts
        .into_iter()
        .filter_map(|of| {
            let count = all.iter().filter(|finding| verdict_of(finding) == of).count();
            let (emoji, word) = verdict(of);
            (count > 0).then(|| format!("{emoji} {count} {}", word.to_lowercase()))
        })
        .collect();
    parts.join(" · ")
}

/// What was said of a finding last.
pub(super) fn verdict_of(finding: &TriagedFinding<'_>) -> TriageVerdict {
    finding.triage.map_or(TriageVerdict::Open, |said| said.verdict)
}

fn line(triaged: &TriagedFinding<'_>) -> String {
    let finding = triaged.finding;
    let said = triaged.triage.map_or_else(|| format!("{} Open", verdict(TriageVerdict::Open).0), state);
    format!(
        "**{} · {}** · {}\n{said}",
        finding.id,
        text::label(&finding.area, 80),
        card::severity(finding.severity)
    )
}
