//! The gateway: identify, intents, heartbeats, resume, close codes.

use std::time::Duration;

use playground::{Options, Playground, ids};
use serde_json::json;

use crate::wire::{Gateway, INTENTS, callback, post, register, without_limits};

#[tokio::test]
async fn ready_then_the_servers() {
    let discord = without_limits().await;
    let (mut gateway, ready) = Gateway::ready(&discord, INTENTS).await;
    assert_eq!(ready["guilds"].as_array().unwrap().len(), 2);
    assert!(ready["resume_gateway_url"].as_str().unwrap().starts_with("ws://127.0.0.1:"));
    let guild = gateway.event("GUILD_CREATE").await;
    assert_eq!((&guild["name"], guild["channels"].as_array().unwrap().len()), (&json!("Riverside Foods"), 4));
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
    let properties = json!({"os": "linux", "browser": "test", "device": "test"});
    let identify = |token: &str, intents: u64| json!({"op": 2, "d": {"token": token, "intents": intents, "properties": properties}});
    let good = identify(discord.token(), INTENTS);
    for (sent, code, why) in [
        (vec![identify("wrong", INTENTS)], 4004, "a token of nobody"),
        (vec![identify(discord.token(), INTENTS | 1 << 15)], 4014, "a privileged intent"),
        (vec![identify(discord.token(), 1 << 40)], 4013, "an intent that there is not"),
        (vec![json!({"op": 3, "d": {}})], 4003, "before it said who it is"),
        (vec![json!({"op": 99, "d": {}})], 4001, "no such operation"),
        (vec![good.clone(), good], 4005, "twice"),
        (vec![json!({"op": 1, "d": "x".repeat(5000)})], 4002, "too long"),
    ] {
        let mut gateway = Gateway::connect(&discord).await;
        for payload in sent {
            gateway.send(payload).await;
        }
        assert_eq!(gateway.closed().await, code, "{why}");
    }
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
    discord.faults().deny(ids::DECISIONS, playground::bits::VIEW_CHANNEL, true);
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

#[tokio::test]
async fn identifying_too_often_is_refused_when_asked_for() {
    let discord = Playground::start(Options { limit_identify: true, ..Options::default() }).await.unwrap();
    let (_first, _) = Gateway::ready(&discord, INTENTS).await;
    let mut second = Gateway::connect(&discord).await;
    second.identify(discord.token(), INTENTS).await;
    let refused = second.next().await.unwrap();
    assert_eq!((&refused["op"], &refused["d"]), (&json!(9), &json!(false)));
}

#[tokio::test]
async fn two_processes_hear_the_same() {
    let discord = without_limits().await;
    let (mut one, _) = Gateway::ready(&discord, INTENTS).await;
    let (mut two, _) = Gateway::ready(&discord, INTENTS).await;
    discord.client().say(ids::ADA, ids::GENERAL, &format!("<@{}>", ids::BOT)).unwrap();
    assert_eq!(one.event("MESSAGE_CREATE").await["id"], two.event("MESSAGE_CREATE").await["id"]);
    drop(one);
    for _ in 0..20 {
        let (gateway, _) = Gateway::ready(&discord, INTENTS).await;
        drop(gateway);
    }
    discord.client().say(ids::ADA, ids::GENERAL, &format!("<@{}> again", ids::BOT)).unwrap();
    assert!(two.event("MESSAGE_CREATE").await["content"].as_str().unwrap().ends_with("again"));
}

/// A process that was killed is not noticed at once: whoever starts the next one waits for that one.
#[tokio::test]
async fn a_bot_that_has_gone_is_not_taken_for_the_next_one() {
    let discord = without_limits().await;
    register(&discord).await;
    let client = discord.client();
    let soon = Duration::from_millis(100);
    let (mut dead, ready) = Gateway::ready(&discord, INTENTS).await;
    let before = discord.connections();
    assert!(client.wait_bot(soon).await && !client.wait_bot_after(before, soon).await, "only the old one");
    let (gateway, _) = Gateway::ready(&discord, INTENTS).await;
    assert!(client.wait_bot_after(before, soon).await);

    let before = discord.connections();
    let resume =
        json!({"op": 6, "d": {"token": discord.token(), "session_id": ready["session_id"], "seq": dead.seq}});
    drop(gateway);
    dead = Gateway::connect(&discord).await;
    dead.send(resume).await;
    assert!(client.wait_bot_after(before, Duration::from_secs(10)).await, "one that resumes counts too");
}

/// While nobody listens, a press fails as soon as Discord gives up on it; one who resumes in time still hears it.
#[tokio::test]
async fn a_press_that_nobody_hears_fails_in_time() {
    let within = Duration::from_millis(300);
    let options = Options { acknowledge_within: within, rate_limits: false, ..Options::default() };
    let discord = Playground::start(options).await.unwrap();
    let client = discord.client();
    let (gateway, ready) = Gateway::ready(&discord, INTENTS).await;
    let row = json!([{"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}]}]);
    let card = post(&discord, ids::GENERAL, json!({"content": "c", "components": row})).await.id();
    let seq = gateway.seq;
    drop(gateway);
    let press = async || {
        let pressed = client.click(ids::BEN, ids::GENERAL, card, "go").unwrap();
        let asked = tokio::time::Instant::now();
        (client.wait_reply(pressed).await, asked.elapsed())
    };
    let (seen, took) = press().await;
    assert_eq!(seen.failed.as_deref(), Some("This interaction failed"));
    assert!(took + Duration::from_millis(50) >= within && took < Duration::from_secs(5), "{took:?}");

    let ((seen, _), ()) = tokio::join!(press(), async {
        let mut gateway = Gateway::connect(&discord).await;
        let resume = json!({"token": discord.token(), "session_id": ready["session_id"], "seq": seq});
        gateway.send(json!({"op": 6, "d": resume})).await;
        gateway.event("INTERACTION_CREATE").await;
        let event = gateway.event("INTERACTION_CREATE").await;
        assert_eq!(callback(&discord, &event, json!({"type": 6})).await.status, 204);
    });
    assert_eq!((seen.failed, seen.acknowledged), (None, Some(6)));
}
