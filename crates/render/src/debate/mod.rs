//! The cards of a debate, in the order in which they appear.
//!
//! Invariants: a side is told by its name and its sign, never by its colour alone; nothing of the moderator's card
//! or of the swing says, orders or colours anything so that one side looks ahead: Pro stands before Con, For before
//! Undecided before Against, whatever was said or counted. Called by `protocols` and `steps` for what stands in the
//! thread and by `bot` and `session` for what one person sees.

mod answer;
mod background;
mod evidence;
mod forms;
mod full_text;
mod hinges;
mod opinion;
mod proposition;
mod swing;
mod synthesis;
#[cfg(test)]
mod tests;
mod turn;

pub use answer::addressed_card;
pub use background::whole_proposition;
pub use evidence::{answer_withheld_card, clarification_card, clarification_missing_card, evidence_card};
pub use forms::{clarify_form, evidence_form, proposition_form, proposition_refused, question_form};
pub use full_text::{whole_synthesis, whole_turn};
pub use hinges::{hinge_card, hinges_panel};
pub(super) use opinion::{before_closing, opinion_panel, opinion_reminder};
pub use proposition::proposition;
pub(super) use swing::{swing_card, words as swing_words};
pub use synthesis::{no_synthesis_card, synthesis_cards};
pub use turn::{missing_card, turn_cards};

use super::{card, limits, markdown, text};
use domain::{
    Addressee, Button, ButtonStyle, Color, CustomId, Does, Favors, Field, Level, Mark, ModelName, Opens,
    Opinion, Post, SessionId, Side,
    neutrality::{Judgement, SideTaken},
};

/// What the moderator's cards say of themselves.
const NO_JUDGE: &str = "The moderator never says who is right.";

/// Room for what a model wrote on one line, in units: several times what any form of a debate asks for.
const LINE: usize = 3_000;

/// `🔵 Pro`, `🔶 Con`, `⚖️ Moderator`: round and square, so that no colour has to be seen.
fn speaker(who: Addressee) -> String {
    format!("{} {}", sign(who), who.name())
}

fn sign(who: Addressee) -> &'static str {
    match who {
        Addressee::Advocate(Side::Pro) => "🔵",
        Addressee::Advocate(Side::Con) => "🔶",
        Addressee::Moderator => "⚖️",
    }
}

/// A speaker's bar.
fn color(who: Addressee) -> Color {
    match who {
        Addressee::Advocate(Side::Pro) => Color::Pro,
        Addressee::Advocate(Side::Con) => Color::Con,
        Addressee::Moderator => Color::Synthesis,
    }
}

/// Opens the form that asks somebody of the debate.
fn ask(session: &SessionId, who: Addressee) -> Button {
    let id = CustomId::new(session, Opens::Question(who));
    card::button(id, &format!("Ask {}", who.name()), sign(who), ButtonStyle::Secondary)
}

/// Opens the form in which evidence is brought. The live card has it too, but stands in the channel.
fn bring(session: &SessionId) -> Button {
    card::button(CustomId::new(session, Opens::Evidence), "Add evidence", "📎", ButtonStyle::Secondary)
}

/// The three opinions, all alike: none looks like the one to press.
fn opinions(session: &SessionId, does: impl Fn(Opinion) -> Does) -> Vec<Button> {
    let button = |opinion: Opinion| {
        let id = CustomId::new(session, does(opinion));
        card::button(id, opinion.name(), opinion_sign(opinion), ButtonStyle::Secondary)
    };
    Opinion::ALL.into_iter().map(button).collect()
}

/// The signs of the sides, and a circle without one; no thumbs, ticks or lights, which judge.
fn opinion_sign(opinion: Opinion) -> &'static str {
    match opinion {
        Opinion::For => "🔵",
        Opinion::Undecided => "⚪",
        Opinion::Against => "🔶",
    }
}

/// A field that says another model stood in.
fn stood_in(stand_in: Option<&ModelName>) -> Option<Field> {
    let model = text::label(&stand_in?.shown(), 80);
    Some(
        card::field("⚠️ Degraded", format!("Its own model could not answer; {model} answered instead."))
            .inside(),
    )
}

/// A field that says what a text breaks of its phase's rules.
fn marked(marks: &[Mark]) -> Option<Field> {
    if marks.is_empty() {
        return None;
    }
    let mut lines: Vec<String> = Vec::new();
    for mark in marks {
        let line = format!("- {}", markdown::inline(&mark.shown(), 200));
        // Broken twice alike is one thing to read.
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    Some(card::field("⚠️ Marked", card::lines(&lines, card::FIELD_ROOM, "like these.")))
}

/// A field that says what the judge of neutrality holds against a text of the moderator's; `parts`: with the part of a
/// synthesis in which it stands.
fn second_look(judgement: &Judgement, parts: bool) -> Option<Field> {
    if judgement.unasked {
        let text =
            "The model that judges neutrality could not be asked, so only a list of phrases was checked.";
        return Some(card::field("⚠️ Neutrality", text));
    }
    let line = |taken: &SideTaken| {
        let words = markdown::inline(&taken.words, 180);
        if parts { format!("- {}: “{words}”", taken.section.name()) } else { format!("- “{words}”") }
    };
    let lines: Vec<String> = judgement.taken.iter().map(line).collect();
    let told = "A second model thinks that these words may take a side. Judge for yourself:\n";
    let listed = || card::lines(&lines, card::FIELD_ROOM - 120, "like these.");
    (!lines.is_empty()).then(|| card::field("⚠️ May take a side", format!("{told}{}", listed())))
}

/// How much of something there is.
fn level(level: Level) -> &'static str {
    match level {
        Level::Low => "low",
        Level::Medium => "medium",
        Level::High => "high",
    }
}

/// Whose case a hinge would help; the same words for both.
fn favors(favors: Favors) -> &'static str {
    match favors {
        Favors::Pro => "would help Pro's case",
        Favors::Con => "would help Con's case",
        Favors::Neutral => "would help neither case by itself",
    }
}

/// One message whatever is in it, for it is edited in place.
fn one(post: Post) -> Post {
    limits::fit(post).into_iter().next().unwrap_or_default()
}
