//! From what a provider complained to the class of the failure. The error's own code decides, the status only
//! where there is none: vendors answer 429 both for "slower" and for "your credit is used up", send errors
//! inside a stream that began with 200, and answer 400 for spending limits.

mod wait;

use std::{sync::LazyLock, time::Duration};

use regex::Regex;
use reqwest::header::HeaderMap;
use serde_json::Value;

use super::{CallError, Class, FailedGeneration};
use domain::Provider;

/// What a provider said went wrong, in one shape for all dialects. Empty where it did not say.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Complaint {
    /// `error.type`, or Gemini's `error.status`.
    pub(super) kind: String,
    /// `error.code`, or Anthropic's `error.details.error_code`.
    pub(super) code: String,
    /// `error.param`, or the last part of the first `loc` where faults are listed field by field.
    pub(super) param: String,
    /// `error.message`.
    pub(super) message: String,
    /// `error.code` where it is a number: `OpenRouter`'s and llama.cpp's copy of the status.
    pub(super) status: Option<u16>,
    /// The input was flagged by moderation (`OpenRouter`'s `error.metadata`).
    pub(super) moderated: bool,
    /// What the provider behind `OpenRouter` said (`error.metadata.raw`).
    pub(super) upstream: String,
    /// How long to wait, as the body says it.
    pub(super) wait: Option<Duration>,
    /// What the model wrote that was no JSON of the shape asked for (Groq's `failed_generation`).
    pub(super) failed_generation: Option<String>,
    /// `request_id` in the body.
    pub(super) request_id: Option<String>,
}

/// What providers without a code of their own for it say of a request that the model cannot take in.
const TOO_LONG: [&str; 16] = [
    "too long",
    "context length",
    "context size",
    "context window",
    "context limit",
    "context overflow",
    "maximum context",
    "maximum prompt length",
    "exceeds the maximum number of tokens",
    "exceed the context",
    "exceeds the available context",
    "long context requests",
    "truncate prompt with n_keep",
    "reduce the length of the messages",
    "longer than the model",
    "request size exceeds",
];
/// What is about the key, whatever the status: xAI and Gemini answer 400.
const KEY: [&str; 5] =
    ["api key not valid", "incorrect api key", "invalid api key", "no auth credentials", "api_key_invalid"];
/// What a refusal of 403 is about where it is about who asks and not about the model.
const WHO: [&str; 8] =
    ["api key", "api_key", "your key", "this key", "credential", "authenticat", "unauthorized", "account"];
/// What is said of a model that somebody may not use, or not with this key.
const NO_ACCESS: [&str; 4] =
    ["not available for", "not allowed to access", "not have access", "no access to"];
/// A model that this caller may not use.
const FORBIDDEN: [&str; 4] =
    ["location is not supported", "blocked at the", "not available in your region", "limit: 0"];

impl Complaint {
    /// Reads the body of an error response.
    pub(super) fn of_body(body: &str) -> Self {
        match serde_json::from_str::<Value>(body) {
            Ok(value) => Self::of(&value),
            Err(_) if body.trim_start().starts_with('<') => Self {
                message: "a web page instead of JSON; check the base URL".to_owned(),
                ..Self::default()
            },
            Err(_) => Self { message: body.chars().take(400).collect(), ..Self::default() },
        }
    }

    /// Reads an error object, either bare, below `error`, the first of a list (Gemini), or as text in the message of another
    /// (Ollama hands on what llama.cpp says).
    pub(super) fn of(value: &Value) -> Self {
        let value = first_of(value);
        let inner =
            value["error"]["message"].as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
        if let Some(inner) = inner.filter(|inner| inner["error"].is_object()) {
            return Self::of(&inner);
        }
        let error = value.get("error").filter(|error| !error.is_null()).unwrap_or(value);
        // LiteLLM writes the text "None" where there is nothing.
        let text =
            |value: &Value| value.as_str().filter(|text| *text != "None").unwrap_or_default().to_owned();
        let first = |values: &[&Value]| values.iter().map(|value| text(value)).find(|text| !text.is_empty());
        let number = |value: &Value| match value {
            Value::String(digits) => digits.parse().ok(),
            number => number.as_u64().and_then(|number| u16::try_from(number).ok()),
        };
        let faults = faults(value);
        let listed =
            faults.iter().map(|fault| format!("{}: {}", fault.field, fault.what)).collect::<Vec<_>>();
        let plain =
            first(&[error, &error["message"], &value["message"], &value["detail"], &value["error_message"]]);
        let message = if listed.is_empty() { plain.unwrap_or_default() } else { listed.join("; ") };
        let metadata = &error["metadata"];
        Self {
            kind: first(&[&error["type"], &value["error_type"], &error["status"], &value["type"]])
                .unwrap_or_default(),
            code: first(&[&error["details"]["error_code"], &error["code"], &value["code"]])
                .unwrap_or_default(),
            param: first(&[&error["param"]])
                .or_else(|| faults.first().map(|fault| fault.field.clone()))
                .unwrap_or_default(),
            status: [&error["code"], &error["status_code"], &value["code"]].into_iter().find_map(number),
            moderated: !metadata["reasons"].is_null() || !metadata["flagged_input"].is_null(),
            upstream: text(&metadata["raw"]),
            wait: wait::told(error, &message),
            failed_generation: error["failed_generation"].as_str().map(str::to_owned),
            request_id: value["request_id"].as_str().map(str::to_owned),
            message,
        }
    }

    /// Whether the provider declined to answer this prompt, which is an outcome and not a failure.
    pub(super) fn is_refusal(&self) -> bool {
        self.moderated
            || matches!(self.code.as_str(), "content_filter" | "content_policy_violation" | "invalid_prompt")
            || self.says(&["violates usage guidelines", "rejected as a result of our safety system"])
    }

    /// Whether a server is still loading the model, which is no failure but a long first token.
    pub(super) fn is_loading(&self, status: u16) -> bool {
        status == 503 && self.says(&["loading model", "model is loading"])
    }

    fn says(&self, parts: &[&str]) -> bool {
        let message = format!("{} {}", self.message, self.upstream).to_lowercase();
        parts.iter().any(|part| message.contains(part))
    }

    fn is(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.code == *name || self.kind == *name)
    }

    /// The class, given the HTTP status (200 for an error inside a stream).
    pub(super) fn class(&self, provider: Provider, status: u16) -> Class {
        let status = if status == 200 { self.status.unwrap_or(0) } else { status };
        if self.is_money(status) {
            return Class::MoneyGone;
        }
        if self.failed_generation.is_some() || self.is(&["json_validate_failed", "tool_use_failed"]) {
            return Class::Malformed;
        }
        if self.is_too_large_to_wait_for() {
            return Class::TooLarge;
        }
        if status != 429 && self.says(&FORBIDDEN) || self.says(&["limit: 0,"]) {
            return Class::Forbidden;
        }
        let denied = self.code.ends_with("model_access_denied") || self.kind.ends_with("model_access_denied");
        if matches!(status, 401 | 403) && (denied || self.says(&["model"]) && self.says(&NO_ACCESS)) {
            return Class::Forbidden;
        }
        let known: [(Class, &[&str]); 6] = [
            (Class::TooLarge, &["request_too_large", "context_length_exceeded", "exceed_context_size_error"]),
            (Class::Overloaded, &["overloaded_error", "server_is_overloaded", "overloaded"]),
            (Class::RateLimited, &["rate_limit_error", "rate_limit_exceeded", "slow_down"]),
            (Class::Timeout, &["timeout_error"]),
            (Class::Auth, &["authentication_error", "invalid_api_key"]),
            (
                Class::NotFound,
                &[
                    "not_found_error",
                    "model_not_found",
                    "model_not_available",
                    "model_decommissioned",
                    "invalid_model",
                ],
            ),
        ];
        if let Some((class, _)) = known.iter().find(|(_, names)| self.is(names)) {
            return *class;
        }
        match status {
            400..=403 if self.says(&KEY) => Class::Auth,
            0 | 400 | 413 | 422 | 500 if self.says(&TOO_LONG) => Class::TooLarge,
            400 if self.says(&["not a valid model", "invalid model name", "model not exist"]) => {
                Class::NotFound
            }
            401 => Class::Auth,
            403 if self.says(&WHO) => Class::Auth,
            403 => Class::Forbidden,
            404 => Class::NotFound,
            408 | 504 | 524 => Class::Timeout,
            413 => Class::TooLarge,
            425 | 429 => Class::RateLimited,
            503 | 529 => Class::Overloaded,
            502 if provider == Provider::Openrouter => Class::Overloaded,
            // An error inside a stream that says no more than that there is one.
            0 | 409 | 500..=599 if self.kind != "invalid_request_error" => Class::Server,
            _ => Class::BadRequest,
        }
    }

    /// Whether one request alone is more than is allowed in a minute: waiting never helps.
    fn is_too_large_to_wait_for(&self) -> bool {
        static ASKED: LazyLock<Regex> = LazyLock::new(|| {
            #[allow(clippy::unwrap_used, reason = "a literal that the tests compile")]
            Regex::new(r"limit (\d+),(?: used \d+,)? requested (\d+)").unwrap()
        });
        let message = self.message.to_lowercase();
        let alone = ASKED.captures(&message).is_some_and(|found| {
            let number = |group: usize| found[group].parse::<u64>().unwrap_or_default();
            number(2) > number(1)
        });
        // Azure names a day where a request is larger than the quota.
        let never =
            message.contains("token rate limit") && self.wait.is_some_and(|wait| wait.as_secs() > 3_600);
        alone || never || message.contains("request too large")
    }

    fn is_money(&self, status: u16) -> bool {
        const CODES: [&str; 9] = [
            "billing_error",
            "insufficient_quota",
            "enforced_spend_limit_reached",
            "credit_balance_exhausted",
            "organization_spend_limit_exceeded",
            "project_spend_limit_exceeded",
            "organization_usage_limit_exceeded",
            "billing_hard_limit_reached",
            "budget_exceeded",
        ];
        // Anthropic and OpenRouter answer 400 and 403 with nothing but a sentence.
        const SENTENCES: [&str; 6] = [
            "credit balance",
            "spend limit",
            "spending limit",
            "api usage limits",
            "key limit exceeded",
            "used all available credits",
        ];
        status == 402 || self.is(&CODES) || (matches!(status, 0 | 400 | 403 | 429) && self.says(&SENTENCES))
    }

    /// The error to hand on, when it came after a stream had begun, or as a reply with status 200.
    pub(super) fn in_stream(&self, provider: Provider) -> CallError {
        self.error(provider, 200, &HeaderMap::new())
    }

    /// The error to hand on.
    pub(super) fn error(&self, provider: Provider, status: u16, headers: &HeaderMap) -> CallError {
        let class = self.class(provider, status);
        let name = if self.code.is_empty() { &self.kind } else { &self.code };
        let mut text = match status {
            200 => format!("{} broke off its answer", provider.as_str()),
            _ => format!("{} answered {status}", provider.as_str()),
        };
        if !name.is_empty() {
            text = format!("{text} ({name})");
        }
        if !self.message.is_empty() {
            text = format!("{text}: {}", self.message);
        }
        let mut error = CallError::new(class, text);
        error.retry_after = wait::asked(headers).or(self.wait);
        error.failed_generation = self.failed_generation.clone().map(|said| Box::new(FailedGeneration(said)));
        error.hopeless = headers.get("x-should-retry").is_some_and(|value| value == "false");
        error.request_id.clone_from(&self.request_id);
        error
    }
}

/// What a list begins with, in which Gemini puts its errors; anything else as it is.
pub(super) fn first_of(value: &Value) -> &Value {
    value.as_array().and_then(|all| all.first()).unwrap_or(value)
}

/// One fault of a request, as pydantic lists them: `[{"loc": ["body", "stream"], "msg": "…"}]`.
struct Fault {
    /// What it is about: the last part of its place that is a word.
    field: String,
    what: String,
}

/// The faults of a request where a server lists them: as `detail`, as the message, in it, or in it as text.
fn faults(value: &Value) -> Vec<Fault> {
    let error = value.get("error").filter(|error| error.is_object()).unwrap_or(value);
    let inner = error["message"].as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let inner = inner.unwrap_or_default();
    let places = [
        &value["detail"],
        &error["detail"],
        &error["message"],
        &error["message"]["detail"],
        &inner["detail"],
        &inner,
    ];
    let Some(listed) = places.into_iter().find_map(Value::as_array) else { return Vec::new() };
    let fault = |fault: &Value| {
        let place = fault["loc"].as_array()?;
        let mut words = place.iter().filter_map(Value::as_str).filter(|word| *word != "body");
        let field = words.next_back().unwrap_or_default().to_owned();
        Some(Fault { field, what: fault["msg"].as_str().unwrap_or_default().to_owned() })
    };
    listed.iter().filter_map(fault).collect()
}

#[cfg(test)]
mod tests {
    mod words;

    use serde_json::json;

    use super::*;

    /// What most wrong requests are called, whatever is wrong with them.
    const INVALID: &str = "invalid_request_error";

    #[test]
    fn the_code_decides_and_not_the_status() {
        use Provider::{Anthropic, Local, Openai, Openrouter};
        // Type, code and sentence of the error; empty where it has none.
        let rows: &[(Provider, u16, [&str; 3], Class)] = &[
            (Anthropic, 429, ["rate_limit_error", "", "slow"], Class::RateLimited),
            (Anthropic, 400, [INVALID, "", "Your credit balance is too low."], Class::MoneyGone),
            (
                Anthropic,
                400,
                [INVALID, "", "This would exceed your workspace spend limit."],
                Class::MoneyGone,
            ),
            (Anthropic, 402, ["billing_error", "", ""], Class::MoneyGone),
            (Anthropic, 529, ["overloaded_error", "", ""], Class::Overloaded),
            (Anthropic, 200, ["overloaded_error", "", ""], Class::Overloaded),
            (Anthropic, 500, ["api_error", "", ""], Class::Server),
            (Anthropic, 504, ["timeout_error", "", ""], Class::Timeout),
            (Anthropic, 400, [INVALID, "", "prompt is too long: 210000 tokens"], Class::TooLarge),
            (Anthropic, 400, [INVALID, "", "input and `max_tokens` exceed context limit"], Class::TooLarge),
            (Anthropic, 400, [INVALID, "", "messages: wrong"], Class::BadRequest),
            (Anthropic, 404, ["not_found_error", "", "model: x"], Class::NotFound),
            (Anthropic, 413, ["request_too_large", "", ""], Class::TooLarge),
            (Openai, 429, ["requests", "rate_limit_exceeded", ""], Class::RateLimited),
            (Openai, 429, ["insufficient_quota", "credit_balance_exhausted", ""], Class::MoneyGone),
            (Openai, 429, ["insufficient_quota", "insufficient_quota", ""], Class::MoneyGone),
            (Openai, 503, ["", "server_is_overloaded", ""], Class::Overloaded),
            (Openai, 401, [INVALID, "invalid_api_key", ""], Class::Auth),
            (Openai, 403, ["", "unsupported_country_region_territory", ""], Class::Forbidden),
            (Openai, 400, [INVALID, "context_length_exceeded", ""], Class::TooLarge),
            (Openai, 409, ["", "", ""], Class::Server),
            (Openai, 422, ["", "", ""], Class::BadRequest),
            (Openai, 302, ["", "", ""], Class::BadRequest),
            (Openrouter, 402, ["", "402", "Insufficient credits"], Class::MoneyGone),
            (Openrouter, 200, ["", "502", "Provider returned error"], Class::Overloaded),
            (Openrouter, 200, ["", "429", "upstream"], Class::RateLimited),
            (Openrouter, 200, ["", "server_error", "Provider disconnected"], Class::Server),
            (Openrouter, 403, ["", "403", "Key limit exceeded (total limit)"], Class::MoneyGone),
            (Openrouter, 400, ["", "400", "nope/x is not a valid model ID"], Class::NotFound),
            (Local, 404, ["api_error", "", "model \"x\" not found, try pulling it first"], Class::NotFound),
            (Local, 400, ["exceed_context_size_error", "400", "the request is too large"], Class::TooLarge),
            (Local, 503, ["unavailable_error", "503", "Loading model"], Class::Overloaded),
        ];
        let body = |[kind, code, message]: [&str; 3]| {
            // The copy of a status is a number.
            let code = code.parse::<u16>().map_or_else(|_| json!(code), |status| json!(status));
            json!({"error": {"type": kind, "code": code, "message": message}}).to_string()
        };
        let rows =
            rows.iter().map(|(provider, status, said, class)| (*provider, *status, body(*said), *class));
        // Those that say it elsewhere, or are no error of the provider's own.
        let spent = r#"{"error":{"type":"rate_limit_error","details":{"error_code":"enforced_spend_limit_reached"}}}"#;
        let others = [
            (Anthropic, 429, spent, Class::MoneyGone),
            (Openai, 502, "<html>bad gateway</html>", Class::Server),
            (Openai, 302, "", Class::BadRequest),
            (Local, 500, r#"{"error":"model requires more system memory"}"#, Class::Server),
        ];
        let others = others.map(|(provider, status, body, class)| (provider, status, body.to_owned(), class));
        for (provider, status, body, wanted) in rows.chain(others) {
            let complaint = Complaint::of_body(&body);
            assert_eq!(complaint.class(provider, status), wanted, "{provider:?} {status} {body}");
            assert!(!complaint.is_refusal());
        }
    }

    #[test]
    fn moderation_is_a_refusal() {
        let body = r#"{"error":{"code":403,"message":"flagged","metadata":{"reasons":["violence"],"flagged_input":"x"}}}"#;
        assert!(Complaint::of_body(body).is_refusal());
        assert!(Complaint::of_body(r#"{"error":{"code":"content_filter"}}"#).is_refusal());
    }
}
