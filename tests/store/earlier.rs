//! Databases as earlier versions left them.

use std::{fs, path::Path};

use sqlx::{AssertSqlSafe, Connection, SqliteConnection, migrate::Migrator, sqlite::SqliteConnectOptions};

/// A database of the first `versions` migrations with these rows in it. `folder` is where they are gathered.
pub(super) async fn database(path: &Path, folder: &Path, versions: usize, rows: &[String]) {
    let migrations = folder.join("migrations");
    fs::create_dir(&migrations).unwrap();
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let mut files: Vec<_> = fs::read_dir(all).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > versions, "there is a later version");
    for file in &files[..versions] {
        fs::copy(file, migrations.join(file.file_name().unwrap())).unwrap();
    }
    let connect = SqliteConnectOptions::new().filename(path).create_if_missing(true).foreign_keys(true);
    let mut database = SqliteConnection::connect_with(&connect).await.unwrap();
    Migrator::new(migrations).await.unwrap().run_direct(None, &mut database, false).await.unwrap();
    for row in rows {
        sqlx::query(AssertSqlSafe(row.clone())).execute(&mut database).await.expect(row);
    }
    database.close().await.unwrap();
}
