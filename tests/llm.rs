//! The model room over the wire, against a scripted server: both dialects, every fault.
#![allow(clippy::unwrap_used, clippy::expect_used)] // tests, and what serves them

#[path = "support/model.rs"]
mod model;

use std::time::{Duration, Instant};

use model::{Answer, End, Fault, ModelServer, Money};
use quorum::{
    domain::{Finish, ModelName, Prompt, PromptVersion, Provider, Reply, Schema, Secret, Turn},
    llm::{CallError, Class, Endpoint, Endpoints, Limits, Llm, Pace, find_local},
};
use serde_json::json;
use tokio_util::sync::CancellationToken;

const KEY: &str = "sk-canary-8f3a";
const ALL: [&str; 4] = ["anthropic/m", "openai/m", "openrouter/v/m", "local/m"];

fn limits() -> Limits {
    let pace = Pace {
        first_token: Duration::from_millis(400),
        silence: Duration::from_millis(300),
        total: Duration::from_secs(5),
        start: 8,
        max: 16,
    };
    Limits { connect: Duration::from_millis(500), remote: pace, local: pace }
}

fn llm(server: &ModelServer) -> Llm {
    llm_with(server, limits())
}

fn llm_with(server: &ModelServer, limits: Limits) -> Llm {
    let endpoint = |base| Some(Endpoint { base, key: Some(Secret::new(KEY)) });
    let endpoints = Endpoints {
        anthropic: endpoint(server.anthropic_base()),
        openai: endpoint(server.openai_base()),
        openrouter: endpoint(server.openai_base()),
        local: endpoint(server.openai_base()),
    };
    Llm::new(endpoints, limits).unwrap()
}

fn name(text: &str) -> ModelName {
    text.parse().unwrap()
}

fn prompt(task: &str) -> Prompt {
    let json = json!({
        "type": "object", "title": "verdict", "additionalProperties": false, "required": ["claim", "points"],
        "properties": {
            "claim": {"type": "string", "maxLength": 200},
            "points": {"type": "array", "minItems": 3, "maxItems": 3,
                       "items": {"type": "integer", "minimum": 0, "maximum": 10}},
        },
    });
    Prompt {
        rules: "Be brief.".to_owned(),
        shared: "The problem: a town of 40,000.".to_owned(),
        task: task.to_owned(),
        turns: Vec::new(),
        schema: Some(Schema { name: "verdict".to_owned(), json }),
        max_tokens: 500,
        temperature: Some(0.3),
        version: PromptVersion("0123456789ab".to_owned()),
    }
}

async fn send(llm: &Llm, model: &str) -> Result<Reply, CallError> {
    send_task(llm, model, "You are the market analyst.").await
}

async fn send_task(llm: &Llm, model: &str, task: &str) -> Result<Reply, CallError> {
    llm.send(&name(model), &prompt(task), &CancellationToken::new()).await
}

#[tokio::test]
async fn every_provider_answers_with_a_whole_reply() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    for model in ALL {
        let reply = send(&llm, model).await.unwrap();
        let value: serde_json::Value = serde_json::from_str(&reply.text).unwrap();
        let points = value["points"].as_array().unwrap();
        assert_eq!(
            (points.len(), points.iter().map(|p| p.as_u64().unwrap()).sum::<u64>()),
            (3, 10),
            "{model}"
        );
        assert_eq!((reply.finish, &reply.asked), (Finish::Stop, &name(model)));
        assert_eq!(reply.answered, name(model).model);
        let usage = reply.usage.unwrap();
        assert!(usage.input > 0 && usage.cached > 0 && usage.output > 0, "{usage:?}");
        assert!(reply.request_id.unwrap().starts_with("req_"));
    }
    for call in server.calls() {
        assert_eq!((call.auth.as_deref(), call.end, call.stream), (Some(KEY), End::Sent, true));
        assert!(call.system.contains("Be brief.") && call.system.contains("40,000"), "{}", call.system);
        assert_eq!(call.schema_name.as_deref(), Some("verdict"));
    }
    assert_eq!(server.strays(), Vec::<String>::new());
}
