//! The sample of a debate with a turn at every place. Each of their texts names the step it was said in, so that a test
//! can tell where it turns up.

use crate::sample::{self, debate, model};
pub(super) use debate::{brief, hinges};
use domain::{
    Acknowledgement, Act, Aim, AnswerKind, Argument, Bearing, Body, Clarification, CrossAnswer,
    CrossQuestion, Debate, DebateBrief, DebateSynthesis, DebateTurn, Evidence, EvidenceKind, Finish, Level,
    NeutralSynthesis, Preset, Proposition, RebuttalPoint, Reply, Section, Side, Slot, Withheld,
};

pub(super) const SIDES: [Side; 2] = [Side::Pro, Side::Con];

pub(super) fn with_document(brief: DebateBrief) -> DebateBrief {
    DebateBrief { document: Some(sample::survey()), language: Some("German".into()), ..brief }
}

/// No time is named in it.
pub(super) fn proposition() -> Proposition {
    let mut proposition = debate::proposition();
    proposition.context.timeframe.clear();
    proposition
}

/// Every place of a preset, in the order of the debate.
pub(super) fn slots(preset: Preset) -> Vec<Slot> {
    let both = |act| SIDES.map(|side| Slot::new(act, side));
    let con_first = |act| [Slot::new(act, Side::Con), Slot::new(act, Side::Pro)];
    let mut slots: Vec<Slot> = preset.cases().flat_map(both).collect();
    if preset == Preset::Full {
        for side in SIDES {
            slots.push(Slot::new(Act::Questions, side));
            slots.push(Slot::new(Act::Answers, side.other()));
            slots.push(Slot::new(Act::FollowUp, side));
            slots.push(Slot::new(Act::FollowUpAnswer, side.other()));
        }
    }
    for act in [Act::Rebuttal, Act::Closing] {
        slots.extend(if preset == Preset::Full { con_first(act) } else { both(act) });
    }
    slots
}

/// A turn at a place.
pub(super) fn turn(slot: Slot) -> DebateTurn {
    let step = slot.step();
    let says = |what: &str| format!("The {what} of {step}.");
    let body = match slot.act {
        Act::Opening => Body::Opening {
            position: says("position"),
            preview: vec![says("first argument"), says("second argument")],
            assumptions: vec![says("assumption")],
        },
        Act::Case | Act::Constructive(_) => Body::Arguments {
            position: (slot.act == Act::Case).then(|| says("position")),
            framework: Some(says("framework")),
            arguments: vec![Argument {
                claim: says("claim"),
                reasoning: says("reasoning"),
                evidence: EvidenceKind::Projection,
                confidence: Level::Low,
                assumptions: vec![says("assumption")],
                uncertainties: vec![says("uncertainty")],
            }],
        },
        Act::Questions => Body::Questions {
            questions: vec![question(Aim::Evidence, &says("first")), question(Aim::Logic, &says("second"))],
        },
        Act::FollowUp => Body::Questions { questions: vec![question(Aim::Assumptions, &says("follow-up"))] },
        Act::Answers => Body::Answers {
            answers: vec![answer(1, &says("first answer")), answer(2, &says("second answer"))],
        },
        Act::FollowUpAnswer => Body::Answers { answers: vec![answer(1, &says("last answer"))] },
        Act::Rebuttal => Body::Rebuttal {
            points: vec![RebuttalPoint {
                quotation: says("quotation"),
                steel_man: says("steel man"),
                answer: says("answer"),
                even_if: says("even if"),
            }],
        },
        Act::Closing => Body::Closing {
            why_we_disagree: says("reason why"),
            opponents_best_point: says("best point"),
            what_would_change_my_mind: says("finding"),
            uncertainty: says("doubt"),
        },
    };
    debate::turn(slot.act, slot.side, &says("gist"), body)
}

fn question(aims_at: Aim, text: &str) -> CrossQuestion {
    CrossQuestion { aims_at, question: text.replace('.', "?") }
}

fn answer(question: u8, text: &str) -> CrossAnswer {
    CrossAnswer { question, kind: AnswerKind::DoesNotKnow, answer: text.to_owned() }
}

/// A debate in which every turn was taken.
pub(super) fn debate(preset: Preset) -> Debate {
    let mut debate = Debate::new(proposition(), preset);
    debate.turns = slots(preset).into_iter().map(turn).collect();
    debate
}

pub(super) fn evidence(number: u32) -> Evidence {
    let source = if number == 1 { "our own books, 2024" } else { "" };
    Evidence {
        claim: format!("The claim of E{number}: another firm went back to five days."),
        source: source.to_owned(),
        ..debate::evidence(number, None)
    }
}

pub(super) fn acknowledgement(number: u32, slot: Slot) -> Acknowledgement {
    let how = format!("What {} makes of E{number}.", slot.step());
    Acknowledgement { evidence: number, bearing: Bearing::DoesNotBear, how }
}

pub(super) fn clarification(id: u64, answer: Option<&str>) -> Clarification {
    let asked = debate::clarification(id, answer);
    Clarification { text: format!("{} ({id})", asked.text), ..asked }
}

/// The same with evidence 1, taken up in what both opened with, evidence 2, which is new, and two clarifications.
pub(super) fn with_team(mut debate: Debate) -> Debate {
    debate.evidence = vec![evidence(1), evidence(2)];
    debate.clarifications =
        vec![clarification(1, Some("The proposition says pay, nothing of bonuses.")), clarification(2, None)];
    for side in SIDES {
        let opening = debate.turns.iter_mut().find(|turn| turn.slot.side == side).unwrap();
        opening.acknowledged = vec![acknowledgement(1, opening.slot)];
    }
    debate
}

pub(super) fn synthesis() -> DebateSynthesis {
    debate::synthesis().synthesis
}

/// What was posted of it: the hinges' neighbour was withheld.
pub(super) fn neutral() -> NeutralSynthesis {
    let mut posted = debate::synthesis();
    posted.synthesis.evidence_gaps.clear();
    posted.withheld = vec![Withheld { section: Section::Gaps, why: vec!["leans to a side".to_owned()] }];
    posted
}

pub(super) fn reply(text: &str) -> Reply {
    Reply {
        text: text.to_owned(),
        finish: Finish::Stop,
        usage: None,
        cost: None,
        asked: model(),
        answered: "small-1".into(),
        request_id: None,
    }
}
