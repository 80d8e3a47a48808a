//! Posts that are edited as what they show changes: which revision is wanted, and which is shown.

use sqlx::{Row, SqliteConnection};

use super::{Store, StoreError};
use crate::domain::{ChannelId, MessageId, SessionId};

/// Adds a panel, once.
pub(super) async fn open(
    tx: &mut SqliteConnection,
    session: &SessionId,
    key: &str,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO panel (session_id, key) VALUES (?1, ?2) ON CONFLICT DO NOTHING")
        .bind(session.as_str())
        .bind(key)
        .execute(tx)
        .await?;
    Ok(())
}

/// Notes that what a panel shows has changed.
pub(super) async fn bump(
    tx: &mut SqliteConnection,
    session: &SessionId,
    key: &str,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE panel SET revision = revision + 1 WHERE session_id = ?1 AND key = ?2")
        .bind(session.as_str())
        .bind(key)
        .execute(tx)
        .await?;
    Ok(())
}

impl Store {
    /// A panel's revision and its message, where both are known.
    pub async fn panel(
        &self,
        session: &SessionId,
        key: &str,
    ) -> Result<Option<(i64, ChannelId, MessageId)>, StoreError> {
        let row = sqlx::query(
            "SELECT p.revision, s.thread_id, o.message_id FROM panel p
             JOIN session s ON s.id = p.session_id
             JOIN outbox o ON o.session_id = p.session_id AND o.post_key = p.key AND o.part = 0
             WHERE p.session_id = ?1 AND p.key = ?2 AND p.shown < p.revision AND o.message_id IS NOT NULL",
        )
        .bind(session.as_str())
        .bind(key)
        .fetch_optional(&self.readers)
        .await?;
        Ok(row.map(|row| {
            let thread = ChannelId::from_i64(row.get("thread_id"));
            (row.get("revision"), thread, MessageId::from_i64(row.get("message_id")))
        }))
    }

    /// Panels that do not show what they should.
    pub async fn stale_panels(&self) -> Result<Vec<(SessionId, String)>, StoreError> {
        let rows = sqlx::query("SELECT session_id, key FROM panel WHERE shown < revision")
            .fetch_all(&self.readers)
            .await?;
        rows.iter()
            .map(|row| {
                let session = SessionId::parse(row.get("session_id"));
                Ok((session.ok_or(StoreError::Missing("session"))?, row.get("key")))
            })
            .collect()
    }

    /// Notes what a panel shows.
    pub async fn panel_shows(&self, session: &SessionId, key: &str, revision: i64) -> Result<(), StoreError> {
        let (session, key) = (session.clone(), key.to_owned());
        self.write(move |tx| {
            Box::pin(async move {
                sqlx::query("UPDATE panel SET shown = max(shown, ?3) WHERE session_id = ?1 AND key = ?2")
                    .bind(session.as_str())
                    .bind(key)
                    .bind(revision)
                    .execute(tx)
                    .await?;
                Ok(())
            })
        })
        .await
    }
}
