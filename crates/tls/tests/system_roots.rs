//! A server whose certificate only the system vouches for: its root is put where the system's are looked for.

#![allow(clippy::unwrap_used)] // a test, which fails with them

use std::{path::PathBuf, process::Command, sync::Arc};

use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};
use tokio_rustls::TlsAcceptor;

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nheard";

fn certificate(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/certificates").join(name)
}

/// Which roots are the system's is read once in a process, so each case is a process of its own.
fn reaches(roots: &str) -> bool {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "a_server_of_this_root", "--ignored"]).env("SSL_CERT_FILE", certificate(roots));
    let said = child.env_remove("SSL_CERT_DIR").output().unwrap();
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(text.contains("running 1 test"), "{text}");
    assert!(said.status.success() || text.contains("UnknownIssuer"), "{text}");
    said.status.success()
}

#[test]
fn a_root_of_the_system_is_trusted_and_no_other() {
    assert!(reaches("root.pem"));
    // Any certificate that is not of whoever vouches for the server.
    assert!(!reaches("other.pem"));
}

#[tokio::test]
#[ignore = "run by the test above, with a system's roots"]
async fn a_server_of_this_root() {
    let chain = vec![CertificateDer::from_pem_file(certificate("server.pem")).unwrap()];
    let key = PrivateKeyDer::from_pem_file(certificate("server.key")).unwrap();
    let server = ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(server));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let mut request = [0; 1024];
            let _ = stream.read(&mut request).await;
            let _ = stream.write_all(ANSWER).await;
            let _ = stream.shutdown().await;
        }
    });
    let client = tls::client().no_proxy().build().unwrap();
    let reply = client.get(format!("https://localhost:{port}/")).send().await.unwrap();
    assert_eq!(reply.text().await.unwrap(), "heard");
}
