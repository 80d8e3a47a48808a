//! Cards with whatever text anybody could write: they fit, mention nobody, and leave no fence open.

use proptest::prelude::*;

use super::{
    super::super::support::{MEMBERS, boxes, hostile},
    *,
};
use crate::sample::debate::asking;
use domain::{
    Acknowledgement, Act, Agreement, Aim, AnswerKind, Argument, AssumptionConflict, Bearing, Between, Body,
    Clarification, Closed, CoreDisagreement, CrossAnswer, CrossQuestion, Debate, DebateSynthesis, DebateTurn,
    Edit, Electorate, Evidence, EvidenceGap, EvidenceKind, Hinge, Knowledge, NeutralSynthesis, Proposition,
    PropositionContext, RebuttalPoint, RootCause, Searched, Section, Slot, Source, StepKey, Swing, Theme,
    UserId, Vote, VoteRules, VoteState, Withheld,
    neutrality::{Judgement, SideTaken},
};

fn unsure(words: &str) -> Judgement {
    Judgement {
        taken: vec![SideTaken { section: Section::Summary, words: words.to_owned() }],
        unasked: false,
    }
}

fn texts(count: usize) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(hostile(), 0..count)
}

fn bodies(a: &str, b: &str, list: &[String]) -> Vec<(Act, Body)> {
    let (a, b) = (a.to_owned(), b.to_owned());
    let argument = |claim: &String| Argument {
        claim: claim.clone(),
        reasoning: a.clone(),
        evidence: EvidenceKind::Projection,
        confidence: Level::Low,
        assumptions: list.to_vec(),
        uncertainties: list.to_vec(),
    };
    let question = |text: &String| CrossQuestion { aims_at: Aim::Logic, question: text.clone() };
    let answer = |(number, text): (u8, &String)| CrossAnswer {
        question: number,
        kind: AnswerKind::ChallengesPremise,
        answer: text.clone(),
    };
    let point = |text: &String| RebuttalPoint {
        quotation: text.clone(),
        steel_man: a.clone(),
        answer: b.clone(),
        even_if: text.clone(),
    };
    vec![
        (
            Act::Opening,
            Body::Opening { position: a.clone(), preview: list.to_vec(), assumptions: list.to_vec() },
        ),
        (
            Act::Constructive(Theme::Ethical),
            Body::Arguments {
                position: Some(b.clone()),
                framework: Some(b.clone()),
                arguments: list.iter().map(argument).collect(),
            },
        ),
        (Act::Questions, Body::Questions { questions: list.iter().map(question).collect() }),
        (Act::Answers, Body::Answers { answers: (1..).zip(list).map(answer).collect() }),
        (Act::Rebuttal, Body::Rebuttal { points: list.iter().map(point).collect() }),
        (
            Act::Closing,
            Body::Closing {
                why_we_disagree: a.clone(),
                opponents_best_point: b.clone(),
                what_would_change_my_mind: a,
                uncertainty: b,
            },
        ),
    ]
}

fn evidence(number: usize, text: &str, name: &str, hinge: Option<u8>) -> Evidence {
    Evidence {
        number: u32::try_from(number).unwrap_or_default(),
        author: UserId(1),
        author_name: name.to_owned(),
        claim: text.to_owned(),
        source: text.to_owned(),
        hinge,
        at: 0,
    }
}

fn hinge(text: &str, other: &str, favors: Favors) -> Hinge {
    Hinge {
        if_true: text.to_owned(),
        then_favors: favors,
        current_evidence: other.to_owned(),
        confidence: Level::Medium,
        sources: crate::sample::mediate::pages(),
    }
}

proptest! {
    #![proptest_config(properties::cases(6))]

    #[test]
    fn propositions_are_one_message(a in hostile(), b in hostile(), list in texts(6), bits in 0u8..8) {
        let of = |bit: u8, text: &String| (bits & bit > 0).then(|| text.clone());
        let context = PropositionContext {
            geography: a.clone(), timeframe: b.clone(), domain: a.clone(), stakeholders: list.clone(), background: b.clone(),
        };
        let proposed = Proposition {
            raw: b.clone(), question: a.clone(), context, changed: a.clone(),
            objection: of(1, &b), answered_by: of(2, &a), edited_by: of(4, &b), ..sample::proposition()
        };
        for outcome in [WaitOutcome::Open, WaitOutcome::Answered(a.clone()), WaitOutcome::Ended] {
            let post = proposition(&session(), &proposed, Preset::Full, &Standing { outcome, revision: i64::MAX, voted: 9, ..Standing::default() });
            let scope = post.embeds.iter().flat_map(|embed| &embed.fields).any(|field| field.name.starts_with("Scope"));
            let said = [&a, &b].iter().any(|text| !crate::markdown::inline(text, 140).is_empty());
            prop_assert!(scope || !said, "one post holds all of it");
            let last = post.embeds.last().and_then(|embed| embed.fields.last()).map(|field| field.name.clone());
            prop_assert_eq!(last.as_deref(), Some("What now"));
            prop_assert!(!post.rows.is_empty() || bits & 2 == 0, "with its buttons");
            assert_fit(&[post], OWN);
        }
        let form = proposition_form(&session(), &proposed);
        prop_assert!(boxes(&form).iter().all(|input| input.value.chars().count() <= usize::from(input.max)));
        let written = form.inputs.iter().map(|input| (input.id().to_owned(), a.clone())).collect();
        // Where a box holds nothing but a member, that member is shown.
        let member = UserId::mentioned(&a).map(UserId::mention);
        let own: Vec<&str> = OWN.iter().copied().chain(member.as_deref()).collect();
        assert_fit(&[proposition_refused(&session(), card::post(domain::Embed { description: "No.".into(), ..Default::default() }), &written)], &own);
    }

    #[test]
    fn turns_fit(a in hostile(), b in hostile(), list in texts(6)) {
        let mut debate = Debate { evidence: vec![evidence(1, &a, &b, None)], ..sample::debate() };
        debate.turns.clear();
        for (act, body) in bodies(&a, &b, &list) {
            let acknowledged = list.iter().map(|how| Acknowledgement { evidence: 1, bearing: Bearing::Used, how: how.clone() }).collect();
            let turn = DebateTurn {
                slot: Slot::new(act, if act == Act::Answers { Side::Con } else { Side::Pro }), in_short: b.clone(), body, acknowledged,
                answered_by: a.clone(), dropped_citations: 3, marks: list.iter().cloned().map(Mark::Missing).collect(),
                sources: (0..9).filter_map(|n| Source::new(&a, &format!("https://a.example/{n}{}", "x".repeat(n * 200)), &b)).collect(),
                searched: Some(Searched::Found { queries: vec![a.clone(); 4], pages: 9 }),
            };
            let own = [OWN, &["<https://a.example/0>"]].concat();
            assert_fit(&turn_cards(&session(), &turn.slot.step(), &turn, &debate, Some(&model())), &own);
            assert_fit(&missing_card(&session(), &turn.slot.step(), turn.slot, &b), OWN);
            let (title, whole) = whole_turn(&turn);
            assert_fit(&inspect::whole(&title, &whole, &[]), OWN);
            debate.turns.push(turn);
        }
    }

    #[test]
    fn syntheses_and_open_questions_fit(a in hostile(), b in hostile(), list in texts(6)) {
        let synthesis = DebateSynthesis {
            edits: vec![Edit { objection: 1, stands: a.clone(), becomes: b.clone() }],
            executive_summary: a.clone(),
            areas_of_agreement: list.iter().map(|text| Agreement { topic: text.clone(), description: a.clone(), shared_evidence: list.clone() }).collect(),
            core_disagreements: list.iter().map(|text| CoreDisagreement { topic: a.clone(), pro_position: text.clone(), con_position: b.clone(), root_cause: RootCause::Values, bridgeable: false }).collect(),
            between: list.iter().map(|text| Between { position: text.clone(), named_by: b.clone(), pro_objection: a.clone(), con_objection: text.clone() }).collect(),
            assumption_conflicts: list.iter().map(|text| AssumptionConflict { pro_assumption: text.clone(), con_assumption: a.clone(), impact_on_debate: b.clone() }).collect(),
            evidence_gaps: list.iter().map(|text| EvidenceGap { question: text.clone(), why_it_matters: b.clone(), current_state: Knowledge::Projected }).collect(),
            decision_hinges: list.iter().map(|text| hinge(text, &a, Favors::Con)).collect(),
            complexity_assessment: b.clone(), neutrality_check: a.clone(), answered_by: b.clone(), dropped_citations: 1,
        };
        let withheld = Section::ALL.map(|section| Withheld { section, why: list.clone() }).to_vec();
        let taken = list.iter().map(|words| SideTaken { section: Section::Gaps, words: words.clone() }).collect();
        let judgement = Judgement { taken, unasked: false };
        for withheld in [vec![], withheld] {
            let synthesis = NeutralSynthesis { synthesis: synthesis.clone(), withheld, marks: list.iter().cloned().map(Mark::Missing).collect(), judgement: judgement.clone() };
            assert_fit(&synthesis_cards(&session(), &StepKey::new(&a), &synthesis, (Some(&model()), &sample::brief(Preset::Full))), OWN);
            let (title, whole) = whole_synthesis(&synthesis);
            assert_fit(&inspect::whole(&title, &whole, &[]), OWN);
        }
        assert_fit(&no_synthesis_card(&session(), &StepKey::new(&b), &a), OWN);
    }

    #[test]
    fn open_questions_are_one_message_however_many(mut list in texts(6), a in hostile(), more in 0usize..40) {
        list.extend((0..more).map(|at| format!("Question {at}, in so many words that it takes a line.")));
        let hinges: Vec<Hinge> = list.iter().map(|text| hinge(text, text, Favors::Neutral)).collect();
        let brought: Vec<Evidence> = (1..).zip(&list).map(|(number, text)| evidence(number, text, text, u8::try_from(number % 5 + 1).ok())).collect();
        let post = hinges_panel(&session(), &hinges, &brought, false);
        prop_assert_eq!(limits::fit(post.clone()).len(), 1);
        prop_assert_eq!(post.rows.len(), usize::from(!list.is_empty()), "with its menu");
        assert_fit(&[post], OWN);
        if let [first, .., last] = &hinges[..] {
            assert_fit(&hinge_card(&session(), &StepKey::new(&a), 3, (first, last), &brought[0], (&a, &unsure(&a)), Some(Searched::Nothing)), &[OWN, MEMBERS].concat());
        }
    }

    #[test]
    fn what_the_team_says_fits(a in hostile(), b in hostile(), list in texts(6)) {
        let (step, own) = (StepKey::new(&a), [OWN, MEMBERS].concat());
        for hinge in [None, Some(2)] {
            let post = evidence_card(&session(), &evidence(7, &a, &b, hinge), NEXT);
            prop_assert_eq!(post.embeds[0].fields.len(), 2, "one post holds all of it");
            assert_fit(&[post], &own);
        }
        for answer in [None, Some(b.clone())] {
            let clarification = Clarification { id: 1, author: UserId(1), author_name: a.clone(), text: b.clone(), answer, at: 0 };
            assert_fit(&clarification_card(&session(), &step, &clarification, &unsure(&b)), &own);
        }
        assert_fit(&answer_withheld_card(&session(), &step, (&a, &b), &list), &own);
        for to in Addressee::ALL {
            let answered = followup::Answered { text: &a, grounds: &list, missing: Some(&b), model: &b };
            assert_fit(&addressed_card(&session(), &step, to, (&a, &b), (&answered, &unsure(&a))), &own);
        }
    }

    #[test]
    fn swings_fit(a in hostile(), b in hostile(), numbers in any::<[[u16; 3]; 3]>(), ballots in 0u64..9, live in any::<bool>()) {
        let moved = numbers.map(|row| row.map(u32::from));
        let before = [0, 1, 2].map(|at| moved[at].iter().sum::<u32>() + 1);
        let after = [0, 1, 2].map(|at| moved.iter().map(|row| row[at]).sum::<u32>());
        let rules = VoteRules { electorate: Electorate::Role(domain::RoleId(7)), quorum: 5, live, ..VoteRules::default() };
        for state in [VoteState::Open, VoteState::Closed(Closed::Start), VoteState::Closed(Closed::Person(b))] {
            let vote = Vote { rules: rules.clone(), state, ..asking(&a, 7, ballots) };
            let panel = opinion_panel(&session(), &vote);
            prop_assert!(!panel.rows.is_empty(), "one post holds all of it");
            assert_fit(&[panel], OWN);
            assert_fit(&swing_card(&session(), &Swing { before, after, moved }, &vote), OWN);
        }
    }
}
