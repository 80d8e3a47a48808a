//! What a turn answers to: which turns its side is shown, and how much of them.
//!
//! Invariant: a side reads nothing of the other's where it may not answer it yet, and a turn it should read but for which
//! no model answered is named as missing.

use minijinja::{Value, context};

use super::{Transcript, transcript};
use domain::{Act, Debate, DebateTurn, Preset, Side, Slot, citations::without_marks};

/// A heading with the turns under it.
pub(super) struct Group {
    heading: String,
    /// Where, and what was said there; `None`: it is missing.
    turns: Vec<(Slot, Option<String>)>,
}

impl Group {
    /// For a template; `None` if there is nothing in it.
    pub(super) fn value(self) -> Option<Value> {
        let turns: Vec<Value> = (self.turns.into_iter())
            .map(|(slot, text)| context! { slot => slot.to_string(), text })
            .collect();
        (!turns.is_empty()).then(|| context! { heading => self.heading, turns })
    }
}

/// What a turn answers to. Condensed, no more than the exchange or the rebuttal it speaks to is whole.
pub(super) fn of((debate, transcript): (&Debate, Transcript), slot: Slot) -> Vec<Group> {
    let (side, other) = (slot.side, slot.side.other());
    let whole = writer(transcript, transcript::whole);
    let name = other.name();
    match slot.act {
        Act::Case | Act::Opening => Vec::new(),
        Act::Constructive(_) => vec![group(
            debate,
            "What you have said so far. Build on it; do not repeat it",
            &cases(debate.preset, side, Some(slot.act)),
            whole,
        )],
        Act::Questions => vec![theirs((debate, transcript), other)],
        Act::Answers => vec![
            group(debate, "What you have said so far", &cases(debate.preset, side, None), whole),
            group(
                debate,
                &format!("What {name} asks you"),
                &[Slot::new(Act::Questions, other)],
                transcript::whole,
            ),
        ],
        Act::FollowUp => vec![Group {
            heading: format!("What you asked {name}, and what it answered"),
            turns: vec![examined(debate, other, (Act::Questions, Act::Answers))],
        }],
        Act::FollowUpAnswer => vec![
            group(debate, "What you have said so far", &cases(debate.preset, side, None), whole),
            Group {
                heading: format!("What {name} asked you before, and what you answered"),
                turns: vec![examined(debate, side, (Act::Questions, Act::Answers))],
            },
            group(
                debate,
                &format!("What {name} asks you now"),
                &[Slot::new(Act::FollowUp, other)],
                transcript::whole,
            ),
        ],
        Act::Rebuttal => rebuttal((debate, transcript), side),
        Act::Closing => closing((debate, transcript), side),
    }
}

/// The other side's case, all that it answered, and, for Pro, Con's rebuttal if there is one before it; beside it the side's
/// own claims.
fn rebuttal((debate, transcript): (&Debate, Transcript), side: Side) -> Vec<Group> {
    let other = side.other();
    let mut groups = vec![
        group(
            debate,
            "What you have argued so far, in short. Nothing may be added to it now",
            &cases(debate.preset, side, None),
            transcript::compact,
        ),
        theirs((debate, transcript), other),
    ];
    let answers = answered((debate, transcript), other);
    groups
        .push(Group { heading: format!("What {} answered to your questions", other.name()), turns: answers });
    if side == Side::Pro && !debate.preset.answers_at_once() {
        let heading = format!("What {} says against your case", other.name());
        groups.push(group(debate, &heading, &[Slot::new(Act::Rebuttal, other)], transcript::with_evidence));
    }
    groups
}

/// The whole debate, for Pro with Con's closing if there is one before it, and both rebuttals as they were given.
fn closing((debate, transcript): (&Debate, Transcript), side: Side) -> Vec<Group> {
    let mut groups = Vec::new();
    for of in [side, side.other()] {
        let mut slots = cases(debate.preset, of, None);
        slots.extend(cross(debate, of));
        if side == Side::Pro && of == Side::Con && !debate.preset.answers_at_once() {
            slots.push(Slot::new(Act::Closing, of));
        }
        let heading =
            if of == side { "What you have said".to_owned() } else { format!("What {} has said", of.name()) };
        groups.push(group(debate, &heading, &slots, writer(transcript, transcript::whole)));
    }
    for of in [side, side.other()] {
        let heading =
            if of == side { "Your rebuttal".to_owned() } else { format!("{}'s rebuttal", of.name()) };
        groups.push(group(
            debate,
            &heading,
            &[Slot::new(Act::Rebuttal, of)],
            writer(transcript, transcript::whole),
        ));
    }
    groups
}

/// What a side has claimed so far, in short.
pub(super) fn claims(debate: &Debate, side: Side) -> Vec<String> {
    let slots = cases(debate.preset, side, None);
    slots
        .into_iter()
        .filter_map(|slot| debate.turn(slot).map(|turn| without_marks(&transcript::compact(turn))))
        .collect()
}

/// A side's case, as the other side reads it.
fn theirs((debate, transcript): (&Debate, Transcript), other: Side) -> Group {
    let heading = format!("What {} has said", other.name());
    group(debate, &heading, &cases(debate.preset, other, None), writer(transcript, transcript::with_evidence))
}

/// How a turn is written: as the place for which it is wants it, unless all is told in short.
fn writer(transcript: Transcript, whole: fn(&DebateTurn) -> String) -> fn(&DebateTurn) -> String {
    match transcript {
        Transcript::Full => whole,
        Transcript::Condensed => transcript::compact,
    }
}

fn group(debate: &Debate, heading: &str, slots: &[Slot], write: fn(&DebateTurn) -> String) -> Group {
    let turns = slots.iter().map(|&slot| (slot, debate.turn(slot).map(write))).collect();
    Group { heading: heading.to_owned(), turns }
}

/// The turns in which a side makes its case, those before an act or all.
fn cases(preset: Preset, side: Side, before: Option<Act>) -> Vec<Slot> {
    let acts = preset.cases().take_while(|act| Some(*act) != before);
    acts.map(|act| Slot::new(act, side)).collect()
}

/// A side's turns in the cross-examination: what it was to take, and a follow-up if there was one.
fn cross(debate: &Debate, side: Side) -> Vec<Slot> {
    let owed = [Act::Questions, Act::Answers].map(|act| (act, debate.preset == Preset::Full));
    let more = [Act::FollowUp, Act::FollowUpAnswer].map(|act| (act, happened(debate, act, side)));
    let acts = owed.into_iter().chain(more).filter(|(_, is_there)| *is_there);
    acts.map(|(act, _)| Slot::new(act, side)).collect()
}

/// A side's answers, with the questions they answer.
fn answered((debate, transcript): (&Debate, Transcript), side: Side) -> Vec<(Slot, Option<String>)> {
    if transcript == Transcript::Condensed {
        let acts = [(Act::Answers, debate.preset == Preset::Full), (Act::FollowUpAnswer, false)];
        let acts = acts.into_iter().filter(|(act, owed)| *owed || happened(debate, *act, side));
        let slots: Vec<Slot> = acts.map(|(act, _)| Slot::new(act, side)).collect();
        return group(debate, "", &slots, transcript::compact).turns;
    }
    let mut turns = Vec::new();
    if debate.preset == Preset::Full {
        turns.push(examined(debate, side, (Act::Questions, Act::Answers)));
    }
    if happened(debate, Act::FollowUpAnswer, side) {
        turns.push(examined(debate, side, (Act::FollowUp, Act::FollowUpAnswer)));
    }
    turns
}

/// A side's answers to one turn of questions by the other.
fn examined(debate: &Debate, side: Side, (asking, answering): (Act, Act)) -> (Slot, Option<String>) {
    let slot = Slot::new(answering, side);
    let asked = debate.turn(Slot::new(asking, side.other()));
    let text = debate.turn(slot).map(|answered| match asked {
        Some(asked) => transcript::exchange(asked, answered),
        None => transcript::with_evidence(answered),
    });
    (slot, text)
}

/// Whether a turn that need not be was taken, or was to be.
fn happened(debate: &Debate, act: Act, side: Side) -> bool {
    let slot = Slot::new(act, side);
    debate.turn(slot).is_some() || debate.missing.iter().any(|missing| missing.slot == slot)
}
