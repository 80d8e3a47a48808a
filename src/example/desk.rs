//! The server that answers in the place of models, from what was written by hand. It speaks chat completions as servers
//! on one's own machine do, and tells one question from another by the model that is asked and the name of the schema, so
//! that no wording of a prompt matters.

use std::{net::Ipv4Addr, sync::Arc};

use anyhow::Context as _;
use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::post,
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::watch, task::JoinHandle};
use url::Url;

use super::{MODEL, texts::Texts};
use domain::{ModelName, Provider};

/// Tokens that its models are said to take in: enough for everything that may be asked.
const CONTEXT: u32 = 200_000;

/// The server; it stops when dropped.
#[derive(Debug)]
pub struct Desk {
    /// Its base, which ends in `/v1`.
    pub base: Url,
    /// Whether round 1 is answered yet.
    open: watch::Sender<bool>,
    task: JoinHandle<()>,
}

struct Shared {
    texts: Texts,
    open: watch::Receiver<bool>,
}

impl Desk {
    /// Starts it on a free port of loopback. Round 1 waits until it is [let go](Self::let_go).
    pub async fn start() -> anyhow::Result<Self> {
        let open = watch::Sender::new(false);
        let shared = Arc::new(Shared { texts: Texts::embedded()?, open: open.subscribe() });
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.context("cannot listen")?;
        let base = Url::parse(&format!("http://{}/v1", listener.local_addr()?))?;
        let service = Router::new().route("/v1/chat/completions", post(complete)).with_state(shared);
        let task = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, service).await {
                tracing::error!(%error, "the example's texts are served no more");
            }
        });
        Ok(Self { base, open, task })
    }

    /// Answers round 1 from now on: members have added what they had to add.
    pub fn let_go(&self) {
        self.open.send_replace(true);
    }

    /// The model that sits in a place.
    #[must_use]
    pub fn model(seat: &str) -> ModelName {
        ModelName { provider: Provider::Local, model: format!("{MODEL}{seat}") }
    }

    /// What its models cost, in the format of the bot's table of prices: nothing, and they take in a lot.
    #[must_use]
    pub fn prices() -> String {
        let free =
            json!({"input_cost_per_token": 0, "output_cost_per_token": 0, "max_input_tokens": CONTEXT});
        let rows: serde_json::Map<String, Value> =
            Texts::seats().map(|seat| (Self::model(seat).to_string(), free.clone())).collect();
        Value::Object(rows).to_string()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn complete(State(shared): State<Arc<Shared>>, Json(asked): Json<Value>) -> Response {
    let model = asked["model"].as_str().unwrap_or_default();
    let format = &asked["response_format"]["json_schema"];
    let name = format["name"].as_str().unwrap_or_default();
    let messages = asked["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let told: Vec<&str> = messages.iter().filter_map(|message| message["content"].as_str()).collect();
    let seat = model.strip_prefix(MODEL).unwrap_or_default();
    let Some(reply) = shared.texts.reply(seat, (name, &format["schema"]), &told.join("\n")) else {
        let message = format!("nobody has written what {model} says where {name} is asked for");
        return (StatusCode::BAD_REQUEST, Json(json!({"error": {"message": message}}))).into_response();
    };
    if name == "module_analysis" {
        let mut open = shared.open.clone();
        if open.wait_for(|open| *open).await.is_err() {
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
    }
    // Nothing was computed, so no tokens were used.
    let usage = json!({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0});
    let message = json!({"role": "assistant", "content": reply.to_string()});
    let choice = json!({"index": 0, "message": message, "finish_reason": "stop"});
    Json(json!({"id": "hand-written", "object": "chat.completion", "model": model, "choices": [choice], "usage": usage}))
        .into_response()
}
