//! Notes: what members add to a live session; the next round reads it.

use sqlx::{Row, sqlite::SqliteRow};

use super::{
    Brought, Inbound, Store, StoreError,
    brought::{self, NewBrought, Particulars},
    inbound, session, wait,
};
use domain::{ContextNote, SessionId};

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
                inbound::record(tx, &event, at_ms).await?;
                let state = session::state(tx, &id).await?;
                if state.is_final() {
                    return Err(StoreError::NotRunning(state.as_str().to_owned()));
                }
                let new = NewBrought {
                    event: event.id,
                    kind: Brought::Notes,
                    author: note.author,
                    author_name: note.author_name,
                    text: note.text,
                    particulars: Particulars::default(),
                };
                brought::insert(tx, &id, new, at_ms).await?;
                // It may answer what the card asks.
                wait::touch(tx, &id).await
            })
        })
        .await
    }

    /// All notes of a session, oldest first.
    pub async fn notes(&self, id: &SessionId) -> Result<Vec<ContextNote>, StoreError> {
        let rows = brought::select(&self.readers, id, Brought::Notes).await?;
        let note = |row: &SqliteRow| {
            let (author, author_name) = brought::author(row);
            ContextNote { author, author_name, text: row.get("text") }
        };
        Ok(rows.iter().map(note).collect())
    }
}
