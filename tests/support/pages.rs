//! A server on loopback that stands in for the hosts of cited pages. Unscripted, every page is there and says so.
#![allow(dead_code, unreachable_pub)] // each test includes this file and uses its own part of it
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test server that fails loudly

use std::sync::{Arc, Mutex};

use axum::{
    Router,
    body::Body,
    extract::State,
    http::{HeaderMap, Method, Uri},
    response::{IntoResponse, Response},
};
use models::pages::Reach;

use super::loopback::Loopback;

/// The hosts that the scripted search finds.
pub const HOSTS: [&str; 6] = [
    "statistics.example",
    "journal.example",
    "institute.example",
    "observatory.example",
    "newspaper.example",
    "common.example",
];

type Script = Arc<dyn Fn(&Method, &str) -> Option<Response> + Send + Sync>;

#[derive(Default)]
struct Shared {
    script: Mutex<Option<Script>>,
    asked: Mutex<Vec<String>>,
}

/// The server; stops when dropped.
pub struct PageServer {
    shared: Arc<Shared>,
    server: Loopback,
}

impl PageServer {
    /// Starts it on a free port.
    pub async fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let app = Router::new().fallback(handle).with_state(shared.clone());
        Self { shared, server: Loopback::serve(app).await }
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.server.port()
    }

    /// A door that asks it in place of these hosts.
    pub fn reach(&self, hosts: &[&str]) -> Reach {
        let here = self.server.origin();
        Reach { stand_ins: hosts.iter().map(|&host| (host.to_owned(), here.clone())).collect() }
    }

    /// Sets the script, by the method and the page: `host/path`. Where it gives `None`, the page is there.
    pub fn on(&self, script: impl Fn(&Method, &str) -> Option<Response> + Send + Sync + 'static) {
        *self.shared.script.lock().unwrap() = Some(Arc::new(script));
    }

    /// All that was asked so far: `HEAD host/path`.
    pub fn asked(&self) -> Vec<String> {
        self.shared.asked.lock().unwrap().clone()
    }
}

/// An answer without a body.
pub fn status(status: u16) -> Response {
    Response::builder().status(status).body(Body::empty()).unwrap()
}

/// An answer that leads elsewhere.
pub fn leads_to(location: &str) -> Response {
    Response::builder().status(302).header("location", location).body(Body::empty()).unwrap()
}

/// A body of a kind.
pub fn body(kind: &str, bytes: impl Into<Body>) -> Response {
    Response::builder().header("content-type", kind).body(bytes.into()).unwrap()
}

/// A page that says this.
pub fn says(text: &str) -> Response {
    body("text/html; charset=utf-8", format!("<!doctype html><html><body><p>{text}</p></body></html>"))
}

/// A file of PDF.
pub fn pdf(file: &[u8]) -> Response {
    body("application/pdf", file.to_vec())
}

async fn handle(State(shared): State<Arc<Shared>>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let host = headers.get("host").and_then(|host| host.to_str().ok()).unwrap_or_default();
    let page = format!("{host}{}", uri.path());
    shared.asked.lock().unwrap().push(format!("{method} {page}"));
    let script = shared.script.lock().unwrap().clone();
    let answer = script.and_then(|script| script(&method, &page));
    answer.unwrap_or_else(|| says(&format!("So says this page, which is {page}, and more.")).into_response())
}
