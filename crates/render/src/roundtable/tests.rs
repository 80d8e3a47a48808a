//! Every card with real words, to be read; and with hostile ones, to fit.

use proptest::prelude::*;

use super::{
    super::support::{assert_fit, boxes, hostile, shown, stands},
    *,
};
use crate::sample::{model, roundtable as sample, session};
use domain::{
    Does, ExpertId, Input, Letters, Minutes, Proposal, Provenance, Raised, Role, Solution, Stage, Standing,
    Statement, StepKey, WaitOutcome,
};

fn table(names: &[(&str, &str)]) -> Proposal {
    Proposal { roles: sample::roles(names), ..sample::proposal(0) }
}

fn two() -> Proposal {
    table(&[
        ("Restaurant owner", "Look at what a kitchen can carry on a Friday night, and at what fee."),
        ("Labour lawyer", "Look at riders: contracts, insurance, who is liable."),
    ])
}

fn said(expert: u8, stage: Stage) -> Statement {
    Statement {
        stance: "Start with **ten** kitchens. Response A is right about insurance.".into(),
        summary: "Start with ten kitchens, as Response A asks.".into(),
        reasons: vec!["Kitchens are full on Fridays.".into(), "Response A overlooks the fee.".into()],
        dropped_citations: 1,
        ..sample::statement(expert, stage)
    }
}

fn minutes() -> Minutes {
    let raised = |title: &str, by: &str| Raised {
        title: title.into(),
        description: format!("{title}, for ninety days."),
        by: vec![by.into()],
        provenance: Provenance::default(),
    };
    let solutions = [
        raised("Pilot with ten kitchens", "Restaurant owner"),
        raised("Hire riders through the co-operative", "Labour lawyer"),
    ];
    Minutes { solutions: Solution::merged(solutions), ..sample::minutes() }
}

#[test]
fn proposals() {
    let (session, two) = (session(), two());
    let stock = Proposal {
        answered_by: None,
        dimensions: vec![],
        roles: vec![Role::stock(ExpertId(1), model(), &[])],
        ..two.clone()
    };
    insta::assert_snapshot!(
        "proposal",
        shown(&[
            proposal(&session, &two, &Standing::default()),
            proposal(&session, &two, &stands(WaitOutcome::Answered("Mara".into()))),
            proposal(&session, &two, &stands(WaitOutcome::Expired)),
            proposal(&session, &stock, &Standing { revision: 77, ..Standing::default() }),
        ])
    );
    let form = roles_form(&session, &two);
    let ids: Vec<&str> = form.inputs.iter().map(Input::id).collect();
    assert_eq!(ids, ["name-1", "mission-1", "name-2", "mission-2"]);
    assert_eq!(form.id.action(), Some(Does::RolesSent.into()));
    let five = table(&[("A", "a"), ("B", "b"), ("C", "c"), ("D", "d"), ("E", "e")]);
    let form = roles_form(&session, &five);
    assert_eq!(form.inputs.len(), 5);
    assert!(
        boxes(&form).iter().all(|input| input.max == 4_000 && input.paragraph && input.label.len() <= 45)
    );
    // What stands in the form, sent back untouched, changes nothing.
    for proposal in [two, five] {
        let form = roles_form(&session, &proposal);
        let written = boxes(&form).into_iter().map(|input| (input.id.clone(), input.value.clone()));
        assert_eq!(proposal.edited(&written.collect()).unwrap(), proposal);
    }
}

#[test]
fn statements() {
    let (session, two, step) = (session(), two(), StepKey::from("analysis/expert-1"));
    let reading = Letters { reader: ExpertId(1), others: vec![ExpertId(2)] };
    let first = analysis_card(&session, &step, &said(1, Stage::Analysis), &two, Some(&model()));
    let answer = rebuttal_card(&session, &step, &said(1, Stage::Rebuttal), &two, &reading, None);
    let place = (ExpertId(2), Stage::Analysis);
    let missing = missing_card(&session, &step, place, &two, "the model could not be reached");
    let alone = alone_card(ExpertId(1), &two);
    insta::assert_snapshot!("statements", shown(&[first, answer, missing, alone].concat()));
    let (title, text) = whole_statement(&said(1, Stage::Rebuttal), Some(&reading), &two);
    assert_eq!(title, "Restaurant owner · rebuttal");
    assert!(text.contains("Labour lawyer is right") && !text.contains("Response A"), "{text}");
    let (_, stored) = whole_statement(&said(1, Stage::Analysis), None, &two);
    assert!(stored.contains("Response A is right"));
}

#[test]
fn records() {
    let (session, step) = (session(), StepKey::from("notary"));
    let whole = minutes_cards(&session, &step, &minutes(), &[], None, false);
    let plain = Minutes { answered_by: None, dropped_solutions: 2, dropped_citations: 1, ..minutes() };
    let plain = minutes_cards(&session, &step, &plain, &["Labour lawyer".into()], Some(&model()), true);
    insta::assert_snapshot!("minutes", shown(&[whole, plain].concat()));
    assert!(whole_minutes(&minutes()).contains("*Raised by Labour lawyer*"));
}

proptest! {
    #![proptest_config(properties::cases(16))]

    #[test]
    fn cards_of_a_roundtable_fit(a in hostile(), b in hostile(), list in prop::collection::vec(hostile(), 0..12)) {
        let (session, step) = (session(), StepKey::new(&a));
        let mut names: Vec<(&str, &str)> = list.iter().map(|name| (name.as_str(), b.as_str())).take(5).collect();
        names.push((&a, &b));
        names.truncate(5);
        let table = Proposal { restated: a.clone(), dimensions: list.clone(), answered_by: Some(b.clone()), ..table(&names) };
        for outcome in [WaitOutcome::Open, WaitOutcome::Answered(a.clone()), WaitOutcome::Ended] {
            let post = proposal(&session, &table, &stands(outcome));
            prop_assert!(post.embeds.iter().map(|embed| embed.fields.len()).sum::<usize>() > names.len(), "one post holds all of it");
            assert_fit(&[post], &[]);
        }
        let statement = Statement { stance: a.clone(), summary: b.clone(), reasons: list.clone(), answered_by: a.clone(), ..said(1, Stage::Rebuttal) };
        let reading = Letters { reader: ExpertId(1), others: (2..=5).map(ExpertId).collect() };
        assert_fit(&analysis_card(&session, &step, &statement, &table, Some(&model())), &[]);
        assert_fit(&rebuttal_card(&session, &step, &statement, &table, &reading, None), &[]);
        assert_fit(&missing_card(&session, &step, (ExpertId(1), Stage::Rebuttal), &table, &b), &[]);
        assert_fit(&alone_card(ExpertId(1), &table), &[]);
        let raised = list.iter().map(|text| Raised { title: text.clone(), description: b.clone(), by: list.clone(), provenance: Provenance { stands_for: list.clone(), also: list.clone(), unsaid: list.first().cloned(), ..Provenance::default() } });
        let minutes = Minutes { synthesis: a.clone(), solutions: Solution::merged(raised), answered_by: Some(b.clone()), dropped_solutions: 3, dropped_citations: 3 };
        assert_fit(&minutes_cards(&session, &step, &minutes, &list, Some(&model()), true), &[]);
        for whole in [whole_minutes(&minutes), whole_proposal(&table), whole_statement(&statement, Some(&reading), &table).1] {
            assert_fit(&super::super::inspect::whole(&a, &whole, &[]), &[]);
        }
    }
}
