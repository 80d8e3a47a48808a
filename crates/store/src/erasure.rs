//! What somebody wants deleted: asked for in one transaction, and then done a few sessions at a time, so that others' writes
//! come first. Each transaction leaves everything true, and what is left to do is found by looking, so a restart in between
//! loses nothing.

mod others;
mod places;
mod rest;

use sqlx::SqliteConnection;

pub use self::places::{PLACES, Place};
pub(super) use self::rest::delete_beside;
use self::{
    others::take_out,
    rest::{rest_of_member, rest_of_server},
};
use super::{Inbound, Store, StoreError, inbound, panel, readable::each, retention, row::columns};
use crate::statement::{sql, sql_as, sql_scalar};
use domain::{GuildId, SessionId, UserId};

/// Sessions that are seen to in one transaction.
const AT_ONCE: i64 = 5;
/// How long a session that has just ended is given to show so on its card.
const LAST_WORDS_MS: i64 = 60_000;

/// What somebody has asked for and is not done yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Erasure {
    /// The press.
    pub id: i64,
    /// Of which server.
    pub guild: GuildId,
    /// Whose data; `None`: the server's.
    pub member: Option<UserId>,
    /// What came later stays. Milliseconds since 1970.
    pub asked_ms: i64,
}

columns!(Erasure: id "id", guild "guild_id", member "member_id", asked_ms "asked_ms");

/// How far it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Erased {
    /// There is more.
    More,
    /// What is left hangs on sessions that are not over yet.
    Waits,
    /// Everything is gone.
    Done,
}

impl Store {
    /// Notes that a member's data, or all of a server's, is to be deleted, once for each event. What they gave in open
    /// votes is taken back at once.
    pub async fn ask_erasure(
        &self,
        event: Inbound,
        guild: GuildId,
        member: Option<UserId>,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        self.write_soon(move |tx| {
            Box::pin(async move {
                inbound::record(tx, &event, at_ms).await?;
                sql!(
                    "INSERT INTO erasure (id, guild_id, member_id, asked_ms) VALUES (?1, ?2, ?3, ?4)",
                    (event.id.cast_signed(), guild, member, at_ms)
                )
                .execute(&mut *tx)
                .await?;
                let Some(member) = member else { return Ok(()) };
                let open: Vec<(SessionId, String)> = sql_as!(
                    "SELECT b.session_id, b.key FROM ballot b
                     JOIN vote v ON v.session_id = b.session_id AND v.key = b.key
                     JOIN session s ON s.id = b.session_id
                     WHERE b.voter_id = ?1 AND s.guild_id = ?2 AND v.state = 'open'",
                    (member, guild)
                )
                .fetch_all(&mut *tx)
                .await?;
                for (session, key) in open {
                    sql!(
                        "DELETE FROM ballot WHERE session_id = ?1 AND key = ?2 AND voter_id = ?3",
                        (&session, &key, member)
                    )
                    .execute(&mut *tx)
                    .await?;
                    panel::changed(tx, &session, &key).await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// What is not done yet, the oldest first.
    pub async fn erasures(&self) -> Result<Vec<Erasure>, StoreError> {
        let rows = sql!("SELECT id, guild_id, member_id, asked_ms FROM erasure ORDER BY id");
        Ok(self.unreadable.but("erasure", &rows.fetch_all(&self.readers).await?, each))
    }

    /// Sees to some of what is to be deleted.
    pub async fn erase_some(&self, of: Erasure, now_ms: i64) -> Result<Erased, StoreError> {
        self.write(move |tx| {
            Box::pin(async move {
                if some_sessions(tx, of, now_ms).await? {
                    return Ok(Erased::More);
                }
                let left: i64 = sql_scalar!(
                    "SELECT count(*) FROM session
                     WHERE guild_id = ?1 AND (?2 IS NULL OR starter_id = ?2) AND started_ms <= ?3",
                    (of.guild, of.member, of.asked_ms)
                )
                .fetch_one(&mut *tx)
                .await?;
                let mut waits = left > 0;
                match of.member {
                    Some(member) => {
                        let (settled, open) = others(tx, of, member).await?;
                        for session in &settled {
                            take_out(tx, session, of, member).await?;
                        }
                        if !settled.is_empty() {
                            return Ok(Erased::More);
                        }
                        waits |= open;
                        rest_of_member(tx, of, member, now_ms).await?;
                    }
                    None => rest_of_server(tx, of, now_ms).await?,
                }
                if waits {
                    return Ok(Erased::Waits);
                }
                sql!("DELETE FROM erasure WHERE id = ?1", of.id).execute(tx).await?;
                Ok(Erased::Done)
            })
        })
        .await
    }
}

/// Deletes some sessions that are over. One that has just ended, or is asked something, stays for a moment.
async fn some_sessions(tx: &mut SqliteConnection, of: Erasure, now_ms: i64) -> Result<bool, StoreError> {
    let over: Vec<String> = sql_scalar!(
        "SELECT s.id FROM session s
         WHERE s.guild_id = ?1 AND (?2 IS NULL OR s.starter_id = ?2) AND s.started_ms <= ?3 AND s.ended_ms IS NOT NULL
           AND (s.card_state IS s.state OR s.ended_ms <= ?4)
           AND NOT EXISTS (SELECT 1 FROM attempt a WHERE a.session_id = s.id AND a.state = 'sent')
         LIMIT ?5",
        (of.guild, of.member, of.asked_ms, now_ms - LAST_WORDS_MS, AT_ONCE)
    )
    .fetch_all(&mut *tx)
    .await?;
    for session in &over {
        retention::delete(tx, session).await?;
    }
    Ok(!over.is_empty())
}

/// Sessions of others to which a member added something: some of those in which nothing is open any more, and whether there
/// are others.
async fn others(
    tx: &mut SqliteConnection,
    of: Erasure,
    member: UserId,
) -> Result<(Vec<SessionId>, bool), StoreError> {
    let with: Vec<(SessionId, bool)> = sql_as!(
        "SELECT s.id, s.ended_ms IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM attempt a WHERE a.session_id = s.id AND a.state = 'sent')
                AND NOT EXISTS (SELECT 1 FROM brought b WHERE b.session_id = s.id AND b.closed_ms IS NULL)
                AND NOT EXISTS (SELECT 1 FROM vote v WHERE v.session_id = s.id AND v.deadline_ms IS NOT NULL
                                AND v.state <> 'counted') AS settled
         FROM (SELECT DISTINCT session_id FROM left_in WHERE user_id = ?1 AND at_ms <= ?3) AS added
         JOIN session s ON s.id = added.session_id
         WHERE s.guild_id = ?2 AND s.starter_id <> ?1 GROUP BY s.id ORDER BY settled DESC LIMIT ?4",
        (member, of.guild, of.asked_ms, AT_ONCE)
    )
    .fetch_all(tx)
    .await?;
    let open = with.iter().any(|(_, settled)| !settled);
    Ok((with.into_iter().filter(|(_, settled)| *settled).map(|(id, _)| id).collect(), open))
}
