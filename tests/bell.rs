//! *Tell me when it is done*: those who pressed it are pinged, once each time the session stands still, and nobody else.

use playground::{
    Id,
    ids::{ADA, BEN, DECISIONS},
};
use serde_json::{Value, json};

use crate::support::{Moment, Stage, has, play::id, thirds, wait_for_end};

const BELL: &str = "Tell me when it is done";

/// The pings in a thread: whom each message names, and what it says.
fn pings(stage: &Stage, thread: Id) -> Vec<(Vec<Id>, String)> {
    let rung =
        stage.public(thread).into_iter().filter(|post| post["content"].as_str().unwrap().starts_with('🔔'));
    let told = |post: &Value| post["mentions"].as_array().unwrap().iter().map(|who| id(&who["id"])).collect();
    rung.map(|post| (told(&post), post["content"].as_str().unwrap().to_owned())).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_wants_to_be_told_is_pinged_once_and_nobody_else() {
    let stage = Stage::start().await;
    stage.model.hold(|_| true);
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.model.wait_calls(3, |_| true).await;
    has(&stage.press_card(BEN, thread, BELL).await.text(), &["You will be pinged in its thread"]);
    has(&stage.press_card(ADA, thread, BELL).await.text(), &["You will be pinged"]);
    has(&stage.press_card(ADA, thread, BELL).await.text(), &["You will not be pinged"]);
    assert!(pings(&stage, thread).is_empty(), "nobody is pinged before");
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    stage.wait_for(thread, "it is done.").await;
    let told = pings(&stage, thread);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].0, [BEN], "and not Ada, who took it back");
    stage.wait_card(thread, "Done").await;
    // On Discord is not yet in the database.
    let sent = "SELECT count(*) FROM outbox WHERE post_key LIKE 'bell/%' AND state = 'sent'";
    stage.wait_until(thread, "it is noted as sent", async || stage.number(sent).await == 1).await;
    bot.kill().await;

    // Whom it named is not kept.
    let kept: String =
        sqlx::query_scalar("SELECT payload FROM outbox WHERE post_key LIKE 'bell/%' AND state = 'sent'")
            .fetch_one(&stage.rows().await)
            .await
            .unwrap();
    assert!(!kept.contains(&BEN.to_string()), "{kept}");

    // Not told again by the next start.
    let bot = stage.bot().await;
    stage.told(BEN, thread, "session show", json!({})).await;
    assert_eq!(pings(&stage, thread).len(), 1);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_rings_where_the_session_waits_for_somebody_and_again_in_the_end() {
    let stage = Stage::start().await;
    stage.model.hold(|_| true);
    let bot = stage.bot().await;
    let thread = stage.started(ADA, DECISIONS, "roundtable", json!({})).await;
    stage.model.wait_calls(1, |_| true).await;
    stage.press_card(BEN, thread, BELL).await;
    stage.model.let_go();
    let rung = stage.wait_for(thread, "it waits.").await;
    has(rung["content"].as_str().unwrap(), &["to press **Go**", &format!("<@{BEN}>")]);
    let proposal = stage.wait_for(thread, "What now").await;
    stage.press(ADA, thread, &proposal, "Go").await;
    wait_for_end(&stage, thread).await;
    stage.wait_for(thread, "it is done.").await;
    assert_eq!(pings(&stage, thread).len(), 2);
    bot.kill().await;
}

/// A session of three held calls, with a wish to be told.
async fn wished() -> (Moment, Id) {
    let stage = Stage::start().await;
    stage.model.hold(|_| true);
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.model.wait_calls(3, |_| true).await;
    stage.press_card(BEN, thread, BELL).await;
    bot.kill().await;
    (stage.moment(), thread)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_commit_around_the_end_it_rings_once() {
    let (moment, thread) = wished().await;
    let whole = Stage::start().await.back_to(&moment).await;
    let bot = whole.bot().await;
    whole.wait_for(thread, "it is done.").await;
    let commits = bot.store.commits();
    bot.kill().await;
    // The last ones are the end, the ping, and that it was posted.
    for commits in thirds::of_this_run(commits.saturating_sub(9)..=commits + 1) {
        let stage = Stage::start().await.back_to(&moment).await;
        stage.bot_killed_after(commits, || !pings(&stage, thread).is_empty()).await;
        let bot = stage.bot().await;
        wait_for_end(&stage, thread).await;
        stage.wait_for(thread, "it is done.").await;
        stage.wait_card(thread, "Done").await;
        assert_eq!(pings(&stage, thread).len(), 1, "after {commits}");
        bot.kill().await;
    }
}

/// Nobody has others pinged by resuming again and again what stops again at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_resume_does_nothing_while_what_stopped_it_holds_and_one_stop_rings_once() {
    let mut stage = Stage::start().await;
    stage.settings.budgets.server_day.calls = 5;
    stage.model.hold(|_| true);
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.model.wait_calls(3, |_| true).await;
    stage.press_card(BEN, thread, BELL).await;
    stage.model.let_go();
    let rung = async |times: usize| {
        stage.wait_until(thread, "the bell rings", async || pings(&stage, thread).len() == times).await;
    };
    rung(1).await;
    stage.wait_card(thread, "[Resume]").await;
    for _ in 0..3 {
        let said = stage.press_card(ADA, thread, "Resume").await.text();
        has(
            &said,
            &[
                "Nothing has changed yet",
                "This server's daily budget of calls is used up",
                "The next day begins within",
            ],
        );
    }
    assert_eq!(stage.read(thread).matches("**Paused.**").count(), 1);
    assert_eq!((pings(&stage, thread).len(), stage.model.calls().len()), (1, 5));

    // The next day it goes on, and stops anew.
    stage.alter("UPDATE account SET day = '2020-01-01' WHERE scope = 'guild'").await;
    has(&stage.press_card(ADA, thread, "Resume").await.text(), &["Resumed"]);
    rung(2).await;
    assert_eq!(stage.model.calls().len(), 10);
    // Paused by hand again and again, it has told them already.
    stage.alter("UPDATE account SET day = '2020-01-02' WHERE scope = 'guild' AND day > '2025'").await;
    stage.model.hold(|_| true);
    for _ in 0..2 {
        stage.wait_card(thread, "[Resume]").await;
        has(&stage.press_card(ADA, thread, "Resume").await.text(), &["Resumed"]);
        stage.wait_card(thread, "[Pause]").await;
        has(&stage.press_card(ADA, thread, "Pause").await.text(), &["Paused"]);
    }
    stage.wait_card(thread, "[Resume]").await;
    crate::support::nothing_comes(std::time::Duration::from_millis(300)).await;
    assert_eq!(pings(&stage, thread).len(), 2);
    bot.kill().await;
}
