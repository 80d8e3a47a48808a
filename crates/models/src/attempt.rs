//! One attempt over the wire: wait for a place, send, learn from what is refused.

use std::time::Duration;

use reqwest::{RequestBuilder, header::CONNECTION};
use tokio::time::{Instant, timeout, timeout_at};

use super::{
    CallError, Class, Endpoint, Llm, Pace, chat,
    classify::Complaint,
    draft::Draft,
    error::{late, transport},
    learned::{self, Change, Manner, Parameter, SchemaForm, Sent},
    stream::{ReplyReader, bounded},
    tools::Way,
    warmup::{First, beginning},
};

/// Most changes that are tried in one attempt: a server that refuses everything, each time for another reason, is told.
const MOST_CHANGES: usize = 4;
/// How soon a server that is loading a model is asked again.
const LOADING: Duration = Duration::from_secs(2);
use domain::{Finish, ModelName, Prompt, Provider, Reply};

impl Llm {
    /// Waits for a place, makes one attempt, and lets gate and breaker learn from it.
    pub(super) async fn attempt(
        &self,
        model: &ModelName,
        prompt: &Prompt,
        draft: &mut Draft,
    ) -> Result<Reply, CallError> {
        let provider = model.provider;
        let endpoint = self.endpoint(provider)?;
        self.0.breakers.peek(model)?;
        let first =
            if self.wants_warmup(model, prompt) { self.0.warmups.enter(model, prompt).await } else { None };
        let waits = self.0.counted.waits(provider);
        let permit = self.0.gates.of(model).enter(beginning(model, prompt)).await;
        drop(waits);
        let trial = self.0.breakers.enter(model)?;
        let pace = &self.0.limits.of(provider).with_thoughts(prompt.room);
        let _runs = self.0.counted.runs(provider);
        let outcome =
            timeout(pace.total, self.exchange(endpoint, pace, (model, prompt), draft, first.as_ref())).await;
        let outcome = outcome.unwrap_or_else(|_| Err(late(model, "was not done", pace.total)));
        permit.settle(outcome.as_ref().map(drop));
        trial.settle(outcome.as_ref().map(drop));
        outcome
    }

    async fn exchange(
        &self,
        endpoint: &Endpoint,
        pace: &Pace,
        (model, prompt): (&ModelName, &Prompt),
        draft: &mut Draft,
        first: Option<&First>,
    ) -> Result<Reply, CallError> {
        let provider = model.provider;
        let mut manner = self.0.learned.next(model);
        let mut changes = 0;
        let mut start = Instant::now();
        let loaded_by = start + pace.first_token;
        loop {
            // One that is not streamed begins with its end.
            let patience = if manner.is_streamed() { pace.first_token } else { pace.total };
            let begin = start + patience;
            let request = self.request(endpoint, model, prompt, &manner)?;
            draft.goes_out();
            let response = match timeout_at(begin, request.send()).await {
                Err(_) => return Err(late(model, "did not begin to answer", patience)),
                Ok(Err(error)) => {
                    draft.sent = !error.is_connect();
                    return Err(transport(model, error));
                }
                Ok(Ok(response)) => response,
            };
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            draft.heard(&headers);
            let (complaint, error) = if response.status().is_success() {
                let read = (ReplyReader { model, endpoint, pace, begin, patience, first })
                    .take(response, draft)
                    .await;
                // What ended well may still say nothing, and proves then nothing of the manner.
                match read.and_then(|()| draft.reply(model)) {
                    Ok(reply) => {
                        self.learn(model, manner);
                        return Ok(reply);
                    }
                    Err(error) => match draft.complaint_at_once() {
                        Some(complaint) => (complaint, error),
                        None => return Err(error),
                    },
                }
            } else {
                let text = timeout_at(begin, bounded(response)).await.unwrap_or_default();
                let complaint = Complaint::of_body(&endpoint.redacted(&text));
                let error = complaint.error(provider, status, &headers);
                (complaint, error)
            };
            if complaint.is_loading(status) && Instant::now() + LOADING < loaded_by {
                tokio::time::sleep(LOADING).await;
                // Once it is there, it has the usual time for its first word.
                start = Instant::now();
                continue;
            }
            if complaint.is_refusal() {
                draft.push_refusal(&complaint.message)?;
                draft.finish(Finish::Refused);
                return draft.reply(model);
            }
            let change = match error.class {
                // What went wrong by chance, or is about a key, teaches nothing whatever words it has.
                Class::BadRequest | Class::TooLarge | Class::Server | Class::NotFound => {
                    self.change(model, prompt, &manner, status, &complaint)
                }
                _ => None,
            };
            let Some(change) = change else {
                self.0.learned.suppose(model, None);
                return Err(error);
            };
            if changes == MOST_CHANGES {
                // The next call goes on from here.
                self.0.learned.suppose(model, Some(manner.with(change)));
                return Err(error);
            }
            tracing::warn!(%model, ?change, %error, "the model refuses to be asked so; asking again otherwise");
            draft.start_over();
            manner = manner.with(change);
            changes += 1;
        }
    }

    fn request(
        &self,
        endpoint: &Endpoint,
        model: &ModelName,
        prompt: &Prompt,
        manner: &Manner,
    ) -> Result<RequestBuilder, CallError> {
        // What it is written from goes at once: hundreds wait for their replies at the same time.
        let request =
            self.client(endpoint).post(endpoint.calls(model)).json(&self.body(model, prompt, manner));
        let request = endpoint.authorize(model.provider, request)?;
        // llama.cpp's server closes the connection after a reply that it streamed, though it says "Keep-Alive" (seen in
        // build 11549). A call that has waited for that reply's place goes out at that moment and would be cut off, so
        // each has a connection of its own, which costs nothing beside its answer.
        Ok(if model.provider == Provider::Local { request.header(CONNECTION, "close") } else { request })
    }

    /// What may be changed after this complaint.
    fn change(
        &self,
        model: &ModelName,
        prompt: &Prompt,
        manner: &Manner,
        status: u16,
        complaint: &Complaint,
    ) -> Option<Change> {
        let way = self.way(model, prompt, manner);
        let has = |parameter: Parameter| {
            !manner.lacks(parameter)
                && match parameter {
                    Parameter::Temperature => prompt.temperature.is_some(),
                    Parameter::Forced => way == Way::Forced,
                    Parameter::Tools | Parameter::Strict | Parameter::Parallel => way.is_native(),
                    Parameter::Effort => self.thinking(model, prompt, manner).is_some(),
                    // Under one name or the other, a reply is always bounded.
                    Parameter::CompletionTokens | Parameter::MaxTokens => {
                        let both = [Parameter::CompletionTokens, Parameter::MaxTokens];
                        model.provider != Provider::Anthropic
                            && chat::name_of_bound(model.provider, manner) == <&str>::from(parameter)
                            && !both.iter().any(|one| manner.lacks(*one))
                    }
                    Parameter::CacheKey => model.provider == Provider::Openai,
                    Parameter::Developer => chat::is_openai(model.provider),
                    Parameter::Extras => model.provider == Provider::Local,
                    Parameter::StreamOptions => manner.is_streamed() && model.provider != Provider::Anthropic,
                }
        };
        let sent = Sent {
            manner,
            has: &has,
            schema: prompt.schema.is_some() && !way.is_native() && manner.schema() != SchemaForm::Words,
            // Anthropic's usual one has nothing that could be left out.
            plainer: manner.schema() == SchemaForm::Whole && model.provider != Provider::Anthropic,
            rules: !prompt.rules.is_empty() || !prompt.shared.is_empty(),
            bound: manner.bound(prompt.bound()),
            needed: prompt.max_tokens,
        };
        learned::change(status, complaint, &sent)
    }

    /// Keeps a manner in which a model has answered, and says so once.
    fn learn(&self, model: &ModelName, manner: Manner) {
        let told = manner.to_string();
        if self.0.learned.keep(model, manner) {
            tracing::info!(%model, manner = told, "learned how this model is asked");
        }
    }
}

#[cfg(test)]
mod tests;
