//! A session that waits for people, cancelled and killed close to each other: it ends once.

use std::time::Duration;

use playground::ids::ADA;
use sqlx::Row;

use crate::{
    resume::{
        doing::{Doing, Then},
        people::{People, Script},
        scene::{Journal, PATIENCE, card, posts, stage, texts, wait_over},
        table::roundtable,
    },
    support::{Stage, thirds},
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
    crate::resume::sweep::play_all(
        thirds::of_this_run(1..=14)
            .map(|k| (format!("killed after commit {k}"), async move { cancelled_and_killed_at(k).await })),
    )
    .await;
}
