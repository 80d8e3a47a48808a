//! Refusals as servers were reported to give them.

mod words;

use super::*;

/// What the server says, and the change; the request had everything, and room for 40,000 tokens of which people read 3,000.
type Row = (u16, &'static str, Option<Change>);

fn learn(status: u16, body: &str, manner: &Manner) -> Option<Change> {
    let sent = Sent {
        manner,
        has: &|parameter| {
            let tools = [Parameter::Parallel, Parameter::Forced, Parameter::Strict, Parameter::Tools];
            !manner.lacks(parameter) && !tools.contains(&parameter) && parameter != Parameter::MaxTokens
        },
        schema: manner.schema() != SchemaForm::Words,
        plainer: manner.schema() == SchemaForm::Whole,
        rules: true,
        bound: 40_000,
        needed: 3_000,
    };
    change(status, &Complaint::of_body(body), &sent)
}

/// Bodies as they were reported of each server; where one only gives the sentence, it stands alone.
#[test]
fn each_refusal_teaches_one_change() {
    use Change::{Schema, Shorter, ShorterNow, Unstreamed, Without};
    use Parameter::{CacheKey, CompletionTokens, Developer, Effort, Extras, StreamOptions, Temperature};
    let plain = Some(Schema(SchemaForm::Plain));
    let words = Some(Schema(SchemaForm::Words));
    let rows: &[Row] = &[
        // OpenAI.
        (
            400,
            r#"{"error":{"message":"Your organization must be verified to stream this model.","type":"invalid_request_error","param":"stream","code":"unsupported_value"}}"#,
            Some(Unstreamed),
        ),
        (
            400,
            r#"{"error":{"message":"Unsupported value: 'messages[0].role' does not support 'developer' with this model.","param":"messages[0].role","code":"unsupported_value"}}"#,
            Some(Without(Developer)),
        ),
        (
            400,
            r#"{"error":{"message":"Unrecognized request argument supplied: reasoning_effort","param":null,"code":null}}"#,
            Some(Without(Effort)),
        ),
        (
            400,
            r#"{"error":{"message":"Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.","param":"temperature"}}"#,
            Some(Without(Temperature)),
        ),
        (
            400,
            r#"{"error":{"message":"max_tokens is too large: 40000. This model supports at most 16384 completion tokens, whereas you provided 40000.","param":"max_tokens","code":"invalid_value"}}"#,
            Some(Shorter(16_384)),
        ),
        (
            400,
            r#"{"error":{"message":"Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model. Learn more about supported models at the Structured Outputs guide"}}"#,
            words,
        ),
        (
            400,
            "Invalid schema for response_format 'x': In context=(), 'required' is required to be supplied",
            None,
        ),
        (
            400,
            "Invalid schema for response_format 'x': In context=('properties', 'a'), 'default' is not permitted.",
            plain,
        ),
        // Azure.
        (
            400,
            r#"{"error":{"message":"Unknown parameter: 'stream_options'.","param":"stream_options","code":"unknown_parameter"}}"#,
            Some(Without(StreamOptions)),
        ),
        (400, "Unsupported value: 'stream' does not support true with this model.", Some(Unstreamed)),
        (
            400,
            r#"{"error":{"code":"BadRequest","message":"response_format value as json_schema is enabled only for api versions 2024-08-01-preview and later"}}"#,
            words,
        ),
        (
            422,
            r#"{"error":{"code":"Invalid input","message":"{\"detail\":[{\"type\":\"extra_forbidden\",\"loc\":[\"body\",\"stream_options\",\"include_usage\"],\"msg\":\"Extra inputs are not permitted\",\"input\":true}]}","status":422}}"#,
            Some(Without(StreamOptions)),
        ),
        // Anthropic.
        (
            400,
            "max_tokens: 40000 > 8192, which is the maximum allowed number of output tokens for claude-opus-4-5-20251101",
            Some(Shorter(8_192)),
        ),
        (
            400,
            "input length and `max_tokens` exceed context limit: 178959 + 40000 > 200000, decrease input length or `max_tokens` and try again",
            Some(ShorterNow(21_041)),
        ),
        (
            400,
            "input length and `max_tokens` exceed context limit: 199959 + 40000 > 200000, decrease input length",
            None,
        ),
        (400, "`temperature` is deprecated for this model.", Some(Without(Temperature))),
        // Gemini.
        (
            400,
            r#"[{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"prompt_cache_key\": Cannot find field.","status":"INVALID_ARGUMENT"}}]"#,
            Some(Without(CacheKey)),
        ),
        (
            400,
            r#"[{"error":{"code":400,"message":"Developer instruction is not enabled for models/gemma-3-27b-it","status":"INVALID_ARGUMENT"}}]"#,
            Some(Without(Developer)),
        ),
        (400, "The specified schema produces a constraint that has too many states for serving.", plain),
        // Mistral.
        (
            422,
            r#"{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","max_completion_tokens"],"msg":"Extra inputs are not permitted","input":3125}]},"type":"invalid_request_error","param":null,"code":null}"#,
            Some(Without(CompletionTokens)),
        ),
        (
            422,
            r#"{"object":"error","message":"{\"detail\":[{\"type\":\"extra_forbidden\",\"loc\":[\"body\",\"frequency_penalty\"],\"msg\":\"Extra inputs are not permitted\",\"input\":0.0}]}","type":"internal_error_proxy","param":null,"code":"1000"}"#,
            Some(Without(Extras)),
        ),
        (
            422,
            r#"{"object":"Error","detail":[{"type":"extra_forbidden","loc":["body","prompt_cache_key"],"msg":"Extra inputs are not permitted","input":[]}],"message":[{"type":"extra_forbidden","loc":["body","prompt_cache_key"],"msg":"Extra inputs are not permitted"}],"code":3001}"#,
            Some(Without(CacheKey)),
        ),
        // Groq.
        (
            400,
            r#"{"error":{"message":"property 'prompt_cache_key' is unsupported","type":"invalid_request_error"}}"#,
            Some(Without(CacheKey)),
        ),
        (400, "`reasoning_effort` must be one of `none` or `default`", Some(Without(Effort))),
        (
            400,
            "invalid schema for response format: response_format/json_schema/next_step: minItems is not supported",
            plain,
        ),
        (
            400,
            "max_tokens for `llama-3.1-8b-instant` must be less than or equal to 8000",
            Some(Shorter(8_000)),
        ),
        (400, "response_format` does not support streaming", Some(Unstreamed)),
        // DeepSeek, once without JSON.
        (
            400,
            r#"{"error":{"message":"This response_format type is unavailable now","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}"#,
            words,
        ),
        (400, "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", Some(Shorter(8_192))),
        (
            422,
            "Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool` at line 1 column 51783",
            Some(Without(Developer)),
        ),
        // xAI.
        (
            400,
            r#"{"code":"invalid-argument","error":"Model grok-4.20-0309-reasoning does not support parameter reasoningEffort."}"#,
            Some(Without(Effort)),
        ),
        (
            400,
            r#"{"code":"Client specified an invalid argument","error":"Argument not supported on this model: frequencyPenalty"}"#,
            Some(Without(Extras)),
        ),
        // OpenRouter.
        (
            400,
            r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"max_tokens is too large: 40000. This model supports at most 4096 completion tokens\"}}"}}}"#,
            Some(Shorter(4_096)),
        ),
        (
            400,
            "This endpoint's maximum context length is 131072 tokens. However, you requested about 138956 tokens (98956 of text input, 40000 in the output). Please reduce the length",
            Some(ShorterNow(32_116)),
        ),
        (404, "No endpoints found that can handle the requested parameters.", Some(Without(Temperature))),
        // LiteLLM, which tells what its providers said as text.
        (
            400,
            r#"{"error":{"message":"litellm.UnsupportedParamsError: together_ai does not support parameters: ['response_format'], for model=m. To drop these, set `litellm.drop_params=True`","type":"None","param":"None","code":"400"}}"#,
            words,
        ),
        (
            400,
            r#"{"error":{"message":"litellm.BadRequestError: GithubException - Error code: 400 - {'error': {'message': \"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.\"","code":"400"}}"#,
            Some(Without(CompletionTokens)),
        ),
        // vLLM, SGLang, llama.cpp.
        (
            400,
            r#"{"error":{"code":400,"message":"Failed to initialize samplers: failed to parse grammar","type":"invalid_request_error"}}"#,
            plain,
        ),
        (400, "The provided JSON schema contains features not supported by xgrammar.", plain),
        (
            400,
            "'max_tokens' or 'max_completion_tokens' is too large: 40000. This model's maximum context length is 32768 tokens and your request has 5000 input tokens (40000 > 32768 - 5000).",
            Some(ShorterNow(27_768)),
        ),
        (
            500,
            r#"{"error":{"code":500,"message":"System role not supported at row 1, column 45","type":"server_error"}}"#,
            Some(Without(Developer)),
        ),
        // A number in a model's name is no bound, and a bound of prompt and reply together is this prompt's.
        (
            400,
            "Model grok-4.20-0309-reasoning does not support parameter maxCompletionTokens.",
            Some(Without(CompletionTokens)),
        ),
        (
            400,
            "`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 3000 `inputs` tokens and 40000 `max_new_tokens`",
            Some(ShorterNow(5_193)),
        ),
        (
            400,
            "Model fast-reasoning-3 does not support parameter stream_options",
            Some(Without(StreamOptions)),
        ),
        (
            400,
            r#"{"error":{"message":"The tools of reasoning do not take this","param":"temperature"}}"#,
            Some(Without(Temperature)),
        ),
        // What teaches nothing.
        (400, "max_tokens is too large", None),
        (500, "temperature of the machine too high", None),
        (401, "temperature", None),
        (
            413,
            "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 10338",
            None,
        ),
        (404, "No endpoints found that match your data policy (tools).", None),
        (400, "messages: at least one message is required", None),
    ];
    for (status, body, wanted) in rows {
        assert_eq!(learn(*status, body, &Manner::default()), *wanted, "{status} {body}");
    }
}

#[test]
fn a_second_refusal_goes_further_and_a_third_teaches_nothing() {
    let grammar = "failed to parse grammar";
    let roles = "Developer instruction is not enabled";
    let mut manner = Manner::default();
    for (body, wanted) in [
        (grammar, Some(Change::Schema(SchemaForm::Plain))),
        (grammar, Some(Change::Schema(SchemaForm::Words))),
        (grammar, None),
        (roles, Some(Change::Without(Parameter::Developer))),
        (roles, Some(Change::RulesBeforeTask)),
        (roles, None),
        ("temperature", Some(Change::Without(Parameter::Temperature))),
        ("temperature is required", None),
    ] {
        let learned = learn(400, body, &manner);
        assert_eq!(learned, wanted, "{body} after {manner}");
        manner = learned.into_iter().fold(manner, Manner::with);
    }
}

#[test]
fn tools_are_given_up_one_property_after_another() {
    use Parameter::{Effort, Forced, Parallel, Strict, Tools};
    let manner = Manner::default();
    let learn = |body: &str, has: &[Parameter]| {
        let has = |parameter| has.contains(&parameter);
        let sent = Sent {
            manner: &manner,
            has: &has,
            schema: false,
            plainer: false,
            rules: true,
            bound: 900,
            needed: 900,
        };
        change(400, &Complaint::of_body(body), &sent)
    };
    let all = [Parallel, Forced, Strict, Tools, Effort];
    for (body, wanted) in [
        ("Thinking may not be enabled when tool_choice forces tool use.", Some(Forced)),
        ("tool_choice forces tool use is not compatible with this model.", Some(Forced)),
        ("Unsupported parameter: 'parallel_tool_calls' is not supported with this model.", Some(Parallel)),
        (
            "Function tools with reasoning_effort are not supported for m in /v1/chat/completions.",
            Some(Tools),
        ),
        ("registry/library/m does not support tools", Some(Tools)),
        ("tools.0.custom.strict: Extra inputs are not permitted", Some(Strict)),
        ("The compiled grammar is too large", Some(Strict)),
        ("tools.0.custom.input_schema: 'maxLength' is not supported", None),
        ("Invalid schema for function 'search': 'required' is required", None),
    ] {
        assert_eq!(learn(body, &all), wanted.map(Change::Without), "{body}");
    }
    assert_eq!(learn("tools are not supported", &[]), None, "only what was sent is left out");
}
