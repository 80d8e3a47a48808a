//! What a file has of a server, in a form that is the same in every file: without the numbers that are the file's own.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use quorum::{
    domain::{GuildId, SessionId},
    report::Audience,
    session::report_files,
    store::{Store, StoreOptions},
};
use sqlx::{AssertSqlSafe, Connection, SqliteConnection, sqlite::SqliteConnectOptions};

/// What is a file's own, or everybody's.
const OF_THE_FILE: [&str; 6] = ["lease", "tally", "moved", "pending_reply", "prompt_set", "_sqlx_migrations"];

/// A connection to a file, without the program's own doing anything to it.
pub(super) async fn open(path: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(path).foreign_keys(true);
    SqliteConnection::connect_with(&options).await.unwrap()
}

/// Changes rows by hand.
pub(super) async fn change(path: &Path, sql: &str) {
    let mut connection = open(path).await;
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// The same of a file that may be damaged.
pub(super) async fn number_if_sound(path: &Path, sql: &str) -> Option<i64> {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(false);
    let mut file = SqliteConnection::connect_with(&options).await.ok()?;
    sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&mut file).await.ok()
}

/// The one number that a query gives.
pub(super) async fn number(path: &Path, sql: &str) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&mut open(path).await).await.unwrap()
}

/// The rows that a file has of a server, by their tables.
pub(super) async fn of(path: &Path, guild: u64) -> BTreeMap<String, Vec<String>> {
    let mut file = open(path).await;
    let tables: Vec<String> = sqlx::query_scalar("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .fetch_all(&mut file)
        .await
        .unwrap();
    let mut rows = BTreeMap::new();
    for table in tables {
        if OF_THE_FILE.contains(&table.as_str()) || table.starts_with("found") || table.starts_with("sqlite_")
        {
            continue;
        }
        let columns: Vec<String> = sqlx::query_scalar("SELECT name FROM pragma_table_info(?1)")
            .bind(&table)
            .fetch_all(&mut file)
            .await
            .unwrap();
        let has = |name: &str| columns.iter().any(|column| column == name);
        let sessions = format!("(SELECT id FROM session WHERE guild_id = {guild})");
        let whose = match table.as_str() {
            "account" => format!("owner IN {sessions} OR owner = '{guild}' OR owner LIKE '{guild}/%'"),
            "sequel" => format!("from_session IN {sessions}"),
            _ if has("guild_id") => format!("guild_id = {guild}"),
            _ => format!("session_id IN {sessions}"),
        };
        // Which number comes after which is told by the order; which parts a text has, by what is in them.
        let numbered = matches!(table.as_str(), "outbox" | "degraded" | "part" | "searchable");
        let values = columns.iter().filter_map(|column| match column.as_str() {
            "id" if numbered => None,
            "epoch" => None,
            "request_parts" | "reply_parts" => Some(format!(
                "(SELECT group_concat(hex(part.hash) ORDER BY place.key)
                  FROM json_each({column}) place JOIN part ON part.id = place.value)"
            )),
            "hash" | "bytes" => Some(format!("hex({column})")),
            _ => Some(column.clone()),
        });
        let values = values.collect::<Vec<_>>().join(", ");
        let order = if numbered { "id".to_owned() } else { format!("json_array({values})") };
        let query = format!("SELECT json_array({values}) FROM {table} WHERE {whose} ORDER BY {order}");
        let found: Vec<String> = sqlx::query_scalar(AssertSqlSafe(query)).fetch_all(&mut file).await.unwrap();
        rows.insert(table, found);
    }
    rows
}

/// The reports on all of a server's sessions that have ended, from a copy, as the command line writes them.
pub(super) async fn reports(path: &Path, guild: u64) -> Vec<String> {
    let copy = path.with_extension("read");
    let _ = std::fs::remove_file(&copy);
    Store::backup(path, &copy).await.unwrap();
    let ids: Vec<String> =
        sqlx::query_scalar("SELECT id FROM session WHERE guild_id = ?1 AND ended_ms IS NOT NULL ORDER BY id")
            .bind(GuildId(guild).as_i64())
            .fetch_all(&mut open(&copy).await)
            .await
            .unwrap();
    let store = Store::open(&copy, StoreOptions::default(), 0).await.unwrap();
    let mut reports = Vec::new();
    for id in ids {
        let row = store.session(&SessionId::parse(&id).unwrap()).await.unwrap();
        let files = report_files(&store, &row, Audience::Internal).await.unwrap();
        reports.push(format!("{files:?}"));
    }
    drop(store);
    reports
}

/// A second file with what the first one has, beside it.
pub(super) async fn copy(path: &Path, name: &str) -> PathBuf {
    let to = path.with_file_name(name);
    Store::backup(path, &to).await.unwrap();
    to
}
