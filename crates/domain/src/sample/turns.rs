//! What is said in the debate, by either side.

use domain::{
    Acknowledgement, Act, Aim, AnswerKind, Argument, Bearing, Body, CrossAnswer, CrossQuestion, DebateTurn,
    EvidenceKind, Level, RebuttalPoint, Side, Slot, Theme,
};

/// A turn of every act.
pub(crate) fn turns() -> Vec<DebateTurn> {
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

pub(crate) fn turn(act: Act, side: Side, in_short: &str, body: Body) -> DebateTurn {
    DebateTurn {
        slot: Slot::new(act, side),
        in_short: in_short.into(),
        body,
        acknowledged: vec![],
        answered_by: "gpt-5-2025-08-07".into(),
        dropped_citations: 0,
        marks: vec![],
        sources: vec![],
        searched: None,
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
        position: None,
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

pub(crate) fn acknowledged() -> Vec<Acknowledgement> {
    vec![
        Acknowledgement { evidence: 1, bearing: Bearing::Used, how: "It shows that output can hold.".into() },
        Acknowledgement {
            evidence: 2,
            bearing: Bearing::DoesNotBear,
            how: "It is about another trade.".into(),
        },
    ]
}
