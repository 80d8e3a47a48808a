//! `SearXNG`'s wording (<https://docs.searxng.org/dev/search_api.html>).

use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};

use domain::SearchFault;

pub(super) fn parameters(query: &str) -> Value {
    json!({"q": query.trim(), "format": "json"})
}

pub(super) fn request(client: &Client, address: &str, query: &str) -> RequestBuilder {
    client.get(address).query(&[("q", query.trim()), ("format", "json")])
}

/// What a status means that means something of its own here.
pub(super) fn refusal(status: u16) -> Option<(SearchFault, &'static str)> {
    match status {
        401 => Some((SearchFault::Refused, "it wants a login, which the bot has none for")),
        403 => Some((
            SearchFault::Refused,
            "it gives no JSON; enable `json` under `search.formats` in its settings.yml",
        )),
        429 => Some((
            SearchFault::Limited,
            "too many requests; if its limiter is on, name this machine in `pass_ip` of its limiter.toml",
        )),
        _ => None,
    }
}
