//! Replies of Discord that are lost: it did what was asked, and the bot does not know.

use std::time::Duration;

use playground::{
    Fault, Id,
    ids::{ADA, DECISIONS},
};
use serde_json::json;

use crate::{
    resume::scene::{
        Journal, PATIENCE, PROBLEM, card, mediate, posts, press, stage, text_of, texts, usual, wait_over,
        wait_thread,
    },
    support::{
        Stage,
        model::{self, Answer, Money},
        until,
    },
};

const CREATE: &str = "/channels/*/messages";
/// The live card, two rounds, the check of the draft, the memo in two, points, vote, closing.
const POSTS: usize = 9;

/// Nothing twice, nothing missing.
async fn check(stage: &Stage) {
    let thread = wait_over(stage, "Done").await;
    let mut said = texts(stage, thread);
    assert_eq!(said.len(), POSTS - 1, "{said:#?}");
    said.sort();
    said.dedup();
    assert_eq!(said.len(), POSTS - 1, "something is there twice");
    assert_eq!(posts(stage, DECISIONS).len(), 1, "one live card");
    assert_eq!(stage.discord.threads(DECISIONS).len(), 1);
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    let mut sent = Journal::read(stage).await.sent;
    sent.sort_unstable();
    sent.dedup();
    assert_eq!(sent.len(), POSTS, "every post is known by the number of its own message");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_whose_reply_is_lost_is_there_once() {
    let stage = stage().await;
    let bot = stage.bot().await;
    // The live card's, one in the middle, and one three times over.
    stage.discord.faults().after("POST", CREATE, 0, 1, Fault::LoseReply);
    stage.discord.faults().after("POST", CREATE, 4, 1, Fault::LoseReply);
    stage.discord.faults().after("POST", CREATE, 7, 3, Fault::LoseReply);
    mediate(&stage);
    check(&stage).await;
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_whose_reply_is_lost_is_there_once() {
    let stage = stage().await;
    let bot = stage.bot().await;
    // More often than the request is repeated by itself.
    stage.discord.faults().lose_reply("POST", "/channels/*/messages/*/threads", 6);
    mediate(&stage);
    check(&stage).await;
    bot.kill().await;
}

/// The bot is killed after Discord has taken a post and before it knows; it comes back when Discord has
/// forgotten the nonce.
async fn after_the_nonce_is_forgotten(skip: usize) {
    let stage = stage().await;
    let bot = stage.bot().await;
    stage.discord.faults().after("POST", CREATE, skip, 1, Fault::SlowReply(Duration::from_mins(1)));
    mediate(&stage);
    let arrived = async {
        while posts(&stage, DECISIONS).is_empty()
            || (skip > 0 && texts(&stage, wait_thread(&stage).await).len() < skip)
        {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, arrived).await.expect("the post arrives");
    bot.kill().await;
    stage.discord.faults().clear();
    forget(&stage).await;

    let bot = stage.bot_that_halts(None).await;
    check(&stage).await;
    bot.kill().await;
}

/// Lets the minutes pass for which Discord remembers nonces, without waiting for them.
async fn forget(stage: &Stage) {
    stage.discord.faults().forget_nonces(false);
    let sql = "UPDATE outbox SET first_try_ms = first_try_ms - 61000 WHERE state = 'pending'";
    stage.alter(sql).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_live_card_is_found_again_when_its_nonce_is_forgotten() {
    after_the_nonce_is_forgotten(0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_is_found_again_when_its_nonce_is_forgotten() {
    futures::join!(
        after_the_nonce_is_forgotten(1),
        after_the_nonce_is_forgotten(5),
        after_the_nonce_is_forgotten(POSTS - 1)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_that_never_arrived_is_sent_though_its_nonce_is_forgotten() {
    let stage = stage().await;
    let bot = stage.bot().await;
    stage.discord.faults().after("POST", CREATE, 3, 1_000, Fault::Stall(Duration::from_mins(1)));
    mediate(&stage);
    let tried = "SELECT count(*) FROM outbox WHERE state = 'pending' AND tries > 0
        AND (SELECT count(message_id) FROM outbox) >= 3";
    let thread = wait_thread(&stage).await;
    stage.wait_until(thread, "a fourth was tried", async || stage.number(tried).await > 0).await;
    bot.kill().await;
    stage.discord.faults().clear();
    forget(&stage).await;
    let bot = stage.bot_that_halts(None).await;
    check(&stage).await;
    bot.kill().await;
}

/// Two people ask the same at the same moment: their cards look alike, and each has to be found as what it is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_cards_that_look_alike_each_is_found_as_its_own() {
    let stage = stage().await;
    let bot = stage.bot().await;
    stage.discord.faults().on("POST", CREATE, 2, Fault::SlowReply(Duration::from_mins(1)));
    stage.discord.faults().on("POST", CREATE, 100, Fault::Stall(Duration::from_mins(1)));
    let member = stage.discord.client();
    for _ in 0..2 {
        member.run_command(ADA, DECISIONS, "mediate", json!({"problem": PROBLEM})).unwrap();
    }
    until(|| posts(&stage, DECISIONS).len() >= 2, || "both cards arrived").await;
    bot.kill().await;
    stage.discord.faults().clear();
    forget(&stage).await;

    let bot = stage.bot_that_halts(None).await;
    let until = tokio::time::Instant::now() + PATIENCE;
    while card(&stage).matches("✅ Done").count() < 2 || !Journal::read(&stage).await.unsent.is_empty() {
        assert!(tokio::time::Instant::now() < until, "{}", card(&stage));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    bot.kill().await;
    assert_eq!(posts(&stage, DECISIONS).len(), 2, "two live cards");
    assert_eq!(stage.discord.threads(DECISIONS).len(), 2);
    for thread in stage.discord.threads(DECISIONS) {
        let thread: Id = thread["id"].as_str().unwrap().parse().unwrap();
        assert_eq!(texts(&stage, thread).len(), POSTS - 1);
    }
}

/// A moderator deletes a post before the bot knows that it had been taken: it is not posted a second time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_that_was_deleted_meanwhile_is_not_posted_again() {
    let stage = stage().await;
    let bot = stage.bot().await;
    stage.discord.faults().after("POST", CREATE, 3, 1, Fault::SlowReply(Duration::from_mins(1)));
    mediate(&stage);
    let thread = wait_thread(&stage).await;
    until(|| posts(&stage, thread).len() >= 3, || "three posts arrived").await;
    bot.kill().await;
    let deleted = posts(&stage, thread).pop().unwrap();
    stage.discord.faults().delete_message(thread, deleted["id"].as_str().unwrap().parse().unwrap());
    let bot = stage.bot_that_halts(None).await;
    wait_over(&stage, "Done").await;
    bot.kill().await;
    let said = texts(&stage, thread);
    assert_eq!(said.len(), POSTS - 2, "{said:#?}");
    assert!(!said.contains(&text_of(&deleted)), "it was deleted, and it stays deleted");
    assert_eq!(Journal::read(&stage).await.sessions, ["done"]);
}

/// The same notice twice: the second, which never arrived, is not taken for the first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_posts_that_say_the_same_both_are_there() {
    let stage = stage().await;
    stage.model.on(|call| match call.schema_name.as_deref() {
        Some("memo") => Some(Answer::Fault(model::Fault::Money(Money::Status))),
        _ => Some(usual(call)),
    });
    let notices = || {
        let said = stage.discord.threads(DECISIONS).len();
        if said == 0 {
            0
        } else {
            texts(&stage, crate::resume::scene::thread(&stage).unwrap()).join("\n").matches("credit").count()
        }
    };
    let bot = stage.bot().await;
    // The card, two rounds, the check, and the first notice.
    stage.discord.faults().after("POST", CREATE, 5, 1_000, Fault::Stall(Duration::from_mins(1)));
    mediate(&stage);
    wait_over(&stage, "Paused").await;
    assert_eq!(notices(), 1);
    press(&stage, "resume").await;
    let again = "SELECT count(*) FROM session WHERE state = 'paused'
        AND EXISTS (SELECT 1 FROM outbox WHERE state = 'pending' AND tries > 0)";
    let here = wait_thread(&stage).await;
    stage.wait_until(here, "a second pause", async || stage.number(again).await > 0).await;
    bot.kill().await;
    stage.discord.faults().clear();
    forget(&stage).await;
    let bot = stage.bot_that_halts(None).await;
    wait_over(&stage, "Paused").await;
    bot.kill().await;
    assert_eq!(notices(), 2);
}
