//! One attempt over the wire: wait for a place, send, learn from a refused parameter.

use reqwest::header::CONNECTION;
use tokio::time::{Instant, timeout, timeout_at};

use super::{
    CallError, Endpoint, Llm, Pace, anthropic, chat,
    classify::Complaint,
    draft::Draft,
    error::{late, transport},
    learned::{self, Parameter},
    stream::{ReplyReader, bounded},
    tools::Way,
    warmup::{First, beginning},
};
use domain::{Finish, ModelName, Prompt, Provider};

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
        let first =
            if self.wants_warmup(model, prompt) { self.0.warmups.enter(model, prompt).await } else { None };
        let waits = self.0.counted.waits(provider);
        let permit = self.0.gates.of(provider).enter(beginning(model, prompt)).await;
        drop(waits);
        let trial = self.0.breakers.enter(model)?;
        let pace = &self.0.limits.of(provider).with_thoughts(prompt.room);
        let _runs = self.0.counted.runs(provider);
        let outcome =
            timeout(pace.total, self.exchange(endpoint, pace, (model, prompt), draft, first.as_ref())).await;
        let outcome = outcome.unwrap_or_else(|_| Err(late(model, "was not done", pace.total)));
        permit.settle(outcome.as_ref().copied());
        trial.settle(outcome.as_ref().copied());
        outcome
    }

    async fn exchange(
        &self,
        endpoint: &Endpoint,
        pace: &Pace,
        (model, prompt): (&ModelName, &Prompt),
        draft: &mut Draft,
        first: Option<&First>,
    ) -> Result<(), CallError> {
        let provider = model.provider;
        let path = if provider == Provider::Anthropic { anthropic::PATH } else { chat::PATH };
        let begin = Instant::now() + pace.first_token;
        // Ends: each turn leaves out one of finitely many parameters.
        loop {
            let dropped = self.0.learned.of(model);
            // What it is written from goes at once: hundreds wait for their replies at the same time.
            let request =
                self.client(endpoint).post(endpoint.url(path)).json(&self.body(model, prompt, dropped));
            let mut request = endpoint.authorize(provider, request)?;
            // llama.cpp's server closes the connection after a reply that it streamed, though it says "Keep-Alive" (seen in
            // build 11549). A call that has waited for that reply's place goes out at that moment and would be cut off, so
            // each has a connection of its own, which costs nothing beside its answer.
            if provider == Provider::Local {
                request = request.header(CONNECTION, "close");
            }
            draft.goes_out();
            let response = match timeout_at(begin, request.send()).await {
                Err(_) => return Err(late(model, "did not begin to answer", pace.first_token)),
                Ok(Err(error)) => {
                    draft.sent = !error.is_connect();
                    return Err(transport(model, error));
                }
                Ok(Ok(response)) => response,
            };
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            draft.heard(&headers);
            if response.status().is_success() {
                return ReplyReader { model, endpoint, pace, begin, first }.take(response, draft).await;
            }
            let text = timeout_at(begin, bounded(response)).await.unwrap_or_default();
            let complaint = Complaint::of_body(&endpoint.redacted(&text));
            if complaint.is_refusal() {
                draft.push_refusal(&complaint.message)?;
                draft.finish(Finish::Refused);
                return Ok(());
            }
            let way = self.way(model, prompt, dropped);
            let sent = |parameter: Parameter| {
                !dropped.has(parameter)
                    && (parameter != Parameter::Temperature || prompt.temperature.is_some())
                    && (parameter != Parameter::Schema || (prompt.schema.is_some() && !way.is_native()))
                    && (parameter != Parameter::Forced || way == Way::Forced)
                    && (!matches!(parameter, Parameter::Tools | Parameter::Strict | Parameter::Parallel)
                        || way.is_native())
                    && (parameter != Parameter::Effort || self.thinking(model, prompt, dropped).is_some())
            };
            let Some(parameter) = learned::culprit(status, &complaint, sent) else {
                return Err(complaint.error(provider, status, &headers));
            };
            tracing::warn!(%model, ?parameter, "the model refuses this parameter; asking again without it");
            self.0.learned.add(model, parameter);
        }
    }
}
