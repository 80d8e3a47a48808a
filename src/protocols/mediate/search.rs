//! What a module looks up before it writes: its own queries, and what the web has on them.

use super::round::Place;
use crate::{
    domain::{
        Countable, Degraded, Found, MediateBrief, Offered, Reply, Round, Searched, Searching, SourceList,
    },
    prompt::{self, reply::QueriesReply},
    steps::{Ask, Stop},
};

/// Below a module's step: what it wants to know, and what was found.
const QUERIES: &str = "queries";
const SEARCH: &str = "search";

/// What a module has to go by beside the problem and what others said.
pub(super) struct LookedUp {
    /// What it may cite.
    pub offered: Offered,
    /// What became of searching.
    pub searched: Searched,
}

/// How citations are counted that code took out.
pub(super) fn taken_out(brief: &MediateBrief) -> Countable {
    if brief.extras.searching == Searching::On { Countable::Unfounded } else { Countable::Citations }
}

impl Place<'_> {
    /// Has the module say what to look up, and looks it up. Where that fails the module goes on without; its card and the
    /// last line say so.
    pub(super) async fn look_up(&self, sources: &SourceList) -> Result<LookedUp, Stop> {
        let (found, searched) = match self.brief.extras.searching {
            Searching::Off => (Vec::new(), Searched::Off),
            Searching::NotSetUp => (Vec::new(), Searched::NotSetUp),
            Searching::On => match self.found().await? {
                Some(found) => (found.sources.clone(), found.outcome()),
                None => (Vec::new(), Searched::NoQueries),
            },
        };
        if searched.is_degraded() {
            let (module, round) = (self.module.clone(), self.round);
            let note = Degraded::Unsearched { module, round, searched };
            // Beside the step in which it happened.
            let step = if searched == Searched::NoQueries { QUERIES } else { SEARCH };
            self.steps.note_degraded(self.key().child(step), [note]).await?;
        }
        Ok(LookedUp { offered: sources.offering(found), searched })
    }

    /// What was found; nothing where the module's model gave no queries.
    async fn found(&self) -> Result<Option<Found>, Stop> {
        let who = self.module.title();
        let own = self.first.iter().find(|output| output.module == *self.module);
        let own = own.filter(|_| self.round == Round::Revision);
        let of = (self.module, self.round);
        let ask = Ask {
            key: self.key().child(QUERIES),
            who: who.to_owned(),
            model: self.seat.model.clone(),
            prompt: prompt::mediate::queries(self.steps.prompts(), self.brief, of, own, self.notes),
        };
        let read = |reply: &Reply, _| prompt::parse::<QueriesReply>(&reply.text)?.value.into_queries();
        let Ok(queries) = self.steps.ask(ask, read, |_| Vec::new()).await? else { return Ok(None) };
        Ok(Some(self.steps.search(self.key().child(SEARCH), who, queries).await?))
    }
}
