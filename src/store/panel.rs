//! Panels: posts that are edited as what they show changes. Whoever changes it raises the panel's revision in the
//! same transaction; what Discord is known to show follows.

use sqlx::{Row, SqliteConnection};

use super::{Store, StoreError};
use crate::domain::{MessageId, SessionId};

/// A panel as stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PanelRow {
    /// What it should show.
    pub revision: i64,
    /// What Discord is known to show.
    pub shown: i64,
    /// Its message, once it is there.
    pub message: Option<MessageId>,
    /// It will never be there: its post was given up.
    pub dead: bool,
}

/// Makes a panel, or has one that is there already drawn again.
pub(super) async fn open(
    tx: &mut SqliteConnection,
    session: &SessionId,
    key: &str,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO panel (session_id, key) VALUES (?1, ?2)
         ON CONFLICT (session_id, key) DO UPDATE SET revision = revision + 1",
    )
    .bind(session.as_str())
    .bind(key)
    .execute(tx)
    .await?;
    Ok(())
}

/// Has a panel drawn again, if there is one.
pub(super) async fn refresh(
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
    /// A panel with its message.
    pub async fn panel(&self, session: &SessionId, key: &str) -> Result<Option<PanelRow>, StoreError> {
        let row = sqlx::query(
            "SELECT p.revision, p.shown, o.message_id, o.state FROM panel p
             LEFT JOIN outbox o ON o.session_id = p.session_id AND o.post_key = p.key AND o.part = 0
             WHERE p.session_id = ?1 AND p.key = ?2",
        )
        .bind(session.as_str())
        .bind(key)
        .fetch_optional(&self.readers)
        .await?;
        Ok(row.map(|row| PanelRow {
            revision: row.get("revision"),
            shown: row.get("shown"),
            message: row.get::<Option<i64>, _>("message_id").map(MessageId::from_i64),
            dead: row.get::<Option<String>, _>("state").is_none_or(|state| state == "dead"),
        }))
    }

    /// Remembers which revision of a panel Discord shows.
    pub async fn panel_shows(&self, session: &SessionId, key: &str, shown: i64) -> Result<(), StoreError> {
        let (session, key) = (session.clone(), key.to_owned());
        self.write(move |tx| {
            Box::pin(async move {
                sqlx::query("UPDATE panel SET shown = max(shown, ?3) WHERE session_id = ?1 AND key = ?2")
                    .bind(session.as_str())
                    .bind(key)
                    .bind(shown)
                    .execute(tx)
                    .await?;
                Ok(())
            })
        })
        .await
    }

    /// Panels that do not show what they should.
    pub async fn stale_panels(&self) -> Result<Vec<(SessionId, String)>, StoreError> {
        let rows = sqlx::query("SELECT session_id, key FROM panel WHERE shown < revision")
            .fetch_all(&self.readers)
            .await?;
        rows.iter()
            .map(|row| {
                let session =
                    SessionId::parse(row.get("session_id")).ok_or(StoreError::Missing("session"))?;
                Ok((session, row.get("key")))
            })
            .collect()
    }
}
