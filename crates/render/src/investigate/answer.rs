//! The answer, highlighted: itself first, how sure, then the ground of each claim.

use super::{
    super::{card, limits, markdown, status, text},
    entry, sure,
};
use domain::{
    Call, Check, Color, Embed, Entry, InvestigateBrief, InvestigationAnswer, InvestigatorTool, Ledger, Post,
    SessionId, StepKey, StopReason, unfinished,
};

/// What the answer came from.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// How many scouts answered.
    pub scouts: usize,
    /// Of how many.
    pub of: usize,
    /// Why the loop ended; nothing where there was none.
    pub found: Option<StopReason>,
}

/// The answer's card.
#[must_use]
pub fn answer_card(
    (session, step): (&SessionId, &StepKey),
    (answer, entries): (&InvestigationAnswer, &[Entry]),
    (calls, checks): (&[Call], &[Check]),
    ended: &Ended,
    (brief, spent): (&InvestigateBrief, &Ledger),
) -> Vec<Post> {
    let mut fields = Vec::new();
    let mut degraded = Vec::new();
    if answer.answered_by.is_none() {
        degraded.push("- Nobody wrote this answer; it is the one that most scouts gave.".to_owned());
    }
    if !answer.left_out.is_empty() {
        let sentences = card::count(answer.left_out.len(), "sentence");
        degraded.push(format!(
            "- {sentences} left out: a number in it is one scout's alone, and nobody confirmed it."
        ));
    }
    let done = calls.iter().rev().find(|call| call.action.tool == InvestigatorTool::Done);
    if let Some(done) = done.filter(|_| ended.found == Some(StopReason::Done)) {
        let strict = brief.mode == domain::Mode::Adaptive;
        let lacks: Vec<String> =
            unfinished(calls, &done.action, strict).into_iter().map(str::to_owned).collect();
        if !lacks.is_empty() {
            degraded.push(format!("- The investigator ended without {}.", card::listed(&lacks)));
        }
    }
    if let Some(reason) = ended.found.filter(|reason| *reason != StopReason::Done) {
        degraded.push(format!("- The investigator was stopped: {}.", reason.words()));
    }
    if !degraded.is_empty() {
        fields.push(card::field("⚠️ Degraded", card::lines(&degraded, card::FIELD_ROOM, "like these.")));
    }
    let ground: Vec<String> = entries.iter().map(entry).collect();
    if !ground.is_empty() {
        let ground = card::lines(&ground, card::FIELD_ROOM, "behind the button.");
        fields.push(card::field("What it stands on", ground));
    }
    let open: Vec<String> =
        answer.unresolved.iter().map(|open| format!("- {}", markdown::inline(open, 280))).collect();
    if !open.is_empty() {
        fields.push(card::field("Not resolved", card::lines(&open, card::FIELD_ROOM, "behind the button.")));
    }
    if !answer.would_change.is_empty() {
        fields.push(card::field("What would change it", markdown::inline(&answer.would_change, 400)));
    }
    let embed = Embed {
        author: answer.answered_by.as_deref().map(card::answered_by).unwrap_or_default(),
        title: "🎯 The answer".to_owned(),
        description: format!(
            "{}\n\n**Confidence: {}**",
            markdown::short(&answer.answer, 1_600),
            sure(answer.confidence)
        ),
        color: if degraded.is_empty() { Color::Synthesis } else { Color::Caution },
        fields,
        footer: format!(
            "Models {}/{} · Checks {} · Tokens {} · {} · Calls {}/{}",
            ended.scouts,
            ended.of,
            checks.len(),
            card::tokens(spent.tokens),
            status::cost(spent),
            calls.len(),
            brief.limits.calls
        ),
        ..Embed::default()
    };
    let rows = vec![card::whole_and_raw(session, step, "Whole answer")];
    limits::fit(Post { embeds: vec![embed], rows, ..Post::default() })
}

/// The whole answer as Markdown.
#[must_use]
pub fn whole_answer(answer: &InvestigationAnswer, entries: &[Entry], calls: &[Call]) -> String {
    let mut lines = vec![
        answer.answer.clone(),
        format!("**Confidence: {}**", sure(answer.confidence)),
        answer.reasoning.clone(),
    ];
    let mut list = |title: &str, items: Vec<String>| {
        if !items.is_empty() {
            lines.push(format!("**{title}**\n\n{}", items.join("\n")));
        }
    };
    list("What it stands on", entries.iter().map(|line| format!("- {}", entry(line))).collect());
    let evidence = answer.evidence.iter().map(|stated| {
        let numbers: Vec<String> = stated.calls.iter().map(ToString::to_string).collect();
        let shown = match numbers.len() {
            0 => String::new(),
            _ => format!(" (call or check {})", card::listed(&numbers)),
        };
        let lowered = if stated.basis.lowered {
            ", though it was called observed or derived: no call shows it"
        } else {
            ""
        };
        format!("- **{}**{lowered}: {}{shown}", stated.basis.tag.words(), stated.text)
    });
    list("Evidence", evidence.collect());
    let of =
        |text: &String| vec![text.clone()].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>();
    list("The strongest other answer", of(&answer.alternative));
    list("What would change it", of(&answer.would_change));
    list("Not resolved", answer.unresolved.iter().map(|open| format!("- {open}")).collect());
    let rivals = answer
        .rivals
        .iter()
        .map(|rival| format!("- **{}**: {}", text::label(&rival.title, 150), rival.description));
    list("Other answers", rivals.collect());
    let left_out = answer.left_out.iter().map(|sentence| format!("- ~~{sentence}~~"));
    list("Left out: one scout alone says this, and nobody confirmed it", left_out.collect());
    if !calls.is_empty() {
        lines.push(format!(
            "The log of {} stands behind the card of what the investigator did.",
            card::count(calls.len(), "call")
        ));
    }
    lines.join("\n\n")
}
