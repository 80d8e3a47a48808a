//! A response that began well, read against its clocks and bounds.

use std::{pin::pin, time::Duration};

use bytes::Bytes;
use futures::{Stream, StreamExt, stream};
use reqwest::{Response, header::CONTENT_TYPE};
use serde_json::Value;
use tokio::time::{Instant, timeout, timeout_at};

use super::{
    CallError, Class, Endpoint, Pace, anthropic, chat,
    draft::{Draft, Progress},
    error::{late, transport},
    events::{Events, EventsError},
    warmup::First,
};
use domain::{ModelName, Provider};

/// Most bytes of an error's body that are read.
const MOST_ERROR: usize = 64 << 10;
/// Most bytes of a reply that is not streamed.
const MOST_WHOLE: usize = 4 << 20;
/// How long the count of tokens is waited for once the model has stopped.
const TAIL: Duration = Duration::from_secs(5);
/// UTF-8's.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// How long the end of the body is waited for once the reply is whole.
const DRAIN: Duration = Duration::from_millis(20);

/// What a response is read with.
pub(super) struct ReplyReader<'a> {
    pub(super) model: &'a ModelName,
    pub(super) endpoint: &'a Endpoint,
    pub(super) pace: &'a Pace,
    /// By when the model must have begun to answer.
    pub(super) begin: Instant,
    /// How long that is.
    pub(super) patience: Duration,
    /// Set if others wait for this reply to begin.
    pub(super) first: Option<&'a First>,
}

impl ReplyReader<'_> {
    /// Reads the response into the draft until its end; whether it is a reply, the draft says.
    pub(super) async fn take(&self, response: Response, draft: &mut Draft) -> Result<(), CallError> {
        let kind =
            response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let is_page = kind.starts_with("text/html");
        let mut bytes = pin!(response.bytes_stream());
        // What a server calls it is not always what it is: its first letter decides.
        let (piece, first) = loop {
            match timeout_at(self.begin, bytes.next()).await {
                Err(_) => return Err(late(self.model, "did not begin to answer", self.patience)),
                Ok(None) => return Err(self.broken("the reply is empty")),
                Ok(Some(Err(error))) => return Err(transport(self.model, error)),
                Ok(Some(Ok(piece))) => {
                    // A mark that some put before the first letter is none.
                    let text = piece.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&piece);
                    if let Some(first) = text.iter().find(|byte| !byte.is_ascii_whitespace()).copied() {
                        break (piece, first);
                    }
                }
            }
        };
        if is_page || first == b'<' {
            return Err(self.broken("a web page came instead of a reply; check the base URL"));
        }
        let bytes = stream::iter([Ok(piece)]).chain(bytes);
        if !matches!(first, b'{' | b'[') {
            return self.stream(bytes, draft).await;
        }
        // A server that does not stream, or an error with status 200.
        let text = timeout_at(self.begin, collected(bytes, MOST_WHOLE)).await;
        let text = text.map_err(|_| late(self.model, "did not answer", self.patience))?;
        let text = self.endpoint.redacted(text.trim_start_matches('\u{feff}')).into_owned();
        let value =
            serde_json::from_str(&text).map_err(|_| self.broken("what came is cut off or not JSON"))?;
        match self.model.provider {
            Provider::Anthropic => anthropic::whole(draft, &value),
            provider => chat::whole(provider, draft, &value),
        }
    }

    /// Reads the stream until its end. The clock runs out at `begin` until the model has begun, and after a
    /// silence from then on; comments (which `OpenRouter` sends while a request waits) and pings do not start
    /// it.
    async fn stream(
        &self,
        bytes: impl Stream<Item = reqwest::Result<Bytes>>,
        draft: &mut Draft,
    ) -> Result<(), CallError> {
        let mut bytes = pin!(bytes);
        let mut events = Events::new(&mut bytes);
        let (mut deadline, mut speaks) = (self.begin, false);
        loop {
            let event = match timeout_at(deadline, events.next()).await {
                // The reply is whole; only the count of tokens or the terminator is missing.
                Err(_) | Ok(None | Some(Err(_))) if self.is_whole(draft) => return Ok(()),
                Err(_) if speaks => return Err(late(self.model, "fell silent", self.pace.silence)),
                Err(_) => return Err(late(self.model, "did not begin to answer", self.patience)),
                Ok(None) => return Err(self.broken("the stream ended before the reply did")),
                Ok(Some(Err(EventsError::Transport(error)))) => return Err(transport(self.model, error)),
                Ok(Some(Err(EventsError::NotText))) => return Err(self.broken("the stream is not text")),
                Ok(Some(Err(EventsError::Endless))) => return Err(self.broken("an event without an end")),
                Ok(Some(Ok(event))) => event,
            };
            match self.read(&event, draft)? {
                Progress::Done if draft.is_finished() => {
                    // A body read to its end leaves the connection fit for the next call.
                    let rest = async { while events.next().await.is_some() {} };
                    drop(timeout(DRAIN, rest).await);
                    return Ok(());
                }
                Progress::Done => return Err(self.broken("the stream ended without a reason")),
                Progress::Token => {
                    speaks = true;
                    self.first.inspect(|first| first.begun());
                }
                Progress::Alive if speaks => {}
                Progress::Alive | Progress::None => continue,
            }
            let silence = self.pace.silence;
            deadline = Instant::now() + if draft.is_finished() { silence.min(TAIL) } else { silence };
        }
    }

    fn read(&self, data: &str, draft: &mut Draft) -> Result<Progress, CallError> {
        if data.trim() == "[DONE]" {
            return Ok(Progress::Done);
        }
        let event: Value = serde_json::from_str(&self.endpoint.redacted(data))
            .map_err(|_| self.broken("an event that is not JSON"))?;
        match self.model.provider {
            Provider::Anthropic => anthropic::read(draft, &event),
            provider => chat::read(provider, draft, &event),
        }
    }

    /// Whether nothing that matters can follow. Anthropic promises an end (`message_stop`); servers of the other
    /// dialect often leave `[DONE]` out.
    fn is_whole(&self, draft: &Draft) -> bool {
        draft.is_finished() && self.model.provider != Provider::Anthropic
    }

    fn broken(&self, what: &str) -> CallError {
        CallError::new(Class::Broken, format!("{}: {what}", self.model))
    }
}

/// The body as text, or as much of it as comes before it is too long or the connection is cut.
pub(super) async fn bounded(response: Response) -> String {
    let most = if response.status().is_success() { MOST_WHOLE } else { MOST_ERROR };
    collected(response.bytes_stream(), most).await
}

async fn collected(bytes: impl Stream<Item = reqwest::Result<Bytes>>, most: usize) -> String {
    let mut bytes = pin!(bytes);
    let mut body = Vec::new();
    while let Some(Ok(chunk)) = bytes.next().await {
        body.extend_from_slice(&chunk);
        if body.len() > most {
            break;
        }
    }
    String::from_utf8_lossy(&body).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn signs_of_life_before_the_first_word_do_not_move_its_time() {
        let model: ModelName = "anthropic/m".parse().unwrap();
        let endpoint = Endpoint::new("http://127.0.0.1:9".parse().unwrap(), None);
        let long = Duration::from_mins(1);
        let pace = Pace { silence: long, ..crate::Limits::default().remote };
        let patience = Duration::from_millis(80);
        let begin = Instant::now() + patience;
        let reader =
            ReplyReader { model: &model, endpoint: &endpoint, pace: &pace, begin, patience, first: None };
        let pings = stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_millis(10)).await;
            Some((Ok(Bytes::from_static(b"data: {\"type\":\"ping\"}\n\n")), ()))
        });
        let mut draft = Draft::default();
        let outcome = timeout(Duration::from_secs(5), reader.stream(pings, &mut draft)).await;
        assert_eq!(outcome.expect("its time does not end").unwrap_err().class, Class::Timeout);
    }

    #[tokio::test]
    async fn no_more_of_a_body_is_read_than_its_bound() {
        let chunks = stream::iter((0..100).map(|_| Ok(Bytes::from_static(b"0123456789"))));
        assert_eq!(collected(chunks, 25).await.len(), 30);
    }
}
