//! Panels: posts that are edited as what they show changes. Whoever changes what one shows raises its revision in
//! the same transaction; a panel whose shown revision is lower is stale and is drawn again, also after a restart.

use sqlx::{Row, SqliteConnection};

use super::{Store, StoreError, readable::each};
use crate::statement::sql;
use domain::{MessageId, SessionId};

/// What is known of a panel's message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PanelMessage {
    /// It waits in the outbox.
    Waiting,
    /// It is on Discord.
    Posted(MessageId),
    /// It will never be there.
    Never,
}

/// A panel as stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PanelRow {
    /// Raised with everything that changes what it shows.
    pub revision: i64,
    /// What Discord is known to show.
    pub shown: i64,
    /// Where it is.
    pub message: PanelMessage,
}

/// Has a post that is written in this transaction kept true from now on: its key becomes a panel's.
pub(super) async fn open(
    tx: &mut SqliteConnection,
    session: &SessionId,
    key: &str,
) -> Result<(), StoreError> {
    sql!(
        "INSERT INTO panel (session_id, key) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
        (session.as_str(), key)
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Says, in the transaction that changes it, that what a panel shows is not true any more.
pub(super) async fn changed(
    tx: &mut SqliteConnection,
    session: &SessionId,
    key: &str,
) -> Result<(), StoreError> {
    sql!(
        "UPDATE panel SET revision = revision + 1 WHERE session_id = ?1 AND key = ?2",
        (session.as_str(), key)
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Refuses with [`StoreError::Missing`] what changes a panel that is not opened yet.
pub(super) async fn is_open(
    tx: &mut SqliteConnection,
    session: &SessionId,
    key: &str,
) -> Result<(), StoreError> {
    if is_there(tx, session, key).await? { Ok(()) } else { Err(StoreError::Missing("panel")) }
}

/// Whether a panel is open.
pub(super) async fn is_there(
    tx: &mut SqliteConnection,
    session: &SessionId,
    key: &str,
) -> Result<bool, StoreError> {
    let there = sql!("SELECT 1 FROM panel WHERE session_id = ?1 AND key = ?2", (session.as_str(), key))
        .fetch_optional(tx)
        .await?;
    Ok(there.is_some())
}

impl Store {
    /// A session's panel, with its message: the first post of the same key.
    pub async fn panel(&self, session: &SessionId, key: &str) -> Result<Option<PanelRow>, StoreError> {
        let row = sql!(
            "SELECT p.revision, p.shown, o.state, o.message_id FROM panel p
             LEFT JOIN outbox o ON o.session_id = p.session_id AND o.post_key = p.key AND o.part = 0
             WHERE p.session_id = ?1 AND p.key = ?2",
            (session.as_str(), key)
        )
        .fetch_optional(&self.readers)
        .await?;
        Ok(row.map(|row| PanelRow {
            revision: row.get("revision"),
            shown: row.get("shown"),
            message: match row.get::<Option<i64>, _>("message_id") {
                Some(id) => PanelMessage::Posted(MessageId::from_i64(id)),
                None if row.get::<Option<&str>, _>("state") == Some("pending") => PanelMessage::Waiting,
                None => PanelMessage::Never,
            },
        }))
    }

    /// Notes that Discord shows a panel as it was at this revision.
    pub async fn panel_shows(&self, session: &SessionId, key: &str, revision: i64) -> Result<(), StoreError> {
        let shown = sql!(
            "UPDATE panel SET shown = max(shown, min(revision, ?3)) WHERE session_id = ?1 AND key = ?2",
            (session, key, revision)
        );
        self.execute(shown).await.map(|_| ())
    }

    /// Panels that do not show what is so.
    pub async fn stale_panels(&self) -> Result<Vec<(SessionId, String)>, StoreError> {
        let stale = sql!("SELECT session_id, key FROM panel WHERE shown < revision");
        let stale = self.unreadable.but("panel", &stale.fetch_all(&self.readers).await?, each);
        Ok(self.here(stale, |(session, _)| session))
    }
}
