//! Which models a server has, and whether there is a server on this machine.

use std::time::Duration;

use futures::future::join_all;
use reqwest::Client;
use serde_json::Value;
use tokio::time::timeout;
use url::Url;

use super::{CallError, Class, Endpoint, Llm, classify::Complaint, error::transport, stream::bounded};
use domain::{ModelName, Provider};

/// Where Ollama, llama-server and LM Studio listen unless told otherwise.
pub const LOCAL_CANDIDATES: [&str; 3] =
    ["http://127.0.0.1:11434/v1", "http://127.0.0.1:8080/v1", "http://127.0.0.1:1234/v1"];

/// How long a server on this machine is waited for.
pub const LOCAL_PATIENCE: Duration = Duration::from_millis(300);

/// A server found on this machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalServer {
    /// Its base; ends in `/v1`.
    pub base: Url,
    /// Its models' ids, as it lists them; at least one.
    pub models: Vec<String>,
}

/// Looks for a server that lists at least one model, at all candidates at once; the earliest in the list wins.
/// `patience` is for each, so for all.
pub async fn find_local(candidates: &[Url], patience: Duration) -> Option<LocalServer> {
    let client = tls::client().no_proxy().redirect(reqwest::redirect::Policy::none()).build().ok()?;
    let tries = candidates.iter().map(|base| {
        let (endpoint, client) = (Endpoint { base: base.clone(), key: None }, client.clone());
        async move {
            let models = timeout(patience, list(&client, &endpoint, Provider::Local)).await.ok()?.ok()?;
            (!models.is_empty()).then_some(LocalServer { base: endpoint.base, models })
        }
    });
    join_all(tries).await.into_iter().flatten().next()
}

impl Llm {
    /// The ids of the models that the provider offers this key; costs nothing. Fails like [`Llm::send`], so it
    /// also tells whether server and key are right. (`OpenRouter` lists its models even for a wrong key.)
    pub async fn models(&self, provider: Provider) -> Result<Vec<String>, CallError> {
        let endpoint = self.endpoint(provider)?;
        let patience = self.0.limits.remote.first_token;
        let outcome = timeout(patience, list(self.client(endpoint), endpoint, provider)).await;
        outcome.unwrap_or_else(|_| {
            let text = format!("{} did not list its models within {patience:?}", provider.as_str());
            Err(CallError::new(Class::Timeout, text))
        })
    }
}

impl Llm {
    /// The context that a server on this machine gives a model: llama.cpp tells it for each of its slots
    /// (`/props`, <https://github.com/ggml-org/llama.cpp/tree/master/tools/server>), Ollama for the models it has loaded
    /// (`/api/ps`, <https://docs.ollama.com/api/ps>). Both stand beside `/v1`.
    pub(super) async fn local_context(&self, model: &ModelName) -> Option<u32> {
        let endpoint = self.endpoint(Provider::Local).ok()?;
        let base = endpoint.base.as_str().trim_end_matches('/').trim_end_matches("/v1").to_owned();
        let ask = async |path: &str| -> Option<Value> {
            let request = self.client(endpoint).get(format!("{base}{path}"));
            let response = timeout(LOCAL_PATIENCE, request.send()).await.ok()?.ok()?;
            if !response.status().is_success() {
                return None;
            }
            let text = timeout(LOCAL_PATIENCE, bounded(response)).await.ok()?;
            serde_json::from_str(&text).ok()
        };
        let props = ask("/props").await.unwrap_or_default();
        let tokens = if let Some(slot) = props["default_generation_settings"]["n_ctx"].as_u64() {
            Some(slot)
        } else {
            let loaded = ask("/api/ps").await.unwrap_or_default();
            let named = |row: &&Value| row["name"] == model.model || row["model"] == model.model;
            loaded["models"].as_array()?.iter().find(named)?["context_length"].as_u64()
        };
        tokens.and_then(|tokens| u32::try_from(tokens).ok()).filter(|tokens| *tokens > 0)
    }
}

async fn list(client: &Client, endpoint: &Endpoint, provider: Provider) -> Result<Vec<String>, CallError> {
    let path = if provider == Provider::Anthropic { "/v1/models" } else { "/models" };
    let request = endpoint.authorize(provider, client.get(endpoint.url(path)))?;
    let response = request.send().await.map_err(|error| transport(provider.as_str(), error))?;
    let (status, headers) = (response.status(), response.headers().clone());
    let text = bounded(response).await;
    let text = endpoint.redacted(&text);
    if !status.is_success() {
        return Err(Complaint::of_body(&text).error(provider, status.as_u16(), &headers));
    }
    let value: Value = serde_json::from_str(&text).unwrap_or_default();
    let Some(models) = value["data"].as_array() else {
        let text = format!("{}: no list of models came; check the base URL", provider.as_str());
        return Err(CallError::new(Class::Broken, text));
    };
    Ok(models.iter().filter_map(|model| model["id"].as_str().map(str::to_owned)).collect())
}
