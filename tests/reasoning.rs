//! Models that think before they answer: nobody abstains because thinking took the room, whatever the dialect.

use domain::Money;
use playground::Id;
use serde_json::json;

use crate::support::{
    Stage, has,
    model::{Answer, Call, End},
    play::read,
    wait_for_end,
};

const DOCUMENT: &str = "# Plan\n\nThe shop opens in May because the pilot of two weeks went well. Each order earns \
    three euros and costs four euros to bring. The team hires ten people before the first order.";

/// Output tokens that a request allows in all.
fn bound(call: &Call) -> u64 {
    let bound = |name: &str| call.body[name].as_u64();
    bound("max_completion_tokens").or_else(|| bound("max_tokens")).expect("a bound")
}

/// Thinks for so many tokens before it says a word.
fn thinks(call: &Call, tokens: u64) -> Option<Answer> {
    (bound(call) < tokens).then(|| Answer::Truncated(String::new()))
}

async fn play(stage: &Stage, protocol: &str) -> Id {
    match protocol {
        "mediate" => stage.mediate(json!({})).await,
        "roundtable" => stage.roundtable(json!({})).await,
        "debate" => stage.debate(json!({"preset": "quick"})).await,
        _ => stage.critique("plan.md", DOCUMENT, json!({"depth": 1})).await,
    }
}

/// All four protocols with a panel of these models, each of which thinks for 3,000 tokens; gives how many calls ended
/// with nothing said.
async fn played(models: &[&str]) -> usize {
    let mut silent = 0;
    for protocol in ["mediate", "roundtable", "debate", "critique"] {
        let mut stage = Stage::start().await;
        stage.panel(models);
        // Enough of it that no estimate is asked about.
        stage.settings.budgets.session.money = Money(50_000_000);
        stage.model.on(|call| thinks(call, 3_000));
        let bot = stage.bot().await;
        let thread = play(&stage, protocol).await;
        wait_for_end(&stage, thread).await;
        has(&read(&stage.message(thread, "egraded")), &["Nothing was degraded"]);
        let shown = stage.read(thread);
        assert!(!shown.contains("gave no points") && !shown.contains("abstain"), "{protocol}: {shown}");
        let calls = stage.model.calls();
        assert!(calls.iter().all(|call| call.end == End::Sent));
        silent += calls.iter().filter(|call| thinks(call, 3_000).is_some()).count();
        stage.nothing_amiss();
        bot.kill().await;
    }
    silent
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn models_that_are_known_to_think_have_the_room_from_the_start() {
    assert_eq!(played(&["anthropic/claude-opus-5-5", "openai/gpt-6-sol"]).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_of_which_nobody_knows_it_is_asked_again_with_more_room() {
    let silent = played(&["anthropic/unknown", "openai/unheard-of"]).await;
    assert!(silent > 0, "they said nothing at first");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thinking_that_never_ends_is_said_as_what_it_is_and_paid() {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/gpt-6-sol", "openai/alpha"]);
    stage.model.on(|call| (call.model == "gpt-6-sol").then(|| Answer::Truncated(String::new())));
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    let asked: Vec<u64> =
        stage.model.calls().iter().filter(|call| call.model == "gpt-6-sol").map(bound).collect();
    assert!(asked.len() >= 2 && asked[1..].iter().any(|more| *more >= 3 * asked[0]), "{asked:?}");
    let problems: Vec<String> = sqlx::query_scalar("SELECT problem FROM attempt WHERE problem IS NOT NULL")
        .fetch_all(&stage.rows().await)
        .await
        .unwrap();
    assert!(problems.iter().any(|problem| problem.contains("no word of an answer within")), "{problems:?}");
    bot.kill().await;
}
