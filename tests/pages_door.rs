//! The door to pages, over the wire: what is there, what is not, what is blocked, and what is never asked.

use std::{io::Write as _, time::Duration};

use axum::{
    body::{Body, Bytes},
    http::Method,
};
use domain::Reached;
use flate2::{Compression, write::GzEncoder};
use futures::stream;
use models::pages::{Pages, Reach};

use crate::support::pages::{PageServer, body, leads_to, says, status};

const HOST: &str = "a.example";

fn url(path: &str) -> String {
    format!("https://{HOST}{path}")
}

#[tokio::test]
async fn the_head_is_asked_for_first_and_the_page_where_that_is_not_enough() {
    let server = PageServer::start().await;
    server.on(|method, page| {
        let head = *method == Method::HEAD;
        match page {
            "a.example/no-head" if head => Some(status(405)),
            "a.example/not-found" => Some(status(404)),
            "a.example/broken" => Some(status(500)),
            "a.example/login" => Some(status(401)),
            "a.example/forbidden" => Some(status(403)),
            "a.example/limited" => Some(status(429)),
            "a.example/head-forbidden" if head => Some(status(403)),
            "a.example/moved" => Some(leads_to("/there")),
            "a.example/away" => Some(leads_to("https://b.example/there?x=1")),
            "a.example/round" => Some(leads_to("/round")),
            _ => None,
        }
    });
    let pages = Pages::new(server.reach(&[HOST, "b.example"])).unwrap();
    for (path, reached) in [
        ("/fine", Reached::There),
        ("/no-head", Reached::There),
        ("/head-forbidden", Reached::There),
        ("/moved", Reached::There),
        ("/away", Reached::There),
        ("/not-found", Reached::Status(404)),
        ("/broken", Reached::Status(500)),
        ("/login", Reached::Blocked(401)),
        ("/forbidden", Reached::Blocked(403)),
        ("/limited", Reached::Blocked(429)),
        ("/round", Reached::Failed("it leads elsewhere more than 5 times".to_owned())),
    ] {
        assert_eq!(pages.find(&url(path), false).await.reached, reached, "{path}");
    }
    let asked = server.asked();
    assert_eq!(asked[..3], ["HEAD a.example/fine", "HEAD a.example/no-head", "GET a.example/no-head"]);
    let found = pages.find(&url("/fine"), true).await;
    let text = String::from_utf8(found.bytes.unwrap()).unwrap();
    assert!(text.contains("So says this page, which is a.example/fine"), "{text}");
}

#[tokio::test]
async fn nothing_is_asked_that_is_not_public_whatever_leads_there() {
    let (server, secret) = (PageServer::start().await, PageServer::start().await);
    let port = secret.port();
    server.on(move |_, page| {
        let to = match page {
            "a.example/number" => format!("http://127.0.0.1:{port}/secret"),
            "a.example/locked" => format!("https://127.0.0.1:{port}/secret"),
            "a.example/name" => "https://localhost/secret".to_owned(),
            "a.example/mapped" => "https://[::ffff:127.0.0.1]/secret".to_owned(),
            "a.example/cloud" => "http://169.254.169.254/latest/meta-data".to_owned(),
            "a.example/plain" => "http://a.example/fine".to_owned(),
            "a.example/file" => "file:///etc/passwd".to_owned(),
            "a.example/named" => "https://me:word@a.example/fine".to_owned(),
            _ => return None,
        };
        Some(leads_to(&to))
    });
    let pages = Pages::new(server.reach(&[HOST])).unwrap();
    for path in ["/number", "/locked", "/name", "/mapped", "/cloud", "/plain", "/file", "/named"] {
        let found = pages.find(&url(path), true).await;
        assert!(matches!(found.reached, Reached::Refused(_)), "{path}: {found:?}");
        assert!(found.bytes.is_err());
    }
    for address in [
        format!("https://127.0.0.1:{port}/"),
        format!("http://127.0.0.1:{port}/"),
        "https://localhost/".to_owned(),
        "https://localhost./".to_owned(),
        "https://[::1]/".to_owned(),
        "https://2130706433/".to_owned(),
        "https://0x7f.1/".to_owned(),
        "https://10.0.0.1/".to_owned(),
        "https://me@a.example/".to_owned(),
        "javascript:alert(1)".to_owned(),
        "not an address".to_owned(),
        String::new(),
    ] {
        let found = pages.find(&address, true).await;
        assert!(matches!(found.reached, Reached::Refused(_)), "{address}: {found:?}");
    }
    assert_eq!(secret.asked(), Vec::<String>::new());
    // Nobody stands in where nobody was named.
    let strict = Pages::new(Reach::default()).unwrap();
    let found = strict.find("https://no-such-name.invalid/", false).await;
    assert!(matches!(found.reached, Reached::Failed(_)), "{found:?}");
}

#[tokio::test]
async fn of_a_page_without_end_the_beginning_is_read_and_of_what_is_no_text_nothing() {
    let bomb = {
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&vec![b'a'; 64 << 20]).unwrap();
        packed.finish().unwrap()
    };
    assert!(bomb.len() < 100_000);
    let pdf = |more: usize| [b"%PDF-1.7".to_vec(), vec![b'x'; more]].concat();
    let server = PageServer::start().await;
    server.on(move |method, page| {
        let endless = || {
            Body::from_stream(stream::repeat_with(|| {
                Ok::<_, std::io::Error>(Bytes::from(vec![b'x'; 1 << 16]))
            }))
        };
        let get = *method == Method::GET;
        Some(match page {
            "a.example/endless" if get => body("text/plain", endless()),
            "a.example/bomb" if get => {
                let mut packed = body("text/plain", bomb.clone());
                packed.headers_mut().insert("content-encoding", "gzip".parse().unwrap());
                packed
            }
            "a.example/pdf" => body("application/pdf", pdf(3 << 20)),
            "a.example/long-pdf" => body("application/pdf", pdf(4 << 20)),
            "a.example/picture" => body("image/png", "x"),
            _ => says("head"),
        })
    });
    let pages = Pages::new(server.reach(&[HOST])).unwrap();
    for path in ["/endless", "/bomb"] {
        let read = tokio::time::timeout(Duration::from_secs(15), pages.find(&url(path), true)).await.unwrap();
        assert_eq!(read.bytes.as_ref().map(Vec::len), Ok(2 << 20), "{path}");
    }
    // A PDF is of use only whole.
    assert_eq!(pages.find(&url("/pdf"), true).await.bytes.map(|bytes| bytes.len()), Ok((3 << 20) + 8));
    let why = "it is a PDF of more than 4 MB, which is not read".to_owned();
    assert_eq!(pages.find(&url("/long-pdf"), true).await.bytes, Err(why));
    assert_eq!(pages.find(&url("/picture"), true).await.bytes, Err("it is no text".to_owned()));
    assert!(!server.asked().contains(&"GET a.example/picture".to_owned()), "its head says what it is");
}
