//! Servers whose shard another process has, deleted for good. Where ranges of shards are cut anew, each process begins on a
//! copy of the whole file and leaves alone what is not in its shards (`elsewhere`), until this deletes it.
//!
//! Invariant: each transaction leaves everything true, a server's sessions go before what else is kept of it, and what is left
//! is found by looking. So a run that was cut off is finished by the next one. Called by `app`, while no bot has the file.

use std::collections::BTreeSet;

use super::{Store, StoreError, erasure::delete_beside, retention};
use crate::statement::sql_scalar;
use domain::{GuildId, ShardRange};

/// Sessions deleted in one transaction. Nobody else writes meanwhile; it bounds how far the log grows.
const AT_ONCE: i64 = 20;

/// What was deleted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Outside {
    /// How many servers.
    pub servers: u64,
    /// Their sessions.
    pub sessions: u64,
}

impl Store {
    /// Deletes everything of the servers that are not in this range, whatever state their sessions are in, gives the space
    /// back and empties the log.
    pub async fn delete_outside(&self, range: ShardRange) -> Result<Outside, StoreError> {
        let mut deleted = Outside::default();
        for guild in self.all_servers().await?.into_iter().filter(|guild| !range.holds(*guild)) {
            loop {
                let sessions = self.delete_sessions_of(guild).await?;
                if sessions == 0 {
                    break;
                }
                deleted.sessions += sessions;
            }
            self.delete_rest_of(guild).await?;
            deleted.servers += 1;
        }
        // Also where nothing was deleted: a run before this one may have been cut off here.
        while self.give_back().await? {}
        self.empty_log().await?;
        Ok(deleted)
    }

    /// Every server of which there is anything, each found by the one before it in an index.
    async fn all_servers(&self) -> Result<BTreeSet<GuildId>, StoreError> {
        let mut reader = self.readers.one().await;
        let mut servers = BTreeSet::new();
        for next in NEXT {
            let mut last = i64::MIN;
            while let Some(guild) =
                sqlx::query_scalar::<_, Option<i64>>(next).bind(last).fetch_one(&mut *reader).await?
            {
                servers.insert(GuildId::from_i64(guild));
                last = guild;
            }
        }
        Ok(servers)
    }

    /// Deletes some of a server's sessions; gives how many, 0 once there are none left.
    async fn delete_sessions_of(&self, guild: GuildId) -> Result<u64, StoreError> {
        self.write(move |tx| {
            Box::pin(async move {
                let some: Vec<String> =
                    sql_scalar!("SELECT id FROM session WHERE guild_id = ?1 LIMIT ?2", (guild, AT_ONCE))
                        .fetch_all(&mut *tx)
                        .await?;
                for session in &some {
                    retention::delete(tx, session).await?;
                }
                Ok(some.len() as u64)
            })
        })
        .await
    }

    /// Deletes what is kept of a server beside sessions, what was used today too: it counts in the other process's file.
    async fn delete_rest_of(&self, guild: GuildId) -> Result<(), StoreError> {
        self.write(move |tx| {
            Box::pin(async move {
                for statement in EVENTS {
                    sqlx::query(statement).bind(guild).execute(&mut *tx).await?;
                }
                delete_beside(tx, guild, i64::MAX).await?;
                for statement in ACCOUNTS {
                    sqlx::query(statement).bind(guild.to_string()).execute(&mut *tx).await?;
                }
                Ok(())
            })
        })
        .await
    }
}

/// The next server after one, of those of which a table has anything. Accounts are in the order of their owners' texts.
const NEXT: [&str; 11] = [
    "SELECT min(guild_id) FROM session WHERE guild_id > ?1",
    "SELECT min(guild_id) FROM decision WHERE guild_id > ?1",
    "SELECT min(guild_id) FROM guild_settings WHERE guild_id > ?1",
    "SELECT min(guild_id) FROM settings_change WHERE guild_id > ?1",
    "SELECT min(guild_id) FROM trust_event WHERE guild_id > ?1",
    "SELECT min(guild_id) FROM lookup WHERE guild_id > ?1",
    "SELECT min(guild_id) FROM opening WHERE guild_id > ?1",
    "SELECT min(guild_id) FROM erasure WHERE guild_id > ?1",
    "SELECT CAST(min(owner) AS INTEGER) FROM account WHERE scope = 'guild' AND owner > CAST(?1 AS TEXT)",
    "SELECT CAST(min(owner) AS INTEGER) FROM account WHERE scope = 'month' AND owner > CAST(?1 AS TEXT)",
    // `server/member`: after all that begin with this server and a slash.
    "SELECT CAST(min(owner) AS INTEGER) FROM account WHERE scope = 'member' AND owner > ?1 || '0'",
];

/// Events that are a server's by another row of it, deleted before that row.
const EVENTS: [&str; 3] = [
    "DELETE FROM inbound WHERE id IN (SELECT id FROM lookup WHERE guild_id = ?1)",
    "DELETE FROM inbound WHERE id IN (SELECT id FROM opening WHERE guild_id = ?1)",
    "DELETE FROM inbound WHERE id IN (SELECT id FROM erasure WHERE guild_id = ?1)",
];

/// A server's accounts and its members'. The whole bot's begin anew: they count what is taken out too.
const ACCOUNTS: [&str; 3] = [
    "DELETE FROM account WHERE scope IN ('guild', 'month') AND owner = ?1",
    "DELETE FROM account WHERE scope = 'member' AND owner > ?1 || '/' AND owner < ?1 || '0'",
    "DELETE FROM account WHERE scope IN ('bot', 'bot_month') AND owner = '' AND ?1 <> ''",
];
