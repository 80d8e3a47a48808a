//! The gateway: identify, intents, heartbeats, resume, close codes.

use std::time::Duration;

use quorum::playground::{Options, Playground, ids};
use serde_json::json;

use crate::wire::{Gateway, INTENTS, without_limits};

#[tokio::test]
async fn ready_then_the_servers() {
    let discord = without_limits().await;
    let (mut gateway, ready) = Gateway::ready(&discord, INTENTS).await;
    assert_eq!(ready["guilds"].as_array().unwrap().len(), 2);
    assert!(ready["resume_gateway_url"].as_str().unwrap().starts_with("ws://127.0.0.1:"));
    let guild = gateway.event("GUILD_CREATE").await;
    assert_eq!((&guild["name"], guild["channels"].as_array().unwrap().len()), (&json!("Riverside Foods"), 3));
    gateway.send(json!({"op": 1, "d": null})).await;
    loop {
        if gateway.next().await.unwrap()["op"] == 11 {
            break;
        }
    }
    assert!(discord.bot_online());
}

#[tokio::test]
async fn close_codes() {
    let discord = without_limits().await;
    let mut gateway = Gateway::connect(&discord).await;
    gateway.identify("wrong", INTENTS).await;
    assert_eq!(gateway.closed().await, 4004);
    let mut gateway = Gateway::connect(&discord).await;
    gateway.identify(discord.token(), INTENTS | 1 << 15).await;
    assert_eq!(gateway.closed().await, 4014, "a privileged intent");
    let mut gateway = Gateway::connect(&discord).await;
    gateway.identify(discord.token(), 1 << 40).await;
    assert_eq!(gateway.closed().await, 4013);
    let mut gateway = Gateway::connect(&discord).await;
    gateway.send(json!({"op": 3, "d": {}})).await;
    assert_eq!(gateway.closed().await, 4003);
    let mut gateway = Gateway::connect(&discord).await;
    gateway.send(json!({"op": 99, "d": {}})).await;
    assert_eq!(gateway.closed().await, 4001);
    let (mut gateway, _) = Gateway::ready(&discord, INTENTS).await;
    gateway.identify(discord.token(), INTENTS).await;
    assert_eq!(gateway.closed().await, 4005);
    let mut gateway = Gateway::connect(&discord).await;
    gateway.send(json!({"op": 1, "d": "x".repeat(5000)})).await;
    assert_eq!(gateway.closed().await, 4002);
    let (mut gateway, _) = Gateway::ready(&discord, INTENTS).await;
    for _ in 0..120 {
        gateway.send(json!({"op": 1, "d": null})).await;
    }
    assert_eq!(gateway.closed().await, 4008, "120 a minute");
    assert_eq!(discord.violations().len(), 8);
}

#[tokio::test]
async fn what_was_missed_comes_on_resuming() {
    let discord = without_limits().await;
    let (mut gateway, ready) = Gateway::ready(&discord, INTENTS).await;
    gateway.event("GUILD_CREATE").await;
    gateway.event("GUILD_CREATE").await;
    let seq = gateway.seq;
    discord.faults().close_gateway(4000);
    assert_eq!(gateway.closed().await, 4000);
    discord.client().say(ids::ADA, ids::GENERAL, &format!("<@{}> missed", ids::BOT)).unwrap();
    let resume = |seq: u64| json!({"op": 6, "d": {"token": discord.token(), "session_id": ready["session_id"], "seq": seq}});
    let mut gateway = Gateway::connect(&discord).await;
    gateway.send(resume(seq)).await;
    let missed = gateway.event("MESSAGE_CREATE").await;
    assert!(missed["content"].as_str().unwrap().ends_with("missed"));
    gateway.event("RESUMED").await;

    let mut other = Gateway::connect(&discord).await;
    other.send(resume(seq + 1000)).await;
    assert_eq!(other.closed().await, 4007);
    discord.faults().invalidate_session(false);
    let invalid = gateway.next().await.unwrap();
    assert_eq!((&invalid["op"], &invalid["d"]), (&json!(9), &json!(false)));
    let mut gateway = Gateway::connect(&discord).await;
    gateway.send(resume(seq)).await;
    assert_eq!(gateway.next().await.unwrap()["op"], 9, "a session that is gone");
}

#[tokio::test]
async fn events_follow_intents_and_sight() {
    let discord = without_limits().await;
    let (mut deaf, _) = Gateway::ready(&discord, 1).await;
    let (mut gateway, _) = Gateway::ready(&discord, INTENTS).await;
    discord.faults().deny(ids::DECISIONS, quorum::playground::bits::VIEW_CHANNEL, true);
    discord.client().say(ids::ADA, ids::DECISIONS, "hidden").unwrap();
    discord.client().say(ids::ADA, ids::GENERAL, "seen").unwrap();
    assert_eq!(gateway.event("MESSAGE_CREATE").await["channel_id"], ids::GENERAL.to_string());
    discord.faults().ask_to_reconnect();
    loop {
        let payload = deaf.next().await.unwrap();
        assert_ne!(payload["t"], "MESSAGE_CREATE");
        if payload["op"] == 7 {
            break;
        }
    }
    discord.faults().repeat_events(1);
    let again = gateway.event("MESSAGE_CREATE").await;
    assert_eq!(again["channel_id"], ids::GENERAL.to_string(), "the same event twice");
}

#[tokio::test]
async fn silence_ends_a_connection() {
    let options = Options { heartbeat_interval: Duration::from_millis(100), ..Options::default() };
    let discord = Playground::start(options).await.unwrap();
    let (mut gateway, _) = Gateway::ready(&discord, INTENTS).await;
    assert_eq!(gateway.closed().await, 4009);
    discord.faults().ignore_heartbeats(true);
    let mut gateway = Gateway::connect(&discord).await;
    gateway.send(json!({"op": 1, "d": null})).await;
    let quiet = tokio::time::timeout(Duration::from_millis(80), gateway.next()).await;
    assert!(quiet.is_err(), "no acknowledgement");
}
