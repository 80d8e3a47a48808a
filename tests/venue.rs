//! Where sessions begin: channels for text and announcements, threads that are there, posts of a forum. Where they cannot,
//! the sentence names the nearest place.

use std::time::Duration;

use playground::{
    Id,
    ids::{ADA, BEN, BOT, DECISIONS, GENERAL, RIVERSIDE},
};
use serde_json::{Value, json};

use crate::support::{
    Stage, has, has_not,
    play::{id, read, thread_of},
    thirds, wait_for_end,
};

const PROBLEM: &str = "Do we open the bakery on Sundays?";

/// Starts a mediation in a thread that is there.
async fn mediate_in(stage: &Stage, thread: Id) -> Id {
    stage.started(ADA, thread, "mediate", json!({ "problem": PROBLEM })).await
}

fn posts(stage: &Stage, channel: Id) -> Vec<Value> {
    let own = |post: &Value| post["author"]["bot"] == true && matches!(post["type"].as_u64(), Some(0 | 19));
    stage.public(channel).into_iter().filter(own).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn within_a_thread_all_of_it_happens_there() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let client = stage.discord.client();
    let thread = client.open_thread(ADA, DECISIONS, "Sundays", false);
    for n in 0..3 {
        client.say(BEN, thread, &format!("<@{BOT}> what do you think of part {n}?")).unwrap();
    }
    assert_eq!(mediate_in(&stage, thread).await, thread, "no thread of its own");
    wait_for_end(&stage, thread).await;
    let told = posts(&stage, thread);
    has(&read(&told[0]), &[PROBLEM, "· session "]);
    assert!(posts(&stage, DECISIONS).is_empty(), "and nothing in the channel");
    let card = id(&told[0]["id"]);
    let done = client.wait_message(thread, Duration::from_secs(20), |post| {
        id(&post["id"]) == card && read(post).contains("✅ Done")
    });
    assert!(done.await.is_some(), "the card there is kept true");

    // What was said there before it began is no question to it, also when the thread is read back after a restart.
    bot.kill().await;
    let bot = stage.bot().await;
    stage
        .wait_until(thread, "the thread was read back", async || {
            let seen: i64 = sqlx::query_scalar("SELECT last_seen_id FROM session")
                .fetch_one(&stage.rows().await)
                .await
                .unwrap();
            seen.cast_unsigned() > card
        })
        .await;
    let asked: i64 = sqlx::query_scalar("SELECT count(*) FROM brought WHERE kind = 'question'")
        .fetch_one(&stage.rows().await)
        .await
        .unwrap();
    assert_eq!(asked, 0, "{}", stage.read(thread));

    // It is asked there, and found from its channel.
    client.reply(BEN, thread, card, "Who bakes?", true).unwrap();
    stage.wait_for(thread, "Who bakes?").await;
    has(&stage.told(BEN, DECISIONS, "history", json!({})).await, &[&format!("<#{thread}>")]);
    has_not(&stage.told(BEN, GENERAL, "history", json!({})).await, &[&format!("<#{thread}>")]);
    let again = stage.told(BEN, thread, "roundtable", json!({ "problem": PROBLEM })).await;
    has(
        &again,
        &["This thread has its session already", "Use `/roundtable` in a channel or in another thread"],
    );
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_after_any_commit_it_goes_on_in_the_same_thread() {
    let whole = Stage::start().await;
    let bot = whole.bot().await;
    let thread = whole.discord.client().open_thread(ADA, DECISIONS, "Sundays", false);
    mediate_in(&whole, thread).await;
    wait_for_end(&whole, thread).await;
    let wanted = posts(&whole, thread).len();
    bot.kill().await;
    for commits in thirds::of_this_run([1, 2, 3, 4, 6, 9, 14]) {
        let stage = Stage::start().await;
        let client = stage.discord.client();
        let thread = client.open_thread(ADA, DECISIONS, "Sundays", false);
        let bot = stage.bot_that_halts(Some(commits)).await;
        stage.connected().await;
        let ran = client.run_command(ADA, thread, "mediate", json!({ "problem": PROBLEM })).unwrap();
        bot.commits_or_rests(commits).await;
        bot.kill().await;
        let bot = stage.bot().await;
        stage.discord.client().redeliver(ran).unwrap();
        wait_for_end(&stage, thread).await;
        stage
            .wait_until(thread, "everything is posted", async || posts(&stage, thread).len() >= wanted)
            .await;
        assert_eq!(posts(&stage, thread).len(), wanted, "after {commits}:\n{}", stage.read(thread));
        assert!(posts(&stage, DECISIONS).is_empty(), "after {commits}");
        bot.kill().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_forums_post_takes_a_session_and_announcements_open_a_thread() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let client = stage.discord.client();
    let forum = client.add_channel(RIVERSIDE, 15, "ideas");
    let post = client.open_thread(BEN, forum, "Sundays", false);
    assert_eq!(mediate_in(&stage, post).await, post);
    wait_for_end(&stage, post).await;
    assert!(posts(&stage, forum).is_empty());

    let news = client.add_channel(RIVERSIDE, 5, "news");
    let thread = stage.started(ADA, news, "mediate", json!({ "problem": PROBLEM })).await;
    wait_for_end(&stage, thread).await;
    assert_eq!(posts(&stage, news).len(), 1);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_it_cannot_begin_the_nearest_place_is_named() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let client = stage.discord.client();
    let voice = client.add_channel(RIVERSIDE, 2, "Lounge");
    let told = stage.told(ADA, voice, "mediate", json!({ "problem": PROBLEM })).await;
    has(
        &told,
        &["cannot open a thread in a channel of this kind", &format!("Use `/mediate` in <#{DECISIONS}>")],
    );
    let private = client.open_thread(ADA, DECISIONS, "between us", true);
    let told = stage.told(ADA, private, "mediate", json!({ "problem": PROBLEM })).await;
    has(&told, &["This thread is private", &format!("<#{DECISIONS}>")]);
    let locked = client.open_thread(ADA, DECISIONS, "over", false);
    stage.discord.faults().set_thread(locked, false, true);
    let told = stage.told(ADA, locked, "mediate", json!({ "problem": PROBLEM })).await;
    has(&told, &["This thread is locked", &format!("in <#{DECISIONS}>")]);
    assert_eq!(stage.model.calls().len(), 0, "nothing was asked");
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_who_begin_in_one_thread_at_once_have_one_session() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let client = stage.discord.client();
    let thread = client.open_thread(ADA, DECISIONS, "Sundays", false);
    let starts = |member: Id| {
        let ran = client.run_command(member, thread, "mediate", json!({ "problem": PROBLEM })).unwrap();
        let client = client.clone();
        async move { client.wait_reply(ran).await }
    };
    let (ada, ben) = tokio::join!(starts(ADA), starts(BEN));
    let told = [ada.text(), ben.text()];
    assert_eq!(told.iter().filter(|told| told.contains("It has begun")).count(), 1, "{told:?}");
    assert_eq!(
        told.iter().filter(|told| told.contains("This thread has its session already")).count(),
        1,
        "{told:?}"
    );
    let (begun, member) = if told[0].contains("It has begun") { (&ada, ADA) } else { (&ben, BEN) };
    assert_eq!(thread_of(begun, member), thread);
    wait_for_end(&stage, thread).await;
    bot.kill().await;
}
