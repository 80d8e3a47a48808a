//! Waits: what people are asked for. A wait is a row with a deadline, and nothing of it is in memory; while one is
//! open its session stands still, and closing it moves the session on in the same transaction.

use serde::Deserialize;
use serde_json::Value;
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use super::{
    Inbound, NewPost, NewVote, Store, StoreError, VoteRefusal, inbound, outbox, panel, session::transition,
    vote, vote_end,
};
use crate::domain::{Proposition, SessionId, SessionState, StepKey, UserId};

/// What people are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitKind {
    /// To resume a paused session.
    Pause,
    /// To confirm proposed roles.
    Roles,
    /// To start a debate on a proposition.
    Proposition,
    /// To let a critique begin that takes more than is taken without asking.
    Estimate,
}

impl WaitKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Pause => "pause",
            Self::Roles => "roles",
            Self::Proposition => "proposition",
            Self::Estimate => "estimate",
        }
    }

    fn parse(text: &str) -> Result<Self, StoreError> {
        let found = [Self::Pause, Self::Roles, Self::Proposition, Self::Estimate]
            .into_iter()
            .find(|kind| kind.as_str() == text);
        found.ok_or_else(|| StoreError::Corrupt(format!("wait of kind {text}")))
    }

    /// The kind of the step in the journal that the answer is.
    #[must_use]
    pub fn step(self) -> String {
        format!("wait:{}", self.as_str())
    }

    /// The state of a session whose wait of this kind is open.
    fn held(self) -> SessionState {
        match self {
            Self::Pause => SessionState::Paused,
            Self::Roles | Self::Proposition | Self::Estimate => SessionState::Waiting,
        }
    }
}

/// An open wait.
#[derive(Clone, Debug)]
pub struct WaitRow {
    /// Whose.
    pub session: SessionId,
    /// Which.
    pub key: String,
    /// What for.
    pub kind: WaitKind,
    /// Until when, milliseconds since 1970.
    pub deadline_ms: i64,
}

impl WaitRow {
    fn read(row: &SqliteRow) -> Result<Self, StoreError> {
        Ok(Self {
            session: SessionId::parse(row.get("session_id")).ok_or(StoreError::Missing("session"))?,
            key: row.get("key"),
            kind: WaitKind::parse(row.get("kind"))?,
            deadline_ms: row.get("deadline_ms"),
        })
    }
}

/// What people are asked to answer, to be written.
#[derive(Clone, Debug)]
pub struct NewWait {
    /// The step, and the panel that shows it.
    pub key: StepKey,
    /// What for.
    pub kind: WaitKind,
    /// Until when, milliseconds since 1970.
    pub deadline_ms: i64,
    /// What they may change before they answer.
    pub draft: Value,
    /// The vote that is held until they answer, under the same key.
    pub vote: Option<NewVote>,
    /// What asks them; the first is the panel.
    pub posts: Vec<NewPost>,
}

/// What became of a wait.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Nobody has answered yet.
    Open,
    /// Somebody of this name has.
    Answered(String),
    /// Nobody has in time.
    Expired,
    /// Its session ended before.
    Ended,
}

/// A question to people as it stands.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What they may change, or have answered.
    pub draft: Value,
    /// The event that changed it last; 0 if nobody has.
    pub revision: i64,
    /// Until when, milliseconds since 1970.
    pub deadline_ms: i64,
    /// What became of it.
    pub outcome: Outcome,
}

impl Store {
    /// Asks people something: the running session waits from here on. One that was asked before, and stopped
    /// before anybody answered, asks again with the draft as people had left it.
    pub async fn open_wait(&self, id: &SessionId, new: NewWait, at_ms: i64) -> Result<(), StoreError> {
        let id = id.clone();
        self.write(move |tx| {
            Box::pin(async move {
                transition(tx, &id, &[SessionState::Running], new.kind.held(), None, at_ms).await?;
                sqlx::query(
                    "INSERT INTO wait (session_id, key, kind, deadline_ms, draft) VALUES (?1, ?2, ?3, ?4, ?5)
                     ON CONFLICT (session_id, key) DO UPDATE
                     SET value = NULL, by_id = NULL, by_name = NULL, deadline_ms = excluded.deadline_ms",
                )
                .bind(id.as_str())
                .bind(new.key.as_str())
                .bind(new.kind.as_str())
                .bind(new.deadline_ms)
                .bind(new.draft.to_string())
                .execute(&mut *tx)
                .await?;
                if let Some(held) = &new.vote {
                    vote::open_in(tx, (&id, &new.key), held, at_ms).await?;
                }
                // Asked again, the panel that is there has its buttons back.
                panel::changed(tx, &id, new.key.as_str()).await?;
                panel::open(tx, &id, new.key.as_str()).await?;
                outbox::insert(tx, &id, &new.posts).await
            })
        })
        .await
    }

    /// Changes what an open wait shows. `false`: a newer event had changed it already, so this one changed
    /// nothing, and `late` is what is said about it. The ballots of a vote that is held meanwhile are forgotten when its
    /// question becomes another one.
    pub async fn change_draft(
        &self,
        (id, key): (&SessionId, &StepKey),
        event: Inbound,
        late: String,
        draft: Value,
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        let (id, key) = (id.clone(), key.clone());
        self.write(move |tx| {
            Box::pin(async move {
                let open = open(tx, &id, &key).await?;
                let newest = open.as_ref().and_then(|open| open.draft_event).unwrap_or_default();
                let stands = newest > event.id.cast_signed();
                let event = if stands { Inbound { effect: late, ..event } } else { event };
                inbound::record(tx, &event, at_ms).await?;
                let open = in_time(tx, &id, open, at_ms).await?;
                if stands {
                    return Ok(false);
                }
                if open.kind == WaitKind::Proposition {
                    vote::reword_in(tx, (&id, &key), &read(&draft)?.question).await?;
                }
                sqlx::query(
                    "UPDATE wait SET draft = ?3, draft_event = ?4 WHERE session_id = ?1 AND key = ?2",
                )
                .bind(id.as_str())
                .bind(key.as_str())
                .bind(draft.to_string())
                .bind(event.id.cast_signed())
                .execute(&mut *tx)
                .await?;
                panel::changed(tx, &id, key.as_str()).await?;
                Ok(true)
            })
        })
        .await
    }

    /// Answers an open wait with its draft as it stands: that is the step's result, and the session runs again. A
    /// vote that was held meanwhile ends; a proposition that cannot be debated as it stands is refused with
    /// [`StoreError::Objection`], and with `read` one that was edited since that revision, 0 if never, with
    /// [`VoteRefusal::Reread`].
    pub async fn answer_wait(
        &self,
        (id, key): (&SessionId, &StepKey),
        read: Option<i64>,
        event: Inbound,
        (by, name): (UserId, String),
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let (id, key) = (id.clone(), key.clone());
        self.write(move |tx| {
            Box::pin(async move {
                inbound::record(tx, &event, at_ms).await?;
                let open = open(tx, &id, &key).await?;
                let open = in_time(tx, &id, open, at_ms).await?;
                if read.is_some_and(|read| read != open.draft_event.unwrap_or_default()) {
                    return Err(VoteRefusal::Reread.into());
                }
                if open.kind == WaitKind::Proposition {
                    if let Some(objection) = open.proposition()?.objection {
                        return Err(StoreError::Objection(objection));
                    }
                }
                vote_end::close_in(tx, (&id, &key), at_ms).await?;
                transition(tx, &id, &[open.kind.held()], SessionState::Running, None, at_ms).await?;
                sqlx::query(
                    "UPDATE wait SET value = 'answered', by_id = ?3, by_name = ?4 WHERE session_id = ?1 AND key = ?2",
                )
                .bind(id.as_str())
                .bind(key.as_str())
                .bind(by.as_i64())
                .bind(name)
                .execute(&mut *tx)
                .await?;
                sqlx::query(
                    "INSERT INTO step (session_id, key, kind, state, output, started_ms, finished_ms)
                     VALUES (?1, ?2, ?3, 'done', ?4, ?5, ?5)",
                )
                .bind(id.as_str())
                .bind(key.as_str())
                .bind(open.kind.step())
                .bind(open.draft)
                .bind(at_ms)
                .execute(&mut *tx)
                .await?;
                panel::changed(tx, &id, key.as_str()).await
            })
        })
        .await
    }

    /// Ends a session whose wait nobody answered in time, with a notice and posts that say so. Refused if the
    /// wait is closed by now.
    pub async fn expire_wait(
        &self,
        wait: &WaitRow,
        notice: String,
        posts: Vec<NewPost>,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let wait = wait.clone();
        self.write(move |tx| {
            Box::pin(async move {
                let id = &wait.session;
                transition(tx, id, &[wait.kind.held()], SessionState::Cancelled, Some(notice), at_ms).await?;
                let closed = sqlx::query(
                    "UPDATE wait SET value = 'expired'
                     WHERE session_id = ?1 AND key = ?2 AND value IS NULL AND deadline_ms <= ?3",
                )
                .bind(id.as_str())
                .bind(&wait.key)
                .bind(at_ms)
                .execute(&mut *tx)
                .await?;
                if closed.rows_affected() == 0 {
                    return Err(StoreError::NotRunning("waiting for something else".to_owned()));
                }
                panel::changed(tx, id, &wait.key).await?;
                outbox::insert(tx, id, &posts).await
            })
        })
        .await
    }

    /// Open waits whose deadline has passed.
    pub async fn overdue_waits(&self, now_ms: i64) -> Result<Vec<WaitRow>, StoreError> {
        let rows = sqlx::query("SELECT * FROM wait WHERE value IS NULL AND deadline_ms <= ?1")
            .bind(now_ms)
            .fetch_all(&self.readers)
            .await?;
        rows.iter().map(WaitRow::read).collect()
    }

    /// What a session waits for, if it does.
    pub async fn waits_for(&self, id: &SessionId) -> Result<Option<WaitRow>, StoreError> {
        let row = sqlx::query("SELECT * FROM wait WHERE session_id = ?1 AND value IS NULL")
            .bind(id.as_str())
            .fetch_optional(&self.readers)
            .await?;
        row.as_ref().map(WaitRow::read).transpose()
    }

    /// A question to people as it stands, if it was ever asked.
    pub async fn asked(&self, id: &SessionId, key: &StepKey) -> Result<Option<Asked>, StoreError> {
        let row = sqlx::query("SELECT * FROM wait WHERE session_id = ?1 AND key = ?2")
            .bind(id.as_str())
            .bind(key.as_str())
            .fetch_optional(&self.readers)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let draft: Option<String> = row.get("draft");
        let value: Option<String> = row.get("value");
        Ok(Some(Asked {
            draft: serde_json::from_str(draft.as_deref().unwrap_or("null"))
                .map_err(|error| StoreError::Corrupt(error.to_string()))?,
            revision: row.get::<Option<i64>, _>("draft_event").unwrap_or_default(),
            deadline_ms: row.get("deadline_ms"),
            outcome: match value.as_deref() {
                None => Outcome::Open,
                Some("answered") => {
                    Outcome::Answered(row.get::<Option<String>, _>("by_name").unwrap_or_default())
                }
                Some("expired") => Outcome::Expired,
                Some(_) => Outcome::Ended,
            },
        }))
    }
}

/// An open wait inside a transaction.
struct Open {
    kind: WaitKind,
    deadline_ms: i64,
    draft: Option<String>,
    draft_event: Option<i64>,
}

impl Open {
    /// What a wait for the start of a debate has as its draft.
    fn proposition(&self) -> Result<Proposition, StoreError> {
        let draft = serde_json::from_str(self.draft.as_deref().unwrap_or_default()).map_err(corrupt)?;
        read(&draft)
    }
}

fn read(draft: &Value) -> Result<Proposition, StoreError> {
    Proposition::deserialize(draft).map_err(corrupt)
}

fn corrupt(error: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt(error.to_string())
}

async fn open(tx: &mut SqliteConnection, id: &SessionId, key: &StepKey) -> Result<Option<Open>, StoreError> {
    let row = sqlx::query("SELECT * FROM wait WHERE session_id = ?1 AND key = ?2 AND value IS NULL")
        .bind(id.as_str())
        .bind(key.as_str())
        .fetch_optional(tx)
        .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(Open {
        kind: WaitKind::parse(row.get("kind"))?,
        deadline_ms: row.get("deadline_ms"),
        draft: row.get("draft"),
        draft_event: row.get("draft_event"),
    }))
}

/// Refuses with [`StoreError::NotRunning`] what comes after a wait was closed or its deadline has passed, though
/// nobody may have looked at the clock yet.
async fn in_time(
    tx: &mut SqliteConnection,
    id: &SessionId,
    open: Option<Open>,
    at_ms: i64,
) -> Result<Open, StoreError> {
    match open {
        Some(open) if open.deadline_ms > at_ms => Ok(open),
        Some(_) => Err(StoreError::NotRunning("overdue".to_owned())),
        None => {
            let state = super::session::state(tx, id).await?;
            Err(StoreError::NotRunning(state.as_str().to_owned()))
        }
    }
}

/// Closes whatever a session waited for, because it moved on to another state.
pub(super) async fn close_all(
    tx: &mut SqliteConnection,
    id: &SessionId,
    to: SessionState,
    by: Option<UserId>,
) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE panel SET revision = revision + 1 WHERE session_id = ?1
         AND key IN (SELECT key FROM wait WHERE session_id = ?1 AND value IS NULL)",
    )
    .bind(id.as_str())
    .execute(&mut *tx)
    .await?;
    sqlx::query("UPDATE wait SET value = ?2, by_id = ?3 WHERE session_id = ?1 AND value IS NULL")
        .bind(id.as_str())
        .bind(to.as_str())
        .bind(by.map(UserId::as_i64))
        .execute(tx)
        .await?;
    Ok(())
}
