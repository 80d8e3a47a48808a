//! Where the table parts, and whose position carries where somebody answers for a side.

use super::{
    super::{card, text},
    line, packed, paragraphs,
};
use domain::{Conflict, Embed, Field, ModuleName, RaciRow};

/// Conflicts, the worst first: both sides, what would settle it, and whose position carries.
pub(super) fn conflicts(conflicts: &[Conflict], raci: &[RaciRow]) -> Vec<Embed> {
    let mut sorted: Vec<&Conflict> = conflicts.iter().collect();
    sorted.sort_by_key(|conflict| conflict.severity);
    let title = format!("⚔️ Open between the specialists · {}", conflicts.len());
    packed(&title, sorted.into_iter().map(|conflict| block(conflict, raci)), "\n\n")
}

fn block(conflict: &Conflict, raci: &[RaciRow]) -> String {
    let between: Vec<String> = conflict.modules.iter().map(|name| text::label(name.title(), 60)).collect();
    let mut lines = vec![
        format!(
            "**{} · {}**",
            card::severity(conflict.severity),
            text::label(&conflict.topic, card::NAME_ROOM)
        ),
        if between.is_empty() { String::new() } else { format!("-# {}", between.join(" ↔ ")) },
        paragraphs(&conflict.description),
    ];
    if !conflict.settles.trim().is_empty() {
        lines.push(format!("**Settled by:** {}", line(&conflict.settles)));
    }
    lines.extend(carried(conflict, raci));
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

/// Whose position carries a conflict; nothing where there is no matrix.
fn carried(conflict: &Conflict, raci: &[RaciRow]) -> Option<String> {
    if raci.is_empty() {
        return None;
    }
    let Some(row) = conflict.area.as_ref().and_then(|area| RaciRow::of(raci, area)) else {
        return Some("🎯 Nobody answers for this; it stays open.".to_owned());
    };
    let who = text::label(row.accountable.title(), 60);
    Some(match &conflict.carries {
        Some(position) => {
            format!("🎯 **{who}** answers for this, so its position carries: {}", line(position))
        }
        None => format!("🎯 **{who}** answers for this and holds nothing on it; it stays open."),
    })
}

/// Rows of the matrix in a field.
const ROWS: usize = 6;

/// Who answers for what, each side on a line.
pub(super) fn matrix(raci: &[RaciRow]) -> impl Iterator<Item = Field> {
    let names = |letter: &str, names: &[ModuleName]| match names {
        [] => String::new(),
        names => format!(" · **{letter}** {}", card::modules(names)),
    };
    let line = move |row: &RaciRow| {
        let silent = if row.area == row.accountable { "" } else { " (silent)" };
        let informed = if row.informed.is_empty() { "" } else { " · **I** the others" };
        format!(
            "- {}{silent}: **A** {}{}{}{informed}",
            card::module(&row.area),
            card::modules(std::slice::from_ref(&row.accountable)),
            names("R", &row.responsible),
            names("C", &row.consulted),
        )
    };
    let last = raci.len().div_ceil(ROWS);
    (1..).zip(raci.chunks(ROWS)).map(move |(place, rows)| {
        let legend = if place == last {
            "\n-# **A** answers for that side: where modules cannot all be right about it, its position carries. **R** works on it too, **C** is asked, **I** is told. Laid down by rule, before anybody spoke."
        } else {
            ""
        };
        let lines: Vec<String> = rows.iter().map(line).collect();
        let shown = card::lines(&lines, card::FIELD_ROOM - text::length(legend), "like these.");
        card::field("🎯 Who answers for what (RACI)", format!("{shown}{legend}")).inside()
    })
}
