//! What an answer is held to.

use super::*;
use crate::{CheckFinding, sample::investigate as sample};

fn given(text: &str) -> Given<'_> {
    Given { text, first: None }
}

#[test]
fn a_number_that_one_scout_alone_has_is_no_fact() {
    let compared = sample::compared();
    let answer = InvestigationAnswer {
        answer: "It costs 84,000 a year. A grant of 55.500 covers it. It takes 12 weeks.".into(),
        ..sample::written()
    };
    assert_eq!(
        answer.unconfirmed(&compared, &[], &given("")),
        ["It takes 12 weeks."],
        "the claim on the grant has no number"
    );
    let claim = "It takes 12 weeks.";
    for (checks, found) in [
        (vec![sample::check(claim, &[claim, "It does not"], CheckFinding::Holds(0))], 0),
        (vec![sample::check(claim, &[claim, "It does not"], CheckFinding::Unsettled)], 1),
        (vec![sample::check(claim, &[claim, "It does not"], CheckFinding::Holds(1))], 1),
    ] {
        assert_eq!(answer.unconfirmed(&compared, &checks, &given("")).len(), found, "{checks:?}");
    }
    assert!(
        answer.unconfirmed(&compared, &[], &given("We have 12 weeks")).is_empty(),
        "the question gives it"
    );
    let without = answer.clone().without(&answer.unconfirmed(&compared, &[], &given("")));
    assert_eq!(without.answer, "It costs 84,000 a year. A grant of 55.500 covers it.");
    assert_eq!(without.left_out, ["It takes 12 weeks."]);
    let nothing = InvestigationAnswer { answer: "It takes 12 weeks.".into(), ..sample::written() };
    let without = nothing.clone().without(&nothing.unconfirmed(&compared, &[], &given("")));
    assert!(without.sure.is_empty());
    assert!(without.answer.contains("one scout alone"));
}

#[test]
fn a_number_that_the_answer_works_out_itself_needs_nobody_to_confirm_it() {
    let compared = sample::compared();
    let said = |text: &str| InvestigationAnswer { text: text.into(), ..sample::written() };
    let shown = said("6 stages × 2 weeks = 12 weeks.\n\nAfter 12 weeks the builders leave.");
    assert!(shown.unconfirmed(&compared, &[], &given("")).is_empty());
    let not_so = said("6 stages × 3 weeks = 12 weeks.\n\nAfter 12 weeks the builders leave.");
    assert_eq!(not_so.unconfirmed(&compared, &[], &given("")).len(), 2);
    let another = said("6 boxes × 2 = 12 boxes.\n\nAfter 12 weeks the builders leave.");
    assert_eq!(another.unconfirmed(&compared, &[], &given("")).len(), 1, "boxes are no weeks");
}

#[test]
fn what_the_writer_said_before_it_had_read_anybody_is_said_by_two() {
    let compared = sample::compared();
    let said = InvestigationAnswer { text: "It takes 12 weeks.".into(), ..sample::written() };
    let found = |first| said.unconfirmed(&compared, &[], &Given { text: "", first }).len();
    assert_eq!(
        (found(None), found(Some("A lease of 12 %.")), found(Some("Reckon with 12 weeks."))),
        (1, 1, 0)
    );
}

#[test]
fn an_answer_is_a_scouts_only_where_the_words_are() {
    let compared = sample::compared();
    let of = |title: &str| {
        let answer = InvestigationAnswer { title: title.into(), ..sample::written() };
        answer.solutions(&compared)[0].raised_by.clone()
    };
    assert_eq!(of("it costs 84,000 a year"), ["Scout 1", "Scout 2"]);
    assert!(of("It costs 36,000 a year").is_empty(), "most of them said something else");
}

#[test]
fn a_number_of_something_else_is_no_claim_and_a_table_keeps_its_lines() {
    let compared = sample::compared();
    let text = "| reading | means |\n| --- | --- |\n| 12 ms | fine |\n| 12 weeks | the builders |";
    let answer = InvestigationAnswer { text: text.into(), ..sample::written() };
    let found = answer.unconfirmed(&compared, &[], &given(""));
    assert_eq!(found, ["| 12 weeks | the builders |"], "milliseconds are no weeks");
    let without = answer.clone().without(&found);
    assert_eq!(without.text, text, "a table with a line cut out says something else");
    assert_eq!((without.left_out.len(), without.one_alone), (0, found));
    assert_eq!(
        answer.unconfirmed(&compared, &[], &given("We have 12 days")).len(),
        0,
        "the question names it"
    );
}

#[test]
fn what_a_check_refutes_confirms_nothing() {
    let mut compared = sample::compared();
    compared.lone[1].claim = "The heating costs 48,000.".into();
    let answer = InvestigationAnswer { text: "The heating costs 48,000.".into(), ..sample::written() };
    let of = |finding| {
        let check = sample::check("What it costs a year", &["84,000", "48,000"], finding);
        answer.unconfirmed(
            &compared,
            &[Check { why: "It is 84,000 and not 48,000.".into(), ..check }],
            &given(""),
        )
    };
    assert_eq!(of(CheckFinding::Holds(0)), ["The heating costs 48,000."]);
}

#[test]
fn what_was_observed_was_observed_in_a_call_that_answered() {
    let held = |tag, calls: &[usize]| {
        let stated = Stated { text: "x".into(), tag, calls: calls.to_vec(), lowered: false };
        let stated = stated.held_to(&[1, 3]);
        (stated.tag, stated.lowered, stated.calls)
    };
    assert_eq!(held(EvidenceTag::Observed, &[3, 1, 3]), (EvidenceTag::Observed, false, vec![1, 3]));
    assert_eq!(held(EvidenceTag::Observed, &[2]), (EvidenceTag::Assumed, true, vec![]));
    assert_eq!(held(EvidenceTag::Derived, &[]), (EvidenceTag::Assumed, true, vec![]));
    assert_eq!(held(EvidenceTag::Speculative, &[]), (EvidenceTag::Speculative, false, vec![]));
}
