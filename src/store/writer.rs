//! The one writer: it takes what has gathered, does it in one transaction, each piece of work in a savepoint
//! of its own, and tells everybody once it is on the disk. Under load some thirty pieces share one fsync.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use futures::{FutureExt, future::BoxFuture};
use sqlx::{Sqlite, SqliteConnection, query::Query, sqlite::SqliteArguments};
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use super::{Store, StoreError};
use crate::error::caught;

/// Most pieces of work in one transaction.
const BATCH: usize = 256;

type Settle = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// Given the open transaction it does its work there; given none it only hands over how to tell its asker.
type Job = Box<dyn for<'c> FnOnce(Option<&'c mut SqliteConnection>) -> BoxFuture<'c, (bool, Settle)> + Send>;

#[derive(Clone)]
pub(super) struct Writer {
    jobs: mpsc::UnboundedSender<Job>,
    commits: Arc<AtomicU64>,
    /// After how many commits it stands still.
    halt: Arc<watch::Sender<u64>>,
    superseded: CancellationToken,
}

impl Writer {
    pub(super) fn start(connection: SqliteConnection, epoch: i64, halt_after: Option<u64>) -> Self {
        let (jobs, queue) = mpsc::unbounded_channel();
        let (halt, halts) = watch::channel(halt_after.unwrap_or(u64::MAX));
        let (halt, superseded) = (Arc::new(halt), CancellationToken::new());
        let writer = Self { jobs, commits: Arc::default(), halt, superseded };
        let (commits, superseded) = (Arc::clone(&writer.commits), writer.superseded.clone());
        tokio::spawn(write_all(connection, queue, epoch, halts, commits, superseded));
        writer
    }

    pub(super) fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }

    pub(super) fn halt_after(&self, commits: u64) {
        self.halt.send_replace(commits);
    }
}

impl Store {
    /// Returns once nothing can be written any more, with the reason: another process has taken the database over,
    /// which is found out by the next write, or the writer's task has broken.
    pub async fn stopped(&self) -> StoreError {
        tokio::select! {
            () = self.writer.superseded.cancelled() => StoreError::Superseded,
            () = self.writer.jobs.closed() => StoreError::Closed,
        }
    }

    /// Does `work` in a transaction; returns once it is on the disk, or has left no trace. Everybody's writes wait
    /// meanwhile, so cards are drawn before.
    pub(super) async fn write<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>> + Send + 'static,
    {
        let (tell, told) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            async move {
                let result = match connection {
                    Some(connection) => caught(work(connection)).await,
                    None => Err(StoreError::Closed),
                };
                let keep = result.is_ok();
                let settle: Settle = Box::new(move |committed| {
                    // The asker may be gone (cancelled); what was written stays written.
                    let _ = tell.send(committed.and(result));
                });
                (keep, settle)
            }
            .boxed()
        });
        self.writer.jobs.send(job).map_err(|_| StoreError::Closed)?;
        told.await.map_err(|_| StoreError::Closed)?
    }

    /// Does one statement as a transaction; gives how many rows it changed.
    pub(super) async fn execute(
        &self,
        statement: Query<'static, Sqlite, SqliteArguments>,
    ) -> Result<u64, StoreError> {
        self.write(move |tx| Box::pin(async move { Ok(statement.execute(tx).await?.rows_affected()) })).await
    }
}

async fn write_all(
    mut connection: SqliteConnection,
    mut queue: mpsc::UnboundedReceiver<Job>,
    epoch: i64,
    mut halts: watch::Receiver<u64>,
    commits: Arc<AtomicU64>,
    superseded: CancellationToken,
) {
    let mut batch = Vec::with_capacity(BATCH);
    while queue.recv_many(&mut batch, BATCH).await > 0 {
        let mut settled = Vec::with_capacity(batch.len());
        let outcome = transact(&mut connection, epoch, batch.drain(..), &mut settled).await;
        if let Err(error) = &outcome {
            tracing::error!(%error, "a transaction failed; nothing of it was kept");
            // Ignored: without an open transaction there is nothing to roll back.
            let _ = sqlx::query("ROLLBACK").execute(&mut connection).await;
            if matches!(error, StoreError::Superseded) {
                superseded.cancel();
            }
        }
        if outcome.is_ok() {
            let made = commits.fetch_add(1, Ordering::Relaxed) + 1;
            // An error: nobody is left who could let it go on, or be told.
            if halts.wait_for(|most| made < *most).await.is_err() {
                return;
            }
        }
        for settle in settled {
            settle(match &outcome {
                Ok(()) => Ok(()),
                Err(StoreError::Superseded) => Err(StoreError::Superseded),
                Err(error) => Err(StoreError::Failed(error.to_string())),
            });
        }
    }
}

async fn transact(
    connection: &mut SqliteConnection,
    epoch: i64,
    batch: impl Iterator<Item = Job>,
    settled: &mut Vec<Settle>,
) -> Result<(), StoreError> {
    let mut outcome = begin(connection, epoch).await;
    // The end of one savepoint and the beginning of the next are one way to the database's thread.
    let mut savepoint = "SAVEPOINT job";
    for job in batch {
        if outcome.is_ok() {
            outcome = one(connection, savepoint, job, settled).await;
            savepoint = "RELEASE job; SAVEPOINT job";
        } else {
            settled.push(job(None).await.1);
        }
    }
    outcome?;
    // It takes the last savepoint with it.
    sqlx::query("COMMIT").execute(connection).await?;
    Ok(())
}

async fn begin(connection: &mut SqliteConnection, epoch: i64) -> Result<(), StoreError> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    let now: i64 = sqlx::query_scalar("SELECT epoch FROM lease").fetch_one(&mut *connection).await?;
    if now == epoch { Ok(()) } else { Err(StoreError::Superseded) }
}

async fn one(
    connection: &mut SqliteConnection,
    savepoint: &'static str,
    job: Job,
    settled: &mut Vec<Settle>,
) -> Result<(), StoreError> {
    let opened = sqlx::query(savepoint).execute(&mut *connection).await;
    if let Err(error) = opened {
        settled.push(job(None).await.1);
        return Err(error.into());
    }
    let (keep, settle) = job(Some(&mut *connection)).await;
    settled.push(settle);
    if !keep {
        sqlx::query("ROLLBACK TO job").execute(&mut *connection).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        domain::SessionId,
        store::{Inbound, StoreOptions, inbound},
    };

    fn event(id: u64) -> Inbound {
        Inbound { id, kind: "test", session: None::<SessionId>, effect: String::new() }
    }

    #[tokio::test]
    async fn a_piece_of_work_that_panics_is_refused_alone() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&dir.path().join("q.db"), StoreOptions::default(), 0).await.unwrap();
        let good =
            |n| store.write(move |tx| Box::pin(async move { inbound::record(tx, &event(n), 0).await }));
        let bad = store.write::<(), _>(|tx| {
            Box::pin(async move {
                inbound::record(tx, &event(2), 0).await?;
                panic!("in the midst of its work")
            })
        });
        let (before, bad, after) = tokio::join!(good(1), bad, good(3));
        assert!(before.is_ok() && after.is_ok());
        assert!(matches!(bad, Err(StoreError::Panicked(_))));
        good(2).await.unwrap(); // nothing of the one that panicked was kept
    }

    #[tokio::test]
    async fn the_end_of_the_writer_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&dir.path().join("q.db"), StoreOptions::default(), 0).await.unwrap();
        assert!(store.stopped().now_or_never().is_none());
        assert!(store.writer.jobs.send(Box::new(|_| panic!("beyond what is caught"))).is_ok());
        assert!(matches!(store.stopped().await, StoreError::Closed));
        let refused =
            store.write(|tx| Box::pin(async move { inbound::record(tx, &event(1), 0).await })).await;
        assert!(matches!(refused, Err(StoreError::Closed)));
    }
}
