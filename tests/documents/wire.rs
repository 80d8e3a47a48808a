//! What is asked for, what is not, and what happens to a file on its way.

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use axum::{
    body::{Body, Bytes},
    http::Response,
};
use documents::{Fault, MAX_BYTES, Missing};
use futures::StreamExt;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use crate::documents::scene::{documents, documents_with, gzip, server};

/// Long enough for a busy machine, and far from the limits that would end it otherwise.
const SOON: Duration = Duration::from_secs(40);

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
        assert_eq!(error.fault, Fault::Elsewhere, "{url}");
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
    assert!(error.to_string().contains("`a.md`") && error.to_string().contains("25 MiB"), "{error}");
    let error = documents.fetch(&format!("{origin}/a"), "a.md", 0).await.unwrap_err();
    assert_eq!(error.fault, Fault::Empty);
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
    assert_eq!(error.fault, Fault::TooLarge(None));
    assert!(start.elapsed() < SOON);
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
    assert_eq!(error.fault, Fault::TooLarge(None));
    assert!(start.elapsed() < SOON);
}

#[tokio::test]
async fn what_was_not_fetched_says_so() {
    for (status, expected) in [(404, "deleted"), (403, "expired"), (410, "expired"), (500, "status 500")] {
        let (origin, _) =
            server(move || Response::builder().status(status).body(Body::from("gone")).unwrap()).await;
        let error = documents(&origin).fetch(&format!("{origin}/a"), "a.txt", 5).await.unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    let error = documents("http://127.0.0.1:9").fetch("http://127.0.0.1:9/a", "a.txt", 5).await.unwrap_err();
    assert_eq!(error.fault, Fault::Unavailable(Missing::Broke));
}

/// A server that begins an answer of 100 bytes and then does with the connection what it is told.
async fn half_an_answer(stalls: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut connection, _) = listener.accept().await.unwrap();
        let mut request = [0; 1_024];
        let _ = connection.read(&mut request).await.unwrap();
        connection.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n# Plan").await.unwrap();
        if stalls {
            tokio::time::sleep(Duration::from_mins(10)).await;
        }
    });
    origin
}

#[tokio::test]
async fn a_connection_that_breaks_half_way_gives_no_half_document() {
    let origin = half_an_answer(false).await;
    let error = documents(&origin).fetch(&format!("{origin}/a"), "a.md", 100).await.unwrap_err();
    assert_eq!(error.fault, Fault::Unavailable(Missing::Broke));
    assert!(error.to_string().contains("the connection broke"), "{error}");
    assert!(error.to_string().ends_with("Attach it again."), "{error}");
}

#[tokio::test]
async fn a_connection_that_stalls_is_given_up() {
    let origin = half_an_answer(true).await;
    let start = Instant::now();
    let error = documents(&origin).fetch(&format!("{origin}/a"), "a.md", 100).await.unwrap_err();
    assert_eq!(error.fault, Fault::Unavailable(Missing::Slow));
    assert!(start.elapsed() < SOON);
}

#[tokio::test]
async fn a_reader_that_is_none_is_a_sentence() {
    let (origin, _) = server(|| Response::new("# Plan".into())).await;
    let url = format!("{origin}/a");
    // One that is not there, one that fails, one that answers something else, one that does so without end.
    for (program, fault) in [
        ("/nowhere/quorum", Fault::NoReader),
        ("/bin/false", Fault::Broken),
        ("/bin/echo", Fault::Broken),
        ("/usr/bin/yes", Fault::Broken),
    ] {
        let error = documents_with(&origin, program).fetch(&url, "a.md", 6).await.unwrap_err();
        assert_eq!(error.fault, fault, "{program}");
    }
    assert!(documents(&origin).fetch(&url, "a.md", 6).await.is_ok());
}
