//! How many calls are planned, and what they take.

use proptest::prelude::*;

use super::*;
use crate::{
    Caps, CritiqueBrief, Effort, Estimate, Money, Price, Rates, Takes, estimate, sample, takes_reading,
};

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
    plan_at(Effort::Standard, lengths, depth, calls)
}

fn plan_at(effort: Effort, lengths: &[usize], depth: u8, calls: i64) -> Option<CallPlan> {
    plan_calls(&sections_of(lengths), 6, (TreeDepth::new(depth).unwrap(), effort), calls)
}

fn ids(ids: &[u16]) -> Vec<SectionId> {
    ids.iter().copied().map(SectionId).collect()
}

#[test]
fn calls_are_counted_exactly() {
    for (effort, lengths, depth, stages) in [
        (Effort::Standard, vec![9], 1, vec![6, 6, 1, 7, 6]),
        // At most 32 at the usual depth.
        (Effort::Standard, vec![9], 2, vec![6, 6, 6, 1, 7, 6]),
        (Effort::Standard, vec![9], 3, vec![6, 6, 6, 6, 1, 7, 6]),
        (Effort::Brief, vec![9], 2, vec![6, 6, 6, 1, 2, 6]),
        (Effort::Deep, vec![9], 2, vec![6, 12, 6, 1, 7, 6]),
        (Effort::Deep, vec![9], 3, vec![6, 12, 24, 6, 1, 7, 6]),
        (Effort::Deep, vec![9, 9, 9], 3, vec![18, 36, 72, 1, 6, 1, 1, 6]),
    ] {
        let plan = plan_at(effort, &lengths, depth, Caps::NO_LIMIT).unwrap();
        assert_eq!(sum(&plan), stages.iter().sum::<u32>());
        assert_eq!(plan.stages, stages);
        assert_eq!((plan.depth.levels(), plan.wanted.levels()), (depth, depth));
        let branches = if effort == Effort::Deep { 2 } else { 1 };
        assert_eq!(plan.branches, if depth == 1 { 0 } else { branches });
        assert_eq!((plan.read.len(), plan.unread.len()), (lengths.len(), 0));
    }
}

#[test]
fn with_fewer_calls_branches_go_first_then_depth_then_the_shortest_sections() {
    // Four fifths of the calls are planned with.
    for (calls, depth, branches, read, unread) in [
        (1_000, 3, 2, vec![1, 2, 3], vec![]),
        (177, 3, 2, vec![1, 2, 3], vec![]),
        // 140 instead of 140.8.
        (176, 3, 1, vec![1, 2, 3], vec![]),
        (87, 3, 1, vec![1, 2, 3], vec![]),
        (86, 2, 1, vec![1, 2, 3], vec![]),
        (64, 2, 1, vec![1, 2, 3], vec![]),
        (63, 1, 0, vec![1, 2, 3], vec![]),
        (42, 1, 0, vec![1, 2, 3], vec![]),
        (41, 1, 0, vec![1, 3], vec![2]),
        (34, 1, 0, vec![1, 3], vec![2]),
        (33, 1, 0, vec![3], vec![1, 2]),
        (27, 1, 0, vec![3], vec![1, 2]),
    ] {
        let plan = plan_at(Effort::Deep, &[20, 10, 30], 3, calls).unwrap();
        let fits = (plan.depth.levels(), plan.branches, plan.read, plan.unread);
        assert_eq!(fits, (depth, branches, ids(&read), ids(&unread)), "{calls} calls");
    }
    for calls in [26, 5, 1, 0, -1, i64::MIN] {
        assert_eq!(plan(&[20, 10, 30], 3, calls), None, "{calls} calls");
    }
    // Of sections that are as long, the first are kept.
    assert_eq!(plan(&[10, 10, 10], 1, 34).unwrap().read, ids(&[1, 2]));
    assert_eq!(plan(&[], 2, 1_000), None);
    assert_eq!(plan_calls(&sections_of(&[5]), 0, (TreeDepth::USUAL, Effort::Standard), 1_000), None);
}

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn a_plan_fits_its_budget_and_more_calls_are_never_less(
        lengths in prop::collection::vec(1_usize..50, 1..12),
        members in 1_usize..8,
        depth in 1_u8..=3,
        calls in 0_i64..2_000,
        more in 0_i64..200,
    ) {
        let (sections, wanted) = (sections_of(&lengths), TreeDepth::new(depth).unwrap());
        let planned = |calls| plan_calls(&sections, members, (wanted, Effort::Standard), calls);
        let Some(plan) = planned(calls) else {
            // Not even one section at the first level would fit.
            let across = usize::from(lengths.len() > 1);
            let reviews = if lengths.len() == 1 { 7 } else { 1 };
            let least = i64::try_from(members * 3 + 1 + reviews + across).unwrap();
            prop_assert!(least * 5 > calls * 4);
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
        let across = usize::from(plan.read.len() > 1);
        prop_assert_eq!(plan.stages.len(), usize::from(plan.depth.levels()) + 4 + across);
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

/// A plan for one section at depth 1: 6, 6, 1, 7 and 6 calls, five of which follow one another.
fn small(rates: Rates, (sent, written): (u64, u64)) -> Estimate {
    let plan = plan(&[9], 1, 1_000).unwrap();
    let takes = Takes { calls: sum(&plan), turns: 5, sent, written };
    Estimate { reading: Some(Reading { plan, sections: sections_of(&[9]) }), ..estimate(takes, rates) }
}

#[test]
fn tokens_are_paid_at_the_models_price_with_all_that_they_may_think() {
    let takes = (24_000, 2_400);
    let told = small(Rates { price: Some(price(3, 3, 15)), call_ms: Some(30_000), ..UNMEASURED }, takes);
    assert_eq!((told.calls, told.tokens), (26, 26_400));
    assert_eq!(told.cost, Some(Money(24_000 * 3 + 2_400 * 15)));
    // Five calls after one another, of half a minute each.
    assert_eq!((told.minutes, told.measured), (3, true));
    // What may be written to a cache is counted so; a price that is unknown is unknown.
    let dearer = small(Rates { price: Some(price(3, 4, 15)), ..UNMEASURED }, takes);
    assert_eq!(dearer.cost, Some(Money(24_000 * 4 + 2_400 * 15)));
    assert_eq!(small(UNMEASURED, takes).cost, None);
    assert_eq!(small(Rates { room: 1_000, ..UNMEASURED }, takes).tokens, 26_400 + 26_000);
}

#[test]
fn a_critique_takes_what_was_measured_by_its_calls_and_by_what_they_read() {
    let brief = |effort, text: &str| CritiqueBrief {
        effort,
        document: sample::document(text),
        at_once: 60_000,
        ..sample::critique::session().brief
    };
    // Twenty pages, two levels deep, all of it at once.
    let text = "a".repeat(53_000);
    for (effort, calls, sent, written) in [
        (Effort::Brief, 27, 433_000, 10_000),
        (Effort::Standard, 32, 535_000, 19_000),
        (Effort::Deep, 38, 616_000, 37_000),
    ] {
        let brief = brief(effort, &text);
        let takes = |lengths: &[usize], depth| {
            let sections = sections_of(lengths);
            let depth = TreeDepth::new(depth).unwrap();
            let plan =
                plan_calls(&sections, brief.members.len(), (depth, brief.effort), Caps::NO_LIMIT).unwrap();
            takes_reading(&brief, &Reading { plan, sections })
        };
        let whole = takes(&[53_000], 2);
        assert_eq!((whole.calls, whole.written), (calls, written));
        assert!(whole.sent.abs_diff(sent) < 20, "{whole:?}");
        // The same in two parts takes more calls, each of which reads half.
        let parts = takes(&[26_500, 26_500], 1);
        assert!(
            parts.calls > takes(&[53_000], 1).calls && parts.sent < takes(&[53_000], 1).sent * 5 / 4,
            "{parts:?}"
        );
        assert!(takes(&[53_000], 3).sent > whole.sent && takes(&[53_000], 1).sent < whole.sent);
    }
    let short = takes_reading(
        &brief(Effort::Standard, ""),
        &Reading { plan: plan(&[0], 2, 1_000).unwrap(), sections: sections_of(&[0]) },
    );
    assert_eq!((short.calls, short.sent), (32, 120_000));
}

#[test]
fn minutes_follow_how_many_calls_run_side_by_side() {
    let minutes =
        |parallel, call_ms| small(Rates { price: None, parallel, call_ms, room: 0 }, (0, 0)).minutes;
    // One after the other: 26 calls of a minute.
    assert_eq!(minutes(1, Some(60_000)), 26);
    assert_eq!(minutes(0, Some(60_000)), 26);
    // Four at a time.
    assert_eq!(minutes(4, Some(60_000)), 7);
    assert_eq!(minutes(100, Some(60_000)), 5);
    // Part of a minute counts as one, and there is always one.
    assert_eq!(minutes(100, Some(15_001)), 2);
    assert_eq!(minutes(100, Some(1)), 1);
    // Nothing measured: 20 seconds a call.
    assert_eq!(minutes(100, None), 2);
    assert!(!small(UNMEASURED, (0, 0)).measured);
    assert_eq!(minutes(1, Some(u64::MAX)), u32::MAX);
}

#[test]
fn somebody_says_go_where_it_takes_much_or_gives_less_than_was_asked_for() {
    let caps = Caps { money: Money(1_000), tokens: 1_000, calls: 120 };
    let base = small(UNMEASURED, (0, 0));
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
    let told = small(Rates { price: Some(price(1, 1, 1)), parallel: 2, call_ms: None, room: 0 }, (5, 6));
    let json = serde_json::to_string(&told).unwrap();
    assert_eq!(serde_json::from_str::<Estimate>(&json).unwrap(), told);
    assert_eq!(serde_json::to_string(&TreeDepth::USUAL).unwrap(), "2");
    for wrong in ["0", "4", "\"2\""] {
        assert!(serde_json::from_str::<TreeDepth>(wrong).is_err(), "{wrong}");
    }
}
