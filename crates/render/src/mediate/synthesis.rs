//! What the mediator made of it.

use super::{
    super::{card, limits, markdown, sources, text},
    research::sharper,
};
use domain::{
    Color, Conflict, Embed, Field, ModuleName, Panel, Post, Provenance, RaciRow, Redelegation, SessionId,
    Solution, StepKey, Synthesis,
};

/// The synthesis: summary and flags, conflicts by severity, solutions, and what was not looked at. `trusted` is a sentence
/// on those who counted more or less in it than usual.
#[must_use]
pub fn synthesis_cards(
    session: &SessionId,
    step: &StepKey,
    (synthesis, solutions): (&Synthesis, &[Solution]),
    table: (&Panel, Option<&str>),
    redelegations: &[Redelegation],
    raci: &[RaciRow],
    one_model: bool,
) -> Vec<Post> {
    let mut embeds = vec![answer(synthesis, table, redelegations, one_model)];
    if !synthesis.conflicts.is_empty() {
        embeds.push(conflicts(&synthesis.conflicts, raci));
    }
    if let Some(first) = embeds.first_mut().filter(|_| !raci.is_empty()) {
        first.fields.extend(matrix(raci));
    }
    if !solutions.is_empty() {
        embeds.push(solution_list(solutions, "in the whole synthesis."));
    }
    if let Some(last) = embeds.last_mut() {
        last.fields.extend(sources::field(&synthesis.sources, "in the whole synthesis."));
        last.footer = sources::removed(synthesis.dropped_citations);
    }
    let rows = vec![card::whole_and_raw(session, step, "Whole synthesis")];
    limits::fit(Post { embeds, rows, ..Post::default() })
}

fn answer(
    synthesis: &Synthesis,
    (panel, trusted): (&Panel, Option<&str>),
    redelegations: &[Redelegation],
    one_model: bool,
) -> Embed {
    let mut fields = Vec::new();
    if !synthesis.flags.is_empty() {
        fields.push(card::field("Flags", card::flags(&synthesis.flags, card::FIELD_ROOM)));
    }
    if !panel.deactivated.is_empty() {
        let said = synthesis.deactivated_disclaimer.as_deref().map(str::trim).unwrap_or_default();
        let left_out = format!("Left out by the team: **{}**.", card::modules(&panel.deactivated));
        let value = format!("{left_out} {}", markdown::short(said, 700));
        fields.push(card::field("🚫 Left out on purpose", value.trim_end()));
    }
    if !redelegations.is_empty() {
        let shown: Vec<String> =
            redelegations.iter().map(|r| format!("- {}", card::redelegation(r))).collect();
        fields
            .push(card::field("⚠️ Degraded", card::lines(&shown, card::FIELD_ROOM, "like these.")).inside());
    }
    if let Some(gaps) = &synthesis.gaps {
        fields.push(card::field("❔ Thin or missing views", markdown::short(gaps, 700)));
    }
    if one_model {
        fields.push(
            card::field("Read with care", "All seats are one model: the panel's agreement means less.")
                .inside(),
        );
    }
    let trusted = trusted.map(|trusted| format!("\n-# 📒 Weighed in here: {}", text::cut(trusted, TRUSTED)));
    Embed {
        author: card::answered_by(&synthesis.answered_by),
        title: "🧩 Synthesis · round 3".to_owned(),
        description: format!("{}{}", markdown::short(&synthesis.summary, 1_500), trusted.unwrap_or_default()),
        color: Color::Synthesis,
        fields,
        ..Embed::default()
    }
}

/// Room for those who count more or less than usual: all that can sit at a table, each with its number.
const TRUSTED: usize = 320;
/// Rows of the matrix in a field.
const ROWS: usize = 6;

/// Who answers for what, each side on a line.
fn matrix(raci: &[RaciRow]) -> impl Iterator<Item = Field> {
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

/// Whose position carries a conflict; nothing where there is no matrix.
fn carried(conflict: &Conflict, raci: &[RaciRow]) -> String {
    let row = conflict.area.as_ref().and_then(|area| RaciRow::of(raci, area));
    let Some(row) = row else {
        return if raci.is_empty() {
            String::new()
        } else {
            "\n🎯 Nobody answers for this; it stays open.".to_owned()
        };
    };
    let who = text::label(row.accountable.title(), 40);
    match &conflict.carries {
        Some(position) => {
            format!(
                "\n🎯 **{who}** answers for this, so its position carries: {}",
                markdown::inline(position, 300)
            )
        }
        None => format!("\n🎯 **{who}** answers for this and holds nothing on it; it stays open."),
    }
}

fn conflicts(conflicts: &[Conflict], raci: &[RaciRow]) -> Embed {
    let mut sorted: Vec<&Conflict> = conflicts.iter().collect();
    sorted.sort_by_key(|conflict| conflict.severity);
    let shown: Vec<String> = sorted
        .into_iter()
        .map(|conflict| {
            let between: Vec<String> =
                conflict.modules.iter().map(|name| text::label(name.title(), 40)).collect();
            format!(
                "**{} · {}**\n{}: {}{}\n",
                card::severity(conflict.severity),
                text::label(&conflict.topic, 120),
                text::cut(&between.join(" ↔ "), 200),
                markdown::inline(&conflict.description, 400),
                carried(conflict, raci)
            )
        })
        .collect();
    Embed {
        title: format!("⚔️ Where they disagree · {}", conflicts.len()),
        description: card::lines(&shown, 2_000, "in the whole synthesis.").trim_end().to_owned(),
        color: Color::Synthesis,
        ..Embed::default()
    }
}

/// Lines on how a solution came about, each on a line of its own; nothing where there is nothing to say.
fn provenance(of: &Provenance) -> String {
    if of.stands_for.is_empty() {
        return checked(of);
    }
    let items: Vec<String> = of.stands_for.iter().map(|item| text::label(item, 100)).collect();
    let how = if of.statements.is_empty() { "stands for" } else { "said in" };
    format!("\n-# {how} {}{}", text::cut(&card::listed(&items), 200), checked(of))
}

/// What checks found of a solution, for every card on which people choose; each on a line of its own.
pub(crate) fn checked(of: &Provenance) -> String {
    let quoted = |text: &String| format!("“{}”", text::label(text, 100));
    let also: Vec<String> = of.also.iter().map(quoted).collect();
    let also = if also.is_empty() {
        String::new()
    } else {
        format!("\n🔗 Put together with the same: {}", text::cut(&card::listed(&also), 220))
    };
    let unsaid =
        of.unsaid.as_ref().map(|words| format!("\n⚠️ A check found nobody who said {}", quoted(words)));
    format!("{also}{}{}", unsaid.unwrap_or_default(), sharper(&of.sharper))
}

/// The solutions as a card, with who raised each.
pub(crate) fn solution_list(solutions: &[Solution], where_else: &str) -> Embed {
    let shown: Vec<String> = solutions
        .iter()
        .map(|solution| {
            let raisers: Vec<String> = solution.raised_by.iter().map(|name| text::label(name, 60)).collect();
            let from = if raisers.is_empty() {
                String::new()
            } else {
                format!("\n-# raised by {}", text::cut(&card::listed(&raisers), 150))
            };
            format!(
                "**{} · {}**\n{}{from}{}\n",
                solution.id,
                text::label(&solution.title, 150),
                markdown::inline(&solution.description, 300),
                provenance(&solution.provenance)
            )
        })
        .collect();
    Embed {
        title: "💡 What you could do".to_owned(),
        description: card::lines(&shown, 3_900, where_else).trim_end().to_owned(),
        color: Color::Synthesis,
        ..Embed::default()
    }
}
