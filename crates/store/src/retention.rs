//! Sessions whose server keeps them no longer: deleted with all that hangs on them.

use sqlx::SqliteConnection;

use super::{Store, StoreError};
use crate::statement::sql_scalar;

/// Sessions deleted in one transaction: few enough that others' writes wait for it no longer than for a round's.
const AT_ONCE: i64 = 5;
/// A day, in milliseconds.
pub(super) const DAY_MS: i64 = 24 * 60 * 60 * 1000;

impl Store {
    /// Deletes some of the sessions that ended longer ago than their server keeps them, their votes and decisions
    /// too; gives how many, 0 once there are none left. Those with something still to come stay: an open or
    /// uncounted vote, evidence whose hinge is looked at again, a decision whose outcome will be asked for, a question or
    /// call under way. Decision records outlive their session, and so do the accounts of members and servers.
    pub async fn delete_expired(&self, now_ms: i64) -> Result<u64, StoreError> {
        let due: Vec<String> = sql_scalar!(DUE, (now_ms, DAY_MS, AT_ONCE)).fetch_all(&self.readers).await?;
        if due.is_empty() {
            return Ok(0);
        }
        self.write(move |tx| {
            Box::pin(async move {
                // Asked again: what was due a moment ago may have been given a question since.
                let due: Vec<String> =
                    sql_scalar!(DUE, (now_ms, DAY_MS, AT_ONCE)).fetch_all(&mut *tx).await?;
                for session in &due {
                    delete(tx, session).await?;
                }
                Ok(due.len() as u64)
            })
        })
        .await
    }
}

/// Deletes a session with all that hangs on it, the index's words too, inside a transaction.
pub(super) async fn delete(tx: &mut SqliteConnection, session: &str) -> Result<(), StoreError> {
    for statement in [
        "DELETE FROM account WHERE scope = 'session' AND owner = ?1",
        // Before what says that it was started by this.
        "DELETE FROM opening WHERE id IN (SELECT id FROM inbound WHERE session_id = ?1)",
        "DELETE FROM inbound WHERE session_id = ?1",
        "DELETE FROM session WHERE id = ?1",
    ] {
        sqlx::query(statement).bind(session.to_owned()).execute(&mut *tx).await?;
    }
    Ok(())
}

// Kept from the last thing that happened to them on: a vote may close, a decision be recorded and its outcome be
// asked for long after the experts were done.
const DUE: &str = "
    SELECT s.id FROM (SELECT guild_id, ?1 - json_extract(settings, '$.retention_days') * ?2 AS before
                      FROM guild_settings) g
    CROSS JOIN session s ON s.guild_id = g.guild_id AND s.ended_ms <= g.before
    WHERE s.ended_ms IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM vote v WHERE v.session_id = s.id AND v.deadline_ms IS NOT NULL
                      AND (v.state <> 'counted' OR v.closed_ms > g.before))
      AND NOT EXISTS (SELECT 1 FROM brought b WHERE b.session_id = s.id
                      AND b.kind IN ('evidence', 'triage') AND b.closed_ms > g.before)
      AND NOT EXISTS (SELECT 1 FROM decision_now d WHERE d.session_id = s.id
                      AND (d.decided_ms > g.before OR d.outcome_ms > g.before OR d.asked_ms > g.before
                           OR (d.review_ms IS NOT NULL AND d.asked_ms IS NULL AND d.outcome IS NULL
                               AND d.replaced_by IS NULL)))
      AND NOT EXISTS (SELECT 1 FROM brought b WHERE b.session_id = s.id AND b.closed_ms IS NULL)
      AND NOT EXISTS (SELECT 1 FROM attempt a WHERE a.session_id = s.id AND a.state = 'sent')
    LIMIT ?3";
