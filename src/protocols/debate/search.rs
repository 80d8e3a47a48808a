//! What an advocate looks up before it speaks.

use super::running::DebateRun;
use crate::{prompt, protocols::searching::Seeker, steps::Stop};
use domain::{Degraded, Searched, Slot, Source};

impl DebateRun<'_> {
    /// Has a side say what to look up for a turn, and looks it up; with what became of that, or nothing where no turn of
    /// its kind looks anything up. Where it fails the side speaks without; its card and the last line say so. It may come
    /// ahead of its turn: what was found then is recalled.
    pub(super) async fn look_up(&self, slot: Slot) -> Result<(Vec<Source>, Option<Searched>), Stop> {
        if !slot.act.looks_up() {
            return Ok((Vec::new(), None));
        }
        let side = slot.side;
        let seeker = Seeker {
            steps: self.steps,
            key: slot.step(),
            who: &format!("{} (looking up)", side.name()),
            model: &self.brief.advocates.of(side).model,
            searching: self.brief.searching,
        };
        let queries = || prompt::debate::queries(self.steps.prompts(), self.brief, &self.debate, slot);
        let note = |searched| Degraded::TurnUnsearched { slot, searched };
        let (found, searched) = seeker.look_up(queries, note).await?;
        Ok((found, Some(searched)))
    }
}
