//! The two dialects: requests read and checked, frames written.

use std::time::Instant;

use axum::http::HeaderMap;
use serde_json::{Value, json};

use super::{
    Call, Dialect, End,
    tools::{self, Said},
};

/// Why a reply stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    End,
    Length,
    Refused,
}

/// A streamed reply in parts.
pub struct Frames {
    pub open: Vec<String>,
    pub text: Vec<String>,
    /// The reason for stopping and the usage.
    pub close: Vec<String>,
    /// The terminator.
    pub done: Vec<String>,
}

/// Reads a request.
pub fn call(dialect: Dialect, headers: &HeaderMap, body: Value) -> Call {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let messages = body["messages"].as_array().into_iter().flatten();
    let (mut system, mut user) = (Vec::new(), Vec::new());
    system.extend(texts(&body["system"]));
    for message in messages {
        match message["role"].as_str() {
            Some("system" | "developer") => system.extend(texts(&message["content"])),
            _ => user.extend(texts(&message["content"])),
        }
    }
    let (schema, schema_name, auth) = match dialect {
        Dialect::Chat => {
            let format = &body["response_format"]["json_schema"];
            let bearer = header("authorization").and_then(|value| value.strip_prefix("Bearer "));
            // Azure's.
            let auth = bearer.or_else(|| header("api-key"));
            (&format["schema"], &format["name"], auth)
        }
        Dialect::Anthropic => {
            let schema = &body["output_config"]["format"]["schema"];
            (schema, &schema["title"], header("x-api-key"))
        }
    };
    let native = !tools::offered(dialect, &body).is_empty();
    Call {
        at: Instant::now(),
        dialect,
        model: body["model"].as_str().unwrap_or_default().to_owned(),
        system: system.join("\n\n"),
        user: user.join("\n\n"),
        schema_name: schema_name.as_str().map(str::to_owned),
        schema: (!schema.is_null()).then(|| schema.clone()),
        tools: tools::names(dialect, &body, schema),
        native,
        n: 0,
        auth: auth.map(str::to_owned),
        stream: body["stream"] == true,
        begun: None,
        end: End::Running,
        ended: None,
        body,
    }
}

fn texts(content: &Value) -> Vec<String> {
    match content {
        Value::String(text) => vec![text.clone()],
        Value::Array(blocks) => {
            blocks.iter().filter_map(|block| block["text"].as_str().map(str::to_owned)).collect()
        }
        _ => Vec::new(),
    }
}

/// What a real server would refuse.
pub fn check(call: &Call, headers: &HeaderMap) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("{:?}: {what}", call.dialect));
    if call.model.is_empty() {
        return wrong("model missing");
    }
    if call.user.is_empty() {
        return wrong("messages missing");
    }
    if let Err(what) = tools::check(call) {
        return wrong(what);
    }
    if call.dialect == Dialect::Anthropic {
        if !headers.contains_key("anthropic-version") {
            return wrong("anthropic-version missing");
        }
        if !call.body["max_tokens"].is_u64() {
            return wrong("max_tokens missing");
        }
        if call.body["temperature"].as_f64().is_some_and(|warmth| warmth > 1.0) {
            return wrong("temperature above 1");
        }
        let tools = tools::offered(call.dialect, &call.body).into_iter().map(|(_, schema)| schema);
        let schema: String =
            call.schema.iter().cloned().chain(tools).map(|schema| schema.to_string()).collect();
        for keyword in ["\"maxItems\":", "\"minimum\":", "\"maximum\":", "\"maxLength\":"] {
            if schema.contains(keyword) {
                return wrong(&format!("unsupported keyword {keyword}"));
            }
        }
    }
    Ok(())
}

fn id(call: &Call) -> String {
    format!("msg_{:x}", call.seed())
}

fn event(call: &Call, value: &Value) -> String {
    match (call.dialect, value["type"].as_str()) {
        (Dialect::Anthropic, Some(name)) => format!("event: {name}\ndata: {value}\n\n"),
        _ => format!("data: {value}\n\n"),
    }
}

fn chunk(call: &Call, delta: &Value, finish: Option<&str>) -> String {
    event(
        call,
        &json!({"id": id(call), "object": "chat.completion.chunk", "model": call.model,
                "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}),
    )
}

/// One piece of text.
pub fn piece(call: &Call, text: &str) -> String {
    match call.dialect {
        Dialect::Chat => chunk(call, &json!({"content": text}), None),
        Dialect::Anthropic => event(
            call,
            &json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}),
        ),
    }
}

/// How thoughts begin, and one piece of them. Their block is told apart by its kind alone: the text's is counted from 0
/// whether something was thought before or not.
pub fn thoughts(call: &Call, text: &str) -> (String, String) {
    match call.dialect {
        Dialect::Chat => (String::new(), chunk(call, &json!({"reasoning_content": text}), None)),
        Dialect::Anthropic => (
            event(
                call,
                &json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
            ),
            event(
                call,
                &json!({"type": "content_block_delta", "index": 0,
                        "delta": {"type": "thinking_delta", "thinking": text}}),
            ),
        ),
    }
}

/// A sign of life.
pub fn ping(call: &Call) -> String {
    match call.dialect {
        Dialect::Chat => ": OPENROUTER PROCESSING\n\n".to_owned(),
        Dialect::Anthropic => event(call, &json!({"type": "ping"})),
    }
}

/// An event of a kind that is not known yet.
pub fn unknown(call: &Call) -> String {
    event(call, &json!({"type": "something_new", "object": "something.new", "choices": []}))
}

/// An error after the stream has begun.
pub fn error_frame(call: &Call, error: Value) -> String {
    event(call, &error)
}

fn tokens(len: usize) -> usize {
    len / 4 + 1
}

fn usage(call: &Call, said: &Said) -> Value {
    let (input, output) = (tokens(call.text().len()), tokens(said.bytes()));
    let cached = input / 4;
    match call.dialect {
        Dialect::Chat => {
            let mut usage = json!({
                "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output,
                "prompt_tokens_details": {"cached_tokens": cached},
            });
            // As OpenRouter tells it.
            if call.model.contains("told-cost") {
                usage["cost"] = json!(0.0125);
                usage["is_byok"] = json!(call.model.ends_with("byok"));
                usage["cost_details"] = json!({"upstream_inference_cost": 0.5});
            }
            usage
        }
        Dialect::Anthropic => json!({
            "input_tokens": input - cached, "cache_read_input_tokens": cached,
            "cache_creation_input_tokens": 0, "output_tokens": output,
        }),
    }
}

fn reason(dialect: Dialect, stop: Stop, said: &Said) -> &'static str {
    match (dialect, stop) {
        (Dialect::Chat, Stop::End) if !said.calls.is_empty() => "tool_calls",
        (Dialect::Anthropic, Stop::End) if !said.calls.is_empty() => "tool_use",
        (Dialect::Chat, Stop::Length) => "length",
        (Dialect::Chat, _) => "stop",
        (Dialect::Anthropic, Stop::End) => "end_turn",
        (Dialect::Anthropic, Stop::Length) => "max_tokens",
        (Dialect::Anthropic, Stop::Refused) => "refusal",
    }
}

/// A streamed reply.
pub fn frames(call: &Call, said: &Said, stop: Stop) -> Frames {
    let chars: Vec<char> = said.text.chars().collect();
    let pieces: Vec<String> =
        chars.chunks((chars.len() / 12).max(8)).map(|part| part.iter().collect()).collect();
    let refused = stop == Stop::Refused;
    match call.dialect {
        Dialect::Chat => {
            let name = if refused { "refusal" } else { "content" };
            let mut close = vec![chunk(call, &json!({}), Some(reason(call.dialect, stop, said)))];
            if call.body["stream_options"]["include_usage"] == true {
                let usage =
                    json!({"id": id(call), "model": call.model, "choices": [], "usage": usage(call, said)});
                close.push(event(call, &usage));
            }
            Frames {
                open: vec![chunk(call, &json!({"role": "assistant", "content": ""}), None)],
                text: pieces
                    .iter()
                    .map(|part| json!({ name: part }))
                    .chain(tools::deltas(&said.calls))
                    .map(|delta| chunk(call, &delta, None))
                    .collect(),
                close,
                done: vec!["data: [DONE]\n\n".to_owned()],
            }
        }
        Dialect::Anthropic => {
            let mut begun = usage(call, said);
            begun["output_tokens"] = json!(1);
            let start = json!({"type": "message_start", "message": {
                "id": id(call), "type": "message", "role": "assistant", "model": call.model, "content": [],
                "stop_reason": null, "usage": begun,
            }});
            let block = json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}});
            let mut delta = json!({"stop_reason": reason(call.dialect, stop, said), "stop_sequence": null});
            if refused {
                delta["stop_details"] = json!({"category": "other", "explanation": said.text});
            }
            let end = json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": tokens(said.bytes())}});
            let mut text: Vec<String> =
                if refused { Vec::new() } else { pieces.iter().map(|part| piece(call, part)).collect() };
            text.insert(0, event(call, &block));
            let end_of = |index: usize| event(call, &json!({"type": "content_block_stop", "index": index}));
            let mut last = 0;
            if !said.calls.is_empty() {
                text.push(end_of(0));
                let (events, index) = tools::events(&said.calls, 1);
                text.extend(events.iter().map(|value| event(call, value)));
                last = index;
            }
            Frames {
                open: vec![event(call, &start), ping(call)],
                text,
                close: vec![end_of(last), event(call, &end)],
                done: vec![event(call, &json!({"type": "message_stop"}))],
            }
        }
    }
}

/// A reply that is not streamed.
pub fn whole(call: &Call, said: &Said, stop: Stop) -> Value {
    let refused = stop == Stop::Refused;
    match call.dialect {
        Dialect::Chat => {
            let text = said.text.as_str();
            let (content, refusal) = if refused { (None, Some(text)) } else { (Some(text), None) };
            let mut message = json!({"role": "assistant", "content": content, "refusal": refusal});
            if !said.calls.is_empty() {
                message["tool_calls"] = tools::whole_chat(&said.calls).into();
            }
            json!({"id": id(call), "object": "chat.completion", "model": call.model, "usage": usage(call, said),
                   "choices": [{"index": 0, "message": message, "finish_reason": reason(call.dialect, stop, said)}]})
        }
        Dialect::Anthropic => {
            let text = json!({"type": "text", "text": said.text});
            let blocks = [text].into_iter().chain(tools::whole_anthropic(&said.calls));
            let content: Vec<Value> = if refused { Vec::new() } else { blocks.collect() };
            json!({"id": id(call), "type": "message", "role": "assistant", "model": call.model, "content": content,
                   "stop_reason": reason(call.dialect, stop, said), "usage": usage(call, said),
                   "stop_details": {"explanation": if refused { said.text.as_str() } else { "" }}})
        }
    }
}
