//! A scripted search server on loopback that speaks like Tavily and like `SearXNG`. Unscripted, it finds three pages
//! for every query, one of which it finds for all of them.
#![allow(dead_code, unused_imports, unreachable_pub)] // each test includes this file and uses its own part of it
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test server that fails loudly

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Json, Router,
    body::{Body, Bytes},
    extract::{Query, State},
    http::{HeaderMap, Method, StatusCode, Uri},
    response::{IntoResponse, Response},
};
use domain::Secret;
use models::search::Engine;
use serde_json::{Value, json};
use url::Url;

use super::loopback::Loopback;

/// How a query was worded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// `POST /search` with a key.
    Tavily,
    /// `GET /search?q=…&format=json`.
    Searxng,
}

/// A query that came.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What was searched for.
    pub query: String,
    /// From 1: how many times this query has come.
    pub n: usize,
    /// In whose words.
    pub engine: Dialect,
    /// The key, without `Bearer`.
    pub key: Option<String>,
    /// The whole body, or the parameters.
    pub request: Value,
}

/// An answer of the script.
#[derive(Clone, Debug)]
pub enum Found {
    /// These, in this order.
    Results(Vec<Value>),
    /// A status and a body, which counts as JSON where it begins with a brace.
    Status(u16, String),
    /// Too many requests, with the seconds after which to come again.
    Limited(u64),
    /// The connection is cut.
    Reset,
    /// The usual results, after this time.
    Slow(Duration),
    /// Status 200 and this; a web page where it begins with `<`.
    Garbage(String),
}

type Script = Arc<dyn Fn(&Asked) -> Option<Found> + Send + Sync>;

#[derive(Default)]
struct Shared {
    script: Mutex<Option<Script>>,
    asked: Mutex<Vec<Asked>>,
    seen: Mutex<HashMap<String, usize>>,
    strays: Mutex<Vec<String>>,
}

/// The server; stops when dropped.
pub struct SearchServer {
    shared: Arc<Shared>,
    server: Loopback,
}

impl SearchServer {
    /// Starts it on a free port.
    pub async fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let app = Router::new().fallback(handle).with_state(shared.clone());
        Self { shared, server: Loopback::serve(app).await }
    }

    /// For `TAVILY_BASE_URL`; an origin.
    pub fn tavily_base(&self) -> Url {
        self.server.origin()
    }

    /// What a bot is set up with that searches here.
    pub fn engine(&self) -> Engine {
        Engine::Tavily { base: self.tavily_base(), key: Secret::new("tvly-test") }
    }

    /// For `SEARXNG_URL`.
    pub fn searxng_base(&self) -> Url {
        self.tavily_base()
    }

    /// Sets the script. Where it gives `None`, the usual results are given.
    pub fn on(&self, script: impl Fn(&Asked) -> Option<Found> + Send + Sync + 'static) {
        *self.shared.script.lock().unwrap() = Some(Arc::new(script));
    }

    /// All queries so far, in the order in which they came.
    pub fn asked(&self) -> Vec<Asked> {
        self.shared.asked.lock().unwrap().clone()
    }

    /// Requests to addresses that do not exist, and such as a real engine would refuse; a test should find none.
    pub fn strays(&self) -> Vec<String> {
        self.shared.strays.lock().unwrap().clone()
    }
}

/// What is found unless the script says otherwise: the same for the same query, and one page for all queries.
pub fn usual(query: &str) -> Vec<Value> {
    const HOSTS: [&str; 5] = ["statistics", "journal", "institute", "observatory", "newspaper"];
    let mut hasher = DefaultHasher::new();
    query.hash(&mut hasher);
    let seed = hasher.finish();
    let page = |k: usize| {
        let host = HOSTS[(usize::try_from(seed % 5).unwrap() + k) % 5];
        json!({
            "title": format!("What the {host} found on {query} ({k})"),
            "url": format!("https://{host}.example/reports/{seed:x}-{k}"),
            "content": format!(
                "In {} of 100 cases looked at, the answer to \"{query}\" was the expected one; the {host} names the \
                 limits of its count in section {k}.",
                40 + (seed >> (8 * k)) % 50
            ),
            "score": 0.9,
        })
    };
    let common = json!({
        "title": "An overview of everything",
        "url": "https://common.example/overview",
        "content": "What is known about all questions at once, which is less than one would like, and where to read on.",
        "score": 0.5,
    });
    vec![page(1), common, page(2)]
}

/// What was asked, or what a real engine would find wrong with it.
fn read(method: &Method, uri: &Uri, headers: &HeaderMap, body: &[u8]) -> Result<Asked, String> {
    let stray = |what: &str| format!("{method} {}{what}", uri.path());
    let (engine, query, request) = match (method.as_str(), uri.path()) {
        ("POST", "/search") => {
            let body: Value = serde_json::from_slice(body).map_err(|_| stray(": not JSON"))?;
            let query = body["query"].as_str().unwrap_or_default().to_owned();
            if query.chars().count() > 400 {
                return Err(stray(": query is too long"));
            }
            (Dialect::Tavily, query, body)
        }
        ("GET", "/search") => {
            let parameters = Query::<HashMap<String, String>>::try_from_uri(uri);
            let Query(parameters) = parameters.map_err(|_| stray(": no parameters"))?;
            if parameters.get("format").map(String::as_str) != Some("json") {
                return Err(stray(": no JSON wanted"));
            }
            let query = parameters.get("q").cloned().unwrap_or_default();
            (Dialect::Searxng, query, json!(parameters))
        }
        _ => return Err(stray("")),
    };
    if query.trim().is_empty() {
        return Err(stray(": no query"));
    }
    let key = headers.get("authorization").and_then(|value| value.to_str().ok());
    let key = key.and_then(|value| value.strip_prefix("Bearer ")).map(str::to_owned);
    if engine == Dialect::Tavily && key.is_none() {
        return Err(stray(": no key"));
    }
    Ok(Asked { query, n: 0, engine, key, request })
}

async fn handle(
    State(shared): State<Arc<Shared>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let mut asked = match read(&method, &uri, &headers, &body) {
        Ok(asked) => asked,
        Err(stray) => {
            shared.strays.lock().unwrap().push(stray.clone());
            return (StatusCode::NOT_FOUND, stray).into_response();
        }
    };
    {
        let mut seen = shared.seen.lock().unwrap();
        let count = seen.entry(asked.query.clone()).or_default();
        *count += 1;
        asked.n = *count;
    }
    shared.asked.lock().unwrap().push(asked.clone());
    let script = shared.script.lock().unwrap().clone();
    let found = script.and_then(|script| script(&asked));
    let results = |results: Vec<Value>| {
        Json(json!({"query": asked.query, "results": results, "answer": null, "images": []})).into_response()
    };
    match found {
        None => results(usual(&asked.query)),
        Some(Found::Results(list)) => results(list),
        Some(Found::Slow(time)) => {
            tokio::time::sleep(time).await;
            results(usual(&asked.query))
        }
        Some(Found::Status(status, body)) => {
            let kind = if body.starts_with('{') { "application/json" } else { "text/html" };
            (StatusCode::from_u16(status).unwrap(), [("content-type", kind)], body).into_response()
        }
        Some(Found::Limited(seconds)) => {
            let wait = [("retry-after", seconds.to_string())];
            (StatusCode::TOO_MANY_REQUESTS, wait, "slower").into_response()
        }
        Some(Found::Garbage(body)) => {
            let kind = if body.starts_with('<') { "text/html" } else { "application/json" };
            ([("content-type", kind)], body).into_response()
        }
        Some(Found::Reset) => {
            let cut = Err::<Bytes, io::Error>(io::Error::other("cut by the script"));
            Body::from_stream(futures::stream::iter([cut])).into_response()
        }
    }
}
