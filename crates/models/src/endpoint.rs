//! Where models are served and how long and how many at a time they are waited for.

use std::{borrow::Cow, num::NonZeroU32, time::Duration};

use reqwest::{RequestBuilder, header::HeaderValue};
use url::{Host, Url};

use super::{CallError, Class, anthropic, chat};
use domain::{ModelName, Provider, Secret};

/// One server. By the vendors' own conventions the bases of `OpenAI`, `OpenRouter` and local servers end in
/// `/v1`, Gemini's in `/openai`, and Anthropic's is an origin. Azure's is an origin with a version of the API, or ends in
/// `/openai/v1` and has none (<https://learn.microsoft.com/azure/ai-services/openai/api-version-lifecycle>).
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// What paths are added to.
    pub base: Url,
    /// The key, where the server wants one.
    pub key: Option<Secret>,
    /// Azure's version of the API: each deployment then has an address of its own.
    pub api_version: Option<String>,
}

/// Whether a server is on this machine.
pub(super) fn is_loopback(base: &Url) -> bool {
    match base.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// The servers that are configured.
#[derive(Clone, Debug, Default)]
pub struct Endpoints {
    /// Anthropic Messages; an origin.
    pub anthropic: Option<Endpoint>,
    /// `OpenAI` or whatever speaks its chat completions; ends in `/v1`.
    pub openai: Option<Endpoint>,
    /// `OpenRouter`; ends in `/v1`.
    pub openrouter: Option<Endpoint>,
    /// Azure `OpenAI`.
    pub azure: Option<Endpoint>,
    /// Gemini's endpoint that speaks chat completions; ends in `/openai`.
    pub gemini: Option<Endpoint>,
    /// A server on the operator's machine; ends in `/v1`.
    pub local: Option<Endpoint>,
}

impl Endpoints {
    pub(super) fn of(&self, provider: Provider) -> Option<&Endpoint> {
        match provider {
            Provider::Anthropic => self.anthropic.as_ref(),
            Provider::Openai => self.openai.as_ref(),
            Provider::Openrouter => self.openrouter.as_ref(),
            Provider::Azure => self.azure.as_ref(),
            Provider::Gemini => self.gemini.as_ref(),
            Provider::Local => self.local.as_ref(),
        }
    }
}

impl Endpoint {
    /// A server whose address is all that there is to know of it.
    #[must_use]
    pub fn new(base: Url, key: Option<Secret>) -> Self {
        Self { base, key, api_version: None }
    }

    /// Where a model is asked.
    pub(super) fn calls(&self, model: &ModelName) -> String {
        match (model.provider, &self.api_version) {
            (Provider::Anthropic, _) => self.url(anthropic::PATH),
            (Provider::Azure, Some(version)) => {
                let mut url = self.base.clone();
                // Fails only for addresses that have no path, which the settings refuse.
                if let Ok(mut path) = url.path_segments_mut() {
                    path.pop_if_empty().extend([
                        "openai",
                        "deployments",
                        &model.model,
                        "chat",
                        "completions",
                    ]);
                }
                url.query_pairs_mut().append_pair("api-version", version);
                url.into()
            }
            _ => self.url(chat::PATH),
        }
    }

    /// Its address as it may be written down: without a password.
    pub(super) fn named(&self) -> String {
        let mut base = self.base.clone();
        // Fails only for addresses that can have none.
        let _ = base.set_password(None);
        let _ = base.set_username("");
        if let Some(version) = &self.api_version {
            // Another version of the API refuses other things.
            base.query_pairs_mut().append_pair("api-version", version);
        }
        base.to_string()
    }

    /// The address of `path` (which begins with `/`) below the base.
    pub(super) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base.as_str().trim_end_matches('/'))
    }

    /// Adds the key in the way the provider wants it, marked so that no log of the HTTP stack shows it.
    pub(super) fn authorize(
        &self,
        provider: Provider,
        request: RequestBuilder,
    ) -> Result<RequestBuilder, CallError> {
        let anthropic = provider == Provider::Anthropic;
        let bare = match provider {
            Provider::Anthropic => Some("x-api-key"),
            Provider::Azure => Some("api-key"),
            _ => None,
        };
        let request = if anthropic { request.header("anthropic-version", "2023-06-01") } else { request };
        let Some(key) = &self.key else { return Ok(request) };
        let text = if bare.is_some() { key.reveal().to_owned() } else { format!("Bearer {}", key.reveal()) };
        let Ok(mut value) = HeaderValue::from_str(&text) else {
            let text = format!("the key for {} holds characters that no key has", provider.as_str());
            return Err(CallError::new(Class::Auth, text));
        };
        value.set_sensitive(true);
        Ok(request.header(bare.unwrap_or("authorization"), value))
    }

    /// Removes the key from what the server sent: some echo it. Done before anything is cut to length, so that
    /// no part of it stays either.
    pub(super) fn redacted<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.key.as_ref().map(Secret::reveal).filter(|key| key.len() >= 4) {
            Some(key) if text.contains(key) => Cow::Owned(text.replace(key, "[secret]")),
            _ => Cow::Borrowed(text),
        }
    }
}

/// The slowest at which large models are served: what is slower than that is not waited for.
const SLOW_THOUGHT: NonZeroU32 = NonZeroU32::new(40).unwrap();

/// How long one attempt may take and how many run at a time at one provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// From sending until the model begins to answer. A model that thinks first is given the time of its thoughts on top.
    pub first_token: Duration,
    /// How fast a model is taken to think, in tokens a second: chat completions show no sign of it meanwhile.
    pub thinks: NonZeroU32,
    /// Between two signs of progress afterwards.
    pub silence: Duration,
    /// The whole attempt, but for thoughts.
    pub total: Duration,
    /// Calls at a time to begin with; at least 1.
    pub start: usize,
    /// Calls at a time at most, however well it goes.
    pub max: usize,
}

/// Time-outs and concurrency. Each model has its own count; all that are not on this machine share the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Until a connection stands.
    pub connect: Duration,
    /// All that are not on this machine.
    pub remote: Pace,
    /// A model on a small machine, which may read a long prompt for minutes.
    pub local: Pace,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            remote: Pace {
                first_token: Duration::from_secs(90),
                thinks: SLOW_THOUGHT,
                silence: Duration::from_mins(1),
                total: Duration::from_mins(10),
                // The rounds of a hundred sessions wait for nobody, with eight calls at once beside a second round. Providers count requests and tokens a
                // minute, not calls at a time, so a first guess that is too high costs one complaint and is
                // halved; one that is too low makes whole rounds wait for each other.
                start: 800,
                max: 1_024,
            },
            local: Pace {
                first_token: Duration::from_mins(5),
                thinks: SLOW_THOUGHT,
                // While it reads another call's long prompt, it says nothing to this one.
                silence: Duration::from_mins(5),
                total: Duration::from_mins(20),
                start: 4,
                max: 4,
            },
        }
    }
}

impl Pace {
    /// For a model that may think in so many tokens before it says anything.
    pub(super) fn with_thoughts(self, tokens: u32) -> Self {
        let thoughts = Duration::from_secs((tokens / self.thinks).into());
        Self { first_token: self.first_token + thoughts, total: self.total + thoughts, ..self }
    }
}

impl Limits {
    pub(super) fn of(&self, provider: Provider) -> &Pace {
        if provider == Provider::Local { &self.local } else { &self.remote }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_join_with_and_without_a_slash() {
        for base in ["https://api.example/v1", "https://api.example/v1/"] {
            let endpoint = Endpoint::new(Url::parse(base).unwrap(), None);
            assert_eq!(endpoint.url("/models"), "https://api.example/v1/models");
            assert!(!is_loopback(&endpoint.base));
        }
        let origin = Endpoint::new(Url::parse("http://[::1]:9").unwrap(), None);
        assert_eq!(origin.url("/v1/messages"), "http://[::1]:9/v1/messages");
        assert!(is_loopback(&origin.base));
    }

    #[test]
    fn each_provider_has_its_address_and_its_header() {
        let rows = [
            (
                "azure/a?b/c",
                "https://me.example/",
                Some("2024-10-21"),
                "https://me.example/openai/deployments/a%3Fb%2Fc/chat/completions?api-version=2024-10-21",
            ),
            ("anthropic/m", "https://api.example", None, "https://api.example/v1/messages"),
            ("openai/m", "https://api.example/v1", None, "https://api.example/v1/chat/completions"),
            (
                "gemini/m",
                "https://g.example/v1beta/openai/",
                None,
                "https://g.example/v1beta/openai/chat/completions",
            ),
            (
                "azure/mine",
                "https://me.example/openai/v1",
                None,
                "https://me.example/openai/v1/chat/completions",
            ),
            (
                "azure/mine",
                "https://me.example",
                Some("2024-10-21"),
                "https://me.example/openai/deployments/mine/chat/completions?api-version=2024-10-21",
            ),
        ];
        for (model, base, version, wanted) in rows {
            let model: ModelName = model.parse().unwrap();
            let base = Url::parse(base).unwrap();
            let endpoint = Endpoint {
                api_version: version.map(str::to_owned),
                ..Endpoint::new(base, Some(Secret::new("k")))
            };
            assert_eq!(endpoint.calls(&model), wanted);
            let request = endpoint.authorize(model.provider, reqwest::Client::new().get(wanted)).unwrap();
            let name = match model.provider {
                Provider::Anthropic => "x-api-key",
                Provider::Azure => "api-key",
                _ => "authorization",
            };
            assert!(request.build().unwrap().headers().contains_key(name), "{model}");
        }
        let secret = Endpoint::new(Url::parse("https://me:word@x.example/v1").unwrap(), None);
        assert_eq!(secret.named(), "https://x.example/v1");
    }

    #[test]
    fn an_echoed_key_is_taken_out() {
        let endpoint = Endpoint::new(Url::parse("http://x").unwrap(), Some(Secret::new("canary-1")));
        assert_eq!(endpoint.redacted("key canary-1 is wrong"), "key [secret] is wrong");
    }

    #[test]
    fn an_impossible_key_is_not_sent() {
        let endpoint = Endpoint::new(Url::parse("http://x").unwrap(), Some(Secret::new("a\nb")));
        let request = reqwest::Client::new().get("http://x");
        let error = endpoint.authorize(Provider::Openai, request).unwrap_err();
        assert_eq!(error.class, Class::Auth);
        assert!(!error.message.contains("a\nb"));
    }
}
