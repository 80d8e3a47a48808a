//! Which rows of which table are a server's: every table stands here, so that one that a migration adds cannot be
//! forgotten. A move refuses a schema that has one which does not.

use sqlx::{AssertSqlSafe, SqliteConnection};

use crate::store::StoreError;

/// By what a table's rows are a server's. Its number is `?1` in each condition.
#[derive(Clone, Copy)]
pub(super) enum Rows {
    /// By this column, which names a session of it.
    OfSessions(&'static str),
    /// By its number in `guild_id`.
    OfServer,
    /// By what accounts are called: after the session, the server, or server and member.
    Accounts,
    /// Events: what a session was told, and those by whose number another row of the server is known.
    Events,
    /// The prompts that its sessions were started with, which other servers' sessions may have in common with them.
    Prompts,
}

/// A table whose rows go with their server.
pub(super) struct Table {
    pub(super) name: &'static str,
    rows: Rows,
    /// Its rows have numbers of this file's own, which others may have in the other file.
    pub(super) numbered: bool,
    /// What there is of a server for a day at most, and does not make it one that the file has.
    pub(super) passing: bool,
}

const fn table(name: &'static str, rows: Rows) -> Table {
    Table { name, rows, numbered: false, passing: false }
}

const fn numbered(name: &'static str) -> Table {
    Table { numbered: true, ..table(name, Rows::OfSessions("session_id")) }
}

const fn passing(name: &'static str, rows: Rows) -> Table {
    Table { passing: true, ..table(name, rows) }
}

const SESSION: Rows = Rows::OfSessions("session_id");

/// In the order in which rows are deleted: what is found by others before those. Written in the opposite one.
pub(super) const MOVES: [Table; 32] = [
    table("account", Rows::Accounts),
    passing("inbound", Rows::Events),
    table("card_due", SESSION),
    table("mention", SESSION),
    table("participant", SESSION),
    table("bell", SESSION),
    table("sequel", Rows::OfSessions("from_session")),
    numbered("searchable"),
    table("triage", SESSION),
    table("ballot", SESSION),
    table("solution", SESSION),
    table("vote", SESSION),
    table("panel", SESSION),
    table("evidence", SESSION),
    table("clarification", SESSION),
    table("question", SESSION),
    table("note", SESSION),
    table("wait", SESSION),
    numbered("outbox"),
    numbered("degraded"),
    table("attempt", SESSION),
    numbered("part"),
    table("step", SESSION),
    table("decision", Rows::OfServer),
    table("trust_event", Rows::OfServer),
    passing("opening", Rows::OfServer),
    passing("lookup", Rows::OfServer),
    table("erasure", Rows::OfServer),
    table("settings_change", Rows::OfServer),
    table("guild_settings", Rows::OfServer),
    table("session", Rows::OfServer),
    passing("prompt_set", Rows::Prompts),
];

/// Tables of the file itself, and why each stays.
const STAYS: [(&str, &str); 9] = [
    ("lease", "who writes this file"),
    ("tally", "what was counted in this file"),
    ("moved", "what was moved to and from this file"),
    // Known by the event alone; whichever process is there within its quarter of an hour says so.
    ("pending_reply", "what a member waits for after a restart"),
    ("found", "the words of `searchable`, which a trigger puts there"),
    ("found_config", "part of `found`"),
    ("found_data", "part of `found`"),
    ("found_docsize", "part of `found`"),
    ("found_idx", "part of `found`"),
];

/// Triggers that a copied row sets off as a new one does: how many sessions there are, and the index of words. All others
/// tell of something that happens, which here it does not.
pub(super) const FIRES: [&str; 2] = ["session_counted", "searchable_new"];

impl Table {
    /// The condition by which its rows are a server's (`?1`), in one of the files that a connection has open.
    pub(super) fn condition(&self, file: &str) -> String {
        let sessions = format!("SELECT id FROM {file}.session WHERE guild_id = ?1");
        match self.rows {
            Rows::OfSessions(column) => format!("{column} IN ({sessions})"),
            Rows::OfServer => "guild_id = ?1".to_owned(),
            Rows::Accounts => format!(
                "(scope = 'session' AND owner IN ({sessions})
                  OR scope IN ('guild', 'month') AND owner = CAST(?1 AS TEXT)
                  OR scope = 'member' AND owner > ?1 || '/' AND owner < ?1 || '0')"
            ),
            Rows::Events => {
                let named = ["settings_change", "opening", "lookup", "erasure"]
                    .map(|table| format!(" OR id IN (SELECT id FROM {file}.{table} WHERE guild_id = ?1)"));
                format!("(session_id IN ({sessions}){})", named.concat())
            }
            Rows::Prompts => {
                format!("version IN (SELECT prompt_version FROM {file}.session WHERE guild_id = ?1)")
            }
        }
    }

    /// Whether its rows are other servers' too, and so are neither counted as one's nor deleted with it.
    pub(super) fn is_common(&self) -> bool {
        matches!(self.rows, Rows::Prompts)
    }

    /// How many of its rows are a server's, in one of the files that a connection has open.
    pub(super) async fn count(
        &self,
        connection: &mut SqliteConnection,
        file: &str,
        guild: i64,
    ) -> Result<i64, StoreError> {
        let count = format!("SELECT count(*) FROM {file}.{} WHERE {}", self.name, self.condition(file));
        Ok(sqlx::query_scalar(AssertSqlSafe(count)).bind(guild).fetch_one(connection).await?)
    }
}

/// Refuses a schema with a table that is not named here: what a server has there would be left behind.
pub(super) async fn are_known(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let names: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM main.sqlite_schema
         WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> '_sqlx_migrations'",
    )
    .fetch_all(connection)
    .await?;
    let known = |name: &str| {
        MOVES.iter().any(|table| table.name == name) || STAYS.iter().any(|(stays, _)| *stays == name)
    };
    match names.iter().find(|name| !known(name)) {
        None => Ok(()),
        Some(name) => Err(StoreError::Corrupt(format!(
            "nobody has said whether the rows of the table {name} go with their server"
        ))),
    }
}
