//! The version of the tables: a file of an earlier one is brought up to date when it is opened, one of a later one is left
//! alone, to the last byte. All that is missing is done in one transaction, so that a start that is cut off leaves the file
//! as the version before made it, and a new file costs one commit.

use std::path::Path;

use sqlx::{
    Connection as _, SqlStr, SqliteConnection,
    migrate::{MigrateError, Migration, MigrationType, Migrator},
};

use super::{OpenError, is_locked, opening};
use crate::statement::sql_scalar;

// `MIGRATIONS`, which build.rs writes.
include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// The changes that made the tables what they are, each named `0001_what_it_does.sql`, from the first on. By this and not by
/// sqlx's macro, for which SQLite and sqlx are built a second time.
pub(super) fn changes() -> Migrator {
    Migrator::with_migrations(MIGRATIONS.iter().filter_map(|(file, sql)| change(file, sql)).collect())
}

fn change(file: &str, sql: &'static str) -> Option<Migration> {
    let (version, what) = file.strip_suffix(".sql")?.split_once('_')?;
    let (version, what) = (version.parse().ok()?, what.replace('_', " "));
    Some(Migration::new(version, what.into(), MigrationType::Simple, SqlStr::from_static(sql), false))
}

/// Refuses a file of a version that this program does not know, or of another program, before anything in it is changed.
pub(super) async fn refuse_unknown(writer: &mut SqliteConnection, path: &Path) -> Result<(), OpenError> {
    let refused = |error: sqlx::Error| opening(path, &error);
    let tables = sql_scalar!("SELECT name FROM sqlite_schema WHERE type = 'table'");
    let tables: Vec<String> = tables.fetch_all(&mut *writer).await.map_err(refused)?;
    if !tables.iter().any(|table| table == "_sqlx_migrations") {
        return if tables.is_empty() { Ok(()) } else { Err(OpenError::foreign(path)) };
    }
    let versions = sql_scalar!("SELECT version FROM _sqlx_migrations");
    let versions: Vec<i64> = versions.fetch_all(writer).await.map_err(refused)?;
    let known = changes();
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
    let migrated = changes().run_direct(None, &mut *whole, false).await;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_changes_are_those_that_sqlx_finds_in_the_folder() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations");
        let found = Migrator::new(folder).await.unwrap();
        let told = |migrator: &Migrator| {
            let told = |change: &Migration| {
                format!(
                    "{} {} {} {:?}",
                    change.version,
                    change.description,
                    change.sql.as_str(),
                    change.checksum
                )
            };
            migrator.iter().map(told).collect::<Vec<_>>()
        };
        assert_eq!(told(&changes()), told(&found));
        assert_eq!(changes().iter().count(), MIGRATIONS.len());
    }
}
