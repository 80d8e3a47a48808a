//! What code makes of trees: findings in their order, counts, contradictions.

use proptest::prelude::*;

use super::{
    claims::{HIRING, PRICE, claim, critique, id, put_together, same, tree},
    *,
};
use crate::Severity;

use Philosopher::{Aristotle, Descartes, Kant, Popper, Russell};
use Severity::{Critical, High, Low, Medium};

#[test]
fn below_the_floor_a_claim_falls_and_its_child_may_stay() {
    let mut parent = claim(Kant, &[1], "Cost", "The price was never confirmed.", PRICE, 0.29, Critical);
    parent.children = vec![claim(Kant, &[1, 1], "Hiring", "Nobody agreed to be hired.", HIRING, 0.3, Low)];
    // 0.7 − 0.4 is a little less than 0.3 in binary.
    let rounded = claim(Popper, &[1], "Law", "No law is named.", "The law allows it", 0.7 - 0.4, Low);
    let made = put_together(&[tree(Kant, vec![parent]), tree(Popper, vec![rounded])], &[]);
    assert_eq!((made.claims, made.below_floor, made.findings.len()), (3, 1, 2));
    assert!(made.findings.iter().all(|finding| !finding.claims.contains(&id(Kant, &[1]))));
    assert_eq!(put_together(&[], &[]), Consolidated::default());
}

#[test]
fn findings_come_by_weight_and_the_first_ten_are_voted_on() {
    let at = |member, place, words: &str, quote: &str, sure, severity| {
        claim(member, &[place], words, words, quote, sure, severity)
    };
    let trees = [
        tree(
            Kant,
            vec![
                at(Kant, 1, "alpha", "every state", 0.5, Low),
                at(Kant, 2, "beta", "two weeks", 0.9, Low),
                at(Kant, 3, "gamma", "no such words here", 0.4, Critical),
                at(Kant, 4, "delta", "asked yet", 0.5, Low),
                at(Kant, 5, "echo", "The pilot ran", 0.5, Low),
            ],
        ),
        tree(
            Popper,
            vec![
                at(Popper, 1, "echo", "The pilot ran", 0.5, Low),
                at(Popper, 2, "zulu", "no words like that", 0.5, Low),
            ],
        ),
    ];
    let made = put_together(&trees, &[]);
    let areas: Vec<&str> = made.findings.iter().map(|finding| finding.area.as_str()).collect();
    // Gravest, held by most, surest, first in the text, not quoted.
    assert_eq!(areas, ["gamma", "echo", "beta", "delta", "alpha", "zulu"]);
    assert!(made.findings[0].is_unquoted() && !made.findings[1].is_unquoted());

    let many =
        (1..=14).map(|place| at(Russell, place, &format!("word{place}"), "never there", 0.5, Low)).collect();
    let made = put_together(&[tree(Russell, many)], &[]);
    assert_eq!((made.findings.len(), made.lesser, made.voted().len()), (14, 0, MAX_FINDINGS));
    assert_eq!(made.findings.last().unwrap().id, FindingId(14));
    let many = (1..=300).map(|place| at(Russell, place, &format!("word{place}"), "never there", 0.5, Low));
    let made = put_together(&[tree(Russell, many.collect())], &[]);
    assert_eq!((made.findings.len(), made.lesser), (255, 45), "there are no more numbers");
}

#[test]
fn contradictions_stand_between_findings_and_are_never_put_together() {
    let trees = [
        tree(Kant, vec![claim(Kant, &[1], "Price", "The confirmed price is too high.", PRICE, 0.8, High)]),
        tree(
            Popper,
            vec![
                claim(Popper, &[1], "Price", "The confirmed price is too low.", PRICE, 0.7, High),
                claim(Popper, &[2], "Law", "No law is named.", "The law allows it", 0.1, High),
            ],
        ),
        tree(
            Descartes,
            vec![claim(Descartes, &[1], "Price", "The price is far too high.", PRICE, 0.6, High)],
        ),
    ];
    let (kant, popper) = (id(Kant, &[1]), id(Popper, &[1]));
    let critiques = [
        critique(Kant, Vec::new(), vec![(kant.clone(), popper.clone()), (kant.clone(), id(Popper, &[2]))]),
        // The same pair from the other side, one's own claim, another's, none there is.
        critique(
            Popper,
            Vec::new(),
            vec![
                (popper.clone(), kant.clone()),
                (popper.clone(), id(Popper, &[1])),
                (kant.clone(), popper.clone()),
                (popper.clone(), id(Russell, &[1])),
            ],
        ),
    ];
    // Somebody calls the contrary the same, and both agree; the contradiction was named, so they stay apart.
    let descartes = id(Descartes, &[1]);
    let agreed = same(&[(&kant, &popper), (&kant, &descartes)], true);
    let made = put_together(&trees, &[critiques.to_vec(), agreed].concat());
    assert_eq!(made.findings.len(), 2);
    assert_eq!(made.findings[0].held_by, [Descartes, Kant]);
    assert_eq!(made.findings[0].claims, [kant.clone(), descartes]);
    assert_eq!(
        made.contradictions,
        [Contradiction {
            first: kant,
            second: popper,
            findings: vec![FindingId(1), FindingId(2)],
            claims: (
                "The confirmed price is too high.".to_owned(),
                "The confirmed price is too low.".to_owned()
            ),
            why: "Both cannot hold.".to_owned(),
        }]
    );
}

#[test]
fn passages_are_kept_once_those_that_stand_in_the_text_first() {
    let words = "The claimed saving lacks any source.";
    let of = |member, quote| tree(member, vec![claim(member, &[1], "Cost", words, quote, 0.6, Low)]);
    let quotes =
        [(Aristotle, "made up"), (Descartes, PRICE), (Kant, "Made up"), (Popper, HIRING), (Russell, "")];
    let trees: Vec<Tree> = quotes.into_iter().map(|(member, quote)| of(member, quote)).collect();
    let made = put_together(&trees, &[]);
    assert_eq!(made.findings.len(), 1);
    let kept: Vec<&str> = made.findings[0].evidence.iter().map(|evidence| evidence.quote.as_str()).collect();
    assert_eq!(kept, [PRICE, HIRING, "made up"]);
}

fn any_claims() -> impl Strategy<Value = Vec<(Philosopher, usize, usize, f64, Severity)>> {
    let member = prop::sample::select(Philosopher::ALL.to_vec());
    let severity = prop::sample::select(vec![Critical, High, Medium, Low]);
    prop::collection::vec((member, 0_usize..8, 0_usize..5, 0.0_f64..1.0, severity), 0..40)
}

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn counts_add_up_and_every_claim_is_in_one_place(
        claims in any_claims(),
        pairs in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..6),
    ) {
        let words = [
            "The price was never confirmed.", "No confirmed price is given.", "Ten hires by May are too many.", "Nobody was asked.",
            "The law of one state is not that of another.", "Two weeks prove nothing.", "The confirmed price is missing.", "Price",
        ];
        let quotes = [PRICE, HIRING, "confirmed the price", "not in the text", ""];
        let mut trees: Vec<Tree> = Philosopher::ALL.into_iter().map(|member| tree(member, Vec::new())).collect();
        let mut ids = Vec::new();
        for (member, said, quote, sure, severity) in claims {
            let tree = trees.iter_mut().find(|tree| tree.member == member).unwrap();
            let place = u16::try_from(tree.claims.len() + 1).unwrap();
            let made = |path: &[u16]| claim(member, path, words[said], words[said], quotes[quote], sure, severity);
            let mut parent = made(&[place]);
            if place.is_multiple_of(3) {
                parent.children = vec![made(&[place, 1])];
            }
            ids.push(parent.id.clone());
            tree.claims.push(parent);
        }
        let mut critiques = Vec::new();
        if !ids.is_empty() {
            for (own, other) in pairs {
                let (own, other) = (own.get(&ids).clone(), other.get(&ids).clone());
                critiques.push(critique(own.member, Vec::new(), vec![(own, other)]));
            }
        }
        let made = put_together(&trees, &critiques);
        prop_assert_eq!(made.claims as usize, trees.iter().map(|tree| tree.all().len()).sum::<usize>());
        let mut kept: Vec<&ClaimId> = made.findings.iter().flat_map(|finding| &finding.claims).collect();
        let count = kept.len();
        kept.sort();
        kept.dedup();
        prop_assert_eq!(kept.len(), count);
        for (finding, place) in made.findings.iter().zip(1..) {
            prop_assert_eq!(finding.id, FindingId(place));
            prop_assert!(finding.held_by.windows(2).all(|pair| pair[0] < pair[1]) && !finding.held_by.is_empty());
            prop_assert!(finding.claims.iter().all(|claim| finding.held_by.contains(&claim.member)));
            prop_assert!(finding.confidence.get() + 1e-9 >= Confidence::FLOOR.get());
        }
        prop_assert!(made.findings.windows(2).all(|pair| pair[0].severity <= pair[1].severity));
        for one in &made.contradictions {
            prop_assert!(one.first.member != one.second.member);
            let both = |finding: &Finding| finding.claims.contains(&one.first) && finding.claims.contains(&one.second);
            prop_assert!(!made.findings.iter().any(both));
        }
        let json = serde_json::to_string(&made).unwrap();
        let back: Consolidated = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(back.findings.len(), made.findings.len());
    }
}

#[test]
fn only_the_key_of_a_finding_names_one() {
    assert_eq!(FindingId::of_key("finding/1"), Some(FindingId(1)));
    assert_eq!(FindingId::of_key(FindingId(10).key().as_str()), Some(FindingId(10)));
    for wrong in
        ["", "finding", "finding/", "finding/0", "finding/01", "finding/+1", "finding/-1", "finding/256"]
    {
        assert_eq!(FindingId::of_key(wrong), None, "{wrong}");
    }
    for wrong in ["finding/1/2", "finding/1 ", " finding/1", "findings/1", "Finding/1", "finding/١", "1"] {
        assert_eq!(FindingId::of_key(wrong), None, "{wrong}");
    }
}
