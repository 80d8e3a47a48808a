//! Messages: limits, nonce, mentions, files, what the bot may read, permissions, rate limits, lost replies.

use std::time::{Duration, Instant};

use playground::{Fault, Limited, Options, Playground, bits, ids};
use serde_json::{Value, json};

use crate::wire::{Gateway, INTENTS, call, post, request, send, silent, without_limits};

#[tokio::test]
async fn limits_are_answered_as_discord_does() {
    let discord = without_limits().await;
    let text = |n: usize| "x".repeat(n);
    let table = [
        ("2000 characters", json!({"content": text(2000)}), 0, ""),
        ("2001 characters", json!({"content": text(2001)}), 50035, "/errors/content"),
        ("nothing", json!({}), 50006, ""),
        ("white space", json!({"content": " \n "}), 50006, ""),
        ("a long title", json!({"embeds": [{"title": text(257)}]}), 50035, "/errors/embeds/0/title"),
        ("a long nonce", json!({"content": "c", "nonce": text(26)}), 50035, "/errors/nonce"),
    ];
    for (what, body, code, path) in table {
        let answer = post(&discord, ids::GENERAL, body).await;
        assert_eq!(answer.code(), code, "{what}: {}", answer.body);
        assert_eq!(answer.status, if code == 0 { 200 } else { 400 }, "{what}");
        if !path.is_empty() {
            assert!(answer.body.pointer(path).is_some(), "{what}: {}", answer.body);
        }
    }
    assert_eq!(discord.violations().len(), 5, "each is noted once: {:#?}", discord.violations());
    discord.clear_record();
    post(&discord, ids::GENERAL, json!({"content": "c", "contents": "d"})).await;
    assert!(discord.violations()[0].contains("contents"), "a misspelt property is noted");
}

#[tokio::test]
async fn a_nonce_makes_a_post_once() {
    let options =
        Options { nonce_memory: Duration::from_millis(300), rate_limits: false, ..Options::default() };
    let discord = Playground::start(options).await.unwrap();
    let body = json!({"content": "once", "nonce": "n1", "enforce_nonce": true});
    let first = post(&discord, ids::GENERAL, body.clone()).await;
    let again = post(&discord, ids::GENERAL, body.clone()).await;
    assert_eq!(first.id(), again.id());
    assert_eq!(first.body["nonce"], "n1");
    let other = post(&discord, ids::GENERAL, json!({"content": "x", "nonce": "n1"})).await;
    assert_ne!(first.id(), other.id(), "without enforce_nonce it only decorates");
    let path = format!("/channels/{}/messages/{}", ids::GENERAL, first.id());
    let read = call(&discord, "GET", &path, Value::Null).await;
    assert!(read.body.get("nonce").is_none(), "Discord does not store it");
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_ne!(first.id(), post(&discord, ids::GENERAL, body.clone()).await.id(), "forgotten after a while");
    discord.faults().forget_nonces(true);
    let count = discord.messages(ids::GENERAL).len();
    post(&discord, ids::GENERAL, body.clone()).await;
    post(&discord, ids::GENERAL, body).await;
    assert_eq!(discord.messages(ids::GENERAL).len(), count + 2);
}

#[tokio::test]
async fn a_lost_reply_was_carried_out() {
    let discord = without_limits().await;
    discord.faults().lose_reply("POST", "/channels/*/messages", 1);
    let path = format!("/channels/{}/messages", ids::GENERAL);
    let body = silent(json!({"content": "once", "nonce": "n", "enforce_nonce": true}));
    assert!(request(&discord, "POST", &path).json(&body).send().await.is_err(), "the connection breaks");
    assert_eq!(discord.messages(ids::GENERAL).len(), 1);
    assert_eq!(call(&discord, "POST", &path, body).await.status, 200);
    assert_eq!(discord.messages(ids::GENERAL).len(), 1, "the nonce finds the earlier one");
    assert_eq!(discord.requests()[0].status, 0);

    discord.faults().on("POST", "/channels/**", 1, Fault::Status(502));
    assert_eq!(post(&discord, ids::GENERAL, json!({"content": "a"})).await.status, 502);
    discord.faults().on("POST", "/channels/**", 1, Fault::Refuse);
    assert!(request(&discord, "POST", &path).json(&json!({})).send().await.is_err());
    assert_eq!(discord.messages(ids::GENERAL).len(), 1, "neither was carried out");
    let wait = Duration::from_millis(200);
    for fault in [Fault::Stall(wait), Fault::SlowReply(wait)] {
        discord.faults().on("*", "**", 1, fault);
        let began = Instant::now();
        assert_eq!(post(&discord, ids::GENERAL, json!({"content": "a"})).await.status, 200);
        assert!(began.elapsed() >= wait);
    }
}

#[tokio::test]
async fn rate_limits_have_headers() {
    let discord = Playground::start(Options::default()).await.unwrap();
    let first = post(&discord, ids::GENERAL, json!({"content": "1"})).await;
    assert_eq!((first.header("x-ratelimit-limit"), first.header("x-ratelimit-remaining")), ("5", "4"));
    assert!(!first.header("x-ratelimit-bucket").is_empty() && !first.header("x-ratelimit-reset").is_empty());
    for _ in 0..4 {
        assert_eq!(post(&discord, ids::GENERAL, json!({"content": "n"})).await.status, 200);
    }
    let sixth = post(&discord, ids::GENERAL, json!({"content": "6"})).await;
    assert_eq!(sixth.status, 429);
    let wait = sixth.body["retry_after"].as_f64().unwrap();
    assert!(wait > 3.0 && wait <= 5.0 && sixth.body["global"] == false);
    assert_eq!(sixth.header("x-ratelimit-scope"), "user");
    assert_eq!(sixth.header("retry-after"), wait.ceil().to_string());
    assert_eq!(post(&discord, ids::DECISIONS, json!({"content": "1"})).await.status, 200, "its own bucket");
    let edit = format!("/channels/{}/messages/{}", ids::GENERAL, first.id());
    assert_eq!(call(&discord, "PATCH", &edit, silent(json!({"content": "e"}))).await.status, 200);
    assert_eq!(discord.limited(), 1);

    let scripted = Limited { retry_after: 0.5, scope: "global", ..Limited::default() };
    discord.faults().on("GET", "/users/@me", 1, Fault::Limited(scripted));
    let global = call(&discord, "GET", "/users/@me", Value::Null).await;
    assert_eq!((global.status, global.header("x-ratelimit-global")), (429, "true"));
    discord.faults().on("GET", "/users/@me", 1, Fault::Limited(Limited { junk: true, ..Limited::default() }));
    let junk = call(&discord, "GET", "/users/@me", Value::Null).await;
    assert_eq!((junk.status, junk.header("retry-after"), &junk.body), (429, "soon", &Value::Null));
}

#[tokio::test]
async fn fifty_requests_a_second_in_all() {
    let discord = Playground::start(Options::default()).await.unwrap();
    let limited = |answer: &crate::wire::Answer| answer.status == 429;
    let paths = ["/users/@me", "/applications/@me", "/gateway/bot"];
    let all = (0..90).map(|n| call(&discord, "GET", paths[n % 3], Value::Null));
    let answers = futures::future::join_all(all).await;
    let refused: Vec<_> = answers.iter().filter(|a| limited(a)).collect();
    assert!(refused.len() >= 10, "{}", refused.len());
    assert!(refused.iter().all(|a| a.header("x-ratelimit-scope") == "global" && a.body["global"] == true));
}

#[tokio::test]
async fn only_addressed_messages_can_be_read() {
    let discord = without_limits().await;
    let (mut gateway, _) = Gateway::ready(&discord, INTENTS).await;
    let client = discord.client();
    let own = post(&discord, ids::GENERAL, json!({"content": "own", "embeds": [{"title": "t"}]})).await;
    assert_eq!(gateway.event("MESSAGE_CREATE").await["embeds"][0]["title"], "t");
    let plain = client.say(ids::ADA, ids::GENERAL, "among us").unwrap();
    assert_eq!(gateway.event("MESSAGE_CREATE").await["content"], "");
    client.say(ids::ADA, ids::GENERAL, &format!("<@{}> hello", ids::BOT)).unwrap();
    let heard = gateway.event("MESSAGE_CREATE").await;
    assert!(heard["content"].as_str().unwrap().ends_with("hello"));
    assert_eq!(heard["mentions"][0]["id"], ids::BOT.to_string());
    assert_eq!(heard["guild_id"], ids::RIVERSIDE.to_string());
    client.reply(ids::ADA, ids::GENERAL, own.id(), "with ping", true).unwrap();
    assert_eq!(gateway.event("MESSAGE_CREATE").await["content"], "with ping");
    client.reply(ids::ADA, ids::GENERAL, own.id(), "without", false).unwrap();
    assert_eq!(gateway.event("MESSAGE_CREATE").await["content"], "");
    let path = format!("/channels/{}/messages/{plain}", ids::GENERAL);
    assert_eq!(call(&discord, "GET", &path, Value::Null).await.body["content"], "", "over REST too");

    let intent = 1 << 15;
    let reads = Options { privileged_intents: intent, ..Options::default() };
    let discord = Playground::start(reads).await.unwrap();
    let (mut gateway, _) = Gateway::ready(&discord, INTENTS | intent).await;
    discord.client().say(ids::ADA, ids::GENERAL, "among us").unwrap();
    assert_eq!(gateway.event("MESSAGE_CREATE").await["content"], "among us");
}

#[tokio::test]
async fn mentions_ping_as_allowed() {
    let discord = without_limits().await;
    let path = format!("/channels/{}/messages", ids::GENERAL);
    let content = format!("<@{}> @everyone", ids::ADA);
    let loud = call(&discord, "POST", &path, json!({"content": content})).await;
    assert_eq!(loud.body["mentions"][0]["id"], ids::ADA.to_string());
    assert_eq!(loud.body["mention_everyone"], false, "the bot's role may not ping everyone");
    assert!(discord.violations()[0].contains("allowed_mentions is missing"));
    discord.clear_record();
    let quiet = post(&discord, ids::GENERAL, json!({"content": content})).await;
    assert_eq!((&quiet.body["mentions"], &quiet.body["mention_everyone"]), (&json!([]), &json!(false)));
    assert!(discord.violations().is_empty());
    let edit = format!("{path}/{}", quiet.id());
    let edited = call(&discord, "PATCH", &edit, json!({"content": content})).await;
    assert_eq!(edited.body["mentions"][0]["id"], ids::ADA.to_string(), "an edit parses anew");
    assert_eq!(discord.violations().len(), 1);
    let mixed = json!({"content": content, "allowed_mentions": {"parse": ["users"], "users": ["1"]}});
    assert_eq!(call(&discord, "POST", &path, mixed).await.code(), 50035);
}

#[tokio::test]
async fn files_come_back_and_stay_through_edits() {
    let discord = without_limits().await;
    let form = |payload: &Value, name: &str| {
        let part = reqwest::multipart::Part::bytes(b"hello".to_vec()).file_name(name.to_owned());
        reqwest::multipart::Form::new().text("payload_json", payload.to_string()).part("files[0]", part)
    };
    let payload = silent(json!({"content": "c", "attachments": [{"id": 0, "description": "A note"}]}));
    let path = format!("/channels/{}/messages", ids::GENERAL);
    let sent = send(request(&discord, "POST", &path).multipart(form(&payload, "a note.txt"))).await;
    let file = &sent.body["attachments"][0];
    assert_eq!((&file["filename"], &file["description"]), (&json!("a_note.txt"), &json!("A note")));
    let url = file["url"].as_str().unwrap();
    let fetched = reqwest::get(url).await.unwrap();
    assert_eq!(fetched.headers()["content-disposition"], "attachment");
    assert_eq!(fetched.text().await.unwrap(), "hello");
    let unsigned = url.split('?').next().unwrap();
    assert_eq!(reqwest::get(unsigned).await.unwrap().status(), 404);

    let edit = format!("{path}/{}", sent.id());
    let kept = json!({"content": "d", "attachments": [{"id": file["id"]}, {"id": 0}]});
    let both = send(request(&discord, "PATCH", &edit).multipart(form(&silent(kept), "b.txt"))).await;
    assert_eq!(both.body["attachments"].as_array().unwrap().len(), 2, "{}", both.body);
    let none = call(&discord, "PATCH", &edit, silent(json!({"attachments": []}))).await;
    assert_eq!(none.body["attachments"], json!([]));
    let strange = call(&discord, "PATCH", &edit, silent(json!({"attachments": [{"id": "5"}]}))).await;
    assert_eq!(strange.code(), 50035);
    discord.clear_record();
    let large = reqwest::multipart::Part::bytes(vec![0; 10 * 1024 * 1024 + 1]).file_name("large.bin");
    let large =
        reqwest::multipart::Form::new().text("payload_json", payload.to_string()).part("files[0]", large);
    let answer = send(request(&discord, "POST", &path).multipart(large)).await;
    assert_eq!((answer.status, answer.code()), (413, 40005));
}

#[tokio::test]
async fn permissions_are_named_by_their_errors() {
    let discord = without_limits().await;
    let plain = || json!({"content": "c"});
    for (denied, body, code) in [
        (bits::VIEW_CHANNEL, plain(), 50001),
        (bits::SEND_MESSAGES, plain(), 50013),
        (bits::EMBED_LINKS, json!({"embeds": [{"title": "t"}]}), 50013),
        (bits::EMBED_LINKS, plain(), 0),
        (0, plain(), 0),
    ] {
        discord.faults().deny(ids::GENERAL, denied, true);
        assert_eq!(post(&discord, ids::GENERAL, body).await.code(), code);
        discord.faults().deny(ids::GENERAL, denied, false);
    }
    let theirs = discord.client().say(ids::ADA, ids::GENERAL, "mine").unwrap();
    let path = format!("/channels/{}/messages/{theirs}", ids::GENERAL);
    assert_eq!(call(&discord, "PATCH", &path, silent(plain())).await.code(), 50005);
    let pin = format!("/channels/{}/pins/{theirs}", ids::GENERAL);
    assert_eq!(call(&discord, "PUT", &pin, Value::Null).await.status, 204);
    let newer =
        call(&discord, "GET", &format!("/channels/{}/messages/pins", ids::GENERAL), Value::Null).await;
    assert_eq!(newer.body["items"][0]["message"]["id"], theirs.to_string());
    discord.faults().deny(ids::GENERAL, bits::PIN_MESSAGES, true);
    assert_eq!(call(&discord, "DELETE", &pin, Value::Null).await.code(), 50013);
    assert!(discord.violations().is_empty(), "a denied permission is no broken rule");
    discord.faults().remove_bot(ids::RIVERSIDE);
    assert_eq!(post(&discord, ids::DECISIONS, plain()).await.code(), 50001);
}

#[tokio::test]
async fn unknown_things_and_strangers() {
    let discord = without_limits().await;
    assert_eq!(post(&discord, 5, json!({"content": "c"})).await.code(), 10003);
    let gone = format!("/channels/{}/messages/5", ids::GENERAL);
    assert_eq!(call(&discord, "GET", &gone, Value::Null).await.code(), 10008);
    assert!(discord.violations().is_empty());
    assert_eq!(call(&discord, "GET", "/guilds/1/emojis", Value::Null).await.status, 404);
    assert!(discord.violations()[0].contains("/guilds/1/emojis"), "an unexpected request fails loudly");
    let strange = reqwest::Client::new().get(format!("{}/api/v10/users/@me", discord.url()));
    assert_eq!(send(strange.header("User-Agent", "DiscordBot (x, 1)")).await.status, 401);
}

#[tokio::test]
async fn history_in_pages() {
    let discord = without_limits().await;
    let mut made = Vec::new();
    for n in 0..6 {
        made.push(post(&discord, ids::GENERAL, json!({"content": n.to_string()})).await.id());
    }
    let list = async |query: String| {
        let path = format!("/channels/{}/messages?{query}", ids::GENERAL);
        let answer = call(&discord, "GET", &path, Value::Null).await;
        let all = answer.body.as_array().unwrap().iter();
        all.map(|m| m["content"].as_str().unwrap()).collect::<String>()
    };
    assert_eq!(list("limit=2".into()).await, "54", "newest first");
    assert_eq!(list(format!("limit=2&before={}", made[3])).await, "21");
    assert_eq!(list(format!("limit=2&after={}", made[1])).await, "32");
    assert_eq!(list(format!("limit=3&around={}", made[2])).await, "321");
}
