//! What is changed after a refusal, by what the request had, and how often in one call.

use domain::{Finish, Usage};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::{Endpoints, Limits, Prices, script::Script};

/// As much as a prompt can have; no tools.
fn prompt() -> Prompt {
    serde_json::from_value(json!({
        "rules": "Rules.", "shared": "", "task": "Task.", "turns": [], "max_tokens": 3_000, "room": 2_000,
        "schema": {"name": "x", "json": {"type": "string", "maxLength": 9}},
        "effort": "standard", "temperature": 0.2, "version": "",
    }))
    .unwrap()
}

fn with_tools() -> Prompt {
    let tool = json!({"name": "search", "description": "Looks up.", "parameters": {"type": "object"}});
    Prompt { tools: vec![serde_json::from_value(tool).unwrap()], ..prompt() }
}

fn learn_of(prompt: &Prompt, model: &str, manner: &Manner, sentence: &str) -> Option<Change> {
    let llm = Llm::new(Endpoints::default(), Limits::default(), Prices::embedded()).unwrap();
    llm.change(&model.parse().unwrap(), prompt, manner, 400, &Complaint::of_body(sentence))
}

fn learn(model: &str, sentence: &str) -> Option<Change> {
    learn_of(&prompt(), model, &Manner::default(), sentence)
}

#[test]
fn only_what_was_sent_is_left_out() {
    use Parameter::{
        CacheKey, CompletionTokens, Developer, Effort, Extras, MaxTokens, StreamOptions, Temperature,
    };
    for (model, sentence, wanted) in [
        ("openai/m", "temperature", Some(Temperature)),
        ("openai/m", "prompt_cache_key", Some(CacheKey)),
        ("local/m", "prompt_cache_key", None),
        ("openai/m", "unknown variant `developer`", Some(Developer)),
        ("azure/m", "unknown variant `developer`", Some(Developer)),
        ("local/m", "unknown variant `developer`", None),
        ("openai/m", "cache_prompt", None),
        ("local/m", "cache_prompt", Some(Extras)),
        ("openai/m", "stream_options", Some(StreamOptions)),
        ("anthropic/m", "stream_options", None),
        ("openai/m", "max_tokens", Some(CompletionTokens)),
        ("local/m", "max_tokens", Some(MaxTokens)),
        ("anthropic/m", "max_tokens", None),
        ("openai/m", "reasoning_effort", None),
        ("openai/gpt-6-sol", "reasoning_effort", Some(Effort)),
    ] {
        assert_eq!(learn(model, sentence), wanted.map(Change::Without), "{model} {sentence}");
    }
    let cold = Prompt { temperature: None, ..prompt() };
    assert_eq!(learn_of(&cold, "openai/m", &Manner::default(), "temperature"), None);
    let whole = Manner::default().with(Change::Unstreamed);
    assert_eq!(learn_of(&prompt(), "openai/m", &whole, "stream_options"), None);
    for (model, name) in [("openai/m", CompletionTokens), ("local/m", MaxTokens)] {
        let other = Manner::default().with(Change::Without(name));
        assert_eq!(learn_of(&prompt(), model, &other, "max_tokens"), None, "a reply is always bounded");
    }
}

#[test]
fn shape_rules_tools_and_room_are_what_the_prompt_has() {
    let grammar = "failed to parse grammar";
    let usual = Manner::default();
    assert_eq!(learn("openai/m", grammar), Some(Change::Schema(SchemaForm::Plain)));
    assert_eq!(learn("anthropic/m", grammar), Some(Change::Schema(SchemaForm::Words)));
    let shapeless = Prompt { schema: None, ..prompt() };
    assert_eq!(learn_of(&shapeless, "openai/m", &usual, grammar), None);
    assert_eq!(learn_of(&with_tools(), "openai/m", &usual, grammar), None, "tools stand in its place");
    let forced = |model| learn_of(&with_tools(), model, &usual, "tool_choice is not known");
    assert_eq!(forced("openai/m"), Some(Change::Without(Parameter::Forced)));
    assert_eq!(forced("anthropic/claude-opus-5-5"), Some(Change::Without(Parameter::Tools)), "it thinks");
    assert_eq!(learn_of(&prompt(), "openai/m", &usual, "no tools here"), None);

    assert_eq!(learn("local/m", "unknown role"), Some(Change::RulesBeforeTask));
    let shared = Prompt { rules: String::new(), shared: "Shared.".to_owned(), ..prompt() };
    assert_eq!(learn_of(&shared, "local/m", &usual, "unknown role"), Some(Change::RulesBeforeTask));
    let bare = Prompt { rules: String::new(), ..prompt() };
    assert_eq!(learn_of(&bare, "local/m", &usual, "unknown role"), None);

    let most = "max_tokens is too large: at most 2000";
    assert_eq!(learn("local/m", most), Some(Change::Shorter(2_000)));
    let short = Manner::default().with(Change::Shorter(1_000));
    assert_eq!(learn_of(&prompt(), "local/m", &short, most), None, "it was asked for less");
    let left = |input: u32| learn("local/m", &format!("context length of 9000, and {input} prompt tokens"));
    assert_eq!((left(6_000), left(6_001)), (Some(Change::ShorterNow(3_000)), None));
}

async fn send(script: &Script, model: &str) -> Result<Reply, CallError> {
    script.llm.send(&model.parse().unwrap(), &prompt(), &CancellationToken::new()).await
}

fn refusal(message: &str) -> String {
    json!({"error": {"message": message}}).to_string()
}

fn yes() -> String {
    json!({"choices": [{"message": {"content": "Yes."}, "finish_reason": "stop"}]}).to_string()
}

#[tokio::test]
async fn four_changes_are_tried_and_kept_for_the_next_call() {
    let four = ["stream_options", "temperature", "prompt_cache_key", "max_completion_tokens"];
    let script = Script::start(move |_, body| {
        let refused = four.into_iter().find(|name| body.get(*name).is_some());
        refused.map_or((200, "application/json", yes()), |name| (400, "application/json", refusal(name)))
    });
    assert_eq!(send(&script, "openai/m").await.unwrap().text, "Yes.");
    assert_eq!((script.asked().len(), script.llm.news().len()), (5, 1));
    send(&script, "openai/m").await.unwrap();
    assert_eq!((script.asked().len(), script.llm.news().len()), (6, 0), "it has learned");
}

#[tokio::test]
async fn what_leads_nowhere_is_forgotten() {
    let script = Script::start(|n, _| {
        let said = ["stream_options", "temperature", "prompt_cache_key", "max_completion_tokens", "grammar"];
        (400, "application/json", refusal(said.get(n).copied().unwrap_or("messages: wrong")))
    });
    for requests in [5, 6, 7] {
        send(&script, "openai/m").await.unwrap_err();
        assert_eq!(script.asked().len(), requests);
    }
    let has = |n: usize| script.asked()[n].get("temperature").is_some();
    assert_eq!((has(0), has(5), has(6)), (true, false, true), "it is asked as any other again");
    let plain = &script.asked()[5]["response_format"]["json_schema"];
    assert_eq!((plain["name"].as_str(), plain.get("strict")), (Some("x"), None), "the fifth change, too");
}

#[tokio::test]
async fn some_classes_teach_and_others_do_not() {
    let room = "input length and max_tokens exceed context limit: 90000 + 5000 > 94000";
    for (status, code, message, requests) in [
        (400, "", room, 2),
        (500, "", "failed to parse grammar", 2),
        (404, "", "No endpoints found that can handle the requested parameters.", 2),
        (400, "rate_limit_exceeded", "temperature", 1),
        (400, "insufficient_quota", "temperature", 1),
        (400, "", "incorrect api key: temperature", 1),
        (400, "", "location is not supported: temperature", 1),
    ] {
        let body = json!({"error": {"message": message, "code": code}}).to_string();
        let script = Script::start(move |n, _| match n {
            0 => (status, "application/json", body.clone()),
            _ => (200, "application/json", yes()),
        });
        assert_eq!(send(&script, "openrouter/v/m").await.is_ok(), requests == 2, "{status} {message}");
        assert_eq!(script.asked().len(), requests, "{status} {message}");
    }
}

#[tokio::test]
async fn a_prompt_that_is_declined_is_answered_and_what_a_refused_request_used_is_counted() {
    let body = json!({"error": {"message": "No.", "code": "content_filter"}}).to_string();
    let script = Script::start(move |_, _| (400, "application/json", body.clone()));
    let reply = send(&script, "openai/m").await.unwrap();
    assert_eq!((reply.text.as_str(), reply.finish, script.asked().len()), ("No.", Finish::Refused, 1));

    let usage = json!({"usage": {"prompt_tokens": 9, "completion_tokens": 9}});
    let error = json!({"error": {"message": "Failed to compile grammar", "code": 400}});
    let mut counted: Value = serde_json::from_str(&yes()).unwrap();
    counted["usage"] = json!({"prompt_tokens": 7, "completion_tokens": 1});
    let both = Usage { input: 16, output: 10, ..Usage::default() };
    for (answer, used) in [(counted.to_string(), Some(both)), (yes(), None)] {
        let refused = format!("data: {usage}\n\ndata: {error}\n\n");
        let script = Script::start(move |n, _| match n {
            0 => (200, "text/event-stream", refused.clone()),
            _ => (200, "application/json", answer.clone()),
        });
        let reply = send(&script, "local/m").await.unwrap();
        assert_eq!((reply.text.as_str(), reply.usage, script.asked().len()), ("Yes.", used, 2));
    }
}

#[tokio::test]
async fn a_reply_is_told_by_what_it_is_and_not_by_its_name() {
    let event = json!({"choices": [{"delta": {"content": "Yes."}, "finish_reason": "stop"}]});
    let (stream, json) = ("text/event-stream", "application/json");
    for (kind, body) in [
        (stream, format!("data: {event}\n\ndata: [DONE]\n\n")),
        (stream, format!("data: {event}\n\n")),
        (json, format!("data: {event}\n\n")),
        (json, format!("\u{feff}data: {event}\n\n")),
        (json, yes()),
        (stream, format!("\r\n \n{}", yes())),
        (stream, format!("\u{feff}{}", yes())),
    ] {
        let shown = body.clone();
        let script = Script::start(move |_, _| (200, kind, body.clone()));
        let reply = send(&script, "local/m").await.unwrap_or_else(|error| panic!("{error}: {shown}"));
        assert_eq!((reply.text.as_str(), reply.finish), ("Yes.", Finish::Stop), "{shown}");
    }
    for (kind, body, what) in [
        ("text/html; charset=utf-8", format!("data: {event}\n\n"), "base URL"),
        (stream, "<!doctype html><title>Sign in</title>".to_owned(), "base URL"),
        (stream, String::new(), "the reply is empty"),
        (stream, "data: [DONE]\n\n".to_owned(), "without a reason"),
        (stream, "data: {\"choices\":[]}\n\n".to_owned(), "before the reply did"),
        (json, "{\"choices\":".to_owned(), "cut off or not JSON"),
        (json, "[1".to_owned(), "cut off or not JSON"),
    ] {
        let shown = body.clone();
        let script = Script::start(move |_, _| (200, kind, body.clone()));
        let error = send(&script, "local/m").await.unwrap_err();
        assert!(error.class == Class::Broken && error.message.contains(what), "{shown}: {error}");
    }
}

#[tokio::test]
async fn a_list_of_errors_in_a_200_is_the_same_as_its_first() {
    let error = json!({"error": {"code": 429, "message": "You exceeded your current quota.",
        "status": "RESOURCE_EXHAUSTED", "details": [{"retryDelay": "0.2s"}]}});
    for model in ["openai/m", "anthropic/m"] {
        let heard = async |kind: &'static str, body: String| {
            let script = Script::start(move |_, _| (200, kind, body.clone()));
            send(&script, model).await.unwrap_err()
        };
        let alone = heard("application/json", error.to_string()).await;
        let wait = Some(Duration::from_millis(200));
        assert_eq!((alone.class, alone.retry_after), (Class::RateLimited, wait), "{model}: {alone}");
        assert_eq!(heard("application/json", format!("[{error}]")).await, alone, "{model}");
        assert_eq!(heard("text/event-stream", format!("data: [{error}]\n\n")).await, alone, "{model}");
    }
}

#[tokio::test]
async fn a_reply_that_says_nothing_teaches_nothing() {
    let (stream, json) = ("text/event-stream", "application/json");
    let silent = json!({"choices": [{"message": {"content": ""}, "finish_reason": "stop"}]});
    let end = json!({"choices": [{"delta": {}, "finish_reason": "stop"}]});
    for (model, kind, body) in [
        ("local/m", json, "{}".to_owned()),
        ("local/m", json, "[]".to_owned()),
        ("local/m", json, silent.to_string()),
        ("local/m", stream, format!("data: {end}\n\ndata: [DONE]\n\n")),
        ("anthropic/m", json, "{}".to_owned()),
    ] {
        let shown = format!("{model} {body}");
        let script = Script::start(move |n, _| match n {
            0 => (400, json, refusal("temperature")),
            _ => (200, kind, body.clone()),
        });
        assert_eq!(send(&script, model).await.unwrap_err().class, Class::Broken, "{shown}");
        assert_eq!(script.asked().len(), 2, "{shown}");
        assert!(script.llm.manner(&model.parse().unwrap()).is_usual(), "{shown}");
        assert_eq!(script.llm.news(), [], "{shown}");
    }
}

#[tokio::test]
async fn a_reply_that_says_nothing_opens_no_gate() {
    // As narrow as it gets, one success would open it.
    let script = Script::start(|n, _| match n {
        0..9 => (429, "application/json", refusal("slower")),
        _ => (200, "application/json", "{}".to_owned()),
    });
    for _ in 0..10 {
        send(&script, "openai/m").await.unwrap_err();
    }
    assert_eq!(script.llm.at_once(&"openai/m".parse().unwrap()), 1);
}

#[tokio::test]
async fn a_reply_that_says_nothing_ends_no_row_of_failures() {
    let script = Script::start(|n, _| match n {
        4 => (200, "application/json", "{}".to_owned()),
        _ => (500, "application/json", refusal("down")),
    });
    for _ in 0..6 {
        send(&script, "local/m").await.unwrap_err();
    }
    let error = send(&script, "local/m").await.unwrap_err();
    assert_eq!((error.class, script.asked().len()), (Class::Unavailable, 6), "{error}");
}
