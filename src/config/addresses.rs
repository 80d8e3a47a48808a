//! Addresses: of Discord and of those who serve models.

use url::Url;

use super::{
    DiscordSettings, Endpoint, NamedModels, Providers, models,
    reader::{Reader, base_url},
};
use domain::{Ranges, RestRate, ShardRange};

const DISCORD: &str = "https://discord.com";

pub(super) fn discord<F: Fn(&str) -> Option<String>>(read: &mut Reader<F>) -> Option<DiscordSettings> {
    let token = read.secret("DISCORD_TOKEN");
    let explicit = read.url("DISCORD_API_BASE", DISCORD);
    if let Some(url) = &explicit
        && url.path() != "/"
    {
        let what = "has a path, but must be an origin: /api/v10 is added";
        read.problem("DISCORD_API_BASE", what, format!("Write for example DISCORD_API_BASE={DISCORD}"));
    }
    let api_is_explicit = explicit.is_some();
    let api = explicit.or_else(|| base_url(DISCORD).ok())?;
    let shards =
        read.parsed("QUORUM_SHARDS", "0-15/64 (shards 0 to 15 of 64), or remove it to run all shards");
    let fleet: Option<Ranges> =
        read.parsed("QUORUM_FLEET", "0-1/4,2-3/4 (QUORUM_SHARDS of every process), or remove it");
    if let Some(fleet) = &fleet {
        check_in_fleet(read, shards, fleet);
    }
    let rest = read.parsed("QUORUM_REST_RATE", "20 (each of two processes), or QUORUM_REST_RATE=proxy");
    Some(DiscordSettings { token, api, api_is_explicit, shards, fleet, rest: rest.unwrap_or_default() })
}

/// Whether this process is one of those that are named.
fn check_in_fleet<F: Fn(&str) -> Option<String>>(
    read: &mut Reader<F>,
    shards: Option<ShardRange>,
    fleet: &Ranges,
) {
    let what = match shards {
        Some(own) if fleet.has(own) => return,
        Some(own) => format!("is {fleet}, and QUORUM_SHARDS, which is {own}, is none of these ranges"),
        // What is written there and no range is a problem of its own.
        None if read.text("QUORUM_SHARDS").is_some() => return,
        None => format!("is {fleet}, and QUORUM_SHARDS does not say which of these ranges this process runs"),
    };
    read.problem(
        "QUORUM_FLEET",
        what,
        "Write the ranges of all processes into it, and this one's into QUORUM_SHARDS.",
    );
}

/// A proxy that is meant to keep the limits and is not asked.
pub(super) fn doubt_of_proxy(discord: &DiscordSettings) -> Option<String> {
    (discord.rest == RestRate::Proxy && !discord.api_is_explicit).then(|| {
        "QUORUM_REST_RATE is proxy and DISCORD_API_BASE is not set, so Discord itself is asked, and nobody keeps its \
         rate limits; set DISCORD_API_BASE to the proxy's address"
            .to_owned()
    })
}

pub(super) fn endpoint<F: Fn(&str) -> Option<String>>(
    read: &mut Reader<F>,
    [key, base]: [&str; 2],
    default: &str,
) -> Option<Endpoint> {
    let key = read.secret(key);
    let explicit = read.url(base, default);
    if let Some(url) = &explicit {
        let path = url.path();
        if base == "ANTHROPIC_BASE_URL" && path.ends_with("/v1") {
            read.problem(
                base,
                "ends in /v1, which is added to it",
                format!("Write the origin, for example {base}={default}"),
            );
        }
        if path.ends_with("/chat/completions") || path.ends_with("/messages") {
            let what = "ends in the path of a single call, which is added to it";
            read.problem(base, what, format!("Write for example {base}={default}"));
        }
    }
    if key.is_none() && explicit.is_none() {
        return None;
    }
    let base_is_explicit = explicit.is_some();
    Some(Endpoint { base: explicit.or_else(|| base_url(default).ok())?, base_is_explicit, key })
}

/// Ollama's own variable, in all forms that Ollama itself takes: `host`, `host:port`, `:port`,
/// `http://host:port`. Source: Ollama's FAQ and `envconfig.Host`.
pub(super) fn local<F: Fn(&str) -> Option<String>>(read: &mut Reader<F>) -> Option<Url> {
    const NAME: &str = "OLLAMA_HOST";
    let value = read.text(NAME)?;
    let with_scheme = match value.strip_prefix(':') {
        Some(port) => format!("http://127.0.0.1:{port}"),
        None if value.contains("://") => value.clone(),
        None => format!("http://{value}"),
    };
    match base_url(&with_scheme) {
        Ok(mut url) => {
            if url.port().is_none() && !value.contains("://") {
                // Fails only for addresses without a host, which `base_url` refused.
                let _ = url.set_port(Some(11434));
            }
            // The address a server listens on when it listens on all of them is none to call.
            if url.host_str() == Some("0.0.0.0") {
                let _ = url.set_host(Some("127.0.0.1"));
            }
            let path = url.path().trim_end_matches('/').trim_end_matches("/v1").to_owned();
            url.set_path(&format!("{path}/v1"));
            Some(url)
        }
        Err(what) => {
            read.problem(NAME, what, "Write for example OLLAMA_HOST=127.0.0.1:11434");
            None
        }
    }
}

/// Sentences about addresses that are probably mistaken.
pub(super) fn doubts(named: &NamedModels, providers: &Providers) -> Vec<String> {
    let Some(openai) = providers.openai.as_ref().filter(|openai| openai.base_is_explicit) else {
        return Vec::new();
    };
    let mut warnings = Vec::new();
    if openai.base.path() == "/" {
        warnings.push("OPENAI_BASE_URL has no path; most servers want /v1 at its end".to_owned());
    }
    if named.panel.is_empty() {
        warnings.push(format!(
            "OPENAI_BASE_URL is set and QUORUM_MODELS is not, so it is asked for {}; set QUORUM_MODELS if it \
             serves another model",
            models::DEFAULTS[1].1
        ));
    }
    warnings
}
