//! The connections that read. Each is behind a lock of its own, and a read has it until its rows are there.
//!
//! A pool asks each connection that is given back whether it still lives, which costs a way to the database's thread and
//! back, as much as the read itself. That is for servers at the end of a network; a file that is open stays open. A read
//! that is dropped on its way leaves nothing behind either: sqlx takes its statement back as soon as nobody hears its rows.
//!
//! Invariant: whoever reads holds one connection at most, so that nobody waits for themselves.

use std::sync::Arc;

use futures::{
    FutureExt as _, StreamExt as _,
    future::{self, BoxFuture},
    stream::{self, BoxStream},
};
use sqlx::{
    Connection as _, Either, Execute, Executor, SqlStr, Sqlite, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteQueryResult, SqliteRow, SqliteStatement, SqliteTypeInfo},
};
use tokio::sync::{Mutex, MutexGuard};

/// How many read at once; on a file more only wait for the same disk.
const READERS: usize = 3;

/// Cheap to clone. Anything that sqlx can read with can be read with `&Readers`.
#[derive(Clone, Debug)]
pub(super) struct Readers(Arc<[Mutex<SqliteConnection>]>);

impl Readers {
    pub(super) async fn open(connect: &SqliteConnectOptions) -> Result<Self, sqlx::Error> {
        let mut opened = Vec::with_capacity(READERS);
        for _ in 0..READERS {
            opened.push(Mutex::new(SqliteConnection::connect_with(connect).await?));
        }
        Ok(Self(opened.into()))
    }

    /// One of them, for several reads that see the same; waits for one if all are in use.
    pub(super) async fn one(&self) -> MutexGuard<'_, SqliteConnection> {
        if let Some(free) = self.0.iter().find_map(|reader| reader.try_lock().ok()) {
            return free;
        }
        let mut waiting = Vec::with_capacity(READERS);
        for reader in &*self.0 {
            waiting.push(reader.lock().boxed());
        }
        future::select_all(waiting).await.0
    }
}

type Read = Result<Either<SqliteQueryResult, SqliteRow>, sqlx::Error>;

impl<'c> Executor<'c> for &'c Readers {
    type Database = Sqlite;

    fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> BoxStream<'e, Read>
    where
        'c: 'e,
        E: 'q + Execute<'q, Sqlite>,
    {
        let all = async move { self.one().await.fetch_many(query).collect::<Vec<Read>>().await };
        stream::once(all).flat_map(stream::iter).boxed()
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<Option<SqliteRow>, sqlx::Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Sqlite>,
    {
        async move { self.one().await.fetch_optional(query).await }.boxed()
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [SqliteTypeInfo],
    ) -> BoxFuture<'e, Result<SqliteStatement, sqlx::Error>>
    where
        'c: 'e,
    {
        async move { self.one().await.prepare_with(sql, parameters).await }.boxed()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    async fn opened() -> (tempfile::TempDir, Readers) {
        let folder = tempfile::tempdir().unwrap();
        let connect =
            SqliteConnectOptions::new().filename(folder.path().join("a.db")).create_if_missing(true);
        let mut writer = SqliteConnection::connect_with(&connect).await.unwrap();
        let many = "CREATE TABLE word (n INTEGER PRIMARY KEY);
                    WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT 5000)
                    INSERT INTO word SELECT n FROM n;";
        sqlx::raw_sql(many).execute(&mut writer).await.unwrap();
        (folder, Readers::open(&connect.read_only(true)).await.unwrap())
    }

    async fn count(readers: &Readers) -> i64 {
        sqlx::query_scalar("SELECT count(*) FROM word").fetch_one(readers).await.unwrap()
    }

    #[tokio::test]
    async fn many_read_at_once_and_whoever_comes_when_all_are_in_use_waits_for_one() {
        let (_folder, readers) = opened().await;
        let counts = future::join_all((0..50).map(|_| count(&readers))).await;
        assert!(counts.iter().all(|counted| *counted == 5_000), "{counts:?}");
        let all = future::join_all((0..READERS).map(|_| readers.one())).await;
        let soon = Duration::from_millis(50);
        assert!(tokio::time::timeout(soon, count(&readers)).await.is_err(), "all are in use");
        drop(all);
        assert_eq!(count(&readers).await, 5_000);
    }

    #[tokio::test]
    async fn a_read_that_is_dropped_on_its_way_leaves_its_connection_as_it_was() {
        let (_folder, readers) = opened().await;
        for _ in 0..20 * READERS {
            let all = sqlx::query("SELECT a.n FROM word a, word b").fetch_all(&readers);
            let given_up = tokio::time::timeout(Duration::from_millis(1), all).await;
            assert!(given_up.is_err(), "it was over too soon to be dropped");
            assert!(readers.one().await.begin().await.is_ok(), "nothing is open on it");
        }
        assert_eq!(count(&readers).await, 5_000);
    }
}
