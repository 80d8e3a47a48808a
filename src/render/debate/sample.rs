//! For tests: a debate to draw and to read.

use super::super::chart;
use crate::domain::{
    Acknowledgement, Act, Agreement, Aim, AnswerKind, Argument, AssumptionConflict, Ballot, BallotChoice,
    Bearing, Body, CoreDisagreement, CrossAnswer, CrossQuestion, Debate, DebateSynthesis, DebateTurn,
    Evidence, EvidenceGap, EvidenceKind, Favors, Framing, Hinge, Knowledge, Level, NeutralSynthesis, Opinion,
    Preset, Proposition, PropositionContext, RebuttalPoint, RootCause, Side, Slot, Swing, Theme, UserId,
    Vote, VoteKind, neutrality::Judgement,
};

pub(in crate::render) const QUESTION: &str = "Should the company move all employees to a four-day week of 32 hours at full pay for one year, starting next \
                        spring?";

pub(super) fn proposition() -> Proposition {
    Proposition {
        raw: "obviously we should stop working fridays".into(),
        question: QUESTION.into(),
        context: PropositionContext {
            geography: "Both offices in Austria".into(),
            timeframe: "One year from next spring".into(),
            domain: "Work organisation".into(),
            stakeholders: vec!["employees".into(), "customers".into(), "owners".into()],
            background: "Support is staffed on weekdays from 8 to 18; two customers pay for that.".into(),
        },
        framing: Framing::Policy,
        complexity: Level::Medium,
        changed: "“obviously” was taken out, and hours, pay and time were added.".into(),
        objection: None,
        answered_by: Some("claude-haiku-4-5".into()),
        edited_by: None,
    }
}

pub(super) fn evidence(number: u32, hinge: Option<u8>) -> Evidence {
    Evidence {
        number,
        author: UserId(1),
        author_name: "Ada".into(),
        claim: "In last year's pilot of our own, tickets closed per week rose by 4 %.".into(),
        source: "https://example.org/pilot".into(),
        hinge,
        at: 1_790_000_000,
    }
}

pub(super) fn debate() -> Debate {
    let mut debate = Debate::new(proposition(), Preset::Full);
    debate.evidence = vec![evidence(1, None)];
    debate.turns = turns();
    debate
}

/// A turn of every act.
pub(super) fn turns() -> Vec<DebateTurn> {
    use Act::{Answers, Closing, Constructive, FollowUp, FollowUpAnswer, Opening, Questions, Rebuttal};
    use Side::{Con, Pro};
    let question = |aims_at, question: &str| CrossQuestion { aims_at, question: question.into() };
    let answer = |question, kind, answer: &str| CrossAnswer { question, kind, answer: answer.into() };
    vec![
        turn(Opening, Pro, "A shorter week pays for itself in staff who stay.", opening()),
        turn(Constructive(Theme::Ethical), Con, "Fewer days shift the load to those who cannot refuse it.", arguments()),
        turn(
            Questions,
            Pro,
            "Three questions about what Con takes for granted.",
            Body::Questions {
                questions: vec![
                    question(Aim::Assumptions, "Why would customers not wait until Monday for what is not urgent?"),
                    question(Aim::Evidence, "Which of your studies looked at firms of fewer than 100 people?"),
                    question(Aim::Logic, "How does a cost in support follow for those who do not work in support?"),
                ],
            },
        ),
        turn(
            Answers,
            Con,
            "Two of three answered; one is not known.",
            Body::Answers {
                answers: vec![
                    answer(1, AnswerKind::Direct, "Two contracts name Fridays; the others would wait."),
                    answer(2, AnswerKind::DoesNotKnow, "None that I could name; most looked at larger firms."),
                    answer(3, AnswerKind::ChallengesPremise, "It need not follow; my claim was about support only."),
                ],
            },
        ),
        turn(FollowUp, Pro, "", Body::Questions { questions: vec![] }),
        turn(
            FollowUpAnswer,
            Con,
            "A number for the two contracts.",
            Body::Answers { answers: vec![answer(1, AnswerKind::Direct, "About a fifth of revenue.")] },
        ),
        turn(
            Rebuttal,
            Con,
            "Retention is real and still outweighed by what Fridays carry.",
            Body::Rebuttal {
                points: vec![RebuttalPoint {
                    quotation: "Every leaver costs about half a year's pay.".into(),
                    steel_man: "Even at a third of that, two leavers fewer a year pay for the lost hours.".into(),
                    answer: "It holds only if those who leave do so because of hours, which nobody here has asked.".into(),
                    even_if: "Even if they do, two contracts weigh more than two leavers.".into(),
                }],
            },
        ),
        turn(
            Closing,
            Pro,
            "We disagree about what is risked, not about what is hoped for.",
            Body::Closing {
                why_we_disagree: "Con counts what may be lost at once, I count what is lost each year already.".into(),
                opponents_best_point: "Two contracts name Fridays, and nobody has asked these customers.".into(),
                what_would_change_my_mind: "If either customer said that it would leave.".into(),
                uncertainty: "Whether output holds after the first months.".into(),
            },
        ),
    ]
}

pub(super) fn turn(act: Act, side: Side, in_short: &str, body: Body) -> DebateTurn {
    DebateTurn {
        slot: Slot::new(act, side),
        in_short: in_short.into(),
        body,
        acknowledged: vec![],
        answered_by: "gpt-5-2025-08-07".into(),
        dropped_citations: 0,
        marks: vec![],
    }
}

fn opening() -> Body {
    Body::Opening {
        position: "The company should try 32 hours for a year, because **what it loses in hours** it is likely to win \
                   back in people who stay and in days that are used better."
            .into(),
        preview: vec![
            "Every leaver costs about half a year's pay.".into(),
            "Most meetings could be half as long.".into(),
        ],
        assumptions: vec!["Output depends on more than hours.".into(), "A year is long enough to see it.".into()],
    }
}

fn arguments() -> Body {
    Body::Arguments {
        framework: Some("Fairness between those who gain and those who carry the load".into()),
        arguments: vec![
            Argument {
                claim: "Support staff cannot take Fridays off together.".into(),
                reasoning: "Somebody has to answer; whoever does, gains nothing.".into(),
                evidence: EvidenceKind::Fact,
                confidence: Level::High,
                assumptions: vec!["Support hours stay as they are.".into()],
                uncertainties: vec!["Whether shifts could be shared.".into()],
            },
            Argument {
                claim: "Pay per hour rises for some and not for part-time staff.".into(),
                reasoning: "Part-time staff keep hours and pay.".into(),
                evidence: EvidenceKind::Value,
                confidence: Level::Medium,
                assumptions: vec![],
                uncertainties: vec![],
            },
        ],
    }
}

pub(super) fn acknowledged() -> Vec<Acknowledgement> {
    vec![
        Acknowledgement { evidence: 1, bearing: Bearing::Used, how: "It shows that output can hold.".into() },
        Acknowledgement {
            evidence: 2,
            bearing: Bearing::DoesNotBear,
            how: "It is about another trade.".into(),
        },
    ]
}

pub(super) fn hinges() -> Vec<Hinge> {
    let hinge = |if_true: &str, then_favors, known: &str, confidence| Hinge {
        if_true: if_true.into(),
        then_favors,
        current_evidence: known.into(),
        confidence,
    };
    vec![
        hinge(
            "The two customers accept support on four days.",
            Favors::Pro,
            "Nobody has asked them.",
            Level::Low,
        ),
        hinge(
            "Output falls by more than 10 % after six months.",
            Favors::Con,
            "One pilot of eight weeks.",
            Level::Low,
        ),
        hinge(
            "Part-time pay can be adjusted.",
            Favors::Neutral,
            "The contracts leave it open.",
            Level::Medium,
        ),
    ]
}

pub(super) fn synthesis() -> NeutralSynthesis {
    let synthesis = DebateSynthesis {
        executive_summary:
            "Both sides want people to stay and customers to be served. They part on **what is risked**: \
                            Pro counts the yearly cost of leavers, Con two contracts that name Fridays."
                .into(),
        areas_of_agreement: vec![Agreement {
            topic: "What counts".into(),
            description: "Keeping staff and keeping customers both matter.".into(),
            shared_evidence: vec!["leavers last year".into(), "the pilot (E1)".into()],
        }],
        core_disagreements: vec![CoreDisagreement {
            topic: "Which risk is borne".into(),
            pro_position: "Losing people each year is the larger cost.".into(),
            con_position: "Losing a fifth of revenue at once is the larger cost.".into(),
            root_cause: RootCause::Priorities,
            bridgeable: true,
        }],
        assumption_conflicts: vec![AssumptionConflict {
            pro_assumption: "Customers can wait until Monday.".into(),
            con_assumption: "Customers hold the company to its hours.".into(),
            impact_on_debate: "It decides whether support needs a fifth day.".into(),
        }],
        evidence_gaps: vec![EvidenceGap {
            question: "Why did those who left leave?".into(),
            why_it_matters: "Pro's case rests on hours being a reason.".into(),
            current_state: Knowledge::Unknown,
        }],
        decision_hinges: hinges(),
        complexity_assessment:
            "Several goods are weighed against one another, and little of it has been measured.".into(),
        neutrality_check: "Each side has the same number of positions.".into(),
        answered_by: "claude-sonnet-4-5".into(),
        dropped_citations: 0,
    };
    NeutralSynthesis { synthesis, withheld: vec![], marks: vec![], judgement: Judgement::default() }
}

/// The open vote after the debate with so many ballots, and so many before it.
pub(super) fn asking(question: &str, before: u64, ballots: u64) -> Vote {
    let ballot = |voter| ballot(voter, Opinion::ALL[(voter % 3) as usize]);
    Vote {
        kind: VoteKind::Opinion,
        question: question.to_owned(),
        deadline: Some(1_790_000_000),
        ballots: (1..=ballots).map(ballot).collect(),
        earlier: (1..=before).map(ballot).collect(),
        ..Vote::default()
    }
}

/// What a member thinks.
pub(super) fn ballot(voter: u64, opinion: Opinion) -> Ballot {
    Ballot { voter: UserId(voter), voter_name: "Voter".to_owned(), choice: BallotChoice::Opinion(opinion) }
}

/// Counts of a swing: `before` and `after` a letter a member, `-` where they did not say.
pub(in crate::render) fn swing(before: &str, after: &str) -> Swing {
    let read = |text: &str| -> Vec<(UserId, Opinion)> {
        let opinion = |c| match c {
            'f' => Some(Opinion::For),
            'u' => Some(Opinion::Undecided),
            'a' => Some(Opinion::Against),
            _ => None,
        };
        (1..).zip(text.chars()).filter_map(|(voter, c)| Some((UserId(voter), opinion(c)?))).collect()
    };
    Swing::of(&read(before), &read(after))
}

/// Drawings to look at.
pub(in crate::render) fn charts() -> Vec<(&'static str, String)> {
    let draw = |before: &str, after: &str| {
        let swing = swing(before, after);
        chart::swing(QUESTION, &swing, swing.both() > 2)
    };
    vec![
        ("swing-six", draw("fffuua", "ffuuaa")),
        ("swing-all-move", draw("ffuuaa", "uafafu")),
        ("swing-crowd", draw(&"fffuua".repeat(20), &format!("{}uaf", "fffuua".repeat(19)))),
        ("swing-few", draw("fu", "fa")),
        ("swing-nobody-before", draw("", "ffa")),
        ("swing-one-sided", draw("ffff----", "fffffuaa")),
    ]
}
