use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{
    sample::critique as sample,
    {
        ParseError, parse,
        reply::critique::{AssessmentReply, unworded},
    },
};
use domain::{Assessment, Consolidated, FindingId};

const FINE: &str = "Each order loses money, so growth makes the loss larger; success is left open.";

fn read(points: &Value, text: &str, strict: bool) -> Result<Assessment, ParseError> {
    let reply = json!({ "points": points, "final_assessment": text }).to_string();
    parse::<AssessmentReply>(&reply)?.into_assessment(&sample::consolidated(), "small", strict)
}

fn point(finding: &str, critique: &str) -> Value {
    json!({ "finding": finding, "area": "Loss per order", "critique": critique })
}

#[test]
fn findings_get_the_assessors_words_and_nothing_else() {
    let points = json!([
        point("f 1", "An order earns 3 euros and costs 4.20, so each order adds to the loss."),
        point("F1", "Each order loses nothing at all."),
        point("F7", "The order of a finding that is not there."),
    ]);
    let assessment = read(&points, FINE, true).unwrap();
    let was = sample::consolidated();
    let (first, second) = (&assessment.findings[0], &assessment.findings[1]);
    assert_eq!(first.area, "Loss per order");
    assert_eq!(assessment.findings.len(), 2);
    for (finding, was) in assessment.findings.iter().zip(&was.findings) {
        assert_eq!((finding.id, finding.severity, &finding.held_by), (was.id, was.severity, &was.held_by));
        assert_eq!((&finding.evidence, &finding.claims), (&was.evidence, &was.claims));
        assert!((finding.confidence.get() - was.confidence.get()).abs() < 1e-9);
    }
    assert!(first.critique.starts_with("An order earns"), "the first word on a finding counts: {first:?}");
    assert_eq!(second.area, was.findings[1].area, "what it left out keeps the member's words");
    assert_eq!(assessment.contradictions, was.contradictions);
    assert_eq!(
        (assessment.claims, assessment.below_floor, assessment.merged, assessment.lesser),
        (18, 6, 9, 1)
    );
    assert_eq!((assessment.text.as_str(), assessment.answered_by.as_deref()), (FINE, Some("small")));
}

#[test]
fn words_that_say_nothing_leave_the_members_own() {
    for other in ["", "none", "N/A"] {
        let assessment = read(&json!([point("F1", other)]), FINE, false).unwrap();
        assert_eq!(assessment.findings[0], sample::consolidated().findings[0], "{other}");
    }
}

#[test]
fn personal_words_praise_and_advice_are_named_at_first_and_then_kept_and_counted() {
    let bad = "I find this excellent.";
    let points = json!([point("F1", &format!("Each order loses 1.20 euros. {bad}"))]);
    let text = format!("{FINE} You should raise the fee. Success is nowhere measured.");
    let Err(ParseError::Tone(named)) = read(&points, &text, true) else { panic!("not refused") };
    assert!(named.contains("“You should raise the fee.”") && named.contains(bad), "{named}");
    assert!(ParseError::Tone(named).to_string().contains("impersonally"));
    let assessment = read(&points, &text, false).unwrap();
    assert_eq!(assessment.text, text);
    assert_eq!(assessment.findings[0].critique, format!("Each order loses 1.20 euros. {bad}"));
    assert_eq!(assessment.marked, 2);
}

#[test]
fn a_text_of_which_nothing_is_left_is_told_by_code() {
    for gone in ["", "N/A"] {
        let assessment = read(&json!([]), gone, false).unwrap();
        assert_eq!(
            assessment.text,
            "2 findings, 1 of them of high or critical severity. The weightiest concern: Unit cost; Measure of success."
        );
    }
    assert_eq!(read(&json!([]), "", true), Err(ParseError::Empty("final_assessment")));
}

#[test]
fn quotation_marks_stand_around_the_texts_own_words_only() {
    for (said, kept) in [
        (
            "It holds that “each order earns 3 euros” a time.",
            "It holds that “each order earns 3 euros” a time.",
        ),
        (
            "It holds that “each order earns a fortune” a time.",
            "It holds that each order earns a fortune a time.",
        ),
        (
            "A \"people like it\" is open; \"people love it dearly\" too.",
            "A \"people like it\" is open; people love it dearly too.",
        ),
        ("The „pilot“ is a word.", "The „pilot“ is a word."),
        ("A “mark that never ends.", "A “mark that never ends."),
        ("It’s the plan's \"measure\".", "It’s the plan's \"measure\"."),
    ] {
        assert_eq!(read(&json!([]), said, true).unwrap().text, kept);
    }
    // Praise does not hide in a quotation that nobody made.
    let hidden = "The plan is “an impressive piece of work”. It loses money.";
    assert!(matches!(read(&json!([]), hidden, true), Err(ParseError::Tone(_))));
    assert_eq!(read(&json!([]), hidden, false).unwrap().marked, 1);
    // A finding's quotation has to be its own.
    let others = "The measure that forbids no failure is “each order earns 3 euros”.";
    let assessment = read(&json!([point("F2", others)]), FINE, true).unwrap();
    assert_eq!(assessment.findings[1].critique, others.replace(['“', '”'], ""));
}

#[test]
fn without_an_assessor_members_speak_impersonally() {
    let assessment = unworded(&sample::consolidated());
    assert_eq!(assessment.answered_by, None);
    assert_eq!(assessment.findings[0], sample::consolidated().findings[0]);
    assert!(assessment.text.starts_with("2 findings"));
    let mut one = sample::consolidated();
    one.findings.truncate(1);
    assert_eq!(unworded(&one).text, "One finding. It concerns: Unit cost.");
    let none = unworded(&Consolidated::default());
    assert!(none.no_findings() && none.text == "No significant findings.");
    assert_eq!(assessment.findings[1].id, FindingId(2));
}

proptest! {
    #![proptest_config(properties::cases(64))]

    /// Whatever stands in quotation marks, only marks go.
    #[test]
    fn nothing_but_marks_goes(text in "([a-z]{1,6}|“|”|\"|«|»|„|each order earns 3 euros| ){0,30}") {
        let bare = |text: &str| text.chars().filter(|c| !"“”\"«»„".contains(*c)).collect::<String>();
        let kept = super::super::assessment::only_real_quotations(&text, &sample::consolidated().findings);
        prop_assert_eq!(bare(&kept), bare(&text));
        let again = super::super::assessment::only_real_quotations(&kept, &sample::consolidated().findings);
        prop_assert!(again.chars().count() <= kept.chars().count());
    }
}
