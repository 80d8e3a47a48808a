//! What cards are made of: buttons, lists of lines that fit a field, names, numbers in words.

use super::text;
use domain::{
    Button, ButtonStyle, Color, CustomId, Does, Embed, Field, Flag, FlagColor, ModuleName, Omission, Post,
    Redelegation, Round, Row, SessionId, Severity, StepKey,
};
/// `a, b and c`.
pub(super) use domain::{enumerated as listed, thousands};

/// Room for a field's lines, with margin below Discord's 1,024.
pub(super) const FIELD_ROOM: usize = 1_000;
/// Room for a title or the name of a field, with margin below Discord's 256.
pub(super) const NAME_ROOM: usize = 240;

/// A post of one embed.
pub(super) fn post(embed: Embed) -> Post {
    Post { embeds: vec![embed], ..Post::default() }
}

/// A field below others. Discord refuses one without a value, so a dash stands for nothing.
pub(super) fn field(name: impl Into<String>, value: impl Into<String>) -> Field {
    let value = value.into();
    let value = if value.trim().is_empty() { "—".to_owned() } else { value };
    Field { name: name.into(), value, inline: false, inside: false }
}

/// A field beside others.
pub(super) fn inline(name: &str, value: impl Into<String>) -> Field {
    Field { inline: true, ..field(name, value) }
}

/// A button.
pub(super) fn button(id: CustomId, label: &str, emoji: &str, style: ButtonStyle) -> Button {
    Button { id, label: label.to_owned(), style, emoji: Some(emoji.to_owned()), disabled: false }
}

/// Tries again what failed, or what Discord did not take.
pub(super) fn try_again(session: &SessionId) -> Button {
    button(CustomId::new(session, Does::Retry), "Try again", "🔁", ButtonStyle::Success)
}

/// The two buttons below every card of a step.
pub(super) fn whole_and_raw(session: &SessionId, step: &StepKey, whole: &str) -> Row {
    Row::Buttons(vec![
        button(CustomId::new(session, Does::Whole(step.clone())), whole, "📖", ButtonStyle::Secondary),
        button(CustomId::new(session, Does::Raw(step.clone())), "Raw output", "🧾", ButtonStyle::Secondary),
    ])
}

/// Raw output alone, where the card shows the whole text already.
pub(super) fn raw_only(session: &SessionId, step: &StepKey) -> Row {
    Row::Buttons(vec![button(
        CustomId::new(session, Does::Raw(step.clone())),
        "Raw output",
        "🧾",
        ButtonStyle::Secondary,
    )])
}

/// Stands above a card's title: the model that really answered, which need not be the one that was asked.
pub(super) fn answered_by(model: &str) -> String {
    format!("Answered by {}", text::plain(model, 150))
}

/// A footer that says how many citations the code took out; nothing when it took none.
pub(super) fn dropped(citations: u32) -> String {
    match citations {
        0 => String::new(),
        _ => format!("{} removed: nothing was searched", count(citations, "made-up citation")),
    }
}

/// As many lines as fit, then how many do not: nothing is left out in silence.
pub(super) fn lines(lines: &[String], room: usize, where_else: &str) -> String {
    let mut out = String::new();
    for (place, line) in lines.iter().enumerate() {
        let left = lines.len() - place;
        let rest = format!("\n…and {left} more {where_else}");
        let last = left == 1;
        let needed = text::length(line) + 1 + if last { 0 } else { text::length(&rest) };
        if text::length(&out) + needed > room {
            out.push_str(if out.is_empty() { rest.trim_start() } else { &rest });
            return out;
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(line);
    }
    out
}

/// `📈 Market`, the name escaped.
pub(super) fn module(name: &ModuleName) -> String {
    format!("{} {}", name.emoji(), text::label(name.title(), 60))
}

/// `Market, Cost and Risk`.
pub(super) fn modules(names: &[ModuleName]) -> String {
    let titles: Vec<String> = names.iter().map(|name| text::label(name.title(), 60)).collect();
    listed(&titles)
}

/// `plan.pdf: pages 3 and 4, which have no text`, for each: what is missing of files, and how they were read where that
/// has to be known.
pub(super) fn omissions(omissions: &[Omission]) -> (Vec<String>, Vec<String>) {
    let line = |Omission { file, what }: &Omission| {
        format!("{}: {}", text::label(file, 60), text::label(&what.to_string(), 400))
    };
    let (missing, read): (Vec<&Omission>, Vec<&Omission>) =
        omissions.iter().partition(|omission| omission.what.is_missing());
    (missing.into_iter().map(line).collect(), read.into_iter().map(line).collect())
}

/// `1 call`, `2 calls`.
pub(super) fn count(number: impl TryInto<u64>, one: &str) -> String {
    let number = number.try_into().unwrap_or_default();
    if number == 1 { format!("1 {one}") } else { format!("{} {one}s", thousands(number)) }
}

/// A number without needless places: `12`, `7.5`.
pub(super) fn number(number: f64) -> String {
    // An empty sum of floats is -0.
    let text = format!("{:.1}", number + 0.0);
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// How much something counts: `2`, `1.12`.
pub(super) fn factor(number: f64) -> String {
    ((number * 100.0).round() / 100.0).to_string()
}

/// A share, 0 to 1, as `45 %`; what is not nothing is never shown as 0.
pub(super) fn percent(share: f64) -> String {
    let share = share.clamp(0.0, 1.0) * 100.0;
    if share > 0.0 && share < 1.0 { "<1 %".to_owned() } else { format!("{:.0} %", share.round()) }
}

/// The bar's colour for a set of flags.
pub(super) fn color(flags: &[Flag]) -> Color {
    match flags.iter().map(|flag| flag.color).min() {
        Some(FlagColor::Red) => Color::Danger,
        Some(FlagColor::Yellow) => Color::Caution,
        Some(FlagColor::Green) => Color::Good,
        None => Color::Neutral,
    }
}

/// A severity as emoji and word.
pub(super) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "🟥 Critical",
        Severity::High => "🟧 High",
        Severity::Medium => "🟨 Medium",
        Severity::Low => "🟦 Low",
    }
}

/// How a place was filled, as a sentence.
pub(super) fn redelegation(redelegation: &Redelegation) -> String {
    let place = |module: &ModuleName, round: &Round| {
        format!("**{}**, round {}", text::label(module.title(), 60), round.number())
    };
    match redelegation {
        Redelegation::Simpler { module, round } => {
            format!("{}: its first call failed; a shorter prompt worked.", place(module, round))
        }
        Redelegation::Fallback { module, round, model } => format!(
            "{}: its own model could not answer; {} answered instead.",
            place(module, round),
            text::label(&model.shown(), 80)
        ),
        Redelegation::Heir { module, round, heir } => format!(
            "{}: it could not answer; **{}** looked at its concerns too.",
            place(module, round),
            text::label(heir.title(), 60)
        ),
        Redelegation::Lost { module, round } => {
            format!("{}: lost. Nobody looked at this side.", place(module, round))
        }
    }
}

/// How long something took: `45 s`, `2 min 14 s`, `1 h 05 min`.
pub(super) fn duration(seconds: i64) -> String {
    let seconds = seconds.max(0);
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m} min {s:02} s"),
        (h, m, _) => format!("{h} h {m:02} min"),
    }
}

/// Tokens, short: `950`, `18k`, `1.2M`.
pub(super) fn tokens(number: i64) -> String {
    let number = number.max(0);
    match number {
        0..1_000 => number.to_string(),
        1_000..10_000 => format!("{}.{}k", number / 1_000, number % 1_000 / 100),
        10_000..1_000_000 => format!("{}k", number / 1_000),
        _ => format!("{}.{}M", number / 1_000_000, number % 1_000_000 / 100_000),
    }
}
