//! What the scripted server can answer, and how each answer goes over the wire.

use std::{iter, time::Duration};

use serde_json::{Value, json};

use super::{
    Call, Dialect,
    tools::{self, Said},
    wire,
};

/// An answer of the script.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A whole reply.
    Text(String),
    /// A whole reply in JSON.
    Json(Value),
    /// A whole reply, not streamed even if a stream was asked for.
    Unstreamed(String),
    /// A reply cut off at the most tokens.
    Truncated(String),
    /// Text and calls of tools, as they are: `cut` if the most tokens are reached.
    Calls { said: Said, cut: bool, streamed: bool },
    /// The model declines.
    Refusal(String),
    /// A reply without text.
    Empty,
    /// An error response in the call's dialect.
    Fault(Fault),
    /// Status 200, and then an error in the stream after some text.
    FaultInStream(Fault),
    /// Anything.
    Raw { status: u16, headers: Vec<(String, String)>, body: String },
    /// A web page.
    Html(u16),
    /// So many pieces of text, then silence.
    Stall(usize),
    /// Signs of life (comments, pings), but never a word.
    OnlyPings,
    /// The connection is cut in the middle of the text.
    CutMidStream,
    /// The stream ends in good order after the text, but without saying so.
    NoTerminator,
    /// The whole reply, but without `[DONE]` or `message_stop`.
    NoDone(String),
    /// A reply of so many bytes.
    Huge(usize),
    /// One event that never ends.
    EndlessEvent,
    /// A whole reply with this time before each piece.
    Slow(String, Duration),
    /// A whole reply after so many pieces of thought, with this time after each.
    Thinks(String, usize, Duration),
    /// A whole reply with CRLF line ends, unknown events and comments, in pieces of five bytes.
    Split(String),
}

/// An error response.
#[derive(Clone, Debug)]
pub enum Fault {
    /// 429, with `retry-after` in seconds.
    RateLimited(Option<f64>),
    /// 529 or 503.
    Overloaded,
    /// 500.
    Server,
    /// 504.
    Timeout,
    /// 401.
    Auth,
    /// 404.
    NotFound,
    /// 400 with this message.
    BadRequest(String),
    /// The prompt does not fit.
    TooLarge,
    /// 403 by moderation, or its like.
    Moderated,
    /// No money.
    Money(Money),
}

/// The ways of saying that there is no money.
#[derive(Clone, Copy, Debug)]
pub enum Money {
    /// 429 that looks like a rate limit but for its code.
    Disguised,
    /// 400 with a sentence.
    Sentence,
    /// 402.
    Status,
}

/// A part of a response's body.
#[derive(Clone, Debug)]
pub enum Part {
    Bytes(Vec<u8>),
    Pause(Duration),
    Hang,
    Cut,
}

/// A response.
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub parts: Box<dyn Iterator<Item = Part> + Send>,
}

impl Answer {
    /// The answer as it goes over the wire.
    pub fn reply(self, call: &Call) -> Reply {
        let said = match &self {
            Self::Json(value) => value.to_string(),
            Self::Text(text)
            | Self::Unstreamed(text)
            | Self::Truncated(text)
            | Self::Refusal(text)
            | Self::NoDone(text)
            | Self::Slow(text, _)
            | Self::Thinks(text, ..)
            | Self::Split(text) => text.clone(),
            _ if call.native => tools::pick(call).to_string(),
            _ => "A reply of a few words that is long enough to be cut in the middle.".to_owned(),
        };
        let said = match &self {
            Self::Calls { said, .. } => said.clone(),
            _ => Said::of(call, said),
        };
        let stop = match &self {
            Self::Truncated(_) | Self::Calls { cut: true, .. } => wire::Stop::Length,
            Self::Refusal(_) => wire::Stop::Refused,
            _ => wire::Stop::End,
        };
        match self {
            Self::Fault(fault) => return fault.reply(call),
            Self::Raw { status, headers, body } => return whole(status, headers, body),
            Self::Html(status) => {
                let headers = vec![("content-type".to_owned(), "text/html".to_owned())];
                return whole(status, headers, "<!doctype html><title>Sign in</title>".to_owned());
            }
            Self::Unstreamed(_) | Self::Calls { streamed: false, .. } => {
                return json_reply(200, &wire::whole(call, &said, stop));
            }
            _ if !call.stream => return json_reply(200, &wire::whole(call, &said, stop)),
            _ => {}
        }
        let wire::Frames { open, text, close, done } = wire::frames(call, &said, stop);
        let bytes = |frames: Vec<String>| frames.into_iter().map(|frame| Part::Bytes(frame.into_bytes()));
        let parts: Box<dyn Iterator<Item = Part> + Send> = match self {
            Self::Empty => Box::new(bytes([open, close, done].concat())),
            Self::FaultInStream(fault) => {
                let error = wire::error_frame(call, fault.response(call.dialect).2);
                Box::new(bytes([open, text[..1].to_vec(), vec![error]].concat()))
            }
            Self::Stall(pieces) => {
                Box::new(bytes(open).chain(bytes(text).take(pieces)).chain(iter::once(Part::Hang)))
            }
            Self::OnlyPings => {
                let ping = Part::Bytes(wire::ping(call).into_bytes());
                Box::new(
                    bytes(open).chain(iter::repeat([ping, Part::Pause(Duration::from_millis(20))]).flatten()),
                )
            }
            Self::CutMidStream => {
                let half = text.len() / 2;
                Box::new(bytes(open).chain(bytes(text).take(half)).chain(iter::once(Part::Cut)))
            }
            Self::NoTerminator => Box::new(bytes([open, text].concat())),
            Self::NoDone(_) => Box::new(bytes([open, text, close].concat())),
            Self::Huge(size) => {
                let piece = wire::piece(call, &"many words ".repeat(3_000)).into_bytes();
                let count = size / 33_000 + 1;
                let pieces = iter::repeat_n(Part::Bytes(piece), count);
                Box::new(bytes(open).chain(pieces).chain(bytes([close, done].concat())))
            }
            Self::EndlessEvent => {
                let junk = iter::repeat(Part::Bytes(vec![b'x'; 60_000]));
                Box::new(bytes(open).chain(bytes(vec!["data: ".to_owned()])).chain(junk))
            }
            Self::Slow(_, pause) => {
                let slow = bytes(text).flat_map(move |piece| [Part::Pause(pause), piece]);
                Box::new(bytes(open).chain(slow).chain(bytes([close, done].concat())))
            }
            Self::Thinks(_, pieces, pause) => {
                let (begin, piece) = wire::thoughts(call, "What would they say to that? ");
                let thoughts = iter::repeat_n([Part::Bytes(piece.into_bytes()), Part::Pause(pause)], pieces);
                let open = bytes([open, vec![begin]].concat());
                Box::new(open.chain(thoughts.flatten()).chain(bytes([text, close, done].concat())))
            }
            Self::Split(_) => {
                let noise = vec![": a comment\n\n".to_owned(), wire::unknown(call)];
                let all = [noise.clone(), open, noise, text, close, done].concat().concat();
                let all = all.replace('\n', "\r\n").into_bytes();
                let pieces: Vec<Vec<u8>> = all.chunks(5).map(<[u8]>::to_vec).collect();
                // A pause now and then, so that the pieces really arrive apart.
                Box::new(pieces.into_iter().enumerate().flat_map(|(i, piece)| {
                    let pause = Duration::from_micros(if i % 40 == 0 { 200 } else { 0 });
                    [Part::Bytes(piece), Part::Pause(pause)]
                }))
            }
            _ => Box::new(bytes([open, text, close, done].concat())),
        };
        let headers = vec![("content-type".to_owned(), "text/event-stream; charset=utf-8".to_owned())];
        Reply { status: 200, headers: with_id(headers, call), parts }
    }
}

impl Fault {
    fn reply(self, call: &Call) -> Reply {
        let (status, headers, body) = self.response(call.dialect);
        let mut reply = json_reply(status, &body);
        reply.headers.extend(headers);
        reply.headers = with_id(reply.headers, call);
        reply
    }

    /// Status, headers and body, with the words that each vendor uses.
    fn response(self, dialect: Dialect) -> (u16, Vec<(String, String)>, Value) {
        let anthropic = dialect == Dialect::Anthropic;
        let mut headers = Vec::new();
        let of = |kind: &str, code: &str, message: &str| {
            if anthropic {
                json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_in_body"})
            } else {
                json!({"error": {"type": kind, "code": code, "message": message, "param": null}})
            }
        };
        let bad = "invalid_request_error";
        let (status, body) = match self {
            Self::RateLimited(wait) => {
                if let Some(wait) = wait {
                    headers.push(("retry-after".to_owned(), wait.to_string()));
                }
                let kind = if anthropic { "rate_limit_error" } else { "requests" };
                (429, of(kind, "rate_limit_exceeded", "Slow down."))
            }
            Self::Overloaded if anthropic => (529, of("overloaded_error", "", "Overloaded")),
            Self::Overloaded => (503, of("server_error", "server_is_overloaded", "Overloaded")),
            Self::Server => (500, of(if anthropic { "api_error" } else { "server_error" }, "", "Oh no")),
            Self::Timeout => (504, of("timeout_error", "", "Took too long")),
            Self::Auth if anthropic => (401, of("authentication_error", "", "invalid x-api-key")),
            Self::Auth => (401, of(bad, "invalid_api_key", "Incorrect API key provided")),
            Self::NotFound => (404, of("not_found_error", "model_not_found", "no such model")),
            Self::BadRequest(message) => (400, of(bad, "", &message)),
            Self::TooLarge if anthropic => {
                (400, of(bad, "", "prompt is too long: 210000 tokens > 200000 maximum"))
            }
            Self::TooLarge => {
                (400, of(bad, "context_length_exceeded", "maximum context length is 8192 tokens"))
            }
            Self::Moderated => {
                let metadata = json!({"reasons": ["violence"], "flagged_input": "…"});
                (403, json!({"error": {"code": 403, "message": "flagged", "metadata": metadata}}))
            }
            Self::Money(Money::Disguised) if anthropic => {
                let details = json!({"error_code": "enforced_spend_limit_reached"});
                let error = json!({"type": "rate_limit_error", "message": "Limit.", "details": details});
                (429, json!({"type": "error", "error": error}))
            }
            Self::Money(Money::Disguised) => {
                (429, of("insufficient_quota", "credit_balance_exhausted", "You exceeded your quota."))
            }
            Self::Money(Money::Sentence) => (400, of(bad, "", "Your credit balance is too low.")),
            Self::Money(Money::Status) => (402, of("billing_error", "", "Payment required")),
        };
        (status, headers, body)
    }
}

fn with_id(mut headers: Vec<(String, String)>, call: &Call) -> Vec<(String, String)> {
    let name = if call.dialect == Dialect::Anthropic { "request-id" } else { "x-request-id" };
    headers.push((name.to_owned(), format!("req_{:x}_{}", call.seed(), call.n)));
    headers
}

fn json_reply(status: u16, body: &Value) -> Reply {
    whole(status, vec![("content-type".to_owned(), "application/json".to_owned())], body.to_string())
}

fn whole(status: u16, headers: Vec<(String, String)>, body: String) -> Reply {
    Reply { status, headers, parts: Box::new(iter::once(Part::Bytes(body.into_bytes()))) }
}
