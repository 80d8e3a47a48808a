//! Events from Discord: delivered twice, applied once.

use sqlx::SqliteConnection;

use super::{Store, StoreError, participant, trace};
use crate::statement::{sql, sql_scalar};
use domain::{SessionId, UserId};

/// An event that changes something, recorded in the transaction that applies it.
#[derive(Clone, Debug)]
pub struct Inbound {
    /// Its snowflake (interaction or message).
    pub id: u64,
    /// What it asks for: `start`, `pause`, `note`.
    pub kind: &'static str,
    /// The session it is about.
    pub session: Option<SessionId>,
    /// Whoever takes part in that session by it, and is to be in its thread, and the name they go by; `None`: nobody, or it
    /// was written there, and whoever writes in a thread is in it.
    pub by: Option<(UserId, String)>,
    /// What is said about it, to be said again if it comes again.
    pub effect: String,
}

/// Records the event, and that whoever did it takes part; [`StoreError::Duplicate`] with its effect if it was applied before.
pub(super) async fn record(tx: &mut SqliteConnection, event: &Inbound, at_ms: i64) -> Result<(), StoreError> {
    let added = sql!(
        "INSERT INTO inbound (id, kind, session_id, effect, at_ms) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
        (
            event.id.cast_signed(), event.kind, event.session.as_ref().map(SessionId::as_str), &event.effect,
            at_ms,
        )
    )
    .execute(&mut *tx)
    .await?;
    if added.rows_affected() == 1 {
        let (Some(session), Some((by, name))) = (&event.session, &event.by) else { return Ok(()) };
        participant::joins(tx, session, *by, at_ms).await?;
        return trace::name(tx, session, (*by, name), at_ms).await;
    }
    let effect: String =
        sql_scalar!("SELECT effect FROM inbound WHERE id = ?1", event.id.cast_signed()).fetch_one(tx).await?;
    Err(StoreError::Duplicate(effect))
}

impl Store {
    /// Whether an event was applied; `Some` with what was said.
    pub async fn applied(&self, id: u64) -> Result<Option<String>, StoreError> {
        let effect = sql_scalar!("SELECT effect FROM inbound WHERE id = ?1", id.cast_signed());
        Ok(effect.fetch_optional(&self.readers).await?)
    }
}
