//! The one door to web search: Tavily, and a `SearXNG` that somebody runs themselves.
//!
//! Invariant: [`Search::find`] ends in pages that a reader can open, the best first and at most eight, or in a
//! [`SearchError`] whose fault says why there are none. One query is asked three times at most, and only where that
//! can help. No key appears in an error or a log line, and what a page says is handed on as data, bounded, and looked
//! at by nobody here.
//!
//! Called by `steps`, which reserves the price before a query and keeps what was asked and found; and by `doctor`.

mod attempt;
mod error;
mod reply;
mod searxng;
mod tavily;

use std::{sync::Arc, time::Duration};

use anyhow::Context as _;
use reqwest::{Client, redirect::Policy};
use serde_json::Value;
use tokio::sync::Semaphore;
use url::Url;

pub use error::SearchError;

use super::endpoint::is_loopback;

use domain::{Money, Pace, Secret, Source};

/// Most pages that one query finds.
const MOST_FOUND: usize = 8;
/// Requests at a time, of all sessions together.
const AT_ONCE: usize = 8;
/// Until a connection stands.
const CONNECT: Duration = Duration::from_secs(5);
/// One request, from its first byte to the answer's last.
const TIME: Duration = Duration::from_secs(12);
/// Before the second request; twice that before the third.
const PAUSE: Duration = Duration::from_millis(500);

/// Where to search.
#[derive(Clone, Debug)]
pub enum Engine {
    /// The service at <https://tavily.com>, or what speaks like it.
    Tavily {
        /// An origin; `/search` is added.
        base: Url,
        /// Its key.
        key: Secret,
    },
    /// A `SearXNG` with `json` among its formats.
    Searxng {
        /// Its address, maybe with a path; `/search` is added.
        base: Url,
    },
}

impl Engine {
    fn base(&self) -> &Url {
        match self {
            Self::Tavily { base, .. } | Self::Searxng { base } => base,
        }
    }
}

/// The door to the engine that is set up. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Search(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    engine: Engine,
    client: Client,
    places: Semaphore,
    pace: Pace,
}

impl Search {
    /// Builds the client; connects to nothing yet.
    pub fn new(engine: Engine, pace: Pace) -> anyhow::Result<Self> {
        let client = tls::client()
            .user_agent(concat!("Quorum/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            .timeout(TIME)
            .redirect(Policy::none())
            .referer(false);
        // Through the system's proxy, if there is one, but never to this machine.
        let client = if is_loopback(engine.base()) { client.no_proxy() } else { client };
        let client = client.build().context("the HTTP client for searches cannot be set up")?;
        Ok(Self(Arc::new(Inner { engine, client, places: Semaphore::new(AT_ONCE), pace })))
    }

    /// As ledgers name it: `tavily/search` or `searxng/search`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.0.engine {
            Engine::Tavily { .. } => "tavily/search",
            Engine::Searxng { .. } => "searxng/search",
        }
    }

    /// What one query costs that is answered.
    #[must_use]
    pub fn price(&self) -> Money {
        match self.0.engine {
            Engine::Tavily { .. } => tavily::PRICE,
            Engine::Searxng { .. } => Money(0),
        }
    }

    /// What is sent for this query. Holds no key, so it can be kept and shown.
    #[must_use]
    pub fn wire(&self, query: &str) -> Value {
        match self.0.engine {
            Engine::Tavily { .. } => tavily::body(query),
            Engine::Searxng { .. } => searxng::parameters(query),
        }
    }

    /// Asks one query and gives what it finds, the best first; that nothing is found is no error. Waits for a free
    /// place, and between two requests as long as the engine asks, which is ten seconds at most.
    pub async fn find(&self, query: &str) -> Result<Vec<Source>, SearchError> {
        let (mut tries, mut sent) = (0, false);
        loop {
            let failure = match self.attempt(query).await {
                Ok(found) => return Ok(found),
                Err(failure) => failure,
            };
            tries += 1;
            sent |= failure.charged;
            let message = format!("{}: {}", self.name(), failure.message);
            if tries >= failure.tries {
                return Err(SearchError { fault: failure.fault, sent, message });
            }
            tracing::debug!(tries, error = %message, "the search is asked again");
            let pause = failure.wait.unwrap_or_else(|| self.0.pace.of(PAUSE * tries));
            tokio::time::sleep(pause).await;
        }
    }
}
