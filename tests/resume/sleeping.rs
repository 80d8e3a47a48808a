//! Sessions that sleep: a start asks nothing of Discord for their sake, and they wake at the first press.

use std::time::Duration;

use playground::{
    Id,
    ids::{ADA, BOT},
};

use crate::{
    resume::scene::{card, mediate, press, stage, text_of, wait_over, wait_thread},
    support::{Stage, nothing_comes, play::PATIENCE, until},
};

/// A paused session and its thread, without a bot, and with nothing left to do.
async fn asleep() -> (Stage, Id) {
    let stage = stage().await;
    stage.model.latency(Duration::from_millis(300));
    let bot = stage.bot().await;
    mediate(&stage);
    let thread = wait_thread(&stage).await;
    until(|| stage.model.calls().len() == 3, || "round 1 is under way").await;
    press(&stage, "pause").await;
    settled(&stage).await;
    bot.kill().await;
    (stage, thread)
}

/// Waits until nothing is left to do: all is posted and drawn, and whoever takes part is in the thread.
async fn settled(stage: &Stage) {
    let left = "SELECT (SELECT count(*) FROM card_due) + (SELECT count(*) FROM session WHERE card_state IS NOT state)
                     + (SELECT count(*) FROM outbox WHERE state = 'pending') + (SELECT count(*) FROM attempt WHERE state = 'sent')
                     + (SELECT count(*) FROM participant WHERE added = 0) + (SELECT count(*) FROM mention)
                     + (SELECT count(*) FROM session WHERE rename_due = 1)
                     + (SELECT count(*) FROM panel WHERE shown < revision)";
    stage.wait_number(left, 0).await;
}

/// What a start asks of Discord about channels, threads and messages. The bot lives until it has noted how far the thread
/// is read, or the next start would have to read again, and for a while longer, in which nothing else may come.
async fn asked_by_a_start(stage: &Stage) -> Vec<String> {
    stage.discord.clear_record();
    let bot = stage.bot().await;
    let thread: Id = stage.number("SELECT thread_id FROM session").await.cast_unsigned();
    let newest = stage.discord.messages(thread).last().unwrap()["id"].as_str().unwrap().to_owned();
    stage.wait_number(&format!("SELECT last_seen_id >= {newest} FROM session"), 1).await;
    nothing_comes(Duration::from_secs(2)).await;
    bot.kill().await;
    let asked = stage.discord.requests().into_iter().filter(|request| request.path.contains("channels/"));
    asked.map(|request| format!("{} {}", request.method, request.path)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_asks_nothing_for_the_sake_of_a_session_that_sleeps() {
    let (stage, thread) = asleep().await;
    // What the bot itself has posted may have something before it that nobody has read.
    let read = format!("GET /channels/{thread}/messages");
    assert_eq!(asked_by_a_start(&stage).await, std::slice::from_ref(&read));
    assert_eq!(asked_by_a_start(&stage).await, Vec::<String>::new());
    stage.discord.client().say(ADA, thread, "We talk among ourselves.").unwrap();
    assert_eq!(asked_by_a_start(&stage).await, [read]);
    assert_eq!(asked_by_a_start(&stage).await, Vec::<String>::new());

    let bot = stage.bot().await;
    let said = press(&stage, "resume").await;
    assert!(said.contains("Resumed"), "{said}");
    wait_over(&stage, "Done").await;
    bot.kill().await;
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_asked_of_a_session_that_sleeps_while_the_bot_is_down_is_answered() {
    let (stage, thread) = asleep().await;
    asked_by_a_start(&stage).await;
    let calls = stage.model.calls().len();
    stage.discord.client().say(ADA, thread, &format!("<@{BOT}> What about the riders?")).unwrap();
    let bot = stage.bot().await;
    let answer = |message: &serde_json::Value| text_of(message).contains("💬 Answer");
    stage.discord.client().wait_message(thread, PATIENCE, answer).await.expect("an answer");
    settled(&stage).await;
    bot.kill().await;
    assert_eq!(stage.model.calls().len(), calls + 1);
    assert!(card(&stage).contains("⏸️ Paused"), "{}", card(&stage));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_not_drawn_before_a_kill_is_drawn_after_it() {
    let (stage, _) = asleep().await;
    asked_by_a_start(&stage).await;
    stage.alter("UPDATE session SET notice = 'Paused by Zoë.'").await;
    let asked = asked_by_a_start(&stage).await;
    assert!(asked.len() == 1 && asked[0].starts_with("PATCH "), "{asked:?}");
    assert!(card(&stage).contains("Paused by Zoë."), "{}", card(&stage));
    assert_eq!(asked_by_a_start(&stage).await, Vec::<String>::new());
}
