//! What one module said in one round.

use std::collections::BTreeSet;

use super::super::{card, limits, markdown};
use crate::domain::{Color, Embed, ModuleName, ModuleOutput, Post, Redelegation, Round, SessionId, StepKey};

/// Points whose words overlap by at least this share count as the same point.
const SAME: f64 = 0.6;

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
        fields.push(card::field("⚠️ Degraded", card::redelegation(redelegation)));
    }
    if output.round == Round::Revision {
        fields.push(card::field("🔁 What changed", changed(output, first)));
    }
    if !output.flags.is_empty() {
        fields.push(card::field("Flags", card::flags(&output.flags, card::FIELD_ROOM)));
    }
    if !output.key_points.is_empty() {
        fields.push(card::field("Key points", points(output, first)));
    }
    let embed = Embed {
        title: title(&output.module, output.round),
        description: markdown::short(&output.summary, 1_200),
        color,
        fields,
        footer: card::dropped(output.dropped_citations),
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

/// What a revision says about itself, and what it no longer says.
fn changed(output: &ModuleOutput, first: Option<&ModuleOutput>) -> String {
    let said = match output.revised.as_deref().map(str::trim).filter(|why| !why.is_empty()) {
        Some(why) => format!("**Revised:** {}", markdown::inline(why, 500)),
        None => "**Stands by round 1.**".to_owned(),
    };
    let Some(first) = first else { return said };
    let gone: Vec<String> = first
        .key_points
        .iter()
        .filter(|old| !output.key_points.iter().any(|new| alike(old, new)))
        .map(|old| format!("~~{}~~", markdown::inline(old, 80).replace("~~", "")))
        .collect();
    if gone.is_empty() || output.revised.is_none() {
        return said;
    }
    // A taste is enough: round 1's card stands above.
    let shown = gone.iter().take(2).map(String::as_str).collect::<Vec<_>>().join("\n");
    let more = if gone.len() > 2 { format!("\nand {} more.", gone.len() - 2) } else { String::new() };
    format!("{said}\nDropped: {shown}{more}")
}

fn points(output: &ModuleOutput, first: Option<&ModuleOutput>) -> String {
    let known = first.map(|first| &first.key_points[..]);
    let shown: Vec<String> = output
        .key_points
        .iter()
        .map(|point| {
            let new = known.is_some_and(|known| !known.iter().any(|old| alike(old, point)));
            format!("- {}{}", if new { "🆕 **New:** " } else { "" }, markdown::inline(point, 280))
        })
        .collect();
    card::lines(&shown, card::FIELD_ROOM, "in the whole analysis.")
}

/// Two points that say nearly the same, by their words.
#[allow(clippy::cast_precision_loss)] // counts of words are small
fn alike(a: &str, b: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        let text = text.to_lowercase();
        text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_owned).collect()
    };
    let (a, b) = (words(a), words(b));
    let shared = a.intersection(&b).count() as f64;
    a == b || shared / (a.union(&b).count().max(1) as f64) >= SAME
}
