//! Killed with ballots in, killed between closing and counting, killed at every commit of the end: nothing is lost,
//! nothing is there twice.

use domain::{Closed, Tally};
use playground::ids::{ADA, BEN, CHLOE};
use serde_json::json;

use crate::{
    support::play::read,
    vote::scene::{Voting, alter, component},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ballots_and_proposals_outlive_the_process_and_the_panel_catches_up() {
    let mut voting = Voting::open(json!({})).await;
    voting.all(ADA, "1").await;
    voting.propose(BEN, "Lease cargo bikes", "From the town.").await;
    voting.wait("the panel shows it", async || read(&voting.panel()).contains("Lease cargo bikes")).await;
    let before = read(&voting.panel());
    // A ballot that was written in the last moment before the kill: its panel was never drawn.
    voting.kill().await;
    let ballot = "INSERT INTO ballot SELECT session_id, key, ?1, 'Ben', '[0,4,6]', 5, 5 FROM vote";
    assert_eq!(alter(&voting.stage, ballot, BEN.cast_signed()).await, 1);
    assert_eq!(
        alter(&voting.stage, "UPDATE panel SET revision = revision + ?1 WHERE key = 'vote'", 1).await,
        1
    );
    voting.start().await;
    voting.wait("the panel shows Ben's vote", async || read(&voting.panel()) != before).await;
    assert_eq!(voting.points(ADA).await, Some(vec![10, 0, 0]));
    assert_eq!(voting.points(BEN).await, Some(vec![0, 4, 6]));
    voting.all(CHLOE, "3").await;
    voting.all(BEN, "3").await;
    voting.close().await;
    voting.wait_counted().await;
    assert_eq!(Tally::count(&voting.vote().await.vote).team.points, [10, 0, 20]);
    voting.wait_result().await;
    voting.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_vote_that_was_closed_and_not_counted_is_counted_at_the_next_start() {
    let mut voting = Voting::open(json!({})).await;
    voting.all(BEN, "2").await;
    let panel = voting.panel();
    voting.kill().await;
    let closed = "UPDATE vote SET state = 'closed', closed_ms = deadline_ms, closed_why = 'person', \
                  closed_by_id = ?1, closed_by_name = 'Ada', remind_ms = NULL";
    assert_eq!(alter(&voting.stage, closed, ADA.cast_signed()).await, 1);
    voting.start().await;
    assert_eq!(voting.wait_counted().await, Closed::Person("Ada".to_owned()));
    voting.wait_result().await;
    voting.wait("the panel is closed", async || component(&voting.again(&panel), "vote_all").is_none()).await;
    voting.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_commit_of_its_end_a_vote_is_counted_once() {
    let mut voting = Voting::open(json!({})).await;
    voting.all(ADA, "1").await;
    voting.all(BEN, "2").await;
    voting.kill().await;
    assert_eq!(alter(&voting.stage, "UPDATE vote SET opened_ms = 1, deadline_ms = ?1", 2).await, 1);
    let thread = voting.thread;
    let before = voting.stage.public(thread).len();
    let mut made = 0;
    for commits in 1..=4 {
        made += voting.stage.bot_killed_after(commits, || voting.stage.public(thread).len() > before).await;
    }
    assert!(made >= 4, "it was killed on the way, after {made} commits");
    voting.start().await;
    assert_eq!(voting.wait_counted().await, Closed::Deadline);
    voting.wait_result().await;
    let results = voting.posted("vote/result").await.len();
    voting
        .wait("everything is sent", async || {
            voting.bot().store.next_post(&voting.session).await.unwrap().is_none()
        })
        .await;
    assert_eq!(
        voting.stage.public(thread).len(),
        before + results.max(voting.posted("vote/result").await.len())
    );
    voting.stage.nothing_amiss_but_repeats();
}
