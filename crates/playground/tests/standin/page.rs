//! The page's API: who is let in, what each member sees, live events.

use futures::StreamExt as _;
use playground::ids;
use serde_json::{Value, json};

use crate::wire::{Gateway, INTENTS, callback, post, register, without_limits};

#[tokio::test]
async fn foreign_origins_and_hosts_are_refused() {
    let discord = without_limits().await;
    let http = reqwest::Client::new();
    let state = format!("{}/page/api/state", discord.url());
    let own = http.get(&state).header("Origin", discord.url()).send().await.unwrap();
    assert_eq!(own.status(), 200);
    assert!(own.headers()["content-security-policy"].to_str().unwrap().contains("default-src 'self'"));
    for path in ["/page/api/state", "/api/v10/gateway", "/gateway", "/"] {
        let url = format!("{}{path}", discord.url());
        let foreign = http.get(&url).header("Origin", "https://evil.example").send().await.unwrap();
        assert_eq!(foreign.status(), 403, "{path}");
        let rebound = http.get(&url).header("Host", "evil.example").send().await.unwrap();
        assert_eq!(rebound.status(), 403, "{path}");
    }
    assert_eq!(http.get(discord.url()).send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn each_member_sees_their_own() {
    let discord = without_limits().await;
    register(&discord).await;
    let state = async |member: u64| {
        let url = format!("{}/page/api/state?as={member}", discord.url());
        reqwest::get(url).await.unwrap().json::<Value>().await.unwrap()
    };
    let ada = state(ids::ADA).await;
    assert_eq!(ada["guilds"][0]["channels"].as_array().unwrap().len(), 4);
    assert_eq!(ada["members"].as_array().unwrap().len(), 4);
    assert_eq!(
        (&ada["members"][0]["can_manage"], &ada["members"][1]["can_manage"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(ada["commands"].as_array().unwrap().len(), 3);
    let chloe = state(ids::CHLOE).await;
    assert_eq!(chloe["guilds"][0]["channels"].as_array().unwrap().len(), 3, "#private is hidden");
    let dmitri = state(ids::DMITRI).await;
    assert_eq!(
        (dmitri["guilds"].as_array().unwrap().len(), &dmitri["guilds"][0]["name"]),
        (1, &json!("Second Server"))
    );
    let url = format!("{}/page/api/channels/{}/messages?as={}", discord.url(), ids::PRIVATE, ids::CHLOE);
    assert_eq!(reqwest::get(url).await.unwrap().status(), 400);
}

#[tokio::test]
async fn a_command_by_the_page_with_live_events() {
    let discord = without_limits().await;
    register(&discord).await;
    let (mut gateway, _) = Gateway::ready(&discord, INTENTS).await;
    let listen = async |member: u64| {
        let url = format!("{}/page/api/events?as={member}", discord.url());
        reqwest::get(url).await.unwrap().bytes_stream().boxed()
    };
    let (mut ben, mut chloe) = (listen(ids::BEN).await, listen(ids::CHLOE).await);
    let commands = discord.commands();
    let command = commands.iter().find(|c| c["name"] == "mediate").unwrap();
    let payload = json!({"as": ids::BEN.to_string(), "channel_id": ids::GENERAL.to_string(),
        "command_id": command["id"], "options": [{"name": "problem", "type": 3, "value": "p"}]});
    let form = reqwest::multipart::Form::new().text("payload_json", payload.to_string());
    let url = format!("{}/page/api/commands", discord.url());
    let reply = reqwest::Client::new().post(url).multipart(form).send().await.unwrap();
    let started: Value = reply.json().await.unwrap();
    let event = gateway.event("INTERACTION_CREATE").await;
    assert_eq!(started["interaction_id"], event["id"]);
    let data = json!({"content": "for Ben only", "flags": 64, "allowed_mentions": {"parse": []}});
    callback(&discord, &event, json!({"type": 4, "data": data})).await;
    post(&discord, ids::GENERAL, json!({"content": "for all"})).await;

    let read = async |stream: &mut futures::stream::BoxStream<'_, reqwest::Result<bytes::Bytes>>| {
        let mut text = String::new();
        while !text.contains("for all") {
            text.push_str(std::str::from_utf8(&stream.next().await.unwrap().unwrap()).unwrap());
        }
        text
    };
    let (ben, chloe) = (read(&mut ben).await, read(&mut chloe).await);
    assert!(ben.contains("for Ben only") && ben.contains("interaction_done"));
    assert!(!chloe.contains("for Ben only") && !chloe.contains("interaction_done"));

    let form = reqwest::multipart::Form::new().text(
        "payload_json",
        json!({"as": ids::ADA.to_string(),
        "channel_id": ids::GENERAL.to_string(), "content": ""})
        .to_string(),
    );
    let url = format!("{}/page/api/messages", discord.url());
    let empty = reqwest::Client::new().post(url).multipart(form).send().await.unwrap();
    assert_eq!(empty.status(), 400);
    assert!(empty.json::<Value>().await.unwrap()["error"].as_str().unwrap().ends_with('.'));
}

#[tokio::test]
async fn a_post_is_written_by_the_page_or_refused_with_a_sentence() {
    let discord = without_limits().await;
    let (mut gateway, _) = Gateway::ready(&discord, INTENTS).await;
    let url = format!("{}/page/api/posts", discord.url());
    let write = async |channel: u64, title: &str, text: &str, tags: &[u64]| {
        let tags: Vec<String> = tags.iter().map(ToString::to_string).collect();
        let body = json!({"as": ids::BEN.to_string(), "channel_id": channel.to_string(), "title": title,
            "content": text, "tags": tags});
        let reply = reqwest::Client::new().post(&url).json(&body).send().await.unwrap();
        (reply.status().as_u16(), reply.json::<Value>().await.unwrap())
    };
    let long = "x".repeat(2_001);
    for (channel, title, text, tags, why) in [
        (ids::IDEAS, " ", "Text", &[][..], "title of at most 100 characters"),
        (ids::IDEAS, &long[..101], "Text", &[], "title of at most 100 characters"),
        (ids::IDEAS, "Title", "\n", &[], "message of at most 2000 characters"),
        (ids::IDEAS, "Title", &long, &[], "message of at most 2000 characters"),
        (ids::IDEAS, "Title", "Text", &[ids::DECISIONS], "There is no such tag here."),
        (ids::IDEAS, "Title", "Text", &[ids::IDEAS_TAG; 6], "at most 5 tags"),
        (ids::DECISIONS, "Title", "Text", &[], "This is no forum."),
        (ids::SECOND_DECISIONS, "Title", "Text", &[], "There is no such channel."),
    ] {
        let (status, body) = write(channel, title, text, tags).await;
        assert_eq!(status, 400, "{why}");
        assert!(body["error"].as_str().unwrap().contains(why), "{why}: {body}");
    }
    assert!(discord.threads(ids::IDEAS).is_empty());

    let (status, post) = write(ids::IDEAS, " Sundays ", "Do we open?", &[ids::IDEAS_TAG]).await;
    assert_eq!((status, &post["name"]), (200, &json!("Sundays")));
    assert_eq!(post["applied_tags"], json!([ids::IDEAS_TAG.to_string()]));
    let made = gateway.event("THREAD_CREATE").await;
    assert_eq!((&made["id"], &made["parent_id"]), (&post["id"], &json!(ids::IDEAS.to_string())));
    let said = gateway.event("MESSAGE_CREATE").await;
    assert_eq!((&said["id"], &said["channel_id"]), (&post["id"], &post["id"]), "it has the post's number");
}
