//! What was degraded: noted in the journal beside the step in which it happened, and read there by all that tell of it.

use super::{Steps, Stop};
use domain::{Degraded, StepKey};

impl Steps {
    /// Notes what was degraded in a step that is settled, once. A protocol says it each time it passes the step, so
    /// what a crash kept from being noted is noted by the next run.
    pub async fn note_degraded(
        &self,
        key: impl Into<StepKey>,
        notes: impl IntoIterator<Item = Degraded>,
    ) -> Result<(), Stop> {
        let notes: Vec<Degraded> = notes.into_iter().collect();
        if notes.is_empty() {
            return Ok(());
        }
        Ok(self.world.store.note_degraded(&self.scope.session, &key.into(), &notes).await?)
    }

    /// All that was degraded so far, as it happened.
    pub async fn degraded(&self) -> Result<Vec<Degraded>, Stop> {
        Ok(self.world.store.degraded(&self.scope.session).await?)
    }
}
