//! What is not as it was when the session goes on: its steps, its prompts, its models.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use playground::ids::ADA;
use quorum::prompt::Prompts;
use serde_json::json;

use crate::{
    resume::scene::{
        Journal, MEDIATE_CALLS, answer_alike, card, mediate, press, seat_of, stage, texts, usual, wait_over,
        wait_thread,
    },
    support::{
        Stage,
        model::{Answer, Fault},
        nothing_comes,
    },
};

/// A session that was killed in round 2.
async fn killed_in_round_2(stage: &Stage) {
    let bot = stage.bot().await;
    mediate(stage);
    stage.model.wait_calls(1, |call| call.schema_name.as_deref() == Some("module_revision")).await;
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_step_of_another_kind_parks_the_session() {
    let stage = stage().await;
    killed_in_round_2(&stage).await;
    let sql = "UPDATE step SET kind = 'ask:something_else' WHERE key = 'round-1/cost'";
    assert_eq!(stage.alter(sql).await, 1);
    let paid = stage.model.calls().len();
    for _ in 0..2 {
        let bot = stage.bot().await;
        let thread = wait_over(&stage, "Parked").await;
        let said = texts(&stage, thread);
        let notices = said.iter().filter(|text| text.contains("Parked after an upgrade")).count();
        assert_eq!(notices, 1, "{said:#?}");
        assert!(said.last().unwrap().contains("Parked after an upgrade"));
        assert_eq!(stage.model.calls().len(), paid, "nothing is spent on it");
        bot.kill().await;
        assert_eq!(Journal::read(&stage).await.sessions, ["parked"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_that_cannot_be_read_parks_the_session() {
    let stage = stage().await;
    killed_in_round_2(&stage).await;
    stage.alter(r#"UPDATE step SET output = '{"an older": "shape"}' WHERE key = 'round-1/cost'"#).await;
    let bot = stage.bot().await;
    wait_over(&stage, "Parked").await;
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_keeps_the_prompts_it_was_started_with() {
    let marked = |mark: &str| {
        let embedded = Prompts::embedded();
        let rules = ["rules.md", "alone/rules.md"];
        let marked =
            rules.map(|file| (file.to_owned(), format!("Rules of {mark}. {}", embedded.files()[file])));
        Prompts::overridden(BTreeMap::from(marked)).unwrap()
    };
    let mut stage = stage().await;
    stage.settings.prompts = marked("the first version");
    killed_in_round_2(&stage).await;
    stage.settings.prompts = marked("the second version");
    stage.panel(&["openai/beta"]);
    let bot = stage.bot().await;
    wait_over(&stage, "Done").await;
    for call in stage.model.calls() {
        assert!(call.text().contains("Rules of the first version"), "{}", call.text());
        assert_eq!(call.model, "alpha");
    }
    stage.model.forget();
    let command = stage.discord.client().run_command(
        ADA,
        playground::ids::GENERAL,
        "mediate",
        json!({"problem": "Another one"}),
    );
    command.unwrap();
    stage.model.wait_calls(1, |_| true).await;
    let call = stage.model.calls().remove(0);
    assert!(call.text().contains("Rules of the second version"), "a new session has the new prompts");
    assert_eq!(call.model, "beta");
    bot.kill().await;
}

/// What `/session retry` says in the session's thread.
async fn retry(stage: &Stage) -> String {
    let thread = wait_thread(stage).await;
    let client = stage.discord.client();
    let command = client.run_command(ADA, thread, "session retry", json!({})).unwrap();
    client.wait_reply(command).await.text()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_in_which_nobody_could_answer_is_tried_again() {
    let stage = stage().await;
    stage.model.on(|_| Some(Answer::Fault(Fault::NotFound)));
    let bot = stage.bot().await;
    mediate(&stage);
    let thread = wait_over(&stage, "Failed").await;
    let said = texts(&stage, thread);
    assert!(said.last().unwrap().contains("No module could answer"), "{said:#?}");
    assert!(said.last().unwrap().contains("Try again"), "{said:#?}");
    bot.kill().await;

    // It stays failed until somebody asks.
    let bot = stage.bot().await;
    answer_alike(&stage);
    stage.model.forget();
    nothing_comes(Duration::from_millis(300)).await;
    assert_eq!(stage.model.calls().len(), 0);
    let said = retry(&stage).await;
    assert!(said.contains("Trying again"), "{said}");
    wait_over(&stage, "Done").await;
    assert_eq!(stage.model.calls().len(), MEDIATE_CALLS);
    let said = retry(&stage).await;
    assert!(said.contains("only one that failed"), "{said}");
    bot.kill().await;
}

/// One module answered only to the simpler question, and the mediator not at all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retry_asks_only_for_what_kept_the_session_from_going_on() {
    let stage = stage().await;
    let refused = AtomicBool::new(false);
    stage.model.on(move |call| {
        let first = call.schema_name.as_deref() == Some("module_analysis");
        let declines = first && seat_of(call) == "cost" && !refused.swap(true, Ordering::SeqCst);
        let mediator = call.schema_name.as_deref() == Some("memo");
        if declines || mediator { Some(Answer::Refusal("No.".to_owned())) } else { Some(usual(call)) }
    });
    let bot = stage.bot().await;
    mediate(&stage);
    wait_over(&stage, "Failed").await;
    let before = Journal::read(&stage).await;
    assert!(before.finished.contains_key("round-1/cost/simpler"), "{before:#?}");

    answer_alike(&stage);
    stage.model.forget();
    retry(&stage).await;
    let thread = wait_over(&stage, "Done").await;
    bot.kill().await;
    let asked: Vec<_> = stage.model.calls().iter().filter_map(|call| call.schema_name.clone()).collect();
    assert_eq!(asked, ["memo", "duplicates_check", "points", "points", "points"], "what succeeded is kept");
    let after = Journal::read(&stage).await;
    for (key, output) in before.finished.iter().filter(|(key, _)| key.starts_with("round-")) {
        assert_eq!(after.finished.get(key), Some(output), "{key}");
    }
    let said = texts(&stage, thread).join("\n");
    assert_eq!(said.matches("Cost · round 1").count(), 1, "a side has one place in a round: {said}");
    assert!(card(&stage).contains("✅ Done"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn money_gone_pauses_and_a_resume_goes_on() {
    let stage = stage().await;
    stage.model.on(|call| {
        if call.schema_name.as_deref() == Some("memo") {
            return Some(Answer::Fault(Fault::Money(crate::support::model::Money::Status)));
        }
        Some(usual(call))
    });
    let bot = stage.bot().await;
    mediate(&stage);
    let thread = wait_over(&stage, "Paused").await;
    let said = texts(&stage, thread);
    assert!(said.last().unwrap().contains("credit"), "{said:#?}");
    bot.kill().await;
    let paid = stage.model.calls().len();
    answer_alike(&stage);
    let bot = stage.bot().await;
    nothing_comes(Duration::from_millis(300)).await;
    assert_eq!(stage.model.calls().len(), paid, "nothing is retried blindly");
    press(&stage, "resume").await;
    wait_over(&stage, "Done").await;
    assert_eq!(stage.model.calls().len(), paid + 5, "memo, a look at its options, points");
    bot.kill().await;
}
