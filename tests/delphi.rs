//! /delphi over the wire: from the command to the vote, what each estimator reads, what becomes of numbers that are none, and
//! what is asked about it afterwards.

use playground::{
    Id,
    ids::{ADA, BEN, DECISIONS},
};
use serde_json::json;

use crate::{
    resume::estimated::{NUMBER, NUMBERS, estimate, round, said, stage},
    support::{
        Stage, has, has_not,
        model::{Answer, Call},
        play::{behind, closing, declined, read, thread_of},
        wait_for_end,
    },
};

async fn begun(stage: &Stage) -> Id {
    let started = estimate(stage);
    thread_of(&stage.discord.client().wait_reply(started).await, ADA)
}

/// The calls of a round.
fn estimates(stage: &Stage, of: usize) -> Vec<Call> {
    let calls = stage.model.calls().into_iter();
    calls.filter(|call| call.kind() == "SaidEstimate" && round(call) == of).collect()
}

/// Numbers in the wrong order.
fn wrong(call: &Call) -> Answer {
    let Answer::Json(mut reply) = said(call) else { unreachable!("it answers in JSON") };
    reply["low"] = 99.into();
    Answer::Json(reply)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_number_is_estimated_from_the_command_to_the_vote() {
    let stage = stage().await;
    let bot = stage.bot().await;
    let thread = begun(&stage).await;
    wait_for_end(&stage, thread).await;
    let shown = stage.read(thread);
    let places = [
        "Estimator 1 · round 1",
        "Estimator 3 · round 2",
        "Estimator 2 · round 3",
        "🎯 The answer",
        "**11 weeks**, 8 to 15 by the medians of their 80 % ranges. Their middles lie from 9.5 to 17, half of them from 10.25 to 14.",
        "Counted: Weeks of the calendar",
        "The high ones count the freeze.",
        "What would narrow it cheapest",
        "📊 The experts' points",
        "[Spread 10 points]",
    ];
    assert!(
        places.map(|place| shown.find(place).unwrap_or_else(|| panic!("{place}"))).is_sorted(),
        "{shown}"
    );
    has(&shown, &["Nothing was degraded", "Under 8 weeks", "8 to under 11 weeks", "15 weeks or more"]);
    has(&stage.wait_card(thread, "Done").await, &["11 of 120 calls"]);
    let picture = stage.message(thread, "🎯 The answer")["attachments"][0]["filename"].clone();
    assert_eq!(picture, "estimates.png");

    for call in estimates(&stage, 1) {
        has_not(&call.user, &["REASON-OF", "round before"]);
    }
    for of in [2, 3] {
        let calls = estimates(&stage, of);
        assert_eq!(calls.len(), 3);
        for call in calls {
            has_not(&call.user, &["Estimator 1", "Estimator 2", "Estimator 3", "alpha wrote"]);
            let (own, others) = call.user.split_once("What the others said").unwrap();
            for (model, _) in NUMBERS {
                let reason = format!("REASON-OF-{model}-{}", of - 1);
                let its_own = call.model.contains(model);
                assert_eq!((own.contains(&reason), others.contains(&reason)), (its_own, !its_own), "{model}");
            }
            has(others, &["What they come to together", "**11 weeks**, 8 to 1"]);
        }
    }
    let whole = behind(&stage, thread, "🎯 The answer", "Whole answer").await;
    has(&whole, &["Round 1: 1: 4 · 6 · 9; 2: 8 · 11 · 16", "Round 3: ", "The high ones count the freeze."]);
    let points = behind(&stage, thread, "📊 The experts' points", "All points").await;
    has(&points, &["By code, from 7 · 9.5 · 13."]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn numbers_out_of_order_are_asked_for_once_more_and_then_what_was_said_before_stands() {
    let stage = stage().await;
    stage.model.on(|call| {
        let refused = call.kind() == "SaidEstimate" && round(call) == 2;
        // Whoever is asked for the first estimator: its own model, and those that stand in for it.
        let first = call
            .user
            .split_once("What the others said")
            .is_some_and(|(own, _)| own.contains("REASON-OF-alpha-1"));
        let slip = round(call) == 1 && call.model.contains("beta") && !call.is_repair();
        Some(if refused && first || slip { wrong(call) } else { said(call) })
    });
    let bot = stage.bot().await;
    let thread = begun(&stage).await;
    let text = wait_for_end(&stage, thread).await;
    let repairs: Vec<Call> = estimates(&stage, 1).into_iter().filter(Call::is_repair).collect();
    assert_eq!(repairs.len(), 1, "one repair turn");
    has(&repairs[0].user, &["none less than the one before"]);
    has(&closing(&stage, thread), &["Estimator 1 (round 2) could not answer and is missing"]);
    let again = estimates(&stage, 3).into_iter().find(|call| call.model.contains("alpha")).unwrap();
    has(&again.user, &["10 % · 50 % · 90 %: 4 · 6 · 9\n"]);
    assert!(text.contains("🎯 The answer"), "{text}");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_word_on_it_the_figures_stand_and_without_a_number_it_says_so() {
    let stage = stage().await;
    stage.model.on(|call| Some(if call.kind() == "Outlook" { declined() } else { said(call) }));
    let bot = stage.bot().await;
    let thread = begun(&stage).await;
    wait_for_end(&stage, thread).await;
    has(
        &stage.read(thread),
        &[
            "**11 weeks**, 8 to 15 by the medians of their 80 % ranges.",
            "No model could say what they part on",
        ],
    );
    has(&closing(&stage, thread), &["The writer could not answer"]);

    stage.model.on(|call| Some(if call.kind() == "NumberAsked" { declined() } else { said(call) }));
    let thread = begun(&stage).await;
    stage.wait_card(thread, "No model could ask for the number plainly").await;

    // Whoever chose a unit gets it, whatever a model makes of it.
    stage.model.on(|call| Some(said(call)));
    let client = stage.discord.client();
    let options = json!({"question": NUMBER, "estimators": 3, "unit": "calendar\nweeks"});
    let started = client.run_command(ADA, DECISIONS, "delphi", options).unwrap();
    let thread = thread_of(&client.wait_reply(started).await, ADA);
    wait_for_end(&stage, thread).await;
    has(&stage.read(thread), &["**11 calendar weeks**", "15 calendar weeks or more"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_asked_about_it_is_answered_from_it_and_it_is_audited_and_reported() {
    let stage = stage().await;
    let bot = stage.bot().await;
    let thread = begun(&stage).await;
    wait_for_end(&stage, thread).await;
    has(&stage.told(BEN, thread, "ask", json!({"question": "Why so wide?"})).await, &["Asked"]);
    stage.model.wait_calls(1, |call| call.user.contains("Why so wide?")).await;
    let asked = stage.model.calls().into_iter().find(|call| call.user.contains("Why so wide?")).unwrap();
    has(&asked.text(), &["REASON-OF-gamma-3", "pooled numbers", "The high ones count the freeze."]);

    stage.wait_card(thread, "[Audit]").await;
    stage.press_card(BEN, thread, "Audit").await;
    let audit = read(&stage.wait_for(thread, "🔬 Audit:").await);
    has_not(&audit, &["cited though", "leads to no source"]);
    has(&stage.told(BEN, thread, "export", json!({})).await, &["The report is in <#"]);
    stage.wait_for(thread, "📄 The report").await;
    stage.nothing_amiss();
    bot.kill().await;
}
