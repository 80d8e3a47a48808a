//! Whose the database is: one process of a machine has its lock, and of all processes that ever opened it the last one has
//! its epoch, under which alone it is written (`transaction`). The lock keeps a second process out at once; the epoch holds
//! where no lock is seen, on another machine.

use std::{fs::File, path::Path, time::Duration};

use sqlx::SqliteConnection;

use super::{OpenError, Store, beside};
use crate::statement::sql_scalar;

/// How long it is looked whose the database is while a person waits for a first answer, which Discord takes for three
/// seconds.
const LOOKS: Duration = Duration::from_millis(300);

/// Keeps a second process of this machine out; the system gives the lock back however this process ends.
pub(super) fn lock(path: &Path) -> Result<File, OpenError> {
    let unwritable =
        |error: std::io::Error| OpenError::Unwritable { path: path.to_owned(), problem: error.to_string() };
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(beside(path, ".lock"))
        .map_err(unwritable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => Err(OpenError::InUse(path.to_owned())),
        Err(std::fs::TryLockError::Error(error)) => Err(unwritable(error)),
    }
}

/// Takes the database over; gives the epoch that it is written under from here on.
pub(super) async fn take(writer: &mut SqliteConnection, now_ms: i64) -> Result<i64, sqlx::Error> {
    sql_scalar!(
        "INSERT INTO lease (name, epoch, since_ms) VALUES ('writer', 1, ?1)
         ON CONFLICT (name) DO UPDATE SET epoch = epoch + 1, since_ms = ?1 RETURNING epoch",
        now_ms
    )
    .fetch_one(writer)
    .await
}

impl Store {
    /// Whether another process has taken the database over. Asked before a first answer is given: what this process
    /// answers, the other one takes for done, and here nothing can be written any more. A database that cannot be read at
    /// once counts as ours.
    pub async fn is_taken_over(&self) -> bool {
        let epoch = sqlx::query_scalar::<_, i64>("SELECT epoch FROM lease").fetch_one(&self.readers);
        let taken = matches!(tokio::time::timeout(LOOKS, epoch).await, Ok(Ok(now)) if now != self.epoch);
        if taken {
            self.writer.give_up();
        }
        taken
    }
}
