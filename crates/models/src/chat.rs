//! Chat completions as `OpenAI` defines them (<https://platform.openai.com/docs/api-reference/chat>) and as
//! `OpenRouter` and servers on one's own machine speak them.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{
    CallError,
    classify::{Complaint, first_of},
    draft::{Draft, Progress},
    learned::{Manner, Parameter, SchemaForm},
    reasoning::Thinking,
    schema::{Keep, fitted},
    tools::{Way, arguments, put_chat},
};
use domain::{Finish, ModelName, Money, Picture, Prompt, Provider, Usage};

/// Most that a provider is believed to have charged for one call, in dollars.
const MOST_COST: f64 = 1_000.0;

/// Below the base, which as a rule ends in `/v1`.
pub(super) const PATH: &str = "/chat/completions";

/// The body of a request.
pub(super) fn body(model: &ModelName, prompt: &Prompt, manner: &Manner, thinking: Option<Thinking>) -> Value {
    let provider = model.provider;
    let vendor = is_openai(provider);
    let way = Way::of(model, prompt, manner, thinking);
    let plain = manner.schema() == SchemaForm::Plain;
    let keep = match provider {
        _ if plain => Keep::Bare,
        Provider::Local => Keep::All,
        Provider::Openrouter if model.model.starts_with("anthropic/") => Keep::Shape,
        _ => Keep::ShapeAndRanges,
    };
    let mut task = prompt.task.clone();
    task.push_str(&way.words(&prompt.tools));
    let format = prompt.schema.as_ref().filter(|_| !way.is_native()).and_then(|schema| {
        if manner.schema() == SchemaForm::Words {
            task.push_str(&shape_in_words(&schema.json));
            return None;
        }
        let json = fitted(&schema.json, keep);
        let mut named = json!({"name": schema.name, "schema": json});
        if !plain {
            named["strict"] = json!(true);
        }
        Some(json!({"type": "json_schema", "json_schema": named}))
    });

    let role = if vendor && !manner.lacks(Parameter::Developer) { "developer" } else { "system" };
    let mut messages = Vec::new();
    let system = [prompt.rules.as_str(), prompt.shared.as_str()];
    let system: Vec<&str> = system.into_iter().filter(|text| !text.is_empty()).collect();
    let system = system.join("\n\n");
    if manner.puts_rules_before_task() && !system.is_empty() {
        task = format!("{system}\n\n{task}");
    } else if !system.is_empty() {
        messages.push(json!({"role": role, "content": system}));
    }
    messages.push(json!({"role": "user", "content": with_pictures(&task, &prompt.pictures)}));
    for turn in &prompt.turns {
        messages.push(json!({"role": "assistant", "content": turn.reply}));
        messages.push(json!({"role": "user", "content": turn.correction}));
    }

    let mut body = json!({"model": model.model, "messages": messages, "stream": manner.is_streamed()});
    body[name_of_bound(provider, manner)] = manner.bound(prompt.bound()).into();
    match (provider, thinking) {
        // https://platform.openai.com/docs/guides/reasoning, https://ai.google.dev/gemini-api/docs/openai#thinking
        (Provider::Openai | Provider::Azure | Provider::Gemini, Some(thinking)) => {
            body["reasoning_effort"] = thinking.word().into();
        }
        // https://openrouter.ai/docs/use-cases/reasoning-tokens
        (Provider::Openrouter, Some(thinking)) => {
            body["reasoning"] = json!({"effort": thinking.word(), "exclude": true});
        }
        _ => {}
    }
    if manner.is_streamed() && !manner.lacks(Parameter::StreamOptions) {
        body["stream_options"] = json!({"include_usage": true});
    }
    put_chat(&mut body, way, &prompt.tools, manner, (provider, keep));
    if let Some(format) = format {
        body["response_format"] = format;
    }
    if let Some(warmth) = prompt.temperature.filter(|_| !manner.lacks(Parameter::Temperature)) {
        body["temperature"] = temperature(warmth);
    }
    match provider {
        Provider::Openai if !manner.lacks(Parameter::CacheKey) => {
            body["prompt_cache_key"] = cache_key(prompt).into();
        }
        Provider::Openrouter => {
            // Without the first, a provider that does not know structured output drops it without a word.
            body["provider"] = json!({"require_parameters": true, "data_collection": "deny"});
        }
        Provider::Local if !manner.lacks(Parameter::Extras) => {
            // Tiny models fall into loops.
            body["frequency_penalty"] = json!(0.3);
            body["cache_prompt"] = json!(true);
        }
        _ => {}
    }
    body
}

/// A task, with its pictures behind it (<https://platform.openai.com/docs/guides/images-vision>). Without any it stays a plain
/// text, which every server takes.
fn with_pictures(task: &str, pictures: &[Picture]) -> Value {
    if pictures.is_empty() {
        return task.into();
    }
    let url = |Picture { media, base64 }: &Picture| format!("data:{media};base64,{base64}");
    let pictures =
        pictures.iter().map(|picture| json!({"type": "image_url", "image_url": {"url": url(picture)}}));
    std::iter::once(json!({"type": "text", "text": task})).chain(pictures).collect()
}

/// Whether `OpenAI`'s newest words are understood there; others speak as it did in 2023.
pub(super) fn is_openai(provider: Provider) -> bool {
    matches!(provider, Provider::Openai | Provider::Azure)
}

/// Under which name a reply is bounded: `OpenAI`'s, which replaced the one that all others know, unless it was refused.
pub(super) fn name_of_bound(provider: Provider, manner: &Manner) -> &'static str {
    let new = if is_openai(provider) {
        !manner.lacks(Parameter::CompletionTokens)
    } else {
        manner.lacks(Parameter::MaxTokens)
    };
    if new { "max_completion_tokens" } else { "max_tokens" }
}

/// The same for all requests that share their first part, so that they reach the same cache.
fn cache_key(prompt: &Prompt) -> String {
    let mut hash = Sha256::new().chain_update(&prompt.rules).chain_update([0]).chain_update(&prompt.shared);
    for tool in &prompt.tools {
        hash.update([0]);
        hash.update(&tool.name);
    }
    let start = hash.finalize().iter().take(8).fold(0, |sum: u64, byte| (sum << 8) | u64::from(*byte));
    format!("{start:016x}")
}

/// As JSON, without the digits that an `f32` grows when it becomes an `f64`.
pub(super) fn temperature(warmth: f32) -> Value {
    json!((f64::from(warmth) * 100.0).round() / 100.0)
}

/// For a model without structured output.
pub(super) fn shape_in_words(schema: &Value) -> String {
    format!("\n\nReply with one JSON object and nothing else. It must match this JSON schema:\n{schema}")
}

/// Whether a message or event is, or holds, an error. Some servers call it `error_type` and `error_message`, and `SGLang` has
/// no name for it.
pub(super) fn is_error(value: &Value) -> bool {
    // As the complaint is read from it.
    let value = first_of(value);
    value["type"] == "error"
        || value["object"] == "error"
        || ["error", "error_type", "error_message"]
            .iter()
            .any(|name| value.get(*name).is_some_and(|error| !error.is_null()))
}

/// Takes one chunk of the stream.
pub(super) fn read(provider: Provider, draft: &mut Draft, chunk: &Value) -> Result<Progress, CallError> {
    take(provider, draft, chunk, "delta")
}

/// Takes a whole completion, as a server sends it that does not stream, or that fails with status 200.
pub(super) fn whole(provider: Provider, draft: &mut Draft, completion: &Value) -> Result<(), CallError> {
    take(provider, draft, completion, "message").map(drop)
}

fn take(provider: Provider, draft: &mut Draft, chunk: &Value, part: &str) -> Result<Progress, CallError> {
    draft.answered_by(chunk["model"].as_str().unwrap_or_default());
    draft.name(chunk["id"].as_str().unwrap_or_default());
    // Groq has a place of its own for it.
    count(draft, &chunk["x_groq"]["usage"]);
    count(draft, &chunk["usage"]);
    let choice = &chunk["choices"][0];
    if let Some(error) = [chunk, choice, &chunk["x_groq"]].into_iter().find(|value| is_error(value)) {
        let complaint = Complaint::of(error);
        if complaint.is_refusal() {
            draft.push_refusal(&complaint.message)?;
            draft.finish(Finish::Refused);
            return Ok(Progress::Done);
        }
        return Err(draft.breaks(complaint, provider));
    }
    let said = &choice[part];
    let text = |name: &str| said[name].as_str().unwrap_or_default();
    let content = Content::of(&said["content"]);
    draft.push(&content.text)?;
    draft.push_refusal(text("refusal"))?;
    // Servers that have both names say the same under both.
    let thoughts = [content.thought.as_str(), text("reasoning_content"), text("reasoning")];
    if let Some(thought) = thoughts.into_iter().find(|thought| !thought.is_empty()) {
        draft.thinks(thought);
    }
    let calls = said["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
    for (place, call) in (0..).zip(calls) {
        let place = call["index"].as_u64().unwrap_or(place);
        let function = &call["function"];
        draft.begin_call(
            place,
            call["id"].as_str().unwrap_or_default(),
            function["name"].as_str().unwrap_or_default(),
        );
        draft.push_arguments(place, &arguments(&function["arguments"]))?;
    }
    let spoke = !calls.is_empty()
        || [content.text.as_str(), text("refusal")].into_iter().chain(thoughts).any(|said| !said.is_empty());
    if let Some(reason) = choice["finish_reason"].as_str().filter(|reason| !reason.is_empty()) {
        draft.finish(match reason {
            // The second is Mistral's for a full context.
            "length" | "model_length" => Finish::Length,
            // Gemini adds for what.
            filtered if filtered.starts_with("content_filter") => Finish::Refused,
            _ if draft.declines() => Finish::Refused,
            // The second is SGLang's.
            "error" | "abort" => return Err(draft.breaks(Complaint::default(), provider)),
            // DeepSeek's word for too much to do.
            busy @ "insufficient_system_resource" => {
                let complaint =
                    Complaint { code: "overloaded".into(), message: busy.into(), ..Complaint::default() };
                return Err(draft.breaks(complaint, provider));
            }
            _ => Finish::Stop,
        });
        return Ok(Progress::Token);
    }
    Ok(if spoke { Progress::Token } else { Progress::None })
}

/// A message's content: text, or a list of parts of which some are thoughts (Mistral's reasoning models,
/// <https://docs.mistral.ai/capabilities/reasoning>).
#[derive(Default)]
struct Content {
    text: String,
    thought: String,
}

impl Content {
    fn of(content: &Value) -> Self {
        let mut of = Self::default();
        match content {
            Value::String(text) => of.text.clone_from(text),
            Value::Array(parts) => parts.iter().for_each(|part| of.add(part)),
            _ => {}
        }
        of
    }

    fn add(&mut self, part: &Value) {
        match (&part["thinking"], part["text"].as_str()) {
            (Value::String(thought), _) => self.thought.push_str(thought),
            (Value::Array(thoughts), _) => {
                self.thought.extend(thoughts.iter().filter_map(|thought| thought["text"].as_str()));
            }
            (_, Some(text)) => self.text.push_str(text),
            _ => {}
        }
    }
}

/// Takes a count over where it is one: some servers send null, text or less than nothing.
fn count(draft: &mut Draft, usage: &Value) {
    if let (Some(prompt), Some(output)) =
        (usage["prompt_tokens"].as_u64(), usage["completion_tokens"].as_u64())
    {
        let details = &usage["prompt_tokens_details"];
        let cached = details["cached_tokens"].as_u64().unwrap_or_default().min(prompt);
        let cache_write = details["cache_write_tokens"].as_u64().unwrap_or_default().min(prompt - cached);
        draft.usage = Some(Usage { input: prompt - cached - cache_write, cached, cache_write, output });
    }
    draft.cost = draft.cost.or_else(|| cost(usage));
}

/// What a provider says that a call has cost, in dollars: its own price and, where the key for the model is the
/// customer's, what the model's vendor takes (<https://openrouter.ai/docs/use-cases/usage-accounting>).
fn cost(usage: &Value) -> Option<Money> {
    let dollars = |value: &Value| value.as_f64().filter(|dollars| (0.0..=MOST_COST).contains(dollars));
    let own = dollars(&usage["cost"])?;
    let upstream = (usage["is_byok"] == true)
        .then(|| dollars(&usage["cost_details"]["upstream_inference_cost"]))
        .flatten();
    Some(Money::from_dollars(own + upstream.unwrap_or_default()))
}

#[cfg(test)]
mod tests;
