//! The one writer: it takes what has gathered, does it in one transaction, and tells everybody once it is on the disk.
//! Under load some thirty pieces of work share one fsync.
//!
//! A disk that takes nothing for a while (a lock from outside, no room, an I/O error) loses nothing: the same
//! transaction is tried again until it is written. What a person waits for is given up earlier, and then is not
//! written later either: who is told that nothing was changed must be able to rely on it.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use futures::{FutureExt as _, future::BoxFuture};
use sqlx::{Execute as _, Sqlite, SqliteConnection, query::Query, sqlite::SqliteArguments};
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use super::{
    Store, StoreError,
    timing::Timing,
    transaction::{Job, Ran, Turn, transact},
};
use crate::caught::caught;

/// Most pieces of work in one transaction.
const BATCH: usize = 256;
/// How soon a transaction that the disk did not take is tried again, at first and at last.
const TRY_AGAIN: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));
/// How long it is tried.
const LONGEST: Duration = Duration::from_hours(12);
/// How long what can wait is held for others to go with it: less than a request to Discord takes.
const GATHERED: Duration = Duration::from_millis(15);
/// How long a person waits for the disk: Discord takes an answer for a quarter of an hour, people do not.
const PATIENCE: Duration = Duration::from_secs(8);
/// How often it is looked whether a piece of work that is being written can be given up after all.
const LOOKS_AGAIN: Duration = Duration::from_millis(100);

/// How soon a piece of work is to be done.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Haste {
    /// At once, and given up after some seconds: a person waits.
    Person,
    /// At once.
    Now,
    /// With what comes next.
    WithNext,
}

/// Where an asker hears what became of their work.
type Outcome<T> = oneshot::Receiver<Result<T, StoreError>>;

/// Work that was handed over and may not be on the disk yet.
pub struct Ahead<T>(Outcome<T>);

impl<T> Ahead<T> {
    /// Returns once it is on the disk, or has left no trace.
    pub async fn written(self) -> Result<T, StoreError> {
        self.0.await.map_err(|_| StoreError::Closed)?
    }
}

impl<T> Ahead<T> {
    /// For tests: work of which this is known already.
    pub fn told(outcome: Result<T, StoreError>) -> Self {
        let (tell, told) = oneshot::channel();
        let _ = tell.send(outcome);
        Self(told)
    }
}

#[derive(Clone)]
pub(super) struct Writer {
    jobs: mpsc::UnboundedSender<Job>,
    commits: Arc<AtomicU64>,
    /// After how many commits it stands still.
    halt: Arc<watch::Sender<u64>>,
    superseded: CancellationToken,
    /// Whether something waits for the disk.
    waiting: Arc<watch::Sender<bool>>,
    timing: Arc<Timing>,
}

impl Writer {
    /// Starts it; the error is the system's, which gives no thread.
    pub(super) fn start(
        connection: SqliteConnection,
        epoch: i64,
        halt_after: Option<u64>,
    ) -> std::io::Result<Self> {
        let (jobs, queue) = mpsc::unbounded_channel();
        let (halt, halts) = watch::channel(halt_after.unwrap_or(u64::MAX));
        let (halt, superseded) = (Arc::new(halt), CancellationToken::new());
        let waiting = Arc::new(watch::channel(false).0);
        let (commits, timing) = (Arc::default(), Arc::default());
        let writer = Self { jobs, commits, halt, superseded, waiting, timing };
        let told = writer.told();
        // A thread of its own: each statement is a way to the database's thread and back, and among the tasks of the
        // others the way back would wait for all that are ready, statement by statement.
        let own = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
        std::thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || own.block_on(write_all(connection, queue, epoch, halts, told)))?;
        Ok(writer)
    }

    /// What its task tells everybody; not the sender of jobs, for its task ends with the last of those.
    fn told(&self) -> Told {
        Told {
            commits: Arc::clone(&self.commits),
            superseded: self.superseded.clone(),
            waiting: Arc::clone(&self.waiting),
            timing: Arc::clone(&self.timing),
        }
    }

    /// Tells everybody that the database is another process's.
    pub(super) fn give_up(&self) {
        self.superseded.cancel();
    }

    pub(super) fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }

    pub(super) fn timing(&self) -> &Timing {
        &self.timing
    }

    pub(super) fn halt_after(&self, commits: u64) {
        self.halt.send_replace(commits);
    }
}

struct Told {
    commits: Arc<AtomicU64>,
    superseded: CancellationToken,
    waiting: Arc<watch::Sender<bool>>,
    timing: Arc<Timing>,
}

impl Store {
    /// Returns once nothing can be written any more, with the reason: another process has taken the database over,
    /// which is found out by the next write, the file is damaged, or the writer's task has broken.
    pub async fn stopped(&self) -> StoreError {
        tokio::select! {
            () = self.writer.superseded.cancelled() => StoreError::Superseded,
            () = self.damaged.cancelled() => StoreError::Damaged,
            () = self.writer.jobs.closed() => StoreError::Closed,
        }
    }

    /// Whether something waits for the disk at this moment; tells of each change.
    #[must_use]
    pub fn waits_for_disk(&self) -> watch::Receiver<bool> {
        self.writer.waiting.subscribe()
    }

    /// Does `work` in a transaction; returns once it is on the disk, or has left no trace. Everybody's writes wait
    /// meanwhile, so cards are drawn before. It is tried for hours while the disk takes nothing.
    pub(super) async fn write<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>>
            + Clone
            + Send
            + 'static,
    {
        self.write_in(Haste::Now, work).await
    }

    /// Like [`Store::write`] for what nobody waits for: it goes with what comes next, or after [`GATHERED`] alone, so that
    /// it keeps no step waiting for a commit of its own.
    pub(super) async fn write_with_next<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>>
            + Clone
            + Send
            + 'static,
    {
        self.write_in(Haste::WithNext, work).await
    }

    /// Hands `work` over, to be done before whatever is handed over later: by the time that is on the disk, this is
    /// there too, or was refused.
    pub(super) fn write_ahead<T, W>(&self, work: W) -> Result<Ahead<T>, StoreError>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>>
            + Clone
            + Send
            + 'static,
    {
        self.hand_over(Haste::WithNext, work).map(|(_, told)| Ahead(told))
    }

    /// Like [`Store::write`] for what a person waits for: given up after some seconds with [`StoreError::Disk`] while
    /// the disk takes nothing, and then it will not be written later.
    pub(super) async fn write_soon<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>>
            + Clone
            + Send
            + 'static,
    {
        self.write_in(Haste::Person, work).await
    }

    /// Like [`Store::write`], or [`Store::write_soon`] where a person waits.
    pub(super) async fn write_in<T, W>(&self, haste: Haste, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>>
            + Clone
            + Send
            + 'static,
    {
        let (turn, mut told) = self.hand_over(haste, work)?;
        if haste != Haste::Person {
            return told.await.map_err(|_| StoreError::Closed)?;
        }
        let mut patience = PATIENCE;
        loop {
            match tokio::time::timeout(patience, &mut told).await {
                Ok(told) => return told.map_err(|_| StoreError::Closed)?,
                Err(_) if !*self.writer.waiting.borrow() => patience = LOOKS_AGAIN,
                Err(_) if turn.moves(Turn::WAITS, Turn::GIVEN_UP) => {
                    return Err(StoreError::Disk("it is locked, full or broken".to_owned()));
                }
                // Being written at this moment.
                Err(_) => patience = LOOKS_AGAIN,
            }
        }
    }

    fn hand_over<T, W>(&self, haste: Haste, work: W) -> Result<(Arc<Turn>, Outcome<T>), StoreError>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>>
            + Clone
            + Send
            + 'static,
    {
        let (tell, told) = oneshot::channel();
        let turn = Arc::new(Turn::default());
        let came_to: Arc<Mutex<Option<Result<T, StoreError>>>> = Arc::default();
        let result = Arc::clone(&came_to);
        let job = Job {
            run: Box::new(move |connection| {
                let (work, result) = (work.clone(), Arc::clone(&result));
                async move {
                    let done = caught(work(connection)).await;
                    let ran = match &done {
                        Ok(_) => Ran::Keep,
                        Err(StoreError::Disk(problem)) => Ran::Again(StoreError::Disk(problem.clone())),
                        Err(_) => Ran::Undo,
                    };
                    *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
                    ran
                }
                .boxed()
            }),
            finish: Box::new(move |committed| {
                let done = came_to.lock().unwrap_or_else(PoisonError::into_inner).take();
                // The asker may be gone (cancelled); what was written stays written.
                let _ = tell.send(committed.and_then(|()| done.unwrap_or(Err(StoreError::Closed))));
            }),
            turn: Arc::clone(&turn),
            with_next: haste == Haste::WithNext,
        };
        self.writer.timing.queued.fetch_add(1, Ordering::Relaxed);
        self.writer.jobs.send(job).map_err(|_| StoreError::Closed)?;
        Ok((turn, told))
    }

    /// Does one statement as a transaction; gives how many rows it changed.
    pub(super) async fn execute(
        &self,
        mut statement: Query<'static, Sqlite, SqliteArguments>,
    ) -> Result<u64, StoreError> {
        let arguments = statement.take_arguments().map_err(sqlx::Error::Encode)?.unwrap_or_default();
        let sql = statement.sql();
        self.write(move |tx| {
            Box::pin(async move { Ok(sqlx::query_with(sql, arguments).execute(tx).await?.rows_affected()) })
        })
        .await
    }
}

/// Takes what has gathered; where all of it can wait, what comes in the next moment too. `false`: nobody is left.
async fn gather(queue: &mut mpsc::UnboundedReceiver<Job>, batch: &mut Vec<Job>) -> bool {
    if queue.recv_many(batch, BATCH).await == 0 {
        return false;
    }
    let until = tokio::time::Instant::now() + GATHERED;
    while batch.len() < BATCH && batch.iter().all(|job| job.with_next) {
        let more = queue.recv_many(batch, BATCH - batch.len());
        // Too late, or nobody is left: what is there is written.
        if !tokio::time::timeout_at(until, more).await.is_ok_and(|more| more > 0) {
            break;
        }
    }
    true
}

async fn write_all(
    mut connection: SqliteConnection,
    mut queue: mpsc::UnboundedReceiver<Job>,
    epoch: i64,
    mut halts: watch::Receiver<u64>,
    told: Told,
) {
    let mut batch = Vec::with_capacity(BATCH);
    while gather(&mut queue, &mut batch).await {
        // An error here or below: nobody is left who could let it go on, or be told.
        if halts.wait_for(|most| told.commits.load(Ordering::Relaxed) < *most).await.is_err() {
            return;
        }
        let begun = Instant::now();
        let outcome = until_written(&mut connection, epoch, &mut batch, &told).await;
        if let Err(error) = &outcome {
            tracing::error!(%error, "a transaction failed; nothing of it was kept");
            if matches!(error, StoreError::Superseded) {
                told.superseded.cancel();
            }
        }
        if outcome.is_ok() {
            told.timing.committed(begun.elapsed());
            let made = told.commits.fetch_add(1, Ordering::Relaxed) + 1;
            if halts.wait_for(|most| made < *most).await.is_err() {
                return;
            }
        }
        told.timing.queued.fetch_sub(batch.len() as u64, Ordering::Relaxed);
        for job in batch.drain(..) {
            (job.finish)(outcome.as_ref().copied().map_err(StoreError::again));
        }
    }
}

/// Does the transaction until the disk has taken it, or will not.
async fn until_written(
    connection: &mut SqliteConnection,
    epoch: i64,
    batch: &mut [Job],
    told: &Told,
) -> Result<(), StoreError> {
    let (begun, mut pause) = (Instant::now(), TRY_AGAIN.0);
    loop {
        match transact(connection, epoch, batch).await {
            Err(StoreError::Disk(problem)) if begun.elapsed() < LONGEST => {
                if told.waiting.send_if_modified(|waiting| !std::mem::replace(waiting, true)) {
                    tracing::error!(
                        problem,
                        "the database cannot be written; waiting for the disk, and nothing is lost meanwhile"
                    );
                }
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(TRY_AGAIN.1);
            }
            outcome => {
                // Told only when it has changed: every live card looks at the database then.
                if told.waiting.send_if_modified(|waiting| std::mem::replace(waiting, false)) {
                    tracing::warn!(waited = ?begun.elapsed(), "the database can be written again");
                }
                return outcome;
            }
        }
    }
}

#[cfg(test)]
mod tests;
