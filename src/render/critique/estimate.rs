//! What a critique will take, told before it starts, and confirmed by somebody where it takes much.

use super::{
    super::{card, confirmation, status, text},
    name, omissions, one, quotation, section_lines,
};
use crate::domain::{
    Color, Document, DocumentSection, Embed, Estimate, Field, Post, Row, SessionId, Standing, WaitKind,
};

/// What will happen, in two lines.
const WHAT: &str = "Six critics, each in the manner of a philosopher, read the text and check themselves against one \
                    another.\nYou get one assessment and its findings, and say of each what becomes of it.";

/// The estimate about which somebody is asked: with buttons while it waits for a *Go*.
#[must_use]
pub fn estimate(session: &SessionId, document: &Document, estimate: &Estimate, standing: &Standing) -> Post {
    if let Some((color, state)) = confirmation::closed(WaitKind::Estimate, &standing.outcome) {
        return panel(document, estimate, color, &state, Vec::new());
    }
    let state = format!(
        "⏳ I ask first, because {}. Press **Go** to begin or **Cancel** to end it. I wait for a day, then I end the \
         session; until then nothing is spent.",
        card::listed(&why(estimate))
    );
    let buttons = confirmation::buttons(session, WaitKind::Estimate, Some(standing.revision));
    panel(document, estimate, Color::Active, &state, vec![buttons])
}

/// The estimate where nobody has to be asked; shown all the same.
#[must_use]
pub fn estimate_told(document: &Document, estimate: &Estimate) -> Post {
    let parts = match estimate.plan.read.len() {
        0 | 1 => "the whole text at once".to_owned(),
        parts => format!("the text in {parts} parts"),
    };
    let time = if estimate.measured { "" } else { ", a guess" };
    let cost = estimate
        .cost
        .map_or_else(|| "cost unknown".to_owned(), |cost| format!("at most {}", status::dollars(cost)));
    let description = format!(
        "Six critics read {parts}, {}.\n**At most {}, and some repeats · about {} tokens · {cost} · about {} min{time}**",
        levels(estimate.plan.depth.levels()),
        card::count(estimate.calls, "call"),
        card::tokens(estimate.tokens.try_into().unwrap_or(i64::MAX)),
        estimate.minutes.max(1),
    );
    let fields: Vec<Field> = less(estimate).into_iter().chain(omissions(document)).collect();
    one(card::post(Embed {
        title: format!("🧮 What it takes · {}", name(document)),
        description,
        color: if fields.is_empty() { Color::Neutral } else { Color::Caution },
        fields,
        ..Embed::default()
    }))
}

/// One post whatever is in it, for it is edited in place.
fn panel(document: &Document, estimate: &Estimate, color: Color, state: &str, rows: Vec<Row>) -> Post {
    let cost = estimate.cost.map_or_else(
        || "unknown, for the price of a model is not known".to_owned(),
        |cost| format!("{} at most", status::dollars(cost)),
    );
    let how =
        if estimate.measured { "by calls measured here" } else { "a guess, for nothing was measured yet" };
    let takes = [
        format!(
            "**Calls:** {} at most, and a few more where an answer has to be asked for again",
            card::thousands(estimate.calls.into())
        ),
        format!("**Tokens:** about {}", card::tokens(estimate.tokens.try_into().unwrap_or(i64::MAX))),
        format!("**Cost:** {cost}"),
        format!("**Time:** about {} min, {how}", card::thousands(estimate.minutes.max(1).into())),
        format!("**Depth:** {}", depth(estimate)),
    ];
    let description = format!("{WHAT}\n\n{}", takes.join("\n"));
    let mut fields = Vec::new();
    fields.extend(less(estimate));
    fields.extend(omissions(document));
    fields.push(map(document, estimate));
    fields.push(card::field("What now", state));
    let title = format!("🧮 Before it starts · {}", name(document));
    let embed = Embed { title, description, color, fields, ..Embed::default() };
    one(Post { embeds: vec![embed], rows, ..Post::default() })
}

/// Why somebody is asked.
fn why(estimate: &Estimate) -> Vec<String> {
    let mut why = Vec::new();
    if estimate.calls > Estimate::CALLS_WITHOUT_ASKING {
        why.push(format!("it takes more than {} calls", Estimate::CALLS_WITHOUT_ASKING));
    }
    if !estimate.plan.unread.is_empty() {
        why.push("not all of the text would be read".to_owned());
    }
    if estimate.plan.depth.levels() < estimate.plan.wanted.levels() {
        why.push("it would go less deep than was asked".to_owned());
    }
    if why.is_empty() {
        why.push("it may take more than half of what a session may use".to_owned());
    }
    why
}

/// What falls short of what was asked for.
fn less(estimate: &Estimate) -> Vec<Field> {
    let plan = &estimate.plan;
    let mut fields = Vec::new();
    if !plan.unread.is_empty() {
        let value = format!(
            "The session's budget does not reach for {} of {}:\n{}",
            plan.unread.len(),
            card::count(estimate.sections.len(), "section"),
            section_lines(&plan.unread, &estimate.sections, card::FIELD_ROOM - 120, "like these.")
        );
        fields.push(card::field("⚠️ Will not be read", value));
    }
    if plan.depth.levels() < plan.wanted.levels() {
        let value = format!(
            "{} asked for, {} fit the session's budget.",
            card::count(plan.wanted.levels(), "level"),
            plan.depth.levels()
        );
        fields.push(card::field("⚠️ Less deep than asked", value));
    }
    fields
}

fn depth(estimate: &Estimate) -> String {
    let plan = &estimate.plan;
    match (plan.depth.levels(), plan.branches) {
        (1, _) | (_, 0) => "1 level".to_owned(),
        (depth, branches) => {
            format!(
                "{depth} levels, with up to {} of each reading looked into",
                card::count(branches, "claim")
            )
        }
    }
}

fn levels(depth: u8) -> String {
    format!("{} deep", card::count(depth, "level"))
}

/// The sections that are read, in short.
fn map(document: &Document, estimate: &Estimate) -> Field {
    let plan = &estimate.plan;
    let read: Vec<&DocumentSection> =
        estimate.sections.iter().filter(|section| plan.read.contains(&section.id)).collect();
    if let ([_], true) = (&read[..], plan.unread.is_empty()) {
        return card::field("🗺️ The text", "Short enough to be read whole, at once.");
    }
    let line = |section: &&DocumentSection| {
        format!(
            "- {} {} · {}",
            section.id,
            text::label(&section.title, 60),
            quotation::reach(document, section.span)
        )
    };
    let lines: Vec<String> = read.iter().map(line).collect();
    card::field(
        format!("🗺️ Will be read, in {}", card::count(read.len(), "part")),
        card::lines(&lines, card::FIELD_ROOM - 100, "like these."),
    )
}
