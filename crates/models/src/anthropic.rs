//! Anthropic Messages: <https://platform.claude.com/docs/en/api/messages>.

use serde_json::{Value, json};

use super::{
    CallError, Class,
    chat::{is_error, shape_in_words, temperature},
    classify::Complaint,
    draft::{Draft, Progress},
    learned::{Manner, Parameter, SchemaForm},
    reasoning::Thinking,
    schema::{Keep, fitted},
    tools::{Way, arguments, put_anthropic},
};
use domain::{Finish, ModelName, Picture, Prompt, Provider, Usage};

/// Below the origin.
pub(super) const PATH: &str = "/v1/messages";

/// The body of a request. The mark for the cache stands after the shared material, so that all seats of a round
/// read it from there; tools stand before all of it in the cache, whatever their place here.
pub(super) fn body(model: &ModelName, prompt: &Prompt, manner: &Manner, thinking: Option<Thinking>) -> Value {
    let block = |text: &str| json!({"type": "text", "text": text});
    let mut system: Vec<Value> = [&prompt.rules, &prompt.shared]
        .into_iter()
        .filter(|text| !text.is_empty())
        .map(|text| block(text))
        .collect();
    if let Some(last) = system.last_mut() {
        last["cache_control"] = json!({"type": "ephemeral"});
    }
    let way = Way::of(model, prompt, manner, thinking);
    let mut task = prompt.task.clone();
    task.push_str(&way.words(&prompt.tools));
    let format = prompt.schema.as_ref().filter(|_| !way.is_native()).and_then(|schema| {
        if manner.schema() == SchemaForm::Words {
            task.push_str(&shape_in_words(&schema.json));
            return None;
        }
        // Its name has no other place here.
        // A plainer one than its usual, which has no lengths, would lack what it demands.
        let mut json = fitted(&schema.json, Keep::Shape);
        json["title"] = schema.name.as_str().into();
        Some(json!({"type": "json_schema", "schema": json}))
    });
    // https://platform.claude.com/docs/en/build-with-claude/vision
    let picture = |Picture { media, base64 }: &Picture| json!({"type": "image", "source": {"type": "base64", "media_type": media, "data": base64}});
    let content: Vec<Value> =
        prompt.pictures.iter().map(picture).chain(std::iter::once(block(&task))).collect();
    let mut messages = vec![json!({"role": "user", "content": content})];
    for turn in &prompt.turns {
        // An empty text block is refused.
        let reply = if turn.reply.trim().is_empty() { "(no reply)" } else { turn.reply.trim_end() };
        messages.push(json!({"role": "assistant", "content": [block(reply)]}));
        messages.push(json!({"role": "user", "content": [block(&turn.correction)]}));
    }
    let mut body = json!({
        "model": model.model,
        "max_tokens": manner.bound(prompt.bound()),
        "stream": manner.is_streamed(),
        "system": system,
        "messages": messages,
    });
    put_anthropic(&mut body, way, &prompt.tools, manner);
    if let Some(format) = format {
        body["output_config"]["format"] = format;
    }
    if let Some(thinking) = thinking {
        // https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking
        body["thinking"] = json!({"type": "adaptive"});
        body["output_config"]["effort"] = thinking.word().into();
    }
    // Whoever thinks keeps its own temperature.
    let warmth = prompt.temperature.filter(|_| thinking.is_none() && !manner.lacks(Parameter::Temperature));
    if let Some(warmth) = warmth {
        // Their scale ends at 1.
        body["temperature"] = temperature(warmth.min(1.0));
    }
    body
}

/// Takes one event of the stream.
pub(super) fn read(draft: &mut Draft, event: &Value) -> Result<Progress, CallError> {
    match event["type"].as_str().unwrap_or_default() {
        "message_start" => {
            start(draft, &event["message"]);
            Ok(Progress::None)
        }
        "content_block_start" => {
            begin(draft, place(event), &event["content_block"])?;
            Ok(Progress::Token)
        }
        "content_block_delta" => {
            if let Some(thought) = event["delta"]["thinking"].as_str() {
                draft.thinks(thought);
            }
            draft.push(event["delta"]["text"].as_str().unwrap_or_default())?;
            draft
                .push_arguments(place(event), event["delta"]["partial_json"].as_str().unwrap_or_default())?;
            Ok(Progress::Token)
        }
        "message_delta" => {
            stop(draft, &event["delta"])?;
            count(draft, &event["usage"]);
            Ok(Progress::Token)
        }
        "message_stop" => Ok(Progress::Done),
        "ping" => Ok(Progress::Alive),
        _ if is_error(event) => Err(draft.breaks(Complaint::of(event), Provider::Anthropic)),
        // New kinds of events are to be ignored.
        _ => Ok(Progress::None),
    }
}

/// Takes a whole message, as a server sends it that does not stream.
pub(super) fn whole(draft: &mut Draft, message: &Value) -> Result<(), CallError> {
    if is_error(message) {
        return Err(draft.breaks(Complaint::of(message), Provider::Anthropic));
    }
    start(draft, message);
    for (place, block) in (0..).zip(message["content"].as_array().into_iter().flatten()) {
        begin(draft, place, block)?;
    }
    stop(draft, message)
}

/// Which block an event belongs to.
fn place(event: &Value) -> u64 {
    event["index"].as_u64().unwrap_or_default()
}

/// Takes a block: text, a call, or the beginning of either.
fn begin(draft: &mut Draft, place: u64, block: &Value) -> Result<(), CallError> {
    let text = |name: &str| block[name].as_str().unwrap_or_default();
    if block["type"] == "tool_use" {
        draft.begin_call(place, text("id"), text("name"));
        draft.push_arguments(place, &arguments(&block["input"]))?;
    }
    if matches!(block["type"].as_str(), Some("thinking" | "redacted_thinking")) {
        draft.thinks(text("thinking"));
    }
    draft.push(text("text"))
}

fn start(draft: &mut Draft, message: &Value) {
    draft.answered_by(message["model"].as_str().unwrap_or_default());
    draft.name(message["id"].as_str().unwrap_or_default());
    count(draft, &message["usage"]);
}

/// The counts are cumulative, and a later event need not repeat all of them.
fn count(draft: &mut Draft, usage: &Value) {
    if usage.is_object() {
        let known = draft.usage.unwrap_or_default();
        draft.usage = Some(Usage {
            input: usage["input_tokens"].as_u64().unwrap_or(known.input),
            cached: usage["cache_read_input_tokens"].as_u64().unwrap_or(known.cached),
            cache_write: usage["cache_creation_input_tokens"].as_u64().unwrap_or(known.cache_write),
            output: usage["output_tokens"].as_u64().unwrap_or(known.output),
        });
    }
}

fn stop(draft: &mut Draft, message: &Value) -> Result<(), CallError> {
    let finish = match message["stop_reason"].as_str() {
        None => return Ok(()),
        Some("end_turn" | "stop_sequence" | "tool_use") => Finish::Stop,
        Some("max_tokens" | "model_context_window_exceeded" | "pause_turn") => Finish::Length,
        Some("refusal") => {
            draft.push_refusal(message["stop_details"]["explanation"].as_str().unwrap_or_default())?;
            Finish::Refused
        }
        Some(unknown) => {
            return Err(CallError::new(
                Class::Broken,
                format!("anthropic stopped for an unknown reason: {unknown}"),
            ));
        }
    };
    draft.finish(finish);
    Ok(())
}
