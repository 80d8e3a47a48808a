//! What the bot asked for and which rules it broke, for tests and benches to read.

use std::collections::VecDeque;

use serde_json::Value;

/// Most requests remembered; the oldest are dropped.
const MOST_REQUESTS: usize = 200_000;
/// Most violations remembered; later ones are only counted.
const MOST_VIOLATIONS: usize = 10_000;

/// One request of the bot.
#[derive(Clone, Debug)]
pub struct Request {
    /// When it arrived, in milliseconds since 1970.
    pub at_ms: u64,
    /// `GET`, `POST`, …
    pub method: String,
    /// The path after `/api/v10`, without the query.
    pub path: String,
    /// The rate-limit bucket: the route with its major parameter.
    pub bucket: String,
    /// The status answered; `0` when the reply was dropped on purpose.
    pub status: u16,
    /// The JSON sent, when `Options::keep_bodies` is set.
    pub body: Option<Value>,
}

/// The bounded record of what happened.
#[derive(Default)]
pub(super) struct Record {
    pub(super) requests: VecDeque<Request>,
    pub(super) violations: Vec<String>,
    pub(super) limited: u64,
}

impl Record {
    pub(super) fn request(&mut self, request: Request) {
        if request.status == 429 {
            self.limited += 1;
        }
        if self.requests.len() == MOST_REQUESTS {
            self.requests.pop_front();
        }
        self.requests.push_back(request);
    }

    pub(super) fn violation(&mut self, sentence: String) {
        tracing::warn!(target: "quorum::playground", "the bot broke a rule of Discord's: {sentence}");
        if self.violations.len() < MOST_VIOLATIONS {
            self.violations.push(sentence);
        }
    }
}
