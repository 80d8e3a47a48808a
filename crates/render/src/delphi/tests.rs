//! The cards with real words, to be read; and with hostile ones, to fit.

use proptest::prelude::*;

use super::*;
use crate::{
    sample::{delphi as sample, session},
    support::{assert_fit, hostile, shown},
};
use domain::{NumberAsked, Outlook, SaidEstimate};

fn steps(all: &[Estimated]) -> Vec<(StepKey, Estimated)> {
    let step = |one: &Estimated| (StepKey::new(format!("round-1/estimator-{}", one.estimator)), one.clone());
    all.iter().map(step).collect()
}

fn answer(so_far: &Estimates) -> Vec<Post> {
    answer_card(&session(), &"answer".into(), so_far)
}

#[test]
fn cards() {
    let mut second = sample::estimates(2).all.split_off(5);
    second[4].said.moved = "The freeze is shorter than I counted.".to_owned();
    let round = round_card(&session(), "weeks", &steps(&second));
    let alone = Estimates { outlook: None, ..sample::estimates(1) };
    let posts = [vec![round], answer(&sample::estimates(3)), answer(&alone)].concat();
    insta::assert_snapshot!("delphi", shown(&posts));
    insta::assert_snapshot!("delphi_whole", whole_estimate(&second[4]));
    insta::assert_snapshot!("delphi_drawing", chart::estimates(&sample::estimates(3)));
}

/// The longest that is asked for, from all who may sit there.
#[test]
fn why_somebody_moved_is_not_cut() {
    let moved = "A freeze of the accounts was not in my sum. ".repeat(11);
    let all: Vec<Estimated> = (1..=7)
        .map(|who| {
            let one = sample::estimate(who, [7.0, 9.0, 14.0]);
            let said = SaidEstimate { moved: format!("{moved}So {who}."), ..one.said.clone() };
            Estimated { round: 2, said, ..one }
        })
        .collect();
    let card = round_card(&session(), "weeks", &steps(&all));
    assert_fit(std::slice::from_ref(&card), &[]);
    let shown = shown(&[card]);
    assert!(all.iter().all(|one| shown.contains(one.said.moved.trim())), "{shown}");
}

proptest! {
    #![proptest_config(properties::cases(24))]

    #[test]
    fn whatever_is_said_fits(words in hostile(), numbers in prop::collection::vec(-1e15..1e15_f64, 3), same in any::<bool>(), many in 1u8..8) {
        let mut numbers = numbers;
        numbers.sort_by(f64::total_cmp);
        let numbers = if same { [numbers[0]; 3] } else { [numbers[0], numbers[1], numbers[2]] };
        let mut one = sample::estimate(1, numbers);
        prop_assume!(one.said.numbers().is_ok());
        (one.said.moved, one.said.reasons, one.answered_by) = (words.clone(), words.clone(), words.clone());
        one.said.assumes = vec![words.clone()];
        let all: Vec<Estimated> = (1..=many).map(|estimator| Estimated { estimator, ..one.clone() }).collect();
        let number = NumberAsked { question: words.clone(), unit: words.clone(), counts: words.clone() };
        let outlook = Outlook { parted: words.clone(), hangs_on: vec![words.clone()], narrows: vec![words.clone()] };
        let so_far = Estimates { number, all: all.clone(), outlook: Some(outlook) };
        let mut posts = answer(&so_far);
        posts.push(round_card(&session(), &words, &steps(&all)));
        assert_fit(&posts, &[]);
        let svg = chart::estimates(&so_far);
        prop_assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
