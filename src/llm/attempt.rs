//! One attempt over the wire: send, learn from a refused parameter, read the stream against its clocks.

use std::{
    error::Error as _,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use bytes::Bytes;
use eventsource_stream::Eventsource;
use futures::{Stream, StreamExt};
use reqwest::{Response, header::CONTENT_TYPE};
use serde_json::Value;
use tokio::time::{Instant, timeout, timeout_at};

use super::{
    CallError, Class, Endpoint, Llm, Pace, anthropic, body, chat,
    classify::Complaint,
    draft::{Draft, Progress},
    learned::{self, Parameter},
};
use crate::domain::{Finish, ModelName, Prompt, Provider};

/// Most bytes of an error's body that are read.
const MOST_ERROR: usize = 64 << 10;
/// Most bytes of a reply that is not streamed.
const MOST_WHOLE: usize = 4 << 20;
/// Most bytes of a single event of a stream. Less than a whole reply: an unfinished event is read anew with each
/// piece that arrives.
const MOST_EVENT: usize = 512 << 10;
/// How long the count of tokens is waited for once the model has stopped.
const TAIL: Duration = Duration::from_secs(5);
/// How long the end of the body is waited for once the reply is whole.
const DRAIN: Duration = Duration::from_millis(20);

impl Llm {
    /// Waits for a place, makes one attempt, and lets gate and breaker learn from it.
    pub(super) async fn attempt(
        &self,
        model: &ModelName,
        prompt: &Prompt,
        draft: &mut Draft,
    ) -> Result<(), CallError> {
        let provider = model.provider;
        let endpoint = self.endpoint(provider)?;
        self.0.breakers.peek(model)?;
        let permit = self.0.gates.of(provider).enter().await;
        let trial = self.0.breakers.enter(model)?;
        let pace = self.0.limits.of(provider);
        let outcome = timeout(pace.total, self.exchange(endpoint, pace, model, prompt, draft)).await;
        let outcome = outcome.unwrap_or_else(|_| Err(late(model, "was not done", pace.total)));
        permit.settle(outcome.as_ref().copied());
        trial.settle(outcome.as_ref().copied());
        outcome
    }

    async fn exchange(
        &self,
        endpoint: &Endpoint,
        pace: &Pace,
        model: &ModelName,
        prompt: &Prompt,
        draft: &mut Draft,
    ) -> Result<(), CallError> {
        let provider = model.provider;
        let path = if provider == Provider::Anthropic { anthropic::PATH } else { chat::PATH };
        let begin = Instant::now() + pace.first_token;
        // Ends: each turn leaves out one of finitely many parameters.
        loop {
            let dropped = self.0.learned.of(model);
            let body = body(model, prompt, dropped);
            let request = self.client(endpoint).post(endpoint.url(path)).json(&body);
            let request = endpoint.authorize(provider, request)?;
            let response = match timeout_at(begin, request.send()).await {
                Err(_) => return Err(late(model, "did not begin to answer", pace.first_token)),
                Ok(Err(error)) => return Err(transport(model, error)),
                Ok(Ok(response)) => response,
            };
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            draft.heard(&headers);
            if response.status().is_success() {
                return receive(response, begin, endpoint, pace, model, draft).await;
            }
            let text = timeout_at(begin, bounded(response)).await.unwrap_or_default();
            let complaint = Complaint::of_body(&endpoint.redacted(&text));
            if complaint.is_refusal() {
                draft.push_refusal(&complaint.message)?;
                draft.finish(Finish::Refused);
                return Ok(());
            }
            let sent = |parameter: Parameter| {
                !dropped.has(parameter)
                    && (parameter != Parameter::Temperature || prompt.temperature.is_some())
                    && (parameter != Parameter::Schema || prompt.schema.is_some())
            };
            let Some(parameter) = learned::culprit(status, &complaint, sent) else {
                return Err(complaint.error(provider, status, &headers));
            };
            tracing::warn!(%model, ?parameter, "the model refuses this parameter; asking again without it");
            self.0.learned.add(model, parameter);
        }
    }
}

/// Reads a response that began well.
async fn receive(
    response: Response,
    begin: Instant,
    endpoint: &Endpoint,
    pace: &Pace,
    model: &ModelName,
    draft: &mut Draft,
) -> Result<(), CallError> {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.starts_with("text/html") {
        let text = format!("{model}: a web page came instead of a reply; check the base URL");
        return Err(CallError::new(Class::Broken, text));
    }
    if kind.starts_with("application/json") {
        let patience = begin.max(Instant::now() + pace.silence);
        let text = timeout_at(patience, bounded(response)).await;
        let text = text.map_err(|_| late(model, "did not finish its answer", pace.silence))?;
        let value = serde_json::from_str(&endpoint.redacted(&text)).map_err(|_| {
            CallError::new(Class::Broken, format!("{model}: what came is cut off or not JSON"))
        })?;
        return match model.provider {
            Provider::Anthropic => anthropic::whole(draft, &value),
            provider => chat::whole(provider, draft, &value),
        };
    }
    stream(response.bytes_stream(), begin, endpoint, pace, model, draft).await
}

/// Reads the stream until its end. The clock runs out at `begin` until the model has begun, and after a silence
/// from then on; comments (which `OpenRouter` sends while a request waits) and pings do not start it.
async fn stream(
    bytes: impl Stream<Item = reqwest::Result<Bytes>>,
    begin: Instant,
    endpoint: &Endpoint,
    pace: &Pace,
    model: &ModelName,
    draft: &mut Draft,
) -> Result<(), CallError> {
    let unread = AtomicUsize::new(0);
    let bytes = bytes.map(|chunk| {
        let chunk = chunk.map_err(|error| transport(model, error))?;
        if unread.fetch_add(chunk.len(), Ordering::Relaxed) + chunk.len() > MOST_EVENT {
            return Err(CallError::new(Class::Broken, format!("{model}: an event without an end")));
        }
        Ok(chunk)
    });
    let mut events = std::pin::pin!(bytes.eventsource());
    let (mut deadline, mut speaks) = (begin, false);
    loop {
        let event = match timeout_at(deadline, events.next()).await {
            // The reply is whole; only the count of tokens or the terminator is missing.
            Err(_) | Ok(None | Some(Err(_))) if is_whole(draft, model.provider) => return Ok(()),
            Err(_) if speaks => return Err(late(model, "fell silent", pace.silence)),
            Err(_) => return Err(late(model, "did not begin to answer", pace.first_token)),
            Ok(None) => {
                let text = format!("{model}: the stream ended before the reply did");
                return Err(CallError::new(Class::Broken, text));
            }
            Ok(Some(Err(eventsource_stream::EventStreamError::Transport(error)))) => return Err(error),
            Ok(Some(Err(_))) => {
                return Err(CallError::new(Class::Broken, format!("{model}: the stream is not text")));
            }
            Ok(Some(Ok(event))) => event,
        };
        unread.store(0, Ordering::Relaxed);
        let progress = if event.data.trim() == "[DONE]" {
            Progress::Done
        } else {
            read(model, draft, &endpoint.redacted(&event.data))?
        };
        match progress {
            Progress::Done if draft.is_finished() => {
                // A body read to its end leaves the connection fit for the next call.
                let rest = events.for_each(|_| std::future::ready(()));
                drop(timeout(DRAIN, rest).await);
                return Ok(());
            }
            Progress::Done => {
                let text = format!("{model}: the stream ended without a reason");
                return Err(CallError::new(Class::Broken, text));
            }
            Progress::Token => speaks = true,
            Progress::Alive if speaks => {}
            Progress::Alive | Progress::None => continue,
        }
        deadline = Instant::now() + if draft.is_finished() { pace.silence.min(TAIL) } else { pace.silence };
    }
}

/// Whether nothing that matters can follow. Anthropic promises an end (`message_stop`); servers of the other
/// dialect often leave `[DONE]` out.
fn is_whole(draft: &Draft, provider: Provider) -> bool {
    draft.is_finished() && provider != Provider::Anthropic
}

fn read(model: &ModelName, draft: &mut Draft, data: &str) -> Result<Progress, CallError> {
    let event: Value = serde_json::from_str(data)
        .map_err(|_| CallError::new(Class::Broken, format!("{model}: an event that is not JSON")))?;
    match model.provider {
        Provider::Anthropic => anthropic::read(draft, &event),
        provider => chat::read(provider, draft, &event),
    }
}

/// The body as text, or as much of it as comes before it is too long or the connection is cut.
pub(super) async fn bounded(response: Response) -> String {
    let most = if response.status().is_success() { MOST_WHOLE } else { MOST_ERROR };
    let mut stream = response.bytes_stream();
    let mut body = Vec::new();
    while let Some(Ok(chunk)) = stream.next().await {
        body.extend_from_slice(&chunk);
        if body.len() > most {
            break;
        }
    }
    String::from_utf8_lossy(&body).into_owned()
}

fn late(model: &ModelName, what: &str, limit: Duration) -> CallError {
    CallError::new(Class::Timeout, format!("{model} {what} within {} s", limit.as_secs_f64()))
}

/// An error of the connection. Its address stays out: a base URL may hold a password.
pub(super) fn transport(model: impl std::fmt::Display, error: reqwest::Error) -> CallError {
    let class = if error.is_connect() { Class::Unavailable } else { Class::Broken };
    let what = if error.is_connect() { "cannot be reached" } else { "the connection was cut" };
    let error = error.without_url();
    let mut causes = String::new();
    let mut cause = error.source();
    while let Some(deeper) = cause {
        causes = deeper.to_string();
        cause = deeper.source();
    }
    CallError::new(class, format!("{model}: {what} ({causes})"))
}
