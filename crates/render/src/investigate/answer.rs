//! The answer, whole, in as few messages as hold it: what is the case and what to do first, how sure, what to act by, the
//! strongest rival, what is not known. What each claim stands on, and what was found wrong on the way, is behind its button.

use super::{
    super::{card, limits, markdown, sources, status, text},
    entry,
};
use domain::{
    Call, Check, Color, Edit, Embed, Entry, InvestigateBrief, InvestigationAnswer, InvestigatorTool, Ledger,
    Post, SessionId, StepKey, StopReason, calls_used, unfinished,
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

/// Room for a text on one line that is shown whole: several times what the longest may have.
const LINE: usize = 3_000;

/// The answer's cards. Nothing that was written is cut.
#[must_use]
pub fn answer_card(
    (session, step): (&SessionId, &StepKey),
    answer: &InvestigationAnswer,
    (calls, checks): (&[Call], &[Check]),
    ended: &Ended,
    (brief, spent): (&InvestigateBrief, &Ledger),
) -> Vec<Post> {
    let degraded = degraded(answer, calls, ended, brief);
    let color = if degraded.is_empty() { Color::Synthesis } else { Color::Caution };
    let part = |description| Embed { description, color, ..Embed::default() };
    let sure = answer.how_sure();
    let sure = if sure.is_empty() { sure } else { format!("\n\n**How sure:** {}", line(&sure)) };
    let fields = if degraded.is_empty() {
        Vec::new()
    } else {
        vec![card::field("⚠️ Degraded", card::lines(&degraded, card::FIELD_ROOM, "like these.")).inside()]
    };
    let mut embeds = vec![Embed {
        author: answer.answered_by.as_deref().map(card::answered_by).unwrap_or_default(),
        title: "🎯 The answer".to_owned(),
        fields,
        ..part(format!("{}{sure}", line(&answer.answer)))
    }];
    embeds.extend(markdown::body(&answer.text, limits::DESCRIPTION - 296).into_iter().map(part));
    let below = sections(answer).join("\n\n");
    embeds.extend(markdown::prose(&below, limits::DESCRIPTION - 296).into_iter().map(part));
    if let (Some(last), Some(looked_at)) = (embeds.last_mut(), looked_at(answer)) {
        last.description = format!("{}\n\n{looked_at}", last.description);
    }
    if let Some(last) = embeds.last_mut() {
        last.fields.extend(sources::field(&answer.sources, "behind the button."));
        last.footer = format!(
            "Models {}/{} · Checks {} · Tokens {} · {} · Calls {}/{}",
            ended.scouts,
            ended.of,
            checks.len(),
            card::tokens(spent.tokens),
            status::cost(spent),
            calls_used(calls),
            brief.limits.calls
        );
    }
    let mut posts = limits::fit(Post { embeds, ..Post::default() });
    if let Some(last) = posts.last_mut() {
        last.rows = vec![card::whole_and_raw(session, step, "What it stands on")];
    }
    posts
}

fn line(text: &str) -> String {
    markdown::inline(text, LINE)
}

/// What stands below the text, a section each: Markdown.
fn sections(answer: &InvestigationAnswer) -> Vec<String> {
    let one = |title: &str, text: &str| (!text.trim().is_empty()).then(|| format!("**{title}**\n{text}"));
    [
        one("🥈 The strongest rival", &answer.alternative),
        one("🔀 What else would change it", &answer.would_change),
        list("❓ Not known", &answer.unresolved),
        list("1️⃣ Not established: one scout alone says this", &answer.one_alone),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A section of a list; nothing where it is empty.
fn list(title: &str, texts: &[String]) -> Option<String> {
    let lines: Vec<String> = texts.iter().map(|text| format!("- {text}")).collect();
    (!lines.is_empty()).then(|| format!("**{title}**\n{}", lines.join("\n")))
}

/// How many objections there were to the draft, and what became of them: who acts on the answer has no use for what is no longer
/// in it. Not each was right, so none is called a fault.
fn looked_at(answer: &InvestigationAnswer) -> Option<String> {
    let became = [(answer.corrected.len(), "corrected"), (answer.refused.len(), "not followed")];
    let became = became.into_iter().filter(|(many, _)| *many > 0);
    let became: Vec<String> = became.map(|(many, what)| format!("{many} {what}")).collect();
    let became = (!became.is_empty()).then(|| became.join(", "))?;
    Some(format!("-# 🔁 Objections to its draft: {became}. Read them with *What it stands on*."))
}

/// What is not as it should be, a line each.
fn degraded(
    answer: &InvestigationAnswer,
    calls: &[Call],
    ended: &Ended,
    brief: &InvestigateBrief,
) -> Vec<String> {
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
    degraded
}

/// The whole answer as Markdown.
#[must_use]
pub fn whole_answer(
    answer: &InvestigationAnswer,
    entries: &[Entry],
    (calls, checks): (&[Call], &[Check]),
) -> String {
    let mut lines = vec![answer.in_short(), answer.text.clone()];
    lines.extend(sections(answer));
    lines.extend(list("🔁 Found wrong or missing in the draft, and corrected", &answer.corrected));
    lines.extend(list("✋ Found in the draft, and not followed", &answer.refused));
    let edits: Vec<String> = answer.edits.iter().map(Edit::told).collect();
    lines.extend(list("✏️ What changed in the draft", &edits));
    let mut section = |title: &str, items: Vec<String>| {
        if !items.is_empty() {
            lines.push(format!("**{title}**\n\n{}", items.join("\n")));
        }
    };
    section("What each claim stands on", entries.iter().map(|line| format!("- {}", entry(line))).collect());
    let evidence = answer.evidence.iter().map(|stated| {
        let lowered =
            if stated.lowered { ", though it was called observed or derived: no call shows it" } else { "" };
        let shown = shown_by(&stated.calls, calls, checks);
        format!("- **{}**{lowered}: {}{shown}", stated.tag.words(), stated.text)
    });
    section("Evidence", evidence.collect());
    let rivals = answer
        .rivals
        .iter()
        .map(|rival| format!("- **{}**: {}", text::label(&rival.title, 150), rival.description));
    section("Other answers", rivals.collect());
    let left_out = answer.left_out.iter().map(|sentence| format!("- ~~{sentence}~~"));
    section("Left out: one scout alone says this, and nobody confirmed it", left_out.collect());
    if !calls.is_empty() {
        lines.push(format!(
            "The log of {} stands behind the card of what the investigator did.",
            card::count(calls.len(), "call")
        ));
    }
    lines.extend(sources::below(Vec::new(), &answer.sources, limits::DESCRIPTION));
    lines.join("\n\n")
}

/// Which calls and checks show it, by what they were about: cards have no numbers of theirs.
fn shown_by(numbers: &[usize], calls: &[Call], checks: &[Check]) -> String {
    let name = |number: &usize| {
        let place = number.checked_sub(1)?;
        let check = || checks.get(place.checked_sub(calls.len())?).map(|check| &check.topic);
        let about = calls.get(place).map(|call| &call.action.purpose).or_else(check)?;
        let about = text::label(about.lines().next().unwrap_or_default(), 90);
        Some(format!("“{}”", about.trim_end_matches(['.', ':'])))
    };
    let names: Vec<String> = numbers.iter().filter_map(name).collect();
    if names.is_empty() { String::new() } else { format!(" (by {})", card::listed(&names)) }
}
