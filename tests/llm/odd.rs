//! Odd servers, one call at a time: what they refuse is learned, what they say where is heard, and what can teach nothing
//! keeps its words. The bodies are those of public reports.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use domain::Finish;
use models::{CallError, Class, Endpoint, Endpoints, Llm, Prices};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use tokio_util::sync::CancellationToken;

use crate::{
    llm::{limits, llm, llm_within, name, send, send_task},
    support::model::{Answer, ModelServer},
};

fn raw(status: u16, kind: &str, body: &str) -> Answer {
    let headers = vec![("content-type".to_owned(), kind.to_owned())];
    Answer::Raw { status, headers, body: body.to_owned() }
}

const STREAM: &str = "text/event-stream";
const JSON: &str = "application/json";

/// What a model makes of one answer, and how many requests it takes.
async fn answered(
    model: &str,
    status: u16,
    kind: &str,
    body: &str,
) -> (Result<domain::Reply, CallError>, usize) {
    let server = ModelServer::start().await;
    let answer = raw(status, kind, body);
    server.on(move |_| Some(answer.clone()));
    let reply = send(&llm(&server), model).await;
    (reply, server.calls().len())
}

#[tokio::test]
async fn a_server_that_refuses_everything_is_told_after_four_changes() {
    let server = ModelServer::start().await;
    let refusals = [
        "Unknown parameter: 'stream_options'.",
        "Unsupported parameter: 'temperature'",
        "property 'prompt_cache_key' is unsupported",
        "failed to parse grammar",
        "Unsupported parameter: 'max_completion_tokens'",
        "unknown role",
    ];
    let said = AtomicUsize::new(0);
    server.on(move |_| {
        let message = refusals[said.fetch_add(1, Ordering::SeqCst) % refusals.len()];
        Some(raw(400, JSON, &json!({"error": {"message": message}}).to_string()))
    });
    let llm = llm(&server);
    let error = send(&llm, "openai/m").await.unwrap_err();
    assert_eq!((error.class, server.calls().len()), (Class::BadRequest, 5));
    assert!(error.message.contains("max_completion_tokens"), "the server's own words: {error}");
    assert!(llm.manner(&name("openai/m")).is_usual(), "what nobody has taken is not kept");
    assert!(llm.news().is_empty());
}

#[tokio::test]
async fn a_server_that_wants_more_changes_has_them_in_the_next_call() {
    let server = ModelServer::start().await;
    server.on(|call| {
        let unknown = ["stream_options", "temperature", "prompt_cache_key", "max_completion_tokens"];
        let unknown = unknown.into_iter().find(|name| !call.body[*name].is_null());
        let message = match unknown {
            Some(name) => format!("Unsupported parameter: '{name}'"),
            None if call.schema.is_some() => "failed to parse grammar".to_owned(),
            None => return None,
        };
        Some(raw(400, JSON, &json!({"error": {"message": message}}).to_string()))
    });
    let llm = llm(&server);
    let mut prompt = crate::llm::prompt("You are the market analyst.");
    let error = send(&llm, "openai/m").await.unwrap_err();
    assert_eq!((error.class, server.calls().len()), (Class::BadRequest, 5));
    prompt.task = "Again, in short.".to_owned();
    llm.send(&name("openai/m"), &prompt, &CancellationToken::new()).await.unwrap();
    assert_eq!((server.calls().len(), llm.news().len()), (7, 1), "it went on, and what was taken is kept");
}

#[tokio::test]
async fn one_that_refuses_a_parameter_and_its_absence_is_asked_twice() {
    let server = ModelServer::start().await;
    server.on(|call| {
        let there = !call.body["temperature"].is_null();
        let message = if there { "temperature is not supported" } else { "temperature is required" };
        Some(raw(400, JSON, &json!({"error": {"message": message}}).to_string()))
    });
    let error = send(&llm(&server), "openai/m").await.unwrap_err();
    assert_eq!((error.class, server.calls().len()), (Class::BadRequest, 2));
    assert!(error.message.contains("is required"), "{error}");
}

#[tokio::test]
async fn what_was_learned_is_asked_for_once_and_told() {
    let server = ModelServer::start().await;
    server.on(|call| {
        (!call.body["max_completion_tokens"].is_null()).then(|| {
            let body = r#"{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","max_completion_tokens"],"msg":"Extra inputs are not permitted","input":3125}]},"type":"invalid_request_error","param":null,"code":null}"#;
            raw(422, JSON, body)
        })
    });
    let llm = llm(&server);
    for _ in 0..3 {
        send(&llm, "openai/m").await.unwrap();
    }
    assert_eq!(server.calls().len(), 4, "refused once");
    assert_eq!(llm.manner(&name("openai/m")).to_string(), "no max_completion_tokens");
    let news = llm.news();
    assert_eq!((news.len(), news[0].base.as_str()), (1, server.openai_base().as_str()));

    // Another process goes on from there, on the same server only.
    let next = crate::llm::llm(&server);
    next.recall(news.clone());
    send(&next, "openai/m").await.unwrap();
    assert_eq!(server.calls().len(), 5);
    let elsewhere = ModelServer::start().await;
    let other = crate::llm::llm(&elsewhere);
    other.recall(news);
    assert!(other.manner(&name("openai/m")).is_usual());
}

#[tokio::test]
async fn words_are_found_wherever_a_server_puts_them() {
    let answer = r#"{"answer": "yes"}"#;
    let quoted = serde_json::to_string(answer).unwrap();
    let usage = r#""usage":{"prompt_tokens":9,"completion_tokens":9}"#;
    let rows = [
        // Mistral: a list of parts, thoughts among them.
        (
            STREAM,
            format!(
                "data: {{\"choices\":[{{\"delta\":{{\"content\":[{{\"type\":\"thinking\",\"thinking\":[{{\"type\":\"text\",\"text\":\"Let me see.\"}}]}}]}}}}]}}\n\n\
             data: {{\"choices\":[{{\"delta\":{{\"content\":[{{\"type\":\"text\",\"text\":{quoted}}}]}}}}]}}\n\n\
             data: {{\"choices\":[{{\"delta\":{{\"content\":\"\"}},\"finish_reason\":\"stop\"}}],{usage}}}\n\ndata: [DONE]\n\n"
            ),
            Finish::Stop,
        ),
        // vLLM, LM Studio: nothing but reasoning.
        (
            STREAM,
            format!(
                "data: {{\"choices\":[{{\"delta\":{{\"content\":\"\",\"reasoning\":{quoted}}}}}]}}\n\n\
             data: {{\"choices\":[{{\"delta\":{{\"content\":\"\"}},\"finish_reason\":\"stop\"}}],{usage}}}\n\ndata: [DONE]\n\n"
            ),
            Finish::InThoughts,
        ),
        // An event stream under another name, with lines that end as they do on Windows, and a mark before it.
        (
            JSON,
            format!(
                "\u{feff}: hello\r\ndata: {{\"choices\":[{{\"delta\":{{\"content\":{quoted}}},\"finish_reason\":\"stop\"}}],{usage}}}\r\n\r\n"
            ),
            Finish::Stop,
        ),
        // One answer under the name of a stream, after empty lines.
        (
            STREAM,
            format!(
                "\n\n{{\"choices\":[{{\"message\":{{\"content\":{quoted}}},\"finish_reason\":\"stop\"}}],{usage}}}"
            ),
            Finish::Stop,
        ),
        // Two events in one piece.
        (
            STREAM,
            format!(
                "data: {{\"choices\":[{{\"delta\":{{\"content\":{quoted}}}}}]}}\n\ndata: {{\"choices\":[{{\"delta\":{{}},\"finish_reason\":\"stop\"}}],{usage}}}\n\n"
            ),
            Finish::Stop,
        ),
    ];
    for (kind, body, finish) in rows {
        let (reply, calls) = answered("local/m", 200, kind, &body).await;
        let reply = reply.unwrap_or_else(|error| panic!("{error}: {body}"));
        assert_eq!((reply.text.as_str(), reply.finish, calls), (answer, finish, 1), "{body}");
        assert_eq!(reply.usage.unwrap().output, 9);
    }
}

#[tokio::test]
async fn a_count_that_is_none_is_not_known() {
    for usage in [
        "null",
        "\"12\"",
        "{}",
        r#"{"prompt_tokens":-3,"completion_tokens":9}"#,
        r#"{"prompt_tokens":"9","completion_tokens":"9"}"#,
    ] {
        let body = format!(
            "data: {{\"choices\":[{{\"delta\":{{\"content\":\"yes\"}},\"finish_reason\":\"stop\"}}],\"usage\":{usage}}}\n\ndata: [DONE]\n\n"
        );
        let (reply, _) = answered("local/m", 200, STREAM, &body).await;
        assert_eq!(reply.unwrap().usage, None, "{usage}");
    }
}

#[tokio::test]
async fn errors_are_heard_wherever_a_server_puts_them() {
    let overflow = "Trying to keep the first 15857 tokens when context overflows. However, the model is loaded with context length of only 4096 tokens.";
    let rows = [
        // LM Studio, TGI, llama.cpp through Ollama, older llama.cpp with 200, vLLM, SGLang.
        (200, STREAM, format!("event: error\ndata: {}\n\n", json!({"error": {"message": overflow}})), Class::TooLarge),
        (200, STREAM, format!("data: {}\n\n", json!({"error_message": overflow, "error_type": "validation"})), Class::TooLarge),
        (400, JSON, json!({"error": {"message": json!({"error": {"code": 400, "type": "exceed_context_size_error", "message": "request (42947 tokens) exceeds the available context size"}}).to_string()}}).to_string(), Class::TooLarge),
        (200, JSON, json!({"error": {"code": 400, "type": "exceed_context_size_error", "message": "too much"}}).to_string(), Class::TooLarge),
        (400, JSON, json!({"object": "error", "message": "This model's maximum context length is 300 tokens. However, you requested 9000 tokens", "code": 400}).to_string(), Class::TooLarge),
        (200, STREAM, format!("data: {}\n\n", json!({"error": {"object": "error", "message": "Input length (9000 tokens) exceeds the maximum allowed length. maximum context", "code": 400}})), Class::TooLarge),
        (400, JSON, json!({"error": "Cannot truncate prompt with n_keep (14169) >= n_ctx (4096)"}).to_string(), Class::TooLarge),
        // OpenAI's and Groq's: one request alone is more than a minute allows.
        (429, JSON, json!({"error": {"message": "Request too large for m in organization o on tokens per min (TPM): Limit 30000, Requested 36278. The input or output tokens must be reduced in order to run successfully.", "type": "tokens", "code": "rate_limit_exceeded"}}).to_string(), Class::TooLarge),
        (413, JSON, json!({"error": {"message": "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 10338, please reduce your message size", "type": "tokens", "code": "rate_limit_exceeded"}}).to_string(), Class::TooLarge),
        // Azure names a day.
        (429, JSON, json!({"error": {"code": "429", "message": "Requests have exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after 86400 seconds."}}).to_string(), Class::TooLarge),
        (429, JSON, json!({"error": {"message": "Rate limit reached: Limit 12000, Used 4437, Requested 9854. Please try again in 11.455s.", "code": "rate_limit_exceeded"}}).to_string(), Class::RateLimited),
        (429, JSON, json!({"error": {"message": "Quota exceeded for metric: x, limit: 0, model: gemini-3-pro", "status": "RESOURCE_EXHAUSTED"}}).to_string(), Class::Forbidden),
        (400, JSON, json!([{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT"}}]).to_string(), Class::Auth),
        (400, JSON, json!({"code": "Client specified an invalid argument", "error": "Incorrect API key provided: ba***na."}).to_string(), Class::Auth),
        (403, JSON, json!({"code": "permission-denied", "error": "Access to the chat endpoint is denied. Please ensure you're using the correct credentials."}).to_string(), Class::Auth),
        (403, JSON, json!({"error": {"message": "The model `m` is blocked at the organization level.", "code": "model_permission_blocked_org"}}).to_string(), Class::Forbidden),
        (403, JSON, json!({"error": {"message": "This model is not available in your region.", "code": 403}}).to_string(), Class::Forbidden),
        (403, JSON, json!({"error": {"message": "The requested model 'x' is not available for this API key", "type": "key_model_access_denied"}}).to_string(), Class::Forbidden),
        (403, JSON, json!({"error": {"message": "Your account does not have access to model X"}}).to_string(), Class::Forbidden),
        (400, JSON, json!({"error": {"message": "Tool call validation failed: attempted to call tool 'x' which was not in request.tools", "code": "tool_use_failed", "failed_generation": "{"}}).to_string(), Class::Malformed),
        (403, JSON, json!({"error": {"message": "Project `p` does not have access to model `m`", "code": "model_not_found"}}).to_string(), Class::Forbidden),
        (400, JSON, json!({"error": {"message": "Failed to generate JSON.", "code": "json_validate_failed", "failed_generation": "{"}}).to_string(), Class::Malformed),
        (422, JSON, json!({"error": {"message": "Budget has been exceeded! Current cost: 26.075, Max budget: 0.25", "type": "budget_exceeded"}}).to_string(), Class::MoneyGone),
        (401, JSON, json!({"error": "Unauthorized"}).to_string(), Class::Auth),
        // Nothing at all, a page under another name, and a letter that is cut in two.
        (200, STREAM, String::new(), Class::Broken),
        (200, STREAM, "<!doctype html><title>Sign in</title>".to_owned(), Class::Broken),
        (200, STREAM, "data: [DONE]\n\n".to_owned(), Class::Broken),
    ];
    for (status, kind, body, class) in rows {
        let (reply, calls) = answered("local/m", status, kind, &body).await;
        let error = reply.unwrap_err();
        assert_eq!((error.class, calls), (class, 1), "{status} {body}: {error}");
    }
    let body = json!([{"error": {"code": 429, "message": "You exceeded your current quota.", "status": "RESOURCE_EXHAUSTED", "details": [{"retryDelay": "39.4s"}]}}]);
    let (reply, _) = answered("gemini/m", 429, JSON, &body.to_string()).await;
    assert_eq!(reply.unwrap_err().retry_after, Some(Duration::from_millis(39_400)));
}

#[tokio::test]
async fn a_stream_that_ends_in_the_middle_of_a_letter_is_broken() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap()).parse().unwrap();
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = vec![0; 64 << 10];
        let _ = stream.read(&mut request).await.unwrap();
        let body = "data: {\"choices\":[{\"delta\":{\"content\":\"Größe ö";
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&body.as_bytes()[..body.len() - 1]).await.unwrap();
        stream.shutdown().await.unwrap();
    });
    let endpoints = Endpoints { local: Some(Endpoint::new(base, None)), ..Endpoints::default() };
    let llm = Llm::new(endpoints, limits(), Prices::embedded()).unwrap();
    let error = send(&llm, "local/m").await.unwrap_err();
    assert_eq!(error.class, Class::Broken, "{error}");
    server.await.unwrap();
}

#[tokio::test]
async fn comments_alone_keep_nobody_waiting_for_ever() {
    let server = ModelServer::start().await;
    server.on(|_| Some(Answer::OnlyPings));
    let began = Instant::now();
    let error = send(&llm(&server), "local/m").await.unwrap_err();
    assert_eq!(error.class, Class::Timeout);
    assert!(began.elapsed() >= Duration::from_millis(1_450), "not before its time");
}

#[tokio::test]
async fn a_model_that_is_loaded_is_waited_for_like_a_first_word() {
    let server = ModelServer::start().await;
    let asked = AtomicUsize::new(0);
    server.on(move |_| {
        (asked.fetch_add(1, Ordering::SeqCst) == 0).then(|| {
            raw(503, JSON, r#"{"error":{"message":"Loading model","type":"unavailable_error","code":503}}"#)
        })
    });
    let mut limits = limits();
    limits.local.first_token = Duration::from_secs(8);
    send(&llm_within(&server, limits), "local/m").await.unwrap();
    assert_eq!(server.calls().len(), 2);
    // Not beyond the time for a first word.
    server.on(|_| Some(raw(503, JSON, r#"{"error":{"message":"Loading model","code":503}}"#)));
    let error = send_task(&llm(&server), "local/m", "again").await.unwrap_err();
    assert_eq!(error.class, Class::Overloaded);
}
