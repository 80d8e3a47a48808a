use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{
    sample::critique as sample,
    {ParseError, critique::Branch, parse, reply::critique::SegmentReply},
};
use domain::{Claim, Grown, Philosopher, SectionId, Severity, Span};

const POPPER: Philosopher = Philosopher::Popper;

fn read(claims: &Value, effect: &Value, branch: &Branch<'_>) -> Result<Grown, ParseError> {
    let mut reply = json!({ "reading": "It sells.", "claims": claims });
    if !effect.is_null() {
        reply["effect_on_claim"] = effect.clone();
    }
    let reply = parse::<SegmentReply>(&reply.to_string())?;
    reply.into_grown(&sample::document(), POPPER, branch, "small")
}

fn whole() -> Branch<'static> {
    let segment = Span { start: 0, end: sample::TEXT.len() };
    Branch { section: SectionId(1), segment, parent: None, first: 1, most: 3 }
}

fn top(claims: &Value) -> Vec<Claim> {
    read(claims, &Value::Null, &whole()).unwrap().claims
}

fn claim(quote: &str, said: &str) -> Value {
    json!({
        "quote": quote, "claim": said, "area": "Unit cost", "severity": "high", "confidence": 0.8,
        "deeper_passage": null, "deeper_topic": null
    })
}

/// A claim with some of its fields set.
fn with(fields: &Value) -> Value {
    let mut claim = claim("demand is certain", "Nothing in the plan shows that people will order.");
    for (name, value) in fields.as_object().unwrap() {
        claim[name] = value.clone();
    }
    claim
}

#[test]
fn quotations_are_looked_up_in_the_segment_and_nowhere_else() {
    let costs = sample::span("Each order earns 3 euros and costs 4.20 euros to bring.");
    let segment = Branch { segment: costs, ..whole() };
    for (branch, quote, found, kept) in [
        (whole(), "demand is certain", true, "demand is certain"),
        (whole(), "“Demand is  certain.”", true, "Demand is  certain."),
        (whole(), "Each order earns … 4.20 euros to bring", true, "Each order earns … 4.20 euros to bring"),
        (whole(), "Each order earns 3 euros … to bring", true, "Each order earns 3 euros"),
        (whole(), "Each order earns 3 euros ... as any child can see", true, "Each order earns 3 euros"),
        (whole(), "demand is surely certain", false, "demand is surely certain"),
        (whole(), "", false, ""),
        (whole(), "is", false, "is"),
        (segment, "costs 4.20 euros", true, "costs 4.20 euros"),
        (segment, "demand is certain", false, "demand is certain"),
    ] {
        let said = json!([claim(quote, "The first year is not covered by what is counted on.")]);
        let claims = read(&said, &Value::Null, &branch).unwrap().claims;
        let evidence = &claims[0].evidence;
        assert_eq!((evidence.found.is_some(), evidence.quote.as_str()), (found, kept), "{quote}");
        let sure = if found { 0.8 } else { 0.4 };
        assert!((claims[0].confidence.get() - sure).abs() < 1e-9, "{quote}: unquoted claims count half");
        if let Some(found) = evidence.found {
            assert!(branch.segment.holds(found), "{quote}");
        }
        assert_eq!((claims[0].segment, claims[0].section), (branch.segment, SectionId(1)));
    }
}

#[test]
fn what_is_no_claim_is_dropped() {
    for nothing in ["", "  ", "…", "none", "N/A", "No findings.", "[1]"] {
        assert_eq!(top(&json!([claim("demand is certain", nothing)])), [], "{nothing}");
    }
    assert_eq!(top(&json!([])), [], "no claims is a fair answer");
    let mixed = top(&json!([claim("demand is certain", "An exemplary case. Nobody has counted demand.")]));
    assert_eq!(mixed[0].claim, "An exemplary case. Nobody has counted demand.", "no sentence goes by a word");
}

#[test]
fn a_claim_is_made_once() {
    let claims = top(&json!([
        claim("demand is certain", "Nothing shows that the demand is certain in the first year."),
        claim("first year", "In the first year nothing shows that demand is certain!"),
        claim("demand is certain", "Nothing shows that the demand is certain in the second year."),
        claim(
            "demand is certain",
            "Something shows that the demand is certain in the first year, and is left out."
        ),
    ]));
    assert_eq!(claims.len(), 3, "{claims:?}");
    let tree = sample::tree(POPPER);
    let parent = &tree.claims[0];
    let below = Branch { parent: Some(parent), most: 2, ..whole() };
    let copy = json!([claim("demand is certain", &parent.claim)]);
    assert_eq!(read(&copy, &json!(0.2), &below).unwrap().claims, []);
    let denied = parent.claim.replace("does not hold", "holds");
    assert_eq!(read(&json!([claim("3 euros", &denied)]), &json!(0), &below).unwrap().claims.len(), 1);
}

#[test]
fn claims_are_numbered_by_weight_from_where_the_branch_begins() {
    let claims = json!([
        with(&json!({ "claim": "The lesser one is about the word happy.", "severity": "low" })),
        with(
            &json!({ "claim": "The grave one is about the budget.", "severity": "CRITICAL", "confidence": 0.4 })
        ),
        with(
            &json!({ "claim": "The surer one is about couriers.", "severity": "critical", "confidence": "90 %" })
        ),
        with(&json!({ "claim": "A fourth was not asked for.", "severity": "low", "confidence": 0.1 })),
    ]);
    let branch = Branch { first: 4, ..whole() };
    let grown = read(&claims, &json!(0.9), &branch).unwrap();
    let told: Vec<_> = grown.claims.iter().map(|claim| (claim.id.to_string(), claim.severity)).collect();
    let critical = Severity::Critical;
    assert_eq!(
        told,
        [
            ("Popper 4".to_owned(), critical),
            ("Popper 5".to_owned(), critical),
            ("Popper 6".to_owned(), Severity::Low)
        ]
    );
    assert!(grown.claims[0].claim.contains("surer"));
    assert!(grown.parent_delta.abs() < 1e-9, "there is nothing above the first level");
    assert_eq!(grown.answered_by, "small");
    let above = sample::tree(POPPER);
    let below = Branch { parent: Some(&above.claims[0].children[0]), first: 1, most: 2, ..whole() };
    let grown = read(&claims, &json!("-30%"), &below).unwrap();
    let ids: Vec<String> = grown.claims.iter().map(|claim| claim.id.number()).collect();
    assert_eq!(ids, ["1.1.1", "1.1.2"]);
    assert!((grown.parent_delta + 0.3).abs() < 1e-9);
}

#[test]
fn a_closer_look_needs_a_passage() {
    for (passage, topic, kept) in [
        (json!("Each order earns"), json!("the margin"), Some(("Each order earns", "the margin"))),
        (json!("\"Each order earns\""), json!("N/A"), Some(("Each order earns", "Unit cost"))),
        (json!("nowhere in it"), json!(null), Some(("nowhere in it", "Unit cost"))),
        (json!(null), json!("the margin"), None),
        (json!(""), json!("the margin"), None),
        (json!("null"), json!("null"), None),
        (json!("none"), json!("the margin"), None),
    ] {
        let claims = top(&json!([with(&json!({ "deeper_passage": passage, "deeper_topic": topic }))]));
        let deeper = claims[0].deeper.as_ref().map(|deeper| (deeper.passage.as_str(), deeper.topic.as_str()));
        assert_eq!(deeper, kept, "{passage}");
    }
    let mut short = claim("demand is certain", "Nothing in the plan shows it.");
    for field in ["deeper_passage", "deeper_topic"] {
        short.as_object_mut().unwrap().remove(field);
    }
    assert_eq!(top(&json!([short]))[0].deeper, None, "the last level is asked for none");
}

#[test]
fn claims_are_made_fit_to_keep() {
    let said = format!("It loses money [3] with each order, see https://a.example/x. {}", "more ".repeat(3));
    let claims = top(&json!([with(&json!({ "claim": said, "area": "n/a", "confidence": 85 }))]));
    assert!(!claims[0].claim.contains("[3]") && !claims[0].claim.contains("https"), "{}", claims[0].claim);
    assert_eq!(claims[0].area, "It loses money with");
    assert!((claims[0].confidence.get() - 0.85).abs() < 1e-9);
    let long = top(&json!([with(&json!({ "area": "word ".repeat(40) }))]));
    assert!(long[0].area.chars().count() <= 60);
    for wrong in [
        json!([with(&json!({ "severity": "grave" }))]),
        json!([with(&json!({ "confidence": "quite" }))]),
        json!([with(&json!({ "more": 1 }))]),
        json!("none"),
    ] {
        assert!(matches!(read(&wrong, &Value::Null, &whole()), Err(ParseError::Shape(_))), "{wrong}");
    }
}

proptest! {
    #![proptest_config(properties::cases(64))]

    /// Whatever is claimed of whatever segment: what is found lies in the segment, and numbers go on from the first.
    #[test]
    fn what_is_kept_keeps_the_rules(
        quotes in prop::collection::vec("[a-zA-Z .…“]{0,40}|demand is certain|3 euros", 0..6),
        said in ".{0,80}",
        sure in -3.0f64..120.0,
        (start, end) in (0usize..200, 200usize..430),
        first in 1u16..40,
    ) {
        let segment = Span { start, end };
        prop_assume!(sample::TEXT.is_char_boundary(start) && sample::TEXT.is_char_boundary(end));
        let claims: Vec<Value> = quotes.iter().enumerate().map(|(n, quote)| {
            with(&json!({ "quote": quote, "claim": format!("{said} number {n}"), "confidence": sure }))
        }).collect();
        let branch = Branch { segment, first, ..whole() };
        let grown = read(&json!(claims), &Value::Null, &branch).unwrap();
        prop_assert!(grown.claims.len() <= 3);
        for (claim, number) in grown.claims.iter().zip(first..) {
            prop_assert_eq!(&claim.id.path, &vec![number]);
            prop_assert!((0.0..=1.0).contains(&claim.confidence.get()));
            match claim.evidence.found {
                Some(found) => prop_assert!(segment.holds(found) && !found.is_empty()),
                None => prop_assert!(claim.confidence.get() <= 0.5),
            }
        }
    }
}
