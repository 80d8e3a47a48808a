//! What a model may ask to have done, through a provider's own tool calls where it has them. The call becomes the flat
//! object that structured output gives elsewhere, so that nothing above this room sees a difference.

use serde_json::{Map, Value, json};

use super::{
    learned::{Manner, Parameter},
    reasoning::Thinking,
    schema::{Keep, fitted},
};
use domain::{ModelName, Prompt, Provider, Tool};

/// How a request carries its tools.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// It has none.
    None,
    /// As the provider's own, and the model has to call one.
    Forced,
    /// As the provider's own, and the model is asked to call one.
    Free,
    /// As structured output, with what the tools are in words.
    Words,
}

impl Way {
    /// For a request. Servers on one's own machine differ too much in what they make of tools. Claude may not be forced
    /// while it thinks, and its newest models never
    /// (<https://platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5#forced-tool-use-is-not-supported>).
    pub(super) fn of(
        model: &ModelName,
        prompt: &Prompt,
        manner: &Manner,
        thinking: Option<Thinking>,
    ) -> Self {
        let claude = model.provider == Provider::Anthropic || model.model.starts_with("anthropic/");
        match model.provider {
            _ if prompt.tools.is_empty() => Self::None,
            Provider::Local => Self::Words,
            _ if manner.lacks(Parameter::Tools) => Self::Words,
            _ if manner.lacks(Parameter::Forced) || (claude && thinking.is_some()) => Self::Free,
            _ => Self::Forced,
        }
    }

    /// Whether the provider's own tool calls are used, in which case there is no other shape to reply in.
    pub(super) fn is_native(self) -> bool {
        matches!(self, Self::Forced | Self::Free)
    }

    /// What the task has to say besides.
    pub(super) fn words(self, tools: &[Tool]) -> String {
        match self {
            Self::None | Self::Forced => String::new(),
            Self::Free => "\n\nReply with a call of exactly one of the tools and nothing else.".to_owned(),
            Self::Words => {
                let mut rows = String::new();
                for tool in tools {
                    rows.extend(["\n- `", &tool.name, "`: ", &tool.description]);
                }
                format!(
                    "\n\nReply with one JSON object: the name of exactly one of these tools as `tool`, its arguments \
                     beside it, and null for the arguments of all others.{rows}"
                )
            }
        }
    }
}

/// Puts tools and choice into a body for Anthropic: <https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools>.
pub(super) fn put_anthropic(body: &mut Value, way: Way, tools: &[Tool], manner: &Manner) {
    if !way.is_native() {
        return;
    }
    let tools = tools.iter().map(|tool| {
        let mut wire = json!({
            "name": tool.name,
            "description": tool.description,
            "input_schema": fitted(&tool.parameters, Keep::Shape),
        });
        if !manner.lacks(Parameter::Strict) {
            wire["strict"] = json!(true);
        }
        wire
    });
    body["tools"] = tools.collect();
    let mut choice = json!({"type": if way == Way::Forced { "any" } else { "auto" }});
    if !manner.lacks(Parameter::Parallel) {
        choice["disable_parallel_tool_use"] = json!(true);
    }
    body["tool_choice"] = choice;
}

/// Puts tools and choice into a body for chat completions: <https://platform.openai.com/docs/guides/function-calling>.
pub(super) fn put_chat(
    body: &mut Value,
    way: Way,
    tools: &[Tool],
    manner: &Manner,
    (provider, keep): (Provider, Keep),
) {
    if !way.is_native() {
        return;
    }
    let tools = tools.iter().map(|tool| {
        let mut function = json!({
            "name": tool.name,
            "description": tool.description,
            "parameters": fitted(&tool.parameters, keep),
        });
        if !manner.lacks(Parameter::Strict) {
            function["strict"] = json!(true);
        }
        json!({"type": "function", "function": function})
    });
    body["tools"] = tools.collect();
    if way == Way::Forced {
        body["tool_choice"] = json!("required");
    }
    // OpenRouter asks only providers that know every parameter sent, and many do not know this one. Of more calls than
    // one the first counts anyway.
    if matches!(provider, Provider::Openai | Provider::Azure) && !manner.lacks(Parameter::Parallel) {
        body["parallel_tool_calls"] = json!(false);
    }
}

/// A call as it grows from a stream.
#[derive(Debug, Default)]
pub(super) struct Call {
    /// Which of the reply's calls or blocks it is.
    place: u64,
    id: String,
    name: String,
    /// Its arguments as JSON, as far as they have come.
    pub(super) arguments: String,
    /// Another one has begun in the same place.
    over: bool,
}

impl Call {
    pub(super) fn new(place: u64, id: &str, name: &str) -> Self {
        Self { place, id: id.to_owned(), name: name.to_owned(), ..Self::default() }
    }

    /// Takes what a later event says of a call's beginning: some servers repeat it, and some number all calls alike.
    pub(super) fn hear(&mut self, place: u64, id: &str, name: &str) {
        if place != self.place || name.is_empty() {
            return;
        }
        if self.name.is_empty() {
            name.clone_into(&mut self.name);
        } else if !id.is_empty() && id != self.id {
            self.over = true;
        }
    }

    /// Whether arguments that arrive for this place are its own.
    pub(super) fn owns(&self, place: u64) -> bool {
        place == self.place && !self.over
    }

    /// The flat object: the tool's name, and its arguments beside it. Arguments that are cut or no object stay as they
    /// came, so that whoever reads them finds that out.
    pub(super) fn flat(&self) -> String {
        let arguments = self.arguments.trim();
        let given = match serde_json::from_str(if arguments.is_empty() { "{}" } else { arguments }) {
            Ok(Value::Object(given)) => Some(given),
            Ok(Value::Null) => Some(Map::new()),
            _ => None,
        };
        if let Some(mut given) = given {
            given.shift_remove("tool");
            given.shift_insert(0, "tool".to_owned(), Value::from(self.name.as_str()));
            return Value::Object(given).to_string();
        }
        let rest = arguments.strip_prefix('{').unwrap_or(arguments);
        format!("{{\"tool\":{},{rest}", Value::from(self.name.as_str()))
    }
}

/// A call's arguments: text that is JSON, or, from some servers, the object itself.
pub(super) fn arguments(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        // Anthropic begins each call with an empty object, of which the pieces then follow.
        Value::Object(object) if object.is_empty() => String::new(),
        Value::Null => String::new(),
        whole => whole.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::Change;

    #[test]
    fn a_call_becomes_the_flat_object() {
        let rows = [
            (
                r#"{"query": "bridges", "tool": "other", "n": 2}"#,
                r#"{"tool":"search","query":"bridges","n":2}"#,
            ),
            ("", r#"{"tool":"search"}"#),
            (" null ", r#"{"tool":"search"}"#),
            // Cut, or never an object: no JSON, and not taken for any.
            (r#"{"query": "bri"#, r#"{"tool":"search","query": "bri"#),
            ("{", r#"{"tool":"search","#),
            ("[1]", r#"{"tool":"search",[1]"#),
            (r#"{"query": "a"} {"query": "b"}"#, r#"{"tool":"search","query": "a"} {"query": "b"}"#),
        ];
        for (arguments, wanted) in rows {
            let mut call = Call::new(0, "c1", "search");
            call.arguments.push_str(arguments);
            assert_eq!(call.flat(), wanted, "{arguments}");
        }
        assert_eq!(Call::new(0, "", "a\"b").flat(), r#"{"tool":"a\"b"}"#, "a name cannot break out");
    }

    #[test]
    fn the_first_of_several_calls_counts() {
        let mut call = Call::new(0, "c1", "");
        call.hear(1, "c2", "other");
        assert!(call.owns(0) && !call.owns(1));
        call.hear(0, "", "search");
        call.hear(0, "c1", "search");
        assert!(call.owns(0) && call.name == "search", "the same one again");
        call.hear(0, "c9", "");
        assert!(call.owns(0), "a piece without a name begins nothing");
        call.hear(0, "c2", "other");
        assert!(!call.owns(0) && call.name == "search");
    }

    #[test]
    fn arguments_come_as_text_or_as_what_they_are() {
        assert_eq!(arguments(&json!("{\"a\":")), "{\"a\":");
        assert_eq!(arguments(&json!({"a": 1})), r#"{"a":1}"#);
        assert_eq!(arguments(&json!({})) + &arguments(&Value::Null), "");
    }

    #[test]
    fn a_request_carries_its_tools_the_way_its_model_takes_them() {
        let tools = |count: usize| vec![tool(); count];
        let none = Manner::default;
        let lacks = |parameter| none().with(Change::Without(parameter));
        let rows = [
            ("anthropic/m", 0, none(), None, Way::None),
            ("anthropic/m", 1, none(), None, Way::Forced),
            ("anthropic/m", 1, none(), Some(Thinking::Low), Way::Free),
            ("anthropic/m", 1, lacks(Parameter::Forced), None, Way::Free),
            ("anthropic/m", 1, lacks(Parameter::Tools), None, Way::Words),
            ("openai/m", 1, none(), Some(Thinking::High), Way::Forced),
            ("openrouter/anthropic/m", 1, none(), Some(Thinking::High), Way::Free),
            (
                "openrouter/v/m",
                1,
                lacks(Parameter::Forced).with(Change::Without(Parameter::Tools)),
                None,
                Way::Words,
            ),
            ("local/m", 1, none(), None, Way::Words),
            ("local/m", 0, none(), None, Way::None),
        ];
        for (model, count, manner, thinking, wanted) in rows {
            let prompt = Prompt { tools: tools(count), ..prompt() };
            let way = Way::of(&model.parse().unwrap(), &prompt, &manner, thinking);
            assert_eq!(way, wanted, "{model} {manner} {thinking:?}");
        }
        assert!(Way::Words.words(&tools(1)).contains("- `search`: Looks things up."));
    }

    fn tool() -> Tool {
        Tool {
            name: "search".to_owned(),
            description: "Looks things up.".to_owned(),
            parameters: json!({
                "type": "object", "additionalProperties": false, "required": ["query"],
                "properties": {"query": {"type": "string"}},
            }),
        }
    }

    fn prompt() -> Prompt {
        serde_json::from_value(json!({
            "rules": "", "shared": "", "task": "", "turns": [], "schema": null, "max_tokens": 1,
            "room": 0, "effort": "standard", "temperature": null, "version": "",
        }))
        .unwrap()
    }
}
