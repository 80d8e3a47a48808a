//! Killed after any commit between a form and its pin, or while asking for a review: everything happens once.

use std::time::Duration;

use quorum::playground::ids::ADA;

use crate::{
    decision::scene::{cards, count, form, send, set, wait_none, wait_pinned, wait_said},
    support::thirds,
};

/// Commits from a form to its pin, with some to spare: recorded, tried, sent, pinned, drawn.
const COMMITS: u64 = 7;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_on_the_way_a_decision_is_posted_once_and_pinned() {
    let (stage, bot, thread) = set().await;
    bot.rests().await;
    bot.kill().await;
    let client = stage.discord.client();
    for (n, commits) in (1..).zip(thirds::of_this_run(1..=COMMITS)) {
        let bot = stage.bot_that_halts(Some(commits)).await;
        stage.connected().await;
        let sent = send(&stage, ADA, thread, &form(&[])).await;
        let title = format!("Decision {n}:");
        let pinned = || cards(&stage, thread, &title).iter().any(|card| card["pinned"] == true);
        bot.commits(commits, pinned).await;
        if commits.is_multiple_of(2) {
            // What is under way outside ends, and nobody writes it down.
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
        bot.kill().await;
        let bot = stage.bot().await;
        client.redeliver(sent).unwrap();
        wait_pinned(&stage, thread, &title).await;
        wait_none(&stage, "SELECT count(*) FROM decision WHERE pin = 'wanted'").await;
        bot.rests().await;
        bot.kill().await;
        assert_eq!(cards(&stage, thread, &title).len(), 1, "after {commits} commits");
        assert_eq!(count(&stage, "SELECT max(n) FROM decision").await, n);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_while_it_asks_for_a_review_it_asks_once() {
    let (stage, bot, thread) = set().await;
    bot.kill().await;
    for (n, commits) in (1..).zip(thirds::of_this_run(1..=4)) {
        let bot = stage.bot().await;
        send(&stage, ADA, thread, &form(&[("review", "in 1 day")])).await;
        wait_pinned(&stage, thread, &format!("Decision {n}:")).await;
        bot.kill().await;
        stage.alter("UPDATE decision SET review_ms = 1000").await;
        let asked = format!("Decision {n}: how did it turn out?");
        stage.bot_killed_after(commits, || !cards(&stage, thread, &asked).is_empty()).await;
        let bot = stage.bot().await;
        wait_said(&stage, thread, &[&asked]).await;
        wait_none(&stage, "SELECT count(*) FROM outbox WHERE state = 'pending'").await;
        bot.kill().await;
        assert_eq!(cards(&stage, thread, &asked).len(), 1, "after {commits} commits");
    }
}
