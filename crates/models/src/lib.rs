//! The one door to language models: Anthropic Messages natively, and chat completions as `OpenAI`, Azure, Gemini,
//! `OpenRouter` and local servers speak them.
//!
//! Invariant: a call of [`Llm::send`] is *one* attempt, streamed wherever that is allowed, and ends in a whole [`Reply`] or in a
//! [`CallError`] whose class says what may be done about it. Nothing is retried behind the caller's back
//! (except that what a server has just refused is asked for otherwise, four times at most), no reply is returned of which the end
//! is missing, and no key appears in an error or a log line.
//!
//! Called by `steps`, which writes the row and reserves the budget before an attempt and asks
//! [`CallError::pause`] what to do after it; and by `doctor`, which lists models.

mod anthropic;
mod attempt;
mod breaker;
mod chat;
mod classify;
mod counted;
mod discover;
mod draft;
mod endpoint;
mod error;
mod events;
mod gate;
mod learned;
mod listener;
pub mod pages;
mod price;
mod reasoning;
pub mod retry;
mod schema;
#[cfg(test)]
mod script;
pub mod search;
mod stream;
mod tools;
mod warmup;

use std::{collections::BTreeMap, sync::Arc};

use serde_json::Value;
use tokio_util::sync::CancellationToken;

pub use counted::Asked;
pub use discover::{LOCAL_CANDIDATES, LOCAL_PATIENCE, LocalServer, find_local};
pub use endpoint::{Endpoint, Endpoints, Limits, Pace};
pub use error::{CallError, Class, FailedGeneration};
pub use learned::{Lesson, Manner};
pub use listener::Listener;
pub use price::{Prices, PricesError};

use self::{
    breaker::Breakers,
    counted::Counted,
    draft::Draft,
    gate::Gates,
    learned::{Learned, Parameter},
    reasoning::Thinking,
    tools::Way,
    warmup::Warmups,
};
use domain::{Effort, ModelName, Picture, Price, Prompt, Provider, Reply};

/// Above about this many tokens of shared prefix, releasing one call of a round before the others pays.
const WARMUP_TOKENS: usize = 1_500;
/// How long a connection to a model is kept that no call uses: a round's next calls begin at once, and each one that is kept
/// costs some 40 kB.
const UNUSED: std::time::Duration = std::time::Duration::from_secs(15);

/// The door to all configured models; cheap to clone.
#[derive(Clone, Debug)]
pub struct Llm(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    endpoints: Endpoints,
    limits: Limits,
    /// Through the system's proxy, if there is one.
    outside: reqwest::Client,
    /// For servers on this machine, never through a proxy.
    inside: reqwest::Client,
    gates: Gates,
    breakers: Breakers,
    learned: Learned,
    warmups: Warmups,
    prices: Prices,
    counted: Counted,
}

impl Llm {
    /// Builds the clients; connects to nothing yet.
    pub fn new(endpoints: Endpoints, limits: Limits, prices: Prices) -> anyhow::Result<Self> {
        let client = || {
            tls::client()
                .connect_timeout(limits.connect)
                .redirect(reqwest::redirect::Policy::none())
                .tcp_keepalive(std::time::Duration::from_secs(30))
                .pool_idle_timeout(UNUSED)
                .user_agent(concat!("quorum/", env!("CARGO_PKG_VERSION")))
        };
        Ok(Self(Arc::new(Inner {
            outside: client().build()?,
            inside: client().no_proxy().build()?,
            gates: Gates::new(&limits),
            breakers: Breakers::default(),
            learned: Learned::default(),
            warmups: Warmups::default(),
            counted: Counted::new(&endpoints),
            endpoints,
            limits,
            prices,
        })))
    }

    /// Makes one attempt and gives the whole reply. Waits first for a free place at the provider and
    /// for the end of a pause the provider asked for. When `cancel` fires the connection is closed and the
    /// error's class is [`Class::Cancelled`].
    pub async fn send(
        &self,
        model: &ModelName,
        prompt: &Prompt,
        cancel: &CancellationToken,
    ) -> Result<Reply, CallError> {
        self.send_heard(model, prompt, cancel, &Listener::default()).await
    }

    /// The same, with somebody who listens to the reply while it comes.
    pub async fn send_heard(
        &self,
        model: &ModelName,
        prompt: &Prompt,
        cancel: &CancellationToken,
        listener: &Listener,
    ) -> Result<Reply, CallError> {
        let mut draft = Draft::heard_by(listener.clone());
        let outcome = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(CallError::new(Class::Cancelled, "the call was cancelled")),
            // Boxed, or every future that waits for a reply would be as large as this one.
            outcome = Box::pin(self.attempt(model, prompt, &mut draft)) => outcome,
        };
        listener.over();
        let outcome = outcome.map_err(|mut error| {
            error.usage = error.usage.or_else(|| draft.spent());
            error.request_id = error.request_id.or_else(|| draft.request_id());
            (error.sent, error.received) = (draft.sent, draft.received());
            error
        });
        self.0.counted.ended(model.provider, &outcome);
        outcome
    }

    /// What was asked of each provider that is configured, since the start.
    #[must_use]
    pub fn asked(&self) -> BTreeMap<Provider, Asked> {
        self.0.counted.now()
    }

    /// Asks again at once where the money was gone: somebody has decided to go on, which is after paying.
    pub fn money_is_back(&self) {
        self.0.breakers.money_is_back();
    }

    /// The body that [`Llm::send`] sends for this prompt, without what the model is known to refuse. Holds no
    /// key and in place of pictures how long they are, so it can be kept and shown.
    #[must_use]
    pub fn wire(&self, model: &ModelName, prompt: &Prompt) -> Value {
        let manner = self.0.learned.of(model);
        if prompt.pictures.is_empty() {
            return self.body(model, prompt, &manner);
        }
        let left_out = |picture: &Picture| Picture {
            base64: format!("({} bytes, left out here)", picture.base64.len() / 4 * 3),
            media: picture.media.clone(),
        };
        let pictures = prompt.pictures.iter().map(left_out).collect();
        self.body(model, &Prompt { pictures, ..prompt.clone() }, &manner)
    }

    /// What the model costs by the table of prices; `None` when unknown, which is not free.
    #[must_use]
    pub fn price(&self, model: &ModelName) -> Option<Price> {
        self.0.prices.price(model)
    }

    /// Most tokens of a request and its answer together: by the table, else as a server on this machine says; `None` if
    /// nobody does. Waits [`LOCAL_PATIENCE`] at most for each address where it may be told.
    pub async fn context(&self, model: &ModelName) -> Option<u32> {
        match (self.0.prices.context(model), model.provider) {
            (None, Provider::Local) => self.local_context(model).await,
            (known, _) => known,
        }
    }

    /// Tokens that a request needs above its answer for what the model thinks first; 0 for one that does not, as far as
    /// is known.
    #[must_use]
    pub fn room(&self, model: &ModelName, prompt: &Prompt) -> u32 {
        if self.thinks(model) { Thinking::of(prompt).room() } else { 0 }
    }

    /// The most room that a request of a session needs.
    #[must_use]
    pub fn most_room(&self, model: &ModelName, effort: Effort) -> u32 {
        if self.thinks(model) { Thinking::at(effort, u32::MAX).room() } else { 0 }
    }

    fn thinks(&self, model: &ModelName) -> bool {
        self.0.prices.reasons(model) || self.0.learned.thinks(model)
    }

    /// Goes on from what was learned before, as far as it is about the servers that are configured now.
    pub fn recall(&self, lessons: impl IntoIterator<Item = Lesson>) {
        for Lesson { base, model, manner } in lessons {
            if self.0.endpoints.of(model.provider).is_some_and(|endpoint| endpoint.named() == base) {
                self.0.learned.recall(model, manner);
            }
        }
    }

    /// What was learned since this was last asked, to be kept.
    #[must_use]
    pub fn news(&self) -> Vec<Lesson> {
        let news = self.0.learned.news().into_iter();
        let lesson = |(model, manner): (ModelName, Manner)| {
            let base = self.0.endpoints.of(model.provider)?.named();
            Some(Lesson { base, model, manner })
        };
        news.filter_map(lesson).collect()
    }

    /// How a model is asked, as far as it was learned.
    #[must_use]
    pub fn manner(&self, model: &ModelName) -> Manner {
        self.0.learned.of(model)
    }

    /// Notes that a model thinks, which showed in a reply that was nothing else.
    pub fn note_thinking(&self, model: &ModelName) {
        self.0.learned.add_thinker(model);
    }

    /// How many calls run side by side at the model just now, at least 1: what it has borne so far, those of
    /// other sessions among them.
    #[must_use]
    pub fn at_once(&self, model: &ModelName) -> usize {
        self.0.gates.of(model).limit()
    }

    /// Whether one of several calls with this prefix goes first until it begins to answer (about 2 s), so that
    /// the others find the prefix in the provider's cache: Anthropic's entry exists only once the first response
    /// begins, so calls sent at the same moment all pay the full price.
    #[must_use]
    pub fn wants_warmup(&self, model: &ModelName, prompt: &Prompt) -> bool {
        model.provider == Provider::Anthropic
            && (prompt.tool_bytes() + prompt.rules.len() + prompt.shared.len()) / 4 > WARMUP_TOKENS
    }

    /// Where the provider is served, if it is configured.
    fn endpoint(&self, provider: Provider) -> Result<&Endpoint, CallError> {
        let missing = || CallError::new(Class::Auth, format!("{} is not configured", provider.as_str()));
        self.0.endpoints.of(provider).ok_or_else(missing)
    }

    fn client(&self, endpoint: &Endpoint) -> &reqwest::Client {
        if endpoint::is_loopback(&endpoint.base) { &self.0.inside } else { &self.0.outside }
    }

    /// How hard the model is told to think, where the table knows it as one that takes that and it has not refused it.
    fn thinking(&self, model: &ModelName, prompt: &Prompt, manner: &Manner) -> Option<Thinking> {
        let told = prompt.room > 0 && self.0.prices.reasons(model) && !manner.lacks(Parameter::Effort);
        told.then(|| Thinking::of(prompt))
    }

    /// How a request carries its tools.
    fn way(&self, model: &ModelName, prompt: &Prompt, manner: &Manner) -> Way {
        Way::of(model, prompt, manner, self.thinking(model, prompt, manner))
    }

    fn body(&self, model: &ModelName, prompt: &Prompt, manner: &Manner) -> Value {
        let thinking = self.thinking(model, prompt, manner);
        match model.provider {
            Provider::Anthropic => anthropic::body(model, prompt, manner, thinking),
            _ => chat::body(model, prompt, manner, thinking),
        }
    }
}
