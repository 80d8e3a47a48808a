use proptest::prelude::*;

use super::*;
use crate::Effort;

fn action(tool: Tool, text: &str) -> Action {
    Action {
        tool,
        purpose: "p".into(),
        path: text.into(),
        why_go_on: String::new(),
        text: text.into(),
        model: 0,
        role: String::new(),
        disproves: false,
        settles: String::new(),
        last_was_new: true,
        hypothesis: String::new(),
        firm: false,
        would_change: String::new(),
        alternative: String::new(),
        confidence: None,
        stop: None,
        why_stop: String::new(),
    }
}

fn call(action: Action) -> Call {
    Call::of_turn(action, Called::Answered("x".into()), 100, 1_000)
}

fn calls(texts: &[&str]) -> Vec<Call> {
    texts.iter().map(|text| call(action(Tool::RunCode, text))).collect()
}

const GUARD: Guard = Guard { limits: LoopLimits { calls: 15, tokens: 50_000, seconds: 300 }, strict: true };

#[test]
fn limits_end_the_loop() {
    let of = |tokens, ms| Call { tokens, ms, ..call(action(Tool::RunCode, "a")) };
    assert_eq!(GUARD.over(&[]), None);
    assert_eq!(GUARD.over(&vec![of(1, 1); 15]), Some(StopReason::Calls));
    assert_eq!(GUARD.over(&[of(49_999, 1)]), None);
    assert_eq!(GUARD.over(&[of(50_000, 1)]), Some(StopReason::Tokens));
    assert_eq!(GUARD.over(&[of(1, 300_000)]), Some(StopReason::Time));
    assert_eq!(GUARD.left(&[of(10, 2_500)]), LoopLimits { calls: 14, tokens: 49_990, seconds: 298 });
}

#[test]
fn what_was_sent_back_and_is_made_again_counts_once() {
    let back = || Call { called: Called::SentBack("x".into()), ..call(action(Tool::Done, "")) };
    let one = call(action(Tool::RunCode, "a"));
    assert_eq!(used(&[back()]), 0);
    assert_eq!(used(&[back(), one.clone(), back()]), 1);
    assert_eq!(used(&[one.clone(), back(), back(), back(), one]), 4, "whoever insists uses it up");
}

#[test]
fn a_larger_budget_is_one_of_tokens_and_time_too() {
    let of = |calls, effort| LoopLimits::of(calls, effort);
    assert_eq!(of(15, Effort::Brief), LoopLimits::default());
    assert_eq!(of(1, Effort::Brief), LoopLimits { calls: 1, ..LoopLimits::default() });
    assert_eq!(of(30, Effort::Standard), LoopLimits { calls: 30, tokens: 100_000, seconds: 600 });
    assert_eq!(of(15, Effort::Deep).seconds, 600, "whoever thinks longer has no fewer calls");
}

#[test]
fn the_third_call_alike_is_warned_of_and_the_fourth_ends_the_loop() {
    let alike = ["console.log(6 * 7)", "console.log(6*7)", "CONSOLE.LOG( 6 * 7 )"];
    let next = action(Tool::RunCode, alike[2]);
    assert_eq!(GUARD.judge(&calls(&alike[..1]), &next), Nudge::Through);
    assert!(matches!(GUARD.judge(&calls(&alike[..2]), &next), Nudge::Warned(_)));
    assert_eq!(GUARD.judge(&calls(&alike), &next), Nudge::Stop(StopReason::Circles));
    let other = action(Tool::WebSearch, alike[2]);
    assert_eq!(GUARD.judge(&calls(&alike), &other), Nudge::Through, "another tool is not the same");
}

#[test]
fn a_checkpoint_is_due_after_four_calls_and_a_reason_after_five_on_a_path() {
    let four = calls(&["a", "b", "c", "d"]);
    assert!(
        matches!(GUARD.judge(&four, &action(Tool::RunCode, "e")), Nudge::Back(why) if why.contains("checkpoint"))
    );
    assert_eq!(GUARD.judge(&four, &action(Tool::Checkpoint, "")), Nudge::Through);
    let free = Guard { strict: false, ..GUARD };
    assert_eq!(free.judge(&four, &action(Tool::RunCode, "e")), Nudge::Through);
    let mut five = Vec::new();
    for (number, text) in ["a b", "c d", "e f", "g h", "i j"].into_iter().enumerate() {
        five.push(call(Action { path: "costs".into(), ..action(Tool::RunCode, text) }));
        if number == 2 {
            five.push(call(action(Tool::Checkpoint, "")));
        }
    }
    let next = Action { path: "Costs ".into(), ..action(Tool::RunCode, "k l") };
    assert!(matches!(GUARD.judge(&five, &next), Nudge::Back(why) if why.contains("why_go_on")));
    let reasoned = Action { why_go_on: "One price is missing.".into(), ..next };
    assert_eq!(GUARD.judge(&five, &reasoned), Nudge::Through);
}

#[test]
fn a_firm_hypothesis_is_verified_and_not_explored() {
    let firm = vec![call(Action { firm: true, ..action(Tool::Checkpoint, "") })];
    assert!(
        matches!(GUARD.judge(&firm, &action(Tool::QueryModel, "a")), Nudge::Back(why) if why.contains("firm"))
    );
    assert_eq!(GUARD.judge(&firm, &action(Tool::VerifyClaim, "a")), Nudge::Through);
    let against = Action { disproves: true, ..action(Tool::QueryModel, "a") };
    assert_eq!(GUARD.judge(&firm, &against), Nudge::Through);
}

#[test]
fn three_calls_that_brought_nothing_new_are_enough() {
    let stale = |text| Action { last_was_new: false, ..action(Tool::RunCode, text) };
    let run = vec![call(action(Tool::RunCode, "a")), call(stale("b")), call(stale("c"))];
    assert_eq!(GUARD.judge(&run, &stale("d")), Nudge::Stop(StopReason::NothingNew));
    assert_eq!(GUARD.judge(&run, &action(Tool::RunCode, "d")), Nudge::Through, "the last one was new");
    let done = Action {
        last_was_new: false,
        alternative: "B, but A is cheaper.".into(),
        would_change: "A price.".into(),
        stop: Some(StopRule::NothingNew),
        why_stop: "The same price came back.".into(),
        ..action(Tool::Done, "")
    };
    let free = Guard { strict: false, ..GUARD };
    assert_eq!(free.judge(&run, &done), Nudge::Stop(StopReason::Done));
    let mut looked = run;
    looked[2].action.disproves = true;
    assert_eq!(GUARD.judge(&looked, &done), Nudge::Stop(StopReason::Done), "an end of its own");
}

#[test]
fn an_unfinished_end_is_sent_back_once() {
    let bare = action(Tool::Done, "");
    assert!(matches!(GUARD.judge(&[], &bare), Nudge::Back(_)));
    let back = vec![Call { called: Called::SentBack("x".into()), ..call(bare.clone()) }];
    assert_eq!(GUARD.judge(&back, &bare), Nudge::Stop(StopReason::Done));
    assert_eq!(missing(&back, &bare, true).len(), 4);
    let whole = Action {
        alternative: "B, but A is cheaper.".into(),
        would_change: "A price.".into(),
        stop: Some(StopRule::AlternativesRuledOut),
        why_stop: "B costs more at every volume.".into(),
        ..bare
    };
    assert!(matches!(GUARD.judge(&[], &whole), Nudge::Back(_)), "nobody looked for what would show it wrong");
    let looked = vec![call(Action { disproves: true, ..action(Tool::WebSearch, "against") })];
    assert_eq!(GUARD.judge(&looked, &whole), Nudge::Stop(StopReason::Done));
}

#[test]
fn a_rule_to_stop_by_is_borne_out_by_calls() {
    let looked = call(Action { disproves: true, ..action(Tool::WebSearch, "against") });
    let old = |text| call(Action { last_was_new: false, ..action(Tool::RunCode, text) });
    let lacks = |calls: &[Call], stop, why: &str| {
        let done = Action {
            alternative: "B.".into(),
            would_change: "A price.".into(),
            last_was_new: false,
            stop,
            why_stop: why.into(),
            ..action(Tool::Done, "")
        };
        (missing(calls, &done, true).len(), missing(calls, &done, false).len())
    };
    let failed = Call { called: Called::Failed("x".into()), ..looked.clone() };
    assert_eq!(
        lacks(std::slice::from_ref(&looked), Some(StopRule::ChainComplete), "Each step is seen."),
        (0, 0)
    );
    assert_eq!(
        lacks(std::slice::from_ref(&looked), Some(StopRule::ChainComplete), " "),
        (1, 0),
        "without what shows it"
    );
    assert_eq!(lacks(std::slice::from_ref(&looked), None, "So it is."), (1, 0));
    assert_eq!(lacks(&[failed], Some(StopRule::FixFound), "It works."), (2, 0), "nothing gave it back");
    assert_eq!(
        lacks(std::slice::from_ref(&looked), Some(StopRule::NothingNew), "The same."),
        (1, 0),
        "one call is no two"
    );
    assert_eq!(lacks(&[looked, old("a"), old("b")], Some(StopRule::NothingNew), "The same."), (0, 0));
}

fn any_action() -> impl Strategy<Value = Action> {
    let tool = prop::sample::select(Tool::ALL.to_vec());
    (tool, "[ab ]{0,4}", any::<[bool; 3]>()).prop_map(|(tool, text, [disproves, last_was_new, firm])| {
        Action { disproves, last_was_new, firm, ..action(tool, &text) }
    })
}

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn every_loop_ends_within_its_limits_whatever_a_model_wants(
        wanted in prop::collection::vec((any_action(), 0..9_000_u64, 0..90_000_u64), 0..60),
        strict in any::<bool>(),
    ) {
        let guard = Guard { strict, ..GUARD };
        let mut calls: Vec<Call> = Vec::new();
        for (action, tokens, ms) in wanted {
            if guard.over(&calls).is_some() {
                break;
            }
            let called = match guard.judge(&calls, &action) {
                Nudge::Stop(_) => break,
                Nudge::Back(why) => Called::SentBack(why.into()),
                Nudge::Through | Nudge::Warned(_) => Called::Answered(String::new()),
            };
            calls.push(Call::of_turn(action, called, tokens, ms));
        }
        prop_assert!(used(&calls) <= 15 && calls.len() <= 31);
        // What is over is known before the next turn, so at most one turn goes beyond.
        let but_last = &calls[..calls.len().saturating_sub(1)];
        prop_assert!(but_last.iter().map(|call| call.tokens).sum::<u64>() < 50_000);
        prop_assert!(but_last.iter().map(|call| call.ms).sum::<u64>() < 300_000);
    }
}
