//! The version of the tables: a file of an earlier one is brought up to date when it is opened, one of a later one is left
//! alone, to the last byte. All that is missing is done in one transaction, so that a start that is cut off leaves the file
//! as the version before made it, and a new file costs one commit.

use std::path::Path;

use sqlx::{Connection as _, SqliteConnection, migrate::MigrateError};

use super::{OpenError, is_locked, opening};

/// Refuses a file of a version that this program does not know, or of another program, before anything in it is changed.
pub(super) async fn refuse_unknown(writer: &mut SqliteConnection, path: &Path) -> Result<(), OpenError> {
    let refused = |error: sqlx::Error| opening(path, &error);
    let tables = sqlx::query_scalar("SELECT name FROM sqlite_schema WHERE type = 'table'");
    let tables: Vec<String> = tables.fetch_all(&mut *writer).await.map_err(refused)?;
    if !tables.iter().any(|table| table == "_sqlx_migrations") {
        return if tables.is_empty() { Ok(()) } else { Err(OpenError::foreign(path)) };
    }
    let versions = sqlx::query_scalar("SELECT version FROM _sqlx_migrations");
    let versions: Vec<i64> = versions.fetch_all(writer).await.map_err(refused)?;
    let known = sqlx::migrate!();
    if versions.iter().all(|version| known.version_exists(*version)) {
        Ok(())
    } else {
        Err(OpenError::Newer(path.to_owned()))
    }
}

/// Brings a file up to date.
pub(super) async fn bring_up_to_date(writer: &mut SqliteConnection, path: &Path) -> Result<(), OpenError> {
    let refused = |error: sqlx::Error| opening(path, &error);
    let mut whole = writer.begin_with("BEGIN IMMEDIATE").await.map_err(refused)?;
    // `run` does not compile here (rust-lang/rust#110338: its bound on `Acquire` is taken for all lifetimes); this is what it
    // calls. `None`: up to the last one; `false`: they are done, and not only noted.
    let migrated = sqlx::migrate!().run_direct(None, &mut *whole, false).await;
    migrated.map_err(|error| match error {
        MigrateError::VersionMissing(_) | MigrateError::VersionTooNew(..) => {
            OpenError::Newer(path.to_owned())
        }
        MigrateError::Execute(error) => opening(path, &error),
        MigrateError::ExecuteMigration(error, _) if is_locked(&error) => opening(path, &error),
        other => OpenError::Damaged { path: path.to_owned(), problem: other.to_string() },
    })?;
    whole.commit().await.map_err(refused)
}
