//! A server on a free port of loopback, which the scripted servers have in common.
#![allow(dead_code, unreachable_pub)] // each test includes this file and uses its own part of it
#![allow(clippy::unwrap_used)] // a test server that fails loudly

use std::net::SocketAddr;

use axum::{Router, serve::ListenerExt};
use tokio::{net::TcpListener, task::JoinHandle};
use url::Url;

/// The server; stops when dropped.
pub struct Loopback {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl Loopback {
    /// Starts it.
    pub async fn serve(app: Router) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        // Small frames must not wait 40 ms for one another's acknowledgement; no vendor's do.
        let listener = listener.tap_io(|stream| stream.set_nodelay(true).unwrap());
        let task = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { address, task }
    }

    /// Where it is, to which paths are added.
    pub fn origin(&self) -> Url {
        Url::parse(&format!("http://{}", self.address)).unwrap()
    }

    /// The port on which it listens.
    pub fn port(&self) -> u16 {
        self.address.port()
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        self.task.abort();
    }
}
