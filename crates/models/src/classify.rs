//! From what a provider complained to the class of the failure. The error's own code decides, the status only
//! where there is none: vendors answer 429 both for "slower" and for "your credit is used up", send errors
//! inside a stream that began with 200, and answer 400 for spending limits.

use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::Value;

use super::{CallError, Class};
use domain::Provider;

/// What a provider said went wrong, in one shape for all dialects. Empty where it did not say.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Complaint {
    /// `error.type`.
    pub(super) kind: String,
    /// `error.code`, or Anthropic's `error.details.error_code`.
    pub(super) code: String,
    /// `error.param`.
    pub(super) param: String,
    /// `error.message`.
    pub(super) message: String,
    /// `error.code` where it is a number: `OpenRouter`'s and llama.cpp's copy of the status.
    pub(super) status: Option<u16>,
    /// The input was flagged by moderation (`OpenRouter`'s `error.metadata`).
    pub(super) moderated: bool,
    /// What the provider behind `OpenRouter` said (`error.metadata.raw`).
    pub(super) upstream: String,
    /// `request_id` in the body.
    pub(super) request_id: Option<String>,
}

/// What providers without a code of their own for it say of a request that the model cannot take in.
const TOO_LONG: [&str; 5] = ["too long", "context length", "context size", "context window", "context limit"];

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

    /// Reads an error object, either bare or below `error`.
    pub(super) fn of(value: &Value) -> Self {
        let error = value.get("error").unwrap_or(value);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let code = match &error["details"]["error_code"] {
            Value::Null => text(&error["code"]),
            known => text(known),
        };
        let message = [error, &error["message"], &value["message"], &value["detail"]].map(text);
        let metadata = &error["metadata"];
        Self {
            kind: text(&error["type"]),
            code,
            param: text(&error["param"]),
            message: message.into_iter().find(|m| !m.is_empty()).unwrap_or_default(),
            status: error["code"].as_u64().and_then(|code| u16::try_from(code).ok()),
            moderated: !metadata["reasons"].is_null() || !metadata["flagged_input"].is_null(),
            upstream: text(&metadata["raw"]),
            request_id: value["request_id"].as_str().map(str::to_owned),
        }
    }

    /// Whether the provider declined to answer this prompt, which is an outcome and not a failure.
    pub(super) fn is_refusal(&self) -> bool {
        self.moderated
            || matches!(self.code.as_str(), "content_filter" | "content_policy_violation" | "invalid_prompt")
    }

    fn says(&self, parts: &[&str]) -> bool {
        let message = self.message.to_lowercase();
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
        let known: [(Class, &[&str]); 6] = [
            (Class::TooLarge, &["request_too_large", "context_length_exceeded", "exceed_context_size_error"]),
            (Class::Overloaded, &["overloaded_error", "server_is_overloaded", "overloaded"]),
            (Class::RateLimited, &["rate_limit_error", "rate_limit_exceeded", "slow_down"]),
            (Class::Timeout, &["timeout_error"]),
            (Class::Auth, &["authentication_error", "permission_error", "invalid_api_key"]),
            (Class::NotFound, &["not_found_error", "model_not_found"]),
        ];
        if let Some((class, _)) = known.iter().find(|(_, names)| self.is(names)) {
            return *class;
        }
        match status {
            400 | 422 if self.says(&TOO_LONG) => Class::TooLarge,
            400 if self.says(&["not a valid model"]) => Class::NotFound,
            401 | 403 => Class::Auth,
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

    fn is_money(&self, status: u16) -> bool {
        const CODES: [&str; 8] = [
            "billing_error",
            "insufficient_quota",
            "enforced_spend_limit_reached",
            "credit_balance_exhausted",
            "organization_spend_limit_exceeded",
            "project_spend_limit_exceeded",
            "organization_usage_limit_exceeded",
            "billing_hard_limit_reached",
        ];
        // Anthropic and OpenRouter answer 400 and 403 with nothing but a sentence.
        const SENTENCES: [&str; 5] =
            ["credit balance", "spend limit", "spending limit", "api usage limits", "key limit exceeded"];
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
        error.retry_after = retry_after(headers);
        error.hopeless = headers.get("x-should-retry").is_some_and(|value| value == "false");
        error.request_id.clone_from(&self.request_id);
        error
    }
}

/// How long to wait by `retry-after-ms` (milliseconds) or `retry-after` (seconds or a date, RFC 9110).
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let seconds = |text: &str, unit: f64| {
        text.parse::<f64>().ok().and_then(|number| Duration::try_from_secs_f64(number * unit).ok())
    };
    if let Some(wait) = text("retry-after-ms").and_then(|text| seconds(text, 0.001)) {
        return Some(wait);
    }
    let text = text("retry-after")?;
    seconds(text, 1.0).or_else(|| {
        let date = chrono::DateTime::parse_from_rfc2822(text).ok()?;
        Some(date.signed_duration_since(chrono::Utc::now()).to_std().unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
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
            (Openai, 403, ["", "unsupported_country_region_territory", ""], Class::Auth),
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

    #[test]
    fn retry_after_in_all_its_forms() {
        let wait = |name: &'static str, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            retry_after(&headers).map(|wait| wait.as_millis())
        };
        assert_eq!(wait("retry-after", "7"), Some(7000));
        assert_eq!(wait("retry-after", "0.5"), Some(500));
        assert_eq!(wait("retry-after-ms", "250"), Some(250));
        assert_eq!(wait("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"), Some(0));
        for junk in ["", "-3", "NaN", "inf", "soon", "1e400"] {
            assert_eq!(wait("retry-after", junk), None, "{junk}");
        }
    }
}
