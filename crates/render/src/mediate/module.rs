//! What one module said in one round.

use super::super::{card, limits, markdown, sources, text};
use domain::{
    Color, Difference, Embed, ModuleName, ModuleOutput, Post, Redelegation, Round, SessionId, StepKey,
};

/// A module's card. `first` is its own round 1, given in round 2 to show what changed; `redelegation` is how
/// its place was filled when its own call failed.
#[must_use]
pub fn module_card(
    session: &SessionId,
    step: &StepKey,
    output: &ModuleOutput,
    first: Option<&ModuleOutput>,
    redelegation: Option<&Redelegation>,
) -> Vec<Post> {
    let mut color = card::color(&output.flags);
    let mut fields = Vec::new();
    if let Some(redelegation) = redelegation {
        if matches!(color, Color::Neutral | Color::Good) {
            color = Color::Caution;
        }
        fields.push(card::field("⚠️ Degraded", card::redelegation(redelegation)).inside());
    }
    if output.round == Round::Revision && output.spoken_for_by.is_none() {
        fields.push(card::field("🔁 What changed", changed(output, first)));
    }
    if !output.flags.is_empty() {
        fields.push(card::field("Flags", card::flags(&output.flags, card::FIELD_ROOM)));
    }
    if !output.key_points.is_empty() {
        let first = first.filter(|_| output.spoken_for_by.is_none());
        fields.push(card::field("Key points", points(output, first)));
    }
    fields.extend(sources::field(&output.numbered(), "in the whole analysis."));
    let embed = Embed {
        title: format!("{}{}", title(&output.module, output.round), spoken_for(output)),
        description: markdown::short(&output.summary, 1_200),
        color,
        fields,
        footer: sources::footer(output.searched, output.dropped_citations),
        author: card::answered_by(&output.answered_by),
        ..Embed::default()
    };
    let rows = vec![card::whole_and_raw(session, step, "Whole analysis")];
    limits::fit(Post { embeds: vec![embed], rows, ..Post::default() })
}

/// The card of a module that could not answer, with the reason as a sentence.
#[must_use]
pub fn lost_card(module: &ModuleName, round: Round, reason: &str) -> Vec<Post> {
    let description = format!(
        "❌ **No answer.** {}\nNobody looked at this side in this round; the synthesis will say so.",
        markdown::inline(reason, 600)
    );
    let color = Color::Danger;
    limits::fit(card::post(Embed { title: title(module, round), description, color, ..Embed::default() }))
}

fn title(module: &ModuleName, round: Round) -> String {
    format!("{} · round {}", card::module(module), round.number())
}

/// Who spoke for a module that could not itself.
fn spoken_for(output: &ModuleOutput) -> String {
    let by =
        output.spoken_for_by.as_ref().map(|by| format!(" · spoken for by {}", text::label(by.title(), 60)));
    by.unwrap_or_default()
}

/// What a revision says about itself, beside what its points show: a module that names no change may have made one.
fn changed(output: &ModuleOutput, first: Option<&ModuleOutput>) -> String {
    let revised = output.revised.as_deref().map(str::trim).filter(|why| !why.is_empty());
    let said = revised.map(|why| format!("**Revised:** {}", markdown::inline(why, 500)));
    let Some(Difference { new, gone }) = first.map(|first| output.changed_since(first)) else {
        return said.unwrap_or_else(|| "**Stands by round 1**, as it says itself.".to_owned());
    };
    let compared = match (new.len(), gone.len()) {
        (0, 0) if said.is_none() => return "**Stands by round 1:** its points are the same.".to_owned(),
        (0, 0) => "Its points are the same as in round 1.".to_owned(),
        (new, _) if new == output.key_points.len() => "All its points are new.".to_owned(),
        (new, _) => {
            let are = if new == 1 { "is" } else { "are" };
            format!("{new} of its {} {are} new.", card::count(output.key_points.len(), "point"))
        }
    };
    let said = said.unwrap_or_else(|| "**Stands by round 1**, as it says itself, but:".to_owned());
    if gone.is_empty() {
        return format!("{said}\n{compared}");
    }
    // A taste is enough: round 1's card stands above.
    let struck = |old: &&str| format!("~~{}~~", markdown::inline(old, 80).replace("~~", ""));
    let shown = gone.iter().take(2).map(struck).collect::<Vec<_>>().join("\n");
    let more = if gone.len() > 2 { format!("\nand {} more.", gone.len() - 2) } else { String::new() };
    format!("{said}\n{compared}\nDropped: {shown}{more}")
}

fn points(output: &ModuleOutput, first: Option<&ModuleOutput>) -> String {
    let new = first.map(|first| output.changed_since(first).new).unwrap_or_default();
    let line = |(place, point): (usize, &String)| {
        let mark = if new.contains(&place) { "🆕 **New:** " } else { "" };
        format!("- {mark}{}", markdown::inline(point, 280))
    };
    let shown: Vec<String> = (0..).zip(&output.key_points).map(line).collect();
    card::lines(&shown, card::FIELD_ROOM, "in the whole analysis.")
}
