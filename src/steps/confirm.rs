//! Waiting for people who confirm what a session begins with: a row with a deadline and a draft that they may change,
//! and no task. The run ends; whoever confirms starts the next one, which finds the answer in the journal.

use std::time::Duration;

use serde::{Serialize, de::DeserializeOwned};

use super::{Steps, Stop};
use crate::{
    render,
    store::{NewVote, NewWait, SessionRow, Store, StoreError, answer_kind},
};
use domain::{Confirmation, Post, SessionId, Standing, VoteKind, WaitKind};

/// How long people have to confirm what a session is about to begin with.
const CONFIRM_WAIT: Duration = Duration::from_hours(24);

impl Steps {
    /// Has people confirm something they may change first, for at most a day. Gives it as it was confirmed; until
    /// then the session waits and this run ends with [`Stop::Halted`]. Where it has a question, the team votes on that
    /// meanwhile.
    pub async fn confirmed<T: Serialize + DeserializeOwned>(
        &self,
        kind: WaitKind,
        draft: &T,
    ) -> Result<T, Stop> {
        let key = kind.key();
        if let Some(answer) = self.recall::<T>(&key, &answer_kind(kind.as_str())).await? {
            return answer.map_err(|_| Stop::Drift(key));
        }
        let session = &self.scope.session;
        let draft = serde_json::to_value(draft)?;
        let confirmation = Confirmation::read(kind, draft.clone())?;
        let plan = self.world.store.plan(session).await?;
        let now = self.world.now_ms();
        let card = render::confirmation::card(session, &confirmation, &plan.brief, &Standing::default());
        let wait = NewWait {
            kind: kind.as_str(),
            deadline_ms: now + i64::try_from(CONFIRM_WAIT.as_millis()).unwrap_or(i64::MAX),
            draft,
            vote: confirmation.question().map(|question| NewVote {
                kind: VoteKind::Opinion,
                question: question.to_owned(),
                rules: plan.voting,
                ..NewVote::default()
            }),
            posts: self.outgoing(&key, card.into_iter().collect()),
            key,
        };
        self.world.store.open_wait(session, wait, now).await?;
        self.world.deadlines.notify_one();
        self.outbox.kick(session);
        Err(Stop::Halted)
    }

    /// What people confirm, as it was last edited or was confirmed; `None` before anybody was asked.
    pub async fn confirmation<T: DeserializeOwned>(&self, kind: WaitKind) -> Result<Option<T>, Stop> {
        Ok(confirmation(&self.world.store, &self.scope.session, kind).await?)
    }
}

/// What people confirm, as it was last edited or was confirmed; `None` before anybody was asked.
pub async fn confirmation<T: DeserializeOwned>(
    store: &Store,
    session: &SessionId,
    kind: WaitKind,
) -> Result<Option<T>, StoreError> {
    let asked = store.asked(session, &kind.key()).await?;
    asked.map(|asked| serde_json::from_value(asked.draft)).transpose().map_err(corrupt)
}

/// The card of a confirmation as it stands: with buttons while somebody may still press them.
pub(super) async fn confirmation_panel(
    store: &Store,
    row: &SessionRow,
    kind: WaitKind,
) -> Result<Option<Post>, StoreError> {
    let session = &row.id;
    let Some(asked) = store.asked(session, &kind.key()).await? else { return Ok(None) };
    let confirmation = Confirmation::read(kind, asked.draft).map_err(corrupt)?;
    // Where nothing is voted on meanwhile, there is no vote of this key.
    let voted = store.vote(session, &kind.key()).await?.map_or(0, |row| row.vote.ballots.len());
    let answered = match &confirmation {
        Confirmation::Roles(proposal) => proposal.answerers(&store.notes(session).await?),
        _ => Vec::new(),
    };
    let standing = Standing { outcome: asked.outcome, revision: asked.revision, voted, answered };
    let plan = store.plan(session).await?;
    Ok(render::confirmation::card(session, &confirmation, &plan.brief, &standing))
}

fn corrupt(error: serde_json::Error) -> StoreError {
    StoreError::Corrupt(error.to_string())
}
