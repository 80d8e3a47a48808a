//! What was checked: a line each on one card, the printouts and pages behind its list.

use super::{
    super::{card, chosen, limits, markdown, sources, text},
    calls::{PROGRAM, fenced},
};
use domain::{Check, CheckFinding, CheckedBy, Color, Embed, Post, SessionId, SourceList, StepKey};

/// The number of the checks' list.
const CHECKS: u8 = 14;

/// Most characters of a reason: more than is asked for, so that none ends in the middle of a sentence.
const WHOLE: usize = 700;

/// The checks with their steps. The card lists them in this order; their marks are numbers of `sources`.
#[must_use]
pub fn checks_card(session: &SessionId, checks: &[(StepKey, Check)], sources: &SourceList) -> Post {
    let lines: Vec<String> = checks.iter().map(|(_, check)| told(check)).collect();
    let is_open = checks.iter().any(|(_, check)| !check.is_settled() || !check.independent);
    let pages = sources.cited_in(checks.iter().map(|(_, check)| &check.why));
    let steps: Vec<(String, StepKey)> = checks
        .iter()
        .map(|(step, check)| (text::plain(topic(check).trim_end_matches(['.', ':']), 70), step.clone()))
        .collect();
    let embed = Embed {
        title: "🔍 What was checked".to_owned(),
        description: card::lines(&lines, 3_800, "in the list."),
        color: if is_open { Color::Caution } else { Color::Good },
        fields: sources::field(&pages, "in the list.").into_iter().collect(),
        ..Embed::default()
    };
    let rows =
        chosen::list(session, (CHECKS, "Open a check, or how it came about…", "whole check"), &steps, &steps);
    limits::one(Post { embeds: vec![embed], rows, ..Post::default() })
}

/// A check in a line: what was found, why, and by what.
fn told(check: &Check) -> String {
    let why = markdown::inline(&check.why, WHOLE);
    let judged = if check.independent {
        ""
    } else {
        " ⚠️ The model that judged is one of those that say it: no other is configured."
    };
    format!("- {} {why} *Checked {}.*{judged}", found(check), markdown::inline(&check.by.words(), 120))
}

fn topic(check: &Check) -> &str {
    check.topic.lines().next().unwrap_or_default()
}

/// What was found, with what it was about: of a claim whether it holds, of a disagreement which side of it.
fn found(check: &Check) -> String {
    let about = markdown::inline(topic(check), 240);
    let about = about.trim_end_matches([':', '.', '?']);
    match (&check.finding, check.holds()) {
        (_, Some(position)) if check.topic == position => format!("✅ **Holds:** {about}."),
        _ if check.denies() => format!("❌ **Does not hold:** {about}."),
        (_, Some(position)) => {
            let position = markdown::inline(position, 400);
            format!("✅ **{about}:** {}.", position.trim_end_matches('.'))
        }
        (CheckFinding::Unsettled, _) => format!("❔ **Looked at, and not settled:** {about}."),
        _ => format!("❌ **None of what was said holds:** {about}."),
    }
}

/// The whole check as Markdown, with the program that was run. Its marks have the numbers of `sources`.
#[must_use]
pub fn whole_check(check: &Check, sources: &SourceList) -> String {
    let mut lines = vec![found(check), check.why.clone()];
    let positions: Vec<String> = check.positions.iter().map(|position| format!("- {position}")).collect();
    lines.push(format!("What could be so:\n\n{}", positions.join("\n")));
    if let CheckedBy::Code { code, printed } = &check.by {
        lines.push(format!(
            "The program:\n\n{}\n\nIt gave:\n\n{}",
            fenced(code, PROGRAM, 4_000),
            fenced(printed, "", 4_000)
        ));
    }
    let pages = sources.cited_in(std::iter::once(&check.why));
    lines.extend(sources::below(Vec::new(), &pages, 4_000));
    lines.push(format!("Checked {}.", check.by.words()));
    lines.join("\n\n")
}
