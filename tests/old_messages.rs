//! Messages that are older than an hour and were edited often: Discord takes no more edits of them (error 30046). What
//! was refused is not asked for again, the session's card is gone on with in another message, and nobody else notices.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use discord::{Ack, ApplicationId, Discord, Kind};
use domain::{ChannelId, InteractionId, MessageId, Pace, Post};
use futures::{StreamExt, stream};
use playground::{
    Fault, Id,
    ids::{ADA, BEN, CHLOE, DECISIONS},
};
use serde_json::{Value, json};

use crate::{
    discord::server::{Server, answer, post},
    support::{
        Stage, nothing_comes,
        play::{PATIENCE, id, is_private, read},
        refused_edits, wait_for_end,
    },
    vote::scene::Voting,
};

/// From now on a message is too old to be edited.
fn grows_old(stage: &Stage, channel: Id, message: Id) {
    let path = format!("/channels/{channel}/messages/{message}");
    stage.discord.faults().on("PATCH", &path, usize::MAX, Fault::TOO_OLD);
}

/// The cards that took the place of the first, oldest first.
fn cards_in(stage: &Stage, thread: Id) -> Vec<Value> {
    let all = stage.public(thread).into_iter();
    all.filter(|message| read(message).contains("· session ")).collect()
}

/// Waits until the newest card of a thread says something.
async fn wait_newest(stage: &Stage, thread: Id, phrase: &str) -> Value {
    let until = tokio::time::Instant::now() + PATIENCE;
    loop {
        if let Some(card) = cards_in(stage, thread).pop().filter(|card| read(card).contains(phrase)) {
            return card;
        }
        assert!(tokio::time::Instant::now() < until, "{phrase:?} on no card of\n{}", stage.read(thread));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_card_too_old_to_edit_is_let_be_and_another_goes_on_in_its_place() {
    let mut stage = Stage::start().await;
    stage.pace = Pace::faster(100);
    stage.model.latency(Duration::from_millis(2_500));
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.wait_card(thread, "Step 1").await;
    grows_old(&stage, DECISIONS, thread);
    let card = wait_newest(&stage, thread, "▶️ Running").await;
    let asked = refused_edits(&stage, thread);
    assert!(asked <= 2, "refused {asked} times before another took its place: minutes apart, not for ever");

    // The old card's buttons work, and what they do is seen on the new one.
    let pressed = stage.press_card(ADA, thread, "Pause").await;
    assert!(is_private(&pressed, ADA) && pressed.text().contains("Paused"), "{}", pressed.text());
    let shown = wait_newest(&stage, thread, "⏸️ Paused").await;
    assert_eq!(shown["id"], card["id"], "it is the same message, edited");
    assert!(stage.press(ADA, thread, &shown, "Resume").await.text().contains("Resumed"));

    // A new process goes on with the card that is the live one.
    bot.kill().await;
    let asked = refused_edits(&stage, thread);
    let bot = stage.bot().await;
    wait_for_end(&stage, thread).await;
    wait_newest(&stage, thread, "✅ Done").await;
    assert_eq!(refused_edits(&stage, thread), asked, "nobody edits the old one any more");
    assert_eq!(cards_in(&stage, thread).len(), 1);
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_word_of_a_card_too_old_to_edit_is_said_by_one_other_also_when_killed_on_the_way() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.latency(Duration::from_millis(300));
    let thread = stage.mediate(json!({})).await;
    stage.wait_for(thread, "Risk · round 1").await;
    grows_old(&stage, DECISIONS, thread);
    wait_for_end(&stage, thread).await;
    // It is posted and the answer is lost, once and again; then the process dies.
    stage.discord.faults().lose_reply("POST", &format!("/channels/{thread}/messages"), 2);
    wait_newest(&stage, thread, "✅ Done").await;
    bot.kill().await;
    let bot = stage.bot().await;
    nothing_comes(Duration::from_secs(2)).await;
    wait_newest(&stage, thread, "✅ Done").await;
    assert_eq!(cards_in(&stage, thread).len(), 1, "{}", stage.read(thread));
    let asked = refused_edits(&stage, thread);
    assert!(asked <= 3, "refused {asked} times");
    // Seen to: the next start has nothing to do.
    let seen_to = async || bot.store.unfinished_sessions().await.unwrap().is_empty();
    stage.wait_until(thread, "that the session is seen to", seen_to).await;
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panel_too_old_to_edit_is_asked_for_once_for_what_it_would_show() {
    let mut stage = Stage::start().await;
    stage.pace = Pace::faster(50);
    let voting = Voting::on(stage, json!({})).await;
    let panel = id(&voting.panel()["id"]);
    voting.panel_shown().await;
    grows_old(&voting.stage, voting.thread, panel);
    let began = tokio::time::Instant::now();
    for member in [ADA, BEN, CHLOE] {
        voting.all(member, "1").await;
    }
    // The pause between two tries is what is tested: five minutes are six seconds here.
    tokio::time::sleep(Duration::from_secs(3)).await;
    let asked = refused_edits(&voting.stage, panel);
    assert!(began.elapsed() > Duration::from_secs(6) || asked == 1, "asked for {asked} times");
    assert!((1..=2).contains(&asked), "asked for {asked} times");
    tokio::time::sleep(Duration::from_secs(7)).await;
    let asked = refused_edits(&voting.stage, panel);
    assert_eq!(asked, 2, "what changed meanwhile is tried once more, and then let be");
    assert!(voting.points(CHLOE).await.is_some(), "the ballots count all the same");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn interactions_are_answered_however_much_was_refused() {
    const REFUSED: usize = 5_000;
    let asked = AtomicUsize::new(0);
    let server = Server::start(move |_, request| {
        let body = |code: u32| json!({"message": "no", "code": code}).to_string();
        if request.line.contains("/callback") {
            return answer(204, &[], String::new());
        }
        if request.line.contains("/webhooks/") {
            asked.fetch_add(1, Ordering::Relaxed);
            return answer(403, &[], body(50_013));
        }
        answer(429, &[], body(30_046))
    })
    .await;
    let discord = server.discord();
    let edit = async |discord: &Discord| {
        let said = discord.edit_message(ChannelId(1), MessageId(2), &post("x"), &[]).await;
        said.unwrap_err()
    };
    for _ in 0..3 {
        assert_eq!(edit(&discord).await.kind, Kind::TooOldToEdit);
    }
    stream::iter(0..REFUSED)
        .for_each_concurrent(20, async |nth| {
            let token = format!("token-{nth}");
            let said = discord.edit_reply(ApplicationId(7), &token, &Post::default(), &[]).await;
            assert_eq!(said.unwrap_err().code, Some(50_013), "each is asked of Discord itself");
        })
        .await;
    assert_eq!(edit(&discord).await.kind, Kind::RateLimited, "the brake holds what the bot does by itself");
    discord.acknowledge(InteractionId(9), "token", Ack::DeferPrivate).await.expect("and nobody's answer");
}
