//! Looking something up before writing: queries by whoever writes, and what the web has on them. One way for modules,
//! for deep research and for a debate.

use crate::{
    prompt::{self, reply::QueriesReply},
    steps::{Ask, Steps, Stop},
};
use domain::{Degraded, ModelName, Prompt, Reply, Searched, Searching, Source, StepKey};

/// Below the step of what is written: what its writer wants to know, and what was found.
const QUERIES: &str = "queries";
const SEARCH: &str = "search";

/// Somebody who looks something up.
pub(super) struct Seeker<'a> {
    /// The session's steps.
    pub(super) steps: &'a Steps,
    /// The step of what is written; queries and search stand below it.
    pub(super) key: StepKey,
    /// The seat's title, for the live card.
    pub(super) who: &'a str,
    /// Who writes the queries.
    pub(super) model: &'a ModelName,
    /// Whether the session searches.
    pub(super) searching: Searching,
}

impl Seeker<'_> {
    /// The pages found, and what became of searching. Where that fails there are none, and it is noted, by `note`; who wanted
    /// to know goes on without. The request for queries is made by `prompt`, only where it is needed.
    pub(super) async fn look_up(
        &self,
        prompt: impl FnOnce() -> Prompt,
        note: impl FnOnce(Searched) -> Degraded,
    ) -> Result<(Vec<Source>, Searched), Stop> {
        match self.searching {
            Searching::Off => return Ok((Vec::new(), Searched::Off)),
            Searching::NotSetUp => return Ok((Vec::new(), Searched::NotSetUp)),
            Searching::On => {}
        }
        let (steps, key) = (self.steps, &self.key);
        let (who, model) = (self.who.to_owned(), self.model.clone());
        let ask = Ask { key: key.child(QUERIES), who, model, prompt: prompt() };
        let read = |reply: &Reply, _| prompt::parse::<QueriesReply>(&reply.text)?.into_queries();
        let (sources, searched, step) = match steps.ask(ask, read, |_| Vec::new()).await? {
            Ok(queries) => {
                let found = steps.search(key.child(SEARCH), self.who, queries).await?;
                let searched = found.outcome();
                (found.sources, searched, SEARCH)
            }
            Err(_) => (Vec::new(), Searched::NoQueries, QUERIES),
        };
        if searched.is_degraded() {
            // Beside the step in which it happened.
            steps.note_degraded(key.child(step), [note(searched.clone())]).await?;
        }
        Ok((sources, searched))
    }
}
