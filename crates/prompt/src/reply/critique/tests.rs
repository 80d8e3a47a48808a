use forms::Asked;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::{
    critique::{Branch, Labels},
    sample::critique as sample,
};
use domain::{
    Claim, Effect, Effort, Ended, FindingId, Grouped, Philosopher, SectionId, Severity, Span, Tree, grouped,
};
use forms::ParseError;

const POPPER: Philosopher = Philosopher::Popper;

fn asked() -> Asked {
    Asked::at(Effort::Brief).when("deeper", true)
}

fn branch<'a>(segments: &[Span], parent: Option<&'a Claim>) -> Branch<'a> {
    Branch { section: SectionId(1), segments: segments.to_vec(), parent, first: 1 }
}

fn said(quotes: &[&str], claim: &str) -> Value {
    json!({
        "quotes": quotes, "claim": claim, "severity": "High", "confidence": 60, "closer": "the sum",
        "closer_at": quotes,
    })
}

fn reply(claims: &[Value]) -> Value {
    json!({"reading": "It sets out to show that it pays.", "claims": claims, "plain": [], "holds_up": []})
}

fn look(reply: &Value) -> Grown {
    let document = sample::document();
    let branch = branch(&[document.whole()], None);
    let (asked, answered_by) = (asked(), "alpha");
    let reading = Reading {
        document: &document,
        member: POPPER,
        branch: &branch,
        asked: &asked,
        first: true,
        answered_by,
    };
    reading.look(&reply.to_string()).unwrap()
}

const PAYS: &str = "It pays for itself in the first year";
const EARNS: &str = "Each order earns 3 euros";

#[test]
fn a_claim_rests_on_the_quotations_that_stand_in_the_text() {
    let mut plain = reply(&[
        said(&["no such words at all"], "One."),
        said(&[PAYS, EARNS], "Two."),
        said(&["none"], " none "),
        said(&[EARNS], "two"),
    ]);
    plain["plain"] = json!([
        {"quote": "“demand is certain”", "claim": "Three.", "severity": "critical", "confidence": 90},
        {"quote": "", "claim": "N/A", "severity": "low", "confidence": 90},
    ]);
    plain["holds_up"] = json!([
        {"quote": "The budget is 50,000 euros.", "why": "No other place contradicts it."},
        {"quote": "a promise that is nowhere", "why": "x"},
    ]);
    let grown = look(&plain);
    let claims: Vec<(&str, usize, f64)> = grown
        .claims
        .iter()
        .map(|claim| (claim.claim.as_str(), claim.evidence.len(), claim.confidence.get()))
        .collect();
    assert_eq!(
        claims,
        [("Two.", 2, 0.6), ("One.", 1, 0.3), ("Three.", 1, 0.9)],
        "the weightiest first, plain last"
    );
    assert!(grown.claims[1].is_unquoted() && !grown.claims[2].is_unquoted());
    assert_eq!(grown.claims[2].ended, Some(Ended::NothingGained), "nobody looks into a plain one");
    assert_eq!(grown.claims[0].deeper.as_ref().unwrap().passages, [PAYS, EARNS]);
    let numbers: Vec<String> = grown.claims.iter().map(|claim| claim.id.to_string()).collect();
    assert_eq!(numbers, ["Popper 1", "Popper 2", "Popper 3"]);
    assert_eq!(grown.holds_up.len(), 1, "what holds up stands in the text");
}

#[test]
fn of_a_quotation_that_leaves_something_out_the_longest_piece_that_stands_there_is_kept() {
    let grown = look(&reply(&[said(&["It pays for itself … because nobody demands anything else"], "One.")]));
    assert_eq!(grown.claims[0].evidence[0].quote, "It pays for itself");
    assert!(!grown.claims[0].is_unquoted());
}

#[test]
fn a_closer_look_says_what_it_makes_of_the_claim_and_does_not_say_it_again() {
    let document = sample::document();
    let parent = sample::claim(POPPER, &[2], Some(PAYS));
    let segments =
        [sample::span(PAYS), sample::span("Each order earns 3 euros and costs 4.20 euros to bring.")];
    let branch = branch(&segments, Some(&parent));
    let asked = asked();
    let reading = Reading {
        document: &document,
        member: POPPER,
        branch: &branch,
        asked: &asked,
        first: true,
        answered_by: "alpha",
    };
    let mut reply = json!({
        "reading": "The second passage gives a loss for each order, so that the first fails whatever the demand.",
        "effect": "Borne out", "restated": "none",
        "claims": [said(&[EARNS], "The loss grows."), said(&[EARNS], &parent.claim), said(&["demand is certain"], "x.")],
    });
    let grown = reading.closer(&reply.to_string()).unwrap();
    assert_eq!((grown.effect, grown.restated.as_deref()), (Effect::BorneOut, None));
    let ids: Vec<String> = grown.claims.iter().map(|claim| claim.id.to_string()).collect();
    assert_eq!(ids, ["Popper 2.1", "Popper 2.2"], "the claim itself is none");
    assert_eq!(grown.claims[0].segment, segments[1], "found in the second passage");
    assert!(grown.claims[1].is_unquoted(), "what stands elsewhere is not found here");
    reply["effect"] = json!("shaken");
    assert!(matches!(reading.closer(&reply.to_string()), Err(ParseError::Shape(_))));
}

#[test]
fn numbers_are_read_back_into_claims_and_what_names_none_is_counted() {
    let (document, trees) = (sample::document(), sample::trees());
    let labels = Labels::of(&trees, 3);
    let own = trees.iter().find(|tree| tree.member == POPPER).unwrap();
    let kant = trees.iter().find(|tree| tree.member == Philosopher::Kant).unwrap();
    let of = |tree: &Tree, place: usize| labels.label(&tree.claims[place].id);
    let change = |claim: &str| json!({"claim": claim, "reasoning": format!("As {} says.", of(kant, 0)), "confidence": 20, "severity": "low", "restated": " "});
    let reply = json!({
        "reflection": "Two of the claims rest on the habit of asking for a test where none is owed by the text.",
        "adjustments": [change(&of(own, 0)), change(&of(kant, 0)), change("#99")],
        "same": [{"own": of(own, 1), "other": of(kant, 1)}, {"own": of(own, 1), "other": of(own, 1)}, {"own": of(kant, 0), "other": of(own, 0)}],
        "contradictions": [{"own": of(own, 0), "other": of(kant, 0), "why": "a", "settles": "b"}, {"own": "none", "other": "none", "why": "a", "settles": "b"}],
        "missed": [{"quote": "", "claim": "Who is liable is not said.", "severity": "high", "confidence": 70}, {"quote": "", "claim": "none", "severity": "low", "confidence": 10}],
    });
    let read = read_self_critique(
        &reply.to_string(),
        (&Asked::at(Effort::Deep), true),
        own,
        &labels,
        (&document, &[]),
    );
    let said = read.unwrap();
    assert_eq!(said.adjustments.len(), 1);
    assert_eq!(said.adjustments[0].reasoning, "As Kant 1 says.", "people see names");
    assert_eq!((said.adjustments[0].restated.as_deref(), said.oppositions.len()), (None, 1));
    assert_eq!(said.same, [(own.claims[1].id.clone(), kant.claims[1].id.clone())]);
    assert_eq!(said.dropped, 2 + 2 + 1);
    let missed: Vec<(String, f64)> =
        said.missed.iter().map(|claim| (claim.id.to_string(), claim.confidence.get())).collect();
    assert_eq!(missed, [("Popper 3".to_owned(), 0.7)], "numbered after its own, as sure as it was said");
}

/// Three groups: two of Popper's claims with one of Kant's, and one each.
fn three() -> (Grouped, Labels) {
    let claim = |member, number: u16, words: &str, severity| Claim {
        claim: words.to_owned(),
        severity,
        ..sample::claim(member, &[number], Some("demand is certain"))
    };
    let kant = Philosopher::Kant;
    let trees = [
        Tree {
            claims: vec![
                claim(POPPER, 1, "Certain is said without a ground.", Severity::High),
                claim(POPPER, 2, "The year is no test.", Severity::Medium),
            ],
            ..Tree::new(POPPER)
        },
        Tree {
            claims: vec![
                claim(kant, 1, "Demand is named certain.", Severity::Critical),
                claim(kant, 2, "Nobody is liable.", Severity::Low),
            ],
            ..Tree::new(kant)
        },
    ];
    let same = vec![vec![sample::id(POPPER, &[1]), sample::id(kant, &[1])]];
    (grouped(&trees, &[], &same), Labels::of(&trees, 1))
}

fn finding(group: &str, best: &str, theme: &str) -> Value {
    json!({
        "group": group, "also": [], "apart": [], "best": best, "theme": theme, "title": format!("Title of {group}"),
        "line": format!("Line of {group}."),
    })
}

fn review(labels: &Labels) -> Value {
    let of = |member, number| labels.label(&sample::id(member, &[number]));
    json!({
        "findings": [
            finding("G2", &of(POPPER, 2), "Tests"), finding("Group g1", &of(POPPER, 1), "Demand"),
            finding("G3", "#99", "Duties"), finding("G9", "#1", "None"),
        ],
        "text": "## What stops it\n\n**Nothing shows the demand.** It is asserted. (G1, G9)",
        "verdict": "The text does not show that it pays for itself, because the demand on which all of it rests is asserted and has no ground.",
        "holds_up": ["The budget is named."],
    })
}

const DOCUMENT: &str = "The demand is certain. The G7 and the G20 buy from us; nobody is liable for it.";

fn read(reply: &Value, first: bool) -> Result<domain::Review, ParseError> {
    let (groups, labels) = three();
    read_review(
        &reply.to_string(),
        (&Asked::at(Effort::Standard), first),
        (&groups, &labels),
        DOCUMENT,
        "alpha",
    )
}

#[test]
fn a_review_tells_each_group_once_in_the_words_of_its_best_claim() {
    let (_, labels) = three();
    let told = read(&review(&labels), true).unwrap();
    let found: Vec<(&str, &str, Severity)> = told
        .findings
        .iter()
        .map(|finding| (finding.title.as_str(), finding.critique(), finding.severity()))
        .collect();
    assert_eq!(
        found,
        [
            ("Title of Group g1", "Certain is said without a ground.", Severity::High),
            ("Title of G2", "The year is no test.", Severity::Medium),
            ("Title of G3", "Nobody is liable.", Severity::Low),
        ],
        "the severity is that of the claim whose words stand, not the worst of the group"
    );
    assert_eq!(told.answered_by.as_deref(), Some("alpha"));
}

#[test]
fn what_the_text_tells_has_the_numbers_of_its_findings() {
    let (_, labels) = three();
    let told = read(&review(&labels), true).unwrap();
    assert!(
        told.text.ends_with("It is asserted. (F1)"),
        "a label that no group has stays away: {}",
        told.text
    );
    assert!(told.tells(FindingId(1)) && !told.tells(FindingId(2)));
    let mut reply = review(&labels);
    reply["findings"].as_array_mut().unwrap().remove(0);
    reply["findings"][0]["also"] = json!(["G2"]);
    reply["text"] = json!("The G2 (G7 and G20) stay. (G1, G2, G3) And (G2; G1). Nobody's (G77).");
    let told = read(&reply, true).unwrap();
    assert_eq!(told.text, "The G2 (G7 and G20) stay. (F1, F2) And (F1). Nobody's.");
}

#[test]
fn a_grave_finding_that_neither_text_nor_line_tells_is_asked_for_once() {
    let (_, labels) = three();
    let mut reply = review(&labels);
    reply["text"] = json!("Nothing of it.");
    reply["findings"][1]["line"] = json!("");
    assert_eq!(read(&reply, true), Err(ParseError::Shape("neither `text` nor a `line` tells G1".into())));
    assert_eq!(read(&reply, false).unwrap().findings[0].line, "Certain is said without a ground.");
    reply["text"] = json!("All of it. (G1)");
    assert!(read(&reply, true).is_ok());
}

#[test]
fn what_stands_apart_is_a_finding_of_its_own() {
    let (_, labels) = three();
    let mut reply = review(&labels);
    reply["findings"][1]["apart"] = json!([labels.label(&sample::id(Philosopher::Kant, &[1])), "#77"]);
    let told = read(&reply, true).unwrap();
    assert_eq!(told.findings.len(), 4);
    assert_eq!(
        (told.findings[0].critique(), told.findings[0].held_by().len()),
        ("Demand is named certain.", 1)
    );
    assert!(told.text.ends_with("(F2)"), "the text names the finding of the leading claim: {}", told.text);
}

#[test]
fn groups_that_tell_the_same_fault_are_one_finding() {
    let (_, labels) = three();
    let mut reply = review(&labels);
    reply["findings"].as_array_mut().unwrap().remove(0);
    reply["findings"][0]["also"] = json!(["g2", "G77"]);
    let told = read(&reply, true).unwrap();
    assert_eq!((told.findings.len(), told.findings[0].claims.len()), (2, 3), "{told:?}");
    assert_eq!(told.findings[0].critique(), "Certain is said without a ground.");
    // What is told by itself as well is told there.
    let mut reply = review(&labels);
    reply["findings"][1]["also"] = json!(["G2"]);
    assert_eq!(read(&reply, true).unwrap().findings.len(), 3);
}

#[test]
fn what_is_left_out_or_personal_is_an_error_once_and_stands_after_that() {
    let (_, labels) = three();
    let mut reply = review(&labels);
    reply["findings"].as_array_mut().unwrap().remove(0);
    assert_eq!(read(&reply, true), Err(ParseError::Shape("`findings` leaves out G2".into())));
    let told = read(&reply, false).unwrap();
    assert!(told.findings.iter().any(|finding| finding.line == "The year is no test."), "{told:?}");

    let mut reply = review(&labels);
    reply["findings"][2]["line"] = "You should name who is liable.".into();
    assert_eq!(read(&reply, true), Err(ParseError::Tone("You should name who is liable.".into())));
    assert_eq!(read(&reply, false).unwrap().marked, 1);
}

#[test]
fn of_a_comparison_only_groups_of_claims_there_are_stay() {
    let (_, labels) = three();
    let reply = json!({"groups": [
        {"fault": "demand", "claims": ["#1", "claim #2", "#99"]}, {"fault": "x", "claims": ["#3", "#98"]},
    ]});
    let groups = read_compared(&reply.to_string(), (&Asked::at(Effort::Brief), true), &labels).unwrap();
    assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [2]);
}

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn whatever_is_said_every_claim_that_stayed_is_told(
        findings in prop::collection::vec(
            ("G[0-4]|[a-z]{0,4}", "#?[0-9]{0,2}", prop::collection::vec("#[0-9]", 0..4), prop::collection::vec("G[0-4]", 0..3)),
            0..6,
        ),
    ) {
        let (groups, labels) = three();
        let said = findings.iter().map(|(group, best, apart, also)| {
            let mut said = finding(group, best, "Theme");
            (said["apart"], said["also"]) = (json!(apart), json!(also));
            said
        });
        let mut reply = review(&labels);
        reply["findings"] = said.collect::<Vec<_>>().into();
        let told = read_review(&reply.to_string(), (&Asked::at(Effort::Standard), false), (&groups, &labels), DOCUMENT, "a").unwrap();
        let mut ids: Vec<String> =
            told.findings.iter().flat_map(|one| &one.claims).map(|claim| claim.id.to_string()).collect();
        ids.sort();
        prop_assert_eq!(ids, ["Kant 1", "Kant 2", "Popper 1", "Popper 2"]);
    }
}
