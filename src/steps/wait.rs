//! Waiting for people: a row with a deadline and a draft that they may change, and no task. The run ends; whoever
//! answers starts the next one, which finds the answer in the journal.

use std::time::Duration;

use serde::{Serialize, de::DeserializeOwned};

use super::{Steps, Stop, World, now_ms, vote::turnout};
use crate::{
    domain::{Plan, Post, Proposal, Proposition, SessionId, StepKey, VoteKind, VoteRules},
    render,
    store::{NewVote, NewWait, Outcome, StoreError, WaitKind},
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
        let draft = serde_json::to_value(draft)?;
        let vote = match kind {
            WaitKind::Proposition => Some(NewVote {
                kind: VoteKind::Opinion,
                question: draft["question"].as_str().unwrap_or_default().to_owned(),
                rules: self.voting().await?,
                ..NewVote::default()
            }),
            WaitKind::Pause | WaitKind::Roles | WaitKind::Estimate => None,
        };
        let now = now_ms();
        let wait = NewWait {
            kind,
            deadline_ms: now + i64::try_from(CONFIRM_WAIT.as_millis()).unwrap_or(i64::MAX),
            draft,
            vote,
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

/// The proposition as it stands: with buttons while somebody may still press them.
pub(super) async fn proposition_panel(
    world: &World,
    session: &SessionId,
) -> Result<Option<Post>, StoreError> {
    let Some(asked) = world.store.asked(session, &proposition_key()).await? else { return Ok(None) };
    let draft: Proposition =
        serde_json::from_value(asked.draft).map_err(|error| StoreError::Corrupt(error.to_string()))?;
    let said = turnout(world, session, &proposition_key()).await?;
    Ok(Some(match asked.outcome {
        Outcome::Open => render::debate::proposition(session, &draft, asked.revision, said),
        Outcome::Answered(by) => render::debate::proposition_started(session, &draft, &by, said),
        Outcome::Expired => render::debate::proposition_ended(
            session,
            &draft,
            "Nobody pressed Start within a day, so the session was ended.",
        ),
        Outcome::Ended => render::debate::proposition_ended(
            session,
            &draft,
            "The session ended before anybody pressed Start.",
        ),
    }))
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
