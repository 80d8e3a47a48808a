//! The Go under an estimate: by whom, once, in time, and across restarts.

use std::time::Duration;

use quorum::playground::{
    Id,
    ids::{ADA, BEN, CHLOE},
};
use serde_json::json;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};

use crate::{
    critique::scene::{PLAN, depth, has, has_not, nothing_amiss},
    support::{
        Stage,
        play::{id, is_private, read},
        wait_for_end,
    },
};

/// A critique that waits for its Go; its thread and the message that asks.
async fn waits(stage: &Stage) -> (Id, Id) {
    let thread = stage.critique("plan.md", PLAN, depth(3)).await;
    let message = id(&stage.wait_for(thread, "[Go]").await["id"]);
    stage.wait_card(thread, "Waiting for an answer").await;
    (thread, message)
}

fn click(stage: &Stage, member: Id, (thread, message): (Id, Id), verb: &str) -> Id {
    let custom_id = format!("v1:{}:{verb}:", stage.session(thread));
    stage.discord.client().click(member, thread, message, &custom_id).unwrap()
}

async fn press(stage: &Stage, member: Id, at: (Id, Id), verb: &str) -> String {
    let seen = stage.discord.client().wait_reply(click(stage, member, at, verb)).await;
    assert!(is_private(&seen, member), "{:?}", seen.messages);
    seen.text()
}

fn panel(stage: &Stage, (thread, message): (Id, Id)) -> String {
    let found = stage.public(thread).into_iter().find(|posted| id(&posted["id"]) == message);
    read(&found.expect("the estimate"))
}

async fn alter(stage: &Stage, sql: &'static str) -> u64 {
    let connect =
        SqliteConnectOptions::new().filename(stage.database()).busy_timeout(Duration::from_secs(10));
    let pool = SqlitePoolOptions::new()
        .max_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_with(connect)
        .await
        .unwrap();
    let changed = sqlx::query(sql).execute(&pool).await.unwrap().rows_affected();
    pool.close().await;
    changed
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_may_not_decide_is_told_who_may_and_the_wait_outlives_the_process() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let at = waits(&stage).await;
    for verb in ["estimate_go", "estimate_cancel"] {
        has(&press(&stage, CHLOE, at, verb).await, &["Only Ada", "moderator"]);
    }
    let retried = stage.told(ADA, at.0, "session retry", json!({})).await;
    has(&retried, &["press **Go** under the estimate"]);
    bot.kill().await;

    let bot = stage.bot().await;
    has(&panel(&stage, at), &["[Go]"]);
    has(&stage.wait_card(at.0, "Waiting for an answer").await, &["Waits for Ada"]);
    assert_eq!(stage.model.calls().len(), 0);
    let sql = "INSERT INTO guild_settings (guild_id, settings, changed_ms)
               SELECT guild_id, '{\"may_decide\": \"everyone\"}', 0 FROM session";
    assert_eq!(alter(&stage, sql).await, 1);
    let (by_ben, by_chloe) = (click(&stage, BEN, at, "estimate_go"), click(&stage, CHLOE, at, "estimate_go"));
    let client = stage.discord.client();
    client.redeliver(by_ben).unwrap();
    let said = [client.wait_reply(by_ben).await.text(), client.wait_reply(by_chloe).await.text()];
    assert_eq!(said.iter().filter(|said| said.contains("The six begin to read")).count(), 1, "{said:?}");
    assert_eq!(said.iter().filter(|said| said.contains("has pressed Go already")).count(), 1, "{said:?}");
    wait_for_end(&stage, at.0).await;
    has_not(&panel(&stage, at), &["[Go]"]);
    let minded = stage.discord.violations();
    assert!(minded.iter().all(|line| line.contains("already been acknowledged")), "{minded:?}");
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_day_without_a_go_it_ends_and_says_so() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let at = waits(&stage).await;
    assert_eq!(alter(&stage, "UPDATE wait SET deadline_ms = 1 WHERE value IS NULL").await, 1);
    let late = press(&stage, ADA, at, "estimate_go").await;
    has(&late, &["Nobody pressed Go within a day", "Start the command again"]);
    stage.wait_card(at.0, "Cancelled").await;
    stage.wait_for(at.0, "Nobody pressed **Go** within a day").await;
    stage.wait_for(at.0, "Nobody pressed Go within a day, so the session was ended").await;
    has_not(&panel(&stage, at), &["[Go]"]);
    assert_eq!(stage.model.calls().len(), 0);
    nothing_amiss(&stage);
    bot.kill().await;
}
