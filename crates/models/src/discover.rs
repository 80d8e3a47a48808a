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
        let (endpoint, client) = (Endpoint::new(base.clone(), None), client.clone());
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

/// Addresses beside `/v1` where servers on one's own machine say how much a model takes in.
const TOLD_AT: [&str; 4] = [
    // llama.cpp, for each of its slots (<https://github.com/ggml-org/llama.cpp/tree/master/tools/server>).
    "/props",
    // Ollama, for the models that it has in memory (<https://docs.ollama.com/api/ps>).
    "/api/ps",
    // vLLM and SGLang, in their list of models.
    "/v1/models",
    // LM Studio (<https://lmstudio.ai/docs/developer/rest/endpoints>).
    "/api/v0/models",
];

impl Llm {
    /// The context that a server on this machine gives a model. Ollama says it only while the model is in memory, so that what
    /// was said once is remembered.
    pub(super) async fn local_context(&self, model: &ModelName) -> Option<u32> {
        let endpoint = self.endpoint(Provider::Local).ok()?;
        let base = endpoint.base.as_str().trim_end_matches('/').trim_end_matches("/v1").to_owned();
        for path in TOLD_AT {
            let request = self.client(endpoint).get(format!("{base}{path}"));
            let Ok(Ok(response)) = timeout(LOCAL_PATIENCE, request.send()).await else { continue };
            if !response.status().is_success() {
                continue;
            }
            let text = timeout(LOCAL_PATIENCE, bounded(response)).await.unwrap_or_default();
            let told = serde_json::from_str(&text).unwrap_or_default();
            if let Some(tokens) = told_context(&told, &model.model) {
                self.0.learned.add_context(model, tokens);
                return Some(tokens);
            }
        }
        self.0.learned.context(model)
    }
}

/// How much a model takes in, as a server's own words have it.
fn told_context(told: &Value, model: &str) -> Option<u32> {
    let rows = [&told["models"], &told["data"]].into_iter().filter_map(Value::as_array).flatten();
    let named = |row: &&Value| {
        ["name", "model", "id"]
            .iter()
            .filter_map(|name| row[*name].as_str())
            .any(|name| is_called(name, model))
    };
    let row = rows.clone().find(named);
    let of_row = |row: &Value| {
        ["/context_length", "/max_model_len", "/meta/n_ctx", "/loaded_context_length"]
            .iter()
            .find_map(|place| row.pointer(place)?.as_u64())
    };
    let slot = told["default_generation_settings"]["n_ctx"].as_u64();
    let tokens = slot.or_else(|| row.and_then(of_row))?;
    u32::try_from(tokens).ok().filter(|tokens| *tokens > 0)
}

/// Whether a server's name for a model is what it is called in the settings: Ollama adds `:latest` to one without a tag.
fn is_called(listed: &str, named: &str) -> bool {
    listed == named
        || listed.strip_suffix(":latest") == Some(named)
        || named.strip_suffix(":latest") == Some(listed)
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
    // Together's list has no name, and Ollama's is null where it has no model.
    let models = value.as_array().or_else(|| value["data"].as_array());
    let Some(models) =
        models.map(Vec::as_slice).or(value.get("data").is_some_and(Value::is_null).then_some(&[]))
    else {
        let text = format!("{}: no list of models came; check the base URL", provider.as_str());
        return Err(CallError::new(Class::Broken, text));
    };
    Ok(models.iter().filter_map(|model| model["id"].as_str().map(str::to_owned)).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::script::Script;

    #[tokio::test]
    async fn a_list_of_models_is_read_however_it_is_put() {
        for (body, wanted) in [
            (json!({"data": [{"id": "a"}, {"id": "b"}]}), Some(vec!["a", "b"])),
            (json!([{"id": "a"}]), Some(vec!["a"])),
            (json!({"object": "list", "data": null}), Some(Vec::new())),
            (json!({"data": 7}), None),
            (json!({}), None),
        ] {
            let told = body.to_string();
            let script = Script::start(move |_, _| (200, "application/json", told.clone()));
            let models = script.llm.models(Provider::Local).await;
            let broken = models.as_ref().is_err_and(|error| error.class == Class::Broken);
            assert_eq!(broken, wanted.is_none(), "{body}");
            assert_eq!(models.unwrap_or_default(), wanted.unwrap_or_default(), "{body}");
        }
    }

    #[tokio::test]
    async fn a_context_that_was_told_once_is_remembered() {
        let script = Script::start(|n, _| match n {
            0 => (404, "application/json", "{}".to_owned()),
            1 => {
                let told = json!({"models": [{"name": "m:latest", "context_length": 8192}]});
                (200, "application/json", told.to_string())
            }
            _ => (200, "application/json", json!({"models": []}).to_string()),
        });
        let model = "local/m".parse().unwrap();
        for _ in 0..2 {
            assert_eq!(script.llm.context(&model).await, Some(8_192));
        }
        assert_eq!(script.llm.context(&"local/other".parse().unwrap()).await, None);
    }

    #[test]
    fn every_server_says_in_its_own_place_how_much_a_model_takes_in() {
        let rows = [
            (json!({"default_generation_settings": {"n_ctx": 4096}}), "m", Some(4_096)),
            (json!({"models": [{"name": "qwen3:latest", "context_length": 8192}]}), "qwen3", Some(8_192)),
            (json!({"models": [{"model": "qwen3", "context_length": 8192}]}), "qwen3:latest", Some(8_192)),
            (json!({"models": [{"name": "qwen3:8b", "context_length": 8192}]}), "qwen3", None),
            (json!({"models": []}), "qwen3", None),
            (json!({"data": [{"id": "v/m", "max_model_len": 32768}]}), "v/m", Some(32_768)),
            (json!({"data": [{"id": "m", "meta": {"n_ctx": 2048}}]}), "m", Some(2_048)),
            (
                json!({"data": [{"id": "m", "loaded_context_length": 1024, "max_context_length": 9}]}),
                "m",
                Some(1_024),
            ),
            (json!({"data": [{"id": "other", "max_model_len": 32768}]}), "m", None),
            (json!({"data": [{"id": "m", "max_model_len": 0}]}), "m", None),
            (json!(null), "m", None),
        ];
        for (told, model, wanted) in rows {
            assert_eq!(told_context(&told, model), wanted, "{told}");
        }
    }
}
