//! What serenity 0.12 needs of tokio-tungstenite 0.21, made of the version that the rest of Quorum uses. serenity's only
//! connection by it is to the relay on this machine (`bot/gateway.rs`), in the clear; tokio-tungstenite 0.21 itself would bring a
//! second stack of TLS, with faults that nobody mends any more.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use current::tungstenite as newer;
use futures_util::{Sink, Stream};
use tokio::net::TcpStream;
use url::Url;

use tungstenite::{
    Error, Message,
    protocol::{CloseFrame, WebSocketConfig},
};

/// tungstenite 0.21.
pub mod tungstenite {
    pub use current::tungstenite::Error;
    pub use protocol::Message;

    /// What goes wrong.
    pub mod error {
        pub use current::tungstenite::Error;
    }

    /// What is said.
    pub mod protocol {
        pub use frame::CloseFrame;

        /// The most that is taken; `None`: any size.
        #[derive(Clone, Copy, Debug, Default)]
        pub struct WebSocketConfig {
            /// Of a whole message.
            pub max_message_size: Option<usize>,
            /// Of a part of one.
            pub max_frame_size: Option<usize>,
            /// Whether frames of a client that are not masked are taken, against the protocol.
            pub accept_unmasked_frames: bool,
        }

        /// A message.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub enum Message {
            /// Text.
            Text(String),
            /// Bytes.
            Binary(Vec<u8>),
            /// Asks for a sign of life.
            Ping(Vec<u8>),
            /// Gives one.
            Pong(Vec<u8>),
            /// The end.
            Close(Option<CloseFrame<'static>>),
        }

        /// Parts of messages.
        pub mod frame {
            use std::borrow::Cow;

            /// Why a connection ends.
            #[derive(Clone, PartialEq, Eq, Debug)]
            pub struct CloseFrame<'t> {
                /// The reason in a number.
                pub code: coding::CloseCode,
                /// The reason in words.
                pub reason: Cow<'t, str>,
            }

            /// Numbers of the protocol.
            pub mod coding {
                pub use current::tungstenite::protocol::frame::coding::CloseCode;
            }
        }
    }
}

/// A stream that may be encrypted; this one never is.
pub type MaybeTlsStream<S> = S;

/// A connection.
#[derive(Debug)]
pub struct WebSocketStream<S>(current::WebSocketStream<current::MaybeTlsStream<S>>);

/// Connects.
///
/// # Errors
///
/// If nobody answers, or not in this protocol.
pub async fn connect_async_with_config(
    url: Url,
    config: Option<WebSocketConfig>,
    disable_nagle: bool,
) -> Result<(WebSocketStream<MaybeTlsStream<TcpStream>>, newer::handshake::client::Response), Error> {
    let config = config.map(|config| {
        newer::protocol::WebSocketConfig::default()
            .max_message_size(config.max_message_size)
            .max_frame_size(config.max_frame_size)
            .accept_unmasked_frames(config.accept_unmasked_frames)
    });
    let (stream, response) = current::connect_async_with_config(url.as_str(), config, disable_nagle).await?;
    Ok((WebSocketStream(stream), response))
}

impl WebSocketStream<TcpStream> {
    /// Says that this side ends the connection.
    ///
    /// # Errors
    ///
    /// If it has broken.
    pub async fn close(&mut self, frame: Option<CloseFrame<'_>>) -> Result<(), Error> {
        self.0.close(frame.map(outgoing_close)).await
    }
}

impl Stream for WebSocketStream<TcpStream> {
    type Item = Result<Message, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut self.0).poll_next(context).map(|next| next.map(|read| read.and_then(incoming)))
    }
}

impl Sink<Message> for WebSocketStream<TcpStream> {
    type Error = Error;

    fn poll_ready(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Pin::new(&mut self.0).poll_ready(context)
    }

    fn start_send(mut self: Pin<&mut Self>, message: Message) -> Result<(), Error> {
        Pin::new(&mut self.0).start_send(outgoing(message))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_close(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Pin::new(&mut self.0).poll_close(context)
    }
}

fn incoming(message: newer::Message) -> Result<Message, Error> {
    Ok(match message {
        newer::Message::Text(text) => Message::Text(text.as_str().to_owned()),
        newer::Message::Binary(bytes) => Message::Binary(bytes.into()),
        newer::Message::Ping(bytes) => Message::Ping(bytes.into()),
        newer::Message::Pong(bytes) => Message::Pong(bytes.into()),
        newer::Message::Close(frame) => {
            Message::Close(frame.map(|frame| CloseFrame {
                code: frame.code,
                reason: frame.reason.as_str().to_owned().into(),
            }))
        }
        // Only ever written.
        newer::Message::Frame(_) => return Err(Error::AttackAttempt),
    })
}

fn outgoing(message: Message) -> newer::Message {
    match message {
        Message::Text(text) => newer::Message::Text(text.into()),
        Message::Binary(bytes) => newer::Message::Binary(bytes.into()),
        Message::Ping(bytes) => newer::Message::Ping(bytes.into()),
        Message::Pong(bytes) => newer::Message::Pong(bytes.into()),
        Message::Close(frame) => newer::Message::Close(frame.map(outgoing_close)),
    }
}

fn outgoing_close(frame: CloseFrame<'_>) -> newer::protocol::CloseFrame {
    newer::protocol::CloseFrame { code: frame.code, reason: frame.reason.into_owned().into() }
}
