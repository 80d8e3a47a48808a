//! What nobody needs any more though its session is kept, and the space that it leaves.

use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};

use super::{Store, StoreError, retention::DAY_MS};
use crate::statement::{sql, sql_scalar};

/// Sessions whose requests and replies are deleted in one transaction.
const SESSIONS_AT_ONCE: i64 = 5;
/// Other rows deleted in one transaction.
const ROWS_AT_ONCE: i64 = 500;
/// Pages given back in one transaction.
const PAGES_AT_ONCE: i64 = 100;
/// How long everybody's writes may wait for one try to empty the log, how long after it the next is made, and how many are.
const EMPTIES_WITHIN: Duration = Duration::from_millis(50);
const EMPTIES_AGAIN: Duration = Duration::from_millis(200);
const EMPTIES_TRIES: u32 = 20;
/// How long it is waited for others' writes before the database is written anew.
const REWRITES_WITHIN: Duration = Duration::from_secs(5);
/// Up to how many bytes of a database everybody's writes may wait while it is written anew: about a second of a common disk.
const REWRITTEN_UP_TO: i64 = 128 << 20;
/// Days that daily and monthly accounts are kept. A month's are over long before; what is not settled yet stays.
const ACCOUNT_DAYS: i64 = 100;
/// Days that events stay known of which no open session was told. Discord repeats one for minutes, and a bot that was away
/// reads what it missed from the last message it has seen on.
const INBOUND_DAYS: i64 = 30;
/// Days that it stays known what somebody looked for.
const LOOKUP_DAYS: i64 = 1;
/// Days that it stays known what somebody has chosen for a session that they have not started.
const OPENING_DAYS: i64 = 1;
/// Days that a change of settings stays in the log; the newest of each setting stays.
const CHANGE_DAYS: i64 = 400;

impl Store {
    /// Deletes requests and replies of some of the sessions that ended, and asked no model, longer ago than their server
    /// keeps them; gives of how many, 0 once there are none left. What replies were read as stays with the session.
    pub async fn prune_raw(&self, now_ms: i64) -> Result<u64, StoreError> {
        let due = sql_scalar!(RAW_DUE, (now_ms, DAY_MS, SESSIONS_AT_ONCE));
        let due: Vec<String> = due.fetch_all(&self.readers).await?;
        if due.is_empty() {
            return Ok(0);
        }
        self.write(move |tx| {
            Box::pin(async move {
                // Asked again: one of them may have been asked something since.
                let due = sql_scalar!(RAW_DUE, (now_ms, DAY_MS, SESSIONS_AT_ONCE));
                let due: Vec<String> = due.fetch_all(&mut *tx).await?;
                for session in &due {
                    for statement in [
                        "UPDATE attempt SET request_parts = NULL, reply_parts = NULL
                         WHERE session_id = ?1",
                        "DELETE FROM part WHERE session_id = ?1",
                        "UPDATE session SET raw_kept = 0 WHERE id = ?1",
                    ] {
                        sqlx::query(statement).bind(session).execute(&mut *tx).await?;
                    }
                }
                Ok(due.len() as u64)
            })
        })
        .await
    }

    /// Deletes some of what belongs to no session, or only told one from another while it ran: accounts of days long past,
    /// events long applied, prompts that no session was started with, settings long changed again. Gives how many rows, 0
    /// once there are none left.
    pub async fn prune_rest(&self, now_ms: i64) -> Result<u64, StoreError> {
        self.write(move |tx| {
            Box::pin(async move {
                let mut gone = 0;
                for (statement, days) in REST {
                    let before = now_ms - days * DAY_MS;
                    let deleted = sqlx::query(statement).bind(before).bind(ROWS_AT_ONCE).execute(&mut *tx);
                    gone += deleted.await?.rows_affected();
                }
                Ok(gone)
            })
        })
        .await
    }

    /// Gives some of the space that was freed back to the system; `false` once there is none left.
    pub async fn give_back(&self) -> Result<bool, StoreError> {
        let free = async || -> Result<i64, StoreError> {
            Ok(sql_scalar!("PRAGMA freelist_count").fetch_one(&self.readers).await?)
        };
        let before = free().await?;
        if before == 0 {
            return Ok(false);
        }
        self.write(move |tx| {
            Box::pin(async move {
                let pages = format!("PRAGMA incremental_vacuum({PAGES_AT_ONCE})");
                sqlx::query(AssertSqlSafe(pages)).execute(tx).await?;
                Ok(())
            })
        })
        .await?;
        let after = free().await?;
        Ok(0 < after && after < before)
    }

    /// Writes the database anew, without what was deleted from it: SQLite overwrites a row that it deletes (`secure_delete`), but
    /// not the copies that it left in pages' unused space when it moved that row from page to page. Everybody's writes wait
    /// meanwhile, so a large file is let be; then `false`.
    pub async fn rewrite(&self) -> Result<bool, StoreError> {
        let connect = SqliteConnectOptions::new()
            .filename(&*self.path)
            .pragma("secure_delete", "ON")
            .busy_timeout(REWRITES_WITHIN);
        let mut connection = SqliteConnection::connect_with(&connect).await?;
        let bytes = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
        let bytes: i64 = sqlx::query_scalar(bytes).fetch_one(&mut connection).await?;
        let small = bytes <= REWRITTEN_UP_TO;
        if small {
            sql!("VACUUM").execute(&mut connection).await?;
        }
        connection.close().await?;
        Ok(small)
    }

    /// Empties the log beside the database, in which what was deleted still stands. Whoever reads the database keeps it from
    /// that, and everybody's writes wait while it is tried, so each try is short. Where a program that copies the log to
    /// another machine reads all the time (Litestream), it is given up: that one empties the log by itself.
    pub async fn empty_log(&self) -> Result<(), StoreError> {
        let connect = SqliteConnectOptions::new().filename(&*self.path).busy_timeout(EMPTIES_WITHIN);
        let mut connection = SqliteConnection::connect_with(&connect).await?;
        for _ in 0..EMPTIES_TRIES {
            let kept: i64 = sql_scalar!("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut connection).await?;
            if kept == 0 {
                break;
            }
            tokio::time::sleep(EMPTIES_AGAIN).await;
        }
        connection.close().await?;
        Ok(())
    }
}

/// A server that has set nothing keeps them 90 days, one that has set 0 as long as the session.
const RAW_DUE: &str = "
    SELECT s.id FROM session s LEFT JOIN guild_settings g USING (guild_id)
    WHERE s.raw_kept = 1 AND s.ended_ms IS NOT NULL AND s.ended_ms <= ?1 - ?2
      AND coalesce(json_extract(g.settings, '$.raw_days'), 90) > 0
      AND s.ended_ms <= ?1 - coalesce(json_extract(g.settings, '$.raw_days'), 90) * ?2
      AND NOT EXISTS (SELECT 1 FROM attempt a WHERE a.session_id = s.id
                      AND (a.state = 'sent'
                           OR a.started_ms > ?1 - coalesce(json_extract(g.settings, '$.raw_days'), 90) * ?2))
    LIMIT ?3";

/// What else is deleted, after how many days. Discord's ids tell when they were given (the first 42 bits: milliseconds
/// since 2015), so that rows are found by them.
const REST: [(&str, i64); 6] = [
    (
        "DELETE FROM account WHERE (scope, owner, day) IN (
             SELECT scope, owner, day FROM account WHERE day <> '' AND day < date(?1 / 1000, 'unixepoch') LIMIT ?2)
           AND NOT EXISTS (SELECT 1 FROM attempt a WHERE a.state = 'sent' AND (a.day = account.day OR a.month = account.day))",
        ACCOUNT_DAYS,
    ),
    (
        "DELETE FROM inbound WHERE id IN (
             SELECT i.id FROM inbound i WHERE i.id < ((?1 - 1420070400000) << 22) AND i.at_ms < ?1
               AND NOT EXISTS (SELECT 1 FROM session s WHERE s.id = i.session_id AND s.ended_ms IS NULL) LIMIT ?2)",
        INBOUND_DAYS,
    ),
    (
        "DELETE FROM prompt_set WHERE ?1 > 0 AND version IN (
             SELECT p.version FROM prompt_set p
             WHERE NOT EXISTS (SELECT 1 FROM session s WHERE s.prompt_version = p.version) LIMIT ?2)",
        0,
    ),
    (
        "DELETE FROM settings_change WHERE (id, setting) IN (
             SELECT c.id, c.setting FROM settings_change c WHERE c.id < ((?1 - 1420070400000) << 22) AND c.at_ms < ?1
               AND EXISTS (SELECT 1 FROM settings_change n WHERE n.guild_id = c.guild_id AND n.setting = c.setting
                           AND n.at_ms > c.at_ms) LIMIT ?2)",
        CHANGE_DAYS,
    ),
    (
        "DELETE FROM lookup WHERE id IN (
             SELECT id FROM lookup WHERE id < ((?1 - 1420070400000) << 22) LIMIT ?2)",
        LOOKUP_DAYS,
    ),
    (
        "DELETE FROM opening WHERE id IN (
             SELECT id FROM opening WHERE id < ((?1 - 1420070400000) << 22) LIMIT ?2)",
        OPENING_DAYS,
    ),
];
