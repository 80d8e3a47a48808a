//! Settings: what is read, what is refused and in which words.

use std::{collections::BTreeMap, path::Path, time::Duration};

use domain::{Budgets, GuildId, Money, Provider, RestRate, WholeBot};
use quorum::config::{Config, ConfigError, LocalServer, Models, SETTINGS, SearchSettings};

fn read(settings: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let settings: BTreeMap<String, String> =
        settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Config::from_lookup(|name| settings.get(name).cloned())
}

async fn models(
    settings: &[(&str, &str)],
    local: Option<(&str, &str)>,
) -> Result<(Models, bool), ConfigError> {
    let mut looked = false;
    let found =
        local.map(|(base, model)| LocalServer { base: base.parse().unwrap(), model: model.to_owned() });
    let models = read(settings)?
        .models(async |places| {
            looked = true;
            assert!(!places.is_empty());
            found
        })
        .await?;
    Ok((models, looked))
}

#[test]
fn servers_are_named_by_their_ids_and_all_are_served_without() {
    assert_eq!(read(&[]).unwrap().servers, None);
    let config = read(&[("QUORUM_SERVERS", "71, 72"), ("QUORUM_BUDGET_BOT_DAY_USD", "5")]).unwrap();
    assert_eq!(config.servers, Some(vec![GuildId(71), GuildId(72)]));
    let whole = WholeBot::default();
    assert_eq!((config.whole.day.money, config.whole.month), (Money::from_dollars(5.0), whole.month));
    for wrong in ["Ada's", "71,,72", "0"] {
        let error = read(&[("QUORUM_SERVERS", wrong)]).unwrap_err().to_string();
        assert!(error.contains("not the ids of servers"), "{error}");
    }
}

#[test]
fn a_weak_confinement_is_allowed_by_one_word_alone() {
    for (set, weakly) in
        [(&[][..], false), (&[("QUORUM_CONFINE", "strict")], false), (&[("QUORUM_CONFINE", "weak")], true)]
    {
        assert_eq!(read(set).unwrap().confine_weakly, weakly);
    }
    let error = read(&[("QUORUM_CONFINE", "off")]).unwrap_err().to_string();
    assert!(error.contains("neither strict nor weak"), "{error}");
}

#[test]
fn nothing_set_is_all_defaults() {
    let config = read(&[]).unwrap();
    assert_eq!(config.discord.api.as_str(), "https://discord.com/");
    assert!(!config.discord.api_is_explicit);
    assert_eq!((config.discord.shards, config.discord.rest), (None, RestRate::default()));
    assert_eq!(config.database, Path::new("quorum.db"));
    assert_eq!(config.budgets, Budgets::default());
    assert_eq!((config.most_open.of_server, config.most_open.of_member), (20, 5));
    assert_eq!(config.document_chars, None, "the model that is found decides");
    assert_eq!(config.first_token(Provider::Openai), Duration::from_secs(90));
    assert_eq!(config.first_token(Provider::Local), Duration::from_mins(5));
    assert!(Provider::ALL.iter().all(|provider| config.providers.of(*provider).is_none()));
    assert!(config.providers.local.is_none());
    assert!(config.search.is_none());
    assert_eq!(config.metrics_port, None);
    assert!(!config.log.json && config.cache.is_none() && config.warnings.is_empty());
    let error = config.token().unwrap_err().to_string();
    assert!(error.starts_with("DISCORD_TOKEN is not set") && error.contains("quorum playground"), "{error}");
}

#[test]
fn everything_set_is_read() {
    let config = read(&[
        ("DISCORD_TOKEN", " abc.def "),
        ("DISCORD_API_BASE", "http://127.0.0.1:9000/"),
        ("QUORUM_SHARDS", "16-31/64"),
        ("QUORUM_FLEET", "0-15/64, 16-31/64, 32-63/64"),
        ("QUORUM_REST_RATE", "proxy"),
        ("DATABASE_URL", "sqlite:///data/quorum.db?mode=rwc"),
        ("ANTHROPIC_API_KEY", "key-a"),
        ("OPENAI_BASE_URL", "http://127.0.0.1:8000/v1/"),
        ("OLLAMA_HOST", "0.0.0.0"),
        ("QUORUM_MODELS", "anthropic/claude-opus-4-6, local/qwen3:8b"),
        ("QUORUM_MODEL_CHEAP", "openai/tiny"),
        ("QUORUM_MODEL_PICTURES", "openai/eyes"),
        ("QUORUM_BUDGET_SESSION_USD", "$0.5"),
        ("QUORUM_BUDGET_SERVER_DAY_CALLS", "7"),
        ("QUORUM_FIRST_TOKEN_SECONDS", "5"),
        ("QUORUM_DOCUMENT_CHARS", "8000"),
        ("QUORUM_METRICS_PORT", "9464"),
        ("LOG_FORMAT", "json"),
        ("XDG_CACHE_HOME", "/c"),
        ("OPENROUTER_API_KEY", "  "),
    ])
    .unwrap();
    assert_eq!(config.token().unwrap().reveal(), "abc.def");
    assert_eq!(config.discord.api.as_str(), "http://127.0.0.1:9000/");
    assert!(config.discord.api_is_explicit);
    assert_eq!(config.discord.shards.unwrap().to_string(), "16-31/64");
    assert_eq!(config.discord.rest, RestRate::Proxy);
    assert_eq!(config.database, Path::new("/data/quorum.db"));
    let anthropic = config.providers.anthropic.as_ref().unwrap();
    assert_eq!(anthropic.base.as_str(), "https://api.anthropic.com/");
    assert!(!anthropic.base_is_explicit);
    let openai = config.providers.openai.as_ref().unwrap();
    assert_eq!(openai.base.as_str(), "http://127.0.0.1:8000/v1");
    assert!(openai.base_is_explicit && openai.key.is_none());
    assert!(config.providers.openrouter.is_none(), "an empty value counts as not set");
    assert_eq!(config.providers.local.as_ref().unwrap().as_str(), "http://127.0.0.1:11434/v1");
    assert_eq!(config.named.panel[1].model, "qwen3:8b");
    assert_eq!(config.budgets.session.money, Money(500_000));
    assert_eq!(config.budgets.server_day.calls, 7);
    assert_eq!(config.first_token(Provider::Local), Duration::from_secs(5));
    assert_eq!(config.document_chars, Some(8_000));
    assert_eq!(config.metrics_port, Some(9_464));
    assert!(config.log.json);
    assert_eq!(config.cache.as_deref(), Some(Path::new("/c")));
    let shown = format!("{config:?}");
    assert!(!shown.contains("abc.def") && !shown.contains("key-a"), "{shown}");
}

/// Each bad value alone, and a part of what is said about it.
const BAD: [(&str, &str, &str); 74] = [
    ("DISCORD_TOKEN", "Bot abc", "has a space"),
    ("DISCORD_TOKEN", "ab\ncd", "a line break"),
    ("DISCORD_TOKEN", "ключ", "another character that no key has"),
    ("DISCORD_API_BASE", "discord.com", "is not an address"),
    ("DISCORD_API_BASE", "ftp://discord.com", "does not begin with http:// or https://"),
    ("DISCORD_API_BASE", "https://discord.com/api/v10", "must be an origin"),
    ("QUORUM_SHARDS", "many", "which is not a range of shards, such as 0-15/64"),
    ("QUORUM_SHARDS", "0-64/64", "names shard 64, but of 64 shards the last is 63"),
    ("QUORUM_SHARDS", "3-1/4", "which goes backwards: write the lower number first, 1-3/4"),
    ("QUORUM_SHARDS", "0-1/0", "which is a range of no shards"),
    ("QUORUM_FLEET", "0-1/4", "which does not have every shard exactly once: no range has shard 2 to 3"),
    ("QUORUM_FLEET", "0-1/4,two", "has \"two\" in it, and that is not a range of shards"),
    ("QUORUM_FLEET", "0-1/4,2-3/4", "and QUORUM_SHARDS does not say which of these ranges this process runs"),
    ("QUORUM_REST_RATE", "0", "neither a whole number from 1 to 45 (requests a second) nor the word proxy"),
    ("QUORUM_REST_RATE", "46", "neither a whole number from 1 to 45"),
    ("QUORUM_REST_RATE", "12.5", "neither a whole number from 1 to 45"),
    ("QUORUM_REST_RATE", "nirn", "nor the word proxy"),
    ("DATABASE_URL", "postgres://user:hunter2@host/db", "is not a SQLite file"),
    ("DATABASE_URL", "quorum.db", "is not a SQLite file"),
    ("DATABASE_URL", "sqlite::memory:", "kept in memory alone would be lost"),
    ("DATABASE_URL", "sqlite://", "names no file"),
    ("DATABASE_URL", "sqlite:///data/", "names a folder"),
    ("DATABASE_URL", "sqlite://q.db?cache=shared", "has options"),
    ("ANTHROPIC_API_KEY", "two words", "has a space"),
    ("ANTHROPIC_BASE_URL", "https://api.anthropic.com/v1", "ends in /v1, which is added"),
    ("ANTHROPIC_BASE_URL", "https://api.anthropic.com/v1/messages", "path of a single call"),
    ("OPENAI_BASE_URL", "http://me:hunter2@host/v1", "has a user name or password in it"),
    ("OPENAI_BASE_URL", "http://host/v1/chat/completions/", "path of a single call"),
    ("OPENAI_BASE_URL", "http://host/v1?key=hunter2", "has a ? or #"),
    ("OPENROUTER_BASE_URL", "openrouter.ai/api/v1", "is not an address"),
    ("AZURE_OPENAI_API_KEY", "two words", "has a space"),
    (
        "AZURE_OPENAI_API_KEY",
        "k",
        "is not set. Write for example AZURE_OPENAI_ENDPOINT=https://NAME.openai.azure.com",
    ),
    ("AZURE_OPENAI_ENDPOINT", "team.openai.azure.com", "is not an address"),
    (
        "AZURE_OPENAI_ENDPOINT",
        "https://me:hunter2@team.openai.azure.com",
        "has a user name or password in it",
    ),
    ("AZURE_OPENAI_ENDPOINT", "https://team.openai.azure.com/?api-version=2024-10-21", "has a ? or #"),
    ("AZURE_OPENAI_ENDPOINT", "https://team.openai.azure.com/openai/deployments/gpt", "names a deployment"),
    (
        "AZURE_OPENAI_ENDPOINT",
        "https://team.openai.azure.com/openai/v1/chat/completions",
        "path of a single call",
    ),
    (
        "AZURE_OPENAI_ENDPOINT",
        "https://team.openai.azure.com/openai/",
        "ends in /openai, which is added to it",
    ),
    ("AZURE_OPENAI_API_VERSION", "2024-10-21&x=y", "is no version of Azure's API. Write for example"),
    ("GEMINI_BASE_URL", "https://host/v1beta/openai/chat/completions", "path of a single call"),
    ("OLLAMA_HOST", "http://", "is not an address"),
    ("OLLAMA_HOST", "host:port", "is not an address"),
    ("QUORUM_MODELS", "gpt-5", "names \"gpt-5\", which is not a model: write provider/model"),
    ("QUORUM_MODELS", "mystery/x", "the provider one of anthropic"),
    ("QUORUM_MODELS", ",,", "names no model"),
    (
        "QUORUM_MODELS",
        "openai/gpt-5",
        "names openai/gpt-5, but OPENAI_API_KEY is not set. Set OPENAI_API_KEY (or OPENAI_BASE_URL",
    ),
    ("QUORUM_MODEL_NOTARY", "anthropic/claude", "ANTHROPIC_API_KEY is not set"),
    ("QUORUM_MODEL_PICTURES", "anthropic/claude", "ANTHROPIC_API_KEY is not set"),
    (
        "QUORUM_MODELS",
        "azure/team-gpt",
        "but AZURE_OPENAI_ENDPOINT is not set. Set AZURE_OPENAI_ENDPOINT and AZURE_OPENAI_API_KEY, or name another",
    ),
    (
        "QUORUM_MODEL_CHEAP",
        "gemini/gemini-3.5-flash-lite",
        "but GEMINI_API_KEY is not set. Set GEMINI_API_KEY (or",
    ),
    ("QUORUM_MODELS", "google/gemini-3.5-flash-lite", "openrouter, azure, gemini, ollama, local"),
    ("QUORUM_BUDGET_SESSION_USD", "much", "is \"much\", not an amount of dollars"),
    ("QUORUM_BUDGET_SESSION_USD", "NaN", "not an amount of dollars"),
    ("QUORUM_BUDGET_SESSION_USD", "-1", "not an amount of dollars"),
    ("QUORUM_BUDGET_MEMBER_DAY_TOKENS", "1e6", "not a whole number from 1"),
    ("QUORUM_BUDGET_SERVER_DAY_CALLS", "0", "not a whole number from 1"),
    ("QUORUM_MAX_RUNNING_PER_SERVER", "99999999999", "not a whole number from 1 to 10000"),
    ("QUORUM_MAX_OPEN_PER_MEMBER", "0", "not a whole number from 1 to 10000"),
    ("QUORUM_DOCUMENT_CHARS", "1999", "not a whole number from 2000 to 2000000"),
    ("QUORUM_DOCUMENT_CHARS", "60k", "not a whole number from 2000 to 2000000"),
    ("QUORUM_FIRST_TOKEN_SECONDS", "0", "not a whole number from 1 to 3600"),
    ("TAVILY_API_KEY", "two words", "has a space"),
    ("TAVILY_BASE_URL", "https://api.tavily.com/search", "must be an origin: /search is added"),
    ("TAVILY_BASE_URL", "http://127.0.0.1:9000", "TAVILY_API_KEY is not set. Set TAVILY_API_KEY"),
    ("SEARXNG_URL", "http://me:hunter2@search.example", "has a user name or password in it"),
    ("SEARXNG_URL", "https://search.example/search/", "ends in /search, which is added"),
    ("QUORUM_PRICES", "/no/such/file", "is no file"),
    ("QUORUM_PROMPTS_DIR", "/no/such/folder", "is no folder"),
    ("QUORUM_METRICS_PORT", "0", "is \"0\", not a whole number from 1 to 65535"),
    ("QUORUM_METRICS_PORT", "65536", "not a whole number from 1 to 65535"),
    ("QUORUM_METRICS_PORT", "127.0.0.1:9464", "not a whole number from 1 to 65535"),
    ("RUST_LOG", "quorum=loud", "cannot be read"),
    ("LOG_FORMAT", "xml", "is \"xml\", which is no format"),
    ("QUORUM_MODELS", "sk-ant-hunter2", "looks like a key"),
];

#[test]
fn every_bad_value_is_refused_by_name_with_a_remedy_and_no_secret() {
    for (name, value, part) in BAD {
        let error = read(&[(name, value)]).expect_err(&format!("{name}={value} was taken"));
        assert_eq!(error.problems.len(), 1, "{name}={value}: {error}");
        let said = error.to_string();
        assert!(said.starts_with(name), "{said}");
        assert!(said.contains(part), "{name}={value}: {said}");
        assert!(error.problems[0].remedy.len() > 10, "{said}");
        assert!(!said.contains("hunter2"), "{said}");
    }
}

#[test]
fn all_problems_are_told_at_once() {
    let error = read(&[
        ("DISCORD_TOKEN", "a b"),
        ("DATABASE_URL", "mysql://x"),
        ("QUORUM_MODELS", "openai/gpt-5,foo"),
        ("LOG_FORMAT", "xml"),
    ])
    .unwrap_err();
    let settings: Vec<&str> = error.problems.iter().map(|problem| problem.setting.as_str()).collect();
    let expected = ["DISCORD_TOKEN", "DATABASE_URL", "QUORUM_MODELS", "QUORUM_MODELS", "LOG_FORMAT"];
    assert_eq!(settings, expected);
    assert!(error.to_string().starts_with("5 settings cannot be used:\n  * DISCORD_TOKEN has a space"));
}

#[test]
fn ollamas_own_forms_are_understood() {
    for (value, base) in [
        ("127.0.0.1", "http://127.0.0.1:11434/v1"),
        ("box:9999", "http://box:9999/v1"),
        (":9999", "http://127.0.0.1:9999/v1"),
        ("https://models.example", "https://models.example/v1"),
        ("http://box:9999/v1/", "http://box:9999/v1"),
        ("[::1]:11434", "http://[::1]:11434/v1"),
    ] {
        let config = read(&[("OLLAMA_HOST", value)]).unwrap();
        assert_eq!(config.providers.local.unwrap().as_str(), base, "{value}");
    }
}

#[test]
fn azure_has_an_address_of_ones_own_and_gemini_has_googles() {
    for (address, base, version) in [
        ("https://team.openai.azure.com/", "https://team.openai.azure.com/", Some("2024-10-21")),
        ("https://team.openai.azure.com/openai/v1/", "https://team.openai.azure.com/openai/v1", None),
        ("http://proxy:9/team", "http://proxy:9/team", Some("2024-10-21")),
    ] {
        let config =
            read(&[("AZURE_OPENAI_ENDPOINT", address), ("QUORUM_MODELS", "azure/team-gpt")]).unwrap();
        assert!(config.warnings.is_empty(), "{:?}", config.warnings);
        let azure = config.providers.of(Provider::Azure).unwrap();
        assert_eq!((azure.base.as_str(), azure.api_version.as_deref()), (base, version));
        assert!(azure.base_is_explicit && azure.key.is_none(), "{address}");
    }
    let settings = [
        ("AZURE_OPENAI_API_KEY", "key-z"),
        ("AZURE_OPENAI_ENDPOINT", "https://team.openai.azure.com"),
        ("AZURE_OPENAI_API_VERSION", "2025-04-01-preview"),
        ("GEMINI_API_KEY", "key-g"),
    ];
    let config = read(&settings).unwrap();
    assert!(
        config.warnings[0].starts_with("AZURE_OPENAI_ENDPOINT is set, and no setting names a deployment")
    );
    let azure = config.providers.of(Provider::Azure).unwrap();
    assert_eq!(azure.api_version.as_deref(), Some("2025-04-01-preview"));
    assert_eq!(azure.key.as_ref().unwrap().reveal(), "key-z");
    let gemini = config.providers.of(Provider::Gemini).unwrap();
    assert_eq!(gemini.base.as_str(), "https://generativelanguage.googleapis.com/v1beta/openai");
    assert!(!gemini.base_is_explicit && gemini.api_version.is_none());
    let shown = format!("{config:?}");
    assert!(!shown.contains("key-z") && !shown.contains("key-g"), "{shown}");
}

#[tokio::test]
async fn seats_are_filled_as_named_then_as_configured_then_as_found() {
    let found = Some(("http://127.0.0.1:8080/v1", "qwen3"));
    let (named, looked) = models(
        &[
            ("OPENAI_API_KEY", "k"),
            ("QUORUM_MODELS", "openai/a,openai/b"),
            ("QUORUM_MODEL_MEDIATOR", "openai/c"),
        ],
        found,
    )
    .await
    .unwrap();
    let panel: Vec<String> = named.panel.iter().map(ToString::to_string).collect();
    assert_eq!(panel, ["openai/a", "openai/b"]);
    assert_eq!(named.mediator.to_string(), "openai/c");
    assert_eq!(named.cheap.to_string(), "openai/a");
    assert!(!looked && named.local.is_none(), "nothing is looked for where the answer does not matter");

    let (configured, looked) =
        models(&[("OPENAI_API_KEY", "k"), ("ANTHROPIC_API_KEY", "k")], found).await.unwrap();
    let providers: Vec<Provider> = configured.panel.iter().map(|model| model.provider).collect();
    assert_eq!(providers, [Provider::Anthropic, Provider::Openai]);
    assert_eq!(configured.cheap.provider, Provider::Anthropic);
    assert_ne!(configured.cheap, configured.panel[0]);
    assert!(!looked && configured.chosen.contains("openai/gpt-6.1-sol"), "{}", configured.chosen);

    let (google, looked) = models(&[("GEMINI_API_KEY", "k")], found).await.unwrap();
    let models_of_it = [&google.panel[0], &google.cheap].map(ToString::to_string);
    assert_eq!(models_of_it, ["gemini/gemini-4-hydrogen", "gemini/gemini-3.5-flash-lite"]);
    assert!(!looked);

    let (local, looked) = models(&[], found).await.unwrap();
    assert_eq!(local.panel[0].to_string(), "local/qwen3");
    assert_eq!(local.local.unwrap().as_str(), "http://127.0.0.1:8080/v1");
    assert!(looked && local.chosen.contains("found local/qwen3 at http://127.0.0.1:8080/v1"));

    let (mixed, looked) =
        models(&[("OPENAI_API_KEY", "k"), ("QUORUM_MODELS", "openai/a,local/b")], found).await.unwrap();
    assert!(looked && mixed.local.is_some());
}

#[tokio::test]
async fn no_model_is_said_with_what_to_do() {
    let none = models(&[], None).await.unwrap_err().to_string();
    assert!(none.contains("ANTHROPIC_API_KEY") && none.contains("--local-model"), "{none}");
    let azure = ("AZURE_OPENAI_ENDPOINT", "https://team.openai.azure.com");
    let found = Some(("http://127.0.0.1:8080/v1", "qwen3"));
    let unnamed = models(&[azure], found).await.unwrap_err().to_string();
    let said = "AZURE_OPENAI_ENDPOINT is set, and QUORUM_MODELS does not name a deployment. Write QUORUM_MODELS=azure/";
    assert!(unnamed.starts_with(said), "{unnamed}");
    let (beside, _) = models(&[azure, ("GEMINI_API_KEY", "k")], None).await.unwrap();
    assert_eq!(beside.panel.len(), 1, "{}", beside.chosen);
    let ollama = models(&[("OLLAMA_HOST", "box")], None).await.unwrap_err().to_string();
    assert!(ollama.starts_with("OLLAMA_HOST leads to http://box:11434/v1"), "{ollama}");
    let named = models(&[("QUORUM_MODELS", "local/qwen3")], None).await.unwrap_err().to_string();
    assert!(named.starts_with("QUORUM_MODELS names local/qwen3, but no model server answers"), "{named}");
    let later = models(&[("QUORUM_MODELS", "local/qwen3"), ("OLLAMA_HOST", "box")], None).await.unwrap();
    assert!(!later.1, "a server with a set address may be started later");
}

#[test]
fn where_to_search_is_tavily_else_searxng_else_nowhere() {
    let config = read(&[("TAVILY_API_KEY", "tvly-a")]).unwrap();
    let shown = format!("{config:?}");
    assert!(!shown.contains("tvly-a"), "{shown}");
    let Some(SearchSettings::Tavily { base, key }) = &config.search else { panic!("{shown}") };
    assert_eq!((base.as_str(), key.reveal()), ("https://api.tavily.com/", "tvly-a"));
    assert!(config.warnings.is_empty());

    let config = read(&[
        ("TAVILY_API_KEY", "tvly-a"),
        ("TAVILY_BASE_URL", "http://127.0.0.1:9000/"),
        ("SEARXNG_URL", "http://box:8888"),
    ])
    .unwrap();
    assert!(config.warnings[0].starts_with("SEARXNG_URL is not used"), "{:?}", config.warnings);
    let Some(SearchSettings::Tavily { base, .. }) = &config.search else { panic!("{:?}", config.search) };
    assert_eq!(base.as_str(), "http://127.0.0.1:9000/");

    let config = read(&[("SEARXNG_URL", "https://box.example/searx/"), ("TAVILY_API_KEY", " ")]).unwrap();
    assert!(config.warnings.is_empty(), "{:?}", config.warnings);
    let Some(SearchSettings::Searxng(base)) = &config.search else { panic!("{:?}", config.search) };
    assert_eq!(base.as_str(), "https://box.example/searx");
}

#[test]
fn the_example_names_every_setting_and_no_other() {
    let example = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/.env.example")).unwrap();
    let named: Vec<&str> = example
        .lines()
        .filter_map(|line| line.strip_prefix('#').unwrap_or(line).split_once('='))
        .map(|(name, _)| name)
        .filter(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
        .collect();
    assert_eq!(named, SETTINGS);
}
