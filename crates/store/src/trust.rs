//! What moved how much the modules of a server count. Written in the transaction in which it happens, once for each session,
//! module, kind and decision, however often that is told; a changed outcome replaces the earlier one.

use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use super::{Store, StoreError, script::Script};
use crate::statement::{add, sql, sql_scalar};
use domain::{GuildId, ModuleName, Moved, SessionId, TrustEvent, TrustEvidence, TrustKind};

/// Most events that count: the newest. What is older than several hundred sessions says little of today's models.
const NEWEST: u32 = 10_000;

impl Store {
    /// What moved a server's modules, newest first.
    pub async fn trust_events(&self, guild: GuildId) -> Result<Vec<TrustEvent>, StoreError> {
        let rows = sql!(
            "SELECT * FROM trust_event WHERE guild_id = ?1 ORDER BY at_ms DESC LIMIT ?2",
            (guild, NEWEST)
        )
        .fetch_all(&self.readers)
        .await?;
        // A kind that only a later version knows says nothing to this one.
        rows.iter().filter_map(|row| event(row).transpose()).collect()
    }
}

/// Writes down what happened to modules in a session that is there, inside the transaction in which it happens.
pub(super) async fn note(
    tx: &mut SqliteConnection,
    session: &SessionId,
    moved: &[Moved],
    at_ms: i64,
) -> Result<(), StoreError> {
    if moved.is_empty() {
        return Ok(());
    }
    let guild = sql_scalar!("SELECT guild_id FROM session WHERE id = ?1", session.as_str());
    let guild: GuildId = guild.fetch_one(&mut *tx).await?;
    note_on(tx, guild, session, moved, at_ms).await
}

/// The same where the session may be gone. What is there already of the same kind is replaced.
pub(super) async fn note_on(
    tx: &mut SqliteConnection,
    guild: GuildId,
    session: &SessionId,
    moved: &[Moved],
    at_ms: i64,
) -> Result<(), StoreError> {
    let mut noted = Script::default();
    for Moved { module, kind, decision, evidence } in moved {
        add!(
            noted,
            "INSERT INTO trust_event (guild_id, session_id, module, kind, decision, good, bad, at_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                 ON CONFLICT DO UPDATE SET good = excluded.good, bad = excluded.bad, at_ms = excluded.at_ms",
            (guild, session.as_str(), &module.0, kind.as_str(), decision, evidence.good, evidence.bad, at_ms)
        );
    }
    noted.run(tx).await.map(|_| ())
}

fn event(row: &SqliteRow) -> Result<Option<TrustEvent>, StoreError> {
    let Some(kind) = TrustKind::parse(row.get("kind")) else { return Ok(None) };
    let evidence = TrustEvidence { good: row.try_get("good")?, bad: row.try_get("bad")? };
    let module = ModuleName(row.get("module"));
    Ok(Some(TrustEvent {
        session: SessionId::parse(row.get("session_id")).ok_or(StoreError::Missing("session"))?,
        moved: Moved { module, kind, decision: row.try_get("decision")?, evidence },
        at: row.get::<i64, _>("at_ms") / 1000,
    }))
}
