//! A server on this machine that answers as a test tells it, one connection for each request.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
};

use serde_json::Value;
use url::Url;

use super::{Endpoint, Endpoints, Limits, Llm, Prices};

/// Status, kind and body of an answer.
pub(crate) type Answer = (u16, &'static str, String);

pub(crate) struct Script {
    /// A door behind which all models are this server's.
    pub(crate) llm: Llm,
    /// Its origin.
    pub(crate) base: Url,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl Script {
    /// Answers the request of this number, from 0, with this body, which is null where it has none.
    pub(crate) fn start(answer: impl Fn(usize, &Value) -> Answer + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base: Url = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let seen = asked.clone();
        // Ends with the program.
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                // A connection that was opened ahead and is not used.
                let Some(body) = request(&stream) else { continue };
                let n = {
                    let mut seen = seen.lock().unwrap();
                    seen.push(body.clone());
                    seen.len() - 1
                };
                let (status, kind, body) = answer(n, &body);
                let head =
                    format!("HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {}", body.len());
                let _ = stream.write_all(format!("{head}\r\nconnection: close\r\n\r\n{body}").as_bytes());
            }
        });
        let server = Some(Endpoint::new(base.join("v1").unwrap(), None));
        let endpoints = Endpoints {
            anthropic: Some(Endpoint::new(base.clone(), None)),
            openai: server.clone(),
            openrouter: server.clone(),
            local: server,
            ..Endpoints::default()
        };
        let llm = Llm::new(endpoints, Limits::default(), Prices::embedded()).unwrap();
        Self { llm, base, asked }
    }

    /// The bodies of the requests so far.
    pub(crate) fn asked(&self) -> Vec<Value> {
        self.asked.lock().unwrap().clone()
    }
}

fn request(stream: &TcpStream) -> Option<Value> {
    let mut stream = BufReader::new(stream);
    let (mut line, mut length) = (String::new(), 0);
    while stream.read_line(&mut line).ok().filter(|read| *read > 0)? > 2 {
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        line.clear();
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).unwrap_or_default())
}
