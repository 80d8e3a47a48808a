//! What a team does in a debate: says what it thinks before and after it; brings evidence, has things made clear, asks Pro, Con or the moderator, and brings evidence on a hinge once it is over.
//!
//! Invariants: every press is applied once, however often it is delivered, and the newest of somebody's presses
//! stands; what is brought in stands in the thread with who and when; who thinks what is told to nobody before the
//! count; nothing of the moderator's that failed the neutrality check is shown, behind a card either; whoever may not
//! do something, or does it too late, is told when it can be done and has changed nothing. Called by `bot` (what
//! people do) and by the watcher of deadlines.

mod address;
mod clarify;
mod evidence;
mod hinge;
mod opinion;

use super::{
    Sessions, brief,
    typed::{fits, told},
};
use crate::{protocols::debate::synthesis_key, store::SessionRow};
use domain::{NeutralSynthesis, Protocol, SessionId};

/// Whether a session is a debate.
pub(super) fn is_debate(row: &SessionRow) -> bool {
    row.protocol == Protocol::Debate
}

impl Sessions {
    /// The moderator's synthesis, once there is one.
    async fn synthesis(&self, id: &SessionId) -> anyhow::Result<Option<NeutralSynthesis>> {
        let step = self.0.world.store.step(id, &synthesis_key()).await?;
        Ok(step.and_then(|step| serde_json::from_value(step.output?).ok()))
    }
}
