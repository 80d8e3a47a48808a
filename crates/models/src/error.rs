//! What can go wrong with an attempt, by what may be done about it.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantNames};
use thiserror::Error;

use super::retry;
use domain::{ModelName, Usage};

/// Longest message of an error, in characters.
const MESSAGE: usize = 300;

/// What kind of failure it was. The class, not the HTTP status, decides what happens next: a 429 may mean
/// "slower" or "your money is gone".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, IntoStaticStr, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Class {
    /// Asked too fast; wait.
    RateLimited,
    /// The provider has too much to do.
    Overloaded,
    /// The provider failed.
    Server,
    /// No sign of progress within the time allowed, or not done in time.
    Timeout,
    /// The connection or the stream was cut, or what came is not a reply.
    Broken,
    /// Credit or a spending limit is used up; only the operator can help.
    MoneyGone,
    /// The key is missing, wrong or not allowed; only the operator can help.
    Auth,
    /// There is no such model (or no such address).
    NotFound,
    /// This model may not be used from here or with this key, others may.
    Forbidden,
    /// What the model wrote was no JSON of the shape asked for, and its provider kept it back.
    Malformed,
    /// The request is wrong; sent again it would be wrong again.
    BadRequest,
    /// The prompt does not fit the model.
    TooLarge,
    /// The server cannot be reached, or it failed so often that it is left alone for a while.
    Unavailable,
    /// The caller cancelled.
    Cancelled,
}

impl Class {
    /// Whether the same request may succeed later.
    #[must_use]
    pub fn is_transient(self) -> bool {
        matches!(
            self,
            Self::RateLimited
                | Self::Overloaded
                | Self::Server
                | Self::Timeout
                | Self::Broken
                | Self::Malformed
                | Self::Unavailable
        )
    }

    /// Whether every further call would fail too until the operator does something.
    #[must_use]
    pub fn pauses_session(self) -> bool {
        matches!(self, Self::MoneyGone | Self::Auth)
    }
}

/// What a model wrote that its provider kept back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedGeneration(pub String);

/// An attempt that gave no reply.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message}")]
pub struct CallError {
    /// What kind of failure.
    pub class: Class,
    /// What happened, in at most 300 characters and without any key; fit for logs and people.
    pub message: Box<str>,
    /// How long the provider wants to be left alone, or how long the breaker stays open.
    pub retry_after: Option<Duration>,
    /// The provider said in so many words that trying again is useless (`x-should-retry: false`).
    pub hopeless: bool,
    /// What the attempt had used, as far as known: a broken stream is paid for. Its output tokens are at least
    /// a quarter of the characters received where the provider had not counted yet.
    pub usage: Option<Usage>,
    /// What the model wrote where the provider took it for no JSON of the shape asked for.
    pub failed_generation: Option<Box<FailedGeneration>>,
    /// The provider's id for the request, for its support.
    pub request_id: Option<String>,
    /// Whether the request may have reached the provider. One that our own breaker refused, or that found no
    /// connection, never left: it is no call and costs nothing.
    pub sent: bool,
    /// Characters of the answer that had come before it broke off.
    pub received: u64,
}

impl CallError {
    /// An error with no more than a class and a message, which is cut and loses what looks like a key.
    pub(super) fn new(class: Class, message: impl AsRef<str>) -> Self {
        Self {
            class,
            message: safe(message.as_ref()).into(),
            retry_after: None,
            hopeless: false,
            usage: None,
            failed_generation: None,
            request_id: None,
            sent: false,
            received: 0,
        }
    }

    /// A reply that says nothing: it is asked for again.
    #[must_use]
    pub fn empty(model: &ModelName) -> Self {
        Self { sent: true, ..Self::new(Class::Broken, format!("{model}: the reply is empty")) }
    }

    /// A call that was given up before it was made: it costs nothing.
    #[must_use]
    pub fn unsent(why: &str) -> Self {
        Self::new(Class::Cancelled, why)
    }

    /// How long to wait before attempt `attempt + 1` at the same model; `None`: do not ask this model again.
    /// `attempt` counts from 1, `chance` lies in 0 to 1. With a fallback at hand, class
    /// [`Class::Unavailable`] is better answered by asking the fallback at once.
    #[must_use]
    pub fn pause(&self, attempt: u32, chance: f64) -> Option<Duration> {
        if self.hopeless { None } else { retry::pause(self.class, attempt, self.retry_after, chance) }
    }
}

/// One line of at most 300 characters, without control characters and without words that look like keys.
fn safe(text: &str) -> String {
    let words = text.split_whitespace().map(|word| {
        let bare = word.trim_start_matches(|c: char| !c.is_alphanumeric());
        if bare.starts_with("sk-") { "[secret]" } else { word }
    });
    let line = words.collect::<Vec<_>>().join(" ");
    let mut line: String = line.chars().filter(|c| !c.is_control()).collect();
    if let Some((cut, _)) = line.char_indices().nth(MESSAGE) {
        line.truncate(line.floor_char_boundary(cut - 4));
        line.push('…');
    }
    line
}

/// An error of a clock that ran out.
pub(super) fn late(model: &ModelName, what: &str, limit: Duration) -> CallError {
    CallError::new(Class::Timeout, format!("{model} {what} within {} s", limit.as_secs_f64()))
}

/// An error of the connection. Its address stays out: a base URL may hold a password.
pub(super) fn transport(model: impl std::fmt::Display, error: reqwest::Error) -> CallError {
    let class = if error.is_connect() { Class::Unavailable } else { Class::Broken };
    let what = if error.is_connect() { "cannot be reached" } else { "the connection was cut" };
    CallError::new(class, format!("{model}: {what} ({})", deepest(error)))
}

/// What an error of the connection comes from in the end, without its address.
pub(super) fn deepest(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut deepest: &dyn std::error::Error = &error;
    while let Some(deeper) = deepest.source() {
        deepest = deeper;
    }
    deepest.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_short_and_hold_no_key() {
        let error =
            CallError::new(Class::Auth, format!("Incorrect key: 'sk-proj-abc123'.\n{}", "é".repeat(900)));
        assert!(error.message.chars().count() <= 300, "{}", error.message);
        assert!(!error.message.contains("abc123"));
    }

    #[test]
    fn classes_have_names_for_the_journal() {
        assert_eq!(serde_json::to_string(&Class::MoneyGone).unwrap(), "\"money_gone\"");
        assert!(Class::MoneyGone.pauses_session() && !Class::MoneyGone.is_transient());
        assert!(Class::Unavailable.is_transient() && !Class::Cancelled.is_transient());
    }
}
