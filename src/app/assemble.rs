//! From settings to parts.

use std::collections::BTreeMap;

use anyhow::Context as _;
use url::Url;

use super::{SmallModel, terminal};
use crate::{
    config::{Config, ConfigError, LocalServer, Models, SearchSettings},
    prompt::Prompts,
    protocols::Appointed,
    session::Settings,
};
use domain::Provider;
use models::{
    Endpoint, Endpoints, Limits, Llm, Pace, Prices,
    search::{Engine, Search},
};

/// The models by the settings; a server on this machine is looked for where nothing is configured.
pub async fn models(config: &Config) -> Result<Models, ConfigError> {
    let find = async |places: Vec<Url>| {
        let found = models::find_local(&places, models::LOCAL_PATIENCE).await?;
        Some(LocalServer { base: found.base, model: found.models.into_iter().next()? })
    };
    config.models(find).await
}

/// The small model that was set up for this run, for every seat.
pub(super) fn only(small: &SmallModel) -> Models {
    Models::only_local(LocalServer { base: small.base.clone(), model: small.model.model.clone() })
}

/// The playground needs no key: it says so where no model was found.
pub(super) fn offer_local_model(mut error: ConfigError) -> ConfigError {
    for problem in error.problems.iter_mut().filter(|problem| !problem.remedy.contains("--local-model")) {
        problem.remedy += " Or start with --local-model, which sets up a very small model and needs no key, or with --local-model FILE.gguf for a better one of your own (qwen3:8b by Ollama is a sensible choice).";
    }
    error
}

/// The door to models.
pub fn llm(config: &Config, local: Option<Url>) -> anyhow::Result<Llm> {
    let endpoint = |endpoint: &Option<crate::config::Endpoint>| {
        endpoint.as_ref().map(|endpoint| Endpoint {
            base: endpoint.base.clone(),
            key: endpoint.key.clone(),
            api_version: endpoint.api_version.clone(),
        })
    };
    let usual = Limits::default();
    let limits = Limits {
        remote: Pace { first_token: config.first_token(Provider::Openai), ..usual.remote },
        local: Pace {
            first_token: config.first_token(Provider::Local),
            silence: config.first_token(Provider::Local).max(usual.remote.silence),
            ..usual.local
        },
        ..usual
    };
    let endpoints = Endpoints {
        anthropic: endpoint(&config.providers.anthropic),
        openai: endpoint(&config.providers.openai),
        openrouter: endpoint(&config.providers.openrouter),
        azure: endpoint(&config.providers.azure),
        gemini: endpoint(&config.providers.gemini),
        local: local.map(|base| Endpoint::new(base, None)),
    };
    Llm::new(endpoints, limits, prices(config)?)
}

/// The door to web search, where one is set up.
pub(super) fn search(config: &Config, pace: domain::Pace) -> anyhow::Result<Option<Search>> {
    let engine = match &config.search {
        None => return Ok(None),
        Some(SearchSettings::Tavily { base, key }) => Engine::Tavily { base: base.clone(), key: key.clone() },
        Some(SearchSettings::Searxng(base)) => Engine::Searxng { base: base.clone() },
    };
    Search::new(engine, pace).map(Some)
}

/// The built-in table of prices, or that of `QUORUM_PRICES`.
fn prices(config: &Config) -> anyhow::Result<Prices> {
    let Some(file) = &config.prices else { return Ok(Prices::embedded()) };
    let told = || format!("QUORUM_PRICES: {}", file.display());
    let text = std::fs::read_to_string(file).with_context(told)?;
    Prices::read(&text).with_context(told)
}

/// What a model reads of a document at once unless it is set, in characters: some 15,000 tokens.
const DOCUMENT_CHARS: usize = 60_000;

/// What new sessions are started with; `small`: the model that was set up for this run, if one was.
pub fn settings(config: &Config, models: &Models, small: Option<&SmallModel>) -> anyhow::Result<Settings> {
    let usual = small.map_or(DOCUMENT_CHARS, |small| small.document_chars);
    Ok(Settings {
        appointed: Appointed {
            panel: models.panel.clone(),
            mediator: models.mediator.clone(),
            gatekeeper: models.gatekeeper.clone(),
            notary: models.notary.clone(),
            moderator: models.moderator.clone(),
            cheap: models.cheap.clone(),
        },
        pictures: models.pictures.clone(),
        budgets: config.budgets,
        whole: config.whole,
        servers: config.servers.clone(),
        most_open: config.most_open,
        document_chars: config.document_chars.unwrap_or(usual),
        prompts: prompts(config)?,
        notice: small.map(|small| small.notice.clone()),
        trust: true,
    })
}

/// The embedded prompts, with the files of `QUORUM_PROMPTS_DIR` in place of those of the same name.
fn prompts(config: &Config) -> anyhow::Result<Prompts> {
    let Some(folder) = &config.prompts else { return Ok(Prompts::embedded()) };
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.clone()];
    while let Some(at) = folders.pop() {
        let entries = std::fs::read_dir(&at)
            .with_context(|| format!("QUORUM_PROMPTS_DIR: reading {}", at.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                let name = path.strip_prefix(folder)?.to_string_lossy().replace('\\', "/");
                let text =
                    std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
                files.insert(name, text);
            }
        }
    }
    Prompts::overridden(files).context("QUORUM_PROMPTS_DIR")
}

/// Tells whoever started the playground where it is, what runs in it, and whether there is an example to look at.
pub(super) fn greet(url: &str, models: &Models, notice: Option<&str>, example: bool) {
    terminal::say(format_args!("\n  Quorum playground: {url}\n"));
    if example {
        terminal::say(
            "  Open it in a browser: #example shows a finished session, its texts written by hand.",
        );
        terminal::say("  For one of your own, choose #decisions and type /mediate.");
    } else {
        terminal::say("  Open it in a browser, choose a channel, and type /mediate.");
    }
    terminal::say(format_args!("  Models: {}", models.chosen));
    if let Some(notice) = notice {
        terminal::say(format_args!("  {notice}"));
    }
    terminal::say(format_args!("  Ctrl+C stops it; started again, every session goes on where it was.\n"));
}
