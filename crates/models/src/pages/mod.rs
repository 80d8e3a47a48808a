//! The one door to pages that others have named: whether a cited page is there, and what it holds, as far as it is read.
//!
//! An address in a citation is whatever a search engine, a model or a file says, so it may be meant for a machine that only
//! this one can reach. Invariants:
//! * Only `https`, and only names; no address by number, no user name or password.
//! * A name is looked up here, every one of its addresses has to be public (`public`), and the connection is made to one
//!   of those that were looked at: whoever answers otherwise a moment later gains nothing. Redirects are not followed by the
//!   client: each is an address like the first.
//! * No proxy, which would look names up by itself; no cookie, no referrer, nothing kept from one page to the next.
//! * Time, redirects and bytes are bounded, bytes after decompression.
//!
//! A stand-in for a host is asked in its place only where whoever built the door has named it; nothing of the environment
//! does. Called by `steps`, for sessions, and by `app`, for the file of a report.

mod ask;
mod public;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use anyhow::Context as _;
use reqwest::{Client, redirect::Policy};
use tokio::sync::Semaphore;
use url::Url;

use public::Lookup;

use domain::Reached;

/// Pages that are asked for at the same time, of all sessions together.
const AT_ONCE: usize = 12;
/// Until a connection stands.
const CONNECT: Duration = Duration::from_secs(5);
/// One page, with its redirects, from the first byte asked for to the last that came.
const TIME: Duration = Duration::from_secs(20);
/// Longest silence within that.
const SILENCE: Duration = Duration::from_secs(8);

/// What the door is set up with.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// Hosts, and for each the origin of the server that is asked in its place. Empty but in tests.
    pub stand_ins: BTreeMap<String, Url>,
}

/// What came of asking for a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// Whether it is there.
    pub reached: Reached,
    /// Its first bytes, or a PDF whole, where they were wanted and it is a text; or why there are none, as part of a sentence.
    pub bytes: Result<Vec<u8>, String>,
}

/// The door. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Pages(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    client: Client,
    reach: Reach,
    places: Semaphore,
}

impl Pages {
    /// Builds the client; connects to nothing yet.
    pub fn new(reach: Reach) -> anyhow::Result<Self> {
        let client = tls::client()
            .user_agent(concat!("Quorum/", env!("CARGO_PKG_VERSION"), " (checks citations)"))
            .connect_timeout(CONNECT)
            .timeout(TIME)
            .read_timeout(SILENCE)
            .redirect(Policy::none())
            .referer(false)
            .no_proxy()
            // A connection that was kept would be one to an address that nobody has looked at since.
            .pool_max_idle_per_host(0)
            .dns_resolver(Arc::new(Lookup))
            .build()
            .context("the HTTP client for pages cannot be set up")?;
        Ok(Self(Arc::new(Inner { client, reach, places: Semaphore::new(AT_ONCE) })))
    }

    /// Asks for a page; `read`: its bytes, too. Waits for a free place. Never fails: what went wrong is what came of it.
    pub async fn find(&self, url: &str, read: bool) -> Found {
        // Places are never closed, so this one comes sooner or later.
        let _place = self.0.places.acquire().await;
        let found = tokio::time::timeout(TIME, self.ask(url, read)).await;
        found.unwrap_or_else(|_| Found {
            reached: Reached::Failed("it did not answer in time".to_owned()),
            bytes: Err("it did not answer in time".to_owned()),
        })
    }
}
