//! The proposal with real words, to be read; and with hostile ones, to fit.

use proptest::prelude::*;

use super::{
    super::support::{assert_fit, assert_form, boxes, hostile, shown, stands},
    *,
};
use crate::sample::{model, roundtable as sample, session};
use domain::{Does, ExpertId, Input, Proposal, Role, Standing, WaitOutcome};

fn table(names: &[(&str, &str)]) -> Proposal {
    Proposal { roles: sample::roles(names), ..sample::proposal(0) }
}

fn two() -> Proposal {
    table(&[
        ("Restaurant owner", "Look at what a kitchen can carry on a Friday night, and at what fee."),
        ("Labour lawyer", "Look at riders: contracts, insurance, who is liable."),
    ])
}

#[test]
fn proposals() {
    let (session, two) = (session(), two());
    let stock = Proposal {
        answered_by: None,
        dimensions: vec![],
        open: vec![],
        roles: vec![Role::stock(ExpertId(1), model(), &[])],
        ..two.clone()
    };
    insta::assert_snapshot!(
        "proposal",
        shown(&[
            proposal(&session, &two, &Standing::default()),
            proposal(&session, &two, &stands(WaitOutcome::Answered("Mara".into()))),
            proposal(&session, &two, &stands(WaitOutcome::Expired)),
            proposal(&session, &two, &Standing { answered: vec![Some("Ben".into())], ..Standing::default() }),
            proposal(&session, &stock, &Standing { revision: 77, ..Standing::default() }),
        ])
    );
    let form = roles_form(&session, &two);
    let ids: Vec<&str> = form.inputs.iter().map(Input::id).collect();
    assert_eq!(ids, ["name-1", "mission-1", "name-2", "mission-2"]);
    assert_eq!(form.id.action(), Some(Does::RolesSent.into()));
    let asked = Proposal { open: vec!["Who pays for the riders?".into(), "B? ".repeat(60)], ..two.clone() };
    let form = open_points_form(&session, &asked);
    assert_form(&form);
    assert_eq!(form.id.action(), Some(Does::OpenPointsSent.into()));
    assert_eq!(form.inputs.iter().map(Input::id).collect::<Vec<_>>(), ["point-1", "point-2"]);
    assert_eq!(boxes(&form)[0].label, "Who pays for the riders?");
    let answers = ["The town does.", " "];
    let said = asked.answered(|place| answers[place]);
    assert_eq!(said.as_deref(), Some("Asked “Who pays for the riders?”: The town does."));
    assert_eq!(asked.answered(|_| ""), None);
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

proptest! {
    #![proptest_config(properties::cases(16))]

    #[test]
    fn proposals_fit(a in hostile(), b in hostile(), list in prop::collection::vec(hostile(), 0..12)) {
        let session = session();
        let mut names: Vec<(&str, &str)> = list.iter().map(|name| (name.as_str(), b.as_str())).take(5).collect();
        names.push((&a, &b));
        names.truncate(5);
        let table = Proposal { restated: a.clone(), dimensions: list.clone(), open: list.clone(), answered_by: Some(b.clone()), ..table(&names) };
        for outcome in [WaitOutcome::Open, WaitOutcome::Answered(a.clone()), WaitOutcome::Ended] {
            let post = proposal(&session, &table, &stands(outcome));
            prop_assert!(post.embeds.iter().map(|embed| embed.fields.len()).sum::<usize>() > names.len(), "one post holds all of it");
            assert_fit(&[post], &[]);
        }
        assert_fit(&super::super::inspect::whole(&a, &whole_proposal(&table), &[]), &[]);
    }
}
