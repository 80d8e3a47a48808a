//! Drafts as they are shown: to those who read and mark them, and to whoever writes by the one that goes on.

use forms::Asked;
use minijinja::{Value, context};

use crate::fence;
use domain::{ChosenDraft, Effort, FirstAnswer, Objection, Written, unused_figures};

/// How drafts are read, part of the task of everybody who reads them.
pub(crate) const READING: &str = "drafts.md";
/// The chosen one, part of what is written from it.
pub(crate) const DRAFT: &str = "draft.md";

/// What a draft of a memo or an answer is asked with, beside what it begins with. A memo has more beside its text than an answer.
#[must_use]
pub fn asked_of_draft(of: Written, effort: Effort) -> Asked {
    let (least, most) = match (effort, of) {
        (Effort::Brief, _) => (360, 455),
        (Effort::Standard, Written::Answer) => (780, 850),
        (Effort::Standard, _) => (690, 765),
        (Effort::Deep, _) => (1_040, 1_410),
    };
    Asked::at(effort).words(least, most).when("opened", true)
}

/// How many words a text may have more than its draft. Where it may not grow, what was good in it goes for what is put right; where
/// it may grow much, more comes in than was wrong. A draft that was made of several was written as a whole, and what is put in
/// fits nothing beside it: of those only what is wrong is mended.
pub(crate) fn room(of: Written, effort: Effort) -> u32 {
    let merged = matches!(of, Written::Answer | Written::Synthesis);
    match effort {
        Effort::Brief => 20,
        Effort::Standard if merged => 15,
        Effort::Standard => 40,
        Effort::Deep if merged => 30,
        Effort::Deep => 80,
    }
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
            text => fence("first-answer", &answer.whole()),
            unused => unused(given, &answer.whole()),
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
        text => fence("draft", &draft.whole()),
        unused => unused(given, &draft.whole()),
        read => !draft.readers.is_empty(),
        objections => draft.objections.iter().map(objection).collect::<Vec<_>>(),
    }
}
