//! Waiting for people: a row with a deadline and a draft that they may change, and no task. The run ends; whoever
//! answers starts the next one, which finds the answer in the journal.

use std::time::Duration;

use serde::{Serialize, de::DeserializeOwned};

use super::{Steps, Stop, now_ms};
use crate::{
    domain::{Plan, Post, StepKey, VoteRules},
    store::{NewWait, WaitKind},
};

/// How long people have to confirm what a session is about to begin with.
const CONFIRM_WAIT: Duration = Duration::from_hours(24);

/// The step in which roles are confirmed, and the panel that shows them.
#[must_use]
pub fn roles_key() -> StepKey {
    StepKey::from("roles")
}

/// The step in which a proposition is confirmed, and the panel that shows it.
#[must_use]
pub fn proposition_key() -> StepKey {
    StepKey::from("proposition")
}

impl Steps {
    /// Has people confirm something they may change first, for at most a day. Gives it as it was confirmed; until
    /// then the session waits and this run ends with [`Stop::Halted`]. `cards` are posted with the question; the
    /// first is kept true to the draft. With a proposition, the team is asked what it thinks of it meanwhile.
    pub async fn confirmed<T: Serialize + DeserializeOwned>(
        &self,
        (kind, key): (WaitKind, StepKey),
        draft: &T,
        cards: Vec<Post>,
    ) -> Result<T, Stop> {
        if let Some(answer) = self.recall::<T>(&key, &kind.step()).await? {
            return answer.map_err(|_| Stop::Drift(key));
        }
        let opinions = match kind {
            WaitKind::Proposition => Some(self.voting().await?),
            WaitKind::Pause | WaitKind::Roles | WaitKind::Estimate => None,
        };
        let now = now_ms();
        let wait = NewWait {
            kind,
            deadline_ms: now + i64::try_from(CONFIRM_WAIT.as_millis()).unwrap_or(i64::MAX),
            draft: serde_json::to_value(draft)?,
            opinions,
            posts: self.outgoing(&key, cards),
            key: key.clone(),
        };
        self.world.store.open_wait(&self.scope.session, wait, now).await?;
        self.world.deadlines.notify_one();
        self.outbox.kick(&self.scope.session);
        Err(Stop::Halted)
    }

    /// How the session's votes are held, as it was fixed at its start.
    async fn voting(&self) -> Result<VoteRules, Stop> {
        let row = self.world.store.session(&self.scope.session).await?;
        let plan: Plan = serde_json::from_value(row.plan)?;
        Ok(plan.voting)
    }
}
