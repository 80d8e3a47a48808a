//! What code makes of claims: adjustments, and what says the same is one.

use super::*;
use crate::domain::Severity;

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
        id: ClaimId { member, path: path.to_vec() },
        section: SectionId(1),
        segment: whole,
        area: area.to_owned(),
        claim: words.to_owned(),
        evidence: ClaimEvidence { quote: quote.to_owned(), found: find_quote(TEXT, whole, quote) },
        confidence: Confidence::new(confidence),
        severity,
        deeper: None,
        children: Vec::new(),
        ended: Some(Ended::Depth),
    }
}

pub(super) fn tree(member: Philosopher, claims: Vec<Claim>) -> Tree {
    Tree { member, claims, failed: Vec::new(), failed_branches: 0, answered_by: vec!["model".to_owned()] }
}

pub(super) fn critique(
    member: Philosopher,
    adjustments: Vec<(ClaimId, f64)>,
    oppositions: Vec<(ClaimId, ClaimId)>,
) -> SelfCritique {
    let adjustment = |(target, delta)| Adjustment { target, delta, reasoning: String::new() };
    let opposition = |(own, other)| Opposition { own, other, why: "Both cannot hold.".to_owned() };
    SelfCritique {
        member,
        reflection: String::new(),
        adjustments: adjustments.into_iter().map(adjustment).collect(),
        oppositions: oppositions.into_iter().map(opposition).collect(),
        dropped: 0,
        answered_by: "model".to_owned(),
    }
}

pub(super) fn id(member: Philosopher, path: &[u16]) -> ClaimId {
    ClaimId { member, path: path.to_vec() }
}

pub(super) fn put_together(trees: &[Tree], critiques: &[SelfCritique]) -> Consolidated {
    let made = consolidate(&document(TEXT), trees, critiques);
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

#[test]
fn claims_on_one_passage_that_say_the_same_are_one_finding_of_all_who_hold_it() {
    let trees = [
        tree(
            Popper,
            vec![claim(
                Popper,
                &[1],
                "Price",
                "The price was never confirmed by a supplier.",
                PRICE,
                0.7,
                High,
            )],
        ),
        tree(
            Aristotle,
            vec![claim(
                Aristotle,
                &[1],
                "Cost",
                "Confirmed prices from any supplier are missing.",
                "supplier has confirmed",
                0.9,
                Medium,
            )],
        ),
        tree(
            Kant,
            vec![claim(
                Kant,
                &[1],
                "Hiring",
                "Ten hires by May presuppose people who agreed.",
                HIRING,
                0.6,
                Low,
            )],
        ),
    ];
    let made = put_together(&trees, &[]);
    assert_eq!((made.findings.len(), made.merged, made.claims), (2, 1, 3));
    let first = &made.findings[0];
    // Words and area of the surest, severity of the gravest, holders in the order of the council.
    assert_eq!(first.critique, "Confirmed prices from any supplier are missing.");
    assert_eq!((first.area.as_str(), first.severity), ("Cost", High));
    assert!((first.confidence.get() - 0.9).abs() < 1e-9);
    assert_eq!(first.held_by, [Aristotle, Popper]);
    assert_eq!(first.claims, [id(Aristotle, &[1]), id(Popper, &[1])]);
    // One passage lies within the other.
    assert_eq!(first.evidence.len(), 1);
    assert_eq!(made.findings[1].held_by, [Kant]);
    assert_eq!(made.findings.iter().map(|finding| finding.id.to_string()).collect::<Vec<_>>(), ["F1", "F2"]);
}

#[test]
fn what_differs_stays_apart() {
    let at = |words: &str, area: &str, quote: &str| claim(Kant, &[1], area, words, quote, 0.6, Low);
    let of = |words: &str, area: &str, quote: &str| claim(Popper, &[1], area, words, quote, 0.6, Low);
    for (a, b, together) in [
        // One passage, other words, other area.
        (
            at("The price was never confirmed.", "Cost", PRICE),
            of("Who speaks for the firm stays open.", "Law", PRICE),
            false,
        ),
        // One passage, other words, one area.
        (
            at("The price was never confirmed.", "Cost", PRICE),
            of("Quotes of rivals are absent.", "Cost", PRICE),
            true,
        ),
        (
            at("The price was never confirmed.", "Costs", PRICE),
            of("Quotes of rivals are absent.", "cost", PRICE),
            true,
        ),
        // One passage, and in common only what all claims have.
        (
            at("The document does not define profit.", "Terms", PRICE),
            of("The document does not name a month.", "Time", PRICE),
            false,
        ),
        // Other passages, one area, other words.
        (
            at("The price was never confirmed.", "Cost", PRICE),
            of("Ten hires were never costed.", "Cost", HIRING),
            false,
        ),
        // Other passages, nearly the same words.
        (
            at("The saving has no source in the budget.", "Cost", PRICE),
            of("A source for the saving is not in the budget.", "Data", HIRING),
            true,
        ),
        (
            at("The claimed saving lacks any source.", "Cost", PRICE),
            of("The claimed saving is lacking a source.", "Data", HIRING),
            true,
        ),
        (
            at("The claimed saving lacks any source.", "Cost", "never in it"),
            of("Claimed savings lack a source.", "Data", "nor this"),
            true,
        ),
        // The same words of other numbers, or of the contrary.
        (
            at("Point 2 of the budget names no source.", "Cost", PRICE),
            of("Point 3 of the budget names no source.", "Data", HIRING),
            false,
        ),
        (
            at("The sample is random and large.", "Data", PRICE),
            of("The sample is not random and large.", "Data", HIRING),
            false,
        ),
        // Too few words to tell.
        (at("No source.", "Cost", PRICE), of("No source.", "Data", HIRING), false),
        // One sentence, quoted in two parts.
        (
            at("The team does not exist yet.", "Hiring", "The team"),
            of("Whether a team can exist by May is open.", "Staff", "ten people by May"),
            true,
        ),
    ] {
        let made = put_together(&[tree(Kant, vec![a.clone()]), tree(Popper, vec![b.clone()])], &[]);
        assert_eq!(made.findings.len() == 1, together, "{} / {}", a.claim, b.claim);
        assert_eq!(made.merged, u32::from(together));
    }
}

#[test]
fn one_line_of_a_tree_is_one_holder() {
    let mut parent = claim(Kant, &[1], "Cost", "The price was never confirmed.", PRICE, 0.6, Low);
    parent.children = vec![claim(Kant, &[1, 1], "Cost", "The confirmed price is missing.", PRICE, 0.8, High)];
    let made = put_together(&[tree(Kant, vec![parent])], &[]);
    assert_eq!((made.findings.len(), made.merged), (1, 1));
    assert_eq!(made.findings[0].held_by, [Kant]);
    assert_eq!(made.findings[0].claims, [id(Kant, &[1, 1]), id(Kant, &[1])]);
}
