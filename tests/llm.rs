//! The model room over the wire, against a scripted server: both dialects, every fault.

mod faults;
mod limits;
mod odd;
mod secrets;
mod tools;

use std::time::{Duration, Instant};

use crate::support::model::{Answer, End, Fault, ModelServer, instance};
use domain::{
    Effort, Finish, ModelName, Money, Prompt, PromptVersion, Provider, Reply, Schema, Secret, Turn,
};
use models::{CallError, Class, Endpoint, Endpoints, Limits, Llm, Pace, Prices, find_local};
use serde_json::json;
use tokio_util::sync::CancellationToken;

const KEY: &str = "sk-canary-8f3a";
const ALL: [&str; 6] = ["anthropic/m", "openai/m", "openrouter/v/m", "azure/m", "gemini/m", "local/m"];

fn limits() -> Limits {
    let pace = Pace {
        first_token: Duration::from_millis(1500),
        thinks: std::num::NonZeroU32::MAX,
        silence: Duration::from_secs(1),
        total: Duration::from_secs(10),
        start: 8,
        max: 16,
    };
    Limits { connect: Duration::from_millis(500), remote: pace, local: pace }
}

fn llm(server: &ModelServer) -> Llm {
    llm_within(server, limits())
}

fn llm_within(server: &ModelServer, limits: Limits) -> Llm {
    let endpoint = |base| Some(Endpoint::new(base, Some(Secret::new(KEY))));
    let endpoints = Endpoints {
        anthropic: endpoint(server.anthropic_base()),
        openai: endpoint(server.openai_base()),
        openrouter: endpoint(server.openai_base()),
        azure: endpoint(server.openai_base()),
        gemini: endpoint(server.openai_base()),
        local: endpoint(server.openai_base()),
    };
    Llm::new(endpoints, limits, Prices::embedded()).unwrap()
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
        pictures: Vec::new(),
        turns: Vec::new(),
        schema: Some(Schema { name: "verdict".to_owned(), json }),
        tools: Vec::new(),
        max_tokens: 500,
        room: 0,
        effort: Effort::Standard,
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

#[tokio::test]
async fn a_model_that_thinks_has_room_for_it_and_is_told_how_much() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    for (model, told) in [
        ("anthropic/claude-opus-5-5", json!({"thinking": {"type": "adaptive"}})),
        ("openai/gpt-6-sol", json!({"reasoning_effort": "medium"})),
        ("openrouter/openai/gpt-5.4", json!({"reasoning": {"effort": "medium", "exclude": true}})),
    ] {
        let prompt = prompt("You are the market analyst.");
        let room = llm.room(&name(model), &prompt);
        assert!(room >= 8_000, "{model}: {room}");
        let body = llm.wire(&name(model), &Prompt { room, ..prompt.clone() });
        let bound = if model.starts_with("openai/") { "max_completion_tokens" } else { "max_tokens" };
        assert_eq!(body[bound], json!(500 + room), "{model}");
        for (parameter, value) in told.as_object().unwrap() {
            assert_eq!(&body[parameter], value, "{model}");
        }
        if model.starts_with("anthropic/") {
            assert_eq!(
                (&body["output_config"]["effort"], &body["temperature"]),
                (&json!("medium"), &json!(null))
            );
            assert_eq!(body["output_config"]["format"]["type"], "json_schema");
        }
        let points = Prompt { max_tokens: 150, ..prompt.clone() };
        assert!(llm.room(&name(model), &points) < room, "points need less");
        let deep = Prompt { effort: Effort::Deep, ..prompt };
        let deep = Prompt { room: llm.room(&name(model), &deep), ..deep };
        assert!(deep.room > room, "a deep session thinks longer");
        assert!(llm.wire(&name(model), &deep).to_string().contains(r#""high""#), "{model}");
    }
    for model in ["anthropic/claude-haiku-4-5", "openai/gpt-4.1", "local/small", "openrouter/x/y"] {
        let prompt = prompt("You are the market analyst.");
        assert_eq!(llm.room(&name(model), &prompt), 0, "{model}");
        let body = llm.wire(&name(model), &prompt).to_string();
        assert!(!body.contains("effort") && !body.contains("thinking"), "{model}");
        llm.note_thinking(&name(model));
        assert!(llm.room(&name(model), &prompt) > 0, "{model} has shown that it thinks");
    }
    // A server that knows nothing of it is asked without it.
    server.on(|call| {
        let told = !call.body["reasoning_effort"].is_null();
        told.then(|| Answer::Fault(Fault::BadRequest("Unknown parameter: 'reasoning_effort'.".to_owned())))
    });
    let model = name("openai/gpt-6-sol");
    let prompt = prompt("You are the market analyst.");
    let prompt = Prompt { room: llm.room(&model, &prompt), ..prompt };
    llm.send(&model, &prompt, &CancellationToken::new()).await.unwrap();
    assert_eq!(server.calls().len(), 2);
    assert_eq!(server.calls()[1].body["max_completion_tokens"], json!(prompt.bound()));
}

#[tokio::test]
async fn the_body_is_what_each_provider_wants() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    let mut repaired = prompt("You are the market analyst.");
    repaired.turns.push(Turn { reply: "{".to_owned(), correction: "Not JSON.".to_owned() });
    repaired.temperature = Some(1.5);
    for model in ALL {
        let body = llm.wire(&name(model), &repaired);
        llm.send(&name(model), &repaired, &CancellationToken::new()).await.unwrap();
        assert_eq!(server.calls().last().unwrap().body, body, "{model}: what is kept is what is sent");
        assert!(!body.to_string().contains(KEY));
        let roles: Vec<&str> =
            body["messages"].as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap()).collect();
        match name(model).provider {
            Provider::Anthropic => {
                assert_eq!(roles, ["user", "assistant", "user"]);
                assert_eq!(body["system"][0], json!({"type": "text", "text": "Be brief."}));
                assert_eq!(body["system"][1]["cache_control"], json!({"type": "ephemeral"}));
                assert_eq!(body["output_config"]["format"]["type"], "json_schema");
                assert_eq!((&body["max_tokens"], &body["temperature"]), (&json!(500), &json!(1.0)));
            }
            Provider::Openai => {
                assert_eq!(roles, ["developer", "user", "assistant", "user"]);
                assert_eq!(body["response_format"]["json_schema"]["strict"], true);
                assert_eq!(body["stream_options"]["include_usage"], true);
                assert_eq!(
                    (&body["max_completion_tokens"], &body["max_tokens"]),
                    (&json!(500), &json!(null))
                );
                assert_eq!(body["prompt_cache_key"].as_str().unwrap().len(), 16);
            }
            Provider::Openrouter => {
                assert_eq!(roles, ["system", "user", "assistant", "user"]);
                let wanted = json!({"require_parameters": true, "data_collection": "deny"});
                assert_eq!(body["provider"], wanted);
            }
            Provider::Azure => {
                assert_eq!(roles, ["developer", "user", "assistant", "user"]);
                assert_eq!(body["max_completion_tokens"], 500);
                assert!(body["prompt_cache_key"].is_null());
            }
            Provider::Gemini => {
                assert_eq!(roles, ["system", "user", "assistant", "user"]);
                assert_eq!((&body["max_tokens"], &body["prompt_cache_key"]), (&json!(500), &json!(null)));
            }
            Provider::Local => {
                assert_eq!(roles, ["system", "user", "assistant", "user"]);
                assert_eq!(body["max_tokens"], 500);
                let schema = &body["response_format"]["json_schema"]["schema"];
                assert_eq!(schema["properties"]["claim"]["maxLength"], 200);
                assert_eq!((&body["cache_prompt"], &body["frequency_penalty"]), (&json!(true), &json!(0.3)));
            }
        }
    }
}

#[tokio::test]
async fn odd_but_whole_replies_are_whole() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    let text = "Größe: 40 000 – naïve 数字 🚲 \u{1F1E9}\u{1F1EA}".repeat(6);
    for model in ALL {
        let said = text.clone();
        server.on(move |call| {
            let said = said.clone();
            Some(match call.user.as_str() {
                "split" => Answer::Split(said),
                "slow" => Answer::Slow(said, Duration::from_millis(60)),
                "long" => Answer::Truncated(said),
                "whole" => Answer::Unstreamed(said),
                "no-done" => Answer::NoDone(said),
                _ => Answer::Refusal("I cannot help with that.".to_owned()),
            })
        });
        for task in ["split", "slow", "whole"] {
            let reply = send_task(&llm, model, task).await.unwrap_or_else(|e| panic!("{model} {task}: {e}"));
            assert_eq!((reply.text == text, reply.finish), (true, Finish::Stop), "{model} {task}");
            assert!(reply.usage.is_some(), "{model} {task}");
        }
        assert_eq!(send_task(&llm, model, "long").await.unwrap().finish, Finish::Length);
        let refused = send_task(&llm, model, "no").await.unwrap();
        assert_eq!((refused.text.as_str(), refused.finish), ("I cannot help with that.", Finish::Refused));
        let without_done = send_task(&llm, model, "no-done").await;
        match name(model).provider {
            Provider::Anthropic => assert_eq!(without_done.unwrap_err().class, Class::Broken),
            _ => assert_eq!(without_done.unwrap().text, text),
        }
    }
    assert_eq!(server.strays(), Vec::<String>::new());
}

#[tokio::test]
async fn a_last_event_without_its_empty_line_counts() {
    let server = ModelServer::start().await;
    let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
    let word = json!({"choices": [{"delta": {"content": "Yes."}, "finish_reason": "stop"}]});
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}});
    let body = format!("data: {word}\n\ndata: {usage}");
    server.on(move |_| Some(Answer::Raw { status: 200, headers: headers.clone(), body: body.clone() }));
    let reply = send(&llm(&server), "local/m").await.unwrap();
    assert_eq!((reply.text.as_str(), reply.usage.unwrap().input), ("Yes.", 7));
}

#[tokio::test]
async fn a_refused_parameter_is_learned_within_the_attempt() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    server.on(|call| {
        let refusal = if !call.body["temperature"].is_null() {
            "Unsupported value: 'temperature' does not support 0.3 with this model."
        } else if call.schema.is_some() {
            "output_config / response_format of type json_schema is not supported with this model"
        } else {
            return None;
        };
        Some(Answer::Fault(Fault::BadRequest(refusal.to_owned())))
    });
    for model in ALL {
        server.forget();
        let body = llm.wire(&name(model), &prompt("x"));
        assert!(!body["temperature"].is_null());
        send_task(&llm, model, "x").await.unwrap();
        assert_eq!(server.calls().len(), 3, "{model}");
        send_task(&llm, model, "x").await.unwrap();
        assert_eq!(server.calls().len(), 4, "{model}: the second time it is known");
        let body = llm.wire(&name(model), &prompt("x"));
        assert_eq!(server.calls()[3].body, body);
        assert!(server.calls()[3].user.contains("JSON schema"), "the shape is then asked for in words");
    }
}

#[tokio::test]
async fn models_are_listed_and_a_local_server_is_found() {
    let server = ModelServer::start().await;
    server.models(&["qwen3", "smollm2"]);
    let llm = llm(&server);
    for provider in [Provider::Anthropic, Provider::Openai] {
        assert_eq!(llm.models(provider).await.unwrap(), ["qwen3", "smollm2"]);
    }
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let closed = url::Url::parse(&format!("http://{closed}/v1")).unwrap();
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = url::Url::parse(&format!("http://{}/v1", silent.local_addr().unwrap())).unwrap();
    let other = server.anthropic_base().join("/other").unwrap();
    let candidates = [closed.clone(), silent, other, server.openai_base()];
    let began = Instant::now();
    let found = find_local(&candidates, Duration::from_millis(300)).await.unwrap();
    assert!(began.elapsed() < Duration::from_millis(900));
    assert_eq!((found.base, found.models.len()), (server.openai_base(), 2));
    server.models(&[]);
    assert_eq!(find_local(&[server.openai_base(), closed], Duration::from_millis(300)).await, None);
}

#[tokio::test]
async fn prices_are_known_or_are_not_and_a_warm_up_pays_where_it_pays() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    assert!(llm.price(&name("anthropic/claude-sonnet-4-5-20250929")).is_some());
    assert_eq!(llm.price(&name("anthropic/m")), None);
    assert_eq!(llm.price(&name("local/claude-sonnet-4-5")), None);
    let mut long = prompt("x");
    assert!(!llm.wants_warmup(&name("anthropic/m"), &long));
    long.shared = "word ".repeat(1_300);
    assert!(llm.wants_warmup(&name("anthropic/m"), &long));
    assert!(!llm.wants_warmup(&name("openai/m"), &long));
}

#[tokio::test]
async fn what_a_provider_says_that_a_call_cost_is_believed_within_reason() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    for (model, cost) in [
        ("openrouter/v/told-cost", Some(Money(12_500))),
        ("openrouter/v/told-cost-byok", Some(Money(512_500))),
        ("openrouter/v/m", None),
        ("anthropic/m", None),
    ] {
        assert_eq!(send(&llm, model).await.unwrap().cost, cost, "{model}");
    }
}

#[tokio::test]
async fn a_context_is_known_from_the_table_or_from_a_server_that_tells_it() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    assert_eq!(llm.context(&name("anthropic/claude-opus-5-5")).await, Some(1_000_000));
    assert_eq!(llm.context(&name("openrouter/v/m")).await, None);
    assert_eq!(llm.context(&name("local/llama3:latest")).await, None);
    let loaded =
        json!([{"name": "other", "context_length": 4}, {"name": "llama3:latest", "context_length": 4096}]);
    server.page("/api/ps", json!({"models": loaded}));
    assert_eq!(llm.context(&name("local/llama3:latest")).await, Some(4_096));
    assert_eq!(llm.context(&name("local/another")).await, None);
    server.page("/props", json!({"default_generation_settings": {"n_ctx": 65536}, "total_slots": 4}));
    assert_eq!(llm.context(&name("local/llama3:latest")).await, Some(65_536));
    server.page("/props", json!("nonsense"));
    assert_eq!(llm.context(&name("local/another")).await, None);
    assert_eq!(server.strays(), Vec::<String>::new());
}

#[test]
fn the_stand_in_answers_any_schema_validly_and_with_variety() {
    let schema = json!({
        "type": "object", "$defs": {"color": {"enum": ["red", "yellow", "green"]}},
        "properties": {
            "analysis": {"type": "string"},
            "flags": {"type": "array", "minItems": 3, "maxItems": 5, "items": {"type": "object", "properties": {
                "color": {"$ref": "#/$defs/color"}, "title": {"type": "string", "maxLength": 40}}}},
            "revised": {"anyOf": [{"type": "null"}, {"type": "boolean"}]},
            "confidence": {"type": ["integer", "null"], "minimum": 3, "maximum": 4},
            "sources": {"type": "array", "items": {"type": "string"}},
            "scores": {"type": "array", "minItems": 4, "maxItems": 4, "items": {"type": "object", "properties": {
                "points": {"type": "integer"}}}},
        },
    });
    for seed in 0..50 {
        let value = instance(&schema, seed);
        assert_eq!(value, instance(&schema, seed), "the same seed gives the same");
        let flags = value["flags"].as_array().unwrap();
        let mut titles: Vec<&str> = flags.iter().map(|flag| flag["title"].as_str().unwrap()).collect();
        titles.sort_unstable();
        titles.dedup();
        assert!((3..=5).contains(&flags.len()) && titles.len() == flags.len(), "{titles:?}");
        assert!(
            flags.iter().all(|flag| ["red", "yellow", "green"].iter().any(|color| flag["color"] == *color))
        );
        assert!(value["revised"].is_boolean() && value["sources"].as_array().unwrap().is_empty());
        assert!((3..=4).contains(&value["confidence"].as_u64().unwrap()));
        let scores = value["scores"].as_array().unwrap();
        assert_eq!(scores.iter().map(|score| score["points"].as_u64().unwrap()).sum::<u64>(), 10);
    }
    assert_ne!(instance(&schema, 1)["analysis"], instance(&schema, 2)["analysis"]);
}
