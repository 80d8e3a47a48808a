//! A bot in the raw: REST by reqwest and the gateway by tungstenite.

use std::time::Duration;

use futures::{SinkExt as _, StreamExt as _};
use playground::{Id, Options, Playground, ids};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use websocket::tungstenite::Message;
use websocket::{MaybeTlsStream, WebSocketStream, connect_async};

/// Intents of an ordinary bot: servers, messages.
pub(crate) const INTENTS: u64 = 1 | 1 << 9;

/// An answer: status, JSON, headers.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
    pub(crate) headers: reqwest::header::HeaderMap,
}

impl Answer {
    pub(crate) fn code(&self) -> u64 {
        self.body["code"].as_u64().unwrap_or(0)
    }
    pub(crate) fn id(&self) -> Id {
        self.body["id"].as_str().unwrap().parse().unwrap()
    }
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|v| v.to_str().unwrap()).unwrap_or_default()
    }
}

pub(crate) async fn without_limits() -> Playground {
    Playground::start(Options { rate_limits: false, ..Options::default() }).await.unwrap()
}

pub(crate) fn request(discord: &Playground, method: &str, path: &str) -> reqwest::RequestBuilder {
    let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
    reqwest::Client::new()
        .request(method, format!("{}/api/v10{path}", discord.url()))
        .header("User-Agent", "DiscordBot (https://example.org, 1)")
        .header("Authorization", format!("Bot {}", discord.token()))
}

pub(crate) async fn send(request: reqwest::RequestBuilder) -> Answer {
    let reply = request.send().await.unwrap();
    let (status, headers) = (reply.status().as_u16(), reply.headers().clone());
    let text = reply.text().await.unwrap();
    Answer { status, body: serde_json::from_str(&text).unwrap_or_default(), headers }
}

pub(crate) async fn call(discord: &Playground, method: &str, path: &str, body: Value) -> Answer {
    let request = request(discord, method, path);
    send(if body.is_null() { request } else { request.json(&body) }).await
}

/// A body that pings nobody.
pub(crate) fn silent(mut body: Value) -> Value {
    body["allowed_mentions"] = json!({"parse": []});
    body
}

/// Posts a message that pings nobody.
pub(crate) async fn post(discord: &Playground, channel: Id, body: Value) -> Answer {
    call(discord, "POST", &format!("/channels/{channel}/messages"), silent(body)).await
}

/// Where an interaction's event is answered.
pub(crate) fn callback_of(event: &Value) -> String {
    let (id, token) = (event["id"].as_str().unwrap(), event["token"].as_str().unwrap());
    format!("/interactions/{id}/{token}/callback")
}

/// Answers an interaction's event.
pub(crate) async fn callback(discord: &Playground, event: &Value, body: Value) -> Answer {
    call(discord, "POST", &callback_of(event), body).await
}

/// A gateway connection.
pub(crate) struct Gateway {
    pub(crate) socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub(crate) seq: u64,
}

impl Gateway {
    /// Connects and reads HELLO.
    pub(crate) async fn connect(discord: &Playground) -> Self {
        let url = format!("{}/gateway?v=10&encoding=json", discord.url().replace("http", "ws"));
        let (socket, _) = connect_async(url).await.unwrap();
        let mut gateway = Self { socket, seq: 0 };
        assert_eq!(gateway.next().await.unwrap()["op"], 10);
        gateway
    }

    /// Connects and identifies; gives READY's data too.
    pub(crate) async fn ready(discord: &Playground, intents: u64) -> (Self, Value) {
        let mut gateway = Self::connect(discord).await;
        gateway.identify(discord.token(), intents).await;
        let ready = gateway.event("READY").await;
        (gateway, ready)
    }

    pub(crate) async fn identify(&mut self, token: &str, intents: u64) {
        let properties = json!({"os": "linux", "browser": "test", "device": "test"});
        self.send(json!({"op": 2, "d": {"token": token, "intents": intents, "properties": properties}}))
            .await;
    }

    pub(crate) async fn send(&mut self, payload: Value) {
        self.socket.send(Message::text(payload.to_string())).await.unwrap();
    }

    /// The next payload, or the close code.
    pub(crate) async fn next(&mut self) -> Result<Value, u16> {
        loop {
            let message = tokio::time::timeout(Duration::from_secs(10), self.socket.next()).await.unwrap();
            match message {
                Some(Ok(Message::Text(text))) => {
                    let payload: Value = serde_json::from_str(&text).unwrap();
                    self.seq = payload["s"].as_u64().unwrap_or(self.seq);
                    return Ok(payload);
                }
                Some(Ok(Message::Close(frame))) => return Err(frame.map_or(0, |frame| frame.code.into())),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Err(0),
            }
        }
    }

    /// The data of the next event of this name; others are passed over.
    pub(crate) async fn event(&mut self, name: &str) -> Value {
        loop {
            let mut payload = self.next().await.unwrap();
            if payload["t"] == name {
                return payload["d"].take();
            }
        }
    }

    /// The code with which the connection is closed.
    pub(crate) async fn closed(&mut self) -> u16 {
        loop {
            if let Err(code) = self.next().await {
                return code;
            }
        }
    }
}

/// Registers one command with an option of each interesting kind.
pub(crate) async fn register(discord: &Playground) {
    let commands = json!([{
        "name": "mediate", "description": "Decide",
        "options": [
            {"type": 3, "name": "problem", "description": "What", "required": true, "max_length": 20},
            {"type": 4, "name": "rounds", "description": "How many", "min_value": 1, "max_value": 3},
            {"type": 11, "name": "document", "description": "File"},
        ],
    }, {
        "name": "session", "description": "Sessions", "options": [
            {"type": 1, "name": "show", "description": "Show", "options": []},
        ],
    }, {"name": "About this", "type": 3}]);
    let path = format!("/applications/{}/commands", ids::BOT);
    assert_eq!(call(discord, "PUT", &path, commands).await.status, 200);
}
