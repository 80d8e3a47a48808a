//! Why Discord did not do what it was asked, in the classes that decide what to do about it.

use std::time::Duration;

use thiserror::Error;

/// What is said of an answer of something that stands before Discord.
pub(super) const NOT_ITS_OWN: &str = "an answer that is not Discord's own";

/// What an error means for the caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A 5xx, a time-out, a broken connection, an answer that cannot be read, a page of whatever stands before Discord: it
    /// may or may not have been done.
    Transient,
    /// Not done; Discord wants to be asked later ([`SendError::retry_after`]).
    RateLimited,
    /// The channel, thread, message or server is not there any more.
    Gone,
    /// A locked thread: only moderators can write in it.
    Locked,
    /// An archived thread: it has to be unarchived before its messages are edited.
    Archived,
    /// The bot lacks a permission, named if the request tells which.
    MissingPermission(Option<&'static str>),
    /// The bot's token is not, or no longer, accepted.
    Unauthorized,
    /// Discord takes no edits of this message for now, for it is older than an hour and was edited often (30046). It
    /// names no time after which it would, and asking again for the same is what it counts against the bot.
    TooOldToEdit,
    /// Discord refuses the request as such; sending it again would change nothing.
    Invalid,
    /// The interaction is not known (any more): answered too late, or over 15 minutes old.
    InteractionExpired,
    /// The interaction has its first answer already.
    AlreadyAcknowledged,
    /// A file or the whole request is larger than this server takes.
    TooLarge,
}

/// A request that failed. Says nothing secret and nothing of the request's content.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{message}{}", code.map(|code| format!(" (Discord error {code})")).unwrap_or_default())]
pub struct SendError {
    /// What it means.
    pub kind: Kind,
    /// Discord's own number for it (documentation, topics/opcodes-and-status-codes).
    pub code: Option<u32>,
    /// What Discord or the connection said, for the log.
    pub message: String,
    /// How long to wait, if that is known.
    pub retry_after: Option<Duration>,
}

impl SendError {
    pub(super) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, code: None, message: message.into(), retry_after: None }
    }

    pub(super) fn later(wait: Duration, message: impl Into<String>) -> Self {
        Self { retry_after: Some(wait), ..Self::new(Kind::RateLimited, message) }
    }

    /// It may have been done: look before doing it again, or do it again under the same nonce.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        self.kind == Kind::Transient
    }

    /// It was not done, and doing the same again will not help.
    #[must_use]
    pub fn is_final(&self) -> bool {
        !matches!(self.kind, Kind::Transient | Kind::RateLimited)
    }

    /// Reads an answer with an error status. `permission` is what the request needs above all.
    pub(super) fn read(status: u16, body: &[u8], permission: Option<&'static str>) -> Self {
        let body: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
        // Discord's own errors have both (documentation, reference: error messages), even where there is no code to tell.
        let own = body["message"].is_string() && body["code"].is_number();
        let code = body["code"].as_u64().and_then(|code| u32::try_from(code).ok()).filter(|&code| code != 0);
        let said = body["message"].as_str().unwrap_or(NOT_ITS_OWN);
        let mut message = format!("HTTP {status}: {}", clip(said, 300));
        let mut places = Vec::new();
        explain(&body["errors"], "", &mut places);
        if !places.is_empty() {
            message = format!("{message}: {}", clip(&places.join("; "), 700));
        }
        Self { kind: kind(status, code, own, permission), code, message, retry_after: None }
    }
}

/// Codes first: one status serves several of them.
fn kind(status: u16, code: Option<u32>, own: bool, permission: Option<&'static str>) -> Kind {
    match (code, status) {
        (Some(10_062 | 10_015 | 50_027), _) => Kind::InteractionExpired,
        (Some(40_060), _) => Kind::AlreadyAcknowledged,
        (Some(50_083), _) => Kind::Archived,
        (Some(160_005), _) => Kind::Locked,
        // A 429 that no waiting ends: a limit within the limit, which no header tells of.
        (Some(30_046), _) => Kind::TooOldToEdit,
        (Some(40_005), _) | (_, 413) => Kind::TooLarge,
        (Some(50_001), _) => Kind::MissingPermission(Some("View Channel")),
        (Some(50_013), _) => Kind::MissingPermission(permission),
        // Blocked by the server's own filters: a 403, but no permission would help.
        (Some(200_000 | 200_001 | 240_000), _) => Kind::Invalid,
        (_, 429) => Kind::RateLimited,
        // A proxy's or Cloudflare's page says nothing about the channel, the message or the token.
        (_, 400..=499) if !own => Kind::Transient,
        (_, 401) => Kind::Unauthorized,
        (_, 403) => Kind::MissingPermission(None),
        (_, 404) => Kind::Gone,
        (_, 408 | 500..) => Kind::Transient,
        _ => Kind::Invalid,
    }
}

/// Flattens `{"embeds":{"0":{"title":{"_errors":[{"message":…}]}}}}` to `embeds.0.title: …`.
fn explain(errors: &serde_json::Value, path: &str, places: &mut Vec<String>) {
    let Some(errors) = errors.as_object() else { return };
    for (name, below) in errors {
        if name == "_errors" {
            for error in below.as_array().into_iter().flatten() {
                let said = error["message"].as_str().unwrap_or("wrong");
                places.push(format!("{path}: {said}"));
            }
        } else if places.len() < 10 {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            explain(below, &path, places);
        }
    }
}

fn clip(text: &str, most: usize) -> String {
    text.chars().filter(|c| !c.is_control()).take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_decide_before_statuses() {
        for (status, code, expected) in [
            (404, 10_062, Kind::InteractionExpired),
            (404, 10_015, Kind::InteractionExpired),
            (401, 50_027, Kind::InteractionExpired),
            (404, 10_003, Kind::Gone),
            (404, 10_008, Kind::Gone),
            (400, 40_060, Kind::AlreadyAcknowledged),
            (400, 50_083, Kind::Archived),
            (403, 160_005, Kind::Locked),
            (403, 50_013, Kind::MissingPermission(Some("Attach Files"))),
            (403, 50_001, Kind::MissingPermission(Some("View Channel"))),
            (403, 0, Kind::MissingPermission(None)),
            (403, 200_000, Kind::Invalid),
            (401, 0, Kind::Unauthorized),
            (413, 40_005, Kind::TooLarge),
            (413, 0, Kind::TooLarge),
            (400, 50_035, Kind::Invalid),
            (429, 0, Kind::RateLimited),
            (429, 30_046, Kind::TooOldToEdit),
            (503, 0, Kind::Transient),
        ] {
            let body = serde_json::json!({"code": code, "message": "m"}).to_string();
            let error = SendError::read(status, body.as_bytes(), Some("Attach Files"));
            assert_eq!(error.kind, expected, "{status} {code}");
            assert_eq!(error.code, (code != 0).then_some(code));
        }
        for status in [400, 401, 403, 404, 405, 502] {
            for page in [&b"<html>bad gateway"[..], b"", b"{}", b"[]", b"null", br#"{"message":"no"}"#] {
                assert_eq!(SendError::read(status, page, None).kind, Kind::Transient, "{status}");
            }
        }
    }

    #[test]
    fn nested_form_errors_are_named_by_their_place() {
        let body =
            br#"{"code":50035,"message":"Invalid Form Body","errors":{"embeds":{"0":{"title":{"_errors":
            [{"code":"BASE_TYPE_MAX_LENGTH","message":"Must be 256 or fewer in length."}]}}}}}"#;
        let error = SendError::read(400, body, None);
        assert_eq!(
            error.to_string(),
            "HTTP 400: Invalid Form Body: embeds.0.title: Must be 256 or fewer in length. (Discord error 50035)"
        );
        assert!(error.is_final() && !error.is_transient());
    }
}
