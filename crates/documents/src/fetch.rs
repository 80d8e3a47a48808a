//! Fetches attachments, and hands their bytes on as they come to whoever reads them.

use std::{path::PathBuf, sync::Arc, time::Duration};

use anyhow::Context;
use reqwest::{Client, Response, redirect::Policy};
use sha2::{Digest, Sha256};
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};
use url::{Origin, Url};

use super::{
    DocumentError, Fault, MAX_BYTES, Missing,
    child::ReaderChild,
    confine::Confine,
    extract::Extract,
    page::Pages,
    text::shown,
    turn::{QUEUE, Turns},
};
use domain::Document;

/// Where Discord keeps attachments (documentation, reference: CDN endpoints).
const HOSTS: [&str; 2] = ["cdn.discordapp.com", "media.discordapp.net"];

/// Most time from the first byte asked for to the last that came.
const TIME: Duration = Duration::from_mins(1);

/// Longest silence within that.
const SILENCE: Duration = Duration::from_secs(8);

/// Most documents that are read at the same time: each may take 512 MiB of memory and a processor.
const AT_ONCE: usize = 2;

/// Reads attachments. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Documents {
    client: Client,
    extra: Option<Origin>,
    program: PathBuf,
    confine: Confine,
    places: Arc<Semaphore>,
    pub(super) pages: Arc<Pages>,
    turns: Arc<Turns>,
    seeing: bool,
}

impl Documents {
    /// `extra_host`: an origin that attachments may come from besides Discord's hosts, exactly as given
    /// (a stand-in's); only ever one that the operator has set. `program`: this program's file, which is started
    /// anew for each document.
    pub fn new(extra_host: Option<Url>, program: PathBuf) -> anyhow::Result<Self> {
        let client = tls::client()
            .user_agent(concat!("Quorum/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(Duration::from_secs(5))
            .timeout(TIME)
            .read_timeout(SILENCE)
            .redirect(Policy::none())
            .no_proxy()
            .referer(false)
            .build()
            .context("the HTTP client for attachments cannot be set up")?;
        // An opaque origin (of `file:` and the like) equals no other; then nothing more is allowed.
        let extra = extra_host.map(|url| url.origin());
        let places = Arc::new(Semaphore::new(AT_ONCE));
        let (turns, pages, confine) = (Arc::default(), Arc::default(), Confine::default());
        Ok(Self { client, extra, program, confine, places, pages, turns, seeing: false })
    }

    /// The same, whose children are shut in so.
    #[must_use]
    pub fn confined(self, confine: Confine) -> Self {
        Self { confine, ..self }
    }

    /// The same, by which what has no text comes as pictures, for a model that sees them.
    #[must_use]
    pub fn seeing(self, seeing: bool) -> Self {
        Self { seeing, ..self }
    }

    pub(super) fn program(&self) -> &std::path::Path {
        &self.program
    }

    pub(super) fn turns(&self) -> &Turns {
        &self.turns
    }

    /// Waits for a place among those that are read at the same time.
    pub(super) async fn place(&self) -> Result<SemaphorePermit<'_>, Fault> {
        let place = timeout(QUEUE, self.places.acquire()).await;
        place.ok().and_then(Result::ok).ok_or(Fault::Busy)
    }

    /// A new child, to which bytes can be fed.
    pub(super) fn child(&self, pictures: bool) -> Result<ReaderChild, Fault> {
        ReaderChild::start(&self.program, self.confine, pictures).map_err(|error| {
            tracing::error!(%error, program = %self.program.display(), "the process that reads documents does not start");
            Fault::NoReader
        })
    }

    /// Fetches and reads an attachment: `name` and `declared_size` (bytes) are what the interaction said.
    pub async fn fetch(&self, url: &str, name: &str, declared_size: u64) -> Result<Document, DocumentError> {
        let name = shown(name);
        let read = match self.read(url, declared_size, self.seeing).await {
            // Pictures take more memory and time than words: without them it may do.
            Err(Fault::BeyondLimits | Fault::Broken) if self.seeing => {
                self.read(url, declared_size, false).await
            }
            read => read,
        };
        match read {
            Ok((extract, sha256)) => Ok(extract.into_document(name, sha256)),
            Err(fault) => Err(fault.of(&name)),
        }
    }

    async fn read(&self, url: &str, declared_size: u64, pictures: bool) -> Result<(Extract, String), Fault> {
        let url = self.allowed(url).ok_or(Fault::Elsewhere)?;
        if declared_size > MAX_BYTES as u64 {
            return Err(Fault::TooLarge(Some(declared_size)));
        }
        if declared_size == 0 {
            return Err(Fault::Empty);
        }
        let _place = self.place().await?;
        let mut response = self.ask(url).await?;
        let mut reading = self.child(pictures)?;
        let read = hand_on(&mut response, &mut reading).await;
        // Before the next one has its turn, so that there are never more.
        reading.stop().await;
        read
    }

    /// The parsed address, if it is one that attachments come from.
    fn allowed(&self, url: &str) -> Option<Url> {
        let url = Url::parse(url).ok()?;
        let plain = url.username().is_empty() && url.password().is_none();
        let discord = url.scheme() == "https"
            && url.port().is_none()
            && url.host_str().is_some_and(|host| HOSTS.contains(&host));
        let extra = self.extra.as_ref().is_some_and(|extra| extra.is_tuple() && *extra == url.origin());
        (plain && (discord || extra)).then_some(url)
    }

    /// An answer that has a file in it.
    async fn ask(&self, url: Url) -> Result<Response, Fault> {
        let response = self.client.get(url).send().await.map_err(broken)?;
        match response.status().as_u16() {
            200..300 => Ok(response),
            403 | 404 | 410 => Err(Fault::Unavailable(Missing::Gone)),
            300..400 => Err(Fault::Unavailable(Missing::Redirected)),
            status => Err(Fault::Unavailable(Missing::Status(status))),
        }
    }
}

/// Hands all of an answer on to the child as it comes. Gives what the child makes of it, and the file's hash.
async fn hand_on(response: &mut Response, child: &mut ReaderChild) -> Result<(Extract, String), Fault> {
    let mut sha256 = Sha256::new();
    let mut arrived = 0;
    // The length that the answer states counts before decompression, if it is stated at all.
    while let Some(chunk) = response.chunk().await.map_err(broken)? {
        arrived += chunk.len();
        if arrived > MAX_BYTES {
            return Err(Fault::TooLarge(None));
        }
        sha256.update(&chunk);
        if !child.feed(&chunk).await {
            break;
        }
    }
    let extract = child.finish().await?;
    Ok((extract, format!("{:x}", sha256.finalize())))
}

fn broken(error: reqwest::Error) -> Fault {
    Fault::Unavailable(if error.is_timeout() { Missing::Slow } else { Missing::Broke })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_attachment_hosts_are_asked() {
        let documents =
            Documents::new(Some("http://127.0.0.1:8787".parse().unwrap()), "quorum".into()).unwrap();
        for fine in [
            "https://cdn.discordapp.com/attachments/1/2/plan.md?ex=1&is=2&hm=3",
            "https://media.discordapp.net/attachments/1/2/plan.md",
            "https://cdn.discordapp.com:443/a",
            "https://CDN.DISCORDAPP.COM/a",
            "http://127.0.0.1:8787/attachments/1/2/plan.md",
        ] {
            assert!(documents.allowed(fine).is_some(), "{fine}");
        }
        for refused in [
            "",
            "plan.md",
            "//cdn.discordapp.com/a",
            "http://cdn.discordapp.com/a",
            "ftp://cdn.discordapp.com/a",
            "file:///etc/passwd",
            "data:text/plain,hello",
            "https://cdn.discordapp.com:8443/a",
            "https://cdn.discordapp.com:80/a",
            "https://cdn.discordapp.com.evil.example/a",
            "https://evil.example/cdn.discordapp.com/a",
            "https://evil.example/#cdn.discordapp.com",
            "https://evil.example?cdn.discordapp.com",
            "https://cdn.discordapp.com@evil.example/a",
            "https://user@cdn.discordapp.com/a",
            "https://user:word@cdn.discordapp.com/a",
            "https://evil.example\\@cdn.discordapp.com/a",
            "https://cdn-discordapp.com/a",
            "https://xcdn.discordapp.com/a",
            "https://cdn.discordapp.com./a",
            "https://cdn.discоrdapp.com/a",
            "https://127.0.0.1/a",
            "https://[::1]/a",
            "https://[::ffff:127.0.0.1]/a",
            "https://169.254.169.254/latest/meta-data",
            "https://2130706433/a",
            "https://0x7f.1/a",
            "https://10.0.0.1/a",
            "https://localhost/a",
            "http://127.0.0.1:8788/a",
            "http://127.0.0.1/a",
            "https://127.0.0.1:8787/a",
            "http://localhost:8787/a",
            "http://user@127.0.0.1:8787/a",
            "http://127.0.0.1:8787@evil.example/a",
        ] {
            assert!(documents.allowed(refused).is_none(), "{refused}");
        }
        let strict = Documents::new(None, "quorum".into()).unwrap();
        assert!(strict.allowed("http://127.0.0.1:8787/attachments/1/2/plan.md").is_none());
        let opaque = Documents::new(Some("file:///".parse().unwrap()), "quorum".into()).unwrap();
        assert!(opaque.allowed("file:///etc/passwd").is_none());
    }
}
