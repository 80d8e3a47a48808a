//! Sessions of servers that another process serves: their rows lie here still, since ranges of shards were cut anew, and here
//! nobody hears of those servers any more. They are let be as they are, whole, until `quorum prune --outside-shards` deletes
//! them (`outside`): a session that went on here would close votes that nobody could cast, and run in the other process's
//! copy of the file too.

use std::{collections::HashSet, path::Path};

use sqlx::{Connection as _, Row, SqliteConnection};

use super::{Store, StoreError, readable::only, standing::looking};
use crate::statement::{sql, sql_scalar};
use domain::{GuildId, SessionId, ShardRange};

/// A server of which something lies in a database whose process does not have its shard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Elsewhere {
    /// The server.
    pub guild: GuildId,
    /// Its shard, which another process has.
    pub shard: u32,
    /// Its sessions.
    pub sessions: u64,
    /// Of them those that are not over.
    pub open: u64,
}

/// What lies in the file and is let be.
pub(super) struct LetBe {
    servers: HashSet<GuildId>,
    sessions: HashSet<SessionId>,
}

impl Store {
    /// From here on, what comes due by itself is given only for sessions of servers on these shards: called before anything
    /// goes on, once. Gives the servers that are let be.
    pub async fn keep_to(&self, range: ShardRange) -> Result<Vec<Elsewhere>, StoreError> {
        let servers = elsewhere(&mut *self.readers.one().await, range).await?;
        let mut sessions = HashSet::new();
        for server in &servers {
            let ids = sql!("SELECT id FROM session WHERE guild_id = ?1", server.guild)
                .fetch_all(&self.readers)
                .await?;
            sessions.extend(self.unreadable.but("session", &ids, only::<SessionId>));
        }
        let guilds = servers.iter().map(|server| server.guild).collect();
        let _ = self.elsewhere.set(LetBe { servers: guilds, sessions });
        Ok(servers)
    }

    /// The servers in a database that is not opened to write, also while a process uses it, that do not belong on these
    /// shards.
    pub async fn elsewhere_in(path: &Path, range: ShardRange) -> Result<Vec<Elsewhere>, StoreError> {
        elsewhere(&mut reader(path).await?, range).await
    }

    /// The servers of which something lies in such a database.
    pub async fn servers_in(path: &Path) -> Result<Vec<GuildId>, StoreError> {
        servers(&mut reader(path).await?).await
    }

    /// Those of some rows whose session is of a server that is served here.
    pub(super) fn here<T>(&self, mut rows: Vec<T>, session: impl Fn(&T) -> &SessionId) -> Vec<T> {
        if let Some(elsewhere) = self.elsewhere.get().filter(|elsewhere| !elsewhere.sessions.is_empty()) {
            rows.retain(|row| !elsewhere.sessions.contains(session(row)));
        }
        rows
    }

    /// Whether a server is served here: whatever is posted there is this process's to post.
    #[must_use]
    pub fn serves(&self, guild: GuildId) -> bool {
        self.elsewhere.get().is_none_or(|elsewhere| !elsewhere.servers.contains(&guild))
    }
}

async fn reader(path: &Path) -> Result<SqliteConnection, StoreError> {
    Ok(SqliteConnection::connect_with(&looking(path)).await?)
}

async fn elsewhere(reader: &mut SqliteConnection, range: ShardRange) -> Result<Vec<Elsewhere>, StoreError> {
    let mut elsewhere = Vec::new();
    for guild in servers(reader).await?.into_iter().filter(|guild| !range.holds(*guild)) {
        let counted = sql!(
            "SELECT count(*) AS sessions, count(*) FILTER (WHERE ended_ms IS NULL) AS open
             FROM session WHERE guild_id = ?1",
            guild
        )
        .fetch_one(&mut *reader)
        .await?;
        let count = |name| counted.get::<i64, _>(name).cast_unsigned();
        let (sessions, open) = (count("sessions"), count("open"));
        elsewhere.push(Elsewhere { guild, shard: range.shard_of(guild), sessions, open });
    }
    Ok(elsewhere)
}

/// Servers with sessions or settings, each found by the one before it in the index, however many sessions there are.
async fn servers(reader: &mut SqliteConnection) -> Result<Vec<GuildId>, StoreError> {
    let servers = sql_scalar!(
        "SELECT guild_id FROM (
             WITH RECURSIVE server (guild_id) AS (
                 SELECT min(guild_id) FROM session
                 UNION ALL SELECT (SELECT min(guild_id) FROM session WHERE guild_id > server.guild_id)
                           FROM server WHERE guild_id IS NOT NULL)
             SELECT guild_id FROM server WHERE guild_id IS NOT NULL
             UNION SELECT guild_id FROM guild_settings)
         ORDER BY guild_id"
    );
    Ok(servers.fetch_all(reader).await?)
}
