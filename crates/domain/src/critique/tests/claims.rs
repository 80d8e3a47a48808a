//! What code makes of claims: adjustments, and what says the same is one.

use super::*;
use crate::{Severity, sample::critique as sample};
pub(super) use sample::id;

pub(super) const TEXT: &str = "The plan saves 40 percent of the cost. No supplier has confirmed the price. The team hires ten \
    people by May. Nobody has been asked yet. The law allows it in every state. The pilot ran for two weeks.";

/// What a claim says, in order: whose and where, area, words, quotation, confidence, severity.
pub(super) fn claim(
    member: Philosopher,
    path: &[u16],
    area: &str,
    words: &str,
    quote: &str,
    confidence: f64,
    severity: Severity,
) -> Claim {
    let whole = Span { start: 0, end: TEXT.len() };
    Claim {
        segment: whole,
        area: area.to_owned(),
        claim: words.to_owned(),
        evidence: ClaimEvidence { quote: quote.to_owned(), found: find_quote(TEXT, whole, quote) },
        confidence: Confidence::new(confidence),
        severity,
        ended: Some(Ended::Depth),
        ..sample::claim(member, path, None)
    }
}

pub(super) fn tree(member: Philosopher, claims: Vec<Claim>) -> Tree {
    Tree { claims, ..sample::tree(member) }
}

pub(super) fn critique(
    member: Philosopher,
    adjustments: Vec<(ClaimId, f64)>,
    oppositions: Vec<(ClaimId, ClaimId)>,
) -> SelfCritique {
    let adjustment = |(target, delta)| Adjustment { target, delta, reasoning: String::new() };
    let opposition = |(own, other)| Opposition { own, other, why: "Both cannot hold.".to_owned() };
    SelfCritique {
        adjustments: adjustments.into_iter().map(adjustment).collect(),
        oppositions: oppositions.into_iter().map(opposition).collect(),
        ..sample::self_critique(member)
    }
}

pub(super) fn put_together(trees: &[Tree], critiques: &[SelfCritique]) -> Consolidated {
    let made = consolidate(trees, critiques);
    let findings = u32::try_from(made.findings.len()).unwrap();
    assert_eq!(made.claims, made.below_floor + made.merged + findings + made.lesser);
    made
}

use Philosopher::{Aristotle, Kant, Popper, Russell};
use Severity::{High, Low, Medium};

pub(super) const PRICE: &str = "No supplier has confirmed the price";
pub(super) const HIRING: &str = "The team hires ten people by May";

#[test]
fn adjustments_add_up_within_bounds_and_touch_only_ones_own_claims() {
    let mut first = claim(Kant, &[1], "Cost", "The price is unconfirmed.", PRICE, 0.5, High);
    first.children = vec![claim(Kant, &[1, 1], "Cost", "No source is named.", PRICE, 0.5, High)];
    let trees = [
        tree(Kant, vec![first, claim(Kant, &[2], "Time", "May is too early.", HIRING, 0.5, Low)]),
        tree(Popper, vec![claim(Popper, &[1], "Cost", "Untestable.", PRICE, 0.5, Low)]),
    ];
    let critiques = [
        critique(
            Kant,
            vec![
                (id(Kant, &[1]), 0.1),
                (id(Kant, &[1]), 0.2),
                (id(Kant, &[1, 1]), -3.0),
                (id(Kant, &[2]), f64::NAN),
                (id(Kant, &[9]), 0.4),
                (id(Popper, &[1]), 0.4),
            ],
            Vec::new(),
        ),
        critique(Popper, vec![(id(Popper, &[1]), 0.9), (id(Popper, &[1]), -0.6)], Vec::new()),
        // A tree that is not there.
        critique(Russell, vec![(id(Russell, &[1]), 0.4)], Vec::new()),
    ];
    let adjusted = adjusted(&trees, &critiques);
    let sure = |tree: usize, path: &[u16]| {
        adjusted[tree].claim(&id(adjusted[tree].member, path)).unwrap().confidence.get()
    };
    assert!((sure(0, &[1]) - 0.8).abs() < 1e-9);
    assert!(sure(0, &[1, 1]).abs() < 1e-9);
    assert!((sure(0, &[2]) - 0.5).abs() < 1e-9);
    // The sum is held to 1, not its parts; nobody else's counts.
    assert!((sure(1, &[1]) - 0.8).abs() < 1e-9);
    // Nothing else changes.
    let mut back = adjusted.clone();
    for (tree, was) in back.iter_mut().zip(&trees) {
        for (claim, was) in tree.claims.iter_mut().zip(&was.claims) {
            claim.confidence = was.confidence;
            for (child, was) in claim.children.iter_mut().zip(&was.children) {
                child.confidence = was.confidence;
            }
        }
    }
    assert_eq!(back, trees);
}

/// Critiques in which each of these pairs is called the same by the first's member, and by the second's too if `both`.
pub(super) fn same(pairs: &[(&ClaimId, &ClaimId)], both: bool) -> Vec<SelfCritique> {
    let said = |own: &ClaimId, other: &ClaimId| SelfCritique {
        same: vec![Sameness { own: own.clone(), other: other.clone() }],
        ..critique(own.member, Vec::new(), Vec::new())
    };
    let one = |(a, b): &(&ClaimId, &ClaimId)| {
        std::iter::once(said(a, b)).chain(both.then(|| said(b, a))).collect::<Vec<_>>()
    };
    pairs.iter().flat_map(one).collect()
}

#[test]
fn claims_that_both_members_call_the_same_are_one_finding_of_all_who_hold_it() {
    let one = |member, area, words, quote, sure, severity| {
        tree(member, vec![claim(member, &[1], area, words, quote, sure, severity)])
    };
    let trees = [
        one(Popper, "Price", "The price was never confirmed by a supplier.", PRICE, 0.7, High),
        one(
            Aristotle,
            "Kosten",
            "Kein Lieferant hat den Preis bestätigt.",
            "supplier has confirmed",
            0.9,
            Medium,
        ),
        one(Kant, "Hiring", "Ten hires by May presuppose people who agreed.", HIRING, 0.6, Low),
    ];
    let (popper, aristotle) = (id(Popper, &[1]), id(Aristotle, &[1]));
    let made = put_together(&trees, &same(&[(&popper, &aristotle)], true));
    assert_eq!((made.findings.len(), made.merged, made.claims), (2, 1, 3));
    let first = &made.findings[0];
    // Words and area of the surest, severity of the gravest, holders in the order of the council.
    assert_eq!(first.critique, "Kein Lieferant hat den Preis bestätigt.");
    assert_eq!((first.area.as_str(), first.severity), ("Kosten", High));
    assert!((first.confidence.get() - 0.9).abs() < 1e-9);
    assert_eq!(first.held_by, [Aristotle, Popper]);
    assert_eq!(first.claims, [aristotle.clone(), popper.clone()]);
    // One passage lies within the other.
    assert_eq!(first.evidence.len(), 1);
    assert_eq!(made.findings[1].held_by, [Kant]);
    assert_eq!(made.findings.iter().map(|finding| finding.id.to_string()).collect::<Vec<_>>(), ["F1", "F2"]);
    // What one of them alone says is its opinion.
    assert_eq!(put_together(&trees, &same(&[(&popper, &aristotle)], false)).findings.len(), 3);
    // In a circle and to nothing: nothing is lost and nothing runs for ever.
    let (kant, nobody) = (id(Kant, &[1]), id(Russell, &[7]));
    let circle =
        [(&popper, &aristotle), (&aristotle, &kant), (&kant, &popper), (&kant, &nobody), (&kant, &kant)];
    let made = put_together(&trees, &same(&circle, true));
    assert_eq!((made.findings.len(), made.merged), (1, 2));
    assert_eq!(made.findings[0].held_by, [Aristotle, Kant, Popper]);
}

#[test]
fn what_nobody_calls_the_same_stays_apart_unless_its_words_are_equal() {
    let at = |member, words: &str| tree(member, vec![claim(member, &[1], "Cost", words, PRICE, 0.6, Low)]);
    for (a, b, together) in [
        ("The price was never confirmed.", "the price was NEVER confirmed", true),
        ("The price was never confirmed.", "The price was not confirmed.", false),
        ("The price is too high.", "The price is too low.", false),
        ("Point 2 of the budget names no source.", "Point 3 of the budget names no source.", false),
        ("The claimed saving lacks any source.", "The claimed saving is lacking a source.", false),
    ] {
        let made = put_together(&[at(Kant, a), at(Popper, b)], &[]);
        assert_eq!(made.findings.len() == 1, together, "{a} / {b}");
        assert_eq!(made.merged, u32::from(together));
    }
}

#[test]
fn what_a_member_finds_missing_becomes_a_claim_of_its_own() {
    let trees = [tree(Kant, vec![claim(Kant, &[1], "Price", "The price is unconfirmed.", PRICE, 0.7, Low)])];
    let missing = claim(Kant, &[2], "Risk", "No risk is named.", "nowhere in it", 0.8, High);
    let others = claim(Popper, &[9], "Risk", "No risk is named.", "nowhere in it", 0.8, High);
    let said = SelfCritique {
        missed: vec![missing.clone(), missing.clone(), others],
        ..critique(Kant, Vec::new(), Vec::new())
    };
    let grown = adjusted(&trees, std::slice::from_ref(&said));
    assert_eq!(grown[0].claims.len(), 2, "once, and only its own");
    let made = put_together(&grown, &[said]);
    let areas: Vec<&str> = made.findings.iter().map(|finding| finding.area.as_str()).collect();
    assert_eq!(areas, ["Risk", "Price"]);
    assert!(made.findings[0].is_unquoted() && (made.findings[0].confidence.get() - 0.8).abs() < 1e-9);
}

#[test]
fn one_line_of_a_tree_is_one_holder() {
    let mut parent = claim(Kant, &[1], "Cost", "The price was never confirmed.", PRICE, 0.6, Low);
    parent.children = vec![claim(Kant, &[1, 1], "Cost", "The PRICE was never confirmed", PRICE, 0.8, High)];
    let made = put_together(&[tree(Kant, vec![parent])], &[]);
    assert_eq!((made.findings.len(), made.merged), (1, 1));
    assert_eq!(made.findings[0].held_by, [Kant]);
    assert_eq!(made.findings[0].claims, [id(Kant, &[1, 1]), id(Kant, &[1])]);
}
