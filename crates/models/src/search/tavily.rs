//! Tavily's wording (<https://docs.tavily.com/documentation/api-reference/endpoint/search>).

use reqwest::{
    Client, RequestBuilder,
    header::{AUTHORIZATION, HeaderValue},
};
use serde_json::{Value, json};

use super::{MOST_FOUND, error::Failure};
use domain::{Money, SearchFault, Secret};

/// A basic search is one credit, and a credit $0.008 where it is paid as one goes
/// (<https://docs.tavily.com/documentation/api-credits>).
pub(super) const PRICE: Money = Money(8_000);

/// Longest query that it takes, in characters.
const MOST_QUERY: usize = 400;

pub(super) fn body(query: &str) -> Value {
    let query: String = query.trim().chars().take(MOST_QUERY).collect();
    json!({
        "query": query,
        "max_results": MOST_FOUND,
        "search_depth": "basic",
        "include_answer": false,
        "include_raw_content": false,
    })
}

/// The request, its key marked so that no log of the HTTP stack shows it.
pub(super) fn request(
    client: &Client,
    address: &str,
    key: &Secret,
    query: &str,
) -> Result<RequestBuilder, Failure> {
    let Ok(mut value) = HeaderValue::from_str(&format!("Bearer {}", key.reveal())) else {
        return Err(Failure {
            fault: SearchFault::Key,
            message: "the key holds characters that no key has".to_owned(),
            charged: false,
            tries: 1,
            wait: None,
        });
    };
    value.set_sensitive(true);
    Ok(client.post(address).header(AUTHORIZATION, value).json(&body(query)))
}

/// What a status means that means something of its own here.
pub(super) fn refusal(status: u16) -> Option<(SearchFault, &'static str)> {
    match status {
        401 | 403 => Some((SearchFault::Key, "it refuses the key")),
        432 => Some((SearchFault::Spent, "the plan's credit is used up")),
        433 => Some((SearchFault::Spent, "the limit of what may be paid as one goes is reached")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_cut_between_characters() {
        let query = body(&"ä".repeat(500))["query"].as_str().unwrap().to_owned();
        assert_eq!(query, "ä".repeat(400));
        assert_eq!(body("  one two ")["query"], "one two");
    }

    #[test]
    fn an_impossible_key_is_not_sent() {
        let failure = request(&Client::new(), "http://x", &Secret::new("a\nb"), "q").unwrap_err();
        assert_eq!((failure.fault, failure.charged), (SearchFault::Key, false));
        assert!(!failure.message.contains("a\nb"));
    }
}
