//! First answers as they are shown: to those who read them and choose one, and to whoever writes by the chosen one.

use forms::Asked;
use minijinja::{Value, context};

use crate::fence;
use domain::{Effort, FirstAnswer};

/// The task of whoever reads drafts without having sat at a table, the same for every protocol.
pub(crate) const CHOICE: &str = "first_choice.md";
/// How drafts are read, part of that task and of a seat's.
pub(crate) const READING: &str = "drafts.md";
/// What whoever writes is shown of the chosen one.
pub(crate) const FOUND: &str = "first_found.md";

/// What a reader of so many drafts is asked with.
#[must_use]
pub fn asked_of_drafts(effort: Effort, drafts: usize) -> Asked {
    let letters = (0..drafts).map(FirstAnswer::letter);
    Asked::at(effort).naming("answers", letters).when("several", drafts > 1)
}

/// The drafts in the order in which somebody reads them.
pub(crate) fn in_order<'a>(drafts: &'a [FirstAnswer], order: &[usize]) -> Vec<&'a FirstAnswer> {
    order.iter().filter_map(|place| drafts.get(*place)).collect()
}

/// The drafts, each under its letter.
pub(crate) fn lettered<'a>(answers: impl IntoIterator<Item = &'a FirstAnswer>) -> Vec<Value> {
    let answers = answers.into_iter().enumerate();
    let shown = answers.map(|(place, answer)| {
        context! { letter => FirstAnswer::letter(place), text => fence("first-answer", &answer.text) }
    });
    shown.collect()
}

/// The chosen one, with what its readers found in it.
pub(crate) fn chosen(first: &FirstAnswer) -> Value {
    let fenced = |name: &str, all: &[String]| all.iter().map(|one| fence(name, one)).collect::<Vec<_>>();
    context! {
        text => fence("first-answer", &first.text),
        wrong => fenced("wrong", &first.found.wrong),
        lacks => fenced("lacks", &first.found.lacks),
    }
}
