//! A server's rows, copied from one file to another, or deleted from one.
//!
//! Each works inside a transaction of the caller's, on a connection that has the file written to as `main` and, for copying,
//! the other one as `old`.

use sqlx::{AssertSqlSafe, SqliteConnection};

use super::tables::{FIRES, MOVES, Table, are_known};
use crate::{domain::GuildId, store::StoreError};

/// Copies all of a server's rows from `old` to `main`, none of which sets off what such a row does when it is new. Gives how
/// many there are.
pub(super) async fn copy(connection: &mut SqliteConnection, guild: GuildId) -> Result<u64, StoreError> {
    are_known(connection).await?;
    // Held against the whole before the transaction is over (sqlite.org/pragma.html, `defer_foreign_keys`).
    sqlx::query("PRAGMA defer_foreign_keys = ON").execute(&mut *connection).await?;
    let silent = silenced(connection).await?;
    // By how much requests' and replies' parts are moved up, before the rows that name them.
    let parts = shift(connection, "part", guild).await?;
    let mut copied = 0;
    for table in MOVES.iter().rev() {
        let up = if table.numbered { shift(connection, table.name, guild).await? } else { 0 };
        copied += copy_table(connection, table, guild, (up, parts)).await?;
    }
    for trigger in silent {
        sqlx::query(AssertSqlSafe(trigger)).execute(&mut *connection).await?;
    }
    Ok(copied)
}

/// Takes the triggers out of `main` that rows of another file must not set off; gives what makes them anew.
async fn silenced(connection: &mut SqliteConnection) -> Result<Vec<String>, StoreError> {
    let triggers: Vec<(String, String)> =
        sqlx::query_as("SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' ORDER BY rowid")
            .fetch_all(&mut *connection)
            .await?;
    let mut silent = Vec::new();
    for (name, made_by) in triggers {
        if FIRES.contains(&name.as_str()) {
            continue;
        }
        sqlx::query(AssertSqlSafe(format!("DROP TRIGGER main.{name}"))).execute(&mut *connection).await?;
        silent.push(made_by);
    }
    Ok(silent)
}

/// By how much the numbers of a table's rows are raised, so that they come after all that the file has, in their order.
async fn shift(connection: &mut SqliteConnection, table: &str, guild: GuildId) -> Result<i64, StoreError> {
    let up = format!(
        "SELECT (SELECT coalesce(max(id), 0) FROM main.{table}) + 1
              - coalesce((SELECT min(id) FROM old.{table}
                          WHERE session_id IN (SELECT id FROM old.session WHERE guild_id = ?1)), 1)"
    );
    Ok(sqlx::query_scalar(AssertSqlSafe(up)).bind(guild).fetch_one(connection).await?)
}

async fn copy_table(
    connection: &mut SqliteConnection,
    table: &Table,
    guild: GuildId,
    (up, parts): (i64, i64),
) -> Result<u64, StoreError> {
    let columns: Vec<String> = sqlx::query_scalar("SELECT name FROM pragma_table_info(?1) ORDER BY cid")
        .bind(table.name)
        .fetch_all(&mut *connection)
        .await?;
    let values = columns.iter().map(|column| match (table.name, column.as_str()) {
        (_, "id") if table.numbered => format!("id + {up}"),
        ("attempt", "request_parts" | "reply_parts") => format!(
            "iif({column} IS NULL, NULL, (SELECT json_group_array(value + {parts} ORDER BY key) FROM json_each({column})))"
        ),
        // A process of another file: whatever was under way there is over.
        ("attempt", "epoch") => "0".to_owned(),
        _ => column.clone(),
    });
    let values: Vec<String> = values.collect();
    let name = table.name;
    let insert = format!(
        "INSERT INTO main.{name} ({}) SELECT {} FROM old.{name} WHERE {} {}",
        columns.join(", "),
        values.join(", "),
        table.condition("old"),
        if table.is_common() { "ON CONFLICT DO NOTHING" } else { "" },
    );
    let copied = sqlx::query(AssertSqlSafe(insert)).bind(guild).execute(&mut *connection).await?;
    if table.is_common() {
        return same_prompts(connection, guild).await.map(|()| 0);
    }
    let there = table.count(connection, "old", guild.as_i64()).await?;
    if copied.rows_affected() != there.cast_unsigned() {
        return Err(StoreError::Corrupt(format!("{there} rows of {name} could not be copied whole")));
    }
    Ok(copied.rows_affected())
}

/// Refuses prompts of one name that are not the same in both files.
async fn same_prompts(connection: &mut SqliteConnection, guild: GuildId) -> Result<(), StoreError> {
    let other: Option<String> = sqlx::query_scalar(
        "SELECT theirs.version FROM old.prompt_set theirs JOIN main.prompt_set ours USING (version)
         WHERE theirs.files <> ours.files
           AND version IN (SELECT prompt_version FROM old.session WHERE guild_id = ?1) LIMIT 1",
    )
    .bind(guild)
    .fetch_optional(connection)
    .await?;
    match other {
        None => Ok(()),
        Some(version) => {
            Err(StoreError::Corrupt(format!("the prompts {version} are others in each of the two files")))
        }
    }
}

/// Deletes all of a server's rows from `main`, the index's words too.
pub(super) async fn delete(connection: &mut SqliteConnection, guild: GuildId) -> Result<(), StoreError> {
    are_known(connection).await?;
    for table in MOVES.iter().filter(|table| !table.is_common()) {
        let delete = format!("DELETE FROM main.{} WHERE {}", table.name, table.condition("main"));
        sqlx::query(AssertSqlSafe(delete)).bind(guild).execute(&mut *connection).await?;
    }
    Ok(())
}

/// What of a server lasts in a file: the first table that has some of it, if any.
pub(super) async fn held(
    connection: &mut SqliteConnection,
    guild: GuildId,
) -> Result<Option<&'static str>, StoreError> {
    for table in MOVES.iter().rev().filter(|table| !table.passing) {
        if table.count(connection, "main", guild.as_i64()).await? > 0 {
            return Ok(Some(table.name));
        }
    }
    Ok(None)
}
