//! The notary's record.

use super::super::{
    card, limits, markdown,
    mediate::{checked, solution_list},
    text,
};
use domain::{Color, Embed, Minutes, ModelName, Post, SessionId, StepKey};

const NOTARYS: &str = "📜 The notary's record";
/// Degraded looks degraded, in the heading too.
const NOBODYS: &str = "📜 A record without the notary";

/// The record, highlighted: synthesis and solutions. `missing` are the names of experts that never spoke; `stand_in`
/// answered where the notary's own model could not.
#[must_use]
pub fn minutes_cards(
    session: &SessionId,
    step: &StepKey,
    minutes: &Minutes,
    missing: &[String],
    stand_in: Option<&ModelName>,
    one_model: bool,
) -> Vec<Post> {
    let mut fields = Vec::new();
    let mut degraded = Vec::new();
    if minutes.answered_by.is_none() {
        degraded.push(
            "- The notary could not answer. These are the experts' own summaries, and their recommendations are the \
             solutions."
                .to_owned(),
        );
    }
    if let Some(model) = stand_in {
        let model = text::label(&model.shown(), 80);
        degraded.push(format!("- The notary's own model could not answer; {model} wrote this."));
    }
    if !missing.is_empty() {
        let names: Vec<String> = missing.iter().map(|name| text::label(name, 90)).collect();
        degraded.push(format!("- Not heard: {}.", card::listed(&names)));
    }
    if minutes.dropped_solutions > 0 {
        let counted = card::count(minutes.dropped_solutions, "solution");
        degraded.push(format!("- {counted} left out, because nothing was named that they come from."));
    }
    if !degraded.is_empty() {
        fields.push(
            card::field("⚠️ Degraded", card::lines(&degraded, card::FIELD_ROOM, "like these.")).inside(),
        );
    }
    if one_model {
        fields.push(
            card::field("Read with care", "All experts are one model: their agreement means less.").inside(),
        );
    }
    let record = Embed {
        author: minutes.answered_by.as_deref().map(card::answered_by).unwrap_or_default(),
        title: (if minutes.answered_by.is_some() { NOTARYS } else { NOBODYS }).to_owned(),
        description: markdown::short(&minutes.synthesis, 2_400),
        color: Color::Synthesis,
        fields,
        ..Embed::default()
    };
    let mut embeds = vec![record];
    if !minutes.solutions.is_empty() {
        embeds.extend(solution_list(&minutes.solutions));
    }
    if let Some(last) = embeds.last_mut() {
        last.footer = card::dropped(minutes.dropped_citations);
    }
    let rows = vec![card::whole_and_raw(session, step, "Whole record")];
    limits::fit(Post { embeds, rows, ..Post::default() })
}

/// The whole record as Markdown.
#[must_use]
pub fn whole_minutes(minutes: &Minutes) -> String {
    let mut lines = vec![minutes.synthesis.clone()];
    for solution in &minutes.solutions {
        let by: Vec<String> = solution.raised_by.iter().map(|name| text::label(name, 90)).collect();
        let by = if by.is_empty() { String::new() } else { format!("\n\n*Raised by {}*", card::listed(&by)) };
        let title = text::label(&solution.title, 150);
        let by = format!("{by}{}", checked(&solution.provenance));
        lines.push(format!("\n**{} · {title}**\n\n{}{by}", solution.id, solution.description));
    }
    lines.join("\n")
}
