//! Notes: what members add to a live session; the next round reads it.

use super::{Brought, Inbound, Store, StoreError, inbound, quota, session, wait};
use domain::{ContextNote, SessionId, UserId};

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
        self.write_soon(move |tx| {
            Box::pin(async move {
                let number = event.id.cast_signed();
                inbound::record(tx, &event, at_ms).await?;
                let state = session::state(tx, &id).await?;
                if state.is_final() {
                    return Err(StoreError::NotRunning(state.as_str().to_owned()));
                }
                quota::bring(tx, Brought::Notes, &id, note.author, at_ms).await?;
                sqlx::query(
                    "INSERT INTO note (id, session_id, author_id, author_name, text, at_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                )
                .bind(number)
                .bind(id.as_str())
                .bind(note.author.as_i64())
                .bind(note.author_name)
                .bind(note.text)
                .bind(at_ms)
                .execute(&mut *tx)
                .await?;
                // It may answer what the card asks.
                wait::touch(tx, &id).await
            })
        })
        .await
    }

    /// All notes of a session, oldest first.
    pub async fn notes(&self, id: &SessionId) -> Result<Vec<ContextNote>, StoreError> {
        let rows: Vec<(UserId, String, String)> =
            sqlx::query_as("SELECT author_id, author_name, text FROM note WHERE session_id = ?1 ORDER BY id")
                .bind(id.as_str())
                .fetch_all(&self.readers)
                .await?;
        let note = |(author, author_name, text)| ContextNote { author, author_name, text };
        Ok(rows.into_iter().map(note).collect())
    }
}
