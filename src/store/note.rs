//! Notes: what members add to a live session; the next round reads it.

use sqlx::Row;

use super::{Inbound, Store, StoreError, inbound};
use crate::domain::{ContextNote, SessionId, SessionState, UserId};

impl Store {
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
