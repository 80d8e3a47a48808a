//! Against the project's own stand-in for Discord, which knows the rules and notes every breach.

use std::time::Duration;

use discord::{Discord, Kind, Nonce, Upload, Urgency};
use domain::{ChannelId, MessageId, Pace, Secret, SessionId, StepKey};
use futures::future::join_all;
use playground::{Fault, Limited, Options, Playground, bits, ids};

use crate::discord::server::post;

const DECISIONS: ChannelId = ChannelId(ids::DECISIONS);

async fn start() -> (Playground, Discord) {
    let options = Options { extra_channels: 4, keep_bodies: true, ..Options::default() };
    let playground = Playground::start(options).await.unwrap();
    let discord =
        Discord::new(playground.url().parse().unwrap(), Secret::new(playground.token()), Pace::REAL).unwrap();
    (playground, discord)
}

fn nonce(part: usize) -> Nonce {
    Nonce::new(&SessionId::from_bits(7), &StepKey::from("x"), part)
}

#[tokio::test]
async fn a_session_s_posts_break_no_rule() {
    let (playground, discord) = start().await;
    assert_eq!(discord.me().await.unwrap().id.0, ids::BOT);
    let channel = discord.channel(DECISIONS).await.unwrap();
    assert!(!channel.is_thread() && channel.guild_id.is_some());
    let upload = |name: &str| Upload {
        name: name.into(),
        alt: "The points".into(),
        mime: "image/png".into(),
        bytes: vec![7; 100].into(),
    };
    let mut card = post("Card");
    card.embeds[0].image = Some("points.png".into());
    let first =
        discord.create_message(DECISIONS, &card, &[upload("points.png")], &nonce(0), None).await.unwrap();
    let thread = discord.start_thread(DECISIONS, first, "Food delivery").await.unwrap();
    assert_eq!(discord.start_thread(DECISIONS, first, "Food delivery").await, Ok(thread));
    let reply = discord.create_message(thread, &post("In reply"), &[], &nonce(1), None).await.unwrap();
    let last = discord.create_message(thread, &post("More"), &[], &nonce(2), Some(reply)).await.unwrap();
    discord.edit_message(thread, reply, &card, &[upload("points.png"), upload("raw.txt")]).await.unwrap();
    discord.edit_message(thread, reply, &post("Without files"), &[]).await.unwrap();
    discord.pin(thread, reply).await.unwrap();
    discord.rename_thread(thread, "Decided").await.unwrap();
    assert_eq!(discord.channel(thread).await.unwrap().name.as_deref(), Some("Decided"));
    let seen = discord.messages_after(thread, MessageId(reply.0 - 1), 100, Urgency::Now).await.unwrap();
    let mine: Vec<_> = seen.iter().filter(|m| m.author.0 == ids::BOT && m.nonce.is_some()).collect();
    assert!(mine.is_empty() || mine[0].nonce.as_deref() == Some(nonce(1).as_str()));
    assert!(seen.iter().any(|message| message.id == last));
    assert_eq!(discord.message(thread, last).await.unwrap().id, last);
    let edited = playground.messages(thread.0).into_iter().find(|m| m["id"] == reply.to_string()).unwrap();
    assert_eq!(edited["attachments"].as_array().unwrap().len(), 0);
    // Starting the thread a second time is the one thing the stand-in has to refuse here.
    let broken: Vec<String> = playground.violations().into_iter().filter(|v| !v.contains("thread")).collect();
    assert!(broken.is_empty(), "{broken:?}");
    for request in playground.requests() {
        if let Some(body) = request.body.filter(|body| body.get("embeds").is_some()) {
            assert_eq!(body["allowed_mentions"]["parse"], serde_json::json!([]), "{}", request.path);
        }
    }
}

#[tokio::test]
async fn a_lost_reply_and_the_same_nonce_make_one_message() {
    let (playground, discord) = start().await;
    playground.faults().lose_reply("POST", "/channels/*/messages", 1);
    let error = discord.create_message(DECISIONS, &post("x"), &[], &nonce(0), None).await.unwrap_err();
    assert!(error.is_transient());
    let id = discord.create_message(DECISIONS, &post("x"), &[], &nonce(0), None).await.unwrap();
    let again = discord.create_message(DECISIONS, &post("x"), &[], &nonce(0), None).await.unwrap();
    assert_eq!(id, again);
    assert_eq!(playground.messages(DECISIONS.0).len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_sessions_worth_of_posts_meet_no_429() {
    let (playground, discord) = start().await;
    let mut all = Vec::new();
    for part in 0..12 {
        for channel in 0..4 {
            let discord = discord.clone();
            all.push(tokio::spawn(async move {
                let channel = ChannelId(ids::EXTRA_CHANNEL + channel);
                let nonce = Nonce::new(&SessionId::from_bits(channel.0), &StepKey::from("x"), part);
                let message = discord.create_message(channel, &post("x"), &[], &nonce, None).await.unwrap();
                discord.messages_after(channel, message, 10, Urgency::Later).await.unwrap();
            }));
        }
    }
    for one in join_all(all).await {
        one.unwrap();
    }
    assert_eq!(playground.limited(), 0);
    assert_eq!(playground.messages(ids::EXTRA_CHANNEL).len(), 12);
}

#[tokio::test]
async fn who_the_bot_is_is_asked_until_it_is_known_and_then_never_again() {
    let (playground, discord) = start().await;
    let asked =
        || playground.requests().iter().filter(|request| request.path.ends_with("/users/@me")).count();
    playground.faults().on("GET", "/users/@me", 1, Fault::Refused(403, 50_001, "Missing Access"));
    assert!(discord.me().await.is_err());
    let told = join_all((0..100).map(|_| discord.me())).await;
    assert!(told.iter().all(|me| me.as_ref().is_ok_and(|me| me.id.0 == ids::BOT)));
    assert_eq!(discord.clone().me().await.unwrap().id.0, ids::BOT);
    assert_eq!(asked(), 2);
}

/// A start with many sessions that go on: nobody reaches the bot before these are answered.
#[tokio::test]
async fn what_a_start_asks_passes_all_posts_that_wait() {
    let (playground, discord) = start().await;
    let posts = (0..12).flat_map(|part| (0..4).map(move |channel| (part, ids::EXTRA_CHANNEL + channel)));
    let posts = join_all(posts.map(|(part, channel)| {
        let (discord, nonce) =
            (&discord, Nonce::new(&SessionId::from_bits(channel), &StepKey::from("x"), part));
        async move { discord.create_message(ChannelId(channel), &post("x"), &[], &nonce, None).await }
    }));
    let asks = async {
        // The posts are there first.
        tokio::task::yield_now().await;
        discord.me().await.unwrap();
        discord.gateway().await.unwrap();
        playground.requests().iter().filter(|request| request.method == "POST").count()
    };
    let (posted, before) = tokio::join!(posts, asks);
    assert!(posted.iter().all(Result::is_ok));
    // Five may go at once, and one or two go between the two questions.
    assert!(before <= 12, "{before} of 48 posts went first");
}

#[tokio::test]
async fn every_kind_of_429_is_lived_through() {
    let (playground, discord) = start().await;
    let plain = Limited { retry_after: 0.3, ..Limited::default() };
    for (part, limited) in [
        plain.clone(),
        Limited { scope: "global", ..plain.clone() },
        Limited { scope: "shared", ..plain.clone() },
        Limited { without_headers: true, ..plain.clone() },
        Limited { junk: true, ..plain },
    ]
    .into_iter()
    .enumerate()
    {
        playground.faults().on("POST", "/channels/*/messages", 1, Fault::Limited(limited.clone()));
        let (post, nonce) = (post("x"), nonce(part));
        let wrote = discord.create_message(DECISIONS, &post, &[], &nonce, None);
        let wrote = tokio::time::timeout(Duration::from_secs(8), wrote).await.unwrap();
        assert!(wrote.is_ok(), "{limited:?}: {wrote:?}");
    }
    assert_eq!(playground.messages(DECISIONS.0).len(), 5);
    assert_eq!(playground.limited(), 5);
}

#[tokio::test]
async fn states_of_threads_and_permissions_are_told_apart() {
    let (playground, discord) = start().await;
    let first = discord.create_message(DECISIONS, &post("x"), &[], &nonce(0), None).await.unwrap();
    let thread = discord.start_thread(DECISIONS, first, "T").await.unwrap();
    let inside = discord.create_message(thread, &post("x"), &[], &nonce(1), None).await.unwrap();
    playground.faults().set_thread(thread.0, true, false);
    let error = discord.edit_message(thread, inside, &post("y"), &[]).await.unwrap_err();
    assert_eq!(error.kind, Kind::Archived, "{error}");
    discord.archive_thread(thread, false).await.unwrap();
    discord.edit_message(thread, inside, &post("y"), &[]).await.unwrap();
    playground.faults().set_thread(thread.0, true, true);
    let error = discord.create_message(thread, &post("x"), &[], &nonce(2), None).await.unwrap_err();
    assert_eq!(error.kind, Kind::Locked, "{error}");
    playground.faults().delete_message(DECISIONS.0, first.0);
    let error = discord.edit_message(DECISIONS, first, &post("y"), &[]).await.unwrap_err();
    assert_eq!(error.kind, Kind::Gone, "{error}");
    playground.faults().deny(DECISIONS.0, bits::SEND_MESSAGES, true);
    let error = discord.create_message(DECISIONS, &post("x"), &[], &nonce(3), None).await.unwrap_err();
    assert!(matches!(error.kind, Kind::MissingPermission(Some(_))), "{error}");
    playground.faults().delete_channel(thread.0);
    let error = discord.create_message(thread, &post("x"), &[], &nonce(4), None).await.unwrap_err();
    assert_eq!(error.kind, Kind::Gone, "{error}");
    let stranger = Discord::new(playground.url().parse().unwrap(), Secret::new("wrong"), Pace::REAL).unwrap();
    assert_eq!(stranger.me().await.unwrap_err().kind, Kind::Unauthorized);
    playground.faults().on("POST", "/channels/*/messages", 1, Fault::Status(502));
    let error = discord.create_message(DECISIONS, &post("x"), &[], &nonce(5), None).await.unwrap_err();
    assert!(error.is_transient());
}
