//! The listener: loopback TCP whose connections can be cut in the middle of a request.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::body::Body;
use axum::extract::connect_info::Connected;
use axum::response::Response;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// The connection of a request, with which a handler can break it.
#[derive(Clone, Debug)]
pub(super) struct Connection {
    cut: Arc<AtomicBool>,
}

impl Connection {
    /// Breaks the connection: whatever the handler returns, not a byte of it is written.
    pub(super) fn cut(&self) -> Response {
        self.cut.store(true, Ordering::Release);
        Response::new(Body::empty())
    }
}

/// Accepts connections of type [`Stream`].
pub(super) struct Loopback(pub(super) TcpListener);

/// A TCP stream that fails once it was cut.
pub(super) struct Stream {
    inner: TcpStream,
    cut: Arc<AtomicBool>,
}

impl Listener for Loopback {
    type Io = Stream;
    type Addr = Connection;

    async fn accept(&mut self) -> (Stream, Connection) {
        let (inner, _) = Listener::accept(&mut self.0).await;
        // Small frames must not wait for one another's acknowledgement.
        let _ = inner.set_nodelay(true);
        let cut = Arc::new(AtomicBool::new(false));
        (Stream { inner, cut: cut.clone() }, Connection { cut })
    }

    fn local_addr(&self) -> std::io::Result<Connection> {
        TcpListener::local_addr(&self.0).map(|_: SocketAddr| Connection { cut: Arc::default() })
    }
}

impl Connected<IncomingStream<'_, Loopback>> for Connection {
    fn connect_info(stream: IncomingStream<'_, Loopback>) -> Self {
        stream.remote_addr().clone()
    }
}

impl Stream {
    fn broken(&self) -> Option<std::io::Error> {
        self.cut.load(Ordering::Acquire).then(|| std::io::ErrorKind::ConnectionReset.into())
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(cx, buf)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        match self.broken() {
            Some(error) => Poll::Ready(Err(error)),
            None => Pin::new(&mut self.inner).poll_write(cx, bytes),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        match self.broken() {
            Some(error) => Poll::Ready(Err(error)),
            None => Pin::new(&mut self.inner).poll_write_vectored(cx, parts),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}
