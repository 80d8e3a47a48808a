//! Every statement finds its rows by an index: none gets slower as the database grows. What is read whole is known here
//! by name, with the reason.

use std::{fs, path::Path};

use sqlx::{AssertSqlSafe, Row};

use quorum::store::{PLACES, Place};

use super::fixture::Db;

/// What a plan may read from its first row to its last.
const READ_WHOLE: &[(&str, &str)] = &[
    // Small: a row, or as many as a statement or its arguments have.
    ("SCAN lease", "one row"),
    ("SCAN tally", "fourteen rows"),
    ("SCAN sqlite_schema", "the tables, for doctor"),
    ("SCAN _sqlx_migrations", "one row a migration"),
    ("SCAN p USING COVERING INDEX sqlite_autoindex_prompt_set", "a row for each version that was used"),
    ("INDEX bell_due", "those who wait to be told"),
    ("INDEX participant_due", "those who are not in the thread yet"),
    ("INDEX session_rename", "threads that are not named after their question yet"),
    ("SCAN mention", "messages that mention somebody at this moment"),
    ("SCAN guild_settings", "a row for each server that has settings"),
    ("SCAN g", "the same"),
    ("SCAN server", "each found by the one before it in the index"),
    ("CONSTANT ROW", "the statement's own"),
    ("VALUES CLAUSE", "the same"),
    ("VIRTUAL TABLE", "the words of an argument"),
    ("SCAN left_in", "each of its tables was looked at by itself"),
    ("SCAN added", "sessions to which one member added something"),
    ("SCAN (subquery", "what stands inside was looked at by itself"),
    // Partial indexes: what is read is what is left to do.
    ("INDEX session_live", "sessions that have not ended"),
    ("INDEX session_running", "sessions that run"),
    ("INDEX session_parked", "sessions that are parked"),
    ("INDEX wait_open", "questions to people that are open"),
    ("INDEX session_threadless", "live sessions whose thread is not there yet"),
    ("SCAN card_due", "cards of sleeping sessions that are to be drawn"),
    ("INDEX session_card", "cards that do not show their session's state"),
    ("INDEX outbox_pending", "unsent posts"),
    ("INDEX brought_open", "unanswered questions, and evidence nobody has weighed"),
    ("INDEX attempt_sent", "calls that are not settled"),
    ("INDEX panel_stale", "panels that do not show what is so"),
    ("INDEX searchable_stale", "sessions that the search has not read"),
    ("SCAN lesson", "a row for each model that is asked otherwise than usual, once at the start"),
    ("SCAN erasure", "what somebody wants deleted and is not gone yet"),
];

#[tokio::test]
async fn every_statement_finds_its_rows_by_an_index() {
    let db = Db::open().await;
    let mut raw = db.raw().await;
    let mut scans = Vec::new();
    let mut statements = statements();
    // Made of the list, and not written out.
    statements.extend(PLACES.iter().flat_map(Place::statements).map(|sql| ("places.rs".to_owned(), sql)));
    assert!(statements.len() > 140, "{} statements were found", statements.len());
    for (file, sql) in statements {
        let plan = sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"))).fetch_all(&mut raw).await;
        let plan = plan.unwrap_or_else(|error| panic!("{file}: {error}\n{sql}"));
        for step in plan.iter().map(|row| row.get::<String, _>("detail")) {
            let whole = step.starts_with("SCAN ") || step.contains("(thread_id>?)");
            if whole && !READ_WHOLE.iter().any(|(known, _)| step.contains(known)) {
                scans.push(format!(
                    "{file}: {step}\n    {}",
                    sql.split_whitespace().collect::<Vec<_>>().join(" ")
                ));
            }
        }
    }
    assert!(scans.is_empty(), "read whole:\n{}", scans.join("\n"));
}

/// All statements of the crate `store`, with the file each stands in.
fn statements() -> Vec<(String, String)> {
    let mut paths = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/store/src")];
    let mut statements = Vec::new();
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            paths.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let source = fs::read_to_string(&path).unwrap();
        let source = source.split("#[cfg(test)]").next().unwrap();
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut rest = source;
        while let Some(at) = rest.find('"') {
            let (before, after) = rest.split_at(at);
            let end = after[1..].find('"').unwrap_or(after.len() - 1) + 1;
            let text = after[1..end].replace("\\\n", "\n");
            let first = text.split_whitespace().next().unwrap_or_default();
            if before.trim_end().ends_with("select_sessions!(") {
                statements.push((file.clone(), format!("SELECT id FROM session {text}")));
            } else if ["SELECT", "INSERT", "UPDATE", "DELETE"].contains(&first)
                && !text.ends_with("FROM session ")
                && !text.contains('{')
            {
                statements.push((file.clone(), text));
            }
            rest = &after[(end + 1).min(after.len())..];
        }
    }
    statements
}
