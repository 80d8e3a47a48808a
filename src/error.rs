//! Two audiences, two errors. What a person did and can mend is a [`UserError`]: a sentence for that person,
//! private, with what to do next. Everything else is an `anyhow::Error`: logged once, with an id, at the
//! boundary where it is handled, and shown as a neutral sentence with that id.

use std::panic::AssertUnwindSafe;

use futures::FutureExt;
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

/// A task panicked; the panic itself is on standard error.
#[derive(Debug, Error, Clone, Copy, PartialEq, Eq)]
#[error("its task panicked")]
pub struct Panicked;

/// Does some work; a panic in it is an error like any other, so that whoever started it hears of it.
pub async fn caught<T, E: From<Panicked>>(work: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|_| Err(Panicked.into()))
}

/// Short enough to read out, long enough to find in a log.
#[must_use]
pub fn incident_id() -> String {
    format!("{:08x}", rand::random::<u32>())
}
