//! Answers to interactions.

use std::time::{Duration, Instant};

use bytes::Bytes;
use discord::{Ack, ApplicationId, Kind, Upload};
use domain::{
    ChoiceInput, CustomId, InteractionId, MemberInput, MessageId, Modal, Opens, SelectOption, SessionId,
    TextInput, UserId,
};
use serde_json::{Value, json};

use crate::discord::server::{Server, answer, post, refusal, written};

const INTERACTION: InteractionId = InteractionId(300);
const PATH: &str = "POST /api/v10/interactions/300/tok-en_1/callback";

async fn acknowledged(ack: Ack<'_>) -> Value {
    let server = Server::start(|_, _| answer(204, &[], "")).await;
    server.discord().acknowledge(INTERACTION, "tok-en_1", ack).await.unwrap();
    let asked = server.asked().remove(0);
    assert_eq!(asked.line, PATH);
    assert!(!asked.headers.contains_key("authorization"));
    asked.json()
}

#[tokio::test]
async fn every_answer_has_its_number_and_what_speaks_is_private() {
    assert_eq!(acknowledged(Ack::DeferPrivate).await, json!({"type": 5, "data": {"flags": 64}}));
    assert_eq!(acknowledged(Ack::DeferUpdate).await, json!({"type": 6}));
    let body = acknowledged(Ack::Private(&post("x"))).await;
    assert_eq!((&body["type"], &body["data"]["flags"]), (&json!(4), &json!(64)));
    assert_eq!(body["data"]["allowed_mentions"]["parse"], json!([]));
    let body = acknowledged(Ack::Update(&post("x"))).await;
    assert_eq!((&body["type"], &body["data"]["flags"]), (&json!(7), &Value::Null));
    assert_eq!(body["data"]["allowed_mentions"]["parse"], json!([]));
    let choices = (0..30).map(|n| (format!("{n} {}", "x".repeat(120)), n.to_string())).collect();
    let body = acknowledged(Ack::Choices(choices)).await;
    assert_eq!((&body["type"], body["data"]["choices"].as_array().unwrap().len()), (&json!(8), 25));
    assert_eq!(body["data"]["choices"][0]["name"].as_str().unwrap().len(), 100);
}

#[tokio::test]
async fn a_form_has_its_boxes_and_lists_below_labels() {
    let input = TextInput {
        id: "context".into(),
        label: "What should the next round know?".into(),
        placeholder: String::new(),
        value: String::new(),
        paragraph: true,
        required: true,
        max: 2_000,
    };
    let id = CustomId::new(&SessionId::from_bits(7), Opens::Context);
    let option = |value: &str, description: &str| SelectOption {
        label: format!("Option {value}"),
        value: value.into(),
        description: description.into(),
    };
    let list = ChoiceInput {
        id: "which".into(),
        label: "Which".into(),
        description: "One of two".into(),
        placeholder: "Choose".into(),
        options: vec![option("a", ""), option("b", "The other")],
        chosen: vec!["b".into()],
        range: (1, 1),
    };
    let member = MemberInput {
        id: "who".into(),
        label: "Who".into(),
        placeholder: String::new(),
        chosen: Some(UserId(7)),
    };
    let inputs = vec![input.into(), list.into(), member.into()];
    let modal = Modal { id, title: "Add context".into(), inputs };
    let expected = json!({"type": 9, "data": {
        "custom_id": "v1:haaaaaaaaa:context:", "title": "Add context",
        "components": [
            {"type": 18, "label": "What should the next round know?", "component": {
                "type": 4, "custom_id": "context", "style": 2, "required": true, "max_length": 2_000,
            }},
            {"type": 18, "label": "Which", "description": "One of two", "component": {
                "type": 3, "custom_id": "which", "placeholder": "Choose", "required": true, "options": [
                    {"label": "Option a", "value": "a"},
                    {"label": "Option b", "value": "b", "description": "The other", "default": true},
                ],
            }},
            {"type": 18, "label": "Who", "component": {
                "type": 5, "custom_id": "who", "required": false, "min_values": 0, "max_values": 1,
                "default_values": [{"type": "user", "id": "7"}],
            }},
        ],
    }});
    assert_eq!(acknowledged(Ack::Modal(&modal)).await, expected);
}

#[tokio::test]
async fn a_stumble_is_answered_by_one_quick_repetition() {
    let server = Server::start(|number, _| answer(if number == 0 { 503 } else { 204 }, &[], "")).await;
    server.discord().acknowledge(INTERACTION, "t", Ack::DeferUpdate).await.unwrap();
    assert_eq!(server.asked().len(), 2);
    let server = Server::start(|_, _| answer(503, &[], "")).await;
    assert!(
        server.discord().acknowledge(INTERACTION, "t", Ack::DeferUpdate).await.unwrap_err().is_transient()
    );
    assert_eq!(server.asked().len(), 2);
}

#[tokio::test]
async fn an_answer_whose_receipt_was_lost_counts_as_given() {
    let twice =
        "HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n{\"code\": 40060, \"message\": \"twice\"}";
    let server = Server::losing(1, twice).await;
    server.discord().acknowledge(INTERACTION, "t", Ack::DeferUpdate).await.unwrap();
    assert_eq!(server.asked().len(), 2);

    let server = Server::start(|_, _| refusal(400, 40_060)).await;
    let error = server.discord().acknowledge(INTERACTION, "t", Ack::DeferUpdate).await.unwrap_err();
    assert_eq!((error.kind, server.asked().len()), (Kind::AlreadyAcknowledged, 1), "somebody else's");
}

#[tokio::test]
async fn it_is_given_in_time_or_not_at_all() {
    let server = Server::start(|_, _| {
        let never = futures::stream::pending::<Result<Bytes, std::io::Error>>();
        answer(200, &[], axum::body::Body::from_stream(never))
    })
    .await;
    let start = Instant::now();
    let error = server.discord().acknowledge(INTERACTION, "t", Ack::DeferUpdate).await.unwrap_err();
    assert!(error.is_transient());
    let took = start.elapsed();
    assert!((Duration::from_millis(2_400)..Duration::from_millis(2_900)).contains(&took), "{took:?}");
    let server = Server::start(|_, _| answer(429, &[("retry-after", "30")], "{\"retry_after\": 30.0}")).await;
    let start = Instant::now();
    server.discord().acknowledge(INTERACTION, "t", Ack::DeferUpdate).await.unwrap_err();
    assert!(start.elapsed() < Duration::from_millis(2_900));
}

#[tokio::test]
async fn replies_are_filled_in_and_followed_up_without_the_bots_token() {
    let server = Server::start(|_, _| written(9)).await;
    let (discord, application) = (server.discord(), ApplicationId(200));
    let upload = Upload {
        name: "raw.md".into(),
        alt: String::new(),
        mime: "text/markdown".into(),
        bytes: Bytes::from_static(b"# Raw"),
    };
    discord.edit_reply(application, "tok-en_1", &post("x"), &[upload]).await.unwrap();
    let more = discord.follow_up_private(application, "tok-en_1", &post("x"), &[]).await;
    assert_eq!(more, Ok(MessageId(9)));
    let asked = server.asked();
    assert_eq!(asked[0].line, "PATCH /api/v10/webhooks/200/tok-en_1/messages/@original");
    assert!(String::from_utf8_lossy(&asked[0].body).contains("# Raw"));
    assert_eq!(asked[1].line, "POST /api/v10/webhooks/200/tok-en_1");
    assert_eq!(asked[1].json()["flags"], 64);
    assert!(asked.iter().all(|asked| !asked.headers.contains_key("authorization")));
    let server = Server::start(|_, _| answer(503, &[], "")).await;
    let error = server.discord().follow_up_private(application, "t", &post("x"), &[]).await.unwrap_err();
    assert!(error.is_transient());
    assert_eq!(server.asked().len(), 1, "a follow-up has no nonce");
}
