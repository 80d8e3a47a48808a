//! Answers to what the team asks in the thread.

use super::{card, limits, markdown, text};
use crate::domain::{Color, Embed, Post};

/// An answer drawn from the session's own material. `author` is the name of who asked, `grounds` what the
/// answer draws on (`Market, round 2`), `not_in_material` that the material does not hold the answer, `model`
/// who answered.
#[must_use]
pub fn answer_card(
    author: &str,
    question: &str,
    answer: &str,
    grounds: &[String],
    not_in_material: bool,
    model: &str,
) -> Vec<Post> {
    let asked = markdown::inline(question, 400);
    let said = markdown::parts(answer, limits::DESCRIPTION - 600);
    let mut said = said.into_iter();
    let mut description = format!("> {asked}\n\n{}", said.next().unwrap_or_else(|| "(no answer)".to_owned()));
    if not_in_material {
        description = format!("🔍 **This session's material does not hold the answer.**\n{description}");
    }
    let color = if not_in_material { Color::Caution } else { Color::Neutral };
    let mut embeds = vec![Embed {
        author: format!("{} asked", text::plain(author, 100)),
        description,
        color,
        ..Embed::default()
    }];
    embeds.extend(said.map(|description| Embed { description, color, ..Embed::default() }));
    if let Some(last) = embeds.last_mut() {
        let shown: Vec<String> =
            grounds.iter().map(|ground| format!("- {}", markdown::inline(ground, 200))).collect();
        if !shown.is_empty() {
            last.fields.push(card::field("Drawn from", card::lines(&shown, card::FIELD_ROOM, "places.")));
        }
        last.footer = format!("Answered by {} · from this session only", text::plain(model, 100));
    }
    limits::fit(Post { embeds, ..Post::default() })
}
