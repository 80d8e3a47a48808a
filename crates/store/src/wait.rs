//! Waits: what people are asked for. A wait is a row with a deadline, and nothing of it is in memory; while one is
//! open its session stands still, and closing it moves the session on in the same transaction.

use serde_json::Value;
use sqlx::{Row, SqliteConnection};

use super::{
    Inbound, NewPost, NewVote, Store, StoreError, inbound, outbox, panel, quota, readable::each,
    row::columns, session::transition, vote, vote_end,
};
use crate::statement::{sql, sql_as, sql_scalar};
use domain::{OpenSessions, SessionId, SessionState, StepKey, UserId, WaitOutcome};

/// What a paused session waits for: that somebody resumes it, or adds to its budget, which is used up. Every other kind
/// waits for a confirmation.
pub(super) const PAUSE: &str = "pause";
pub(super) const SPENT: &str = "spent";

/// The state of a session whose wait of this kind is open.
fn held(kind: &str) -> SessionState {
    if [PAUSE, SPENT].contains(&kind) { SessionState::Paused } else { SessionState::Waiting }
}

/// The kind of the step in the journal that the answer to a wait of this kind is.
#[must_use]
pub fn answer_kind(kind: &str) -> String {
    format!("wait:{kind}")
}

/// An open wait.
#[derive(Clone, Debug)]
pub struct WaitRow {
    /// The session that waits.
    pub session: SessionId,
    /// The step that its answer becomes.
    pub key: String,
    /// What for.
    pub kind: String,
    /// Until when, milliseconds since 1970.
    pub deadline_ms: i64,
}

columns!(WaitRow: session "session_id", key "key", kind "kind", deadline_ms "deadline_ms");

impl WaitRow {
    /// Whether it is for somebody to add to the session's budget.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.kind == SPENT
    }
}

/// What people are asked to answer, to be written.
#[derive(Clone, Debug)]
pub struct NewWait {
    /// The step, and the panel that shows it.
    pub key: StepKey,
    /// What for.
    pub kind: &'static str,
    /// Until when, milliseconds since 1970.
    pub deadline_ms: i64,
    /// What they may change before they answer.
    pub draft: Value,
    /// The vote that is held until they answer, under the same key.
    pub vote: Option<NewVote>,
    /// What asks them; the first is the panel.
    pub posts: Vec<NewPost>,
}

/// An edit of a draft, to be written.
#[derive(Clone, Debug)]
pub struct NewDraft {
    /// The draft as it is then.
    pub draft: Value,
    /// The session's plan from now on; `None`: it stays. Nothing of a session runs while its beginning waits.
    pub plan: Option<Value>,
    /// The question that the team votes on meanwhile, if it does; with another one than before, everybody votes again.
    pub question: Option<String>,
    /// What is said about it where a newer edit stands.
    pub late: String,
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
    pub outcome: WaitOutcome,
}

impl Asked {
    /// Whether it can still be changed and answered.
    #[must_use]
    pub fn is_open(&self, now_ms: i64) -> bool {
        self.outcome == WaitOutcome::Open && self.deadline_ms > now_ms
    }
}

impl Store {
    /// Asks people something: the running session waits from here on. One that was asked before, and stopped
    /// before anybody answered, asks again with the draft as people had left it.
    pub async fn open_wait(&self, id: &SessionId, new: NewWait, at_ms: i64) -> Result<(), StoreError> {
        let id = id.clone();
        self.write(move |tx| {
            Box::pin(async move {
                transition(tx, &id, &[SessionState::Running], held(new.kind), None, at_ms).await?;
                sql!(
                    "INSERT INTO wait (session_id, key, kind, deadline_ms, draft) VALUES (?1, ?2, ?3, ?4, ?5)
                     ON CONFLICT (session_id, key) DO UPDATE
                     SET value = NULL, by_id = NULL, by_name = NULL, deadline_ms = excluded.deadline_ms",
                    (id.as_str(), new.key.as_str(), new.kind, new.deadline_ms, new.draft.to_string())
                )
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
        new: NewDraft,
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        let (id, key) = (id.clone(), key.clone());
        self.write_soon(move |tx| {
            Box::pin(async move {
                let open = open(tx, &id, &key).await?;
                let newest = open.as_ref().and_then(|open| open.draft_event).unwrap_or_default();
                let stands = newest > event.id.cast_signed();
                let event = if stands { Inbound { effect: new.late, ..event } } else { event };
                inbound::record(tx, &event, at_ms).await?;
                in_time(tx, &id, open, at_ms).await?;
                if stands {
                    return Ok(false);
                }
                if let Some(question) = &new.question {
                    vote::reword_in(tx, (&id, &key), question).await?;
                }
                sql!(
                    "UPDATE wait SET draft = ?3, draft_event = ?4 WHERE session_id = ?1 AND key = ?2",
                    (id.as_str(), key.as_str(), new.draft.to_string(), event.id.cast_signed())
                )
                .execute(&mut *tx)
                .await?;
                if let Some(plan) = &new.plan {
                    let planned =
                        sql!("UPDATE session SET plan = ?2 WHERE id = ?1", (id.as_str(), plan.to_string()));
                    planned.execute(&mut *tx).await?;
                }
                panel::changed(tx, &id, key.as_str()).await?;
                Ok(true)
            })
        })
        .await
    }

    /// Answers an open wait with its draft as it stands: that is the step's result, the session runs again, and a
    /// vote on it ends, unless too many sessions run. `read` is the edit of the draft that was read, 0 if none;
    /// [`StoreError::Reread`] when another one stands.
    pub async fn answer_wait(
        &self,
        (id, key): (&SessionId, &StepKey),
        read: i64,
        event: Inbound,
        (by, name): (UserId, String),
        most: OpenSessions,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let (id, key) = (id.clone(), key.clone());
        self.write_soon(move |tx| {
            Box::pin(async move {
                inbound::record(tx, &event, at_ms).await?;
                let open = open(tx, &id, &key).await?;
                let open = in_time(tx, &id, open, at_ms).await?;
                if read != open.draft_event.unwrap_or_default() {
                    return Err(StoreError::Reread);
                }
                go_on(tx, (&id, &key), open, Some((by, name)), most, at_ms).await
            })
        })
        .await
    }

    /// Lets a session go on whose wait nobody answered in time, with the draft as it stands. Refused if the wait is closed by
    /// now, or if too many sessions run.
    pub async fn lapse_wait(&self, wait: &WaitRow, most: OpenSessions, at_ms: i64) -> Result<(), StoreError> {
        let (id, key) = (wait.session.clone(), StepKey::new(&wait.key));
        self.write(move |tx| {
            Box::pin(async move {
                let open = open(tx, &id, &key).await?.filter(|open| open.deadline_ms <= at_ms);
                let closed = || StoreError::NotRunning("waiting for something else".to_owned());
                go_on(tx, (&id, &key), open.ok_or_else(closed)?, None, most, at_ms).await
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
                transition(tx, id, &[held(&wait.kind)], SessionState::Cancelled, Some(notice), at_ms).await?;
                let closed = sql!(
                    "UPDATE wait SET value = 'expired'
                     WHERE session_id = ?1 AND key = ?2 AND value IS NULL AND deadline_ms <= ?3",
                    (id.as_str(), &wait.key, at_ms)
                )
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
        let overdue = sql!("SELECT * FROM wait WHERE value IS NULL AND deadline_ms <= ?1", now_ms)
            .fetch_all(&self.readers)
            .await?;
        Ok(self.here(self.unreadable.but("wait", &overdue, each), |wait: &WaitRow| &wait.session))
    }

    /// What a session waits for, if it does.
    pub async fn waits_for(&self, id: &SessionId) -> Result<Option<WaitRow>, StoreError> {
        Ok(sql_as!("SELECT * FROM wait WHERE session_id = ?1 AND value IS NULL", id.as_str())
            .fetch_optional(&self.readers)
            .await?)
    }

    /// A question to people as it stands, if it was ever asked.
    pub async fn asked(&self, id: &SessionId, key: &StepKey) -> Result<Option<Asked>, StoreError> {
        let row = sql!("SELECT * FROM wait WHERE session_id = ?1 AND key = ?2", (id.as_str(), key.as_str()))
            .fetch_optional(&self.readers)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let draft: Option<String> = row.get("draft");
        let value: Option<String> = row.get("value");
        Ok(Some(Asked {
            draft: read(draft.as_deref())?,
            revision: row.get::<Option<i64>, _>("draft_event").unwrap_or_default(),
            deadline_ms: row.get("deadline_ms"),
            outcome: match value.as_deref() {
                None => WaitOutcome::Open,
                Some("answered") => {
                    WaitOutcome::Answered(row.get::<Option<String>, _>("by_name").unwrap_or_default())
                }
                Some("expired") => WaitOutcome::Expired,
                Some(_) => WaitOutcome::Ended,
            },
        }))
    }
}

/// Closes a wait with its draft as the step's result, and lets its session run again. Without somebody who answered it, it
/// has lapsed.
async fn go_on(
    tx: &mut SqliteConnection,
    (id, key): (&SessionId, &StepKey),
    open: Open,
    by: Option<(UserId, String)>,
    most: OpenSessions,
    at_ms: i64,
) -> Result<(), StoreError> {
    vote_end::close_in(tx, (id, key), at_ms).await?;
    transition(tx, id, &[held(&open.kind)], SessionState::Running, None, at_ms).await?;
    quota::go_on(tx, id, most).await?;
    let (by, name) = by.unzip();
    sql!(
        "UPDATE wait SET value = ?5, by_id = ?3, by_name = ?4 WHERE session_id = ?1 AND key = ?2",
        (
            id.as_str(),
            key.as_str(),
            by.map(UserId::as_i64),
            name,
            if by.is_some() { "answered" } else { "expired" },
        )
    )
    .execute(&mut *tx)
    .await?;
    sql!(
        "INSERT INTO step (session_id, key, kind, state, output, started_ms, finished_ms)
         VALUES (?1, ?2, ?3, 'done', ?4, ?5, ?5)",
        (id.as_str(), key.as_str(), answer_kind(&open.kind), open.draft, at_ms)
    )
    .execute(&mut *tx)
    .await?;
    panel::changed(tx, id, key.as_str()).await
}

/// An open wait inside a transaction.
struct Open {
    kind: String,
    deadline_ms: i64,
    draft: Option<String>,
    draft_event: Option<i64>,
}

columns!(Open: kind "kind", deadline_ms "deadline_ms", draft "draft", draft_event "draft_event");

fn read(draft: Option<&str>) -> Result<Value, StoreError> {
    serde_json::from_str(draft.unwrap_or("null")).map_err(|error| StoreError::Corrupt(error.to_string()))
}

async fn open(tx: &mut SqliteConnection, id: &SessionId, key: &StepKey) -> Result<Option<Open>, StoreError> {
    Ok(sql_as!(
        "SELECT * FROM wait WHERE session_id = ?1 AND key = ?2 AND value IS NULL",
        (id.as_str(), key.as_str())
    )
    .fetch_optional(tx)
    .await?)
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

/// Whether a session waits for somebody to add to its budget.
pub(super) async fn is_spent(tx: &mut SqliteConnection, id: &SessionId) -> Result<bool, StoreError> {
    let kind = sql_scalar!("SELECT kind FROM wait WHERE session_id = ?1 AND value IS NULL", id.as_str());
    let kind: Option<String> = kind.fetch_optional(tx).await?;
    Ok(kind.is_some_and(|kind| kind == SPENT))
}

/// Has the card of what a session waits for drawn again; nothing where it waits for nothing.
pub(super) async fn touch(tx: &mut SqliteConnection, id: &SessionId) -> Result<(), StoreError> {
    sql!(
        "UPDATE panel SET revision = revision + 1 WHERE session_id = ?1
         AND key IN (SELECT key FROM wait WHERE session_id = ?1 AND value IS NULL)",
        id.as_str()
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Closes whatever a session waited for, because it moved on to another state.
pub(super) async fn close_all(
    tx: &mut SqliteConnection,
    id: &SessionId,
    to: SessionState,
    by: Option<UserId>,
) -> Result<(), StoreError> {
    touch(tx, id).await?;
    sql!(
        "UPDATE wait SET value = ?2, by_id = ?3 WHERE session_id = ?1 AND value IS NULL",
        (id.as_str(), to.as_str(), by.map(UserId::as_i64))
    )
    .execute(tx)
    .await?;
    Ok(())
}
