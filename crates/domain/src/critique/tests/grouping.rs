//! What becomes of claims: moved by closer looks, changed by their members, put together, ranked.

use proptest::prelude::*;

use super::*;
use crate::{Severity, sample::critique as sample};

const POPPER: Philosopher = Philosopher::Popper;
const KANT: Philosopher = Philosopher::Kant;

/// A member's claim with these words, so grave and so sure.
pub(super) fn claim(member: Philosopher, path: &[u16], words: &str, severity: Severity, sure: f64) -> Claim {
    Claim {
        claim: words.to_owned(),
        severity,
        confidence: Confidence::new(sure),
        ..sample::claim(member, path, Some("demand is certain"))
    }
}

pub(super) fn tree(member: Philosopher, claims: Vec<Claim>) -> Tree {
    Tree { claims, ..Tree::new(member) }
}

fn id(member: Philosopher, path: &[u16]) -> ClaimId {
    sample::id(member, path)
}

fn words(groups: &[Vec<Claim>]) -> Vec<Vec<&str>> {
    groups.iter().map(|group| group.iter().map(|claim| claim.claim.as_str()).collect()).collect()
}

#[test]
fn confidence_moves_by_a_share_of_what_is_left_and_reaches_neither_end() {
    for (sure, effect, moved) in [
        (0.6, Effect::BorneOut, 0.92),
        (0.6, Effect::Stronger, 0.76),
        (0.6, Effect::Nothing, 0.6),
        (0.6, Effect::Weaker, 0.36),
        (0.9, Effect::Refuted, 0.18),
    ] {
        let now = Confidence::new(sure).moved(effect).get();
        assert!((now - moved).abs() < 1e-9, "{sure} {effect:?}: {now}");
    }
    let mut sure = Confidence::of_100(99);
    for _ in 0..5 {
        sure = sure.moved(Effect::BorneOut);
        assert!(sure.get() < 1.0, "twelve claims that were looked into are not all certain");
    }
    assert!(!Confidence::of_100(95).moved(Effect::Refuted).stays(), "what is refuted falls away");
}

#[test]
fn a_closer_look_that_finds_less_makes_a_claim_less_sure_or_narrows_it() {
    let mut looked = claim(KANT, &[1], "All of it fails.", Severity::High, 0.6);
    let below = claim(KANT, &[1, 1], "A part of it fails.", Severity::Low, 0.5);
    looked.looked_into(Effect::Weaker, "The next line limits it.", Some("A part fails."), vec![below]);
    assert_eq!(looked.claim, "A part fails.");
    let [change] = &looked.changes[..] else { panic!("{:?}", looked.changes) };
    assert_eq!((change.effect, change.words.as_deref()), (Some(Effect::Weaker), Some("All of it fails.")));
    assert_eq!(change.sure, Confidence::new(0.6));
    assert_eq!(
        (looked.confidence, looked.children.len()),
        (change.sure, 1),
        "what holds is as sure as it was"
    );
    let mut looked = claim(KANT, &[1], "All of it fails.", Severity::High, 0.6);
    looked.looked_into(Effect::Weaker, "The next line limits it.", None, Vec::new());
    assert!(looked.confidence < Confidence::new(0.6));
    let mut looked = claim(KANT, &[1], "All of it fails.", Severity::High, 0.6);
    looked.looked_into(Effect::Refuted, "The next line says so.", Some("A part fails."), Vec::new());
    assert!(looked.confidence < Confidence::new(0.6), "what is refuted falls, whatever it is called now");
}

#[test]
fn members_change_their_own_claims_only_and_never_make_them_graver() {
    let trees = [
        tree(KANT, vec![claim(KANT, &[1], "One.", Severity::Medium, 0.7)]),
        tree(POPPER, vec![claim(POPPER, &[1], "Two.", Severity::Medium, 0.7)]),
    ];
    let change = |target, severity| Adjustment {
        target,
        confidence: Confidence::new(0.4),
        severity,
        restated: Some("Less.".into()),
        reasoning: "A reason.".into(),
    };
    let kant = SelfCritique {
        adjustments: vec![
            change(id(KANT, &[1]), Severity::Critical),
            change(id(POPPER, &[1]), Severity::Low),
            change(id(KANT, &[9]), Severity::Low),
        ],
        missed: vec![claim(KANT, &[2], "Missed.", Severity::Low, 0.5)],
        ..sample::self_critique(KANT)
    };
    let after = adjusted(&trees, &[kant]);
    assert_eq!((after[0].claims[0].severity, &*after[0].claims[0].claim), (Severity::Medium, "Less."));
    assert_eq!(after[0].claims[1].claim, "Missed.");
    assert_eq!(after[1], trees[1]);
}

#[test]
fn what_is_compared_agreed_or_worded_alike_is_one_group_and_what_contradicts_is_not() {
    let high = Severity::High;
    let trees = [
        tree(KANT, vec![claim(KANT, &[1], "A.", high, 0.5), claim(KANT, &[2], "B.", high, 0.9)]),
        tree(POPPER, vec![claim(POPPER, &[1], "a", high, 0.6), claim(POPPER, &[2], "C.", high, 0.2)]),
        tree(Philosopher::Russell, vec![claim(Philosopher::Russell, &[1], "D.", Severity::Low, 0.9)]),
    ];
    let nothing = grouped(&trees, &[], &[]);
    assert_eq!(words(&nothing.groups), [vec!["B."], vec!["a", "A."], vec!["D."]]);
    assert_eq!((nothing.claims, nothing.below_floor), (5, 1));

    let compared = vec![vec![id(KANT, &[2]), id(Philosopher::Russell, &[1])]];
    assert_eq!(words(&grouped(&trees, &[], &compared).groups), [vec!["B.", "D."], vec!["a", "A."]]);

    let says = |member, same: Vec<(ClaimId, ClaimId)>| SelfCritique {
        same,
        oppositions: vec![],
        ..sample::self_critique(member)
    };
    let pair = (id(KANT, &[2]), id(POPPER, &[1]));
    let one = [says(KANT, vec![pair.clone()]), says(POPPER, vec![])];
    assert_eq!(grouped(&trees, &one, &[]).groups.len(), 3, "what one alone says is its opinion");
    let both = [says(KANT, vec![pair.clone()]), says(POPPER, vec![(pair.1.clone(), pair.0.clone())])];
    assert_eq!(words(&grouped(&trees, &both, &[]).groups)[0], ["B.", "a", "A."]);

    let against =
        Opposition { own: pair.0.clone(), other: pair.1.clone(), why: "x".into(), settles: "y".into() };
    let opposed = SelfCritique { oppositions: vec![against.clone(), against], ..both[0].clone() };
    let apart = grouped(&trees, &[opposed, both[1].clone()], &[]);
    assert_eq!((apart.groups.len(), apart.oppositions.len()), (3, 1), "named once, and not put together");

    let narrowed = Adjustment {
        target: pair.1.clone(),
        confidence: Confidence::new(0.6),
        severity: high,
        restated: Some("a".into()),
        reasoning: "Of a part.".into(),
    };
    let opposed = SelfCritique { oppositions: apart.oppositions, ..both[0].clone() };
    let other = SelfCritique { adjustments: vec![narrowed], ..both[1].clone() };
    let stale = grouped(&trees, &[opposed, other], &[]);
    assert_eq!((stale.groups.len(), stale.oppositions.len()), (2, 0), "it was said of other words");
}

#[test]
fn a_finding_has_words_severity_and_confidence_of_one_claim() {
    let (grave, sure) = (
        claim(KANT, &[1], "It sinks the plan.", Severity::Critical, 0.31),
        claim(POPPER, &[1], "A part is missing.", Severity::Medium, 0.95),
    );
    let finding = Finding::plain(vec![grave.clone(), sure.clone()]).led_by(Some(&sure.id));
    assert_eq!(
        (finding.critique(), finding.severity(), finding.confidence()),
        ("A part is missing.", Severity::Medium, Confidence::new(0.95))
    );
    assert_eq!(finding.held_by(), [KANT, POPPER]);
    assert_eq!(finding.evidence().len(), 1, "the same passage once");
    let unknown = Finding::plain(vec![grave.clone(), sure]).led_by(Some(&id(KANT, &[7])));
    assert_eq!(unknown.critique(), grave.claim);
}

fn finding(theme: &str, severity: Severity, sure: f64, holders: usize) -> Finding {
    let of = |member| claim(member, &[1], theme, severity, sure);
    let claims = Philosopher::ALL.into_iter().take(holders).map(of).collect();
    Finding { theme: theme.to_owned(), ..Finding::plain(claims) }
}

#[test]
fn a_sure_finding_of_six_comes_before_an_unsure_one_of_one_of_the_same_severity() {
    let (high, critical) = (Severity::High, Severity::Critical);
    let (ranked, lesser) = ranked(vec![
        finding("b", high, 0.31, 1),
        finding("a", high, 0.95, 6),
        finding("c", critical, 0.4, 1),
        finding("d", high, 0.31, 3),
    ]);
    let themes: Vec<&str> = ranked.iter().map(|finding| finding.theme.as_str()).collect();
    assert_eq!((themes, lesser), (vec!["c", "a", "d", "b"], 0));
    assert_eq!(ranked[3].id, FindingId(4));
}

#[test]
fn within_a_severity_no_theme_comes_twice_before_each_had_its_turn() {
    let (high, low) = (Severity::High, Severity::Low);
    let (ranked, _) = ranked(vec![
        finding("Money", high, 0.9, 1),
        finding("money ", high, 0.8, 1),
        finding("Law", high, 0.7, 1),
        finding("", high, 0.6, 1),
        finding("", high, 0.5, 1),
        finding("Law", low, 0.9, 1),
    ]);
    let themes: Vec<&str> = ranked.iter().map(|finding| finding.theme.as_str()).collect();
    assert_eq!(themes, ["Money", "Law", "", "", "money ", "Law"]);
}

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn every_claim_that_stays_is_in_one_finding(
        claims in prop::collection::vec((0_usize..6, 0_u8..4, 0_u8..=10), 0..30),
        compared in prop::collection::vec(prop::collection::vec(0_usize..30, 2..5), 0..6),
    ) {
        let severities = [Severity::Critical, Severity::High, Severity::Medium, Severity::Low];
        let mut trees: Vec<Tree> = Philosopher::ALL.map(Tree::new).to_vec();
        for (member, severity, sure) in &claims {
            let (of, number) = (Philosopher::ALL[*member], trees[*member].next());
            let severity = severities[usize::from(*severity)];
            let one = claim(of, &[number], &format!("{of} {number}"), severity, f64::from(*sure) / 10.0);
            trees[*member].claims.push(one);
        }
        let all: Vec<ClaimId> = stayed(&trees).iter().map(|claim| claim.id.clone()).collect();
        let compared: Vec<Vec<ClaimId>> = compared
            .iter()
            .map(|group| group.iter().filter_map(|at| all.get(*at).cloned()).collect())
            .collect();
        let review = Review::plain(grouped(&trees, &[], &compared));
        let mut told: Vec<ClaimId> =
            review.findings.iter().flat_map(|finding| &finding.claims).map(|claim| claim.id.clone()).collect();
        told.sort();
        let mut wanted = all;
        wanted.sort();
        prop_assert_eq!(told, wanted);
        let grave: Vec<Severity> = review.findings.iter().map(Finding::severity).collect();
        prop_assert!(grave.is_sorted(), "{:?}", grave);
    }
}
