//! Waiting for people: a row with a deadline and a draft that they may change, and no task. The run ends; whoever
//! answers starts the next one, which finds the answer in the journal.

use std::time::Duration;

use super::{Steps, Stop, World, now_ms};
use crate::{
    domain::{Post, Proposal, SessionId, StepKey},
    render,
    store::{NewWait, Outcome, StoreError, WaitKind},
};

/// How long people have to confirm the roles of a session.
const ROLES_WAIT: Duration = Duration::from_hours(24);

/// The step in which roles are confirmed, and the panel that shows them.
#[must_use]
pub fn roles_key() -> StepKey {
    StepKey::from("roles")
}

impl Steps {
    /// Has people confirm a proposal, for at most a day. Gives it as it was confirmed; until then the session waits
    /// and this run ends with [`Stop::Halted`]. `cards` are posted with the question; the first is kept true to the
    /// draft.
    pub async fn confirmed(
        &self,
        key: impl Into<StepKey>,
        proposal: Proposal,
        cards: Vec<Post>,
    ) -> Result<Proposal, Stop> {
        let key = key.into();
        if let Some(answer) = self.recall::<Proposal>(&key, &WaitKind::Roles.step()).await? {
            return answer.map_err(|_| Stop::Drift(key));
        }
        let now = now_ms();
        let wait = NewWait {
            kind: WaitKind::Roles,
            deadline_ms: now + i64::try_from(ROLES_WAIT.as_millis()).unwrap_or(i64::MAX),
            draft: serde_json::to_value(&proposal)?,
            posts: self.outgoing(&key, cards),
            key: key.clone(),
        };
        self.world.store.open_wait(&self.scope.session, wait, now).await?;
        self.world.deadlines.notify_one();
        self.outbox.kick(&self.scope.session);
        Err(Stop::Halted)
    }
}

/// The proposed roles as they stand: with buttons while somebody may still press them.
pub(super) async fn roles_panel(world: &World, session: &SessionId) -> Result<Option<Post>, StoreError> {
    let Some(asked) = world.store.asked(session, &roles_key()).await? else { return Ok(None) };
    let draft: Proposal =
        serde_json::from_value(asked.draft).map_err(|error| StoreError::Corrupt(error.to_string()))?;
    Ok(Some(match asked.outcome {
        Outcome::Open => render::roundtable::proposal(session, &draft),
        Outcome::Answered(by) => render::roundtable::proposal_confirmed(session, &draft, &by),
        Outcome::Expired => render::roundtable::proposal_ended(
            session,
            &draft,
            "Nobody pressed Go within a day, so the session was ended.",
        ),
        Outcome::Ended => render::roundtable::proposal_ended(
            session,
            &draft,
            "The session ended before anybody pressed Go.",
        ),
    }))
}
