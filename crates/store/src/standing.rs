//! How a database stands before anybody opens it to write: for `doctor`, which changes nothing.

use std::{fs::File, path::Path, time::Duration};

use sqlx::{Row, sqlite::SqliteConnectOptions};

use super::{OpenError, Store, beside, opening, pool, sound, version::changes};
use crate::statement::{sql, sql_scalar};

/// How a database stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// There is none; the first start makes it.
    Absent,
    /// A process has it open.
    InUse,
    /// It can be used as it is.
    Current,
    /// The next start makes these changes to it first.
    Behind(Vec<String>),
}

impl Store {
    /// Looks at a database without changing it: what a start would do to it, or why it would refuse it.
    pub async fn standing(path: &Path) -> Result<Standing, OpenError> {
        let unwritable = |problem: String| OpenError::Unwritable { path: path.to_owned(), problem };
        if !path.exists() {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder =
                folder.unwrap_or(Path::new(".")).metadata().map_err(|e| unwritable(e.to_string()))?;
            if folder.is_dir() && !folder.permissions().readonly() {
                return Ok(Standing::Absent);
            }
            return Err(unwritable("its folder takes no files".to_owned()));
        }
        File::options().write(true).open(path).map_err(|error| unwritable(error.to_string()))?;
        if is_in_use(path) {
            return Ok(Standing::InUse);
        }
        let refused = |error: sqlx::Error| opening(path, &error);
        let reader = pool(1).connect_with(looking(path)).await.map_err(refused)?;
        let tables: Vec<String> = sql_scalar!("SELECT name FROM sqlite_schema WHERE type = 'table'")
            .fetch_all(&reader)
            .await
            .map_err(refused)?;
        let applied = match tables.iter().any(|table| table == "_sqlx_migrations") {
            true => sql!("SELECT version, checksum, success FROM _sqlx_migrations ORDER BY version")
                .fetch_all(&reader)
                .await
                .map_err(refused)?,
            false if tables.is_empty() => Vec::new(),
            false => return Err(OpenError::foreign(path)),
        };
        sound::check(&reader, path).await?;
        let known = changes();
        for row in &applied {
            let version: i64 = row.get("version");
            let Some(migration) = known.iter().find(|migration| migration.version == version) else {
                return Err(OpenError::Newer(path.to_owned()));
            };
            if !row.get::<bool, _>("success") || migration.checksum[..] != row.get::<Vec<u8>, _>("checksum") {
                return Err(damaged(path, &format!("its change {version} is not the one of this version")));
            }
        }
        let missing: Vec<String> = known
            .iter()
            .filter(|migration| !applied.iter().any(|row| row.get::<i64, _>("version") == migration.version))
            .map(|migration| format!("{:04} {}", migration.version, migration.description))
            .collect();
        Ok(if missing.is_empty() { Standing::Current } else { Standing::Behind(missing) })
    }
}

/// How a database is looked at without changing it, also while a process uses it.
pub(super) fn looking(path: &Path) -> SqliteConnectOptions {
    // What a killed process left beside the file belongs to it; without that, not even a file beside it is made.
    let alone = !is_in_use(path) && !beside(path, "-wal").metadata().is_ok_and(|log| log.len() > 0);
    let connect = SqliteConnectOptions::new().filename(path).read_only(true).immutable(alone);
    connect.busy_timeout(Duration::from_secs(5))
}

/// Whether a process of this machine has it open.
fn is_in_use(path: &Path) -> bool {
    File::open(beside(path, ".lock")).is_ok_and(|lock| lock.try_lock_shared().is_err())
}

fn damaged(path: &Path, problem: &str) -> OpenError {
    OpenError::Damaged { path: path.to_owned(), problem: problem.to_owned() }
}
