//! Addresses: of Discord and of those who serve models.

use url::Url;

use super::{
    DiscordSettings, Endpoint, NamedModels, Providers, models,
    reader::{Reader, base_url, shown},
};
use domain::{ModelName, Provider, Ranges, RestRate, ShardRange};

const DISCORD: &str = "https://discord.com";

/// What an address of Azure `OpenAI` looks like.
const AZURE: &str = "https://NAME.openai.azure.com";

/// The version of Azure's API that is asked for unless another is set.
const AZURE_VERSION: &str = "2024-10-21";

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
    let base = explicit.or_else(|| base_url(default).ok())?;
    Some(Endpoint { base, base_is_explicit, key, api_version: None })
}

/// Azure `OpenAI`, where whoever asks has a resource of their own: no address can stand in for one that is not set.
pub(super) fn azure<F: Fn(&str) -> Option<String>>(read: &mut Reader<F>) -> Option<Endpoint> {
    const KEY: &str = "AZURE_OPENAI_API_KEY";
    const NAME: &str = "AZURE_OPENAI_ENDPOINT";
    let key = read.secret(KEY);
    let explicit = read.url(NAME, AZURE);
    let version = azure_version(read);
    if key.is_some() && read.text(NAME).is_none() {
        let what = format!("is set, but {NAME}, the address of the resource that it is for, is not set");
        read.problem(KEY, what, format!("Write for example {NAME}={AZURE}, or remove the key."));
    }
    let base = explicit?;
    let path = base.path();
    let what = if path.contains("/deployments") {
        Some("names a deployment, which is added to it")
    } else if path.ends_with("/chat/completions") || path.ends_with("/responses") {
        Some("ends in the path of a single call, which is added to it")
    } else if path.ends_with("/openai") {
        Some("ends in /openai, which is added to it")
    } else {
        None
    };
    if let Some(what) = what {
        let remedy = format!(
            "Write for example {NAME}={AZURE}, and each deployment into QUORUM_MODELS: azure/DEPLOYMENT"
        );
        read.problem(NAME, what, remedy);
    }
    // Below /openai/v1, Azure's API has no versions and is told the deployment in the request itself.
    let api_version = (!path.ends_with("/v1")).then_some(version);
    Some(Endpoint { base, base_is_explicit: true, key, api_version })
}

/// A version of Azure's API: `2024-10-21`, or a preview such as `2025-04-01-preview`.
fn azure_version<F: Fn(&str) -> Option<String>>(read: &mut Reader<F>) -> String {
    const NAME: &str = "AZURE_OPENAI_API_VERSION";
    let Some(value) = read.text(NAME) else { return AZURE_VERSION.to_owned() };
    let date = value.strip_suffix("-preview").unwrap_or(&value);
    let digit_or_dash = |(at, byte): (usize, u8)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    // It goes into addresses as it is, so nothing else may be in it.
    if date.len() == AZURE_VERSION.len() && date.bytes().enumerate().all(digit_or_dash) {
        return value;
    }
    let what = format!("is {}, which is no version of Azure's API", shown(&value));
    let remedy = format!(
        "Write for example {NAME}={AZURE_VERSION}, or remove it; an endpoint that ends in /v1 needs none."
    );
    read.problem(NAME, what, remedy);
    AZURE_VERSION.to_owned()
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
    let mut warnings = Vec::new();
    let is_azure = |(_, model): &(&str, &ModelName)| model.provider == Provider::Azure;
    if providers.azure.is_some() && !models::every_named(named).iter().any(is_azure) {
        warnings.push(
            "AZURE_OPENAI_ENDPOINT is set, and no setting names a deployment of it, so it is not asked; write for \
             example QUORUM_MODELS=azure/DEPLOYMENT"
                .to_owned(),
        );
    }
    let Some(openai) = providers.openai.as_ref().filter(|openai| openai.base_is_explicit) else {
        return warnings;
    };
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
