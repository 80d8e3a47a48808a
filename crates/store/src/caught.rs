//! A panic as an error: whoever waits for some work hears of it.

use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use thiserror::Error;

/// A task panicked; the panic itself is on standard error.
#[derive(Debug, Error, Clone, Copy, PartialEq, Eq)]
#[error("its task panicked")]
pub struct Panicked;

/// Does some work; a panic in it is an error like any other, so that whoever started it hears of it.
pub async fn caught<T, E: From<Panicked>>(work: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|_| Err(Panicked.into()))
}
