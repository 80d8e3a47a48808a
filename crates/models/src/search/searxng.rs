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

/// Why there are no results where every engine behind it failed: it answers 200, with an empty list and the engines' names
/// (<https://docs.searxng.org/dev/search_api.html>). What they say is in the language of whoever runs it.
pub(super) fn unresponsive(reply: &Value) -> Option<String> {
    let nothing = reply["results"].as_array().is_some_and(Vec::is_empty);
    let engines =
        reply["unresponsive_engines"].as_array().filter(|engines| nothing && !engines.is_empty())?;
    let named = engines.iter().filter_map(|engine| {
        let (name, why) = (engine[0].as_str()?, engine[1].as_str().unwrap_or("no reason given"));
        Some(format!("{name}: {why}"))
    });
    Some(named.collect::<Vec<_>>().join("; "))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_says_what_to_do_about_it() {
        for (status, fault, hint) in [
            (401, SearchFault::Refused, "login"),
            (403, SearchFault::Refused, "search.formats"),
            (429, SearchFault::Limited, "pass_ip"),
        ] {
            let (told, what) = refusal(status).unwrap();
            assert!(told == fault && what.contains(hint), "{status}: {what}");
        }
        assert_eq!(refusal(500), None);
    }

    #[test]
    fn engines_that_refuse_are_told_apart_from_nothing_found() {
        let down = json!([["google", "Suspended: too many requests"], ["brave", "timeout"]]);
        let told =
            |results, engines| unresponsive(&json!({"results": results, "unresponsive_engines": engines}));
        assert_eq!(
            told(json!([]), down.clone()).unwrap(),
            "google: Suspended: too many requests; brave: timeout"
        );
        assert_eq!(told(json!([]), json!([])), None, "nothing found");
        assert_eq!(told(json!([{"url": "https://a.example"}]), down), None, "the others found something");
        assert_eq!(unresponsive(&json!({"results": []})), None);
        assert_eq!(told(json!([]), json!(["odd"])).unwrap(), "");
    }
}
