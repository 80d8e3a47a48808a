//! The estimate: confirmed by people while the session waits.

use super::Sessions;
use crate::{
    domain::SessionId,
    error::UserError,
    protocols::critique::estimate_key,
    session::Actor,
    steps::now_ms,
    store::{Outcome, SessionRow, StoreError},
};

/// What not everybody may do here.
const DECIDE: &str = "let this critique begin";

impl Sessions {
    /// Lets a critique begin that takes more than is taken without asking.
    pub async fn confirm_estimate(&self, row: &SessionRow, actor: &Actor) -> anyhow::Result<String> {
        self.may_decide(row, actor, DECIDE).await?;
        let said = "Go. The six begin to read.";
        let event = actor.event("estimate", &row.id, said);
        let (store, key) = (&self.0.world.store, estimate_key());
        let by = (actor.user, actor.name.clone());
        match store.answer_wait((&row.id, &key), None, event, by, now_ms()).await {
            Ok(()) => {
                self.spawn(&row.id);
                self.0.panels.kick(&row.id, key.as_str());
                self.redraw(&row.id);
                Ok(said.to_owned())
            }
            Err(StoreError::Duplicate(said)) => Ok(said),
            Err(StoreError::NotRunning(_)) => self.estimate_too_late(&row.id).await,
            Err(other) => Err(other.into()),
        }
    }

    /// Why the estimate can no longer be confirmed. A deadline that has passed is kept at once.
    async fn estimate_too_late<T>(&self, session: &SessionId) -> anyhow::Result<T> {
        self.keep_wait(session).await?;
        let Some(asked) = self.0.world.store.asked(session, &estimate_key()).await? else {
            return UserError::of("This session has no estimate that waits for a Go.");
        };
        UserError::of(match asked.outcome {
            Outcome::Answered(by) => {
                format!("{by} has pressed Go already, so the six are reading. Their trees come in the thread.")
            }
            Outcome::Expired => "Nobody pressed Go within a day, so this session has ended. Start the command again for a new one.".to_owned(),
            Outcome::Ended => {
                "This session has ended, so it cannot begin. Start the command again for a new one.".to_owned()
            }
            Outcome::Open => {
                "The estimate has just changed hands. Look at the card in the thread and press again.".to_owned()
            }
        })
    }
}
