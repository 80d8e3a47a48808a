//! Decision records: the form, the record's card, the question how it turned out, and the list.
//!
//! Invariant: a card is one message however much was written, for it is edited in place. Called by `session`
//! and `bot`.

mod card;
mod form;
mod given_back;
mod list;
mod sides;
#[cfg(test)]
mod tests;

pub use card::{Standing, card, review_card};
pub use form::{form, outcome_form, sides_form};
pub use given_back::{give_back, give_back_whole, given_back};
pub use list::{ListRow, list};

use super::{markdown, text};
use domain::{Outcome, Verdict};

/// A verdict as emoji and word: never by colour alone.
pub(super) fn verdict(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Worked => ("✅", "Worked"),
        Verdict::Partly => ("🟡", "Partly"),
        Verdict::DidNot => ("❌", "Did not"),
    }
}

/// `✅ **Worked:** sentence`, and who said so when.
fn outcome(outcome: &Outcome) -> String {
    let (emoji, word) = verdict(outcome.verdict);
    format!(
        "{emoji} **{word}:** {}\n-# {}, <t:{}:D>",
        markdown::member_inline(&outcome.text, 600),
        text::label(&outcome.by_name, 60),
        outcome.at
    )
}
