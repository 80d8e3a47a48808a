//! Moves a server from one file to another, for when ranges of shards are cut anew: `quorum move`.
//!
//! Invariant: at no instant could a bot run the server from both files, wherever the move is killed, and nothing of it is in
//! neither. Both files are taken over first, so no bot has either. Then there are three transactions: the server is copied to
//! the new file with a row that says that it arrives, and with such a row no bot opens that file; it is deleted from the old
//! one, with a row that says that it left; and the new file's row says that it has arrived. A move that was cut off is begun
//! again: what has arrived only by half was never used, so it is made anew as long as the old file has the server.
//! Called by `app`.

mod copying;
mod error;
mod tables;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use sqlx::{Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};

pub use self::error::MoveError;
use super::{OpenError, Standing, Store, StoreError, StoreOptions};
use crate::domain::{GuildId, SessionId};

/// What was moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moved {
    /// A server, just now.
    Whole {
        /// Its sessions.
        sessions: u64,
        /// All rows of it, its sessions among them.
        rows: u64,
    },
    /// An earlier move had been cut off before its last step, which was done.
    Finished,
    /// It had been moved from this file to that one before.
    Before,
}

/// A move between two files that were taken over for it.
pub struct Move {
    guild: GuildId,
    from: Side,
    to: Side,
    at_ms: i64,
}

/// One of the two files.
struct Side {
    path: PathBuf,
    /// Keeps everybody else out.
    store: Store,
}

/// What a file says of a move of the server.
struct Told {
    state: String,
    mark: String,
    file: String,
}

/// What the two files say before anything is done.
enum Found {
    /// The old file has the server; whether the new one has part of a copy.
    ToCopy {
        half: bool,
    },
    /// It has left the old file; the new one does not say yet that it arrived.
    ToFinish,
    Done,
}

impl Move {
    /// Takes both files over, after a look at each that changes nothing.
    pub async fn between(guild: GuildId, from: &Path, to: &Path, at_ms: i64) -> Result<Self, MoveError> {
        let (from, to) = (there(from)?, there(to)?);
        if from == to || one_file(&from, &to) {
            return Err(MoveError::SameFile(from));
        }
        for path in [&from, &to] {
            match Store::standing(path).await {
                Ok(Standing::InUse) => return Err(MoveError::InUse(path.clone())),
                // This move may be there to finish what was cut off.
                Ok(_) | Err(OpenError::Arriving { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let from = Side::take(from, at_ms).await?;
        let to = Side::take(to, at_ms).await?;
        Ok(Self { guild, from, to, at_ms })
    }

    /// Moves it, or goes on where an earlier move was cut off.
    pub async fn run(&self) -> Result<Moved, MoveError> {
        match self.found().await? {
            Found::Done => Ok(Moved::Before),
            Found::ToFinish => {
                self.arrive().await?;
                self.close().await?;
                Ok(Moved::Finished)
            }
            Found::ToCopy { half } => {
                let (sessions, rows) = self.copy_over(half).await?;
                self.leave().await?;
                self.arrive().await?;
                self.close().await?;
                Ok(Moved::Whole { sessions, rows })
            }
        }
    }

    /// For tests of recovery: the first of its steps, as many as these, as if it was killed then.
    pub async fn run_steps(&self, steps: u8) -> Result<(), MoveError> {
        let half = matches!(self.found().await?, Found::ToCopy { half: true });
        if steps > 0 {
            self.copy_over(half).await?;
        }
        if steps > 1 {
            self.leave().await?;
        }
        Ok(())
    }

    async fn found(&self) -> Result<Found, MoveError> {
        let (mut old, mut new) = (self.from.connect().await?, self.to.connect().await?);
        let (left, arrives) = (told(&mut old, self.guild).await?, told(&mut new, self.guild).await?);
        if let Some(mark) = left.as_ref().filter(|mark| mark.state == "arriving") {
            return Err(self.unfinished(&self.from, mark));
        }
        let half = arrives.as_ref().is_some_and(|mark| mark.state == "arriving");
        if copying::held(&mut old, self.guild).await?.is_some() {
            let running: Vec<SessionId> =
                sqlx::query_scalar("SELECT id FROM session WHERE guild_id = ?1 AND state = 'running'")
                    .bind(self.guild)
                    .fetch_all(&mut old)
                    .await
                    .map_err(StoreError::from)?;
            if !running.is_empty() {
                return Err(MoveError::Running { file: self.from.path.clone(), sessions: running });
            }
            if !half && let Some(table) = copying::held(&mut new, self.guild).await? {
                let file = self.to.path.clone();
                return Err(MoveError::There { guild: self.guild, file, table });
            }
            return Ok(Found::ToCopy { half });
        }
        match (left, arrives) {
            (Some(left), Some(here)) if left.state == "left" && left.mark == here.mark => {
                Ok(if half { Found::ToFinish } else { Found::Done })
            }
            (_, Some(mark)) if half => Err(self.unfinished(&self.to, &mark)),
            _ => Err(MoveError::NotThere { guild: self.guild, file: self.from.path.clone() }),
        }
    }

    fn unfinished(&self, side: &Side, told: &Told) -> MoveError {
        MoveError::Unfinished { guild: self.guild, file: side.path.clone(), from: told.file.clone() }
    }

    /// The first step: everything stands in the new file, where nobody uses it yet. Gives how many sessions and rows.
    async fn copy_over(&self, half: bool) -> Result<(u64, u64), MoveError> {
        let mut new = self.to.connect().await?;
        attach(&mut new, &self.from.path).await?;
        begin(&mut new, &[("main", &self.to.store), ("old", &self.from.store)]).await?;
        if half {
            copying::delete(&mut new, self.guild).await?;
        }
        let rows = copying::copy(&mut new, self.guild).await?;
        let said: i64 = sqlx::query_scalar(
            "INSERT INTO main.moved (guild_id, state, mark, file, at_ms)
             VALUES (?1, 'arriving', lower(hex(randomblob(16))), ?2, ?3)
             ON CONFLICT (guild_id) DO UPDATE SET
                 state = excluded.state, mark = excluded.mark, file = excluded.file, at_ms = excluded.at_ms
             RETURNING (SELECT count(*) FROM main.session WHERE guild_id = ?1)",
        )
        .bind(self.guild)
        .bind(self.from.path.to_string_lossy().into_owned())
        .bind(self.at_ms)
        .fetch_one(&mut new)
        .await
        .map_err(StoreError::from)?;
        end(new).await?;
        Ok((said.unsigned_abs(), rows))
    }

    /// The second step: the old file has it no more.
    async fn leave(&self) -> Result<(), MoveError> {
        let arrives = told(&mut self.to.connect().await?, self.guild).await?;
        let arrives = arrives.ok_or(StoreError::Missing("move"))?;
        let mut old = self.from.connect().await?;
        begin(&mut old, &[("main", &self.from.store)]).await?;
        copying::delete(&mut old, self.guild).await?;
        sqlx::query("INSERT OR REPLACE INTO moved (guild_id, state, mark, file, at_ms) VALUES (?1, 'left', ?2, ?3, ?4)")
            .bind(self.guild)
            .bind(arrives.mark)
            .bind(self.to.path.to_string_lossy().into_owned())
            .bind(self.at_ms)
            .execute(&mut old)
            .await
            .map_err(StoreError::from)?;
        end(old).await
    }

    /// The last step: bots may use the new file.
    async fn arrive(&self) -> Result<(), MoveError> {
        let mut new = self.to.connect().await?;
        begin(&mut new, &[("main", &self.to.store)]).await?;
        sqlx::query("UPDATE moved SET state = 'arrived' WHERE guild_id = ?1")
            .bind(self.guild)
            .execute(&mut new)
            .await
            .map_err(StoreError::from)?;
        end(new).await
    }

    /// Empties the logs beside both files: what was deleted still stands in the old one's.
    async fn close(&self) -> Result<(), StoreError> {
        self.from.store.empty_log().await?;
        self.to.store.empty_log().await
    }
}

impl Side {
    async fn take(path: PathBuf, at_ms: i64) -> Result<Self, MoveError> {
        match Store::open_unfinished(&path, StoreOptions::default(), at_ms).await {
            Ok(store) => Ok(Self { path, store }),
            Err(OpenError::InUse(path)) => Err(MoveError::InUse(path)),
            Err(error) => Err(error.into()),
        }
    }

    /// A connection of the move's own; what it deletes is overwritten, and what it commits is on the disk.
    async fn connect(&self) -> Result<SqliteConnection, StoreError> {
        let connect = SqliteConnectOptions::new()
            .filename(&self.path)
            .create_if_missing(false)
            .foreign_keys(true)
            .synchronous(sqlx::sqlite::SqliteSynchronous::Full)
            .pragma("secure_delete", "ON")
            .busy_timeout(Duration::from_secs(5));
        Ok(SqliteConnection::connect_with(&connect).await?)
    }
}

/// The whole path of a file that has to be there.
fn there(path: &Path) -> Result<PathBuf, MoveError> {
    match path.canonicalize() {
        Ok(path) if path.is_file() => Ok(path),
        _ => Err(MoveError::Missing(path.to_owned())),
    }
}

/// Whether two paths are two names of one file.
#[cfg(unix)]
fn one_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    let of = |path: &Path| path.metadata().ok().map(|file| (file.dev(), file.ino()));
    of(one).is_some() && of(one) == of(other)
}

#[cfg(not(unix))]
fn one_file(_: &Path, _: &Path) -> bool {
    false
}

async fn attach(connection: &mut SqliteConnection, path: &Path) -> Result<(), StoreError> {
    sqlx::query("ATTACH ?1 AS old").bind(path.to_string_lossy().into_owned()).execute(connection).await?;
    Ok(())
}

/// Begins a transaction on all files of a connection, if nobody has taken one of them over.
async fn begin(connection: &mut SqliteConnection, files: &[(&str, &Store)]) -> Result<(), StoreError> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    for (file, store) in files {
        let epoch = sqlx::AssertSqlSafe(format!("SELECT epoch FROM {file}.lease"));
        let now: i64 = sqlx::query_scalar(epoch).fetch_one(&mut *connection).await?;
        if now != store.epoch() {
            return Err(StoreError::Superseded);
        }
    }
    Ok(())
}

/// Ends a transaction; once this is back, it is on the disk.
async fn end(mut connection: SqliteConnection) -> Result<(), MoveError> {
    sqlx::query("COMMIT").execute(&mut connection).await.map_err(StoreError::from)?;
    connection.close().await.map_err(StoreError::from)?;
    Ok(())
}

async fn told(connection: &mut SqliteConnection, guild: GuildId) -> Result<Option<Told>, StoreError> {
    let row: Option<(String, String, String)> =
        sqlx::query_as("SELECT state, mark, file FROM moved WHERE guild_id = ?1")
            .bind(guild)
            .fetch_optional(connection)
            .await?;
    Ok(row.map(|(state, mark, file)| Told { state, mark, file }))
}
