//! The requests of a debate: one function for each place in its protocol at which a model is asked, and one that
//! reads what it replied.
//!
//! Invariant: every request carries the proposition, word for word, and exactly what it answers to: an opening and a
//! constructive turn hold nothing of the other side, and what is missing is said to be missing. Called by
//! `protocols::debate`.

mod answering;
mod judge;
mod moderator;
mod paper;
mod parts;
mod proposition;
mod reading;
#[cfg(test)]
mod sample;
mod transcript;
mod turn;

pub use answering::{Asked, question, read_answer};
pub use judge::{neutrality, read_neutrality, read_turn_check, turn_check};
pub use moderator::{
    clarification, hinge, hinge_queries, read_clarification, read_hinge, read_synthesis, synthesis,
};
pub use paper::{asked_of_paper, asked_of_papers, merged_paper, paper, paper_choice};
pub use parts::{passages, swing_part};
pub use proposition::{normalise, read_proposition};
pub use turn::{queries, read_turn, turn};

use minijinja::{Value, context};

use super::{fence, quote::plain_name};
use domain::{DebateBrief, Prompt, Proposition, Side};

/// A last try that has to be mended.
#[derive(Clone, Copy, Debug)]
pub struct Mend<'a> {
    /// What it said.
    pub last: &'a str,
    /// What it broke: each an order in the second person.
    pub broken: &'a [String],
}

/// How the record of a debate is told: a whole one has some 12,000 tokens, which not every model can take in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Transcript {
    /// Every word.
    Full,
    /// Of each turn its sentence, its claims and what it quotes.
    Condensed,
}

/// Most tokens of the normalised proposition: a question and its bounds; the schema's bounds come to about 600 tokens
/// of English.
pub const MAX_PROPOSITION_TOKENS: u32 = 1_000;

/// Most tokens of a turn: 480 words, at which it is cut, are some 700 tokens of English; the rest is for the JSON, for
/// what it says of the team's evidence and for languages that take two or three tokens a word.
pub const MAX_TURN_TOKENS: u32 = 1_440;

/// Most tokens of a brief synthesis: 350 words of the paper and some 230 in other fields, in languages that take three tokens a
/// word, and the JSON.
pub const MAX_SYNTHESIS_TOKENS: u32 = 2_100;

/// Most tokens of a clarification: 80 words, in any language.
pub const MAX_CLARIFICATION_TOKENS: u32 = 350;

/// Most tokens of a hinge: its statement and what is known of it; the schema's bounds come to about 200.
pub const MAX_HINGE_TOKENS: u32 = 500;

/// Advocates look for the best case, and in more than one place.
const ADVOCATE: f32 = 0.7;
/// Questions and answers keep closer to what was said.
const CROSS: f32 = 0.6;
/// The moderator reports.
const MODERATOR: f32 = 0.3;
/// A question is put neutrally in much the same way each time.
const GATEKEEPER: f32 = 0.2;
/// A check has one answer.
const CHECK: f32 = 0.0;

const MATERIAL: &str = "debate/material.md";

/// What every call of a session shares, to the byte, once the proposition is fixed.
fn material(brief: &DebateBrief, proposition: Option<&Proposition>) -> Value {
    context! {
        document => brief.document.as_ref().map(|document| fence("document", &document.text)),
        document_name => brief.document.as_ref().map(|document| plain_name(&document.name)),
        language => brief.language,
        today => brief.today,
        proposition => proposition.map(question_text),
        bounds => proposition.and_then(bounds_text),
    }
}

/// The proposition, word for word.
fn question_text(proposition: &Proposition) -> String {
    fence("proposition", &proposition.question)
}

/// What the members gave of it: the question and what they said of its background.
fn given(proposition: &Proposition) -> String {
    format!("{}\n{}", proposition.question, proposition.context.background)
}

/// Its bounds, as far as something was said of them.
fn bounds_text(proposition: &Proposition) -> Option<String> {
    let context = &proposition.context;
    let stakeholders = context.stakeholders.join("; ");
    let lines: Vec<String> = [
        ("Where", &context.geography),
        ("When", &context.timeframe),
        ("Field", &context.domain),
        ("Whom it concerns", &stakeholders),
        ("Background", &context.background),
    ]
    .into_iter()
    .filter(|(_, text)| !text.trim().is_empty())
    .map(|(what, text)| format!("{what}: {text}"))
    .collect();
    (!lines.is_empty()).then(|| fence("bounds", &lines.join("\n")))
}

/// What was said that has to be mended.
fn last_text(mend: Option<Mend<'_>>) -> Option<String> {
    mend.map(|mend| fence("last-try", mend.last))
}

/// What was broken, to be mended: fenced, for it quotes what models wrote.
fn broken_text(told: &[String]) -> Option<String> {
    let lines: Vec<String> = told.iter().map(|line| format!("- {line}")).collect();
    (!lines.is_empty()).then(|| fence("broken", &lines.join("\n")))
}

/// What a side stands for, in words for its persona.
fn stance(side: Side) -> &'static str {
    match side {
        Side::Pro => "the answer to the proposition is yes",
        Side::Con => "the answer to the proposition is no",
    }
}

/// The request with its temperature.
fn warm(prompt: Prompt, temperature: f32) -> Prompt {
    Prompt { temperature: Some(temperature), ..prompt }
}

#[cfg(test)]
mod tests;
