//! A batch of pieces of work as one transaction: all of it is kept, or nothing of it is there. Nearly all pieces are kept, so
//! that is tried first; where one is refused, the transaction is done once more with each in a savepoint of its own, so that
//! the refused one leaves no trace and the others stay.

use std::sync::{
    Arc,
    atomic::{AtomicU8, Ordering},
};

use futures::future::BoxFuture;
use sqlx::SqliteConnection;

use super::StoreError;
use crate::statement::{sql, sql_scalar};

/// What became of a piece of work inside a transaction.
pub(super) enum Ran {
    Keep,
    Undo,
    /// The disk did not take it: the whole transaction has to be done again.
    Again(StoreError),
}

/// How a transaction ended that was not refused by the disk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Transacted {
    Committed,
    /// One piece of work of several was refused; nothing is written yet.
    OneRefused,
}

/// Whose a piece of work is at this moment.
#[derive(Default)]
pub(super) struct Turn(AtomicU8);

impl Turn {
    pub(super) const WAITS: u8 = 0;
    pub(super) const BEING_WRITTEN: u8 = 1;
    pub(super) const GIVEN_UP: u8 = 2;

    pub(super) fn moves(&self, from: u8, to: u8) -> bool {
        self.0.compare_exchange(from, to, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }
}

/// Does a piece of work inside a transaction, as often as it has to be.
type Run = Box<dyn for<'c> FnMut(&'c mut SqliteConnection) -> BoxFuture<'c, Ran> + Send>;
/// One piece of work, which may have to be done more than once until its transaction is on the disk.
pub(super) struct Job {
    pub(super) run: Run,
    /// Tells its asker what became of it.
    pub(super) finish: Box<dyn FnOnce(Result<(), StoreError>) + Send>,
    pub(super) turn: Arc<Turn>,
    /// Nobody waits for it: it may wait a moment for others to go with it.
    pub(super) with_next: bool,
}

/// Does a batch in one transaction that begins only while the database is still this process's (`epoch`). The error is the
/// whole transaction's, of which then nothing is there; each piece of work can be done again.
pub(super) async fn transact(
    connection: &mut SqliteConnection,
    epoch: i64,
    batch: &mut [Job],
) -> Result<(), StoreError> {
    let mut outcome = attempt(connection, epoch, batch, false).await;
    if matches!(outcome, Ok(Transacted::OneRefused)) {
        undo(connection, batch).await;
        outcome = attempt(connection, epoch, batch, true).await;
    }
    if outcome.is_err() {
        undo(connection, batch).await;
    }
    outcome.map(|_| ())
}

/// Takes back what was done of a transaction, so that it can be done again.
async fn undo(connection: &mut SqliteConnection, batch: &[Job]) {
    // Ignored: without an open transaction there is nothing to roll back.
    let _ = sql!("ROLLBACK").execute(&mut *connection).await;
    for job in batch {
        job.turn.moves(Turn::BEING_WRITTEN, Turn::WAITS);
    }
}

/// Does a batch in one transaction; `apart`: each piece of work can be refused alone, which costs a way to the
/// database's thread and a copy of each page that it changes.
async fn attempt(
    connection: &mut SqliteConnection,
    epoch: i64,
    batch: &mut [Job],
    apart: bool,
) -> Result<Transacted, StoreError> {
    begin(connection, epoch).await?;
    let alone = batch.len() == 1;
    for job in batch {
        // Given up by whoever asked for it: they were told that it was not done.
        if !job.turn.moves(Turn::WAITS, Turn::BEING_WRITTEN) {
            continue;
        }
        if apart {
            sql!("SAVEPOINT job").execute(&mut *connection).await?;
        }
        let ended = match (job.run)(&mut *connection).await {
            Ran::Keep if apart => "RELEASE job",
            Ran::Keep => continue,
            Ran::Undo if apart => "ROLLBACK TO job; RELEASE job",
            // Nothing is left to be committed, but that it was looked at.
            Ran::Undo if alone => "ROLLBACK; BEGIN IMMEDIATE",
            Ran::Undo => return Ok(Transacted::OneRefused),
            Ran::Again(error) => return Err(error),
        };
        sqlx::query(ended).execute(&mut *connection).await?;
    }
    sql!("COMMIT").execute(connection).await?;
    Ok(Transacted::Committed)
}

/// Begins a transaction, if nobody else has taken the database over.
async fn begin(connection: &mut SqliteConnection, epoch: i64) -> Result<(), StoreError> {
    let begin = sql_scalar!("BEGIN IMMEDIATE; SELECT epoch FROM lease");
    let now: i64 = begin.fetch_one(&mut *connection).await?;
    if now == epoch { Ok(()) } else { Err(StoreError::Superseded) }
}
