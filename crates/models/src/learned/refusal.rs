//! From what a server complained of to the change that it may be content with.

use std::sync::LazyLock;

use regex::Regex;

use super::{Change, Manner, Parameter, SchemaForm};
use crate::classify::Complaint;

/// Shorter than this, no reply says anything.
const LEAST_OUTPUT: u32 = 256;

/// What a refused request carried.
pub(crate) struct Sent<'a> {
    /// How it was asked.
    pub(crate) manner: &'a Manner,
    /// Whether a parameter was in it.
    pub(crate) has: &'a dyn Fn(Parameter) -> bool,
    /// Whether it asked for a shape by the provider's structured output.
    pub(crate) schema: bool,
    /// Whether that shape can be asked for more plainly.
    pub(crate) plainer: bool,
    /// Whether it had rules in a role of their own.
    pub(crate) rules: bool,
    /// Most tokens of its reply, thoughts included.
    pub(crate) bound: u32,
    /// Most tokens of what people read of it.
    pub(crate) needed: u32,
}

/// Words by which a complaint names a parameter, without the underscores that some servers leave out. What is about tools
/// stands first: "Thinking may not be enabled when `tool_choice` forces tool use", "Function tools with `reasoning_effort`
/// are not supported".
const WORDS: [(Parameter, &[&str]); 12] = [
    (Parameter::Temperature, &["temperature"]),
    (Parameter::Parallel, &["paralleltool"]),
    (Parameter::Forced, &["toolchoice"]),
    (Parameter::Strict, &[".strict", " strict", "'strict'", "compiled grammar"]),
    (Parameter::Tools, &["tools", "tool use", "tooluse", "toolchoice", "tool call", "function call"]),
    (Parameter::StreamOptions, &["streamoptions", "includeusage"]),
    (Parameter::CacheKey, &["promptcachekey"]),
    (Parameter::CompletionTokens, &["maxcompletiontokens", "maxtokens"]),
    (Parameter::MaxTokens, &["maxtokens", "maxcompletiontokens"]),
    (Parameter::Developer, &["developer"]),
    (Parameter::Extras, &["frequencypenalty", "cacheprompt"]),
    // Last, for models are called so, too.
    (Parameter::Effort, &["reasoning", "thinking", "effort"]),
];

/// A reply that cannot be streamed.
const STREAM: [&str; 6] = [
    "to stream this",
    "'stream' does not support",
    "not support streaming",
    "streaming is not",
    "streaming requests are not",
    "stream is not supported",
];
/// A role that the model's template has not.
const ROLES: [&str; 10] = [
    "developer instruction",
    "system instruction",
    "system role",
    "system message",
    "role 'system'",
    "messages[0].role",
    "messages.0.role",
    "unknown role",
    "invalid role",
    "roles must alternate",
];
/// A schema of which a part is not known there.
const FEATURES: [&str; 9] = [
    "grammar",
    "features not supported",
    "not supported by xgrammar",
    "too many states",
    "compile json schema",
    "unsupported json schema",
    "unsupported schema",
    "json schema conversion",
    "responseschema",
];
/// Structured output that is not known at all.
const STRUCTURED: [&str; 5] = ["responseformat", "jsonschema", "outputconfig", "structured output", "guided"];
/// What speaks of the length of a reply.
const LENGTHS: [&str; 6] = [
    "maxtokens",
    "maxcompletiontokens",
    "maxoutputtokens",
    "maxnewtokens",
    "completion tokens",
    "output tokens",
];

/// The change that may content the server; `None` where its complaint teaches nothing.
pub(crate) fn change(status: u16, complaint: &Complaint, sent: &Sent<'_>) -> Option<Change> {
    // Status 200: it complains inside a stream that began well.
    let status = if status == 200 { complaint.status.unwrap_or(400) } else { status };
    let text = format!("{} {} {}", complaint.param, complaint.message, complaint.upstream).to_lowercase();
    let bare = text.replace('_', "");
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word) || bare.contains(word));

    // OpenRouter, when no provider of the model takes all that was sent.
    if status == 404 && text.contains("requested parameters") {
        let one = [Parameter::Temperature, Parameter::Forced, Parameter::Tools];
        let one = one.into_iter().find(|parameter| (sent.has)(*parameter)).map(Change::Without);
        return one.or(sent.schema.then_some(Change::Schema(SchemaForm::Words)));
    }
    // A local server's template raises an error of its own, which the server takes for its fault.
    let is_template = status == 500 && (says(&ROLES) || says(&FEATURES));
    let nobody = status == 404 && text.contains("no endpoints found that support");
    if !matches!(status, 400 | 413 | 422) && !nobody && !is_template {
        return None;
    }
    match length(&text, says(&LENGTHS), sent) {
        Length::Change(change) => return Some(change),
        Length::Hopeless => return None,
        Length::NotMeant => {}
    }
    if status == 413 {
        return None;
    }
    if sent.manner.is_streamed() && (complaint.param == "stream" || says(&STREAM)) {
        return Some(Change::Unstreamed);
    }
    if says(&ROLES) {
        return (sent.has)(Parameter::Developer)
            .then_some(Change::Without(Parameter::Developer))
            .or((sent.rules && !sent.manner.puts_rules_before_task()).then_some(Change::RulesBeforeTask));
    }
    let unknown_part = says(&FEATURES) || (says(&["schema"]) && says(&["not supported", "not permitted"]));
    // A schema that is itself wrong is ours to correct: without it the fault would only be hidden.
    let ours = ["invalid_json_schema", "invalid_function_parameters"].contains(&complaint.code.as_str())
        || ["invalid schema", "input_schema"].iter().any(|words| text.contains(words));
    if ours && !(unknown_part && sent.schema) {
        return None;
    }
    // The server's own name for it goes before any word of its sentence.
    let param = complaint.param.to_lowercase().replace('_', "");
    let by_name = WORDS.iter().find(|(parameter, words)| {
        words.iter().any(|word| word.len() > 4 && param.contains(word)) && (sent.has)(*parameter)
    });
    if let Some((parameter, _)) = by_name {
        return Some(Change::Without(*parameter));
    }
    let named = |parameter: &Parameter| {
        WORDS.iter().any(|(named, words)| named == parameter && says(words)) && (sent.has)(*parameter)
    };
    let parameters = WORDS.map(|(parameter, _)| parameter);
    // A schema is spoken of in the complaints about tools, too.
    let tools = [Parameter::Parallel, Parameter::Forced, Parameter::Strict, Parameter::Tools];
    if let Some(parameter) = tools.into_iter().find(named) {
        return Some(Change::Without(parameter));
    }
    if sent.schema && unknown_part && sent.plainer && !says(&WHOLLY) {
        return Some(Change::Schema(SchemaForm::Plain));
    }
    if sent.schema && (unknown_part || says(&STRUCTURED)) {
        return Some(Change::Schema(SchemaForm::Words));
    }
    parameters.into_iter().find(named).map(Change::Without)
}

/// The whole of structured output is refused and not a part of a schema.
const WHOLLY: [&str; 5] = [
    "of type 'json_schema' is not supported",
    "of type json_schema is not supported",
    "responseformat is not supported",
    "not support response format",
    "does not support parameters",
];

/// What a complaint says of a reply's length.
enum Length {
    /// Nothing.
    NotMeant,
    /// Nothing that a shorter reply would mend.
    Hopeless,
    Change(Change),
}

fn length(text: &str, speaks_of_length: bool, sent: &Sent<'_>) -> Length {
    static CONTEXT: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"context (?:length|window|limit|size)[^0-9]{0,40}?(\d+)"));
    static SUM: LazyLock<Regex> = LazyLock::new(|| pattern(r"(\d+) \+ (\d+) > (\d+)"));
    static INPUT: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(\d+) (?:in the messages|of text input|input tokens|tokens in the prompt|prompt tokens|tokens from the input)",
        )
    });
    // TGI's and Together's bound of both together.
    static BOTH: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"\+ `?max_new_tokens`? must be <= (\d+)\D*given: (\d+)"));
    // Only a number that is said to be the most: models' names have numbers, too.
    static MOST: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?:at most|less than or equal to|greater than|range of \w+ is \[\d+,|>|<=)[ `a-z_=]{0,40}?(\d+)",
        )
    });
    let number = |found: Option<regex::Match<'_>>| found.and_then(|found| found.as_str().parse::<u32>().ok());
    let group = |of: &Regex, group: usize| of.captures(text).and_then(|found| number(found.get(group)));
    if let Some(context) = group(&SUM, 3).or_else(|| group(&BOTH, 1)).or_else(|| group(&CONTEXT, 1)) {
        let input = group(&SUM, 1).or_else(|| group(&BOTH, 2)).or_else(|| group(&INPUT, 1));
        let room = input.and_then(|input| context.checked_sub(input));
        let fits = |room: &u32| *room >= sent.needed.max(LEAST_OUTPUT) && *room < sent.bound;
        return room.filter(fits).map_or(Length::Hopeless, |room| Length::Change(Change::ShorterNow(room)));
    }
    let is_the_name = [
        "unsupported",
        "unknown parameter",
        "unrecognized",
        "extra inputs",
        "does not support parameter",
        "not supported with this model",
        "not permitted",
    ];
    if !speaks_of_length || is_the_name.iter().any(|words| text.contains(words)) {
        return Length::NotMeant;
    }
    // What is asked for is mostly shorter than it may be; less than half of that would cut off each reply, and be paid for.
    let least = LEAST_OUTPUT.max(sent.needed / 2);
    match group(&MOST, 1).filter(|most| (LEAST_OUTPUT..sent.bound).contains(most)) {
        Some(most) if most < least => Length::Hopeless,
        Some(most) => Length::Change(Change::Shorter(most)),
        None if text.contains("too large") => Length::Hopeless,
        None => Length::NotMeant,
    }
}

/// A pattern of this file; a test uses each.
fn pattern(text: &str) -> Regex {
    #[allow(clippy::unwrap_used, reason = "a literal that the tests compile")]
    Regex::new(text).unwrap()
}

#[cfg(test)]
mod tests;
