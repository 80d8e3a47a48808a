//! The tone of an assessment: objective and impersonal. No "I", no praise, no advice beyond what a finding needs.
//!
//! Invariants: what stands in quotation marks, in code, in a quotation of Markdown or in a table is let pass; a sentence
//! goes whole or stays as it is, and a fence of code stays with its other half. Called by `protocols`.
//!
//! The lists are English, with the commonest words of German, French and Spanish. They hold only what is hardly ever
//! innocent, for a sentence that goes wrongly may have told a finding: that something *should* be stated, or that a
//! document *calls itself* excellent, is let pass; `you should` and `excellent` alone are not.

mod advice;
mod blocks;
mod personal;
mod praise;
mod words;

use blocks::{Block, blocks};

/// What a sentence does that it must not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lapse {
    /// Speaks of itself: "I", "we", "in my view".
    Personal,
    /// Praises: "impressive", "well written".
    Praise,
    /// Speaks to the reader: "you should".
    Advice,
}

/// Sentences that lapse, with how. What stands in quotation marks is the text's and is let pass.
#[must_use]
pub fn lapses(text: &str) -> Vec<(String, Lapse)> {
    let judged = blocks(text).into_iter().flat_map(|block| judged(&block));
    judged.filter_map(|(sentence, lapse)| Some((sentence.trim().to_owned(), lapse?))).collect()
}

/// The text without the sentences that lapse, and how many they were. Markdown structure stays; an item of a list, a
/// heading or a paragraph that has nothing left goes.
#[must_use]
pub fn impersonal(text: &str) -> (String, u32) {
    let mut removed = 0_u32;
    let mut kept = String::new();
    for block in blocks(text) {
        let judged = judged(&block);
        let lapsed = judged.iter().filter(|(_, lapse)| lapse.is_some()).count();
        removed = removed.saturating_add(u32::try_from(lapsed).unwrap_or(u32::MAX));
        if lapsed == 0 {
            kept.push_str(block.lead);
            kept.push_str(block.body);
        } else if lapsed < judged.len() {
            let sentences: Vec<_> =
                judged.iter().map(|(sentence, lapse)| (*sentence, lapse.is_none())).collect();
            kept.push_str(block.lead);
            kept.push_str(&blocks::joined(&sentences, block.body));
        }
    }
    if removed == 0 { (text.to_owned(), 0) } else { (blocks::closed_up(&kept), removed) }
}

/// The sentences of a block, each with its lapse.
fn judged<'a>(block: &Block<'a>) -> Vec<(&'a str, Option<Lapse>)> {
    block.sentences().into_iter().map(|(written, said)| (written, lapse(&said))).collect()
}

/// The first lapse of a sentence without its quotations. `We recommend` is advice.
fn lapse(said: &str) -> Option<Lapse> {
    let words = words::read(said);
    if advice::advises(&words) {
        Some(Lapse::Advice)
    } else if personal::speaks_of_itself(&words) {
        Some(Lapse::Personal)
    } else {
        praise::praises(&words).then_some(Lapse::Praise)
    }
}
