//! How a process ends: told to stop, it answers what it has asked; and a call that takes the process down with it
//! does not do so for ever.

use std::time::{Duration, Instant};

use crate::support::{
    Stage,
    model::End,
    play::MEDIATION_CALLS,
    program::{end, program, signal},
    until, wait_for_end,
};
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn told_to_stop_it_makes_no_new_calls_and_waits_for_those_in_flight() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.latency(Duration::from_secs(2));
    let thread = stage.mediate(json!({})).await;
    stage.model.wait_calls(3, |_| true).await;
    bot.stop.cancel();
    let begun = Instant::now();
    tokio::time::timeout(Duration::from_secs(20), bot.ended.cancelled()).await.expect("it stops");
    assert!(begun.elapsed() < Duration::from_secs(15), "as soon as they are answered");
    bot.kill().await;
    let calls = stage.model.calls();
    assert!(calls.len() == 3 && calls.iter().all(|call| call.end == End::Sent), "answered, and no new ones");

    stage.model.latency(Duration::ZERO);
    let bot = stage.bot().await;
    wait_for_end(&stage, thread).await;
    assert_eq!(stage.model.calls().len(), MEDIATION_CALLS, "nothing was asked twice");
    let lost: i64 = sqlx::query_scalar("SELECT count(*) FROM attempt WHERE state = 'lost'")
        .fetch_one(&stage.rows().await)
        .await
        .unwrap();
    assert_eq!(lost, 0);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_takes_the_process_down_is_not_made_for_ever() {
    let stage = Stage::start().await;
    stage.model.hold(|_| true);
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.model.wait_calls(3, |_| true).await;
    bot.kill().await;
    for n in 2..=12 {
        let bot = stage.bot().await;
        stage.model.wait_calls(3 * n, |_| true).await;
        bot.kill().await;
    }
    stage.model.let_go();
    let bot = stage.bot().await;
    wait_for_end(&stage, thread).await;
    let rows = stage.rows().await;
    let (most, lost): (i64, i64) = sqlx::query_as(
        "SELECT max(tries), max(lost) FROM (SELECT count(*) AS tries, sum(state = 'lost') AS lost FROM attempt GROUP BY session_id, key)",
    )
    .fetch_one(&rows)
    .await
    .unwrap();
    assert_eq!((most, lost), (12, 12), "and no thirteenth time");
    assert!(stage.read(thread).contains("Degraded"), "and it is said");
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_call_begins_while_it_says_good_bye_to_discord() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(|_| true);
    let thread = stage.mediate(json!({})).await;
    stage.model.wait_calls(3, |_| true).await;
    // Away from the gateway, it takes seconds to say good-bye: longer than the calls.
    stage.discord.faults().refuse_gateway(true);
    stage.discord.faults().close_gateway(4000);
    until(|| !stage.discord.bot_online(), || "it is away").await;
    bot.stop.cancel();
    tokio::time::sleep(Duration::from_millis(50)).await;
    stage.model.let_go();
    tokio::time::timeout(Duration::from_secs(20), bot.ended.cancelled()).await.expect("it stops");
    bot.kill().await;
    let calls = stage.model.calls();
    assert!(calls.len() == 3 && calls.iter().all(|call| call.end == End::Sent), "{} calls", calls.len());

    stage.discord.faults().refuse_gateway(false);
    let bot = stage.bot().await;
    wait_for_end(&stage, thread).await;
    assert_eq!(stage.model.calls().len(), MEDIATION_CALLS, "nothing was asked twice");
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_signal_ends_it_at_once_and_what_was_in_flight_is_charged() {
    let stage = Stage::start().await;
    let folder = tempfile::tempdir().unwrap();
    let process = program(&stage, folder.path());
    assert!(stage.discord.client().wait_bot(Duration::from_secs(10)).await);
    stage.model.hold(|_| true);
    let thread = stage.mediate(json!({})).await;
    stage.model.wait_calls(3, |_| true).await;
    signal(&process, "-TERM");
    // It drains: it would wait 25 s for these calls.
    let log = folder.path().join("log");
    let said = |what: &str| std::fs::read_to_string(&log).unwrap().contains(what);
    until(|| said("waiting for the calls in flight"), || "it drains").await;
    let second = Instant::now();
    signal(&process, "-TERM");
    let status = end(process, "a second SIGTERM").await;
    assert!(status.success() && second.elapsed() < Duration::from_secs(3), "{:?}", second.elapsed());
    let count = async |state: &'static str| -> i64 {
        let rows = stage.rows().await;
        let count = sqlx::query_scalar("SELECT count(*) FROM attempt WHERE state = ?1").bind(state);
        count.fetch_one(&rows).await.unwrap()
    };
    assert_eq!((count("sent").await, count("lost").await), (3, 0), "the intents stay");

    stage.model.let_go();
    let bot = stage.bot().await;
    wait_for_end(&stage, thread).await;
    assert_eq!((count("sent").await, count("lost").await), (0, 3), "and are charged");
    assert_eq!(stage.model.calls().len(), MEDIATION_CALLS + 3, "only they are made again");
    bot.kill().await;
}
