//! Two audiences, two errors. What a person did and can mend is a [`UserError`]: a sentence for that person,
//! private, with what to do next. Everything else is an `anyhow::Error`: logged once, with an id, at the
//! boundary where it is handled, and shown as a neutral sentence with that id.

use thiserror::Error;

/// A sentence for the person who did it.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[error("{0}")]
pub struct UserError(pub String);

impl UserError {
    /// As an error that the boundary tells apart from the others.
    pub fn of<T>(sentence: impl Into<String>) -> anyhow::Result<T> {
        Err(Self(sentence.into()).into())
    }
}

/// Short enough to read out, long enough to find in a log.
#[must_use]
pub fn incident_id() -> String {
    format!("{:08x}", rand::random::<u32>())
}
