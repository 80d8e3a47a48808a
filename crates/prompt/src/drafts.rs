//! Drafts as they are shown: to those who read and mark them, and to whoever writes by the one that goes on.

use forms::Asked;
use minijinja::{Value, context};

use crate::fence;
use domain::{ChosenDraft, Effort, FirstAnswer, Objection, Written, unused_figures};

/// How drafts are read, part of the task of everybody who reads them.
pub(crate) const READING: &str = "drafts.md";
/// The chosen one, part of what is written from it.
pub(crate) const DRAFT: &str = "draft.md";

/// What a draft of a memo or an answer is asked with: at standard some forty words fewer than what is written from it has. Where a
/// text may not grow, what was good in it goes for what is put right; where it may grow much, more comes in than was wrong. A memo
/// has more beside its text than an answer.
#[must_use]
pub fn asked_of_draft(of: Written, effort: Effort) -> Asked {
    let (least, most) = match (effort, of) {
        (Effort::Brief, _) => (400, 500),
        (Effort::Standard, Written::Answer) => (800, 880),
        (Effort::Standard, _) => (730, 810),
        (Effort::Deep, _) => (1_100, 1_480),
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

/// The drafts, each under its letter, with the figures of what was `given` that it never uses.
pub(crate) fn lettered<'a>(given: &str, answers: impl IntoIterator<Item = &'a FirstAnswer>) -> Vec<Value> {
    let answers = answers.into_iter().enumerate();
    let shown = answers.map(|(place, answer)| {
        context! {
            letter => FirstAnswer::letter(place),
            text => fence("first-answer", &answer.text),
            unused => unused(given, &answer.text),
        }
    });
    shown.collect()
}

/// What was given with figures that a text never uses, fenced; none where it uses them all.
fn unused(given: &str, text: &str) -> Option<String> {
    let unused = unused_figures(given, text);
    (!unused.is_empty()).then(|| fence("unused", &unused.join("\n")))
}

/// The chosen one, with what was objected to it and the figures of what was `given` that it never uses.
pub(crate) fn chosen(draft: &ChosenDraft, given: &str) -> Value {
    let objection = |objection: &Objection| {
        context! {
            number => objection.number,
            from => objection.from,
            text => fence("objection", &objection.text),
        }
    };
    context! {
        text => fence("draft", &draft.text),
        unused => unused(given, &draft.text),
        read => !draft.readers.is_empty(),
        objections => draft.objections.iter().map(objection).collect::<Vec<_>>(),
    }
}
