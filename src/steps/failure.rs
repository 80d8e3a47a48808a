//! No answer from a model, as a value: its siblings go on, and the card says so.

use serde::{Deserialize, Serialize};

/// What kind of failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureClass {
    /// The model, or its provider's filter, declined.
    Refused,
    /// Its reply was cut off twice.
    Truncated,
    /// It thought until there was no room left to answer, twice.
    Silent,
    /// Its reply had not the form asked for, twice.
    Malformed,
    /// It could not be reached, or kept failing.
    Unavailable,
    /// The provider took the request for wrong.
    Rejected,
    /// The provider does not let the model be used from here.
    Barred,
    /// The request is longer than the model can take in.
    TooLarge,
}

/// A step that failed for good. Stored like a result.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// What kind.
    pub class: FailureClass,
    /// For the log and for *Raw output*.
    pub detail: String,
}

impl Failure {
    /// Whether a shorter request may do. Not every provider says that it was the length.
    #[must_use]
    pub fn may_be_its_length(&self) -> bool {
        matches!(self.class, FailureClass::TooLarge | FailureClass::Rejected)
    }

    /// What the server said, without the class before it.
    pub(super) fn why(&self) -> &str {
        self.detail.split_once(": ").map_or(self.detail.as_str(), |(_, why)| why)
    }

    /// A sentence for people.
    #[must_use]
    pub fn sentence(&self) -> &'static str {
        match self.class {
            FailureClass::Refused => "the model declined to answer",
            FailureClass::Silent => "the model spent all its room on thinking and said nothing, twice",
            FailureClass::Truncated => "the model's answer was cut off twice",
            FailureClass::Malformed => "the model's answer did not have the form asked for",
            FailureClass::Unavailable => "the model could not be reached",
            FailureClass::Rejected => "the provider did not accept the request",
            FailureClass::Barred => "the provider does not let this model be used here",
            FailureClass::TooLarge => "the request is longer than the model can take in",
        }
    }
}
