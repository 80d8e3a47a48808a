//! Each word by which a refusal is known, alone in its sentence: without it, the sentence teaches another thing or nothing.

use super::*;

/// What is learned of one that was sent just these parameters.
fn learn_with(status: u16, body: &str, has: &[Parameter], schema: bool) -> Option<Change> {
    let sent = Sent {
        manner: &Manner::default(),
        has: &|parameter| has.contains(&parameter),
        schema,
        plainer: schema,
        rules: false,
        bound: 40_000,
        needed: 100,
    };
    change(status, &Complaint::of_body(body), &sent)
}

fn learn_each(sentences: &[&str], wanted: Option<Change>) {
    for sentence in sentences {
        assert_eq!(learn(400, sentence, &Manner::default()), wanted, "{sentence}");
    }
}

#[test]
fn each_word_for_a_reply_that_cannot_be_streamed() {
    learn_each(
        &[
            "Your organization must be verified to stream this model.",
            "'stream' does not support true",
            "this does not support streaming",
            "Streaming is not allowed here",
            "Streaming requests are not allowed here",
            "stream is not supported here",
            r#"{"error":{"message":"Unsupported value","param":"stream"}}"#,
        ],
        Some(Change::Unstreamed),
    );
    let whole = Manner::default().with(Change::Unstreamed);
    assert_eq!(learn(400, "stream is not supported here", &whole), None, "it is not streamed any more");
}

#[test]
fn each_word_for_a_role_that_is_not_there() {
    learn_each(
        &[
            "Developer instruction is not enabled",
            "System instruction is not enabled",
            "System role is not there",
            "System message must be at the beginning",
            "The role 'system' is not there",
            "messages[0].role: wrong",
            "messages.0.role: wrong",
            "Unknown role",
            "Invalid role",
            "Conversation roles must alternate user/assistant",
            "unknown variant `developer`",
        ],
        Some(Change::Without(Parameter::Developer)),
    );
    assert_eq!(learn_with(400, "Unknown role", &[], true), None, "there are no rules to be put elsewhere");
}

#[test]
fn each_word_for_a_schema_that_is_too_much() {
    learn_each(
        &[
            "failed to parse grammar",
            "It has features not supported here",
            "It has too many states for serving",
            "Failed to compile JSON schema: x",
            "Unsupported JSON schema",
            "Unsupported schema",
            "JSON schema conversion failed",
            "Invalid value at 'response_schema'",
        ],
        Some(Change::Schema(SchemaForm::Plain)),
    );
    learn_each(
        &[
            "response_format is not known",
            "json_schema is not known",
            "output_config is not known",
            "There is no structured output",
            "There is no guided decoding",
            // A part of a schema is spoken of, too, but it is not all that is refused.
            "A schema of type 'json_schema' is not supported",
            "A schema of type json_schema is not supported",
            "response_format is not supported, nor is a schema",
            "It does not support response format; a schema is not permitted",
            "It does not support parameters: response_schema",
        ],
        Some(Change::Schema(SchemaForm::Words)),
    );
    let grammar = "failed to parse grammar";
    assert_eq!(learn(500, grammar, &Manner::default()), Some(Change::Schema(SchemaForm::Plain)));
}

#[test]
fn a_schema_that_is_itself_wrong_teaches_nothing() {
    learn_each(
        &[
            r#"{"error":{"message":"response_format: a name is missing","code":"invalid_json_schema"}}"#,
            "Invalid schema: response_format",
            "input_schema: response_format",
        ],
        None,
    );
    let body = r#"{"error":{"message":"tools: a name is missing","code":"invalid_function_parameters"}}"#;
    assert_eq!(learn_with(400, body, &[Parameter::Tools], false), None);
}

#[test]
fn each_word_for_a_parameter() {
    use Parameter::{
        CacheKey, CompletionTokens, Effort, Extras, Forced, MaxTokens, Parallel, StreamOptions, Strict,
        Temperature, Tools,
    };
    for (parameter, words) in [
        (Temperature, &["temperature"][..]),
        (Parallel, &["parallel_tool_calls"]),
        (Forced, &["tool_choice"]),
        (Strict, &["tools.0.strict", "the strict mode", "'strict'", "compiled grammar"]),
        (Tools, &["tools", "tool use", "tool_use", "tool_choice", "tool calls", "function calls"]),
        (StreamOptions, &["stream_options", "include_usage"]),
        (CacheKey, &["prompt_cache_key"]),
        (CompletionTokens, &["max_completion_tokens", "max_tokens"]),
        (MaxTokens, &["max_tokens", "max_completion_tokens"]),
        (Extras, &["frequency_penalty", "cache_prompt"]),
        (Effort, &["reasoning", "thinking", "effort"]),
    ] {
        for word in words {
            let learned = learn_with(400, &format!("{word} is not known"), &[parameter], false);
            assert_eq!(learned, Some(Change::Without(parameter)), "{word}");
        }
    }
}

#[test]
fn of_several_the_one_that_is_named_goes_first_and_tools_go_before_the_rest() {
    let named = r#"{"error":{"message":"temperature beside prompt_cache_key","param":"prompt_cache_key"}}"#;
    let both = [Parameter::Temperature, Parameter::CacheKey];
    assert_eq!(learn_with(400, named, &both, false), Some(Change::Without(Parameter::CacheKey)));
    let tools = Some(Change::Without(Parameter::Tools));
    let both = [Parameter::Temperature, Parameter::Tools];
    assert_eq!(learn_with(400, "no tools with a temperature", &both, false), tools);
    assert_eq!(learn_with(400, "no tools with a response_format", &[Parameter::Tools], true), tools);
}

#[test]
fn where_no_provider_takes_all_one_thing_after_another_is_left_out() {
    use Parameter::{Forced, Temperature, Tools};
    let refusal = "No endpoints found that can handle the requested parameters.";
    let words = Some(Change::Schema(SchemaForm::Words));
    let without = |parameter| Some(Change::Without(parameter));
    assert_eq!(learn_with(404, refusal, &[Temperature, Forced, Tools], true), without(Temperature));
    assert_eq!(learn_with(404, refusal, &[Forced, Tools], true), without(Forced));
    assert_eq!(learn_with(404, refusal, &[Tools], true), without(Tools));
    assert_eq!(learn_with(404, refusal, &[], true), words);
    assert_eq!(learn_with(404, refusal, &[], false), None);
    let support = "No endpoints found that support tool use.";
    assert_eq!(learn_with(404, support, &[Tools], false), without(Tools));
    let policy = "No endpoints found that match your data policy (tools).";
    assert_eq!(learn_with(404, policy, &[Tools], false), None, "another 404 is about something else");
}

#[test]
fn the_status_decides_whether_anything_is_learned() {
    let room = "input length and `max_tokens` exceed context limit: 178959 + 40000 > 200000";
    let now = Some(Change::ShorterNow(21_041));
    let temperature = Some(Change::Without(Parameter::Temperature));
    let unknown =
        |code: u16| format!(r#"{{"error":{{"message":"temperature is not known","code":{code}}}}}"#);
    for (status, body, wanted) in [
        (413, room.to_owned(), now),
        (413, "temperature is not known".to_owned(), None),
        (429, "temperature is not known".to_owned(), None),
        // Inside a stream that began well.
        (200, "temperature is not known".to_owned(), temperature),
        (200, unknown(400), temperature),
        (200, unknown(503), None),
    ] {
        assert_eq!(learn(status, &body, &Manner::default()), wanted, "{status} {body}");
    }
}

#[test]
fn each_word_for_a_bound() {
    for (sentence, most) in [
        ("max_tokens may be at most 8000", 8_000),
        ("max_completion_tokens may be at most 8000", 8_000),
        ("max_output_tokens may be at most 8000", 8_000),
        ("max_new_tokens may be at most 8000", 8_000),
        ("at most 8000 completion tokens", 8_000),
        ("at most 8000 output tokens", 8_000),
        ("max_tokens must be less than or equal to 8000", 8_000),
        ("max_tokens may not be greater than 8000", 8_000),
        ("the valid range of max_tokens is [1, 8000]", 8_000),
        ("max_tokens: 40000 > 8000", 8_000),
        ("max_tokens must be <= 8000", 8_000),
        ("max_tokens may be at most 1500", 1_500),
    ] {
        assert_eq!(learn(400, sentence, &Manner::default()), Some(Change::Shorter(most)), "{sentence}");
    }
    for (sentence, room) in [
        ("context length of 9000, and 4000 in the messages", 5_000),
        ("context length of 9000, and 4000 of text input", 5_000),
        ("context length of 9000, and 4000 input tokens", 5_000),
        ("context length of 9000, and 4000 tokens in the prompt", 5_000),
        ("context length of 9000, and 4000 prompt tokens", 5_000),
        ("context length of 9000, and 4000 tokens from the input", 5_000),
        ("context window of 9000, and 4000 prompt tokens", 5_000),
        ("context limit of 9000, and 4000 prompt tokens", 5_000),
        ("context size of 9000, and 4000 prompt tokens", 5_000),
    ] {
        assert_eq!(learn(400, sentence, &Manner::default()), Some(Change::ShorterNow(room)), "{sentence}");
    }
}

#[test]
fn a_bound_that_helps_nobody_teaches_nothing() {
    learn_each(
        &[
            // Half of what people read of it would be cut off.
            "max_tokens is too large: at most 1499",
            "max_tokens is too large: at most 40000",
            // People read 3,000 tokens of it.
            "context length of 9000, and 6001 prompt tokens",
            "context length of 49000, and 9000 prompt tokens",
        ],
        None,
    );
    let little = |input: u32| format!("context length of 9000, and {input} prompt tokens");
    assert_eq!(learn_with(400, &little(8_744), &[], false), Some(Change::ShorterNow(256)));
    assert_eq!(learn_with(400, &little(8_745), &[], false), None, "100 are enough for it, but say nothing");
}

#[test]
fn a_number_beside_a_name_that_is_refused_is_no_bound() {
    learn_each(
        &[
            "Unsupported: max_completion_tokens, at most 8000",
            "Unknown parameter: max_completion_tokens, at most 8000",
            "Unrecognized: max_completion_tokens, at most 8000",
            "Extra inputs: max_completion_tokens, at most 8000",
            "It does not support parameter max_completion_tokens, at most 8000",
            "max_completion_tokens is not supported with this model, at most 8000",
            "max_completion_tokens is not permitted, at most 8000",
        ],
        Some(Change::Without(Parameter::CompletionTokens)),
    );
}
