//! Messages, threads and look-ups.

use bytes::Bytes;
use discord::{Discord, Kind, Nonce, Upload, Urgency};
use domain::{ChannelId, MessageId, Pace, Post, Secret, SessionId, StepKey, UserId};
use serde_json::{Value, json};

use crate::{
    discord::server::{Server, TOKEN, answer, json_answer, post, refusal, written},
    support::log::Log,
};

const CHANNEL: ChannelId = ChannelId(100);

fn nonce(part: usize) -> Nonce {
    Nonce::new(&SessionId::from_bits(7), &StepKey::from("round-1/market"), part)
}

fn picture() -> Upload {
    let bytes = Bytes::from_static(b"\x89PNG\r\n\x1a\n\0\xff");
    Upload { name: "points.png".into(), alt: "The points".into(), mime: "image/png".into(), bytes }
}

fn silent() -> Value {
    json!({"parse": [], "replied_user": false})
}

#[tokio::test]
async fn a_message_carries_its_nonce_and_mentions_nobody() {
    let server = Server::start(|_, _| written(7)).await;
    let (discord, post, nonce) = (server.discord(), post("@everyone"), nonce(0));
    let made = discord.create_message(CHANNEL, &post, &[], &nonce, Some(MessageId(5))).await;
    assert_eq!(made, Ok(MessageId(7)));
    let asked = &server.asked()[0];
    assert_eq!(asked.line, "POST /api/v10/channels/100/messages");
    assert_eq!(asked.headers["authorization"], format!("Bot {TOKEN}"));
    assert!(asked.headers["user-agent"].to_str().unwrap().starts_with("DiscordBot ("));
    let body = asked.json();
    assert_eq!(body["nonce"], nonce.as_str());
    assert_eq!(body["enforce_nonce"], true);
    assert_eq!(body["allowed_mentions"], silent());
    assert_eq!(body["message_reference"], json!({"message_id": "5", "fail_if_not_exists": false}));
    assert_eq!(body["embeds"][0]["description"], "@everyone");
}

#[tokio::test]
async fn an_edit_states_everything_and_mentions_nobody() {
    let server = Server::start(|_, _| written(7)).await;
    server.discord().edit_message(CHANNEL, MessageId(7), &Post::default(), &[]).await.unwrap();
    let asked = &server.asked()[0];
    assert_eq!(asked.line, "PATCH /api/v10/channels/100/messages/7");
    let expected = json!({
        "content": "", "embeds": [], "components": [], "attachments": [], "allowed_mentions": silent(),
    });
    assert_eq!(asked.json(), expected);
}

#[tokio::test]
async fn files_go_as_multipart_and_only_then() {
    let server = Server::start(|_, _| written(7)).await;
    let discord = server.discord();
    discord.create_message(CHANNEL, &post("x"), &[picture()], &nonce(0), None).await.unwrap();
    discord.edit_message(CHANNEL, MessageId(7), &post("x"), &[picture()]).await.unwrap();
    discord.create_message(CHANNEL, &post("x"), &[], &nonce(1), None).await.unwrap();
    for asked in &server.asked()[..2] {
        let kind = asked.headers["content-type"].to_str().unwrap();
        let boundary = kind.strip_prefix("multipart/form-data; boundary=").unwrap();
        let mut form = multer(&asked.body, boundary);
        let (head, payload) = form.remove(0);
        assert!(head.contains("name=\"payload_json\"") && head.contains("application/json"), "{head}");
        let payload: Value = serde_json::from_slice(&payload).unwrap();
        let listed = json!([{"id": 0, "filename": "points.png", "description": "The points"}]);
        assert_eq!(payload["attachments"], listed);
        assert_eq!(payload["allowed_mentions"], silent());
        let (head, file) = form.remove(0);
        assert!(head.contains("name=\"files[0]\"; filename=\"points.png\""), "{head}");
        assert!(head.contains("image/png"));
        assert_eq!(file, picture().bytes);
        assert!(form.is_empty());
    }
    assert_eq!(server.asked()[2].headers["content-type"], "application/json");
}

/// Heads and bodies of a form's parts.
fn multer(body: &[u8], boundary: &str) -> Vec<(String, Vec<u8>)> {
    let latin: String = body.iter().map(|&byte| char::from(byte)).collect();
    let line = format!("--{boundary}");
    let parts = latin.split(&*line).filter(|part| part.starts_with("\r\n"));
    let split = |part: &str| {
        let (head, body) = part.split_once("\r\n\r\n").unwrap();
        let body = body.strip_suffix("\r\n").unwrap();
        (head.to_owned(), body.chars().map(|c| u8::try_from(c as u32).unwrap()).collect())
    };
    parts.filter(|part| part.contains("\r\n\r\n")).map(split).collect()
}

#[tokio::test]
async fn a_message_whose_reply_is_lost_is_sent_once_and_in_doubt() {
    let server = Server::losing(1, "").await;
    let error = server.discord().create_message(CHANNEL, &post("x"), &[], &nonce(0), None).await.unwrap_err();
    assert!(error.is_transient() && !error.is_final(), "{error:?}");
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn an_accepted_message_is_never_sent_again_whatever_the_answer_says() {
    for (status, body) in [(200, "not json"), (200, ""), (200, "{}"), (500, "oops"), (503, "")] {
        let server = Server::start(move |_, _| answer(status, &[], body)).await;
        let error = server.discord().create_message(CHANNEL, &post("x"), &[], &nonce(0), None).await;
        assert_eq!(error.unwrap_err().kind, Kind::Transient, "{status} {body}");
        assert_eq!(server.asked().len(), 1, "{status} {body}");
    }
}

#[tokio::test]
async fn what_can_be_repeated_is_repeated_when_discord_stumbles() {
    let server = Server::start(|number, _| if number < 3 { answer(502, &[], "") } else { written(7) }).await;
    server.discord().edit_message(CHANNEL, MessageId(7), &post("x"), &[]).await.unwrap();
    assert_eq!(server.asked().len(), 4);
    let server = Server::start(|_, _| answer(502, &[], "")).await;
    assert!(server.discord().message(CHANNEL, MessageId(7)).await.unwrap_err().is_transient());
    assert_eq!(server.asked().len(), 4);
    let server = Server::losing(1, "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{\"id\":\"7\"}").await;
    server.discord().edit_message(CHANNEL, MessageId(7), &post("x"), &[]).await.unwrap();
    assert_eq!(server.asked().len(), 2);
}

#[tokio::test]
async fn a_success_that_is_not_discords_is_taken_for_none() {
    for body in ["<html>It works!</html>", "", "{}", r#"{"status":"ok"}"#, "[]"] {
        let server =
            Server::start(move |number, _| if number == 0 { answer(200, &[], body) } else { written(7) })
                .await;
        let discord = server.discord();
        discord.edit_message(CHANNEL, MessageId(7), &post("x"), &[]).await.unwrap();
        assert_eq!(server.asked().len(), 2, "{body:?}");
        let for_ever = Server::start(move |_, _| answer(200, &[], body)).await;
        let error =
            for_ever.discord().edit_message(CHANNEL, MessageId(7), &post("x"), &[]).await.unwrap_err();
        assert!(error.is_transient() && error.message.contains("not Discord's own"), "{body:?}: {error}");
    }
    // What Discord answers with nothing, it does not answer with a page.
    let server = Server::start(|_, _| answer(200, &[], "<html>")).await;
    assert!(server.discord().pin(CHANNEL, MessageId(7)).await.unwrap_err().is_transient());
}

#[tokio::test]
async fn starting_a_thread_twice_is_starting_it_once() {
    let server =
        Server::start(|number, _| if number == 0 { written(7) } else { refusal(400, 160_004) }).await;
    let name = "A name of more than a hundred characters ".repeat(3);
    for _ in 0..2 {
        let thread = server.discord().start_thread(CHANNEL, MessageId(7), &name).await;
        assert_eq!(thread, Ok(ChannelId(7)));
    }
    let asked = &server.asked()[0];
    assert_eq!(asked.line, "POST /api/v10/channels/100/messages/7/threads");
    assert_eq!(asked.json()["name"].as_str().unwrap().chars().count(), 100);
}

#[tokio::test]
async fn threads_are_pinned_to_renamed_and_put_aside() {
    let server = Server::start(|_, asked| match asked.line.as_str() {
        line if line.starts_with("PUT") => answer(204, &[], ""),
        _ => json_answer(200, json!({"id": "100", "type": 11})),
    })
    .await;
    let discord = server.discord();
    discord.pin(CHANNEL, MessageId(7)).await.unwrap();
    discord.rename_thread(CHANNEL, " ").await.unwrap();
    discord.archive_thread(CHANNEL, true).await.unwrap();
    assert!(discord.channel(CHANNEL).await.unwrap().is_thread());
    let lines: Vec<String> = server.asked().iter().map(|asked| asked.line.clone()).collect();
    assert_eq!(
        lines,
        [
            "PUT /api/v10/channels/100/messages/pins/7",
            "PATCH /api/v10/channels/100",
            "PATCH /api/v10/channels/100",
            "GET /api/v10/channels/100"
        ]
    );
    assert_eq!(server.asked()[1].json(), json!({"name": "Decision"}));
    assert_eq!(server.asked()[2].json(), json!({"archived": true}));
}

#[tokio::test]
async fn messages_are_read_oldest_first_with_what_marks_them() {
    let server = Server::start(|_, asked| {
        assert_eq!(asked.line, "GET /api/v10/channels/100/messages?after=5&limit=100");
        json_answer(
            200,
            json!([
                {"id": "9", "author": {"id": "1"}, "nonce": 42, "content": "", "embeds": []},
                {"id": "8", "author": {"id": "2"}, "nonce": "abc", "content": "hello",
                 "embeds": [{"title": "x"}, {"footer": {"text": "haaaaaaaaa · round-1/market"}}]},
                {"id": "7", "author": {"id": "3"}},
            ]),
        )
    })
    .await;
    let seen = server.discord().messages_after(CHANNEL, MessageId(5), 200, Urgency::Now).await.unwrap();
    assert_eq!(seen.iter().map(|message| message.id.0).collect::<Vec<_>>(), [7, 8, 9]);
    assert_eq!(seen[1].nonce.as_deref(), Some("abc"));
    assert_eq!(seen[1].first_embed, ("x".to_owned(), String::new()));
    assert_eq!((seen[1].author, seen[2].nonce.as_deref()), (UserId(2), Some("42")));
}

#[tokio::test]
async fn a_lacking_permission_is_named() {
    for (code, expected) in [(50_013, "Create Public Threads"), (50_001, "View Channel")] {
        let server = Server::start(move |_, _| refusal(403, code)).await;
        let error = server.discord().start_thread(CHANNEL, MessageId(7), "x").await.unwrap_err();
        assert_eq!(error.kind, Kind::MissingPermission(Some(expected)));
        assert!(error.is_final());
        assert_eq!(server.asked().len(), 1);
    }
    let server = Server::start(|_, _| refusal(403, 50_013)).await;
    let error = server.discord().create_message(CHANNEL, &post("x"), &[], &nonce(0), None).await.unwrap_err();
    let Kind::MissingPermission(Some(name)) = error.kind else { panic!("{error:?}") };
    assert!(name.contains("Send Messages in Threads"));
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let elsewhere = Server::start(|_, _| written(7)).await;
    let target = elsewhere.origin.clone();
    let server = Server::start(move |_, _| answer(307, &[("location", &target)], "")).await;
    let error = server.discord().me().await.unwrap_err();
    assert_eq!(error.kind, Kind::Invalid);
    assert!(elsewhere.asked().is_empty());
}

#[tokio::test]
async fn no_token_in_errors_or_log() {
    let log = Log::default();
    let subscriber =
        tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(log.clone()).finish();
    // This test's runtime has one thread: the log of everything below arrives here.
    let _guard = tracing::subscriber::set_default(subscriber);
    let mut said = String::new();
    let interaction = domain::InteractionId(3);
    let mut note = |discord: &Discord, error: discord::SendError| {
        said.extend([format!("{discord:?}\n"), format!("{error}\n"), format!("{error:?}\n")]);
    };
    for status in [307, 400, 401, 403, 404, 413, 429, 500] {
        let server = Server::start(move |_, _| answer(status, &[("retry-after", "100")], "{}")).await;
        let discord = server.discord();
        note(&discord, discord.me().await.unwrap_err());
        let ack = discord::Ack::DeferPrivate;
        note(&discord, discord.acknowledge(interaction, "SECRET-interaction", ack).await.unwrap_err());
    }
    let closed = Discord::new("http://127.0.0.1:9".parse().unwrap(), Secret::new(TOKEN), Pace::REAL).unwrap();
    note(&closed, closed.me().await.unwrap_err());
    let ack = discord::Ack::DeferPrivate;
    note(&closed, closed.acknowledge(interaction, "SECRET-interaction", ack).await.unwrap_err());
    let broken = Discord::new("http://127.0.0.1:9".parse().unwrap(), Secret::new("CANARY\n.of"), Pace::REAL);
    said.extend([format!("{:?}", broken.unwrap_err())]);
    said.push_str(&log.text());
    assert!(said.contains("Discord did not do it"), "the log is read");
    assert!(!said.contains("CANARY") && !said.contains("SECRET"), "{said}");
}
