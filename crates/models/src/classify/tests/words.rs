//! Each word and each place by which a class is known, alone in its body.

use super::*;

fn class(status: u16, body: &str) -> Class {
    Complaint::of_body(body).class(Provider::Local, status)
}

fn said(message: &str) -> String {
    json!({"error": {"message": message}}).to_string()
}

/// Sentences, the status that they come with, and the class that they have alike.
type Row<'a> = (Class, u16, &'a [&'a str]);

#[test]
fn each_sentence_has_its_class() {
    let rows: &[Row<'_>] = &[
        (
            Class::TooLarge,
            400,
            &[
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
            ],
        ),
        (Class::TooLarge, 500, &["the context window is full"]),
        (Class::TooLarge, 422, &["the context window is full"]),
        (Class::TooLarge, 200, &["the context window is full"]),
        (
            Class::Auth,
            400,
            &[
                "api key not valid",
                "incorrect api key",
                "invalid api key",
                "no auth credentials",
                "api_key_invalid",
            ],
        ),
        (
            Class::Auth,
            403,
            &[
                "api key",
                "api_key",
                "your key",
                "this key",
                "credential",
                "authenticat",
                "unauthorized",
                "account",
            ],
        ),
        (
            Class::Forbidden,
            400,
            &["location is not supported", "blocked at the", "not available in your region", "limit: 0"],
        ),
        (Class::NotFound, 400, &["x is not a valid model ID", "Invalid model name", "Model Not Exist"]),
        (Class::RateLimited, 429, &["x, limit: 0", "not available in your region", "limit 9, requested 9"]),
        (Class::Forbidden, 429, &["x, limit: 0, model: y"]),
        (
            Class::TooLarge,
            429,
            &["Limit 9, Requested 10", "Limit 9, Used 3, Requested 10", "Request too large for m"],
        ),
        (
            Class::RateLimited,
            429,
            &["Limit 9, Used 3, Requested 8", "token rate limit; retry after 3600 seconds"],
        ),
        (Class::TooLarge, 429, &["token rate limit; retry after 3601 seconds"]),
        (Class::Forbidden, 401, &["You have no access to this model", "That model is not available for you"]),
        (Class::Forbidden, 403, &["Your account may not: it is not allowed to access the model"]),
        (Class::Forbidden, 403, &["This key does not have access to the model"]),
        (Class::Auth, 403, &["Your account does not have access to this place"]),
        (Class::MoneyGone, 429, &["Your credit balance is too low"]),
        (Class::MoneyGone, 200, &["Your spend limit is reached"]),
        (
            Class::MoneyGone,
            400,
            &[
                "spending limit",
                "API usage limits",
                "Key limit exceeded",
                "You have used all available credits",
            ],
        ),
        (Class::Server, 500, &["the credit balance could not be read", "unknown"]),
    ];
    for (wanted, status, sentences) in rows {
        for sentence in *sentences {
            assert_eq!(class(*status, &said(sentence)), *wanted, "{status} {sentence}");
        }
    }
    for (sentence, what) in [("Loading model", true), ("The model is loading", true), ("Overloaded", false)] {
        let complaint = Complaint::of_body(&said(sentence));
        assert_eq!((complaint.is_loading(503), complaint.is_loading(500)), (what, false), "{sentence}");
    }
}

#[test]
fn each_code_has_its_class() {
    let rows: &[Row<'_>] = &[
        (
            Class::TooLarge,
            400,
            &["request_too_large", "context_length_exceeded", "exceed_context_size_error"],
        ),
        (Class::Overloaded, 400, &["overloaded_error", "server_is_overloaded", "overloaded"]),
        (Class::RateLimited, 400, &["rate_limit_error", "rate_limit_exceeded", "slow_down"]),
        (Class::Timeout, 400, &["timeout_error"]),
        (Class::Auth, 400, &["authentication_error", "invalid_api_key"]),
        (
            Class::NotFound,
            400,
            &[
                "not_found_error",
                "model_not_found",
                "model_not_available",
                "model_decommissioned",
                "invalid_model",
            ],
        ),
        (
            Class::MoneyGone,
            429,
            &[
                "billing_error",
                "insufficient_quota",
                "enforced_spend_limit_reached",
                "credit_balance_exhausted",
                "organization_spend_limit_exceeded",
                "project_spend_limit_exceeded",
                "organization_usage_limit_exceeded",
                "billing_hard_limit_reached",
                "budget_exceeded",
            ],
        ),
        (Class::Malformed, 400, &["json_validate_failed", "tool_use_failed"]),
        (Class::Forbidden, 401, &["key_model_access_denied", "team_model_access_denied"]),
    ];
    for (wanted, status, names) in rows {
        for name in *names {
            for place in ["code", "type"] {
                let body = json!({"error": {(place): name}}).to_string();
                assert_eq!(class(*status, &body), *wanted, "{status} {body}");
            }
        }
    }
}

#[test]
fn a_status_alone_has_its_class() {
    for (wanted, statuses) in [
        (Class::MoneyGone, &[402][..]),
        (Class::Auth, &[401]),
        (Class::Forbidden, &[403]),
        (Class::NotFound, &[404]),
        (Class::Timeout, &[408, 504, 524]),
        (Class::TooLarge, &[413]),
        (Class::RateLimited, &[425, 429]),
        (Class::Overloaded, &[503, 529]),
        (Class::Server, &[200, 409, 500, 502, 599]),
        (Class::BadRequest, &[400, 405, 422]),
    ] {
        for status in statuses {
            assert_eq!(class(*status, "{}"), wanted, "{status}");
        }
    }
    let ours = r#"{"error":{"type":"invalid_request_error","message":"wrong"}}"#;
    assert_eq!(class(500, ours), Class::BadRequest, "a status of 500 that is a fault of the request");
}

#[test]
fn a_complaint_is_found_wherever_it_stands() {
    let inner = json!({"error": {"code": 400, "type": "t", "message": "so"}}).to_string();
    for body in [
        json!({"error": "so"}),
        json!({"error": {"message": "so"}}),
        json!([{"error": {"message": "so"}}]),
        json!({"error": {"message": inner}}),
        json!({"object": "error", "message": "so"}),
        json!({"detail": "so"}),
        json!({"error_message": "so"}),
        json!({"error": null, "message": "so"}),
        json!({"error": {"type": "t"}, "message": "so"}),
    ] {
        assert_eq!(Complaint::of(&body).message, "so", "{body}");
    }
    for body in [
        json!({"error": {"type": "k"}}),
        json!({"error": {"status": "k"}}),
        json!({"error_type": "k"}),
        json!({"error": "so", "type": "k"}),
        json!({"error": {"type": "None", "status": "k"}}),
    ] {
        assert_eq!(Complaint::of(&body).kind, "k", "{body}");
    }
    for body in [
        json!({"error": {"code": "c"}}),
        json!({"error": {"details": {"error_code": "c"}, "code": "other"}}),
        json!({"error": "so", "code": "c"}),
        json!({"error": {"code": "None"}, "code": "c"}),
    ] {
        assert_eq!(Complaint::of(&body).code, "c", "{body}");
    }
    for body in [
        json!({"error": {"code": 429}}),
        json!({"error": {"code": "429"}}),
        json!({"error": {"status_code": 429}}),
        json!({"code": 429, "error": "so"}),
    ] {
        assert_eq!(Complaint::of(&body).status, Some(429), "{body}");
    }
    let page = Complaint::of_body(" <!doctype html><title>Sign in</title>");
    assert!(page.message.contains("base URL"), "{page:?}");
}

#[test]
fn faults_are_found_wherever_they_are_listed() {
    let listed = json!([{"loc": ["body", "stream_options", 0, "include_usage"], "msg": "no"}]);
    for body in [
        json!({"detail": listed}),
        json!({"error": {"detail": listed}}),
        json!({"error": {"type": "t"}, "detail": listed}),
        json!({"error": {"message": listed}}),
        json!({"message": {"detail": listed}}),
        json!({"error": {"message": json!({"detail": listed}).to_string()}}),
        json!({"error": {"message": listed.to_string()}}),
    ] {
        let complaint = Complaint::of(&body);
        assert_eq!(
            (complaint.param.as_str(), complaint.message.as_str()),
            ("include_usage", "include_usage: no")
        );
    }
    let whole = json!({"detail": [{"loc": ["body"], "msg": "no"}]});
    assert_eq!(Complaint::of(&whole).param, "", "the body is no parameter");
}

#[test]
fn each_word_for_a_prompt_that_is_declined() {
    for code in ["content_filter", "content_policy_violation", "invalid_prompt"] {
        assert!(Complaint::of(&json!({"error": {"code": code}})).is_refusal(), "{code}");
    }
    for sentence in ["It violates usage guidelines.", "Rejected as a result of our safety system"] {
        assert!(Complaint::of_body(&said(sentence)).is_refusal(), "{sentence}");
    }
    for metadata in [json!({"reasons": ["violence"]}), json!({"flagged_input": "x"})] {
        assert!(Complaint::of(&json!({"error": {"metadata": metadata}})).is_refusal(), "{metadata}");
    }
    // What stands behind a proxy says it, too.
    let raw = json!({"error": {"message": "Provider returned error", "metadata": {"raw": "too long"}}});
    assert_eq!(class(400, &raw.to_string()), Class::TooLarge);
}

#[test]
fn an_error_hands_on_what_the_server_wants_and_what_the_model_wrote() {
    let body = r#"{"error":{"message":"try again in 9s","failed_generation":"{"}}"#;
    let complaint = Complaint::of_body(body);
    let mut headers = HeaderMap::new();
    let error = complaint.error(Provider::Openai, 400, &headers);
    assert_eq!((error.class, error.retry_after), (Class::Malformed, Some(Duration::from_secs(9))));
    assert_eq!(error.failed_generation, Some(Box::new(FailedGeneration("{".to_owned()))));
    assert!(!error.hopeless);
    headers.insert("retry-after", "7".parse().unwrap());
    headers.insert("x-should-retry", "false".parse().unwrap());
    let error = complaint.error(Provider::Openai, 400, &headers);
    assert_eq!(error.retry_after, Some(Duration::from_secs(7)), "the header before the sentence");
    assert!(error.hopeless);
}
