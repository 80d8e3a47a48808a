//! The servers. Bodies are those of public reports, which are named beside them; names and numbers in them are ours.

use serde_json::{Value, json};

use crate::support::model::{Answer, Call, default_answer, default_reply};

/// A server of the book.
pub struct Server {
    pub name: &'static str,
    /// Who is asked, as the settings name it.
    pub model: &'static str,
    /// How it answers.
    pub answer: fn(&Call) -> Answer,
    /// How many times it refuses a request until it is asked as it likes.
    pub refusals: usize,
    /// How many times it refuses each request whatever was learned.
    pub each_time: usize,
}

/// All of them.
pub static BOOK: [Server; 17] = [
    Server {
        name: "OpenAI, organisation not verified",
        model: "openai/m",
        answer: openai_unverified,
        refusals: 1,
        each_time: 0,
    },
    Server {
        name: "OpenAI, a model without roles for rules",
        model: "openai/m",
        answer: openai_without_roles,
        refusals: 2,
        each_time: 0,
    },
    Server { name: "Azure OpenAI", model: "azure/m", answer: azure, refusals: 1, each_time: 0 },
    Server { name: "Gemini", model: "gemini/m", answer: gemini, refusals: 1, each_time: 1 },
    Server { name: "Mistral", model: "openai/m", answer: mistral, refusals: 2, each_time: 0 },
    Server { name: "Groq", model: "openai/m", answer: groq, refusals: 3, each_time: 1 },
    Server { name: "DeepSeek", model: "openai/m", answer: deepseek, refusals: 3, each_time: 0 },
    Server { name: "xAI", model: "openai/m", answer: xai, refusals: 0, each_time: 0 },
    Server { name: "Together", model: "openai/m", answer: together, refusals: 1, each_time: 0 },
    Server {
        name: "OpenRouter, several makers",
        model: "openrouter/v/m",
        answer: openrouter,
        refusals: 1,
        each_time: 1,
    },
    Server { name: "LiteLLM's proxy", model: "openai/m", answer: litellm, refusals: 1, each_time: 0 },
    Server { name: "vLLM", model: "openai/m", answer: vllm, refusals: 1, each_time: 0 },
    Server { name: "SGLang", model: "openai/m", answer: sglang, refusals: 2, each_time: 0 },
    Server { name: "llama.cpp", model: "local/m", answer: llama_cpp, refusals: 3, each_time: 1 },
    Server { name: "Ollama", model: "local/m", answer: ollama, refusals: 0, each_time: 0 },
    Server { name: "LM Studio", model: "local/m", answer: lm_studio, refusals: 0, each_time: 0 },
    Server { name: "Anthropic", model: "anthropic/m", answer: anthropic, refusals: 1, each_time: 0 },
];

fn refuse(status: u16, body: &str) -> Answer {
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    Answer::Raw { status, headers, body: body.to_owned() }
}

/// What the model says: what was asked for, also where the shape was given in words.
fn said(call: &Call) -> String {
    let mut call = call.clone();
    if call.schema.is_none()
        && let Some((_, words)) = call.user.split_once("It must match this JSON schema:\n")
    {
        call.schema = serde_json::from_str(words).ok();
    }
    match call.schema {
        Some(_) => default_reply(&call).to_string(),
        None => "ready".to_owned(),
    }
}

/// Chunks as events, with what a server puts between them.
fn events(kind: &str, between: &str, chunks: &[Value], done: bool) -> Answer {
    let mut body = between.to_owned();
    for chunk in chunks {
        body.extend(["data: ", &chunk.to_string(), "\n\n", between]);
    }
    if done {
        body += "data: [DONE]\n\n";
    }
    Answer::Raw { status: 200, headers: vec![("content-type".to_owned(), kind.to_owned())], body }
}

const STREAM: &str = "text/event-stream; charset=utf-8";

fn delta(delta: &Value, finish: &Value) -> Value {
    json!({"id": "c1", "object": "chat.completion.chunk", "model": "m",
           "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
}

fn usage(call: &Call) -> Value {
    let tokens = call.text().len() / 4 + 1;
    json!({"prompt_tokens": tokens, "completion_tokens": 400, "total_tokens": tokens + 400})
}

fn with_usage(mut chunk: Value, call: &Call) -> Value {
    chunk["usage"] = usage(call);
    chunk
}

/// A reply as most send it.
fn plainly(call: &Call) -> Answer {
    let chunks = [
        delta(&json!({"role": "assistant", "content": ""}), &Value::Null),
        delta(&json!({"content": said(call)}), &Value::Null),
        delta(&json!({}), &json!("stop")),
        with_usage(json!({"id": "c1", "model": "m", "choices": []}), call),
    ];
    events(STREAM, "", &chunks, true)
}

fn role_of(call: &Call) -> &str {
    call.body["messages"][0]["role"].as_str().unwrap_or_default()
}

/// <https://github.com/openai/openai-python/issues/2352> and many more: a model that only verified organisations may stream.
fn openai_unverified(call: &Call) -> Answer {
    if call.stream {
        return refuse(
            400,
            r#"{"error":{"message":"Your organization must be verified to stream this model.","type":"invalid_request_error","param":"stream","code":"unsupported_value"}}"#,
        );
    }
    Answer::Unstreamed(said(call))
}

/// <https://github.com/tailcallhq/forgecode/issues/1177>: o1-mini knows neither role for rules.
fn openai_without_roles(call: &Call) -> Answer {
    let role = role_of(call);
    if role == "user" {
        return plainly(call);
    }
    refuse(
        400,
        &format!(
            r#"{{"error":{{"message":"Unsupported value: 'messages[0].role' does not support '{role}' with this model.","type":"invalid_request_error","param":"messages[0].role","code":"unsupported_value"}}}}"#
        ),
    )
}

/// Chunks: <https://github.com/vercel/ai/blob/ed857f50/packages/openai/src/chat/__fixtures__/azure-model-router.1.chunks.txt>;
/// the refusal: <https://github.com/jamesrochabrun/SwiftOpenAI/issues/67>.
fn azure(call: &Call) -> Answer {
    if !call.body["stream_options"].is_null() {
        return refuse(
            400,
            r#"{"error":{"message":"Unknown parameter: 'stream_options'.","type":"invalid_request_error","param":"stream_options","code":"unknown_parameter"}}"#,
        );
    }
    let filtered = json!({"hate": {"filtered": false, "severity": "safe"}});
    let first = json!({"choices": [], "created": 0, "id": "", "model": "", "object": "",
                       "prompt_filter_results": [{"prompt_index": 0, "content_filter_results": filtered}]});
    let annotation = json!({"id": "", "model": "", "choices": [{"index": 0, "finish_reason": null, "content_filter_results": {}}]});
    let text = json!({"content": said(call), "refusal": null, "role": "assistant"});
    let chunks = [first, delta(&text, &Value::Null), annotation, delta(&json!({}), &json!("stop"))];
    events(STREAM, "", &chunks, true)
}

/// The role: <https://github.com/BerriAI/litellm/issues/9529>; one chunk for all, keys in another order:
/// <https://github.com/ENTERPILOT/GoModel/blob/a26fbd1c/tests/contract/testdata/gemini/chat_completion_stream.txt>; the wait:
/// <https://github.com/continuedev/continue/issues/9570>.
fn gemini(call: &Call) -> Answer {
    if role_of(call) == "system" {
        return refuse(
            400,
            r#"[{"error":{"code":400,"message":"Developer instruction is not enabled for models/gemma-3-27b-it","status":"INVALID_ARGUMENT"}}]"#,
        );
    }
    if call.n == 1 && call.user.contains("from the side of Cost") {
        return refuse(
            429,
            r#"[{"error":{"code":429,"message":"You exceeded your current quota.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"0.2s"}]}}]"#,
        );
    }
    let whole = json!({"content": said(call), "role": "assistant"});
    events(STREAM, "", &[with_usage(delta(&whole, &json!("stop")), call)], true)
}

/// <https://github.com/pydantic/pydantic-ai> (cassette `test_mistral_model_thinking_part_iter`): thoughts are a list, the answer
/// may be one, too, and usage comes with the end.
fn mistral(call: &Call) -> Answer {
    for unknown in ["max_completion_tokens", "stream_options"] {
        if !call.body[unknown].is_null() {
            return refuse(
                422,
                &format!(
                    r#"{{"object":"error","message":{{"detail":[{{"type":"extra_forbidden","loc":["body","{unknown}"],"msg":"Extra inputs are not permitted","input":3125}}]}},"type":"invalid_request_error","param":null,"code":null}}"#
                ),
            );
        }
    }
    let thought =
        json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Let me see {."}]}]});
    let text = json!({"content": [{"type": "text", "text": said(call)}]});
    let end = with_usage(delta(&json!({"content": ""}), &json!("stop")), call);
    events(STREAM, "", &[delta(&thought, &Value::Null), delta(&text, &Value::Null), end], true)
}

/// The parameter: <https://github.com/eigent-ai/eigent/issues/1827>; the schema: <https://github.com/i-am-bee/beeai-framework/issues/1215>;
/// JSON that did not come out right, now and then; usage only in a place of its own (pydantic-ai's `test_groq` cassettes).
fn groq(call: &Call) -> Answer {
    if !call.body["prompt_cache_key"].is_null() {
        return refuse(
            400,
            r#"{"error":{"message":"property 'prompt_cache_key' is unsupported","type":"invalid_request_error"}}"#,
        );
    }
    let schema = call.schema.as_ref().map(Value::to_string).unwrap_or_default();
    if schema.contains("\"minItems\":") {
        return refuse(
            400,
            r#"{"error":{"message":"invalid schema for response format: response_format/json_schema/next_step: minItems is not supported","type":"invalid_request_error"}}"#,
        );
    }
    if call.n == 1 && call.user.contains("from the side of Cost") {
        return refuse(
            400,
            r#"{"error":{"message":"Failed to generate JSON. Please adjust your prompt. See 'failed_generation' for more details.","type":"invalid_request_error","code":"json_validate_failed","failed_generation":"{\"analysis\": \"x\"}"}}"#,
        );
    }
    let mut end = delta(&json!({}), &json!("stop"));
    end["x_groq"] = json!({"id": "req_1", "usage": usage(call)});
    events(
        STREAM,
        "",
        &[delta(&json!({"role": "assistant", "content": said(call)}), &Value::Null), end],
        true,
    )
}

/// The role, without JSON: <https://github.com/fruitbars/simple-one-api/issues/96>; structured output:
/// <https://github.com/llm-exe/llm-exe/issues/662>; the bound: <https://github.com/mnfst/llm-gateway/issues/1177>; comments while one
/// waits: <https://github.com/tmc/langchaingo/pull/1171>.
fn deepseek(call: &Call) -> Answer {
    if role_of(call) == "developer" {
        return refuse(
            422,
            "Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool` at line 1 column 117",
        );
    }
    if !call.body["response_format"].is_null() {
        return refuse(
            400,
            r#"{"error":{"message":"This response_format type is unavailable now","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}"#,
        );
    }
    if call.body["max_completion_tokens"].as_u64().is_some_and(|most| most > 1_500) {
        return refuse(
            400,
            r#"{"error":{"message":"Invalid max_tokens value, the valid range of max_tokens is [1, 1500]","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}"#,
        );
    }
    let thought = json!({"role": "assistant", "content": null, "reasoning_content": "Let me see."});
    let text = json!({"content": said(call), "reasoning_content": null});
    let end = with_usage(delta(&json!({"content": "", "reasoning_content": null}), &json!("stop")), call);
    let chunks = [delta(&thought, &Value::Null), delta(&text, &Value::Null), end];
    events("application/octet-stream", ": keep-alive\n\n", &chunks, true)
}

/// <https://github.com/vercel/ai/blob/ed857f50/packages/xai/src/__fixtures__/xai-text.chunks.txt>: no reason to stop until there
/// is one.
fn xai(call: &Call) -> Answer {
    let part = |said: Value| json!({"id": "c1", "model": "m", "choices": [{"index": 0, "delta": said}]});
    let chunks = [
        part(json!({"reasoning_content": "First", "role": "assistant"})),
        part(json!({"content": said(call)})),
        json!({"id": "c1", "model": "m", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}),
        with_usage(json!({"id": "c1", "model": "m", "choices": []}), call),
    ];
    events(STREAM, "", &chunks, true)
}

/// Thinly documented; structured output that a model has not: <https://github.com/BerriAI/litellm/issues/6972>. An event stream
/// under another name.
fn together(call: &Call) -> Answer {
    if !call.body["response_format"].is_null() {
        return refuse(
            400,
            r#"{"id":"o3","error":{"message":"response_format is not supported for this model","type":"invalid_request_error","param":null,"code":null}}"#,
        );
    }
    let end = with_usage(delta(&json!({}), &json!("stop")), call);
    events("application/json", "", &[delta(&json!({"content": said(call)}), &Value::Null), end], true)
}

/// Comments, and usage beside a choice that is empty (pydantic-ai's `test_openrouter_stream_with_reasoning`); one of several
/// makers drops out in the middle: <https://github.com/diegosouzapw/OmniRoute/pull/8210>.
fn openrouter(call: &Call) -> Answer {
    let comment = ": OPENROUTER PROCESSING\n\n";
    if call.n == 1 && call.user.contains("from the side of Cost") {
        let error = json!({"id": "gen-1", "provider": "One", "model": "v/m", "choices": [],
                           "error": {"code": 502, "message": "Worker local total request limit reached (33/32)"}});
        return events(STREAM, comment, &[error], true);
    }
    let nothing = json!({"role": "assistant", "content": ""});
    let chunks = [
        delta(&json!({"role": "assistant", "content": "", "reasoning": "Hm."}), &Value::Null),
        delta(&json!({"role": "assistant", "content": said(call)}), &Value::Null),
        delta(&nothing, &json!("stop")),
        with_usage(delta(&nothing, &Value::Null), call),
    ];
    events(STREAM, comment, &chunks, true)
}

/// <https://github.com/BerriAI/litellm/issues/8278>.
fn litellm(call: &Call) -> Answer {
    if call.body["response_format"].is_null() {
        return plainly(call);
    }
    refuse(
        400,
        r#"{"error":{"message":"litellm.UnsupportedParamsError: together_ai does not support parameters: ['response_format'], for model=m. To drop these, set `litellm.drop_params=True` or for proxy:","type":"None","param":"None","code":"400"}}"#,
    )
}

/// vLLM 0.33 with xgrammar alone, and a reasoning parser that takes all for reasoning:
/// <https://github.com/vllm-project/vllm/issues/50948>.
fn vllm(call: &Call) -> Answer {
    let schema = call.schema.as_ref().map(Value::to_string).unwrap_or_default();
    if ["\"pattern\":", "\"maxLength\":", "\"maxItems\":"].iter().any(|feature| schema.contains(feature)) {
        return refuse(
            400,
            r#"{"error":{"message":"The provided JSON schema contains features not supported by xgrammar.","type":"BadRequestError","param":null,"code":400}}"#,
        );
    }
    let chunks = [
        delta(&json!({"role": "assistant", "content": ""}), &Value::Null),
        delta(&json!({"reasoning": said(call)}), &Value::Null),
        delta(&json!({}), &json!("stop")),
        with_usage(json!({"id": "c1", "model": "m", "choices": []}), call),
    ];
    events(STREAM, "", &chunks, true)
}

/// `SGLang` 0.5.23 (`serving_chat.py`): what its scheduler refuses comes as the first event of a stream that began with 200.
fn sglang(call: &Call) -> Answer {
    if call.schema.is_none() {
        return plainly(call);
    }
    let error = json!({"error": {"object": "error", "message": "Failed to compile json_schema grammar: ...",
                                 "type": "BAD_REQUEST", "param": null, "code": 400}});
    let usage = json!({"id": "c1", "model": "m", "choices": [],
                       "usage": {"prompt_tokens": 1, "total_tokens": 1, "completion_tokens": 0}});
    events(STREAM, "", &[error, usage], true)
}

/// llama-server of build 11549: comments before the first word, `content` null at first; a model that is being loaded; a grammar
/// that it cannot read.
fn llama_cpp(call: &Call) -> Answer {
    if call.n == 1 && call.user.contains("from the side of Cost") {
        return refuse(503, r#"{"error":{"message":"Loading model","type":"unavailable_error","code":503}}"#);
    }
    let schema = call.schema.as_ref().map(Value::to_string).unwrap_or_default();
    if schema.contains("\"maxLength\":") {
        return refuse(
            400,
            r#"{"error":{"code":400,"message":"Failed to initialize samplers: failed to parse grammar","type":"invalid_request_error"}}"#,
        );
    }
    let chunks = [
        delta(&json!({"role": "assistant", "content": null}), &Value::Null),
        delta(&json!({"content": said(call)}), &Value::Null),
        delta(&json!({}), &json!("stop")),
        with_usage(json!({"id": "c1", "model": "m", "choices": []}), call),
    ];
    events("text/event-stream", ":\n\n", &chunks, true)
}

/// Ollama at fb30760: thoughts under `reasoning`, and no word of a length that is too much.
fn ollama(call: &Call) -> Answer {
    let chunks = [
        delta(&json!({"role": "assistant", "content": "", "reasoning": "Let me"}), &Value::Null),
        delta(&json!({"content": said(call)}), &Value::Null),
        delta(&json!({}), &json!("stop")),
        with_usage(json!({"id": "c1", "model": "m", "choices": []}), call),
    ];
    events("text/event-stream", "", &chunks, true)
}

/// <https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1698>: the answer stands in `reasoning_content`.
fn lm_studio(call: &Call) -> Answer {
    let chunks = [
        delta(&json!({"role": "assistant", "content": "", "reasoning_content": said(call)}), &Value::Null),
        delta(&json!({}), &json!("stop")),
        with_usage(json!({"id": "c1", "model": "m", "choices": []}), call),
    ];
    events(STREAM, "", &chunks, true)
}

/// <https://github.com/anthropics/claude-code/issues/24451>: a model that can write less than it is asked to.
fn anthropic(call: &Call) -> Answer {
    let asked = call.body["max_tokens"].as_u64().unwrap_or_default();
    if asked > 1_500 {
        let body = json!({"type": "error", "error": {"type": "invalid_request_error", "message": format!(
            "max_tokens: {asked} > 1500, which is the maximum allowed number of output tokens for claude-m")}});
        return refuse(400, &body.to_string());
    }
    default_answer(call)
}
