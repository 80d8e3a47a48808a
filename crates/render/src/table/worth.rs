//! Was it worth it? What the deliberation made of a plain answer that it never saw, and what each took.

use super::super::{card, limits, markdown, status, text};
use domain::{
    Becomes, Color, Comparison, Embed, Fate, Field, Ledger, PlainAnswer, Post, SessionId, Severity, Solution,
    StepKey, Synthesis, Worth,
};

/// The card; `baseline` is the step of the plain call, whose answer is behind the button.
#[must_use]
pub fn worth_card(
    session: &SessionId,
    baseline: &StepKey,
    worth: &Worth,
    plain: &PlainAnswer,
    (synthesis, solutions): (&Synthesis, &[Solution]),
) -> Post {
    let asked = format!(
        "Beside the rounds, which never saw it, **{}** answered the same problem in one plain call.",
        text::label(&plain.answered_by, 80)
    );
    let description = match &worth.comparison {
        Some(comparison) => format!("{asked}\n\n{}", in_short(comparison, plain, synthesis, solutions)),
        None => format!(
            "{asked} No model could compare the two, so here is only what it recommended; the whole is behind the button."
        ),
    };
    let mut fields = match &worth.comparison {
        Some(comparison) => compared(comparison, plain, solutions),
        None => vec![list(
            "The plain answer recommended",
            plain.recommendations.iter().map(|one| bold(&one.title)),
        )],
    };
    fields.push(card::field("💵 What each took", took(worth)).inside());
    let embed = Embed {
        title: "⚖️ Was it worth it?".to_owned(),
        description,
        color: Color::Neutral,
        fields,
        footer: "What became of what, a cheap model says; what is only in the deliberation follows from that. Neither is better for being longer.".to_owned(),
        ..Embed::default()
    };
    let post = Post {
        embeds: vec![embed],
        rows: vec![card::whole_and_raw(session, baseline, "Plain answer")],
        ..Post::default()
    };
    limits::fit(post).into_iter().next().unwrap_or_default()
}

/// What changed, in a sentence, and which conflicts only a panel can have.
fn in_short(
    comparison: &Comparison,
    plain: &PlainAnswer,
    synthesis: &Synthesis,
    solutions: &[Solution],
) -> String {
    let number = |becomes| comparison.fates.iter().filter(|fate| fate.becomes == becomes).count();
    let added = comparison.added(plain.recommendations.len(), solutions.len()).len();
    let parts: Vec<String> = [
        (added, "added"),
        (number(Becomes::Reversed), "reversed"),
        (number(Becomes::Changed), "changed"),
        (number(Becomes::Dropped), "dropped"),
        (number(Becomes::Kept), "kept"),
    ]
    .into_iter()
    .filter(|(number, _)| *number > 0)
    .map(|(number, what)| format!("{number} {what}"))
    .collect();
    let changed = match &parts[..] {
        [] => "Nothing could be compared.".to_owned(),
        parts => format!("Of its recommendations and the panel's: **{}**.", card::listed(parts)),
    };
    let grave = |severity| synthesis.conflicts.iter().filter(|one| one.severity == severity).count();
    let conflicts = match (synthesis.conflicts.len(), grave(Severity::Critical) + grave(Severity::High)) {
        (0, _) => "The panel found no conflict.".to_owned(),
        (all, 0) => format!("The panel found {}, none of them grave.", card::count(all, "conflict")),
        (all, grave) => {
            format!("The panel found {}, {grave} of them high or critical.", card::count(all, "conflict"))
        }
    };
    format!("{changed} {conflicts}")
}

fn compared(comparison: &Comparison, plain: &PlainAnswer, solutions: &[Solution]) -> Vec<Field> {
    let solution = |place: usize| {
        solutions.get(place).map(|one| format!("**{}** {}", one.id, text::label(&one.title, 100)))
    };
    let mut fields = Vec::new();
    let added = comparison.added(plain.recommendations.len(), solutions.len());
    if !added.is_empty() {
        fields.push(list("➕ Only the deliberation has", added.into_iter().filter_map(solution)));
    }
    for (becomes, name) in [
        (Becomes::Reversed, "🔁 Reversed"),
        (Becomes::Changed, "✏️ Changed"),
        (Becomes::Dropped, "➖ Dropped"),
        (Becomes::Kept, "🟰 In both"),
    ] {
        let fates: Vec<&Fate> = comparison.fates.iter().filter(|fate| fate.becomes == becomes).collect();
        if fates.is_empty() {
            continue;
        }
        let line = |fate: &Fate| {
            let title = plain.recommendations.get(fate.plain - 1).map_or("", |one| &one.title);
            let nearest = fate.nearest.checked_sub(1).and_then(solution);
            let nearest = nearest.map(|nearest| format!(" → {nearest}")).unwrap_or_default();
            let how = match becomes {
                Becomes::Kept => String::new(),
                _ if fate.says_nothing() => String::new(),
                _ => format!(": {}", markdown::inline(&fate.how, 220)),
            };
            format!("{}{nearest}{how}", bold(title))
        };
        fields.push(list(name, fates.into_iter().map(line)));
    }
    let untold = plain.recommendations.len().saturating_sub(comparison.fates.len());
    if untold > 0 {
        let value = format!("{} of the plain answer.", card::count(untold, "recommendation"));
        fields.push(card::field("❔ Not compared", value));
    }
    fields
}

/// `One call, $0.01. The deliberation: 10 calls, $0.20, 20 times as much.`
fn took(worth: &Worth) -> String {
    let one = |ledger: &Ledger| format!("{}, {}", card::count(ledger.calls, "call"), status::cost(ledger));
    let known = worth.plain.unpriced_calls == 0 && worth.deliberation.unpriced_calls == 0;
    let times = match worth.plain.cost.0 {
        plain if known && plain > 0 => {
            let times = worth.deliberation.cost.0.saturating_add(plain / 2) / plain;
            format!(", about {} times as much", card::thousands(times.max(1).unsigned_abs()))
        }
        _ => String::new(),
    };
    format!("**Plainly:** {}\n**The deliberation:** {}{times}", one(&worth.plain), one(&worth.deliberation))
}

fn bold(title: &str) -> String {
    format!("**{}**", text::label(title, 100))
}

fn list(name: &str, lines: impl Iterator<Item = String>) -> Field {
    let lines: Vec<String> = lines.map(|line| format!("- {line}")).collect();
    card::field(name, card::lines(&lines, card::FIELD_ROOM, "behind the button."))
}
