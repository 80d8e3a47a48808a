//! A session that waits for people, killed before, while and after they answer: they are asked once, in one
//! thread, and what they answered stands.

use std::time::Duration;

use quorum::playground::ids::{ADA, DECISIONS};
use sqlx::Row;

use crate::{
    resume::{
        doing::{Doing, Then},
        people::{People, Script},
        scene::{Journal, PATIENCE, card, posts, stage, text_of, texts, wait_over, wait_thread},
        table::{ROUNDTABLE, ROUNDTABLE_CALLS, answer_alike, roundtable, wait_settled},
    },
    support::{Stage, nothing_comes, thirds},
};

/// Ada thinks better of it.
const CANCEL: &[Doing] = &[Doing::press(ADA, "roles_cancel")
    .then(Then::Sure("cancel_sure"))
    .promises("Cancelled", "SELECT count(*) FROM session WHERE state = 'cancelled'")];

/// Waits until every panel is as it should be.
async fn wait_panels(stage: &Stage) {
    let pool = stage.rows().await;
    let until = tokio::time::Instant::now() + PATIENCE;
    loop {
        let behind = sqlx::query("SELECT count(*) AS n FROM panel WHERE shown < revision");
        if behind.fetch_one(&pool).await.unwrap().get::<i64, _>("n") == 0 {
            return pool.close().await;
        }
        assert!(tokio::time::Instant::now() < until, "a panel is behind: {}", card(stage));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wait_costs_nothing_and_survives_one_restart_after_another() {
    let stage = stage().await;
    answer_alike(&stage);
    let bot = stage.bot().await;
    roundtable(&stage);
    let thread = wait_thread(&stage).await;
    let asked = |message: &serde_json::Value| text_of(message).contains("Go");
    stage.discord.client().wait_message(thread, PATIENCE, asked).await.expect("proposed roles");
    bot.kill().await;
    let (calls, said) = (stage.model.calls().len(), texts(&stage, thread));
    for _ in 0..3 {
        let bot = stage.bot().await;
        // The card is drawn anew, which is the last thing that a start does.
        let waits = |message: &serde_json::Value| text_of(message).contains("Waits for Ada");
        stage.discord.client().wait_message(DECISIONS, PATIENCE, waits).await.expect("whom it waits for");
        nothing_comes(Duration::from_millis(200)).await;
        bot.kill().await;
        assert_eq!(Journal::read(&stage).await.sessions, ["waiting"]);
        assert_eq!(stage.model.calls().len(), calls);
        assert_eq!(texts(&stage, thread), said);
    }
    let bot = stage.bot().await;
    let people = People::follow(&stage, &Script::new(ROUNDTABLE));
    wait_settled(&stage).await;
    drop(people);
    bot.kill().await;
    assert_eq!(stage.model.calls().len(), ROUNDTABLE_CALLS);
    assert_eq!(stage.discord.threads(DECISIONS).len(), 1);
}

/// A session that is cancelled while it waits, killed once after `k` commits.
async fn cancelled_and_killed_at(k: u64) {
    let (stage, script) = (stage().await, Script::new(CANCEL));
    let bot = stage.bot_that_halts(Some(k)).await;
    assert!(stage.discord.client().wait_bot(Duration::from_secs(10)).await);
    let people = People::follow(&stage, &script);
    roundtable(&stage);
    let over = || card(&stage).contains("Cancelled");
    bot.commits(k, over).await;
    drop(people);
    bot.kill().await;
    let taken = !Journal::read(&stage).await.sessions.is_empty();
    script.check_promises(&stage).await;
    let bot = stage.bot_that_halts(None).await;
    if !taken {
        // The command had not been taken yet, as its member is told, and is given again.
        stage.connected().await;
        roundtable(&stage);
    }
    let people = People::follow(&stage, &script);
    let thread = wait_over(&stage, "Cancelled").await;
    wait_panels(&stage).await;
    drop(people);
    bot.kill().await;
    assert_eq!(Journal::read(&stage).await.sessions, ["cancelled"]);
    let said = texts(&stage, thread);
    assert_eq!(said.iter().filter(|text| text.contains("ended the session")).count(), 1, "{said:#?}");
    assert_eq!(said.len(), 2, "the roles and the note: {said:#?}");
    let left = posts(&stage, thread).iter().any(|post| post["components"].to_string().contains("roles_"));
    assert!(!left, "nothing is left to press");
    assert_eq!(stage.model.strays(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelled_while_it_waits_and_killed_it_ends_once() {
    crate::resume::killed::play(
        thirds::of_this_run(1..=14)
            .map(|k| (format!("killed after commit {k}"), async move { cancelled_and_killed_at(k).await })),
    )
    .await;
}
