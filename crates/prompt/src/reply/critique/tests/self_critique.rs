use serde_json::{Value, json};

use crate::{
    sample::critique as sample,
    {ParseError, parse, reply::critique::SelfCritiqueReply},
};
use domain::{Philosopher, SelfCritique, Tree};

const POPPER: Philosopher = Philosopher::Popper;

/// Read by Popper, who sees Kant as A, Russell as B and Aristotle as C.
fn read(reply: &Value) -> Result<SelfCritique, ParseError> {
    let peers = [Philosopher::Kant, Philosopher::Russell, Philosopher::Aristotle].map(sample::tree);
    let order: Vec<&Tree> = peers.iter().collect();
    let reply = parse::<SelfCritiqueReply>(&reply.to_string())?;
    let session = sample::session();
    let read = (&session.brief.document, &session.sections[..]);
    reply.into_self_critique(&sample::tree(POPPER), &order, read, "small")
}

fn adjust(label: &str) -> SelfCritique {
    let adjustment =
        json!({ "claim": label, "reasoning": "It says more than its words.", "confidence_delta": -0.2 });
    read(&json!({ "reflection": "Too sure.", "contradictions": [], "adjustments": [adjustment] })).unwrap()
}

#[test]
fn labels_of_ones_own_claims_are_read_however_they_are_written() {
    for (label, number) in [
        ("Y1", "1"),
        ("Y1.1", "1.1"),
        ("y 1.1", "1.1"),
        ("Claim Y1", "1"),
        ("claim 2", "2"),
        ("1.1", "1.1"),
        ("Y1.1.", "1.1"),
        ("(Y2)", "2"),
        ("Y1,1", "1.1"),
        ("Y2: it rests on nothing", "2"),
    ] {
        let critique = adjust(label);
        let targets: Vec<String> = critique.adjustments.iter().map(|a| a.target.to_string()).collect();
        assert_eq!((targets, critique.dropped), (vec![format!("Popper {number}")], 0), "{label}");
    }
}

#[test]
fn labels_of_nothing_and_of_others_are_dropped_and_counted() {
    for label in
        ["Y9", "Y1.7", "A1", "B1.1", "C1", "D1", "Z1", "", "Y", "all", "Popper 1", "Y1.1.1", "Y99999999"]
    {
        let critique = adjust(label);
        assert_eq!((critique.adjustments.len(), critique.dropped), (0, 1), "{label}");
    }
}

#[test]
fn deltas_are_held_to_their_bounds() {
    for (delta, meant) in [(json!(-0.2), -0.2), (json!(-20), -0.2), (json!("+5%"), 0.05), (json!(-1.7), -1.0)]
    {
        let adjustment = json!({ "claim": "Y1", "reasoning": "r", "confidence_delta": delta });
        let critique = read(&json!({ "reflection": "x y", "adjustments": [adjustment] })).unwrap();
        assert!((critique.adjustments[0].delta - meant).abs() < 1e-9, "{delta}");
    }
}

#[test]
fn contradictions_are_between_ones_own_claim_and_another_members() {
    let told =
        |own: &str, other: &str| json!({ "own": own, "other": other, "why": "It says the contrary [2]." });
    let critique = read(&json!({
        "reflection": "Nothing.",
        "contradictions": [told("Y1", "A1.1"), told("y1", "Reader A 1.1"), told("Y1", "Y2"), told("A1", "B1")],
        "adjustments": [],
    }))
    .unwrap();
    assert_eq!(critique.oppositions.len(), 1, "the same is said once");
    assert_eq!(critique.oppositions[0].own.to_string(), "Popper 1");
    assert_eq!(critique.oppositions[0].other.to_string(), "Kant 1.1");
    assert_eq!(critique.oppositions[0].why, "It says the contrary.");
    assert_eq!(critique.dropped, 1, "one's own two claims contradict nobody; a fourth was not asked for");
    let last = read(&json!({ "reflection": "x y", "contradictions": [told("Y2", "c1")] })).unwrap();
    assert_eq!(last.oppositions[0].other.to_string(), "Aristotle 1", "C is the third, not one's own");
}

#[test]
fn a_self_critique_of_nothing_is_none() {
    for nothing in ["", "none", "…", "N/A"] {
        let reply = json!({ "reflection": nothing, "contradictions": [], "adjustments": [] });
        assert_eq!(read(&reply), Err(ParseError::Empty("reflection")), "{nothing}");
    }
    let critique =
        read(&json!({ "reflection": "No bias, no misses and no overstatements.", "adjustments": [] }));
    let critique = critique.unwrap();
    assert_eq!((critique.member, critique.answered_by.as_str(), critique.dropped), (POPPER, "small", 0));
    let many = vec![json!({ "claim": "Y1", "reasoning": "r", "confidence_delta": 0.1 }); 20];
    let critique = read(&json!({ "reflection": "x y", "adjustments": many })).unwrap();
    assert_eq!(critique.adjustments.len(), 6);
}

#[test]
fn sameness_is_between_ones_own_claim_and_another_members() {
    let pair = |own: &str, other: &str| json!({ "own": own, "other": other });
    let critique = read(&json!({
        "reflection": "",
        "same_as": [pair("Y1", "A1.1"), pair("y1", "Reader A 1.1"), pair("Y1", "Y2"), pair("A1", "B1"), pair("Y2", "C9")],
    }))
    .unwrap();
    let said: Vec<_> =
        critique.same.iter().map(|same| (same.own.to_string(), same.other.to_string())).collect();
    assert_eq!(said, [("Popper 1".to_owned(), "Kant 1.1".to_owned())]);
    assert_eq!(critique.dropped, 3);
}

#[test]
fn what_is_missing_is_a_claim_that_needs_no_quotation() {
    let missed = |beside: &str, claim: &str| json!({ "beside": beside, "claim": claim, "area": "Risk", "severity": "HIGH", "confidence": "80 %" });
    let critique = read(&json!({
        "reflection": "x y",
        "missed": [missed("demand is certain", "No risk is named."), missed("", "None"), missed("not in it", "No date is named.")],
    }))
    .unwrap();
    let told: Vec<_> =
        critique.missed.iter().map(|claim| (claim.id.number(), claim.claim.as_str())).collect();
    assert_eq!(told, [("3".to_owned(), "No risk is named."), ("4".to_owned(), "No date is named.")]);
    assert!(critique.missed[0].evidence.found.is_some() && critique.missed[1].evidence.found.is_none());
    assert!(
        critique.missed.iter().all(|claim| (claim.confidence.get() - 0.8).abs() < 1e-9),
        "nothing is halved"
    );
}
