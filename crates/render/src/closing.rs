//! The last line of a session.

use super::{card, markdown, status, text};
use domain::{Embed, Post, Status};

/// What it took and what was degraded, in one small card; before that a sentence on what came out, where there is one.
#[must_use]
pub fn closing(status: &Status, came_out: Option<&str>, degraded: &[String]) -> Post {
    let (color, state) = status::state(status.state);
    let took = status.ended.map_or_else(String::new, |ended| {
        format!("{} · ", card::duration(ended.saturating_sub(status.started)))
    });
    let models: Vec<String> = status.models.iter().map(|model| text::label(model, 80)).collect();
    let mut description = format!("{took}{}", status::used(&status.ledger));
    if !models.is_empty() {
        description = format!("{description}\nModels: {}", text::cut(&card::listed(&models), 800));
    }
    if let Some(came_out) = came_out {
        description = format!("{description}\n{came_out}");
    }
    let lines: Vec<String> =
        degraded.iter().map(|line| format!("- {}", markdown::inline(line, 200))).collect();
    description = if lines.is_empty() {
        format!("{description}\nNothing was degraded.")
    } else {
        format!("{description}\n⚠️ **Degraded:**\n{}", card::lines(&lines, 1_500, "like these."))
    };
    card::post(Embed { title: state.to_owned(), description, color, ..Embed::default() })
}
