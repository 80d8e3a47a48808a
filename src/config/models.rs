//! Which model sits where: as named, else as configured, else as found on this computer.

use url::Url;

use super::{Config, ConfigError, NamedModels, Providers, reader::Reader};
use domain::{ModelName, Provider};

/// What each provider is asked for when nobody chose: for the panel, and for small checks. Vendors retire models;
/// these were current in November 2026, when OpenAI had announced the end of its GPT-5 for December. Azure has none: its
/// deployments are called what their owners call them.
pub(super) const DEFAULTS: [(Provider, &str, &str); 4] = [
    (Provider::Anthropic, "claude-sonnet-5-5", "claude-haiku-5-5"),
    (Provider::Openai, "gpt-6.1-sol", "gpt-6-luna"),
    (Provider::Openrouter, "anthropic/claude-sonnet-5.5", "anthropic/claude-haiku-5.5"),
    (Provider::Gemini, "gemini-4-hydrogen", "gemini-3.5-flash-lite"),
];

/// A server found on this computer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalServer {
    /// Its base, ending in `/v1`.
    pub base: Url,
    /// Its first model, by its own name.
    pub model: String,
}

/// The model of every seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Models {
    /// The panel, at least one; the first is the default.
    pub panel: Vec<ModelName>,
    /// Writes syntheses; the panel's first unless named, as the following.
    pub mediator: ModelName,
    /// Leads debates.
    pub moderator: ModelName,
    /// Checks what may pass.
    pub gatekeeper: ModelName,
    /// Keeps records.
    pub notary: ModelName,
    /// Does small checks.
    pub cheap: ModelName,
    /// Reads pages without text and pictures that members attach; `None`: nobody does.
    pub pictures: Option<ModelName>,
    /// Base of the server that `local/…` models are asked at, ending in `/v1`.
    pub local: Option<Url>,
    /// A sentence for the log: which models were chosen, and why.
    pub chosen: String,
}

impl Models {
    /// Every seat filled by the one model of a local server.
    #[must_use]
    pub fn only_local(server: LocalServer) -> Self {
        let model = ModelName { provider: Provider::Local, model: server.model };
        Self {
            chosen: format!("all seats use {model} at {}", server.base),
            panel: vec![model.clone()],
            mediator: model.clone(),
            moderator: model.clone(),
            gatekeeper: model.clone(),
            notary: model.clone(),
            cheap: model,
            pictures: None,
            local: Some(server.base),
        }
    }

    fn seated(
        named: &NamedModels,
        cheap: Option<ModelName>,
        local: Option<Url>,
        chosen: String,
    ) -> Option<Self> {
        let first = named.panel.first()?;
        let or_first = |role: &Option<ModelName>| role.clone().unwrap_or_else(|| first.clone());
        Some(Self {
            panel: named.panel.clone(),
            mediator: or_first(&named.mediator),
            moderator: or_first(&named.moderator),
            gatekeeper: or_first(&named.gatekeeper),
            notary: or_first(&named.notary),
            cheap: named.cheap.clone().or(cheap).unwrap_or_else(|| first.clone()),
            pictures: named.pictures.clone(),
            local,
            chosen,
        })
    }
}

impl Config {
    /// Where to look for a server on this computer: the one that is set, else the usual places of Ollama,
    /// llama-server and LM Studio.
    #[must_use]
    pub fn local_places(&self) -> Vec<Url> {
        match &self.providers.local {
            Some(base) => vec![base.clone()],
            None => [11434, 8080, 1234]
                .iter()
                .filter_map(|port| Url::parse(&format!("http://127.0.0.1:{port}/v1")).ok())
                .collect(),
        }
    }

    /// Fills every seat. `find_local` looks for a server at the given places; it is only called where the
    /// answer depends on it.
    pub async fn models<F>(&self, find_local: F) -> Result<Models, ConfigError>
    where
        F: AsyncFnOnce(Vec<Url>) -> Option<LocalServer>,
    {
        if !self.named.panel.is_empty() {
            let local = self.local_of_named(find_local).await?;
            let chosen = format!("QUORUM_MODELS names {}", listed(&self.named.panel));
            return Models::seated(&self.named, None, local, chosen).ok_or_else(no_model);
        }
        let configured = |provider| self.providers.of(provider).is_some();
        let defaults: Vec<_> =
            DEFAULTS.iter().filter(|(provider, _, _)| configured(*provider)).copied().collect();
        if let Some((provider, _, cheap)) = defaults.first().copied() {
            let name = |provider, model: &str| ModelName { provider, model: model.to_owned() };
            let panel: Vec<_> = defaults.iter().map(|(provider, model, _)| name(*provider, model)).collect();
            let chosen = format!("QUORUM_MODELS is not set; by the keys there are: {}", listed(&panel));
            let local = self.local_of_named(find_local).await?;
            let named = NamedModels { panel, ..self.named.clone() };
            return Models::seated(&named, Some(name(provider, cheap)), local, chosen).ok_or_else(no_model);
        }
        // A server that happens to run here is not what was meant by an address at Azure.
        if self.providers.azure.is_some() && self.providers.local.is_none() {
            return Err(no_deployment());
        }
        let Some(server) = find_local(self.local_places()).await else {
            return Err(match &self.providers.local {
                Some(base) => no_local(base),
                None => no_model(),
            });
        };
        let model = ModelName { provider: Provider::Local, model: server.model };
        let chosen = format!("no model is configured; found {model} at {}", server.base);
        let named = NamedModels { panel: vec![model], ..self.named.clone() };
        Models::seated(&named, None, Some(server.base), chosen).ok_or_else(no_model)
    }

    /// The server of the `local/…` models that are named; nothing is looked for when none is, or when its
    /// address is set (it may be started later).
    async fn local_of_named<F>(&self, find_local: F) -> Result<Option<Url>, ConfigError>
    where
        F: AsyncFnOnce(Vec<Url>) -> Option<LocalServer>,
    {
        let Some((setting, model)) =
            every_named(&self.named).into_iter().find(|(_, model)| model.provider == Provider::Local)
        else {
            return Ok(self.providers.local.clone());
        };
        if let Some(base) = &self.providers.local {
            return Ok(Some(base.clone()));
        }
        match find_local(self.local_places()).await {
            Some(server) => Ok(Some(server.base)),
            None => Err(ConfigError::one(
                setting,
                format!(
                    "names {model}, but no model server answers on this computer (ports 11434, 8080, 1234)"
                ),
                "Start one (Ollama, llama-server, LM Studio), or write its address, for example \
                 OLLAMA_HOST=127.0.0.1:11434",
            )),
        }
    }
}

/// Each model that is named needs its provider's key or address.
pub(super) fn check_named<F: Fn(&str) -> Option<String>>(
    read: &mut Reader<F>,
    named: &NamedModels,
    providers: &Providers,
) {
    for (setting, model) in every_named(named) {
        let [key, base] = match model.provider {
            Provider::Anthropic => ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"],
            Provider::Openai => ["OPENAI_API_KEY", "OPENAI_BASE_URL"],
            Provider::Openrouter => ["OPENROUTER_API_KEY", "OPENROUTER_BASE_URL"],
            Provider::Azure => ["AZURE_OPENAI_API_KEY", "AZURE_OPENAI_ENDPOINT"],
            Provider::Gemini => ["GEMINI_API_KEY", "GEMINI_BASE_URL"],
            Provider::Local => continue,
        };
        // A key that is there but cannot be used has its own problem.
        let tried = read.text(key).is_some() || read.text(base).is_some();
        if tried || providers.of(model.provider).is_some() {
            continue;
        }
        let (lacking, remedy) = match model.provider {
            Provider::Azure => (base, format!("Set {base} and {key}, or name another model.")),
            _ => (
                key,
                format!("Set {key} (or {base}, for a server that needs no key), or name another model."),
            ),
        };
        read.problem(setting, format!("names {model}, but {lacking} is not set"), remedy);
    }
}

/// Every model that is named, with the setting that names it.
pub(super) fn every_named(named: &NamedModels) -> Vec<(&'static str, &ModelName)> {
    let roles = [
        ("QUORUM_MODEL_MEDIATOR", &named.mediator),
        ("QUORUM_MODEL_MODERATOR", &named.moderator),
        ("QUORUM_MODEL_GATEKEEPER", &named.gatekeeper),
        ("QUORUM_MODEL_NOTARY", &named.notary),
        ("QUORUM_MODEL_CHEAP", &named.cheap),
        ("QUORUM_MODEL_PICTURES", &named.pictures),
    ];
    let panel = named.panel.iter().map(|model| ("QUORUM_MODELS", model));
    panel.chain(roles.into_iter().filter_map(|(name, model)| Some((name, model.as_ref()?)))).collect()
}

fn listed(models: &[ModelName]) -> String {
    models.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn no_model() -> ConfigError {
    ConfigError::one(
        "QUORUM_MODELS",
        "is not set and no key is, and no model server answers on this computer (ports 11434, 8080, 1234), so \
         there is no model",
        "Set one of ANTHROPIC_API_KEY, OPENAI_API_KEY, OPENROUTER_API_KEY, GEMINI_API_KEY in .env (.env.example also \
         explains Azure OpenAI), or start Ollama, llama-server or LM Studio. To only try it: quorum playground \
         --local-model",
    )
}

fn no_deployment() -> ConfigError {
    ConfigError::one(
        "AZURE_OPENAI_ENDPOINT",
        "is set, and QUORUM_MODELS does not name a deployment",
        "Write QUORUM_MODELS=azure/DEPLOYMENT, with the name that you gave the deployment at Azure; several are \
         separated by commas.",
    )
}

fn no_local(base: &Url) -> ConfigError {
    ConfigError::one(
        "OLLAMA_HOST",
        format!("leads to {base}, where no server with a model answers"),
        "Start it and load a model (ollama pull qwen3), correct the address, or set a provider's key.",
    )
}
