//! Tools over the wire: every provider's own tool calls, and structured output where it has none, give the same reply.

use domain::{Effort, Finish, Prompt, Provider, Reply, Schema, Tool, Turn};
use models::{CallError, Class, Llm};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::{
    llm::{ALL, llm, name, prompt},
    support::model::{Answer, Fault, ModelServer, tools::Said},
};

/// Those of [`ALL`] with tool calls of their own.
const NATIVE: [&str; 3] = ["anthropic/m", "openai/m", "openrouter/v/m"];

fn tool(name: &str, properties: &Value) -> Tool {
    let required: Vec<&String> = properties.as_object().unwrap().keys().collect();
    Tool {
        name: name.to_owned(),
        description: format!("What `{name}` does."),
        parameters: json!({
            "type": "object", "additionalProperties": false, "required": required, "properties": properties,
        }),
    }
}

fn asking(task: &str) -> Prompt {
    let json = json!({
        "type": "object", "additionalProperties": false, "required": ["tool", "why", "query", "answer"],
        "properties": {
            "tool": {"type": "string", "enum": ["search", "done"]},
            "why": {"type": ["string", "null"]},
            "query": {"type": ["string", "null"]},
            "answer": {"type": ["string", "null"]},
        },
    });
    let text = json!({"type": "string", "maxLength": 200});
    Prompt {
        schema: Some(Schema { name: "step".to_owned(), json }),
        tools: vec![
            tool("search", &json!({"why": text, "query": text})),
            tool("done", &json!({"why": text, "answer": text})),
        ],
        ..prompt(task)
    }
}

async fn ask(llm: &Llm, model: &str, prompt: &Prompt) -> Result<Reply, CallError> {
    llm.send(&name(model), prompt, &CancellationToken::new()).await
}

fn search() -> Value {
    json!({"tool": "search", "why": "Nobody knows: \u{1F6B2} \"naïve\" {}.", "query": "bridges of the town"})
}

fn call(name: &str, arguments: &str) -> (String, String) {
    (name.to_owned(), arguments.to_owned())
}

#[tokio::test]
async fn the_request_carries_tools_as_each_provider_wants_them() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    let prompt = asking("Go on.");
    for model in ALL {
        ask(&llm, model, &prompt).await.unwrap();
        let call = server.calls().pop().unwrap();
        assert_eq!(call.tools, ["search", "done"], "{model}");
        let body = call.body;
        assert_eq!(body, llm.wire(&name(model), &prompt));
        match name(model).provider {
            Provider::Anthropic => {
                let tool = &body["tools"][0];
                assert_eq!((&tool["name"], &tool["strict"]), (&json!("search"), &json!(true)));
                let query = &tool["input_schema"]["properties"]["query"];
                assert_eq!(query, &json!({"type": "string", "description": "(maxLength=200)"}));
                assert_eq!(body["tool_choice"], json!({"type": "any", "disable_parallel_tool_use": true}));
                assert_eq!(body["output_config"], Value::Null, "a call is the only shape");
                assert_eq!(body["system"][1]["cache_control"], json!({"type": "ephemeral"}));
            }
            Provider::Local => {
                assert_eq!((&body["tools"], &body["tool_choice"]), (&Value::Null, &Value::Null));
                assert_eq!(body["response_format"]["json_schema"]["name"], "step");
                assert!(call.user.contains("- `search`: What `search` does."), "{}", call.user);
            }
            provider => {
                let tool = &body["tools"][0];
                assert_eq!(tool["type"], "function");
                assert_eq!(
                    (&tool["function"]["name"], &tool["function"]["strict"]),
                    (&json!("search"), &json!(true))
                );
                assert_eq!(tool["function"]["parameters"]["required"], json!(["why", "query"]));
                assert_eq!(
                    (&body["tool_choice"], &body["response_format"]),
                    (&json!("required"), &Value::Null)
                );
                let openai = matches!(provider, Provider::Openai | Provider::Azure);
                let parallel = if openai { json!(false) } else { Value::Null };
                assert_eq!(body["parallel_tool_calls"], parallel, "{model}");
                assert!(!call.user.contains("search"), "{}", call.user);
            }
        }
    }
    assert_eq!(server.strays(), Vec::<String>::new());
}

#[tokio::test]
async fn who_may_not_be_forced_while_it_thinks_is_asked() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    for model in ["anthropic/claude-opus-5-5", "openrouter/anthropic/claude-opus-5.5"] {
        let prompt = asking("Go on.");
        let room = llm.room(&name(model), &prompt);
        assert!(room > 0, "{model} thinks");
        ask(&llm, model, &Prompt { room, ..prompt }).await.unwrap();
        let call = server.calls().pop().unwrap();
        let choice = call.body["tool_choice"].clone();
        assert!(
            !["any", "tool"].iter().any(|forced| choice["type"] == *forced) && choice != "required",
            "{choice}"
        );
        assert!(
            !call.body["tools"].is_null() && call.user.contains("exactly one of the tools"),
            "{}",
            call.user
        );
    }
    assert_eq!(server.calls().len(), 2);
    assert_eq!(server.strays(), Vec::<String>::new());
}

#[tokio::test]
async fn every_dialect_gives_the_same_flat_object() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    server.on(|call| {
        let flat = search().to_string();
        let slow = std::time::Duration::from_millis(5);
        Some(match call.user.split_whitespace().next().unwrap() {
            "split" => Answer::Split(flat),
            "slow" => Answer::Slow(flat, slow),
            "whole" => Answer::Unstreamed(flat),
            _ => Answer::Text(flat),
        })
    });
    for model in ALL {
        for task in ["plain", "split", "slow", "whole"] {
            let reply =
                ask(&llm, model, &asking(task)).await.unwrap_or_else(|e| panic!("{model} {task}: {e}"));
            assert_eq!((reply.text, reply.finish), (search().to_string(), Finish::Stop), "{model} {task}");
            assert!(reply.usage.unwrap().output > 0);
        }
    }
    assert_eq!(server.strays(), Vec::<String>::new());
}

#[tokio::test]
async fn of_several_calls_and_words_around_them_the_first_call_counts() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    for model in NATIVE {
        for streamed in [true, false] {
            server.on(move |_| {
                let calls = vec![call("search", r#"{"query":"a"}"#), call("done", r#"{"answer":"b"}"#)];
                let said = Said { text: "Let me look that up first.".to_owned(), calls };
                Some(Answer::Calls { said, cut: false, streamed })
            });
            let reply = ask(&llm, model, &asking("Go on.")).await.unwrap();
            assert_eq!(reply.text, r#"{"tool":"search","query":"a"}"#, "{model} streamed: {streamed}");
        }
    }
}

#[tokio::test]
async fn what_is_no_good_call_is_told_from_one_by_whoever_reads_it() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    // What comes, and the text that is to be read: with `cut`, at the most tokens.
    let rows = [
        (call("format_disk", r#"{"now":true}"#), false, r#"{"tool":"format_disk","now":true}"#),
        (call("search", r#"{"query":"bridges of th"#), true, r#"{"tool":"search","query":"bridges of th"#),
        (call("search", r#"{"query":"bridges of th"#), false, r#"{"tool":"search","query":"bridges of th"#),
        (call("search", ""), false, r#"{"tool":"search"}"#),
    ];
    for model in NATIVE {
        for (called, cut, wanted) in rows.clone() {
            server.on(move |_| {
                let said = Said { text: String::new(), calls: vec![called.clone()] };
                Some(Answer::Calls { said, cut, streamed: true })
            });
            let reply = ask(&llm, model, &asking("Go on.")).await.unwrap();
            let finish = if cut { Finish::Length } else { Finish::Stop };
            assert_eq!((reply.text.as_str(), reply.finish), (wanted, finish), "{model}");
            assert!(!reply.is_only_thought());
        }
        server.on(|_| Some(Answer::Text("I would rather explain.".to_owned())));
        assert_eq!(ask(&llm, model, &asking("Go on.")).await.unwrap().text, "I would rather explain.");
        server.on(|_| Some(Answer::Refusal("I will not.".to_owned())));
        let refused = ask(&llm, model, &asking("Go on.")).await.unwrap();
        assert_eq!((refused.text.as_str(), refused.finish), ("I will not.", Finish::Refused), "{model}");
    }
}

#[tokio::test]
async fn a_repair_turn_after_a_call_is_a_conversation_that_providers_take() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    let mut prompt = asking("Go on.");
    let reply = r#"{"tool":"search"}"#.to_owned();
    prompt.turns.push(Turn { reply, correction: "The query is missing.".to_owned() });
    for model in ALL {
        server.on(|_| Some(Answer::Json(search())));
        assert_eq!(ask(&llm, model, &prompt).await.unwrap().text, search().to_string(), "{model}");
        let call = server.calls().pop().unwrap();
        let messages = call.body["messages"].as_array().unwrap().clone();
        let roles: Vec<&str> = messages.iter().map(|m| m["role"].as_str().unwrap()).collect();
        assert!(roles.ends_with(&["user", "assistant", "user"]), "{model}: {roles:?}");
        // A call in the conversation would need its result after it.
        let text = call.body["messages"].to_string();
        assert!(!text.contains("tool_use") && !text.contains("tool_calls"), "{model}: {text}");
        assert!(call.user.contains(r#"{"tool":"search"}"#) && call.user.contains("The query is missing."));
    }
}

#[tokio::test]
async fn odd_servers_calls_are_understood() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    let whole = json!({"query": "a"});
    let rows = [
        // Neither number nor pieces, and arguments that are no text.
        vec![json!({"tool_calls": [{"id": "x", "function": {"name": "search", "arguments": whole}}]})],
        // Each piece repeats the name, and a second call has the first one's number.
        vec![
            json!({"tool_calls": [{"index": 0, "id": "x", "function": {"name": "search", "arguments": "{\"query\":"}}]}),
            json!({"tool_calls": [{"index": 0, "id": "x", "function": {"name": "search", "arguments": "\"a\"}"}}]}),
            json!({"tool_calls": [{"index": 0, "id": "y", "function": {"name": "done", "arguments": "{}"}}]}),
            json!({"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]}),
        ],
        // Two calls at once, in one piece.
        vec![json!({"content": "", "tool_calls": [
            {"id": "x", "function": {"name": "search", "arguments": "{\"query\":\"a\"}"}},
            {"id": "y", "function": {"name": "done", "arguments": "{}"}},
        ]})],
    ];
    for deltas in rows {
        let end = json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]});
        let chunk = |delta: &Value| format!("data: {}\n\n", json!({"choices": [{"delta": delta}]}));
        let body: String = deltas.iter().map(chunk).collect();
        let body = format!("{body}data: {end}\n\ndata: [DONE]\n\n");
        let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
        server.on(move |_| Some(Answer::Raw { status: 200, headers: headers.clone(), body: body.clone() }));
        let reply = ask(&llm, "openrouter/v/m", &asking("Go on.")).await.unwrap();
        assert_eq!(reply.text, r#"{"tool":"search","query":"a"}"#, "{deltas:?}");
    }
}

#[tokio::test]
async fn a_call_that_breaks_off_is_no_reply() {
    let server = ModelServer::start().await;
    for model in NATIVE {
        for (answer, class) in [(Answer::CutMidStream, Class::Broken), (Answer::Stall(3), Class::Timeout)] {
            let llm = llm(&server);
            let fault = answer.clone();
            server.on(move |_| Some(fault.clone()));
            let error = ask(&llm, model, &asking("Go on.")).await.unwrap_err();
            assert_eq!(error.class, class, "{model} {answer:?}: {error}");
        }
    }
    let begun = json!({"choices": [{"delta": {"tool_calls": [
        {"index": 0, "id": "x", "function": {"name": "search", "arguments": "{\"query\":\"a\"}"}}]}}]});
    let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
    let body = format!("data: {begun}\n\n");
    server.on(move |_| Some(Answer::Raw { status: 200, headers: headers.clone(), body: body.clone() }));
    let error = ask(&llm(&server), "openai/m", &asking("Go on.")).await.unwrap_err();
    assert_eq!((error.class, error.received), (Class::Broken, 13), "its arguments have been paid for");
}

#[tokio::test]
async fn what_a_model_refuses_of_tools_is_learned_within_the_attempt() {
    let server = ModelServer::start().await;
    for model in NATIVE {
        let llm = llm(&server);
        server.forget();
        server.on(|call| {
            let choice = &call.body["tool_choice"];
            let refusal = if call.body.to_string().contains("parallel_tool") {
                "Unsupported parameter: 'parallel_tool_calls' / disable_parallel_tool_use."
            } else if choice == "required" || choice["type"] == "any" {
                "tool_choice forces tool use is not compatible with this model."
            } else if call.native && call.body["tools"].to_string().contains("strict") {
                "tools.0.custom.strict: Extra inputs are not permitted"
            } else if call.native {
                "This model does not support tools."
            } else {
                return Some(Answer::Json(search()));
            };
            Some(Answer::Fault(Fault::BadRequest(refusal.to_owned())))
        });
        let steps = if model.starts_with("openrouter") { 4 } else { 5 };
        for more in [0, 1] {
            let reply = ask(&llm, model, &asking("Go on.")).await.unwrap();
            assert_eq!(reply.text, search().to_string(), "{model}");
            assert_eq!(server.calls().len(), steps + more, "{model}: the second time it is known");
        }
        let last = server.calls().pop().unwrap();
        assert_eq!(last.schema_name.as_deref(), Some("step"), "{model}: structured output instead");
        assert!(last.user.contains("- `done`: What `done` does.") && !last.native);
        // What has no tools is asked as before.
        let plain = llm.wire(&name(model), &prompt("x"));
        assert_eq!(plain, super::llm(&server).wire(&name(model), &prompt("x")), "{model}");
    }
}

#[tokio::test]
async fn who_cannot_call_tools_and_think_goes_on_thinking() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    let model = name("openai/gpt-6-sol");
    server.on(|call| {
        let refusal =
            "Function tools with reasoning_effort are not supported for gpt-6-sol in /v1/chat/completions.";
        call.native.then(|| Answer::Fault(Fault::BadRequest(refusal.to_owned())))
    });
    let prompt = Prompt { effort: Effort::Deep, ..asking("Go on.") };
    let prompt = Prompt { room: llm.room(&model, &prompt), ..prompt };
    llm.send(&model, &prompt, &CancellationToken::new()).await.unwrap();
    let last = server.calls().pop().unwrap();
    assert_eq!((&last.body["reasoning_effort"], last.native), (&json!("high"), false));
    assert_eq!(last.schema_name.as_deref(), Some("step"));
}

#[tokio::test]
async fn what_stands_behind_a_gateway_is_heard() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    server.on(|call| {
        let error = match call.body["tool_choice"].as_str() {
            Some(_) => json!({"code": 404, "message": "No endpoints found that support the provided 'tool_choice' value."}),
            None if call.native => json!({"code": 400, "message": "Provider returned error", "metadata": {
                "provider_name": "P", "raw": "{\"error\":{\"message\":\"tools are not supported\"}}"}}),
            None => return Some(Answer::Json(search())),
        };
        let status = u16::try_from(error["code"].as_u64().unwrap()).unwrap();
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        Some(Answer::Raw { status, headers, body: json!({"error": error}).to_string() })
    });
    assert_eq!(ask(&llm, "openrouter/v/m", &asking("Go on.")).await.unwrap().text, search().to_string());
    assert_eq!(server.calls().len(), 3);
}

#[tokio::test]
async fn tools_are_part_of_what_is_cached() {
    let server = ModelServer::start().await;
    let llm = llm(&server);
    let mut prompt = asking("Go on.");
    assert!(!llm.wants_warmup(&name("anthropic/m"), &prompt));
    let key = llm.wire(&name("openai/m"), &prompt)["prompt_cache_key"].clone();
    prompt.tools[0].description = "word ".repeat(1_300);
    assert!(llm.wants_warmup(&name("anthropic/m"), &prompt));
    prompt.tools.pop();
    assert_ne!(llm.wire(&name("openai/m"), &prompt)["prompt_cache_key"], key);
}
