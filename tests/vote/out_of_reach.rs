//! A vote whose thread was put aside or locked: it closes all the same, and what could not be shown is shown later.

use domain::Closed;
use playground::ids::{ADA, BEN};
use serde_json::json;

use crate::{
    support::play::read,
    vote::scene::{Voting, alter, component},
};

/// Lets the deadline pass while no bot is there.
async fn overdue(voting: &mut Voting) {
    voting.kill().await;
    let passed = "UPDATE vote SET opened_ms = 1, deadline_ms = ?1, remind_ms = NULL";
    assert_eq!(alter(&voting.stage, passed, 2).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_that_was_put_aside_is_brought_back_for_what_changes_in_it() {
    let voting = Voting::open(json!({})).await;
    let spreading = voting.spreading(BEN).await;
    voting.stage.discord.faults().set_thread(voting.thread, true, false);
    let said = voting.send(BEN, &spreading, "spread_type", &["S1 10"]).await;
    assert!(said.contains("Your vote counts"), "{said}");
    let shown = voting.panel_shown().await;
    assert!(shown.contains("1 has voted"), "{shown}");
    voting.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_result_of_a_locked_thread_is_posted_once_it_is_asked_for_again() {
    let mut voting = Voting::open(json!({})).await;
    voting.all(BEN, "2").await;
    voting.panel_shown().await;
    let panel = voting.panel();
    overdue(&mut voting).await;
    voting.stage.discord.faults().set_thread(voting.thread, false, true);
    voting.start().await;
    assert_eq!(voting.wait_counted().await, Closed::Deadline);
    let dead = "SELECT count(*) FROM outbox WHERE state = 'dead' AND post_key = 'vote/result'";
    voting
        .wait("the result is given up", async || {
            let pool = voting.stage.rows().await;
            let count: i64 = sqlx::query_scalar(dead).fetch_one(&pool).await.unwrap();
            pool.close().await;
            count > 0
        })
        .await;

    voting.stage.discord.faults().set_thread(voting.thread, false, false);
    let told = voting.stage.told(ADA, voting.thread, "session retry", json!({})).await;
    assert!(told.contains("They are posted now"), "{told}");
    let result = voting.wait_result().await;
    assert!(result.contains("S2"), "{result}");
    voting
        .wait("the panel takes no more votes", async || {
            component(&voting.again(&panel), "vote_all").is_none()
        })
        .await;
    let told = voting.stage.told(ADA, voting.thread, "session retry", json!({})).await;
    assert!(told.contains("only one that failed"), "{told}");
    assert_eq!(voting.posted("vote/result").await.iter().map(read).collect::<Vec<_>>().join("\n"), result);
}
