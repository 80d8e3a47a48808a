//! The rules of each phase, as far as code can be certain: words within bounds, parts present, quotations really said,
//! evidence acknowledged, a question mark where something is asked. Whether a turn keeps to the proposition, declines,
//! rebuts before its time or argues in its questions is for a model to judge.
//!
//! Invariant: a rule only reads; what a turn breaks is told to its side once and stays on its card if it stays so.
//! Called by the protocol of the debate.

mod said;

use std::ops::RangeInclusive;

use super::{
    Act, Argument, Body, Debate, DebateTurn, Evidence, Mark, Preset, RebuttalPoint, Side, Slot, Theme,
};
use crate::{Effort, citations::without_marks, count_words, is_blank};

/// Most questions of a cross-examination, before its follow-up.
const MAX_QUESTIONS: u8 = 3;

/// Most questions of a follow-up.
const MAX_FOLLOW_UPS: u8 = 1;

/// Fewest and most arguments that an opening names.
const PREVIEW: RangeInclusive<usize> = 2..=3;

/// Fewest and most words that a turn at a place is asked for; half as many in the cross-examination. A quick debate at
/// standard effort is read at one sitting, so its turns keep to the first eighth of what is allowed.
#[must_use]
pub fn bounds(act: Act, preset: Preset, effort: Effort) -> RangeInclusive<u32> {
    let (least, most) = match effort {
        Effort::Brief => (120, 180),
        Effort::Standard => (180, 260),
        Effort::Deep => (300, 400),
    };
    let most = match (preset, effort) {
        (Preset::Quick, Effort::Standard) => least + (most - least) / 8,
        (Preset::Quick | Preset::Full, _) => most,
    };
    match act {
        // A question is no speech: it may be as short as it is clear.
        Act::Questions => 15..=most / 2,
        Act::FollowUp => 0..=most / 4,
        Act::Answers => least / 2..=most / 2,
        Act::FollowUpAnswer => least / 6..=most / 2,
        Act::Case | Act::Opening | Act::Constructive(_) | Act::Rebuttal | Act::Closing => least..=most,
    }
}

/// Fewest and most words of the paper that the moderator gives.
#[must_use]
pub fn paper_bounds(effort: Effort) -> RangeInclusive<u32> {
    match effort {
        Effort::Brief => 290..=350,
        // As long as its drafts: ten minutes hold no more, whatever the effort.
        Effort::Standard | Effort::Deep => 690..=790,
    }
}

/// Whether so many words break bounds: by more than a quarter, for fewer are not worth the call that would mend it.
fn off(count: u32, allowed: &RangeInclusive<u32>) -> Option<Mark> {
    let (least, most) = (*allowed.start(), *allowed.end());
    if count < least - least / 4 {
        Some(Mark::Short { words: count, least })
    } else if count > most + most / 4 {
        Some(Mark::Long { words: count, most })
    } else {
        None
    }
}

/// The words of a turn: all of its parts together.
#[must_use]
pub fn words(body: &Body) -> u32 {
    // Marks of sources are no words.
    let count = |text: &str| {
        if text.contains('[') { count_words(&without_marks(text)) } else { count_words(text) }
    };
    parts(body).into_iter().map(count).fold(0, u32::saturating_add)
}

/// What a turn breaks. `pending`: evidence that its side has not acknowledged before.
#[must_use]
pub fn breaks(turn: &DebateTurn, debate: &Debate, pending: &[Evidence], effort: Effort) -> Vec<Mark> {
    let mut marks: Vec<Mark> =
        off(words(&turn.body), &bounds(turn.slot.act, debate.preset, effort)).into_iter().collect();
    marks.extend(parts_of(turn, debate));
    marks.extend(
        pending
            .iter()
            .map(|evidence| evidence.number)
            .filter(|number| {
                !turn.acknowledged.iter().any(|said| said.evidence == *number && !is_blank(&said.how))
            })
            .map(Mark::Unacknowledged),
    );
    marks
}

/// What the phase asks for and is not there, or not as it should be.
fn parts_of(turn: &DebateTurn, debate: &Debate) -> Vec<Mark> {
    let Slot { act, side } = turn.slot;
    match (act, &turn.body) {
        (Act::Opening, Body::Opening { position, preview, assumptions }) => {
            let named = full(preview);
            let mut marks =
                missing(&[("position", is_blank(position)), ("assumptions", full(assumptions) == 0)]);
            if named < *PREVIEW.start() {
                marks.push(Mark::Missing("preview of two or three arguments".to_owned()));
            } else if named > *PREVIEW.end() {
                marks.push(Mark::TooMany { part: "arguments in its preview".to_owned(), most: 3 });
            }
            marks
        }
        (Act::Case | Act::Constructive(_), Body::Arguments { position, framework, arguments }) => {
            let ethical = act == Act::Constructive(Theme::Ethical);
            let unsaid = |text: &Option<String>| text.as_deref().is_none_or(is_blank);
            let mut marks = missing(&[
                ("position", act == Act::Case && unsaid(position)),
                ("framework", ethical && unsaid(framework)),
                ("arguments", arguments.is_empty()),
            ]);
            marks.extend(
                arguments.iter().zip(1..).flat_map(|(argument, number)| of_argument(argument, number)),
            );
            marks
        }
        (Act::Questions | Act::FollowUp, Body::Questions { questions }) => {
            let most = if act == Act::FollowUp { MAX_FOLLOW_UPS } else { MAX_QUESTIONS };
            let mut marks = missing(&[("questions", act == Act::Questions && questions.is_empty())]);
            if questions.len() > usize::from(most) {
                let part = if most == 1 { "question" } else { "questions" };
                marks.push(Mark::TooMany { part: part.to_owned(), most });
            }
            let bad = questions.iter().zip(1..).filter(|(question, _)| !asks(&question.question));
            marks.extend(bad.map(|(_, number)| Mark::NoQuestion(number)));
            marks
        }
        (Act::Answers | Act::FollowUpAnswer, Body::Answers { answers }) => {
            let asking = if act == Act::Answers { Act::Questions } else { Act::FollowUp };
            let asked = match debate.turn(Slot::new(asking, side.other())).map(|turn| &turn.body) {
                Some(Body::Questions { questions }) => u8::try_from(questions.len()).unwrap_or(u8::MAX),
                _ => 0,
            };
            let answered = |number: &u8| {
                answers.iter().any(|answer| answer.question == *number && !is_blank(&answer.answer))
            };
            let nothing = asked == 0 && answers.iter().all(|answer| is_blank(&answer.answer));
            let mut marks = missing(&[("answers", nothing)]);
            marks.extend((1..=asked).filter(|number| !answered(number)).map(Mark::Unanswered));
            marks
        }
        (Act::Rebuttal, Body::Rebuttal { points }) => {
            let mut marks = missing(&[("points", points.is_empty())]);
            marks.extend(
                points.iter().zip(1..).flat_map(|(point, number)| of_point(point, number, debate, side)),
            );
            marks
        }
        (
            Act::Closing,
            Body::Closing { why_we_disagree, opponents_best_point, what_would_change_my_mind, uncertainty },
        ) => missing(&[
            ("why_we_disagree", is_blank(why_we_disagree)),
            ("opponents_best_point", is_blank(opponents_best_point)),
            ("what_would_change_my_mind", is_blank(what_would_change_my_mind)),
            ("uncertainty", is_blank(uncertainty)),
        ]),
        // Said in the form of another phase.
        (act, _) => vec![Mark::Missing(act.name())],
    }
}

fn of_argument(argument: &Argument, number: usize) -> Vec<Mark> {
    let Argument { claim, reasoning, assumptions, uncertainties, .. } = argument;
    let parts = [
        ("claim", is_blank(claim)),
        ("reasoning", is_blank(reasoning)),
        ("assumptions", full(assumptions) == 0),
        ("uncertainties", full(uncertainties) == 0),
    ];
    numbered("argument", number, &parts)
}

fn of_point(point: &RebuttalPoint, number: usize, debate: &Debate, side: Side) -> Vec<Mark> {
    let RebuttalPoint { quotation, steel_man, answer, even_if } = point;
    let nothing_quoted = count_words(quotation) == 0;
    let parts = [
        ("quotation", nothing_quoted),
        ("steel_man", is_blank(steel_man)),
        ("answer", is_blank(answer)),
        ("even_if", is_blank(even_if)),
    ];
    let mut marks = numbered("point", number, &parts);
    if !nothing_quoted && !said::is_said(quotation, debate, side.other()) {
        marks.push(Mark::NotSaid(quotation.trim().chars().take(300).collect()));
    }
    marks
}

fn missing(parts: &[(&str, bool)]) -> Vec<Mark> {
    parts.iter().filter(|(_, gone)| *gone).map(|(part, _)| Mark::Missing((*part).to_owned())).collect()
}

fn numbered(what: &str, number: usize, parts: &[(&str, bool)]) -> Vec<Mark> {
    let gone = parts.iter().filter(|(_, gone)| *gone);
    gone.map(|(part, _)| Mark::Missing(format!("{part} of {what} {number}"))).collect()
}

/// Most words of a question and of what leads to it.
const MAX_QUESTION_WORDS: u32 = 100;

/// Whether it ends with a question mark, and with not too much before it. Whether it argues is for a model to judge.
fn asks(question: &str) -> bool {
    let closing =
        |c: char| c.is_whitespace() || matches!(c, '"' | '”' | '’' | '\'' | '»' | ')' | '*' | '_' | '`');
    question.trim_end_matches(closing).ends_with(QUESTION_MARKS)
        && (1..=MAX_QUESTION_WORDS).contains(&count_words(question))
}

/// Of Latin, Chinese, Arabic and Greek writing.
const QUESTION_MARKS: [char; 4] = ['?', '？', '؟', '\u{37e}'];

/// How many of them say something.
fn full(texts: &[String]) -> usize {
    texts.iter().filter(|text| !is_blank(text)).count()
}

/// Every text of a turn's body, in the order in which it is read.
pub(crate) fn parts(body: &Body) -> Vec<&str> {
    match body {
        Body::Opening { position, preview, assumptions } => {
            std::iter::once(position).chain(preview).chain(assumptions).map(String::as_str).collect()
        }
        Body::Arguments { position, framework, arguments } => {
            let argued = arguments.iter().flat_map(|argument| {
                let Argument { claim, reasoning, assumptions, uncertainties, .. } = argument;
                [claim, reasoning].into_iter().chain(assumptions).chain(uncertainties)
            });
            position.iter().chain(framework).chain(argued).map(String::as_str).collect()
        }
        Body::Questions { questions } => {
            questions.iter().map(|question| question.question.as_str()).collect()
        }
        Body::Answers { answers } => answers.iter().map(|answer| answer.answer.as_str()).collect(),
        Body::Rebuttal { points } => points
            .iter()
            .flat_map(|RebuttalPoint { quotation, steel_man, answer, even_if }| {
                [quotation.as_str(), steel_man, answer, even_if]
            })
            .collect(),
        Body::Closing { why_we_disagree, opponents_best_point, what_would_change_my_mind, uncertainty } => {
            vec![why_we_disagree, opponents_best_point, what_would_change_my_mind, uncertainty]
        }
    }
}

/// The same, to be changed.
pub(super) fn parts_mut(body: &mut Body) -> Vec<&mut String> {
    match body {
        Body::Opening { position, preview, assumptions } => {
            std::iter::once(position).chain(preview).chain(assumptions).collect()
        }
        Body::Arguments { position, framework, arguments } => {
            let argued = arguments.iter_mut().flat_map(|argument| {
                let Argument { claim, reasoning, assumptions, uncertainties, .. } = argument;
                [claim, reasoning].into_iter().chain(assumptions).chain(uncertainties)
            });
            position.iter_mut().chain(framework).chain(argued).collect()
        }
        Body::Questions { questions } => {
            questions.iter_mut().map(|question| &mut question.question).collect()
        }
        Body::Answers { answers } => answers.iter_mut().map(|answer| &mut answer.answer).collect(),
        Body::Rebuttal { points } => points
            .iter_mut()
            .flat_map(|RebuttalPoint { quotation, steel_man, answer, even_if }| {
                [quotation, steel_man, answer, even_if]
            })
            .collect(),
        Body::Closing { why_we_disagree, opponents_best_point, what_would_change_my_mind, uncertainty } => {
            vec![why_we_disagree, opponents_best_point, what_would_change_my_mind, uncertainty]
        }
    }
}

#[cfg(test)]
mod tests;
