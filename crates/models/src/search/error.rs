//! What can go wrong with a query, and with one request of it.

use std::time::Duration;

use thiserror::Error;

use domain::SearchFault;

/// Most requests for one query.
pub(super) const TRIES: u32 = 3;
/// The same where what came cannot be read: that rarely passes.
pub(super) const TRIES_UNREAD: u32 = 2;

/// A query that gave no answer.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message}")]
pub struct SearchError {
    /// Why.
    pub fault: SearchFault,
    /// Whether it may have reached the engine and been charged. A query that found no connection, or that the engine
    /// turned away (a wrong key, no credit left, too many requests), was not.
    pub sent: bool,
    /// What happened, for the log; no key is in it.
    pub message: String,
}

/// A request that gave no answer.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) fault: SearchFault,
    pub(super) message: String,
    /// Whether it may have been charged.
    pub(super) charged: bool,
    /// How many requests may be made for the query, this one included.
    pub(super) tries: u32,
    /// How long the engine wants to be left alone before the next.
    pub(super) wait: Option<Duration>,
}

impl Failure {
    /// What came is no result.
    pub(super) fn unreadable(message: &str, tries: u32) -> Self {
        Self { fault: SearchFault::Unreadable, message: message.to_owned(), charged: true, tries, wait: None }
    }

    /// All the engines behind a `SearXNG` refused it.
    pub(super) fn by_engines(engines: &str) -> Self {
        let message = format!("none of its engines answered ({engines})");
        Self { fault: SearchFault::Engines, message, charged: true, tries: TRIES_UNREAD, wait: None }
    }
}
