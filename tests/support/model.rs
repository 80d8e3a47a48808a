//! A scripted model server on loopback that speaks chat completions and Anthropic Messages, streaming and not.
//! Unscripted, it answers every request with a plausible instance of the schema asked for. It logs every call
//! and whether the whole answer was taken.
#![allow(dead_code, unused_imports, unreachable_pub)] // each test includes this file and uses its own part of it
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test server that fails loudly

#[path = "model/answer.rs"]
mod answer;
#[path = "model/critique.rs"]
pub mod critique;
#[path = "model/debate.rs"]
pub mod debate;
#[path = "model/instance.rs"]
mod instance;
#[path = "model/tools.rs"]
pub mod tools;
#[path = "model/wire.rs"]
mod wire;

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, Method, StatusCode, Uri},
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};
use url::Url;

use playground::unsteady::chance;

use super::loopback::Loopback;
pub use answer::{Answer, Fault, Money};
pub use instance::{instance, paragraph, terse_instance};

/// How a request was worded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dialect {
    /// `POST /v1/chat/completions`.
    Chat,
    /// `POST /v1/messages`.
    Anthropic,
}

/// What became of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Still being sent.
    Running,
    /// Sent to its end (which may be a scripted fault).
    Sent,
    /// The client hung up before.
    Dropped,
}

/// A request for a completion.
#[derive(Clone, Debug)]
pub struct Call {
    /// When it arrived.
    pub at: Instant,
    /// Its wording.
    pub dialect: Dialect,
    /// The model asked.
    pub model: String,
    /// All system and developer text.
    pub system: String,
    /// All text of users and assistants, one message a paragraph.
    pub user: String,
    /// The name of the schema; with Anthropic, which has none, the schema's title.
    pub schema_name: Option<String>,
    /// The schema asked for.
    pub schema: Option<Value>,
    /// The tools of which one may be called, whether as the dialect's own or by the schema of the reply.
    pub tools: Vec<String>,
    /// Whether they are the dialect's own. A script answers both alike, with [`Answer::Json`] of a flat object: the
    /// name as `tool`, the arguments beside it.
    pub native: bool,
    /// From 1: how many times this same prompt has been sent to this model.
    pub n: usize,
    /// The key, without `Bearer`.
    pub auth: Option<String>,
    /// Whether a stream was asked for.
    pub stream: bool,
    /// The whole request.
    pub body: Value,
    /// When its answer began: from then on a provider has what it was sent in its cache.
    pub begun: Option<Instant>,
    /// What became of the answer.
    pub end: End,
    /// When that was.
    pub ended: Option<Instant>,
}

impl Call {
    /// System and user text together.
    pub fn text(&self) -> String {
        format!("{}\n{}", self.system, self.user)
    }

    /// A number that is the same for the same prompt, model left aside.
    pub fn seed(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.system, &self.user).hash(&mut hasher);
        hasher.finish()
    }
}

type Script = Arc<dyn Fn(&Call) -> Option<Answer> + Send + Sync>;
type Held = Arc<dyn Fn(&Call) -> bool + Send + Sync>;

#[derive(Default)]
struct Shared {
    latency: Mutex<Duration>,
    unsteady: Mutex<Duration>,
    script: Mutex<Option<Script>>,
    held: Mutex<Option<Held>>,
    calls: Mutex<Vec<Call>>,
    seen: Mutex<HashMap<(String, u64), usize>>,
    strays: Mutex<Vec<String>>,
    /// The token of the bot that belongs here.
    token: Mutex<Option<String>>,
    models: Mutex<Vec<String>>,
    pages: Mutex<HashMap<String, Value>>,
    running: AtomicUsize,
    peak: AtomicUsize,
}

/// What a server was asked up to a moment.
pub struct Asked {
    calls: Vec<Call>,
    seen: HashMap<(String, u64), usize>,
    strays: Vec<String>,
}

/// The server; stops when dropped.
pub struct ModelServer {
    shared: Arc<Shared>,
    server: Loopback,
}

impl ModelServer {
    /// Starts it on a free port.
    pub async fn start() -> Self {
        let shared = Arc::new(Shared::default());
        shared.models.lock().unwrap().push("stand-in".to_owned());
        let app = Router::new().fallback(handle).with_state(shared.clone());
        Self { shared, server: Loopback::serve(app).await }
    }

    /// For `OPENAI_BASE_URL`, `OPENROUTER_BASE_URL` and local servers; ends in `/v1`.
    pub fn openai_base(&self) -> Url {
        self.server.origin().join("v1").unwrap()
    }

    /// For `ANTHROPIC_BASE_URL`; an origin.
    pub fn anthropic_base(&self) -> Url {
        self.server.origin()
    }

    /// Every answer begins after this time.
    pub fn latency(&self, latency: Duration) {
        *self.shared.latency.lock().unwrap() = latency;
    }

    /// Now and then an answer begins up to this much later.
    pub fn unsteady(&self, most: Duration) {
        *self.shared.unsteady.lock().unwrap() = most;
    }

    /// Sets the script. Where it gives `None`, the default answer is given.
    pub fn on(&self, script: impl Fn(&Call) -> Option<Answer> + Send + Sync + 'static) {
        *self.shared.script.lock().unwrap() = Some(Arc::new(script));
    }

    /// Calls like these are answered only once they are let go.
    pub fn hold(&self, held: impl Fn(&Call) -> bool + Send + Sync + 'static) {
        *self.shared.held.lock().unwrap() = Some(Arc::new(held));
    }

    /// Answers what was held.
    pub fn let_go(&self) {
        *self.shared.held.lock().unwrap() = None;
    }

    /// Waits until so many calls like these have arrived.
    pub async fn wait_calls(&self, count: usize, like: impl Fn(&Call) -> bool) {
        for _ in 0..3_000 {
            if self.calls().iter().filter(|call| like(call)).count() >= count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let seen: Vec<_> = self.calls().into_iter().map(|call| call.schema_name).collect();
        panic!("{count} such calls did not come; there were {seen:?}");
    }

    /// What `GET /v1/models` lists.
    pub fn models(&self, ids: &[&str]) {
        *self.shared.models.lock().unwrap() = ids.iter().map(|&id| id.to_owned()).collect();
    }

    /// What `GET` of a path gives, beside the list of models.
    pub fn page(&self, path: &str, value: Value) {
        self.shared.pages.lock().unwrap().insert(path.to_owned(), value);
    }

    /// All calls so far, in the order in which they arrived.
    pub fn calls(&self) -> Vec<Call> {
        self.shared.calls.lock().unwrap().clone()
    }

    /// Most calls that were being answered at one moment.
    pub fn concurrent_peak(&self) -> usize {
        self.shared.peak.load(Ordering::SeqCst)
    }

    /// Says whose Discord stands beside it: another bot that looks for its own at this port does not belong here.
    pub fn stands_beside(&self, token: &str) {
        *self.shared.token.lock().unwrap() = Some(token.to_owned());
    }

    /// Requests to addresses that do not exist; a test should find none.
    pub fn strays(&self) -> Vec<String> {
        self.shared.strays.lock().unwrap().clone()
    }

    /// Goes on from what another one was asked up to now.
    pub fn recall(&self, other: &Asked) {
        self.shared.calls.lock().unwrap().clone_from(&other.calls);
        self.shared.seen.lock().unwrap().clone_from(&other.seen);
        self.shared.strays.lock().unwrap().clone_from(&other.strays);
    }

    /// What it was asked up to now.
    pub fn asked(&self) -> Asked {
        Asked { calls: self.calls(), seen: self.shared.seen.lock().unwrap().clone(), strays: self.strays() }
    }

    /// Forgets all calls, counts and strays.
    pub fn forget(&self) {
        self.shared.calls.lock().unwrap().clear();
        self.shared.seen.lock().unwrap().clear();
        self.shared.strays.lock().unwrap().clear();
        self.shared.peak.store(0, Ordering::SeqCst);
    }
}

/// Counts a running answer, and notes in the log how it ended, even when the client hangs up.
struct Watch {
    shared: Arc<Shared>,
    index: usize,
    end: End,
}

impl Watch {
    fn new(shared: Arc<Shared>, index: usize) -> Self {
        let running = shared.running.fetch_add(1, Ordering::SeqCst) + 1;
        shared.peak.fetch_max(running, Ordering::SeqCst);
        Self { shared, index, end: End::Dropped }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.running.fetch_sub(1, Ordering::SeqCst);
        if let Some(call) = self.shared.calls.lock().unwrap().get_mut(self.index) {
            call.end = self.end;
            call.ended = Some(Instant::now());
        }
    }
}

async fn handle(
    State(shared): State<Arc<Shared>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let dialect = match (method.as_str(), uri.path()) {
        ("GET", "/v1/models") => {
            let models = shared.models.lock().unwrap();
            let models: Vec<Value> = models.iter().map(|id| json!({"id": id, "object": "model"})).collect();
            return axum::Json(json!({"object": "list", "data": models})).into_response();
        }
        // Whether a server tells more of itself is asked of every server.
        ("GET", path @ ("/props" | "/api/ps" | "/api/v0/models")) => {
            return match shared.pages.lock().unwrap().get(path) {
                Some(value) => axum::Json(value.clone()).into_response(),
                None => (StatusCode::NOT_FOUND, "no such address").into_response(),
            };
        }
        ("POST", "/v1/chat/completions") => Dialect::Chat,
        // Azure's, each deployment at an address of its own.
        ("POST", path) if path.starts_with("/openai/deployments/") && path.ends_with("/chat/completions") => {
            Dialect::Chat
        }
        ("POST", "/v1/messages") => Dialect::Anthropic,
        (method, path) => {
            let bot =
                headers.get("authorization").and_then(|value| value.to_str().ok()?.strip_prefix("Bot "));
            let token = shared.token.lock().unwrap();
            if bot.is_none_or(|bot| token.as_deref().is_none_or(|own| own == bot)) {
                shared.strays.lock().unwrap().push(format!("{method} {path}"));
            }
            return (StatusCode::NOT_FOUND, "no such address").into_response();
        }
    };
    let Ok(body) = serde_json::from_slice::<Value>(&body) else {
        return (StatusCode::BAD_REQUEST, "not JSON").into_response();
    };
    let mut call = wire::call(dialect, &headers, body);
    if let Err(fault) = wire::check(&call, &headers) {
        shared.strays.lock().unwrap().push(fault.clone());
        return (StatusCode::BAD_REQUEST, axum::Json(json!({"error": {"message": fault}}))).into_response();
    }
    {
        let mut seen = shared.seen.lock().unwrap();
        let count = seen.entry((call.model.clone(), call.seed())).or_default();
        *count += 1;
        call.n = *count;
    }
    let index = {
        let mut calls = shared.calls.lock().unwrap();
        calls.push(call.clone());
        calls.len() - 1
    };
    let mut watch = Watch::new(shared.clone(), index);
    let latency = *shared.latency.lock().unwrap() + chance(*shared.unsteady.lock().unwrap());
    if !latency.is_zero() {
        tokio::time::sleep(latency).await;
    }
    let held = |shared: &Shared| shared.held.lock().unwrap().clone().is_some_and(|held| held(&call));
    while held(&shared) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let script = shared.script.lock().unwrap().clone();
    let answer = script.and_then(|script| script(&call)).unwrap_or_else(|| default_answer(&call));
    let reply = answer.reply(&call);
    if let Some(call) = shared.calls.lock().unwrap().get_mut(index) {
        call.begun = Some(Instant::now());
    }
    let stream = async_stream::stream! {
        for part in reply.parts {
            match part {
                answer::Part::Bytes(bytes) => yield Ok(Bytes::from(bytes)),
                answer::Part::Pause(pause) => tokio::time::sleep(pause).await,
                answer::Part::Hang => std::future::pending::<()>().await,
                answer::Part::Cut => {
                    watch.end = End::Sent;
                    // What was yielded before must be on its way before the connection is cut.
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    yield Err(std::io::Error::other("cut by the script"));
                }
            }
        }
        watch.end = End::Sent;
        drop(watch);
    };
    let mut response = Response::new(Body::from_stream(stream));
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap();
    for (name, value) in reply.headers {
        response
            .headers_mut()
            .insert(name.parse::<axum::http::HeaderName>().unwrap(), value.parse().unwrap());
    }
    response
}

/// A call of a tool that is offered, a valid instance of the schema asked for, or a sentence.
pub fn default_answer(call: &Call) -> Answer {
    match &call.schema {
        _ if call.native => Answer::Json(tools::pick(call)),
        Some(_) => Answer::Json(default_reply(call)),
        None => Answer::Text(paragraph(call.seed())),
    }
}

/// Under which letters somebody reads drafts.
pub fn letters_of_drafts(call: &Call) -> Vec<String> {
    let letter = |line: &str| line.strip_suffix(':').filter(|line| line.len() == 1).map(str::to_owned);
    call.user.lines().filter_map(letter).collect()
}

/// Marks by which one of these drafts is first, and the others are alike.
pub fn marks(letters: &[String], first: &str) -> Value {
    let mark = |letter: &String| (letter.clone(), if letter == first { 90.into() } else { 40.into() });
    Value::Object(letters.iter().map(mark).collect())
}

/// An instance of the schema asked for that keeps to what the form asks for: a memo answers each objection, and who checks
/// it has none.
pub fn plausible(call: &Call, seed: u64) -> Value {
    let schema = call.schema.as_ref().expect("a schema");
    // By its fields: a server that takes no schema is told it in words, without its name.
    let asks_for = |field: &str| !schema["properties"][field].is_null();
    let checks = asks_for("read");
    let is_form = checks
        || asks_for("text")
        || asks_for("edits")
        || asks_for("reference")
        || asks_for("against")
        || asks_for("points")
        || asks_for("kept_against")
        || asks_for("unit")
        || asks_for("middle")
        || asks_for("narrows");
    if !is_form {
        return instance(schema, seed);
    }
    let mut reply = terse_instance(schema, seed);
    if checks {
        let letters = letters_of_drafts(call);
        let mut nothing = json!({"act": "It is done.", "wrong": "", "keep": ""});
        if asks_for("marks") {
            reply["marks"] = marks(&letters, "A");
        } else {
            nothing.as_object_mut().unwrap().remove("keep");
        }
        let read = letters.iter().map(|letter| {
            let mut read = nothing.clone();
            read["draft"] = letter.clone().into();
            read
        });
        reply["read"] = read.collect::<Vec<Value>>().into();
        if asks_for("missing") {
            reply["missing"] = "".into();
        }
    }
    if reply.get("resolutions").is_some() {
        let numbers = call
            .user
            .lines()
            .filter_map(|line| line.strip_prefix("Objection ")?.split_once(", from ")?.0.parse::<u32>().ok());
        let answer = |number| json!({"objection": number, "taken": number % 2 == 1, "because": "So it is."});
        reply["resolutions"] = numbers.map(answer).collect::<Vec<Value>>().into();
    }
    if asks_for("unit") {
        reply["unit"] = "weeks".into();
    }
    // An estimate is three numbers in their order.
    if asks_for("middle") {
        let mut numbers = ["low", "middle", "high"].map(|number| reply[number].as_u64().unwrap_or_default());
        numbers.sort_unstable();
        (reply["low"], reply["middle"], reply["high"]) =
            (numbers[0].into(), numbers[1].into(), numbers[2].into());
    }
    if asks_for("edits") {
        (reply["edits"], reply["anew"]) = (json!([]), json!([]));
    }
    reply
}

/// A valid instance of the schema asked for. Debaters keep to the rules of their phase.
pub fn default_reply(call: &Call) -> Value {
    if call.native {
        return tools::pick(call);
    }
    if let Some(reply) = debate::reply(call).or_else(|| critique::reply(call)) {
        return reply;
    }
    let mut reply = plausible(call, call.seed());
    // As few as may be: of two, nobody looks whether they are the same.
    for options in ["recommendations", "options"] {
        if let Some(options) = reply.get_mut(options).and_then(Value::as_array_mut) {
            options.truncate(2);
        }
    }
    if call.user.contains("Task: look once for options that are one and the same") {
        reply["pairs"] = json!([]);
    }
    reply
}
