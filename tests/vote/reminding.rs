//! The reminder to those who have not voted: once, and without a ping unless the server allows it.

use domain::{Pings, UserId, VoteRules};
use playground::ids::{BEN, CHLOE, RIVERSIDE};
use serde_json::json;

use crate::{
    support::Stage,
    vote::scene::{Voting, alter, now_ms},
};

/// Chloé has not voted when the reminder is due, while the bot is down.
async fn reminded(voting: &mut Voting) {
    voting.all(BEN, "1").await;
    voting.kill().await;
    assert_eq!(alter(&voting.stage, "UPDATE vote SET remind_ms = ?1", now_ms()).await, 1);
    for _ in 0..2 {
        voting.start().await;
        voting.wait("the reminder is there", async || !voting.posted("vote/reminder").await.is_empty()).await;
        let posts = voting.posted("vote/reminder").await;
        assert_eq!(posts.len(), 1, "once, whatever restarts in between");
        let text = posts[0].to_string();
        assert!(text.contains(&CHLOE.to_string()), "it names who has not voted: {text}");
        assert!(!text.contains(&BEN.to_string()), "and not who has: {text}");
        voting.kill().await;
    }
    voting.start().await;
    assert_eq!(voting.posted("vote/reminder").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn those_who_have_not_voted_are_reminded_once_and_nobody_is_pinged() {
    let mut voting = Voting::open(json!({"voters": format!("<@{BEN}> <@{CHLOE}>")})).await;
    reminded(&mut voting).await;
    assert_eq!(voting.pings("vote/reminder").await, [Pings::default()]);
    voting.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_may_allow_the_reminder_to_ping_those_alone() {
    let stage = Stage::start().await;
    stage.bot().await.kill().await;
    let rules = VoteRules { ping: true, ..VoteRules::default() };
    let pool = stage.rows().await;
    sqlx::query("INSERT INTO guild_settings VALUES (?1, ?2, 1)")
        .bind(RIVERSIDE.cast_signed())
        .bind(json!({"voting": rules}).to_string())
        .execute(&pool)
        .await
        .unwrap();
    pool.close().await;
    let mut voting = Voting::on(stage, json!({"voters": format!("<@{BEN}> <@{CHLOE}>")})).await;
    reminded(&mut voting).await;
    let expected = Pings { users: vec![UserId(CHLOE)], roles: vec![] };
    assert_eq!(voting.pings("vote/reminder").await, [expected]);
    // On the wire too it can reach Chloé alone.
    let mentions = voting.posted("vote/reminder").await[0]["mentions"].clone();
    let whom: Vec<&str> = mentions.as_array().unwrap().iter().filter_map(|m| m["id"].as_str()).collect();
    assert_eq!(whom, [CHLOE.to_string()]);
    voting.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_vote_shorter_than_the_time_to_remind_has_no_reminder() {
    let voting = Voting::open(json!({"vote_hours": 3})).await;
    let pool = voting.stage.rows().await;
    let remind: Option<i64> =
        sqlx::query_scalar("SELECT remind_ms FROM vote").fetch_one(&pool).await.unwrap();
    assert_eq!(remind, None, "four hours before the end of three are in the past");
    pool.close().await;
}
