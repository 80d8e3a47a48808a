//! Waits and notes: what people are asked for and what they add. A wait is a row with a deadline; nothing of
//! it is in memory.

use sqlx::Row;

use super::{Inbound, NewPost, Store, StoreError, inbound, outbox, session::transition};
use crate::domain::{ContextNote, SessionId, SessionState, UserId};

/// An open wait.
#[derive(Clone, Debug)]
pub struct WaitRow {
    /// Whose.
    pub session: SessionId,
    /// Which.
    pub key: String,
    /// Until when, milliseconds since 1970.
    pub deadline_ms: i64,
}

impl Store {
    /// Pauses a running session: opens a wait for somebody to resume it. `event` is what asked for it, if a
    /// person did.
    pub async fn pause_session(
        &self,
        id: &SessionId,
        event: Option<Inbound>,
        notice: String,
        posts: Vec<NewPost>,
        times_ms: (i64, i64),
    ) -> Result<(), StoreError> {
        let id = id.clone();
        let (at_ms, deadline_ms) = times_ms;
        self.write(move |tx| {
            Box::pin(async move {
                if let Some(event) = event {
                    inbound::record(tx, &event, at_ms).await?;
                }
                transition(tx, &id, &[SessionState::Running], SessionState::Paused, Some(notice), at_ms).await?;
                sqlx::query(
                    "INSERT INTO wait (session_id, key, kind, deadline_ms)
                     VALUES (?1, 'pause-' || (SELECT count(*) + 1 FROM wait WHERE session_id = ?1), 'pause', ?2)",
                )
                .bind(id.as_str())
                .bind(deadline_ms)
                .execute(&mut *tx)
                .await?;
                outbox::insert(tx, &id, &posts).await
            })
        })
        .await
    }

    /// Closes a paused session's wait and moves it on: to running when somebody resumed it, to cancelled when
    /// its deadline or somebody decided so.
    pub async fn close_pause(
        &self,
        id: &SessionId,
        event: Option<Inbound>,
        by: Option<UserId>,
        (to, notice): (SessionState, Option<String>),
        posts: Vec<NewPost>,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let id = id.clone();
        self.write(move |tx| {
            Box::pin(async move {
                if let Some(event) = event {
                    inbound::record(tx, &event, at_ms).await?;
                }
                transition(tx, &id, &[SessionState::Paused], to, notice, at_ms).await?;
                sqlx::query("UPDATE wait SET value = ?2, by_id = ?3 WHERE session_id = ?1 AND value IS NULL")
                    .bind(id.as_str())
                    .bind(to.as_str())
                    .bind(by.map(UserId::as_i64))
                    .execute(&mut *tx)
                    .await?;
                outbox::insert(tx, &id, &posts).await
            })
        })
        .await
    }

    /// Ends a live session at somebody's wish: what it has not posted yet is dropped, then the notice goes out.
    pub async fn cancel_session(
        &self,
        id: &SessionId,
        event: Inbound,
        notice: String,
        posts: Vec<NewPost>,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let id = id.clone();
        self.write(move |tx| {
            Box::pin(async move {
                const LIVE: [SessionState; 3] = [SessionState::Running, SessionState::Paused, SessionState::Waiting];
                inbound::record(tx, &event, at_ms).await?;
                transition(tx, &id, &LIVE, SessionState::Cancelled, Some(notice), at_ms).await?;
                sqlx::query("UPDATE wait SET value = 'cancelled' WHERE session_id = ?1 AND value IS NULL")
                    .bind(id.as_str())
                    .execute(&mut *tx)
                    .await?;
                sqlx::query(
                    "UPDATE outbox SET state = 'dead', problem = 'cancelled'
                     WHERE session_id = ?1 AND state = 'pending' AND target = 'thread' AND first_try_ms IS NULL",
                )
                .bind(id.as_str())
                .execute(&mut *tx)
                .await?;
                outbox::insert(tx, &id, &posts).await
            })
        })
        .await
    }

    /// Open waits whose deadline has passed.
    pub async fn overdue_waits(&self, now_ms: i64) -> Result<Vec<WaitRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT session_id, key, deadline_ms FROM wait WHERE value IS NULL AND deadline_ms <= ?1",
        )
        .bind(now_ms)
        .fetch_all(&self.readers)
        .await?;
        rows.iter()
            .map(|row| {
                let session =
                    SessionId::parse(row.get("session_id")).ok_or(StoreError::Missing("session"))?;
                Ok(WaitRow { session, key: row.get("key"), deadline_ms: row.get("deadline_ms") })
            })
            .collect()
    }

    /// Adds a member's note to a live session.
    pub async fn add_note(
        &self,
        id: &SessionId,
        event: Inbound,
        note: ContextNote,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let id = id.clone();
        self.write(move |tx| {
            Box::pin(async move {
                let number = event.id.cast_signed();
                inbound::record(tx, &event, at_ms).await?;
                let state: Option<String> = sqlx::query_scalar("SELECT state FROM session WHERE id = ?1")
                    .bind(id.as_str())
                    .fetch_optional(&mut *tx)
                    .await?;
                let state = state.ok_or(StoreError::Missing("session"))?;
                if SessionState::parse(&state).is_none_or(SessionState::is_final) {
                    return Err(StoreError::NotRunning(state));
                }
                sqlx::query(
                    "INSERT INTO note (id, session_id, author_id, author_name, text, at_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                )
                .bind(number)
                .bind(id.as_str())
                .bind(note.author.as_i64())
                .bind(note.author_name)
                .bind(note.text)
                .bind(at_ms)
                .execute(tx)
                .await?;
                Ok(())
            })
        })
        .await
    }

    /// All notes of a session, oldest first.
    pub async fn notes(&self, id: &SessionId) -> Result<Vec<ContextNote>, StoreError> {
        let rows =
            sqlx::query("SELECT author_id, author_name, text FROM note WHERE session_id = ?1 ORDER BY id")
                .bind(id.as_str())
                .fetch_all(&self.readers)
                .await?;
        let read = |row: &sqlx::sqlite::SqliteRow| ContextNote {
            author: UserId::from_i64(row.get("author_id")),
            author_name: row.get("author_name"),
            text: row.get("text"),
        };
        Ok(rows.iter().map(read).collect())
    }
}
