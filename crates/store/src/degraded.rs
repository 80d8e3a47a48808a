//! What was degraded in a session, noted once beside the step in which it happened.

use sqlx::SqliteConnection;

use super::{Store, StoreError};
use crate::statement::{sql, sql_scalar};
use domain::{Degraded, SessionId, StepKey};

impl Store {
    /// Notes what was degraded in a step. What is noted beside it already stays.
    pub async fn note_degraded(
        &self,
        session: &SessionId,
        key: &StepKey,
        notes: &[Degraded],
    ) -> Result<(), StoreError> {
        self.note(session, key, notes, false).await
    }

    /// The same of what a model's server did, which stands beside what the protocol says of the step.
    pub async fn note_degraded_by_server(
        &self,
        session: &SessionId,
        key: &StepKey,
        note: Degraded,
    ) -> Result<(), StoreError> {
        self.note(session, key, &[note], true).await
    }

    async fn note(
        &self,
        session: &SessionId,
        key: &StepKey,
        notes: &[Degraded],
        of_server: bool,
    ) -> Result<(), StoreError> {
        let notes = serde_json::to_string(notes).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        let (session, key) = (session.clone(), key.clone());
        self.write(move |tx| {
            Box::pin(async move {
                sql!(
                    "INSERT INTO degraded (session_id, key, notes, of_server) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT DO NOTHING",
                    (session.as_str(), key.as_str(), notes, of_server)
                )
                .execute(tx)
                .await?;
                Ok(())
            })
        })
        .await
    }

    /// All that was degraded in a session, as it happened.
    pub async fn degraded(&self, session: &SessionId) -> Result<Vec<Degraded>, StoreError> {
        let rows: Vec<String> =
            sql_scalar!("SELECT notes FROM degraded WHERE session_id = ?1 ORDER BY id", session.as_str())
                .fetch_all(&self.readers)
                .await?;
        let read = |notes: &String| serde_json::from_str::<Vec<Degraded>>(notes);
        let notes: Result<Vec<_>, _> = rows.iter().map(read).collect();
        Ok(notes.map_err(|error| StoreError::Corrupt(error.to_string()))?.concat())
    }
}

/// Takes back what is noted beside steps that are tried again, and beside what a protocol made itself: that may have
/// stood in for them. The next run passes what still holds, and notes it again.
pub(super) async fn take_back(tx: &mut SqliteConnection, session: &SessionId) -> Result<(), StoreError> {
    sql!(
        "DELETE FROM degraded WHERE session_id = ?1 AND key IN (
            SELECT key FROM step WHERE session_id = ?1 AND (state = 'intent' OR kind IN ('keep', 'post')))",
        session.as_str()
    )
    .execute(tx)
    .await?;
    Ok(())
}
