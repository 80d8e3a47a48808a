//! Events from Discord: delivered twice, applied once.

use sqlx::SqliteConnection;

use super::{Store, StoreError};
use crate::domain::SessionId;

/// An event that changes something, recorded in the transaction that applies it.
#[derive(Clone, Debug)]
pub struct Inbound {
    /// Its snowflake (interaction or message).
    pub id: u64,
    /// What it asks for: `start`, `pause`, `note`.
    pub kind: &'static str,
    /// The session it is about.
    pub session: Option<SessionId>,
    /// What is said about it, to be said again if it comes again.
    pub effect: String,
}

/// Records the event; [`StoreError::Duplicate`] with its effect if it was applied before.
pub(super) async fn record(tx: &mut SqliteConnection, event: &Inbound, at_ms: i64) -> Result<(), StoreError> {
    let added = sqlx::query(
        "INSERT INTO inbound (id, kind, session_id, effect, at_ms) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
    )
    .bind(event.id.cast_signed())
    .bind(event.kind)
    .bind(event.session.as_ref().map(SessionId::as_str))
    .bind(&event.effect)
    .bind(at_ms)
    .execute(&mut *tx)
    .await?;
    if added.rows_affected() == 1 {
        return Ok(());
    }
    let effect: String = sqlx::query_scalar("SELECT effect FROM inbound WHERE id = ?1")
        .bind(event.id.cast_signed())
        .fetch_one(tx)
        .await?;
    Err(StoreError::Duplicate(effect))
}

impl Store {
    /// Whether an event was applied; `Some` with what was said.
    pub async fn applied(&self, id: u64) -> Result<Option<String>, StoreError> {
        let effect = sqlx::query_scalar("SELECT effect FROM inbound WHERE id = ?1").bind(id.cast_signed());
        Ok(effect.fetch_optional(&self.readers).await?)
    }
}
