//! Tools in both dialects: those that a request offers, and what an answer says of the one that it calls.

use serde_json::{Value, json};

use super::{Call, Dialect, instance};

/// What a model says: text, and calls of tools by name and arguments (JSON, or the beginning of it).
#[derive(Clone, Debug, Default)]
pub struct Said {
    pub text: String,
    pub calls: Vec<(String, String)>,
}

impl Said {
    /// As the call's dialect has it: where a request offers tools, a flat object with a `tool` is a call of that tool.
    pub fn of(call: &Call, text: String) -> Self {
        let flat = serde_json::from_str::<Value>(&text).ok().filter(|_| call.native);
        let Some(Value::Object(mut arguments)) = flat else { return Self { text, calls: Vec::new() } };
        let Some(Value::String(name)) = arguments.shift_remove("tool") else {
            return Self { text, calls: Vec::new() };
        };
        Self { text: String::new(), calls: vec![(name, Value::Object(arguments).to_string())] }
    }

    pub fn bytes(&self) -> usize {
        self.text.len()
            + self.calls.iter().map(|(name, arguments)| name.len() + arguments.len()).sum::<usize>()
    }
}

/// Names and schemas of the tools that a request offers as the dialect's own.
pub fn offered(dialect: Dialect, body: &Value) -> Vec<(String, Value)> {
    let row = |tool: &Value| {
        let (tool, schema) = match dialect {
            Dialect::Chat => (&tool["function"], "parameters"),
            Dialect::Anthropic => (tool, "input_schema"),
        };
        (tool["name"].as_str().unwrap_or_default().to_owned(), tool[schema].clone())
    };
    body["tools"].as_array().into_iter().flatten().map(row).collect()
}

/// The names that a reply may have as its `tool`, however the request says so.
pub fn names(dialect: Dialect, body: &Value, schema: &Value) -> Vec<String> {
    let native: Vec<String> = offered(dialect, body).into_iter().map(|(name, _)| name).collect();
    let named = schema["properties"]["tool"]["enum"].as_array().into_iter().flatten();
    if native.is_empty() {
        named.filter_map(|name| name.as_str().map(str::to_owned)).collect()
    } else {
        native
    }
}

/// A call of one of the tools offered, as a flat object.
pub fn pick(call: &Call) -> Value {
    let tools = offered(call.dialect, &call.body);
    let count = u64::try_from(tools.len()).unwrap_or(1).max(1);
    let (name, schema) =
        tools.into_iter().nth(usize::try_from(call.seed() % count).unwrap_or(0)).unwrap_or_default();
    let mut flat = instance(&schema, call.seed());
    flat["tool"] = json!(name);
    flat
}

/// A flat call with just the arguments that its tool has in this request, empty where none are given: one tool's own
/// where they go as the dialect's tools, all of all where they go in words.
pub fn only(call: &Call, action: &Value) -> Value {
    let schema = if call.native {
        let own = offered(call.dialect, &call.body).into_iter().find(|(name, _)| action["tool"] == *name);
        own.expect("a tool of this name").1
    } else {
        call.schema.clone().expect("a schema")
    };
    let mut all = json!({"tool": action["tool"]});
    for name in schema["properties"].as_object().expect("an object").keys() {
        all[name] = action.get(name).cloned().unwrap_or_else(|| empty(name));
    }
    all
}

/// What an investigator's argument is where nobody gave it.
fn empty(name: &str) -> Value {
    match name {
        "model" | "confidence" => json!(0),
        "disproves" | "firm" => json!(false),
        "last_was_new" => json!(true),
        _ => json!(""),
    }
}

/// What a real server would refuse in the tools of a request.
pub fn check(call: &Call) -> Result<(), &'static str> {
    let body = &call.body;
    let tools = offered(call.dialect, body);
    if tools.is_empty() {
        let stray = ["tool_choice", "parallel_tool_calls"].iter().any(|name| !body[name].is_null());
        return if stray { Err("a choice without tools") } else { Ok(()) };
    }
    let fits = |name: &str| {
        (1..=64).contains(&name.len()) && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
    };
    if !tools.iter().all(|(name, schema)| fits(name) && schema["type"] == "object") {
        return Err("a tool without a name or a schema");
    }
    match call.dialect {
        Dialect::Anthropic => {
            let forces = ["any", "tool"].iter().any(|kind| body["tool_choice"]["type"] == *kind);
            if forces && !body["thinking"].is_null() {
                return Err("Thinking may not be enabled when tool_choice forces tool use.");
            }
        }
        Dialect::Chat => {
            if !body["tools"].as_array().into_iter().flatten().all(|tool| tool["type"] == "function") {
                return Err("a tool of another type");
            }
        }
    }
    Ok(())
}

/// The calls as deltas of chat completions, in pieces.
pub fn deltas(calls: &[(String, String)]) -> Vec<Value> {
    let mut deltas = Vec::new();
    for (index, (name, arguments)) in calls.iter().enumerate() {
        let function = json!({"name": name, "arguments": ""});
        let begin =
            json!({"index": index, "id": format!("call_{index}"), "type": "function", "function": function});
        deltas.push(json!({"role": "assistant", "content": null, "tool_calls": [begin]}));
        for part in pieces(arguments) {
            deltas.push(json!({"tool_calls": [{"index": index, "function": {"arguments": part}}]}));
        }
    }
    deltas
}

/// The calls as events of Anthropic's stream, in pieces; the last block is left open. Gives the last block's number too.
pub fn events(calls: &[(String, String)], first: usize) -> (Vec<Value>, usize) {
    let mut events = Vec::new();
    for (index, (name, arguments)) in (first..).zip(calls) {
        if index > first {
            events.push(json!({"type": "content_block_stop", "index": index - 1}));
        }
        let block = json!({"type": "tool_use", "id": format!("toolu_{index}"), "name": name, "input": {}});
        events.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
        for part in [String::new()].into_iter().chain(pieces(arguments)) {
            let delta = json!({"type": "input_json_delta", "partial_json": part});
            events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        }
    }
    (events, first + calls.len().saturating_sub(1))
}

/// The calls of a reply of chat completions that is not streamed.
pub fn whole_chat(calls: &[(String, String)]) -> Vec<Value> {
    let row = |(index, (name, arguments)): (usize, &(String, String))| {
        let function = json!({"name": name, "arguments": arguments});
        json!({"id": format!("call_{index}"), "type": "function", "function": function})
    };
    calls.iter().enumerate().map(row).collect()
}

/// The calls as blocks of a reply of Anthropic's that is not streamed.
pub fn whole_anthropic(calls: &[(String, String)]) -> Vec<Value> {
    let row = |(index, (name, arguments)): (usize, &(String, String))| {
        let input: Value = serde_json::from_str(arguments).unwrap_or_else(|_| json!({}));
        json!({"type": "tool_use", "id": format!("toolu_{index}"), "name": name, "input": input})
    };
    calls.iter().enumerate().map(row).collect()
}

fn pieces(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    chars.chunks((chars.len() / 12).max(8)).map(|part| part.iter().collect()).collect()
}
