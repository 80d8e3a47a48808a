//! Attachments, fetched over the wire from servers on loopback.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, its servers too")]

use std::{
    io::Write,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, Bytes},
    http::Response,
};
use futures::StreamExt;
use quorum::documents::{DocumentError, Documents, MAX_BYTES};
use tokio::net::TcpListener;

/// A server that gives every request this answer, its origin, and how often it was asked.
async fn server<F>(answer: F) -> (String, Arc<AtomicUsize>)
where
    F: Fn() -> Response<Body> + Clone + Send + Sync + 'static,
{
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let app = Router::new().fallback(move || {
        count.fetch_add(1, Ordering::SeqCst);
        let answer = answer();
        async move { answer }
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    (origin, asked)
}

fn documents(origin: &str) -> Documents {
    Documents::new(Some(origin.parse().unwrap())).unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn a_text_is_fetched_and_read() {
    let (origin, _) = server(|| Response::new("\u{feff}# Plan\r\nWe open in May.".into())).await;
    let url = format!("{origin}/attachments/1/2/plan.md?ex=1&is=2&hm=3");
    let document = documents(&origin).fetch(&url, "plan.md", 30).await.unwrap();
    assert_eq!((&*document.name, &*document.text), ("plan.md", "# Plan\nWe open in May."));
    assert_eq!(document.sha256.len(), 64);
}

#[tokio::test]
async fn compressed_answers_are_unpacked() {
    let (origin, _) = server(|| {
        Response::builder().header("content-encoding", "gzip").body(gzip(b"hello").into()).unwrap()
    })
    .await;
    let document = documents(&origin).fetch(&format!("{origin}/a"), "a.txt", 5).await.unwrap();
    assert_eq!(document.text, "hello");
}

#[tokio::test]
async fn nothing_else_is_asked() {
    let (inside, asked) = server(|| Response::new("secret".into())).await;
    let (origin, _) = server(|| Response::new("fine".into())).await;
    let port = inside.rsplit(':').next().unwrap();
    for url in [
        format!("{inside}/a"),
        format!("http://localhost:{port}/a"),
        format!("http://[::ffff:127.0.0.1]:{port}/a"),
        format!("http://2130706433:{port}/a"),
        format!("{origin}@127.0.0.1:{port}/a"),
        format!("https://cdn.discordapp.com@127.0.0.1:{port}/a"),
        format!("https://cdn.discordapp.com:{port}/a"),
        format!("https://127.0.0.1:{port}/cdn.discordapp.com"),
    ] {
        let error = documents(&origin).fetch(&url, "a.txt", 5).await.unwrap_err();
        assert_eq!(error, DocumentError::Elsewhere { name: "a.txt".into() }, "{url}");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let (inside, asked) = server(|| Response::new("secret".into())).await;
    let (origin, _) = server(move || {
        Response::builder().status(302).header("location", &inside).body(Body::empty()).unwrap()
    })
    .await;
    let error = documents(&origin).fetch(&format!("{origin}/a"), "a.txt", 5).await.unwrap_err();
    assert!(error.to_string().contains("redirected"), "{error}");
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_stated_size_is_refused_before_anything_is_asked() {
    let (origin, asked) = server(|| Response::new("x".into())).await;
    let documents = documents(&origin);
    let error = documents.fetch(&format!("{origin}/a"), "a.md", MAX_BYTES as u64 + 1).await.unwrap_err();
    assert!(error.to_string().contains("`a.md`") && error.to_string().contains("1 MiB"), "{error}");
    let error = documents.fetch(&format!("{origin}/a"), "a.md", 0).await.unwrap_err();
    assert_eq!(error, DocumentError::Empty { name: "a.md".into() });
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_body_without_end_is_cut_off() {
    let (origin, _) = server(|| {
        let endless = futures::stream::repeat(Bytes::from(vec![b'a'; 65_536])).map(Ok::<_, std::io::Error>);
        Response::new(Body::from_stream(endless))
    })
    .await;
    let start = Instant::now();
    let error = documents(&origin).fetch(&format!("{origin}/a"), "a.txt", 5).await.unwrap_err();
    assert_eq!(error, DocumentError::TooLarge { name: "a.txt".into(), size: None });
    assert!(start.elapsed() < Duration::from_secs(3));
}

#[tokio::test]
async fn a_body_that_unpacks_without_end_is_cut_off() {
    let bomb = gzip(&vec![b'a'; 200 << 20]);
    assert!(bomb.len() < MAX_BYTES);
    let (origin, _) = server(move || {
        Response::builder().header("content-encoding", "gzip").body(bomb.clone().into()).unwrap()
    })
    .await;
    let start = Instant::now();
    let error = documents(&origin).fetch(&format!("{origin}/a"), "a.txt", 5).await.unwrap_err();
    assert_eq!(error, DocumentError::TooLarge { name: "a.txt".into(), size: None });
    assert!(start.elapsed() < Duration::from_secs(3));
}

#[tokio::test]
async fn what_was_not_fetched_says_so() {
    for (status, expected) in [(404, "expired"), (403, "expired"), (500, "status 500")] {
        let (origin, _) =
            server(move || Response::builder().status(status).body(Body::from("gone")).unwrap()).await;
        let error = documents(&origin).fetch(&format!("{origin}/a"), "a.txt", 5).await.unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    let error = documents("http://127.0.0.1:9").fetch("http://127.0.0.1:9/a", "a.txt", 5).await.unwrap_err();
    assert!(matches!(error, DocumentError::Unavailable { .. }), "{error:?}");
}

#[tokio::test]
async fn other_files_are_named_for_what_they_are() {
    for (bytes, expected) in [
        (&b"%PDF-1.7\n"[..], "a PDF document"),
        (b"PK\x03\x04\x14\0", "DOCX"),
        (b"\x89PNG\r\n\x1a\n\0", "a PNG picture"),
        (b"\xff\xd8\xff\xe0", "a JPEG picture"),
        (b"MZ\x90\0\x03", "a program"),
        (b"\0\0\0", "a binary file"),
    ] {
        let (origin, _) = server(move || Response::new(bytes.into())).await;
        let error = documents(&origin).fetch(&format!("{origin}/a"), "a.md", 9).await.unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert!(error.to_string().contains("`a.md`"), "{error}");
    }
}
