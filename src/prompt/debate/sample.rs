//! A small debate for tests: should the town run its own delivery app? Every text names the step it was said in, so
//! that a test can tell where it turns up.

use crate::{
    domain::{
        Acknowledgement, Act, Advocates, Agreement, Aim, AnswerKind, Argument, AssumptionConflict, Bearing,
        Body, Clarification, CoreDisagreement, CrossAnswer, CrossQuestion, Debate, DebateBrief,
        DebateSynthesis, DebateTurn, Evidence, EvidenceGap, EvidenceKind, Favors, Framing, Hinge, Knowledge,
        Level, NeutralSynthesis, Preset, Problem, Proposition, PropositionContext, RebuttalPoint, Reply,
        RootCause, Section, Side, Slot, UserId, Withheld, neutrality::Judgement,
    },
    prompt::sample,
};

pub(super) const SIDES: [Side; 2] = [Side::Pro, Side::Con];

pub(super) fn brief(preset: Preset) -> DebateBrief {
    let seat = || sample::brief("").mediator;
    DebateBrief {
        problem: Problem::new("The town should finally run its own delivery app!").unwrap(),
        preset,
        document: None,
        advocates: Advocates { pro: seat(), con: seat() },
        gatekeeper: seat(),
        moderator: seat(),
        checker: seat(),
        language: None,
        effort: crate::domain::Effort::Standard,
    }
}

pub(super) fn with_document(mut brief: DebateBrief) -> DebateBrief {
    let full = sample::with_document(sample::brief(""));
    (brief.document, brief.language) = (full.document, full.language);
    brief
}

pub(super) fn proposition() -> Proposition {
    Proposition {
        raw: "The town should finally run its own delivery app!".into(),
        question: "Should the town run a food delivery app of its own?".into(),
        context: PropositionContext {
            geography: "a town of 40,000".into(),
            timeframe: String::new(),
            domain: "local services".into(),
            stakeholders: vec!["restaurants".into(), "couriers".into()],
            background: "Thirty restaurants; no platform delivers there today.".into(),
        },
        framing: Framing::Policy,
        complexity: Level::Medium,
        changed: "“Finally” was left out, for it presses for a yes.".into(),
        objection: None,
        answered_by: Some("small".into()),
        edited_by: None,
    }
}

/// Every place of a preset, in the order of the debate.
pub(super) fn slots(preset: Preset) -> Vec<Slot> {
    let both = |act| SIDES.map(|side| Slot::new(act, side));
    let con_first = |act| [Slot::new(act, Side::Con), Slot::new(act, Side::Pro)];
    let mut slots = both(Act::Opening).to_vec();
    slots.extend(preset.themes().iter().flat_map(|theme| both(Act::Constructive(*theme))));
    if preset == Preset::Full {
        for side in SIDES {
            slots.push(Slot::new(Act::Questions, side));
            slots.push(Slot::new(Act::Answers, side.other()));
            slots.push(Slot::new(Act::FollowUp, side));
            slots.push(Slot::new(Act::FollowUpAnswer, side.other()));
        }
    }
    slots.extend(con_first(Act::Rebuttal));
    if preset == Preset::Full {
        slots.extend(con_first(Act::Closing));
    }
    slots
}

/// A turn at a place; `most` of every list.
pub(super) fn turn(slot: Slot) -> DebateTurn {
    let step = slot.step();
    let says = |what: &str| format!("The {what} of {step}.");
    let body = match slot.act {
        Act::Opening => Body::Opening {
            position: says("position"),
            preview: vec![says("first argument"), says("second argument")],
            assumptions: vec![says("assumption")],
        },
        Act::Constructive(_) => Body::Arguments {
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
    DebateTurn {
        slot,
        in_short: says("gist"),
        body,
        acknowledged: Vec::new(),
        answered_by: "small".into(),
        dropped_citations: 0,
        marks: Vec::new(),
    }
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
    Evidence {
        number,
        author: UserId(1),
        author_name: "Ada".into(),
        claim: format!("The claim of E{number}: the next town lost money on its app."),
        source: if number == 1 { "the town's books, 2024".into() } else { String::new() },
        hinge: None,
        at: 0,
    }
}

pub(super) fn acknowledgement(number: u32, slot: Slot) -> Acknowledgement {
    let how = format!("What {} makes of E{number}.", slot.step());
    Acknowledgement { evidence: number, bearing: Bearing::DoesNotBear, how }
}

pub(super) fn clarification(id: u64, answer: Option<&str>) -> Clarification {
    Clarification {
        id,
        author: UserId(2),
        author_name: "Bo".into(),
        text: format!("What does “its own” mean? ({id})"),
        answer: answer.map(str::to_owned),
        at: 0,
    }
}

/// The same with evidence 1, taken up in both openings, evidence 2, which is new, and two clarifications.
pub(super) fn with_team(mut debate: Debate) -> Debate {
    debate.evidence = vec![evidence(1), evidence(2)];
    debate.clarifications =
        vec![clarification(1, Some("Owned by the town, whoever builds it.")), clarification(2, None)];
    for side in SIDES {
        let slot = Slot::new(Act::Opening, side);
        let opening = debate.turns.iter_mut().find(|turn| turn.slot == slot).unwrap();
        opening.acknowledged = vec![acknowledgement(1, slot)];
    }
    debate
}

pub(super) fn hinges() -> Vec<Hinge> {
    let hinge = |if_true: &str, then_favors| Hinge {
        if_true: if_true.into(),
        then_favors,
        current_evidence: "Pro expects it, Con doubts it.".into(),
        confidence: Level::Low,
    };
    vec![
        hinge("Twenty restaurants join in the first year.", Favors::Pro),
        hinge("An order costs the town more than it brings.", Favors::Con),
        hinge("A national platform comes anyway.", Favors::Neutral),
    ]
}

pub(super) fn synthesis() -> DebateSynthesis {
    DebateSynthesis {
        executive_summary: "The sides part on who bears the risk.".into(),
        areas_of_agreement: vec![Agreement {
            topic: "Demand".into(),
            description: "Both hold that people want deliveries.".into(),
            shared_evidence: vec!["thirty restaurants".into()],
        }],
        core_disagreements: vec![CoreDisagreement {
            topic: "Risk".into(),
            pro_position: "Pro holds that the town can bear it.".into(),
            con_position: "Con holds that the town cannot bear it.".into(),
            root_cause: RootCause::EvidenceInterpretation,
            bridgeable: true,
        }],
        assumption_conflicts: vec![AssumptionConflict {
            pro_assumption: "Couriers can be found.".into(),
            con_assumption: "Couriers cannot be found.".into(),
            impact_on_debate: "Without couriers there is no app.".into(),
        }],
        evidence_gaps: vec![EvidenceGap {
            question: "What do restaurants pay today?".into(),
            why_it_matters: "It bounds the fee.".into(),
            current_state: Knowledge::Unknown,
        }],
        decision_hinges: hinges(),
        complexity_assessment: "Few people, many unknowns.".into(),
        neutrality_check: "Both were transcript at the same length.".into(),
        answered_by: "small".into(),
        dropped_citations: 0,
    }
}

/// What was posted of it: the hinges' neighbour was withheld.
pub(super) fn neutral() -> NeutralSynthesis {
    let mut synthesis = synthesis();
    synthesis.evidence_gaps.clear();
    let why = vec!["leans to a side".to_owned()];
    NeutralSynthesis {
        judgement: Judgement::default(),
        synthesis,
        withheld: vec![Withheld { section: Section::Gaps, why }],
        marks: Vec::new(),
    }
}

pub(super) fn reply(text: &str) -> Reply {
    let model = brief(Preset::Quick).moderator.model;
    Reply {
        text: text.to_owned(),
        finish: crate::domain::Finish::Stop,
        usage: None,
        cost: None,
        asked: model,
        answered: "small-1".into(),
        request_id: None,
    }
}
