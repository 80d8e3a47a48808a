//! How many calls are planned, and what they take.

use proptest::prelude::*;

use super::*;
use crate::domain::{Caps, Estimate, Money, Price, Rates, estimate};

/// Sections of these lengths, in bytes.
fn sections_of(lengths: &[usize]) -> Vec<DocumentSection> {
    let mut start = 0;
    let section = |(length, id): (&usize, u16)| {
        let span = Span { start, end: start + length };
        start = span.end;
        DocumentSection { id: SectionId(id), title: format!("Part {id}"), span }
    };
    lengths.iter().zip(1..).map(section).collect()
}

fn plan(lengths: &[usize], depth: u8, calls: i64) -> Option<CallPlan> {
    plan_calls(&sections_of(lengths), (6, 1), TreeDepth::new(depth).unwrap(), calls)
}

fn ids(ids: &[u16]) -> Vec<SectionId> {
    ids.iter().copied().map(SectionId).collect()
}

#[test]
fn calls_are_counted_exactly() {
    for (lengths, depth, stages) in [
        (vec![9], 1, vec![6, 6, 1, 6]),
        (vec![9], 2, vec![6, 12, 6, 1, 6]),
        (vec![9], 3, vec![6, 12, 24, 6, 1, 6]),
        (vec![9, 9, 9], 3, vec![18, 36, 72, 6, 1, 6]),
    ] {
        let plan = plan(&lengths, depth, Caps::NO_LIMIT).unwrap();
        assert_eq!(sum(&plan), stages.iter().sum::<u32>());
        assert_eq!(plan.stages, stages);
        assert_eq!((plan.depth.levels(), plan.wanted.levels()), (depth, depth));
        assert_eq!(plan.branches, if depth == 1 { 0 } else { 2 });
        assert_eq!((plan.read.len(), plan.unread.len()), (lengths.len(), 0));
    }
}

#[test]
fn a_second_look_takes_a_call_of_each_member() {
    let planned =
        |looks| plan_calls(&sections_of(&[9]), (6, looks), TreeDepth::USUAL, Caps::NO_LIMIT).unwrap();
    assert_eq!(planned(2).stages, [6, 12, 12, 1, 6]);
    assert_eq!(sum(&planned(2)), sum(&planned(1)) + 6);
}

#[test]
fn with_fewer_calls_branches_go_first_then_depth_then_the_shortest_sections() {
    // Four fifths of the calls are planned with.
    for (calls, depth, branches, read, unread) in [
        (1_000, 3, 2, vec![1, 2, 3], vec![]),
        (174, 3, 2, vec![1, 2, 3], vec![]),
        // 139 instead of 139.2.
        (173, 3, 1, vec![1, 2, 3], vec![]),
        (84, 3, 1, vec![1, 2, 3], vec![]),
        (83, 2, 1, vec![1, 2, 3], vec![]),
        (62, 2, 1, vec![1, 2, 3], vec![]),
        (61, 1, 0, vec![1, 2, 3], vec![]),
        (39, 1, 0, vec![1, 2, 3], vec![]),
        (38, 1, 0, vec![1, 3], vec![2]),
        (32, 1, 0, vec![1, 3], vec![2]),
        (31, 1, 0, vec![3], vec![1, 2]),
        (24, 1, 0, vec![3], vec![1, 2]),
    ] {
        let plan = plan(&[20, 10, 30], 3, calls).unwrap();
        let fits = (plan.depth.levels(), plan.branches, plan.read, plan.unread);
        assert_eq!(fits, (depth, branches, ids(&read), ids(&unread)), "{calls} calls");
    }
    for calls in [23, 5, 1, 0, -1, i64::MIN] {
        assert_eq!(plan(&[20, 10, 30], 3, calls), None, "{calls} calls");
    }
    // Of sections that are as long, the first are kept.
    assert_eq!(plan(&[10, 10, 10], 1, 32).unwrap().read, ids(&[1, 2]));
    assert_eq!(plan(&[], 2, 1_000), None);
    assert_eq!(plan_calls(&sections_of(&[5]), (0, 1), TreeDepth::USUAL, 1_000), None);
}

proptest! {
    #![proptest_config(crate::cases(64))]

    #[test]
    fn a_plan_fits_its_budget_and_more_calls_are_never_less(
        lengths in prop::collection::vec(1_usize..50, 1..12),
        members in 1_usize..8,
        looks in 1_usize..=2,
        depth in 1_u8..=3,
        calls in 0_i64..2_000,
        more in 0_i64..200,
    ) {
        let (sections, wanted) = (sections_of(&lengths), TreeDepth::new(depth).unwrap());
        let planned = |calls| plan_calls(&sections, (members, looks), wanted, calls);
        let Some(plan) = planned(calls) else {
            // Not even one section at the first level would fit.
            prop_assert!((i64::try_from(members * (looks + 2)).unwrap() + 1) * 5 > calls * 4);
            return Ok(());
        };
        prop_assert!(i64::from(sum(&plan)) * 5 <= calls * 4);
        prop_assert!(plan.depth.levels() <= depth && plan.wanted == wanted);
        let mut all: Vec<SectionId> = plan.read.iter().chain(&plan.unread).copied().collect();
        all.sort();
        prop_assert_eq!(all, sections.iter().map(|section| section.id).collect::<Vec<_>>());
        prop_assert!(plan.read.is_sorted() && plan.unread.is_sorted() && !plan.read.is_empty());
        prop_assert!(plan.unread.is_empty() || plan.depth.levels() == 1);
        let length = |id: &SectionId| lengths[usize::from(id.0) - 1];
        let longest_unread = plan.unread.iter().map(length).max().unwrap_or_default();
        prop_assert!(plan.read.iter().all(|id| length(id) >= longest_unread));
        prop_assert_eq!(plan.stages.len(), usize::from(plan.depth.levels()) + 3);
        let better = planned(calls + more).unwrap();
        prop_assert!(sum(&better) >= sum(&plan));
        prop_assert!(better.depth.levels() >= plan.depth.levels());
        prop_assert!(better.read.len() >= plan.read.len());
    }
}

/// Prices in dollars for a million tokens.
fn price(input: i64, cache_write: i64, output: i64) -> Price {
    let dollars = 1_000_000;
    Price {
        input: input * dollars,
        cached: input * dollars / 10,
        cache_write: cache_write * dollars,
        output: output * dollars,
    }
}

const UNMEASURED: Rates = Rates { price: None, parallel: 6, call_ms: None, room: 0 };

fn sum(plan: &CallPlan) -> u32 {
    plan.stages.iter().sum()
}

/// A plan for one section at depth 1: 6, 6, 1 and 6 calls.
fn small(rates: Rates, per_call: &[(u64, u64)]) -> Estimate {
    let reading = Reading { plan: plan(&[9], 1, 1_000).unwrap(), sections: sections_of(&[9]) };
    Estimate { reading: Some(reading.clone()), ..estimate(&reading.calls(per_call), rates) }
}

#[test]
fn tokens_cost_and_minutes_are_those_of_all_stages() {
    let per_call = [(1_000, 100), (2_000, 200), (3_000, 300), (500, 50)];
    let told =
        small(Rates { price: Some(price(3, 3, 15)), parallel: 6, call_ms: Some(30_000), room: 0 }, &per_call);
    assert_eq!(told.calls, 19);
    // 6 × 1,000 + 6 × 2,000 + 3,000 + 6 × 500 sent, and a tenth of it received.
    assert_eq!(told.tokens, 24_000 + 2_400);
    assert_eq!(told.cost, Some(Money(24_000 * 3 + 2_400 * 15)));
    // Four stages after one another, each of one round of half a minute.
    assert_eq!((told.minutes, told.measured), (2, true));
    assert_eq!(told.reading.as_ref().unwrap().sections.len(), 1);
    // What may be written to a cache is counted so; a price that is unknown is unknown.
    let dearer = small(Rates { price: Some(price(3, 4, 15)), ..UNMEASURED }, &per_call);
    assert_eq!(dearer.cost, Some(Money(24_000 * 4 + 2_400 * 15)));
    assert_eq!(small(UNMEASURED, &per_call).cost, None);
}

#[test]
fn minutes_follow_how_many_calls_run_side_by_side() {
    let minutes = |parallel, call_ms| small(Rates { price: None, parallel, call_ms, room: 0 }, &[]).minutes;
    // One after the other: 19 calls of a minute.
    assert_eq!(minutes(1, Some(60_000)), 19);
    assert_eq!(minutes(0, Some(60_000)), 19);
    // Two rounds for each six calls.
    assert_eq!(minutes(4, Some(60_000)), 7);
    assert_eq!(minutes(100, Some(60_000)), 4);
    // Part of a minute counts as one, and there is always one.
    assert_eq!(minutes(100, Some(15_001)), 2);
    assert_eq!(minutes(100, Some(1)), 1);
    // Nothing measured: 20 seconds a call.
    assert_eq!(minutes(100, None), 2);
    assert!(!small(UNMEASURED, &[]).measured);
    assert_eq!(minutes(1, Some(u64::MAX)), u32::MAX);
}

#[test]
fn somebody_says_go_where_it_takes_much_or_gives_less_than_was_asked_for() {
    let caps = Caps { money: Money(1_000), tokens: 1_000, calls: 120 };
    let base = small(UNMEASURED, &[]);
    assert!(!base.needs_go(&caps));
    let with = |change: fn(&mut Estimate)| {
        let mut told = base.clone();
        change(&mut told);
        told
    };
    for (told, asks) in [
        (with(|told| told.calls = 40), false),
        (with(|told| told.calls = 41), true),
        (with(|told| told.cost = Some(Money(500))), false),
        (with(|told| told.cost = Some(Money(501))), true),
        (with(|told| told.tokens = 500), false),
        (with(|told| told.tokens = 501), true),
        (with(|told| told.tokens = u64::MAX), true),
        (with(|told| told.reading.as_mut().unwrap().plan.unread = vec![SectionId(2)]), true),
        (with(|told| told.reading.as_mut().unwrap().plan.wanted = TreeDepth::USUAL), true),
    ] {
        assert_eq!(told.needs_go(&caps), asks, "{told:?}");
    }
    // Without a limit there is no half of it.
    let free = Caps { money: Money(Caps::NO_LIMIT), tokens: Caps::NO_LIMIT, calls: 120 };
    assert!(!with(|told| (told.tokens, told.cost) = (u64::MAX, Some(Money(i64::MAX)))).needs_go(&free));
}

#[test]
fn estimates_and_plans_are_stored_as_they_are() {
    let told = small(Rates { price: Some(price(1, 1, 1)), parallel: 2, call_ms: None, room: 0 }, &[(5, 6)]);
    let json = serde_json::to_string(&told).unwrap();
    assert_eq!(serde_json::from_str::<Estimate>(&json).unwrap(), told);
    assert_eq!(serde_json::to_string(&TreeDepth::USUAL).unwrap(), "2");
    for wrong in ["0", "4", "\"2\""] {
        assert!(serde_json::from_str::<TreeDepth>(wrong).is_err(), "{wrong}");
    }
}
