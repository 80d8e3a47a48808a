//! Numbers, what a panel comes to, and what is voted on.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::sample::delphi::{estimate, estimates};

fn numbers() -> impl Strategy<Value = [f64; 3]> {
    let one = prop_oneof![
        Just(0.0),
        -50.0..200.0_f64,
        (0u32..40).prop_map(f64::from),
        (-1e15..1e15_f64),
        (1e-6..1e-3_f64),
    ];
    let same = prop_oneof![Just(0.0), Just(7.0), Just(-1e15), Just(2e-6)];
    prop_oneof![
        4 => [one.clone(), one.clone(), one].prop_filter_map("plain", |mut all| {
            all.sort_by(f64::total_cmp);
            estimate(1, all).said.numbers().ok()
        }),
        1 => same.prop_map(|one| [one; 3]),
    ]
}

fn panel() -> impl Strategy<Value = Vec<Estimated>> {
    prop::collection::vec(numbers(), 1..8)
        .prop_map(|all| (1..).zip(all).map(|(who, numbers)| estimate(who, numbers)).collect())
}

#[test]
fn numbers_are_plain_and_in_their_order() {
    for (wrong, why) in [
        ([f64::NAN, 1.0, 2.0], "are plain numbers"),
        ([1.0, 2.0, f64::NAN], "are plain numbers"),
        ([1.0, f64::INFINITY, f64::INFINITY], "are plain numbers"),
        ([1.0, 2.0, 2e15], "are plain numbers"),
        ([1e-9, 1.0, 2.0], "are plain numbers"),
        ([3.0, 2.0, 4.0], "none less than the one before"),
        ([1.0, 5.0, 4.0], "none less than the one before"),
    ] {
        let error = estimate(1, wrong).said.numbers().unwrap_err();
        assert!(error.contains(why), "{wrong:?}: {error}");
    }
    assert_eq!(estimate(1, [7.0, 7.0, 9.5]).said.numbers(), Ok([7.0, 7.0, 9.5]));
    let text = r#"{"reasons": "r", "assumes": [], "low": "7", "middle": 9, "high": 14}"#;
    assert!(serde_json::from_str::<SaidEstimate>(text).is_err(), "a text is no number");
    assert!(serde_json::from_str::<SaidEstimate>(&text.replace("\"7\"", "7")).is_ok());
}

#[test]
fn a_panel_of_five_comes_to_its_medians() {
    let last = estimates(3).last();
    let pooled = Pooled::of(&last).unwrap();
    assert_eq!((pooled.numbers, pooled.middles), ([8.0, 11.0, 15.0], [9.0, 11.0, 11.0, 12.0, 17.0]));
    let told = "**11 weeks**, 8 to 15 by the medians of their 80 % ranges. Their middles lie from 9 to 17, half of them from 11 to 12.";
    assert_eq!(pooled.told("weeks"), told);
    let scored = pooled.scored("weeks", &last);
    let titles: Vec<&str> = scored.solutions.iter().map(|solution| &*solution.title).collect();
    assert_eq!(titles, ["Under 8 weeks", "8 to under 11 weeks", "11 to under 15 weeks", "15 weeks or more"]);
    let points: Vec<&[u32]> = scored.experts.iter().map(|expert| expert.allocation.points()).collect();
    // Of 7 · 9 · 13, 30 of 100 are below 8, 70 below 11 and all below 15; what is left goes by the largest remainder.
    assert_eq!(points[0], [3, 4, 3, 0]);
    assert_eq!(points[4], [0, 0, 3, 7]);
    assert_eq!(scored.reasons[1], "By code, from 8 · 11 · 15.");
    assert!(Pooled::of(&[]).is_none());
}

/// Years, and large numbers that lie near one another: what is voted on tells them apart.
#[test]
fn ranges_part_what_the_estimators_part_on() {
    let ranges = |numbers: [f64; 3]| -> Vec<String> {
        let all = [estimate(1, numbers), estimate(2, numbers)];
        let scored = Pooled::of(&all).unwrap().scored("x", &all);
        scored.solutions.iter().map(|solution| solution.title.replace(" x", "")).collect()
    };
    assert_eq!(ranges([2030.0, 2031.0, 2032.0])[1..3], ["2030 to under 2031", "2031 to under 2032"]);
    assert_eq!(ranges([1_200_000.0, 1_200_500.0, 1_200_900.0])[0], "Under 1,200,000");
    assert_eq!(ranges([2_092_566_559_503.0, 3_012_882_461_394.0, 3.9e12])[0], "Under 2,100,000,000,000");
    assert_eq!(ranges([0.11, 0.13, 0.16])[1], "0.11 to under 0.13");
    assert_eq!(ranges([7.0, 7.0, 7.0]), ["Under 6.65", "6.65 to under 7.35", "7.35 or more"]);
}

#[test]
fn one_estimator_alone_is_told_as_one() {
    let told = Pooled::of(&[estimate(1, [7.0, 9.0, 13.0])]).unwrap().told("weeks");
    assert_eq!(told, "**9 weeks**, 7 to 13 with 80 % chance, by one estimator alone: no other could answer.");
}

#[test]
fn quartiles_lie_between_the_two_next_to_them() {
    let at = |quarters| quantile([4.0, 1.0, 3.0, 2.0].into_iter(), quarters);
    assert_eq!([0, 1, 2, 3, 4].map(at), [Some(1.0), Some(1.75), Some(2.5), Some(3.25), Some(4.0)]);
    assert_eq!(quantile(std::iter::empty(), 2), None);
}

#[test]
fn figures_are_read_at_a_glance() {
    for (number, told) in [
        (0.0, "0"),
        (-0.0, "0"),
        (9.0, "9"),
        (100.0, "100"),
        (12.5, "12.5"),
        (2027.0, "2027"),
        (25_560.0, "25,560"),
        (1_234_567.25, "1,234,567.25"),
        (-12.0, "-12"),
        (-25_560.0, "-25,560"),
        (0.1 + 0.2, "0.3"),
        (1e-6, "0.000001"),
        (1e15, "1,000,000,000,000,000"),
    ] {
        assert_eq!(figure(number), told);
    }
}

#[test]
fn the_last_word_of_each_counts_whoever_missed_a_round() {
    let mut all = estimates(3);
    all.all.retain(|one| !matches!((one.round, one.estimator), (3, 1) | (2, 5)));
    let last: Vec<f64> = all.last().iter().map(|one| one.numbers[1]).collect();
    assert_eq!(last, [8.0, 11.0, 12.0, 11.0, 17.0]);
    assert_eq!(all.rounds().map(<[_]>::len).collect::<Vec<_>>(), [5, 4, 4]);
}

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn pooled_numbers_are_in_their_order_and_plain_in_any_order_of_the_panel(panel in panel(), turn in 0usize..8) {
        let pooled = Pooled::of(&panel).unwrap();
        prop_assert!(pooled.numbers.iter().all(|number| number.is_finite()) && pooled.numbers.is_sorted(), "{pooled:?}");
        prop_assert!(pooled.middles.is_sorted(), "{pooled:?}");
        let around = [pooled.middles[1], pooled.numbers[1], pooled.middles[3]];
        prop_assert!(around.is_sorted(), "{pooled:?}");
        let mut turned = panel.clone();
        turned.rotate_left(turn % panel.len());
        prop_assert_eq!(Pooled::of(&turned), Some(pooled));
        turned.reverse();
        prop_assert_eq!(Pooled::of(&turned), Some(pooled));
    }

    #[test]
    fn there_are_three_or_four_ranges_apart_and_ten_points_of_each(panel in panel()) {
        let pooled = Pooled::of(&panel).unwrap();
        let Scored { solutions, experts, reasons } = pooled.scored("weeks", &panel);
        prop_assert!((3..=4).contains(&solutions.len()) && solutions.len() == pooled.cuts().len() + 1, "{solutions:?}");
        let titles: BTreeSet<&str> = solutions.iter().map(|solution| &*solution.title).collect();
        prop_assert_eq!(titles.len(), solutions.len(), "no two have one title");
        prop_assert!(solutions.iter().all(|solution| solution.title.matches(" weeks").count() == 1), "one unit");
        prop_assert_eq!((experts.len(), reasons.len()), (panel.len(), panel.len()));
        prop_assert!(experts.iter().all(|expert| expert.allocation.points().len() == solutions.len()));
        prop_assert!(pooled.cuts().is_sorted_by(|one, next| one < next));
    }

    #[test]
    fn parts_add_up_and_what_is_between_low_and_high_has_eighty_of_a_hundred(numbers in numbers()) {
        let [low, middle, high] = numbers;
        let parts = parts(numbers, &numbers);
        prop_assert_eq!(parts.iter().sum::<u32>(), 1_000);
        if low < middle && middle < high {
            // One that falls on an end may be counted on either side of it.
            for (part, wanted) in parts.iter().zip([100, 400, 400, 100]) {
                prop_assert!(part.abs_diff(wanted) <= 1, "{numbers:?} {parts:?}");
            }
        }
    }
}
