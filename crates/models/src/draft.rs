//! A reply as it grows from a stream, in one shape for all dialects.

use reqwest::header::HeaderMap;

use super::{CallError, Class, classify::Complaint, listener::Listener, tools::Call};
use domain::{Finish, ModelName, Money, Provider, Reply, Usage, short_model};

/// Most text of a reply, in bytes.
const MOST_TEXT: usize = 1 << 20;
/// Longest name or id that is taken over from a provider, in characters.
const MOST_NAME: usize = 200;

/// What an event of a stream meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// Nothing: an unknown event, a header.
    None,
    /// The provider is alive, the model silent; counts only once the model has begun.
    Alive,
    /// The model said or did something.
    Token,
    /// The stream is complete.
    Done,
}

/// What a request used, and what the provider says it costs.
#[derive(Clone, Copy, Debug)]
struct Bill {
    usage: Usage,
    cost: Option<Money>,
}

/// What has arrived so far.
#[derive(Debug, Default)]
pub(super) struct Draft {
    text: String,
    /// What it thought, where the provider tells: some servers put the answer there.
    thoughts: String,
    /// What the provider complained of after it had begun well.
    complaint: Option<Complaint>,
    /// The tool that the model calls. Of several calls the first counts, and of a reply with a call nothing else does.
    call: Option<Call>,
    refusal: String,
    finish: Option<Finish>,
    /// As counted so far; the last word of a provider replaces earlier ones.
    pub(super) usage: Option<Usage>,
    /// What the provider says it costs.
    pub(super) cost: Option<Money>,
    /// What was counted for requests that were refused in the middle, before this one.
    refused: Option<Bill>,
    answered: Option<String>,
    /// The id in the response's headers, else the one in its body.
    request_id: Option<String>,
    /// Whether the request may have reached the provider: only that can have cost anything.
    pub(super) sent: bool,
    /// Who hears of it while it comes.
    listener: Listener,
}

impl Draft {
    /// An empty one.
    pub(super) fn heard_by(listener: Listener) -> Self {
        Self { listener, ..Self::default() }
    }

    /// Notes that the request goes out, maybe once more.
    pub(super) fn goes_out(&mut self) {
        self.sent = true;
        self.listener.sent();
    }

    /// Adds what the model said.
    pub(super) fn push(&mut self, text: &str) -> Result<(), CallError> {
        self.listener.text(text);
        push(&mut self.text, text)
    }

    /// Hears that the model thinks, and what, where the provider tells: it is no part of the reply.
    pub(super) fn thinks(&mut self, thought: &str) {
        self.listener.thought(thought);
        if self.thoughts.len() + thought.len() <= MOST_TEXT {
            self.thoughts.push_str(thought);
        }
    }

    /// Keeps what a provider complained of in the middle of a stream; gives the error.
    pub(super) fn breaks(&mut self, complaint: Complaint, provider: Provider) -> CallError {
        self.complaint.insert(complaint).in_stream(provider)
    }

    /// Forgets what a refused request brought, for the next one, but what was counted for it: that is paid for, too.
    pub(super) fn start_over(&mut self) {
        let refused = self.bill();
        *self = Self { listener: self.listener.clone(), sent: self.sent, refused, ..Self::default() };
    }

    /// All that was counted so far. What it costs is known only where the provider said so of each part.
    fn bill(&self) -> Option<Bill> {
        let own = self.usage.map(|usage| Bill { usage, cost: self.cost });
        let (Some(refused), Some(own)) = (self.refused, own) else { return own.or(self.refused) };
        let mut usage = refused.usage;
        usage += own.usage;
        let cost = refused.cost.zip(own.cost).map(|(refused, own)| Money(refused.0 + own.0));
        Some(Bill { usage, cost })
    }

    /// The complaint, where it came before anything else did.
    pub(super) fn complaint_at_once(&mut self) -> Option<Complaint> {
        if self.received() > 0 || !self.thoughts.is_empty() { None } else { self.complaint.take() }
    }

    /// Notes that a call begins, or hears more of one that has begun.
    pub(super) fn begin_call(&mut self, place: u64, id: &str, name: &str) {
        let name = &name[..name.floor_char_boundary(MOST_NAME)];
        match &mut self.call {
            Some(call) => call.hear(place, id, name),
            None => self.call = Some(Call::new(place, id, name)),
        }
    }

    /// Adds to the arguments of the call that counts.
    pub(super) fn push_arguments(&mut self, place: u64, text: &str) -> Result<(), CallError> {
        match &mut self.call {
            Some(call) if call.owns(place) => {
                self.listener.text(text);
                push(&mut call.arguments, text)
            }
            _ => Ok(()),
        }
    }

    /// Adds to the words with which the model declines.
    pub(super) fn push_refusal(&mut self, text: &str) -> Result<(), CallError> {
        push(&mut self.refusal, text)
    }

    /// Notes why the model stopped. A refusal stays one.
    pub(super) fn finish(&mut self, finish: Finish) {
        if self.finish != Some(Finish::Refused) {
            self.finish = Some(finish);
        }
    }

    /// Whether the model said why it stopped, which is the end of its text.
    pub(super) fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// Whether the model declines in words of its own.
    pub(super) fn declines(&self) -> bool {
        !self.refusal.is_empty()
    }

    /// Notes the model that answers. A server of one's own may call it by the path of its file, of which people read the
    /// last part.
    pub(super) fn answered_by(&mut self, model: &str) {
        let name = short_model(model);
        if !name.is_empty() {
            self.answered = Some(name.chars().take(MOST_NAME).collect());
        }
    }

    /// Notes the provider's id for the request from the response's headers.
    pub(super) fn heard(&mut self, headers: &HeaderMap) {
        let id = ["request-id", "x-request-id", "x-generation-id"].iter().find_map(|name| headers.get(*name));
        if let Some(id) = id.and_then(|id| id.to_str().ok()) {
            self.name(id);
        }
    }

    /// Notes an id, unless there is one.
    pub(super) fn name(&mut self, id: &str) {
        if self.request_id.is_none() && !id.is_empty() {
            self.request_id = Some(id.chars().take(MOST_NAME).collect());
        }
    }

    pub(super) fn request_id(&self) -> Option<String> {
        self.request_id.clone()
    }

    /// Characters of text and arguments that have come.
    pub(super) fn received(&self) -> u64 {
        let arguments = self.call.as_ref().map_or(0, |call| call.arguments.chars().count());
        u64::try_from(self.text.chars().count() + arguments).unwrap_or_default()
    }

    /// What a stream that did not end well has used, as far as known.
    pub(super) fn spent(&self) -> Option<Usage> {
        let usage = self.bill()?.usage;
        Some(Usage { output: usage.output.max(self.received() / 4), ..usage })
    }

    /// The whole reply, if it is whole.
    pub(super) fn reply(&mut self, asked: &ModelName) -> Result<Reply, CallError> {
        let Some(finish) = self.finish else {
            return Err(CallError::new(Class::Broken, format!("{asked}: what came is no whole reply")));
        };
        if let Some(call) = self.call.take() {
            self.text = call.flat();
        }
        let is_empty = self.text.trim().is_empty();
        let finish = match finish {
            Finish::Stop if is_empty && !self.thoughts.trim().is_empty() => {
                self.text = std::mem::take(&mut self.thoughts);
                Finish::InThoughts
            }
            Finish::Stop if is_empty => return Err(CallError::empty(asked)),
            finish => finish,
        };
        // Where nothing was counted for this request, what the ones before used says nothing of what it did.
        let bill = self.usage.and_then(|_| self.bill());
        let said = if self.refusal.is_empty() { &mut self.text } else { &mut self.refusal };
        Ok(Reply {
            text: std::mem::take(said),
            finish,
            usage: bill.map(|bill| bill.usage),
            cost: bill.map_or(self.cost, |bill| bill.cost),
            asked: asked.clone(),
            answered: self.answered.take().unwrap_or_else(|| asked.model.clone()),
            request_id: self.request_id.take(),
        })
    }
}

fn push(into: &mut String, text: &str) -> Result<(), CallError> {
    if into.len() + text.len() > MOST_TEXT {
        return Err(CallError::new(Class::Broken, "the reply is longer than 1 MiB"));
    }
    into.push_str(text);
    Ok(())
}
