//! What a module looks up before it writes.

use super::round::Place;
use crate::{protocols::searching::Seeker, steps::Stop};
use domain::{Countable, Degraded, Offered, Searched, Searching, SourceList, TableBrief};

/// What a module has to go by beside the problem and what others said.
pub(super) struct LookedUp {
    /// What it may cite.
    pub offered: Offered,
    /// What became of searching.
    pub searched: Searched,
}

/// How citations are counted that code took out.
pub(super) fn taken_out(brief: &TableBrief) -> Countable {
    if brief.extras.searching == Searching::On { Countable::Unfounded } else { Countable::Citations }
}

impl Place<'_> {
    /// Has the module say what to look up, and looks it up. Where that fails the module goes on without; its card and the
    /// last line say so.
    pub(super) async fn look_up(&self, sources: &SourceList) -> Result<LookedUp, Stop> {
        let seeker = Seeker {
            steps: self.steps,
            key: self.key(),
            who: self.module.title(),
            model: &self.seat.model,
            searching: self.table.brief.extras.searching,
        };
        let (module, round) = (self.module, self.round);
        let queries = || self.table.queries((module, round), (self.first, self.reader_seed()));
        let note = |searched| Degraded::Unsearched { module: module.clone(), round, searched };
        let (found, searched) = seeker.look_up(queries, note).await?;
        Ok(LookedUp { offered: sources.offering(found), searched })
    }
}
