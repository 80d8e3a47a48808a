//! A debate on a four-day week: the proposition, what the team brings and thinks of it, the synthesis.

use super::seat;
pub(crate) use super::turns::{acknowledged, turn, turns};
use domain::{
    Advocates, Agreement, AssumptionConflict, Ballot, BallotChoice, Between, Clarification, CoreDisagreement,
    Debate, DebateBrief, DebateSynthesis, Effort, Evidence, EvidenceGap, Favors, Framing, Hinge, Knowledge,
    Level, NeutralSynthesis, Opinion, Preset, Problem, Proposition, PropositionContext, RootCause, Searching,
    Swing, UserId, Vote, VoteKind, neutrality::Judgement,
};

pub(crate) const QUESTION: &str = "Should the company move all employees to a four-day week of 32 hours at full pay for one year, starting next spring?";

pub(crate) fn proposition() -> Proposition {
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

pub(crate) fn brief(preset: Preset) -> DebateBrief {
    DebateBrief {
        searching: Searching::default(),
        problem: Problem::new(&proposition().raw).unwrap(),
        preset,
        document: None,
        advocates: Advocates { pro: seat(), con: seat() },
        gatekeeper: seat(),
        moderator: seat(),
        checker: seat(),
        language: None,
        effort: Effort::Standard,
        today: "27 November 2026".into(),
    }
}

pub(crate) fn clarification(id: u64, answer: Option<&str>) -> Clarification {
    Clarification {
        id,
        author: UserId(2),
        author_name: "Mara".into(),
        text: "Does “full pay” include bonuses?".into(),
        answer: answer.map(str::to_owned),
        at: 1_790_000_000,
    }
}

pub(crate) fn evidence(number: u32, hinge: Option<u8>) -> Evidence {
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

pub(crate) fn debate() -> Debate {
    let mut debate = Debate::new(proposition(), Preset::Full);
    debate.evidence = vec![evidence(1, None)];
    debate.turns = turns();
    debate
}

pub(crate) fn hinges() -> Vec<Hinge> {
    let hinge = |if_true: &str, then_favors, known: &str, confidence| Hinge {
        if_true: if_true.into(),
        then_favors,
        current_evidence: known.into(),
        confidence,
        sources: Vec::new(),
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

pub(crate) fn synthesis() -> NeutralSynthesis {
    let synthesis = DebateSynthesis {
        edits: Vec::new(),
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
        between: vec![Between {
            position: "Support alone keeps a fifth day, in turns.".into(),
            named_by: "Con's rebuttal".into(),
            pro_objection: "Two classes of staff would come of it.".into(),
            con_objection: "It covers tickets and no visits on site.".into(),
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
pub(crate) fn asking(question: &str, before: u64, ballots: u64) -> Vote {
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
pub(crate) fn ballot(voter: u64, opinion: Opinion) -> Ballot {
    Ballot { voter: UserId(voter), voter_name: "Voter".to_owned(), choice: BallotChoice::Opinion(opinion) }
}

/// Counts of a swing: `before` and `after` a letter a member, `-` where they did not say.
pub(crate) fn swing(before: &str, after: &str) -> Swing {
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
