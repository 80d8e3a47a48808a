//! Servers on loopback that hand files out, and what reads them.

use std::{
    io::Write,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use axum::{Router, body::Body, http::Response};
use documents::{DocumentError, Documents};
use domain::Document;
use tokio::net::TcpListener;

/// A server that gives every request this answer, its origin, and how often it was asked.
pub async fn server<F>(answer: F) -> (String, Arc<AtomicUsize>)
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

/// What reads files from there, each in a process of its own.
pub fn documents(origin: &str) -> Documents {
    documents_with(origin, env!("CARGO_BIN_EXE_quorum"))
}

/// The same with another program as the reader.
pub fn documents_with(origin: &str, program: &str) -> Documents {
    Documents::new(Some(origin.parse().unwrap()), program.into()).unwrap()
}

/// What becomes of a file of this name with these bytes, over the wire.
pub async fn read(name: &str, bytes: &[u8]) -> Result<Document, DocumentError> {
    let bytes = bytes.to_vec();
    // Whatever the size, something was declared; a file that turns out empty was declared wrongly.
    let declared = bytes.len().max(1) as u64;
    let (origin, _) = server(move || Response::new(bytes.clone().into())).await;
    documents(&origin).fetch(&format!("{origin}/attachments/1/2/file"), name, declared).await
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
