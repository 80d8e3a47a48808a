//! The end of a vote: by somebody with the right, because everyone has voted, or by its deadline; counted once.

use std::time::Duration;

use domain::{Closed, Tally, VoteState};
use playground::ids::{ADA, BEN, CHLOE};
use serde_json::json;

use crate::{
    support::{nothing_comes, play::read},
    vote::scene::{Voting, alter, component, now_ms},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_started_it_closes_the_vote_and_the_result_sets_both_sides_beside_each_other() {
    let voting = Voting::open(json!({})).await;
    voting.all(ADA, "1").await;
    voting.all(BEN, "2").await;
    voting.all(CHLOE, "1").await;
    let panel = voting.panel();
    let denied = voting.press(BEN, "vote_close").await.text();
    assert!(denied.contains("Only Ada"), "{denied}");
    // Nor by a button that was made up.
    let sure = format!("v1:{}:vote_close_sure:", voting.session);
    let forged = voting.stage.forged_buttons(voting.thread, &[&sure]).await;
    let client = voting.stage.discord.client();
    let pressed = client.click(BEN, voting.thread, forged, &sure).unwrap();
    assert!(voting.private(BEN, pressed).await.contains("Only Ada"));
    assert_eq!(voting.vote().await.vote.state, VoteState::Open);

    let said = voting.close().await;
    assert!(said.contains("The vote is closed"), "{said}");
    assert_eq!(voting.wait_counted().await, Closed::Person("Ada".to_owned()));
    let result = voting.wait_result().await;
    assert!(result.contains("S1") && result.contains("S2"), "{result}");
    let tally = Tally::count(&voting.vote().await.vote);
    assert_eq!((tally.team.points, tally.team.approvals, tally.team.voters), (vec![20, 10], vec![2, 1], 3));
    assert_eq!(tally.experts.voters, 3);
    voting
        .wait("the panel takes no more votes", async || {
            component(&voting.again(&panel), "vote_all").is_none()
        })
        .await;
    let pressed = client.click(ADA, voting.thread, forged, &sure).unwrap();
    assert!(voting.private(ADA, pressed).await.contains("This vote is closed"));
    voting.wait_result().await;
    voting.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn modules_weights_count_on_the_experts_side() {
    let options = json!({"modules": "market cost", "weights": "market=2 cost=0.5"});
    let voting = Voting::open(options).await;
    let experts = voting.vote().await.vote.experts;
    let weights: Vec<f64> = experts.iter().map(|expert| expert.weight).collect();
    assert_eq!(weights, [2.0, 0.5]);
    assert!(experts[0].title.contains("Market") && experts[1].title.contains("Cost"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_vote_closes_when_all_who_were_named_have_voted() {
    let voting = Voting::open(json!({"voters": format!("<@{BEN}> <@{CHLOE}>")})).await;
    voting.all(BEN, "1").await;
    voting.all(BEN, "2").await;
    assert_eq!(voting.vote().await.vote.state, VoteState::Open, "one of two has voted");
    // Both at once, and delivered twice.
    let (chloe, ben) = (voting.start_all(CHLOE, "1"), voting.start_all(BEN, "1"));
    voting.private(CHLOE, chloe).await;
    assert_eq!(voting.wait_counted().await, Closed::Everyone);
    voting.private(BEN, ben).await;
    voting.wait_result().await;
    voting.deliver_again(chloe).await;
    voting.deliver_again(ben).await;
    let ballots = voting.vote().await.vote.ballots;
    assert_eq!(ballots.len(), 2);
    voting.wait_result().await;
    voting.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_vote_closes_at_its_deadline_and_not_before() {
    let mut voting = Voting::open(json!({"vote_hours": 1})).await;
    voting.all(BEN, "1").await;
    let row = voting.vote().await;
    let left = row.deadline_ms.unwrap() - now_ms();
    assert!((3_300_000..=3_600_000).contains(&left), "an hour, not {left} ms");
    voting.kill().await;
    let deadline = now_ms() + 4_000;
    assert_eq!(alter(&voting.stage, "UPDATE vote SET deadline_ms = ?1", deadline).await, 1);
    voting.start().await;
    if now_ms() < deadline - 500 {
        assert_eq!(voting.vote().await.vote.state, VoteState::Open);
    }
    assert_eq!(voting.wait_counted().await, Closed::Deadline);
    let late = now_ms() - deadline;
    // Deadlines are looked at every 20 s in any case; this one is kept when it comes.
    assert!((0..12_000).contains(&late), "closed {late} ms after its deadline");
    voting.wait_result().await;
    voting.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deadline_that_passes_while_the_bot_is_down_is_counted_exactly_once() {
    let mut voting = Voting::open(json!({})).await;
    voting.all(ADA, "2").await;
    voting.all(BEN, "1").await;
    voting.kill().await;
    let passed = "UPDATE vote SET opened_ms = 1, deadline_ms = ?1, remind_ms = 2";
    assert_eq!(alter(&voting.stage, passed, 3).await, 1);
    for _ in 0..3 {
        voting.start().await;
        assert_eq!(voting.wait_counted().await, Closed::Deadline);
        let result = voting.wait_result().await;
        assert_eq!(
            result,
            voting.posted("vote/result").await.iter().map(read).collect::<Vec<_>>().join("\n")
        );
        let tally = Tally::count(&voting.vote().await.vote);
        assert_eq!(tally.team.points, [10, 10]);
        nothing_comes(Duration::from_millis(200)).await;
        voting.kill().await;
    }
    voting.start().await;
    assert!(voting.posted("vote/reminder").await.is_empty(), "nobody is reminded of a vote that is over");
    voting.stage.nothing_amiss_but_repeats();
}
