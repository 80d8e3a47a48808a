//! A server on loopback that records what it is asked and answers as the test says.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::Request,
    http::{HeaderMap, Response, StatusCode},
};
use discord::Discord;
use domain::{Embed, Pace, Post, Secret};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

/// The bot's token: must not turn up anywhere but in one header.
pub(crate) const TOKEN: &str = "CANARY.of.the-bot";

/// A request that arrived.
#[derive(Clone)]
pub(crate) struct Asked {
    pub(crate) at: Instant,
    pub(crate) line: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Asked {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The channel's number in the path.
    pub(crate) fn channel(&self) -> u64 {
        self.line.split('/').nth(4).unwrap().parse().unwrap()
    }
}

#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) origin: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// Answers the request with the given number (from 0).
    pub(crate) async fn start<F>(answer: F) -> Self
    where
        F: Fn(usize, &Asked) -> Response<Body> + Send + Sync + 'static,
    {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (record, answer) = (Arc::clone(&asked), Arc::new(answer));
        let app = Router::new().fallback(move |request: Request| {
            let (record, answer) = (Arc::clone(&record), Arc::clone(&answer));
            async move {
                let at = Instant::now();
                let (head, body) = request.into_parts();
                let body = to_bytes(body, usize::MAX).await.unwrap().to_vec();
                let asked =
                    Asked { at, line: format!("{} {}", head.method, head.uri), headers: head.headers, body };
                let number = {
                    let mut record = record.lock().unwrap();
                    record.push(asked.clone());
                    record.len() - 1
                };
                answer(number, &asked)
            }
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { origin, asked }
    }

    /// Reads each request and then hangs up on the first `lost` of them; answers the others with `answer`.
    pub(crate) async fn losing(lost: usize, answer: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let record = Arc::clone(&asked);
        tokio::spawn(async move {
            loop {
                let (mut socket, _) = listener.accept().await.unwrap();
                let mut bytes = vec![0; 65_536];
                let mut read = 0;
                // All requests here are small and their bodies JSON objects, sent in one or two pieces.
                while !bytes[..read].ends_with(b"}") {
                    let more = socket.read(&mut bytes[read..]).await.unwrap();
                    if more == 0 {
                        break;
                    }
                    read += more;
                }
                if read == 0 {
                    continue;
                }
                let text = String::from_utf8_lossy(&bytes[..read]).into_owned();
                let number = {
                    let mut record = record.lock().unwrap();
                    record.push(Asked {
                        at: Instant::now(),
                        line: text.lines().next().unwrap_or_default().to_owned(),
                        headers: HeaderMap::new(),
                        body: text.split_once("\r\n\r\n").map(|(_, body)| body.into()).unwrap_or_default(),
                    });
                    record.len()
                };
                if number > lost {
                    socket.write_all(answer.as_bytes()).await.unwrap();
                }
            }
        });
        Self { origin, asked }
    }

    pub(crate) fn discord(&self) -> Discord {
        Discord::new(self.origin.parse().unwrap(), Secret::new(TOKEN), Pace::REAL).unwrap()
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

pub(crate) fn answer(status: u16, headers: &[(&str, &str)], body: impl Into<Body>) -> Response<Body> {
    let mut answer = Response::new(body.into());
    *answer.status_mut() = StatusCode::from_u16(status).unwrap();
    for (name, value) in headers {
        answer.headers_mut().insert(
            axum::http::HeaderName::try_from(*name).unwrap(),
            axum::http::HeaderValue::try_from(*value).unwrap(),
        );
    }
    answer
}

pub(crate) fn json_answer(status: u16, body: Value) -> Response<Body> {
    answer(status, &[("content-type", "application/json")], body.to_string())
}

/// What Discord says about a message that was written.
pub(crate) fn written(id: u64) -> Response<Body> {
    json_answer(200, json!({"id": id.to_string()}))
}

pub(crate) fn refusal(status: u16, code: u32) -> Response<Body> {
    json_answer(status, json!({"code": code, "message": "refused"}))
}

pub(crate) fn post(text: &str) -> Post {
    let embed = Embed { title: "Round 1".into(), description: text.into(), ..Embed::default() };
    Post { embeds: vec![embed], ..Post::default() }
}
