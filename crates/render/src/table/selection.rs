//! Who looks at a problem: the modules that were chosen and those that were made for it, with the reason for each.

use super::super::{card, limits, markdown, text};
use domain::{
    AdHocModule, Color, Embed, Field, ModuleName, Panel, Picked, Post, SelectionMetadata, SessionId, StepKey,
    Unfit,
};

/// A choice and what came of it.
pub struct Choice<'a> {
    /// Who was chosen.
    pub chosen: &'a SelectionMetadata,
    /// Why no model could choose, where none could.
    pub why_not: Option<&'a str>,
    /// Who sits now.
    pub table: &'a Panel,
    /// Modules that were given a weight and do not sit.
    pub in_vain: &'a [ModuleName],
    /// Who has asked for it while others sat already, by name.
    pub by: Option<&'a str>,
}

/// The card.
#[must_use]
pub fn selection_card(session: &SessionId, step: &StepKey, choice: &Choice<'_>) -> Vec<Post> {
    let mut embed = match choice.why_not {
        None => chosen_ones(choice),
        Some(why) => usual_ones(why, choice),
    };
    let notes = remarks(choice);
    if !notes.is_empty() {
        let shown = card::lines(&notes, card::FIELD_ROOM, "like these.");
        embed.fields.push(card::field("ℹ️ To know", shown).inside());
    }
    let row = match choice.why_not {
        None => card::whole_and_raw(session, step, "Whole choice"),
        Some(_) => card::raw_only(session, step),
    };
    limits::fit(Post { embeds: vec![embed], rows: vec![row], ..Post::default() })
}

fn chosen_ones(Choice { chosen, table, by, .. }: &Choice<'_>) -> Embed {
    let picked: Vec<String> = chosen.selected_modules.iter().map(picked).collect();
    let made: Vec<String> = chosen.ad_hoc_modules.iter().map(made).collect();
    let list = |lines: &[String]| card::lines(lines, card::FIELD_ROOM, "in the whole choice.");
    let number = picked.len() + made.len();
    let reasoning = markdown::short(&chosen.selection_reasoning, 900);
    let mut fields = vec![card::field("Chosen", list(&picked))];
    if !made.is_empty() {
        let note = "\n-# A model wrote what these are told. It says where they look, and changes no rule.";
        let shown = card::lines(&made, card::FIELD_ROOM - text::length(note), "in the whole choice.");
        fields.push(card::field("Made for this question", format!("{shown}{note}")));
    }
    fields.extend(unseen(chosen));
    Embed {
        author: card::answered_by(&chosen.answered_by),
        title: match by {
            None => format!("🪑 Who looks at it · {number} chosen"),
            Some(_) => format!("🪑 Who looks at it · {number} join"),
        },
        description: match by {
            None => reasoning,
            Some(by) => {
                let before = table.names().len().saturating_sub(number);
                format!("{reasoning}\n\n{}", stays(&table.names()[..before], by))
            }
        },
        color: if chosen.unfit.is_empty() { Color::Neutral } else { Color::Caution },
        fields,
        ..Embed::default()
    }
}

/// What holds where others sat already.
fn stays(before: &[ModuleName], by: &str) -> String {
    format!(
        "As {} wished. {} stay, and what they wrote stands; those who join write round 1 as they did, without having read them.",
        text::label(by, 60),
        card::modules(before)
    )
}

fn usual_ones(why: &str, Choice { table, by, .. }: &Choice<'_>) -> Embed {
    let names = table.names();
    let verb = if names.len() == 1 { "looks" } else { "look" };
    let so = if by.is_some() { "nobody joins" } else { "as without a choice" };
    Embed {
        title: "🪑 Who looks at it · the usual modules".to_owned(),
        description: format!(
            "⚠️ **Nobody could choose fitting modules:** {}\n{} {verb} at it, {so}.",
            markdown::inline(&text::sentence(why), 400),
            card::modules(&names)
        ),
        color: Color::Caution,
        ..Embed::default()
    }
}

fn picked(Picked { module, why }: &Picked) -> String {
    format!("- **{}**{}", card::module(module), because(why))
}

fn made(module: &AdHocModule) -> String {
    let side = markdown::inline(&module.looks_at, 120);
    format!("- **{}** ({side}){}", card::module(&module.name), because(&module.why))
}

/// `: why`, or nothing where nobody said why.
fn because(why: &str) -> String {
    if why.trim().is_empty() { String::new() } else { format!(": {}", markdown::inline(why, 200)) }
}

/// What nobody at the table sees.
fn unseen(chosen: &SelectionMetadata) -> Option<Field> {
    if chosen.gap_check_reasoning.is_none() {
        let said = "No model could look for what these leave unseen.";
        return Some(card::field("⚠️ Gaps", said).inside());
    }
    let open: Vec<String> =
        chosen.open_gaps.iter().map(|line| format!("- {}", markdown::inline(line, 180))).collect();
    (!open.is_empty()).then(|| {
        card::field("❔ What nobody here sees", card::lines(&open, card::FIELD_ROOM, "in the whole choice."))
    })
}

/// What of the wishes and of the choice could not stand, a line each.
fn remarks(Choice { chosen, table, in_vain, .. }: &Choice<'_>) -> Vec<String> {
    let weight = |name: &ModuleName| format!("- Weight for {}: it was not chosen.", text::label(&name.0, 40));
    let mut lines: Vec<String> = in_vain.iter().map(weight).collect();
    if !table.deactivated.is_empty() {
        lines.push(format!("- Left out by the team: {}.", card::modules(&table.deactivated)));
    }
    lines.extend(chosen.unfit.iter().map(|unfit| format!("- {}", said_of(unfit))));
    lines
}

fn said_of(unfit: &Unfit) -> String {
    let named = |name: &str| format!("“{}”", text::label(name, 60));
    match unfit {
        Unfit::Unknown(name) => format!("The choice named {}, which is no module.", named(name)),
        Unfit::LeftOut(name) => {
            format!("The choice named {}, which the team left out.", text::label(name.title(), 40))
        }
        Unfit::BeyondMost(name) => format!("{} was one too many.", named(name)),
        Unfit::Name(name) => format!("{} is no name for a module, so it was not made.", named(name)),
        Unfit::Taken(name) => format!("{} was not made, because another is called so.", named(name)),
        Unfit::Bare(name) => format!("{} was not made, because nothing said how it works.", named(name)),
        Unfit::Cut(name) => {
            format!("What {} is told was too long and is cut.", text::label(name.title(), 40))
        }
    }
}

/// Title and text of the whole choice, with all that the modules made for the question are told.
#[must_use]
pub fn whole_selection(chosen: &SelectionMetadata) -> (String, String) {
    let SelectionMetadata { selection_reasoning, selected_modules, ad_hoc_modules, open_gaps, .. } = chosen;
    let mut parts = vec![selection_reasoning.clone()];
    parts.extend(
        selected_modules.iter().map(|Picked { module, why }| format!("- **{}**: {why}", module.title())),
    );
    parts.extend(chosen.gap_check_reasoning.iter().map(|reasoning| format!("\n**Gaps.** {reasoning}")));
    for AdHocModule { name, looks_at, why, system_prompt, nearest } in ad_hoc_modules {
        let near = nearest.as_ref().map(|near| format!(" Nearest at the table: {}.", near.title()));
        let told: Vec<String> = system_prompt.lines().map(|line| format!("> {line}")).collect();
        parts.push(format!(
            "\n**{}**, made for this question: {looks_at}. {why}{}\n\nWhat it is told:\n\n{}",
            name.title(),
            near.unwrap_or_default(),
            told.join("\n")
        ));
    }
    if !open_gaps.is_empty() {
        let open: Vec<String> = open_gaps.iter().map(|line| format!("- {line}")).collect();
        parts.push(format!("\n**What nobody here sees:**\n\n{}", open.join("\n")));
    }
    ("Who looks at it".to_owned(), parts.join("\n"))
}
