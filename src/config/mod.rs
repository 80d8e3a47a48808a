//! Settings: the only reader of the environment and of `.env`.
//!
//! Invariant: a [`Config`] that exists can be used as it stands; every problem with the settings is found
//! before anything is started, all of them are told at once, and no message repeats a secret. Called by
//! `cli`, once; `app` hands its parts to the rooms.

mod addresses;
mod dotenv;
mod env_file;
mod error;
mod models;
mod program;
mod reader;
mod search;

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

use url::Url;

use domain::{
    Budgets, Caps, GuildId, ModelName, OpenSessions, Provider, Ranges, RestRate, Secret, ShardRange, WholeBot,
};
use reader::Reader;

pub use env_file::write_env;
pub use error::{ConfigError, Problem};
pub use models::{LocalServer, Models};
pub use program::program;
pub use search::SearchSettings;

/// Every setting there is, in the order in which `.env.example` explains them.
pub const SETTINGS: [&str; 56] = [
    "DISCORD_TOKEN",
    "DISCORD_API_BASE",
    "QUORUM_SHARDS",
    "QUORUM_FLEET",
    "QUORUM_REST_RATE",
    "DATABASE_URL",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "OPENROUTER_API_KEY",
    "OPENROUTER_BASE_URL",
    "AZURE_OPENAI_API_KEY",
    "AZURE_OPENAI_ENDPOINT",
    "AZURE_OPENAI_API_VERSION",
    "GEMINI_API_KEY",
    "GEMINI_BASE_URL",
    "OLLAMA_HOST",
    "QUORUM_MODELS",
    "QUORUM_MODEL_MEDIATOR",
    "QUORUM_MODEL_MODERATOR",
    "QUORUM_MODEL_GATEKEEPER",
    "QUORUM_MODEL_NOTARY",
    "QUORUM_MODEL_CHEAP",
    "QUORUM_MODEL_PICTURES",
    "QUORUM_FIRST_TOKEN_SECONDS",
    "TAVILY_API_KEY",
    "TAVILY_BASE_URL",
    "SEARXNG_URL",
    "QUORUM_SERVERS",
    "QUORUM_CONFINE",
    "QUORUM_BUDGET_BOT_DAY_USD",
    "QUORUM_BUDGET_BOT_DAY_TOKENS",
    "QUORUM_BUDGET_BOT_DAY_CALLS",
    "QUORUM_BUDGET_BOT_MONTH_USD",
    "QUORUM_BUDGET_BOT_MONTH_TOKENS",
    "QUORUM_BUDGET_BOT_MONTH_CALLS",
    "QUORUM_BUDGET_SESSION_USD",
    "QUORUM_BUDGET_SESSION_TOKENS",
    "QUORUM_BUDGET_SESSION_CALLS",
    "QUORUM_BUDGET_MEMBER_DAY_USD",
    "QUORUM_BUDGET_MEMBER_DAY_TOKENS",
    "QUORUM_BUDGET_MEMBER_DAY_CALLS",
    "QUORUM_BUDGET_SERVER_DAY_USD",
    "QUORUM_BUDGET_SERVER_DAY_TOKENS",
    "QUORUM_BUDGET_SERVER_DAY_CALLS",
    "QUORUM_MAX_RUNNING_PER_SERVER",
    "QUORUM_MAX_OPEN_PER_MEMBER",
    "QUORUM_DOCUMENT_CHARS",
    "QUORUM_DRAIN_SECONDS",
    "QUORUM_PRICES",
    "QUORUM_PROMPTS_DIR",
    "QUORUM_METRICS_PORT",
    "RUST_LOG",
    "LOG_FORMAT",
    "XDG_CACHE_HOME",
];

const LOG_FILTER: &str = "info,serenity=warn,poise=warn,hyper=warn,reqwest=warn,sqlx=warn,tracing=warn";

/// All settings, read and checked.
#[derive(Clone, Debug)]
pub struct Config {
    /// How Discord is reached.
    pub discord: DiscordSettings,
    /// The database's file.
    pub database: PathBuf,
    /// Where models are served.
    pub providers: Providers,
    /// Models that are named; [`Config::models`] fills in the rest.
    pub named: NamedModels,
    /// How long a model may be silent before its first token, if it is set.
    pub first_token: Option<Duration>,
    /// Where to search the web, if anywhere.
    pub search: Option<SearchSettings>,
    /// What may be used.
    pub budgets: Budgets,
    /// What all servers together may use.
    pub whole: WholeBot,
    /// The servers that are served; `None`: all.
    pub servers: Option<Vec<GuildId>>,
    /// Whether documents are read and code is run also where the system cannot shut the process in that does it.
    pub confine_weakly: bool,
    /// How many sessions may be open at once, 1 to 10,000 each.
    pub most_open: OpenSessions,
    /// Most characters of a document that a model reads at once, 2,000 to 2,000,000, if it is set.
    pub document_chars: Option<usize>,
    /// How long calls in flight get once the process is told to stop, up to ten minutes.
    pub drain: Duration,
    /// A table of models and their prices that stands in for the built-in one; the file exists.
    pub prices: Option<PathBuf>,
    /// A folder whose prompt files stand in for the built-in ones; it exists.
    pub prompts: Option<PathBuf>,
    /// The port of 127.0.0.1 on which the bot tells how it does, if it is set.
    pub metrics_port: Option<u16>,
    /// What is logged, and how.
    pub log: LogSettings,
    /// Where files that can be fetched again are kept: `XDG_CACHE_HOME`, else `.cache` in the home folder;
    /// `None` without either.
    pub cache: Option<PathBuf>,
    /// Sentences for the log about settings that are probably mistaken.
    pub warnings: Vec<String>,
}

/// How Discord is reached.
#[derive(Clone, Debug)]
pub struct DiscordSettings {
    /// The bot's token; [`Config::token`] demands it.
    pub token: Option<Secret>,
    /// Origin of the API, without `/api/v10`.
    pub api: Url,
    /// The origin was set by hand: it is a stand-in, and attachments may come from it too.
    pub api_is_explicit: bool,
    /// The shards that this process runs; `None`: all that Discord recommends.
    pub shards: Option<ShardRange>,
    /// The shards of every process, this one's among them, if they are set.
    pub fleet: Option<Ranges>,
    /// Who keeps its rate limits.
    pub rest: RestRate,
}

/// Where models are served; `None` for what is not configured.
#[derive(Clone, Debug)]
pub struct Providers {
    /// Anthropic Messages; the base is an origin (`/v1/messages` is added).
    pub anthropic: Option<Endpoint>,
    /// `OpenAI` chat completions; the base ends in `/v1` as a rule.
    pub openai: Option<Endpoint>,
    /// `OpenRouter`; the base ends in `/v1`.
    pub openrouter: Option<Endpoint>,
    /// Azure `OpenAI`; the base is an origin as a rule, or ends in `/openai/v1`.
    pub azure: Option<Endpoint>,
    /// Gemini's chat completions; the base ends in `/openai`.
    pub gemini: Option<Endpoint>,
    /// A server on this computer or in this network, from `OLLAMA_HOST`; the base ends in `/v1`.
    pub local: Option<Url>,
}

impl Providers {
    /// A provider's address and key; `None` for what is not configured, and for servers on this computer, of which
    /// [`Config::models`] says more.
    #[must_use]
    pub fn of(&self, provider: Provider) -> Option<&Endpoint> {
        match provider {
            Provider::Anthropic => self.anthropic.as_ref(),
            Provider::Openai => self.openai.as_ref(),
            Provider::Openrouter => self.openrouter.as_ref(),
            Provider::Azure => self.azure.as_ref(),
            Provider::Gemini => self.gemini.as_ref(),
            Provider::Local => None,
        }
    }
}

/// A provider's address and key.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// Address without a slash at its end, to which paths are added.
    pub base: Url,
    /// The address was set by hand.
    pub base_is_explicit: bool,
    /// The key; a server with an address of its own may need none.
    pub key: Option<Secret>,
    /// The version of Azure's API, where the address is one that wants it.
    pub api_version: Option<String>,
}

/// Models as the settings name them.
#[derive(Clone, Debug, Default)]
pub struct NamedModels {
    /// The panel; the first is the default.
    pub panel: Vec<ModelName>,
    /// Writes syntheses.
    pub mediator: Option<ModelName>,
    /// Leads debates.
    pub moderator: Option<ModelName>,
    /// Checks what may pass.
    pub gatekeeper: Option<ModelName>,
    /// Keeps records.
    pub notary: Option<ModelName>,
    /// Does small checks.
    pub cheap: Option<ModelName>,
    /// Reads pictures.
    pub pictures: Option<ModelName>,
}

/// What is logged, and how.
#[derive(Clone, Debug)]
pub struct LogSettings {
    /// In `RUST_LOG`'s language; it can be read.
    pub filter: String,
    /// A JSON object a line instead of text.
    pub json: bool,
}

impl Config {
    /// Reads the environment, and `.env` in the working folder for what the environment does not set.
    pub fn load() -> Result<Self, ConfigError> {
        Self::load_with(&BTreeMap::new())
    }

    /// The same, with these values before either; an empty one counts as not set.
    pub fn load_with(over: &BTreeMap<&str, &str>) -> Result<Self, ConfigError> {
        let (file, mut problems) = dotenv::read(Path::new(".env"));
        let mut warnings = Vec::new();
        let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
        for name in names.chain(file.keys().cloned()) {
            if name.starts_with("QUORUM_") && !SETTINGS.contains(&name.as_str()) {
                warnings
                    .push(format!("{name} is set, but there is no such setting; .env.example lists them"));
            }
        }
        for name in SETTINGS {
            if std::env::var_os(name).is_some_and(|value| value.into_string().is_err()) {
                let what = "has bytes in it that are no text (they are not shown)";
                problems.extend(ConfigError::one(name, what, "Write it in UTF-8.").problems);
            }
        }
        let lookup = |name: &str| {
            if let Some(given) = over.get(name) {
                return Some((*given).to_owned());
            }
            // One that is set but empty does not hide the file's: `docker run -e NAME=` sets such ones.
            let set = std::env::var_os(name).filter(|value| !value.is_empty());
            set.map(|value: OsString| value.to_string_lossy().into_owned())
                .or_else(|| file.get(name).cloned())
        };
        match Self::from_lookup(lookup) {
            Ok(mut config) if problems.is_empty() => {
                config.warnings.extend(warnings);
                Ok(config)
            }
            Ok(_) => Err(ConfigError { problems }),
            Err(error) => {
                problems.extend(error.problems);
                Err(ConfigError { problems })
            }
        }
    }

    /// Reads the settings that `lookup` knows.
    pub fn from_lookup(lookup: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let mut read = Reader { lookup, problems: Vec::new() };
        let discord = addresses::discord(&mut read);
        let database = read.database("DATABASE_URL");
        let providers = Providers {
            anthropic: addresses::endpoint(
                &mut read,
                ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"],
                "https://api.anthropic.com",
            ),
            openai: addresses::endpoint(
                &mut read,
                ["OPENAI_API_KEY", "OPENAI_BASE_URL"],
                "https://api.openai.com/v1",
            ),
            openrouter: addresses::endpoint(
                &mut read,
                ["OPENROUTER_API_KEY", "OPENROUTER_BASE_URL"],
                "https://openrouter.ai/api/v1",
            ),
            azure: addresses::azure(&mut read),
            gemini: addresses::endpoint(
                &mut read,
                ["GEMINI_API_KEY", "GEMINI_BASE_URL"],
                "https://generativelanguage.googleapis.com/v1beta/openai",
            ),
            local: addresses::local(&mut read),
        };
        let named = NamedModels {
            panel: read.models("QUORUM_MODELS"),
            mediator: read.model("QUORUM_MODEL_MEDIATOR"),
            moderator: read.model("QUORUM_MODEL_MODERATOR"),
            gatekeeper: read.model("QUORUM_MODEL_GATEKEEPER"),
            notary: read.model("QUORUM_MODEL_NOTARY"),
            cheap: read.model("QUORUM_MODEL_CHEAP"),
            pictures: read.model("QUORUM_MODEL_PICTURES"),
        };
        models::check_named(&mut read, &named, &providers);
        let first_token = read
            .text("QUORUM_FIRST_TOKEN_SECONDS")
            .map(|_| Duration::from_secs(read.number("QUORUM_FIRST_TOKEN_SECONDS", 90, 1, 3_600)));
        let search = search::search(&mut read);
        let (budgets, whole) = budgets(&mut read);
        let servers = read.servers("QUORUM_SERVERS");
        let confine_weakly = confine_weakly(&mut read);
        let most_open = OpenSessions {
            of_server: read.number("QUORUM_MAX_RUNNING_PER_SERVER", 20, 1, 10_000),
            of_member: read.number("QUORUM_MAX_OPEN_PER_MEMBER", 5, 1, 10_000),
        };
        let document_chars = read
            .text("QUORUM_DOCUMENT_CHARS")
            .map(|_| read.number("QUORUM_DOCUMENT_CHARS", 60_000, 2_000, 2_000_000));
        let drain = Duration::from_secs(read.number("QUORUM_DRAIN_SECONDS", 25, 0, 600));
        let prices = prices(&mut read);
        let prompts = prompts(&mut read);
        let metrics_port =
            read.text("QUORUM_METRICS_PORT").map(|_| read.number("QUORUM_METRICS_PORT", 9_464, 1, u16::MAX));
        let log = log(&mut read);
        let cache = cache(&read);
        let mut warnings = addresses::doubts(&named, &providers);
        warnings.extend(discord.as_ref().and_then(addresses::doubt_of_proxy));
        warnings.extend(search::doubt(&read, search.as_ref()));
        let (Some(discord), true) = (discord, read.problems.is_empty()) else {
            return Err(ConfigError { problems: read.problems });
        };
        Ok(Self {
            discord,
            database,
            providers,
            named,
            first_token,
            search,
            budgets,
            whole,
            servers,
            confine_weakly,
            most_open,
            document_chars,
            drain,
            prices,
            prompts,
            metrics_port,
            log,
            cache,
            warnings,
        })
    }

    /// The bot's token, or what to do about its lack.
    pub fn token(&self) -> Result<&Secret, ConfigError> {
        self.discord.token.as_ref().ok_or_else(|| {
            ConfigError::one(
                "DISCORD_TOKEN",
                "is not set, so the bot cannot log in to Discord",
                "Create a bot at https://discord.com/developers/applications, copy its token, and write \
                 DISCORD_TOKEN=... into .env. To try Quorum without an account: quorum playground",
            )
        })
    }

    /// How long a model of that provider may be silent before its first token: as set, else 90 s, or 300 s
    /// on one's own computer, which reads a long prompt slowly. What a model thinks before comes on top.
    #[must_use]
    pub fn first_token(&self, provider: Provider) -> Duration {
        let usual = if provider == Provider::Local { 300 } else { 90 };
        self.first_token.unwrap_or(Duration::from_secs(usual))
    }
}

fn budgets<F: Fn(&str) -> Option<String>>(read: &mut Reader<F>) -> (Budgets, WholeBot) {
    let (usual, whole) = (Budgets::default(), WholeBot::default());
    let mut caps = |whose: &str, usual: Caps| Caps {
        money: read.dollars(&format!("QUORUM_BUDGET_{whose}_USD"), usual.money),
        tokens: read.number(&format!("QUORUM_BUDGET_{whose}_TOKENS"), usual.tokens, 1, 1_000_000_000_000),
        calls: read.number(&format!("QUORUM_BUDGET_{whose}_CALLS"), usual.calls, 1, 1_000_000_000),
    };
    let whole = WholeBot { day: caps("BOT_DAY", whole.day), month: caps("BOT_MONTH", whole.month) };
    let budgets = Budgets {
        session: caps("SESSION", usual.session),
        member_day: caps("MEMBER_DAY", usual.member_day),
        server_day: caps("SERVER_DAY", usual.server_day),
        server_month: usual.server_month,
    };
    (budgets, whole)
}

fn prices<F: Fn(&str) -> Option<String>>(read: &mut Reader<F>) -> Option<PathBuf> {
    let path = PathBuf::from(read.text("QUORUM_PRICES")?);
    if !path.is_file() {
        read.problem(
            "QUORUM_PRICES",
            format!("is {}, which is no file", reader::shown(&path.display().to_string())),
            "Write the path of a table such as LiteLLM's model_prices_and_context_window.json, or remove the setting \
             to use the built-in one.",
        );
    }
    Some(path)
}

fn prompts<F: Fn(&str) -> Option<String>>(read: &mut Reader<F>) -> Option<PathBuf> {
    let path = PathBuf::from(read.text("QUORUM_PROMPTS_DIR")?);
    if !path.is_dir() {
        read.problem(
            "QUORUM_PROMPTS_DIR",
            format!("is {}, which is no folder", reader::shown(&path.display().to_string())),
            "Create it, or remove the setting to use the built-in prompts.",
        );
    }
    Some(path)
}

fn log<F: Fn(&str) -> Option<String>>(read: &mut Reader<F>) -> LogSettings {
    let filter = read.text("RUST_LOG").unwrap_or_else(|| LOG_FILTER.to_owned());
    if let Err(error) = tracing_subscriber::EnvFilter::try_new(&filter) {
        let what = format!("cannot be read ({error})");
        read.problem("RUST_LOG", what, "Write for example RUST_LOG=info or RUST_LOG=info,quorum=debug");
    }
    let json = match read.text("LOG_FORMAT").as_deref() {
        Some("json") => true,
        None | Some("text") => false,
        Some(other) => {
            let what = format!("is {}, which is no format", reader::shown(other));
            read.problem("LOG_FORMAT", what, "Write LOG_FORMAT=json or LOG_FORMAT=text");
            false
        }
    };
    LogSettings { filter, json }
}

fn confine_weakly<F: Fn(&str) -> Option<String>>(read: &mut Reader<F>) -> bool {
    match read.text("QUORUM_CONFINE").as_deref() {
        Some("weak") => true,
        None | Some("strict") => false,
        Some(other) => {
            let what = format!("is {}, which is neither strict nor weak", reader::shown(other));
            read.problem("QUORUM_CONFINE", what, "Write QUORUM_CONFINE=weak, or leave it out");
            false
        }
    }
}

fn cache<F: Fn(&str) -> Option<String>>(read: &Reader<F>) -> Option<PathBuf> {
    // The XDG base directory specification: a relative path is to be ignored.
    let set = read.text("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || read.text("HOME").or_else(|| read.text("USERPROFILE"));
    set.or_else(|| home().map(|home| Path::new(&home).join(".cache")))
}
