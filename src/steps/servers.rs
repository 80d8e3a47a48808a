//! What servers of models do that a session has to know of: refusals that were learned from, answers in unusual places, and
//! requests that were cut without a word.

use super::{Steps, Try};
use crate::{prompt::ParseError, store::KeptLesson};
use domain::{Degraded, Finish, ModelName, Prompt, Provider, Reply, StepKey, Usage};
use models::{CallError, Lesson, Llm};

/// Why an attempt is noted whose answer was taken from among the model's thoughts.
pub(super) const IN_THOUGHTS: &str = "the answer stood among its thoughts";
/// Hardly a text has fewer tokens than one for so many of its letters and signs; with fewer of them than this, little is cut.
const MOST_LETTERS_A_TOKEN: u64 = 8;
const LEAST_CUT: u64 = 5_000;

impl Steps {
    /// Keeps what was learned of how models are asked, for the next process. One that cannot be kept is learned again: no
    /// reply is lost for it.
    pub(super) async fn keep_lessons(&self) {
        for Lesson { base, model, manner } in self.world.llm.news() {
            let Ok(manner) = serde_json::to_string(&manner) else { continue };
            let kept = KeptLesson { base, model: model.to_string(), manner };
            if let Err(error) = self.world.store.keep_lesson(kept, self.world.now_ms()).await {
                tracing::warn!(%model, %error, "what was learned of a model could not be kept");
            }
        }
    }

    /// Notes that a server has read less than it was sent: Ollama cuts a request to its context without a word.
    pub(super) async fn note_cut_prompt(
        &self,
        (key, model): (&StepKey, &ModelName),
        prompt: &Prompt,
        reply: &Reply,
    ) {
        let read = reply.usage.filter(|_| model.provider == Provider::Local);
        if let Some(tokens) = read.and_then(|usage| read_of_more(prompt, usage)) {
            self.note_of_server(key, Degraded::CutPrompt { model: model.clone(), tokens }).await;
        }
    }

    /// Notes what a model's server did, beside what the protocol says of the step. The reply goes before the note: where that
    /// cannot be written, the log has it.
    pub(super) async fn note_of_server(&self, key: &StepKey, note: Degraded) {
        if let Err(error) = self.world.store.note_degraded_by_server(&self.scope.session, key, note).await {
            tracing::warn!(session = %self.scope.session, %key, %error, "what a server did could not be noted");
        }
    }
}

/// Hands on to the door to models what an earlier process learned.
pub fn recall(llm: &Llm, kept: Vec<KeptLesson>) {
    // What a later version learned in words of its own is found out again.
    llm.recall(kept.into_iter().filter_map(|kept| {
        let (model, manner) = (kept.model.parse().ok()?, serde_json::from_str(&kept.manner).ok()?);
        Some(Lesson { base: kept.base, model, manner })
    }));
}

/// What a provider kept back as malformed, where it is what was asked for all the same; and nothing where a model has
/// only thought. What stands among its thoughts and is an object from end to end is an answer, which is asked for again like any
/// other where it cannot be read.
pub(super) fn taken<T>(
    model: &ModelName,
    called: Result<Reply, CallError>,
    read: impl Fn(&Reply, Try) -> Result<T, ParseError>,
) -> Result<Reply, CallError> {
    match called {
        Ok(reply)
            if reply.finish == Finish::InThoughts
                && !is_object(&reply.text)
                && read(&reply, Try::First).is_err() =>
        {
            Err(CallError { usage: reply.usage, request_id: reply.request_id, ..CallError::empty(model) })
        }
        Err(mut error) => match error.failed_generation.take() {
            Some(kept) => {
                let (usage, request_id) = (error.usage, error.request_id.clone());
                let (asked, answered) = (model.clone(), model.model.clone());
                let reply = Reply {
                    text: kept.0,
                    finish: Finish::Stop,
                    usage,
                    cost: None,
                    asked,
                    answered,
                    request_id,
                };
                if read(&reply, Try::First).is_ok() { Ok(reply) } else { Err(error) }
            }
            None => Err(error),
        },
        whole => whole,
    }
}

fn is_object(text: &str) -> bool {
    serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text.trim()).is_ok()
}

/// How many tokens a server says that it read, where that cannot be all that it was sent.
fn read_of_more(prompt: &Prompt, usage: Usage) -> Option<u64> {
    // A row of spaces may be a single token.
    let letters = [&prompt.rules, &prompt.shared, &prompt.task].into_iter().flat_map(|text| text.chars());
    let sent = letters.filter(|letter| !letter.is_whitespace()).count() as u64;
    let tokens = usage.input + usage.cached + usage.cache_write;
    (tokens > 0 && sent >= LEAST_CUT && tokens.saturating_mul(MOST_LETTERS_A_TOKEN) < sent).then_some(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_cannot_be_all_of_it_counts_as_cut() {
        let prompt = |bytes: usize| -> Prompt {
            serde_json::from_value(serde_json::json!({
                "rules": "", "shared": "x".repeat(bytes), "task": "", "turns": [], "schema": null, "max_tokens": 1,
                "room": 0, "effort": "standard", "temperature": null, "version": "",
            }))
            .unwrap()
        };
        let read =
            |bytes, input, cached| read_of_more(&prompt(bytes), Usage { input, cached, ..Usage::default() });
        assert_eq!(read(40_000, 2_051, 0), Some(2_051), "Ollama at a context of 4,096");
        assert_eq!(read(40_000, 0, 2_051), Some(2_051));
        assert_eq!(read(40_000, 10_000, 0), None, "all of it");
        assert_eq!(read(40_000, 51, 9_000), None, "most of it from the cache");
        assert_eq!(read(40_000, 0, 0), None, "nobody counted");
        let table = Prompt { task: format!("{}x", " ".repeat(40_000)), ..prompt(6_000) };
        let usage = Usage { input: 1_500, ..Usage::default() };
        assert_eq!(read_of_more(&table, usage), None, "a row of spaces is a token");
        let hindi = Prompt { shared: "क".repeat(12_000), ..prompt(0) };
        assert_eq!(read_of_more(&hindi, Usage { input: 4_500, ..usage }), None, "three bytes a letter");
        assert_eq!(read(4_000, 100, 0), None, "too short to tell");
    }
}
