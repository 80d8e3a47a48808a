//! What was checked, and what the investigator called.

use super::super::{card, limits, markdown, sources, text};
use domain::{
    Call, Called, Check, CheckFinding, CheckedBy, Color, Embed, InvestigatorTool, LoopLimits, Numbered, Post,
    SessionId, StepKey, StopReason,
};

/// What the language of programs is called where a fence names it.
const PROGRAM: &str = "js";

/// A tool as people read it.
#[must_use]
pub fn tool_words(tool: InvestigatorTool) -> &'static str {
    match tool {
        InvestigatorTool::QueryModel => "asks a model",
        InvestigatorTool::QueryModelAsRole => "asks a model in a role",
        InvestigatorTool::VerifyClaim => "has a claim checked",
        InvestigatorTool::RunCode => "calculates",
        InvestigatorTool::WebSearch => "searches the web",
        InvestigatorTool::Argue => "has two models argue",
        InvestigatorTool::AskTeam => "asks the team",
        InvestigatorTool::Checkpoint => "sums up",
        InvestigatorTool::Done => "has its answer",
    }
}

/// A check: what was found first, then why and by what.
#[must_use]
pub fn check_card(session: &SessionId, step: &StepKey, check: &Check) -> Vec<Post> {
    let (found, color) = found(check);
    let mut lines = vec![found, markdown::inline(&check.why, 600)];
    if !check.independent {
        lines
            .push("⚠️ The model that judged is one of those that say it: no other is configured.".to_owned());
    }
    let mut fields = Vec::new();
    if let CheckedBy::Code { printed, .. } = &check.by {
        fields.push(card::field("The calculation gave", fenced(printed, "", 700)));
    }
    let pages = (1..).zip(check.pages.clone()).map(|(number, source)| Numbered { number, source });
    let pages: Vec<Numbered> = pages.collect();
    fields.extend(sources::field(&pages, "behind the button."));
    let embed = Embed {
        title: format!("🔍 {}", text::label(topic(check), 200)),
        description: lines.join("\n\n"),
        color,
        fields,
        footer: format!("Checked {}", text::plain(&check.by.words(), 120)),
        ..Embed::default()
    };
    let rows = vec![card::whole_and_raw(session, step, "Whole check")];
    limits::fit(Post { embeds: vec![embed], rows, ..Post::default() })
}

fn topic(check: &Check) -> &str {
    check.topic.lines().next().unwrap_or_default()
}

/// What was found, with what it was about: of a claim whether it holds, of a disagreement which side of it.
fn found(check: &Check) -> (String, Color) {
    let claim = || markdown::inline(topic(check), 400);
    match (&check.finding, check.holds()) {
        (_, Some(position)) if !check.denies() => {
            (format!("✅ **Holds:** {}", markdown::inline(position, 400)), Color::Good)
        }
        (CheckFinding::Unsettled, _) => ("❔ **Looked at, and not settled.**".to_owned(), Color::Caution),
        _ if check.denies() => (format!("❌ **Does not hold:** {}", claim()), Color::Caution),
        _ => ("❌ **None of what was said holds.**".to_owned(), Color::Caution),
    }
}

/// A text as it was, in a fence that it cannot close, named by the language that it is in.
fn fenced(text: &str, language: &str, most: usize) -> String {
    let text = text::cut(&text::clean(text), most).replace("```", "'''");
    if text.trim().is_empty() { "(nothing)".to_owned() } else { format!("```{language}\n{text}\n```") }
}

/// The whole check as Markdown, with the program that was run.
#[must_use]
pub fn whole_check(check: &Check) -> String {
    let mut lines = vec![format!("**{}**", topic(check)), found(check).0, check.why.clone()];
    let positions: Vec<String> = check.positions.iter().map(|position| format!("- {position}")).collect();
    lines.push(format!("What could be so:\n\n{}", positions.join("\n")));
    if let CheckedBy::Code { code, printed } = &check.by {
        lines.push(format!(
            "The program:\n\n{}\n\nIt gave:\n\n{}",
            fenced(code, PROGRAM, 4_000),
            fenced(printed, "", 4_000)
        ));
    }
    let pages = (1..).zip(&check.pages);
    lines.extend(pages.map(|(number, page)| {
        format!("{number}. {} — {}", text::label(&page.title, 200), page.url.as_str())
    }));
    lines.push(format!("Checked {}.", check.by.words()));
    lines.join("\n\n")
}

/// The log of calls: a line each.
#[must_use]
pub fn calls_card(
    session: &SessionId,
    step: &StepKey,
    calls: &[Call],
    ended: StopReason,
    limits: LoopLimits,
) -> Vec<Post> {
    let lines: Vec<String> = (1..)
        .zip(calls)
        .map(|(number, call)| {
            let sign = match call.called {
                Called::Answered(_) => "✅",
                Called::Failed(_) => "⚠️ failed:",
                Called::SentBack(_) => "↩️ sent back:",
            };
            let purpose = markdown::inline(&call.action.purpose, 160);
            format!("{number}. {sign} {} — {purpose}", tool_words(call.action.tool))
        })
        .collect();
    let tokens: u64 = calls.iter().map(|call| call.tokens).sum();
    let seconds = calls.iter().map(|call| call.ms).sum::<u64>() / 1_000;
    let description = if lines.is_empty() {
        "It called nothing.".to_owned()
    } else {
        card::lines(&lines, 2_400, "behind the button.")
    };
    let embed = Embed {
        title: "🧰 What the investigator did".to_owned(),
        description: format!("{description}\n\nIt ended because {}.", ended.words()),
        color: if ended == StopReason::Done { Color::Neutral } else { Color::Caution },
        footer: format!(
            "{} of {} calls · {} of {} tokens · {} of {}",
            calls.len(),
            limits.calls,
            card::tokens(i64::try_from(tokens).unwrap_or(i64::MAX)),
            card::tokens(i64::try_from(limits.tokens).unwrap_or(i64::MAX)),
            card::duration(i64::try_from(seconds).unwrap_or(i64::MAX)),
            card::duration(i64::try_from(limits.seconds).unwrap_or(i64::MAX)),
        ),
        ..Embed::default()
    };
    let rows = vec![card::whole_and_raw(session, step, "Log of calls")];
    limits::fit(Post { embeds: vec![embed], rows, ..Post::default() })
}

/// The log of calls as Markdown: what was wanted, why, and what came back.
#[must_use]
pub fn whole_calls(calls: &[Call]) -> String {
    let call = |(number, call): (usize, &Call)| {
        let action = &call.action;
        let (what, back) = match &call.called {
            Called::Answered(text) => ("gave back", text),
            Called::Failed(text) => ("failed", text),
            Called::SentBack(text) => ("was sent back", text),
        };
        let purpose = text::label(&action.purpose, 300);
        let wanted =
            if action.tool == InvestigatorTool::Checkpoint { &action.hypothesis } else { &action.text };
        let language = if action.tool == InvestigatorTool::RunCode { PROGRAM } else { "" };
        format!(
            "**{number}. {}** — {purpose}\n\n{}\n\nIt {what}:\n\n{}",
            tool_words(action.tool),
            fenced(wanted, language, 2_500),
            fenced(back, "", 2_500)
        )
    };
    (1..).zip(calls).map(call).collect::<Vec<_>>().join("\n\n")
}
