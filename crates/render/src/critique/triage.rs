//! What the team made of the findings, with lists to open each.

use super::{
    super::{card, limits::one, text},
    finding::{said_by, verdict},
};
use domain::{
    ButtonStyle, Color, CustomId, Does, Embed, Finding, Post, Review, Row, Select, SelectOption, SessionId,
    Triage, TriageVerdict, TriagedFinding,
};

/// What the team made of which finding, and how many are open; kept true.
#[must_use]
pub fn triage(session: &SessionId, review: &Review, triage: &[Triage]) -> Post {
    let all = TriagedFinding::all(&review.findings, triage);
    let said = all.iter().filter(|finding| finding.triage.is_some()).count();
    // The review above tells all of them; here stands what became of which.
    let lines: Vec<String> = all.iter().filter(|finding| finding.triage.is_some()).map(line).collect();
    let embed = Embed {
        title: format!("🗂️ Triage · {said} of {} triaged", all.len()),
        description: format!("{}\n\n{}", counts(&all), card::lines(&lines, ROOM, "in the list.")).trim_end().to_owned(),
        color: if said == all.len() { Color::Good } else { Color::Active },
        footer: "Choose a finding to read all of it and to say what becomes of it. Whoever may vote, and moderators, may say so; the newest press counts.".to_owned(),
        ..Embed::default()
    };
    let list =
        card::button(CustomId::new(session, Does::TriageList), "Export list", "📋", ButtonStyle::Secondary);
    let mut rows = selects(session, review);
    rows.push(Row::Buttons(vec![list]));
    one(Post { rows, ..card::post(embed) })
}

/// Room for the lines of all findings.
const ROOM: usize = 3_600;
/// Most options of a select, by Discord.
const OPTIONS: usize = 25;
/// Most selects of a card beside its row of buttons, by Discord.
const SELECTS: usize = 4;

/// Lists of all findings, to open one by one.
fn selects(session: &SessionId, review: &Review) -> Vec<Row> {
    let select = |(list, findings): (u8, &[Finding])| {
        Row::Select(Select {
            id: CustomId::new(session, Does::OpenChosen(list)),
            placeholder: match findings {
                [first, .., last] => format!("Open one of {} to {}…", first.id, last.id),
                [only] => format!("Open {}…", only.id),
                [] => String::new(),
            },
            options: findings.iter().map(option).collect(),
            range: (1, 1),
        })
    };
    (1..).zip(review.findings.chunks(OPTIONS)).take(SELECTS).map(select).collect()
}

fn option(finding: &Finding) -> SelectOption {
    SelectOption {
        label: text::plain(&format!("{} · {}", finding.id, finding.name()), 100),
        value: finding.id.key().as_str().to_owned(),
        description: text::plain(&finding.line, 100),
    }
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

/// A line, for there may be many: what was said of it stands first as a sign, and in words at its end.
fn line(triaged: &TriagedFinding<'_>) -> String {
    let finding = triaged.finding;
    let (sign, _) = verdict(verdict_of(triaged));
    let said = triaged.triage.map(|said| format!(" · {}", said_by(said))).unwrap_or_default();
    format!(
        "{sign} **{} · {}** · {}{said}",
        finding.id,
        text::label(finding.name(), 80),
        card::severity(finding.severity())
    )
}
