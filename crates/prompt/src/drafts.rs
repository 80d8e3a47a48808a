//! Drafts as they are shown: to those who read and mark them, and to whoever writes by the one that goes on.

use forms::Asked;
use minijinja::{Value, context};

use crate::fence;
use domain::{ChosenDraft, Effort, FirstAnswer, Objection};

/// How drafts are read, part of the task of everybody who reads them.
pub(crate) const READING: &str = "drafts.md";
/// The chosen one, part of what is written from it.
pub(crate) const DRAFT: &str = "draft.md";

/// What a draft of a memo or an answer is asked with: fewer words than what is written from it has, at standard some eighty. Where a text may
/// not grow, what was good in it goes for what is put right.
#[must_use]
pub fn asked_of_draft(effort: Effort) -> Asked {
    let (least, most) = match effort {
        Effort::Brief => (390, 480),
        Effort::Standard => (680, 755),
        Effort::Deep => (1_060, 1_420),
    };
    Asked::at(effort).words(least, most)
}

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

/// The chosen one, with what was objected to it.
pub(crate) fn chosen(draft: &ChosenDraft) -> Value {
    let objection = |objection: &Objection| {
        context! {
            number => objection.number,
            from => objection.from,
            text => fence("objection", &objection.text),
        }
    };
    context! {
        text => fence("draft", &draft.text),
        read => !draft.readers.is_empty(),
        objections => draft.objections.iter().map(objection).collect::<Vec<_>>(),
    }
}
