//! Whether the file is sound. It is looked at before it is used, for a damaged file gets worse with each write.

use std::path::{Path, PathBuf};

use sqlx::SqliteExecutor;
use tokio_util::sync::CancellationToken;

use super::{OpenError, opening, readers::Readers};
use crate::statement::sql_scalar;

/// Largest file, in bytes, that a start reads whole before it uses it (some 50 ms). A larger one is read beside the work,
/// and the process stops if it is damaged: `quick_check` reads every page.
const READ_AT_START: u64 = 16 << 20;

/// Whether a file is read before it is used; its size is what that costs.
pub(super) fn is_read_at_start(path: &Path) -> bool {
    path.metadata().map_or(0, |file| file.len()) <= READ_AT_START
}

/// Refuses a damaged file, with what to do. `problem` is what `SQLite` found first.
pub(super) async fn check(reader: impl SqliteExecutor<'_>, path: &Path) -> Result<(), OpenError> {
    let found: String = sql_scalar!("PRAGMA quick_check(1)")
        .fetch_one(reader)
        .await
        .map_err(|error| opening(path, &error))?;
    match found.as_str() {
        "ok" => Ok(()),
        _ => Err(OpenError::Damaged { path: path.to_owned(), problem: found.replace('\n', ": ") }),
    }
}

/// Checks a large file while it is used; `damaged` is cancelled if it is.
pub(super) fn check_beside(readers: Readers, path: PathBuf, damaged: CancellationToken) {
    tokio::spawn(async move {
        if let Err(error) = check(&readers, &path).await {
            tracing::error!(%error, "the database is damaged");
            if matches!(error, OpenError::Damaged { .. }) {
                damaged.cancel();
            }
        }
    });
}
