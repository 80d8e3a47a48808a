//! The loop: its tools, its ends, and what stops it.

use serde_json::json;

use super::scene::{count, differ, ground, investigate, kind, kinds, scripted, stage};
use crate::support::{
    has, has_not,
    model::{Answer, Call, tools::only},
    wait_for_end,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_investigator_calls_tools_through_each_provider_and_ends() {
    for mediator in ["openai/alpha", "anthropic/beta", "local/delta"] {
        let mut stage = stage().await;
        stage.panel(&[mediator, "openai/gamma", "anthropic/beta"]);
        scripted(&stage, |_| None);
        let bot = stage.bot().await;
        let thread = investigate(&stage, json!({})).await;
        wait_for_end(&stage, thread).await;
        let shown = stage.read(thread);
        has(&shown, &["What the investigator did", "calculates", "asks a model", "has its answer"]);
        has(&shown, &["the investigator had its answer", "3 of 15 calls"]);
        has_not(&shown, &["sent back", "The investigator ended without", "and code", "code, "]);
        let turns: Vec<Call> = stage.model.calls().into_iter().filter(|call| kind(call) == "turn").collect();
        assert_eq!(turns.len(), 3, "{mediator}");
        assert!(turns.iter().all(|turn| turn.native != mediator.starts_with("local")), "{mediator}");
        has(&turns[0].user, &["Left: 15 calls"]);
        has(&turns[1].user, &["Left: 14 calls", "84000", "Worked out from the rent."]);
        let written = stage.model.calls().into_iter().find(|call| kind(call) == "answer").unwrap();
        has(&written.user, &["What the investigator came to", "48,000 leaves months out.", "Another lease."]);
        has(&written.user, &["(sure: 90 of 100)", "the main alternatives are ruled out"]);
        has(
            &shown,
            &["had its answer; by its own word the main alternatives are ruled out. 48,000 is no sum"],
        );
        let asked = stage.model.calls().into_iter().find(|call| kind(call) == "said").unwrap();
        has(
            &asked.user,
            &["They differ on What twelve rents", "console.log(12 * 7000)", "What speaks against call 1?"],
        );
        stage.nothing_amiss();
        bot.kill().await;
    }
}

/// A program of the enquiry settles what scouts differ on: a model that had no part in it reads off what holds, the ledger says so,
/// and nobody checks it once more.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_program_of_the_enquiry_settles_stands_in_the_ledger() {
    for (settles, settled) in [("what twelve rents come to", true), ("48,000", true), ("The weather", false)]
    {
        let stage = stage().await;
        scripted(&stage, move |call| {
            let action = json!({"tool": "run_code", "purpose": "To see", "path": "rent", "last_was_new": true,
                "text": "console.log(12 * 7000)", "settles": settles});
            let first = kind(call) == "turn" && !call.user.contains("run_code on rent");
            first.then(|| Answer::Json(only(call, &action)))
        });
        let bot = stage.bot().await;
        let thread = investigate(&stage, json!({})).await;
        wait_for_end(&stage, thread).await;
        assert_eq!(
            (count(&stage, "check"), count(&stage, "checked")),
            (0, usize::from(settled)),
            "{settles}"
        );
        let told = ground(&stage, thread).await;
        if settled {
            has(&told, &["VERIFIED", "What twelve rents come to: 84,000. Scout 3 said 48,000"]);
            has(&stage.read(thread), &["What was checked", "✅ **What twelve rents come to:** 84,000"]);
            let next = stage.model.calls().into_iter().filter(|call| kind(call) == "turn").nth(1).unwrap();
            has(
                &next.user,
                &["A model read off it: This holds: 84,000. Checked by a calculation. Twelve times 7,000."],
            );
        } else {
            has(&told, &["NOT CHECKED"]);
        }
        stage.nothing_amiss();
        bot.kill().await;
    }
}

/// Who ends by a rule that no call bears out is sent back once, which is no call; then it stands, and the card says so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_end_that_no_call_bears_out_is_sent_back_once_and_named() {
    let stage = stage().await;
    scripted(&stage, |call| {
        let done = json!({"tool": "done", "purpose": "To end", "path": "rent", "last_was_new": true, "text": "I know it.",
            "hypothesis": "84,000", "alternative": "48,000.", "would_change": "Another lease.", "confidence": 90,
            "stop": "fix_found", "why_stop": "I know it."});
        (kind(call) == "turn").then(|| Answer::Json(only(call, &done)))
    });
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({"budget": 1})).await;
    wait_for_end(&stage, thread).await;
    let turns: Vec<Call> = stage.model.calls().into_iter().filter(|call| kind(call) == "turn").collect();
    assert_eq!(turns.len(), 2, "{:?}", kinds(&stage));
    has(&turns[1].user, &["Left: 1 calls", "fix_found by a call that gave something back"]);
    has(&stage.read(thread), &["a reason to stop that its calls bear out", "1 of 1 calls"]);
    stage.nothing_amiss();
    bot.kill().await;
}

/// What the investigator has checked by a side of a disagreement is settled in the ledger, and not open beside it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_side_that_the_investigator_has_checked_settles_the_disagreement() {
    let stage = stage().await;
    scripted(&stage, |call| {
        if kind(call) != "turn" || call.user.contains("verify_claim on sides") {
            return None;
        }
        let action = json!({"tool": "verify_claim", "text": "48,000", "purpose": "To see who is right", "path": "sides", "last_was_new": true});
        Some(Answer::Json(only(call, &action)))
    });
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({})).await;
    wait_for_end(&stage, thread).await;
    let card = ground(&stage, thread).await;
    has(&card, &["VERIFIED", "What twelve rents come to: 84,000. Scout 3 said 48,000.", "by a calculation"]);
    has_not(&card, &["NOT SETTLED", "NOT CHECKED"]);
    let turns: Vec<Call> = stage.model.calls().into_iter().filter(|call| kind(call) == "turn").collect();
    has(&turns[1].user, &["This holds: 84,000."]);
    stage.nothing_amiss();
    bot.kill().await;
}

/// What is a matter of judgement is not put to a model as a claim to be checked: the investigator is told so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_matter_of_judgement_is_not_checked() {
    let stage = stage().await;
    scripted(&stage, |call| match kind(call) {
        "comparison" => Some(Answer::Json(differ("judgement", &[]))),
        "turn" if !call.user.contains("verify_claim on sides") => {
            let action = json!({"tool": "verify_claim", "text": "What twelve rents come to", "purpose": "To see who is right", "path": "sides", "last_was_new": true});
            Some(Answer::Json(only(call, &action)))
        }
        _ => None,
    });
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({})).await;
    wait_for_end(&stage, thread).await;
    let turns: Vec<Call> = stage.model.calls().into_iter().filter(|call| kind(call) == "turn").collect();
    has(&turns[1].user, &["That is a matter of judgement, which no check settles."]);
    assert_eq!(count(&stage, "check"), 0, "{:?}", kinds(&stage));
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_is_never_done_is_stopped_by_code() {
    for (mode, why) in [("unstructured", "its calls were used up"), ("adaptive", "it asked for the same")] {
        let stage = stage().await;
        scripted(&stage, move |call| {
            (kind(call) == "turn").then(|| {
                let number = call.user.matches("run_code on").count();
                let text = if mode == "adaptive" { "console.log(1)".to_owned() } else { format!("console.log({number} ** {number})") };
                let path = format!("path {number}");
                let action = json!({"tool": "run_code", "purpose": "On and on", "path": path, "last_was_new": true, "text": text});
                Answer::Json(only(call, &action))
            })
        });
        let bot = stage.bot().await;
        let thread = investigate(&stage, json!({"mode": mode, "budget": 6})).await;
        wait_for_end(&stage, thread).await;
        has(&stage.read(thread), &[why, "The investigator was stopped", "84,000 a year"]);
        assert!(count(&stage, "turn") <= 6, "{}", count(&stage, "turn"));
        stage.nothing_amiss();
        bot.kill().await;
    }
}
