//! What the investigator called.

use super::super::{card, limits, markdown, text};
use domain::{
    Call, Called, Color, Embed, InvestigatorTool, LoopLimits, Post, SessionId, StepKey, StopReason,
    calls_used,
};

/// What the language of programs is called where a fence names it.
pub(super) const PROGRAM: &str = "js";

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

/// A text as it was, in a fence that it cannot close, named by the language that it is in.
pub(super) fn fenced(text: &str, language: &str, most: usize) -> String {
    let text = text::cut(&text::clean(text), most).replace("```", "'''");
    if text.trim().is_empty() { "(nothing)".to_owned() } else { format!("```{language}\n{text}\n```") }
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
    let done = calls.last().filter(|_| ended == StopReason::Done);
    let by = done.and_then(|done| Some((done.action.stop?, &done.action.why_stop)));
    let by =
        by.map(|(rule, why)| format!("; by its own word {}. {}", rule.words(), markdown::inline(why, 300)));
    let by = by.unwrap_or_else(|| ".".to_owned());
    let embed = Embed {
        title: "🧰 What the investigator did".to_owned(),
        description: format!("{description}\n\nIt ended because {}{by}", ended.words()),
        color: if ended == StopReason::Done { Color::Neutral } else { Color::Caution },
        footer: format!(
            "{} of {} calls · {} of {} tokens · {} of {}",
            calls_used(calls),
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
