//! One request over the wire: wait for a place, send, read what came within its bounds.

use std::time::Duration;

use reqwest::{
    RequestBuilder, Response,
    header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER},
};
use serde_json::Value;

use super::{
    super::error::deepest,
    Engine, Search,
    error::{Failure, TRIES, TRIES_UNREAD},
    reply, searxng, tavily,
};
use domain::{SearchFault, Source, one_line, readable, shortened};

/// Most bytes of an answer.
const MOST_WHOLE: usize = 2 << 20;
/// Most bytes of an error's body that are of interest.
const MOST_ERROR: usize = 64 << 10;
/// Most characters of what an engine says about an error.
const MOST_SAID: usize = 200;
/// An engine that wants to be left alone for longer is not waited for.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

impl Search {
    pub(super) async fn attempt(&self, query: &str) -> Result<Vec<Source>, Failure> {
        // Places are never closed, so this one comes sooner or later.
        let _place = self.0.places.acquire().await;
        let response = self.request(query)?.send().await.map_err(lost)?;
        if !response.status().is_success() {
            return Err(self.refused(response).await);
        }
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if kind.is_some_and(|kind| kind.starts_with("text/html")) {
            let what = "a web page came instead of results; check the address";
            return Err(Failure::unreadable(what, TRIES_UNREAD));
        }
        let body = bounded(response, MOST_WHOLE).await?;
        let reply: Value = serde_json::from_str(&String::from_utf8_lossy(&body))
            .map_err(|_| Failure::unreadable("what came is cut off or not JSON", TRIES_UNREAD))?;
        if let Engine::Searxng { .. } = self.0.engine
            && let Some(engines) = searxng::unresponsive(&reply)
        {
            return Err(Failure::by_engines(&shortened(&readable(&one_line(&engines)), MOST_SAID)));
        }
        reply::sources(&reply)
            .ok_or_else(|| Failure::unreadable("what came has no list of results", TRIES_UNREAD))
    }

    fn request(&self, query: &str) -> Result<RequestBuilder, Failure> {
        let client = &self.0.client;
        let address = format!("{}/search", self.0.engine.base().as_str().trim_end_matches('/'));
        match &self.0.engine {
            Engine::Tavily { key, .. } => tavily::request(client, &address, key, query),
            Engine::Searxng { .. } => Ok(searxng::request(client, &address, query)),
        }
    }

    /// What an answer with the status of an error means.
    async fn refused(&self, response: Response) -> Failure {
        let status = response.status().as_u16();
        let wait = wait_asked(response.headers());
        let body = bounded(response, MOST_ERROR).await.unwrap_or_default();
        let said = self.said(&String::from_utf8_lossy(&body)).map(|said| format!(": {said}"));
        let own = match &self.0.engine {
            Engine::Tavily { .. } => tavily::refusal(status),
            Engine::Searxng { .. } => searxng::refusal(status),
        };
        let (fault, what) = own.unwrap_or_else(|| refusal(status));
        let passes = matches!(fault, SearchFault::Limited | SearchFault::Down);
        let waits = wait.is_none_or(|wait| wait <= LONGEST_WAIT);
        Failure {
            fault,
            message: format!("{what} (status {status}{})", said.unwrap_or_default()),
            charged: fault == SearchFault::Down,
            tries: if passes && waits { TRIES } else { 1 },
            wait,
        }
    }

    /// What an error's body says, where it is JSON that says something.
    fn said(&self, body: &str) -> Option<String> {
        let value: Value = serde_json::from_str(body).ok()?;
        let places = ["/detail/error", "/detail", "/error/message", "/error", "/message"];
        let said = places.iter().find_map(|place| value.pointer(place)?.as_str())?;
        // Before anything is cut, so that no part of a key stays.
        let said = self.without_key(said);
        Some(shortened(&readable(&one_line(&said)), MOST_SAID))
    }

    /// Some servers repeat the key.
    fn without_key(&self, text: &str) -> String {
        match &self.0.engine {
            Engine::Tavily { key, .. } if key.reveal().len() >= 4 => text.replace(key.reveal(), "[secret]"),
            _ => text.to_owned(),
        }
    }
}

/// What a status means anywhere.
fn refusal(status: u16) -> (SearchFault, &'static str) {
    match status {
        429 => (SearchFault::Limited, "too many requests"),
        408 | 500.. => (SearchFault::Down, "it failed"),
        300..400 => (SearchFault::Unreadable, "it leads elsewhere; check the address"),
        404 | 405 => (SearchFault::Unreadable, "nobody takes searches there; check the address"),
        _ => (SearchFault::Refused, "it does not take the query"),
    }
}

/// How long the engine wants to be left alone, where it says so in seconds.
fn wait_asked(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// The whole body, unless it is too long or the connection is lost.
async fn bounded(mut response: Response, most: usize) -> Result<Vec<u8>, Failure> {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => return Ok(body),
            Err(error) => {
                // It did begin to answer: the next time it would take as long.
                let tries = if error.is_timeout() { 1 } else { TRIES };
                return Err(Failure { tries, ..lost(error) });
            }
        }
        if body.len() > most {
            return Err(Failure::unreadable("what came is longer than 2 MiB", 1));
        }
    }
}

/// A connection that did not come about or was cut. Its address stays out: the query may be in it.
fn lost(error: reqwest::Error) -> Failure {
    let charged = !error.is_connect() && !error.is_builder();
    let what = if error.is_connect() {
        "cannot be reached"
    } else if error.is_timeout() {
        "did not answer in time"
    } else {
        "the connection was cut"
    };
    let message = format!("{what} ({})", deepest(error));
    Failure { fault: SearchFault::Down, message, charged, tries: TRIES, wait: None }
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;
    use crate::script::Script;
    use domain::{Pace, Secret};

    #[tokio::test]
    async fn a_searxng_whose_engines_all_refuse_is_asked_once_more_and_they_are_named() {
        let reply = r#"{"results": [], "unresponsive_engines": [["brave", "too many requests"]]}"#;
        let script = Script::start(move |_, _| (200, "application/json", reply.to_owned()));
        let search = Search::new(Engine::Searxng { base: script.base.clone() }, Pace::faster(1_000)).unwrap();
        let error = search.find("x").await.unwrap_err();
        assert_eq!(
            (error.fault, error.sent, script.asked().len()),
            (SearchFault::Engines, true, 2),
            "{error}"
        );
        assert!(error.message.contains("brave: too many requests"), "{error}");
    }

    #[tokio::test]
    async fn a_pause_of_eleven_seconds_is_not_waited_for() {
        let script = Script::start(|_, _| (429, "application/json\r\nretry-after: 11", "{}".to_owned()));
        let engine = Engine::Tavily { base: script.base.clone(), key: Secret::new("tvly-canary") };
        let error = Search::new(engine, Pace::faster(1_000)).unwrap().find("x").await.unwrap_err();
        assert_eq!((error.fault, script.asked().len()), (SearchFault::Limited, 1), "{error}");
    }

    #[test]
    fn every_status_has_a_fault() {
        for (status, fault) in [
            (302, SearchFault::Unreadable),
            (400, SearchFault::Refused),
            (404, SearchFault::Unreadable),
            (408, SearchFault::Down),
            (422, SearchFault::Refused),
            (429, SearchFault::Limited),
            (500, SearchFault::Down),
            (599, SearchFault::Down),
        ] {
            assert_eq!(refusal(status).0, fault, "{status}");
        }
    }

    #[test]
    fn a_pause_is_read_where_it_is_in_seconds() {
        let headers = |value| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, HeaderValue::from_static(value));
            headers
        };
        assert_eq!(wait_asked(&headers("7")), Some(Duration::from_secs(7)));
        assert_eq!(wait_asked(&headers("Wed, 21 Oct 2026 07:28:00 GMT")), None);
        assert_eq!(wait_asked(&HeaderMap::new()), None);
    }
}
