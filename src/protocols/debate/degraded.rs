//! What did not go as planned, in sentences for the last line.

use super::{
    course::{Course, Written, acknowledged},
    running::DebateRun,
};
use crate::domain::{Debate, DebateTurn, Mark, ModelName, Side, Slot, enumerated};

/// One sentence for each thing that was degraded; empty if nothing was.
pub(super) fn degraded(run: &DebateRun<'_>) -> Vec<String> {
    let DebateRun { debate, course, .. } = run;
    let mut sentences = Vec::new();
    if debate.proposition.answered_by.is_none() {
        sentences.push("No model could reword the proposition neutrally.".to_owned());
    }
    if let Some(model) = &course.gatekeeper_stand_in {
        sentences.push(format!("The proposition was reworded by {model}, because its usual model failed."));
    }
    sentences.extend(stand_ins(&course.stand_ins));
    for missing in &debate.missing {
        let (side, act) = (missing.slot.side.name(), missing.slot.act.name());
        sentences.push(format!("{side}'s {act} is missing: {}.", missing.why));
    }
    sentences.extend(marked(&debate.turns));
    sentences.extend(in_short(&debate.turns));
    if course.unchecked > 0 {
        sentences.push(format!(
            "{} not checked for keeping to the proposition.",
            counted(course.unchecked, "turn")
        ));
    }
    sentences.extend(passed_over(debate, course));
    sentences.extend(unclear(course));
    sentences.extend(of_synthesis(&course.synthesis));
    let dropped: u32 = debate.turns.iter().map(|turn| turn.dropped_citations).sum::<u32>()
        + match &course.synthesis {
            Written::Stands(kept) => kept.neutral.synthesis.dropped_citations,
            Written::Not | Written::Failed(_) => 0,
        };
    if dropped > 0 {
        sentences.push(format!("{} taken out, because nothing was searched.", counted(dropped, "citation")));
    }
    sentences
}

/// A sentence for each side and model: `Con's opening and rebuttal were written by …`.
fn stand_ins(all: &[(Slot, ModelName)]) -> Vec<String> {
    let mut grouped: Vec<((Side, &ModelName), Vec<String>)> = Vec::new();
    for (slot, model) in all {
        let name = slot.act.name();
        match grouped.iter_mut().find(|(who, _)| *who == (slot.side, model)) {
            Some((_, names)) => names.push(name),
            None => grouped.push(((slot.side, model), vec![name])),
        }
    }
    let sentence = |((side, model), names): ((Side, &ModelName), Vec<String>)| {
        let were = if names.len() == 1 { "was" } else { "were" };
        format!(
            "{}'s {} {were} written by {model}, because its own model failed.",
            side.name(),
            enumerated(&names)
        )
    };
    grouped.into_iter().map(sentence).collect()
}

fn marked(turns: &[DebateTurn]) -> Option<String> {
    // How its side was told the debate is nothing that a turn breaks.
    let breaks = |turn: &&DebateTurn| turn.marks.iter().any(|mark| *mark != Mark::ReadInShort);
    let marked = turns.iter().filter(breaks).count();
    match marked {
        0 => None,
        1 => Some("1 turn is marked with what it breaks.".to_owned()),
        more => Some(format!("{more} turns are marked with what they break.")),
    }
}

fn in_short(turns: &[DebateTurn]) -> Option<String> {
    let turns = turns.iter().filter(|turn| turn.marks.contains(&Mark::ReadInShort)).count();
    (turns > 0).then(|| {
        let turns = counted(u32::try_from(turns).unwrap_or(u32::MAX), "turn");
        format!("{turns} written from the debate in short, because a model cannot take in the whole of it.")
    })
}

/// Evidence that a side never acknowledged, and what came when it had no turn left.
fn passed_over(debate: &Debate, course: &Course) -> Vec<String> {
    let mut sentences = Vec::new();
    for side in [Side::Pro, Side::Con] {
        let (mut silent, mut late) = (Vec::new(), Vec::new());
        for evidence in debate.evidence.iter().filter(|evidence| evidence.hinge.is_none()) {
            let number = evidence.number;
            if acknowledged(debate, side, number) {
                continue;
            }
            let list = if number <= course.heard[side as usize] { &mut silent } else { &mut late };
            list.push(format!("E{number}"));
        }
        if !silent.is_empty() {
            sentences.push(format!(
                "{} never acknowledged the evidence {}.",
                side.name(),
                enumerated(&silent)
            ));
        }
        if !late.is_empty() {
            sentences.push(format!(
                "The evidence {} came after {}'s last turn.",
                enumerated(&late),
                side.name()
            ));
        }
    }
    sentences
}

fn unclear(course: &Course) -> Vec<String> {
    let mut sentences = Vec::new();
    if course.unclear_withheld > 0 {
        sentences.push(format!(
            "{} withheld, because the moderator's answer took a side.",
            counted(course.unclear_withheld, "clarification")
        ));
    }
    if course.unclear_failed > 0 {
        sentences.push(format!(
            "{} not answered, because no model could.",
            counted(course.unclear_failed, "clarification")
        ));
    }
    sentences
}

fn of_synthesis(written: &Written) -> Vec<String> {
    let kept = match written {
        Written::Not => return Vec::new(),
        Written::Failed(why) => return vec![format!("There is no synthesis: {why}.")],
        Written::Stands(kept) => kept,
    };
    let mut sentences = Vec::new();
    if let Some(model) = &kept.stand_in {
        sentences
            .push(format!("The synthesis was written by {model}, because the moderator's model failed."));
    }
    let withheld: Vec<String> =
        kept.neutral.withheld.iter().map(|withheld| format!("“{}”", withheld.section.name())).collect();
    if !withheld.is_empty() {
        sentences.push(format!("Of the synthesis {} withheld, because it took a side.", were(&withheld)));
    }
    sentences
        .extend(kept.neutral.marks.iter().map(|mark| format!("The synthesis is {}.", Mark::shown(mark))));
    sentences
}

/// `a was`, `a and b were`.
fn were(names: &[String]) -> String {
    format!("{} {}", enumerated(names), if names.len() == 1 { "was" } else { "were" })
}

/// `1 citation was`, `2 citations were`.
fn counted(number: u32, one: &str) -> String {
    if number == 1 { format!("1 {one} was") } else { format!("{number} {one}s were") }
}
