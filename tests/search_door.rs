//! The door to web search over the wire, against a scripted server: both engines, every fault.

use std::time::{Duration, Instant};

use domain::{Money, Pace, SearchFault, Secret, Source};
use models::search::{Engine, Search, SearchError};
use serde_json::{Value, json};

use crate::support::search::{Dialect, Found, SearchServer, usual};

const KEY: &str = "tvly-canary-5ea7c4";
const BOTH: [Dialect; 2] = [Dialect::Tavily, Dialect::Searxng];

fn door(server: &SearchServer, dialect: Dialect) -> Search {
    let engine = match dialect {
        Dialect::Tavily => Engine::Tavily { base: server.tavily_base(), key: Secret::new(KEY) },
        Dialect::Searxng => Engine::Searxng { base: server.searxng_base() },
    };
    Search::new(engine, Pace::faster(1_000)).unwrap()
}

/// What one query comes to where the script answers its n-th request so, and how many requests there were.
async fn find(
    dialect: Dialect,
    script: impl Fn(usize) -> Option<Found> + Send + Sync + 'static,
) -> (Result<Vec<Source>, SearchError>, usize) {
    let server = SearchServer::start().await;
    server.on(move |asked| script(asked.n));
    let found = door(&server, dialect).find("how many people cycle").await;
    assert!(server.strays().is_empty(), "{:?}", server.strays());
    assert!(server.asked().iter().all(|asked| asked.engine == dialect));
    (found, server.asked().len())
}

async fn fault(dialect: Dialect, always: Found) -> (SearchError, usize) {
    let (found, requests) = find(dialect, move |_| Some(always.clone())).await;
    (found.unwrap_err(), requests)
}

fn status(status: u16) -> Found {
    Found::Status(status, json!({"detail": {"error": "so it is"}}).to_string())
}

fn result(number: usize) -> Value {
    json!({
        "title": format!("Page {number}"),
        "url": format!("https://example.org/{number}"),
        "content": format!("What page {number} says."),
    })
}

#[tokio::test]
async fn results_are_read_best_first_and_cut_to_eight() {
    for dialect in BOTH {
        let (found, requests) = find(dialect, |_| Some(Found::Results((1..=12).map(result).collect()))).await;
        let titles: Vec<String> = found.unwrap().into_iter().map(|source| source.title).collect();
        let expected: Vec<String> = (1..=8).map(|number| format!("Page {number}")).collect();
        assert_eq!((titles, requests), (expected, 1), "{dialect:?}");
        let (nothing, requests) = find(dialect, |_| Some(Found::Results(Vec::new()))).await;
        assert_eq!((nothing, requests), (Ok(Vec::new()), 1), "that nothing is found is no error");
    }
}

#[tokio::test]
async fn what_is_sent_is_what_the_engines_document() {
    let server = SearchServer::start().await;
    let query = "cycling & \"rain\" in Zürich?";
    for dialect in BOTH {
        let search = door(&server, dialect);
        let found = search.find(query).await.unwrap();
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].title, usual(query)[0]["title"]);
        let asked = server.asked().pop().unwrap();
        assert_eq!((asked.query.as_str(), asked.engine), (query, dialect));
        assert_eq!(asked.request, search.wire(query), "what is kept is what was sent");
        assert_eq!(asked.key.as_deref(), (dialect == Dialect::Tavily).then_some(KEY));
    }
    let tavily = door(&server, Dialect::Tavily);
    assert_eq!((tavily.name(), tavily.price()), ("tavily/search", Money(8_000)));
    let body = tavily.wire("x");
    assert_eq!((&body["max_results"], &body["search_depth"]), (&json!(8), &json!("basic")));
    let searxng = door(&server, Dialect::Searxng);
    assert_eq!((searxng.name(), searxng.price()), ("searxng/search", Money(0)));
    assert!(server.strays().is_empty(), "{:?}", server.strays());
}

#[tokio::test]
async fn a_path_in_the_address_is_kept() {
    let server = SearchServer::start().await;
    let base = server.searxng_base().join("searx/").unwrap();
    let search = Search::new(Engine::Searxng { base }, Pace::faster(1_000)).unwrap();
    // The server has nothing there.
    let error = search.find("x").await.unwrap_err();
    assert_eq!(server.strays(), ["GET /searx/search"]);
    assert_eq!((error.fault, error.sent), (SearchFault::Unreadable, false), "{error}");
}

#[tokio::test]
async fn what_no_reader_should_open_is_dropped() {
    let bad = [
        "javascript:alert(1)",
        "http://example.org/plain",
        "ftp://example.org/file",
        "data:text/html,hello",
        "https://localhost/admin",
        "https://127.0.0.1/admin",
        "https://10.0.0.1/",
        "https://[::1]/",
        "https://169.254.169.254/latest/meta-data",
        "https://user:word@example.org/",
        "no address",
        "",
    ];
    for dialect in BOTH {
        let (found, _) = find(dialect, move |_| {
            let mut list: Vec<Value> =
                bad.iter().map(|url| json!({"title": "Bad", "url": url, "content": "bad"})).collect();
            list.extend([json!(7), json!({"title": "Bad"}), json!({"url": 7})]);
            list.push(json!({"url": "https://example.org/bare", "title": null}));
            list.extend((1..=9).map(result));
            Some(Found::Results(list))
        })
        .await;
        let found = found.unwrap();
        assert_eq!(found.len(), 8, "what is dropped takes no place");
        assert_eq!(found[0].title, "example.org", "a page without a title has its host's name");
        assert!(found.iter().all(|source| source.title != "Bad"), "{found:?}");
    }
}

#[tokio::test]
async fn a_long_text_is_bounded() {
    for dialect in BOTH {
        let (found, _) = find(dialect, |_| {
            let mut long = result(1);
            long["content"] = "word ".repeat(2_000).into();
            long["title"] = "title ".repeat(2_000).into();
            Some(Found::Results(vec![long]))
        })
        .await;
        let found = found.unwrap();
        let (excerpt, title) = (found[0].excerpt.chars().count(), found[0].title.chars().count());
        assert!((100..=2_000).contains(&excerpt) && title <= 300, "{excerpt}, {title}");
    }
}

#[tokio::test]
async fn a_refusal_that_stays_is_asked_once() {
    for (dialect, code, expected) in [
        (Dialect::Tavily, 400, SearchFault::Refused),
        (Dialect::Tavily, 401, SearchFault::Key),
        (Dialect::Tavily, 403, SearchFault::Key),
        (Dialect::Tavily, 432, SearchFault::Spent),
        (Dialect::Tavily, 433, SearchFault::Spent),
        (Dialect::Searxng, 400, SearchFault::Refused),
        (Dialect::Searxng, 401, SearchFault::Refused),
        (Dialect::Searxng, 302, SearchFault::Unreadable),
    ] {
        let (error, requests) = fault(dialect, status(code)).await;
        assert_eq!((error.fault, requests, error.sent), (expected, 1, false), "{code}: {error}");
        assert!(error.message.contains(&code.to_string()), "{error}");
        assert!(error.message.contains("so it is"), "what the engine says is told: {error}");
    }
}

#[tokio::test]
async fn a_searxng_without_json_is_told_where_to_enable_it() {
    let page = Found::Status(403, "<!doctype html><title>403 Forbidden</title>".to_owned());
    let (error, requests) = fault(Dialect::Searxng, page).await;
    assert_eq!((error.fault, requests), (SearchFault::Refused, 1));
    assert!(error.message.contains("formats") && error.message.contains("settings.yml"), "{error}");
}

#[tokio::test]
async fn what_passes_is_asked_again() {
    for dialect in BOTH {
        for first in [
            status(429),
            Found::Limited(0),
            status(500),
            Found::Reset,
            Found::Garbage("{\"results\": [".into()),
        ] {
            let shown = format!("{dialect:?}, {first:?}");
            let (found, requests) = find(dialect, move |n| (n == 1).then(|| first.clone())).await;
            assert_eq!((found.unwrap().len(), requests), (3, 2), "{shown}");
        }
    }
}

#[tokio::test]
async fn what_does_not_pass_is_given_up_after_three_requests() {
    for dialect in BOTH {
        for (always, expected, sent) in [
            (status(500), SearchFault::Down, true),
            (status(503), SearchFault::Down, true),
            (Found::Reset, SearchFault::Down, true),
            (status(429), SearchFault::Limited, false),
        ] {
            let shown = format!("{dialect:?}, {always:?}");
            let (error, requests) = fault(dialect, always).await;
            assert_eq!((error.fault, requests, error.sent), (expected, 3, sent), "{shown}: {error}");
        }
    }
}

#[tokio::test]
async fn a_pause_that_the_engine_asks_for_is_kept_unless_it_is_long() {
    let begun = Instant::now();
    let (found, requests) = find(Dialect::Tavily, |n| (n == 1).then_some(Found::Limited(1))).await;
    assert_eq!((found.unwrap().len(), requests), (3, 2));
    assert!(begun.elapsed() >= Duration::from_secs(1), "{:?}", begun.elapsed());
    let (error, requests) = fault(Dialect::Tavily, Found::Limited(3_600)).await;
    assert_eq!((error.fault, requests), (SearchFault::Limited, 1), "{error}");
}

#[tokio::test]
async fn what_cannot_be_read_is_asked_for_once_more() {
    for dialect in BOTH {
        for body in ["<!doctype html><title>Log in</title>", "{\"results\": [", "", "{}", "{\"results\": 7}"]
        {
            let (error, requests) = fault(dialect, Found::Garbage(body.to_owned())).await;
            assert_eq!((error.fault, requests), (SearchFault::Unreadable, 2), "{body}: {error}");
        }
        let long = format!("{{\"results\": [], \"more\": \"{}\"}}", "x".repeat(3 << 20));
        let (error, requests) = fault(dialect, Found::Garbage(long)).await;
        assert_eq!((error.fault, requests), (SearchFault::Unreadable, 1), "{error}");
    }
}

#[tokio::test]
async fn where_nobody_listens_nothing_is_sent() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    drop(listener);
    let search = Search::new(Engine::Searxng { base }, Pace::faster(1_000)).unwrap();
    let error = search.find("a secret plan").await.unwrap_err();
    assert_eq!((error.fault, error.sent), (SearchFault::Down, false), "{error}");
    assert!(!error.message.contains("plan"), "{error}");
}

#[tokio::test]
async fn the_key_shows_nowhere() {
    let said = json!({"detail": {"error": format!("the key {KEY} is wrong. {}{KEY}", "x".repeat(180))}});
    for code in [400, 401, 403, 404, 429, 432, 433, 500] {
        let (error, _) = fault(Dialect::Tavily, Found::Status(code, said.to_string())).await;
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains("canary") && !shown.contains("tvly-"), "{shown}");
    }
    for body in [KEY.to_owned(), format!("<p>{KEY}</p>"), format!("{{\"error\": \"{KEY}\"}}")] {
        let (error, _) = fault(Dialect::Tavily, Found::Garbage(body)).await;
        assert!(!format!("{error} {error:?}").contains("canary"), "{error:?}");
    }
    let server = SearchServer::start().await;
    let search = door(&server, Dialect::Tavily);
    let shown = format!("{search:?} {}", search.wire("x"));
    assert!(!shown.contains("canary"), "{shown}");
}

#[tokio::test]
async fn a_long_query_is_cut_for_tavily() {
    let server = SearchServer::start().await;
    let query = "ä".repeat(1_000);
    for (dialect, most) in [(Dialect::Tavily, 400), (Dialect::Searxng, 1_000)] {
        door(&server, dialect).find(&query).await.unwrap();
        assert_eq!(server.asked().pop().unwrap().query, "ä".repeat(most));
    }
    assert!(server.strays().is_empty(), "{:?}", server.strays());
}
