//! Fetches attachments.

use std::time::Duration;

use anyhow::Context;
use reqwest::{Client, redirect::Policy};
use url::{Origin, Url};

use super::{
    DocumentError, MAX_BYTES,
    text::{read, shown},
};
use crate::domain::Document;

/// Where Discord keeps attachments (documentation, reference: CDN endpoints).
const HOSTS: [&str; 2] = ["cdn.discordapp.com", "media.discordapp.net"];

/// Most time from the first byte asked for to the last that came.
const TIME: Duration = Duration::from_secs(10);

/// Reads attachments. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Documents {
    client: Client,
    extra: Option<Origin>,
}

impl Documents {
    /// `extra_host`: an origin that attachments may come from besides Discord's hosts, exactly as given
    /// (a stand-in's); only ever one that the operator has set.
    pub fn new(extra_host: Option<Url>) -> anyhow::Result<Self> {
        let client = Client::builder()
            .user_agent(concat!("Quorum/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(Duration::from_secs(5))
            .timeout(TIME)
            .redirect(Policy::none())
            .no_proxy()
            .referer(false)
            .build()
            .context("the HTTP client for attachments cannot be set up")?;
        // An opaque origin (of `file:` and the like) equals no other; then nothing more is allowed.
        Ok(Self { client, extra: extra_host.map(|url| url.origin()) })
    }

    /// Fetches and reads an attachment: `name` and `declared_size` (bytes) are what the interaction said.
    pub async fn fetch(&self, url: &str, name: &str, declared_size: u64) -> Result<Document, DocumentError> {
        let shown = shown(name);
        let url = self.allowed(url).ok_or_else(|| DocumentError::Elsewhere { name: shown.clone() })?;
        if declared_size > MAX_BYTES as u64 {
            return Err(DocumentError::TooLarge { name: shown, size: Some(declared_size) });
        }
        if declared_size == 0 {
            return Err(DocumentError::Empty { name: shown });
        }
        let bytes = self.bytes(url, &shown).await?;
        read(name, &bytes)
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

    async fn bytes(&self, url: Url, name: &str) -> Result<Vec<u8>, DocumentError> {
        let unavailable = |why: String| DocumentError::Unavailable { name: name.to_owned(), why };
        let broken = |error: reqwest::Error| {
            unavailable(if error.is_timeout() {
                "it took too long".into()
            } else {
                "the connection broke".into()
            })
        };
        let mut response = self.client.get(url).send().await.map_err(broken)?;
        if !response.status().is_success() {
            let status = response.status().as_u16();
            return Err(unavailable(match status {
                403 | 404 | 410 => "its link has expired or it was deleted".into(),
                300..400 => "it was redirected".into(),
                _ => format!("status {status}"),
            }));
        }
        let mut bytes = Vec::new();
        // The length that the answer states counts before decompression, if it is stated at all.
        while let Some(chunk) = response.chunk().await.map_err(broken)? {
            if bytes.len() + chunk.len() > MAX_BYTES {
                return Err(DocumentError::TooLarge { name: name.to_owned(), size: None });
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_attachment_hosts_are_asked() {
        let documents = Documents::new(Some("http://127.0.0.1:8787".parse().unwrap())).unwrap();
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
        let strict = Documents::new(None).unwrap();
        assert!(strict.allowed("http://127.0.0.1:8787/attachments/1/2/plan.md").is_none());
        let opaque = Documents::new(Some("file:///".parse().unwrap())).unwrap();
        assert!(opaque.allowed("file:///etc/passwd").is_none());
    }
}
