//! What models turned out to refuse. Vendors retire parameters model by model, and servers that speak the same
//! dialect know different parts of it; a table would be wrong within weeks, so the refusal itself teaches.

use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, PoisonError},
};

use super::classify::Complaint;
use domain::ModelName;

/// A parameter without which a request still makes sense.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Parameter {
    /// `temperature`.
    Temperature = 1,
    /// The provider's structured output; the schema then goes into the prompt.
    Schema = 2,
    /// `stream_options`; usage is then unknown.
    StreamOptions = 4,
    /// `prompt_cache_key`.
    CacheKey = 8,
    /// `max_completion_tokens`, instead of which older servers want `max_tokens`.
    CompletionTokens = 16,
    /// The role `developer`, instead of which older servers want `system`.
    Developer = 32,
    /// `frequency_penalty` and `cache_prompt`.
    Extras = 64,
    /// How much to think, in each provider's own word for it.
    Effort = 128,
    /// That no more than one tool is called.
    Parallel = 256,
    /// That a tool has to be called; the model is then asked to.
    Forced = 512,
    /// That a call's arguments have exactly their shape.
    Strict = 1024,
    /// The provider's own tool calls; structured output takes their place.
    Tools = 2048,
}

/// Words by which a complaint names a parameter. What is about tools stands first: "Thinking may not be enabled when
/// `tool_choice` forces tool use", "Function tools with `reasoning_effort` are not supported".
const WORDS: [(Parameter, &[&str]); 12] = [
    (Parameter::Temperature, &["temperature"]),
    (Parameter::Parallel, &["parallel_tool"]),
    (Parameter::Forced, &["tool_choice"]),
    (Parameter::Strict, &["strict", "compiled grammar"]),
    (Parameter::Tools, &["tools", "tool use", "tool_use", "tool_choice", "tool call", "function call"]),
    (Parameter::Effort, &["reasoning", "thinking", "effort"]),
    (Parameter::Schema, &["response_format", "json_schema", "output_config", "structured output"]),
    (Parameter::StreamOptions, &["stream_options", "include_usage"]),
    (Parameter::CacheKey, &["prompt_cache_key"]),
    (Parameter::CompletionTokens, &["max_completion_tokens"]),
    (
        Parameter::Developer,
        &["developer", "messages[0].role", "messages.0.role", "unknown role", "invalid role"],
    ),
    (Parameter::Extras, &["frequency_penalty", "cache_prompt"]),
];

/// A set of parameters that are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Dropped(u16);

impl Dropped {
    pub(super) fn has(self, parameter: Parameter) -> bool {
        self.0 & parameter as u16 != 0
    }

    #[must_use]
    pub(super) fn with(self, parameter: Parameter) -> Self {
        Self(self.0 | parameter as u16)
    }
}

/// What is known of all models; forgotten at the end of the process, since models and servers change.
#[derive(Debug, Default)]
pub(super) struct Learned {
    dropped: Mutex<HashMap<ModelName, Dropped>>,
    /// Models that thought until there was no room left to answer, though no list says that they think.
    thinkers: Mutex<HashSet<ModelName>>,
}

impl Learned {
    pub(super) fn of(&self, model: &ModelName) -> Dropped {
        let models = self.dropped.lock().unwrap_or_else(PoisonError::into_inner);
        models.get(model).copied().unwrap_or_default()
    }

    pub(super) fn add(&self, model: &ModelName, parameter: Parameter) {
        let mut models = self.dropped.lock().unwrap_or_else(PoisonError::into_inner);
        let dropped = models.entry(model.clone()).or_default();
        *dropped = dropped.with(parameter);
    }
}

impl Learned {
    pub(super) fn thinks(&self, model: &ModelName) -> bool {
        self.thinkers.lock().unwrap_or_else(PoisonError::into_inner).contains(model)
    }

    pub(super) fn add_thinker(&self, model: &ModelName) {
        self.thinkers.lock().unwrap_or_else(PoisonError::into_inner).insert(model.clone());
    }
}

/// The parameter to leave out after this complaint, if it names one that was sent.
pub(super) fn culprit(
    status: u16,
    complaint: &Complaint,
    sent: impl Fn(Parameter) -> bool,
) -> Option<Parameter> {
    // A schema that is itself wrong is ours to correct: without it the fault would only be hidden.
    let ours = ["invalid_json_schema", "invalid_function_parameters"].contains(&complaint.code.as_str())
        || ["Invalid schema", "input_schema"].iter().any(|words| complaint.message.contains(words));
    if ours {
        return None;
    }
    // OpenRouter, when no provider of the model takes all that was sent.
    if status == 404 && complaint.message.contains("requested parameters") {
        return [Parameter::Temperature, Parameter::Forced, Parameter::Tools, Parameter::Schema]
            .into_iter()
            .find(|p| sent(*p));
    }
    let nobody = status == 404 && complaint.message.contains("No endpoints found that support");
    if status != 400 && status != 422 && !nobody {
        return None;
    }
    let text = format!("{} {} {}", complaint.param, complaint.message, complaint.upstream).to_lowercase();
    WORDS
        .iter()
        .find(|(parameter, words)| sent(*parameter) && words.iter().any(|word| text.contains(word)))
        .map(|(p, _)| *p)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_name_the_culprit() {
        use Parameter::{Forced, Parallel, Schema, Strict, Temperature, Tools};
        let complaint = |message: &str| Complaint { message: message.to_owned(), ..Complaint::default() };
        let all = |_| true;
        let rows = [
            (
                400,
                "Unsupported value: 'temperature' does not support 0.2 with this model.",
                Some(Temperature),
            ),
            (400, "`temperature` is deprecated for this model", Some(Temperature)),
            (422, "output_config: Extra inputs are not permitted", Some(Schema)),
            (400, "'response_format' of type 'json_schema' is not supported with this model", Some(Schema)),
            (400, "Invalid schema for response_format 'x': 'required' is required", None),
            (400, "max_tokens is too large", None),
            (500, "temperature of the machine too high", None),
            (400, "Thinking may not be enabled when tool_choice forces tool use.", Some(Forced)),
            (400, "tool_choice forces tool use is not compatible with this model.", Some(Forced)),
            (404, "No endpoints found that support the provided 'tool_choice' value.", Some(Forced)),
            (404, "No endpoints found that support tool use.", Some(Tools)),
            (404, "No endpoints found that match your data policy (tools).", None),
            (
                400,
                "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
                Some(Parallel),
            ),
            (
                400,
                "Function tools with reasoning_effort are not supported for m in /v1/chat/completions.",
                Some(Tools),
            ),
            (400, "registry/library/m does not support tools", Some(Tools)),
            (400, "tools.0.custom.strict: Extra inputs are not permitted", Some(Strict)),
            (400, "The compiled grammar is too large", Some(Strict)),
            (400, "tools.0.custom.input_schema: 'maxLength' is not supported", None),
            (400, "Invalid schema for function 'search': 'required' is required", None),
            (404, "No endpoints found that can handle the requested parameters.", Some(Temperature)),
        ];
        for (status, message, wanted) in rows {
            assert_eq!(culprit(status, &complaint(message), all), wanted, "{message}");
        }
        assert_eq!(
            culprit(400, &complaint("temperature"), |_| false),
            None,
            "only what was sent is left out"
        );
    }
}
