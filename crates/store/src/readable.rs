//! Rows that cannot be read back: whoever goes through many takes those that can be read, and the rest is remembered, said
//! once in the log, and parked with its session. One bad row stops nothing but itself.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use sqlx::{FromRow, Row, SqliteConnection, sqlite::SqliteRow};

use super::{
    DecisionRow, Erasure, NewPost, QuestionRow, SessionRow, Store, StoreError, WaitRow, outbox,
    readers::Readers, session::select_sessions, standing::looking, wait,
};
use crate::statement::{sql, sql_scalar};
use domain::{SessionId, SessionState};

/// What could not be read in this life of the process.
#[derive(Clone, Debug, Default)]
pub(super) struct Unreadable(Arc<Mutex<Remembered>>);

#[derive(Debug, Default)]
struct Remembered {
    /// What was said in the log already.
    said: BTreeSet<String>,
    /// Sessions that are to be parked, each with what is wrong with it.
    sessions: BTreeMap<SessionId, String>,
}

impl Unreadable {
    /// Those rows that can be read. Sessions of a protocol that this version does not know are left to one that does.
    pub(super) fn but<T>(
        &self,
        what: &'static str,
        rows: &[SqliteRow],
        read: impl Fn(&SqliteRow) -> Result<T, StoreError>,
    ) -> Vec<T> {
        let readable = rows.iter().filter_map(|row| match read(row) {
            Ok(read) => Some(read),
            Err(error) => {
                self.remember(what, row, &error);
                None
            }
        });
        readable.collect()
    }

    fn remember(&self, what: &'static str, row: &SqliteRow, error: &StoreError) {
        let id = row_of(row);
        let mut remembered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !remembered.said.insert(format!("{what} {id} {error}")) {
            return;
        }
        if let StoreError::UnknownProtocol(protocol) = error {
            tracing::warn!(
                protocol,
                "a session of a protocol that this version does not know is passed over"
            );
            return;
        }
        tracing::error!(what, row = id, %error, "a row cannot be read and is passed over; all others go on");
        if let Some(session) = SessionId::parse(&id) {
            remembered.sessions.insert(session, format!("its {what}: {error}"));
        }
    }

    fn take(&self) -> BTreeMap<SessionId, String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).sessions)
    }
}

/// What a row is called: by its session, else by its own id.
fn row_of(row: &SqliteRow) -> String {
    let named = row.try_get::<String, _>("session_id").or_else(|_| row.try_get::<String, _>("id"));
    named.or_else(|_| row.try_get::<i64, _>("id").map(|id| id.to_string())).unwrap_or_default()
}

/// As `FromRow` has it.
pub(super) fn each<T: for<'r> FromRow<'r, SqliteRow>>(row: &SqliteRow) -> Result<T, StoreError> {
    Ok(T::from_row(row)?)
}

/// A row of one column.
pub(super) fn only<T: for<'r> sqlx::Decode<'r, sqlx::Sqlite> + sqlx::Type<sqlx::Sqlite>>(
    row: &SqliteRow,
) -> Result<T, StoreError> {
    Ok(row.try_get(0)?)
}

impl Store {
    /// Sessions of which something could not be read since this was asked last, each with what it is.
    #[must_use]
    pub fn unreadable_sessions(&self) -> BTreeMap<SessionId, String> {
        self.unreadable.take()
    }

    /// The session has something that cannot be read, which was found beside the loops.
    pub fn found_unreadable(&self, session: &SessionId, problem: String) {
        let mut remembered = self.unreadable.0.lock().unwrap_or_else(PoisonError::into_inner);
        if remembered.said.insert(format!("{session} {problem}")) {
            remembered.sessions.insert(session.clone(), problem);
        }
    }

    /// Parks a session of which something cannot be read, unless it is over. What of its row no version can read is set
    /// back to what a new session has, so that the notice can be posted and the rest be read. `false`: it was over.
    pub async fn park_unreadable(
        &self,
        id: &SessionId,
        notice: String,
        posts: Vec<NewPost>,
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        let id = id.clone();
        self.write(move |tx| {
            Box::pin(async move {
                set_back(tx, &id).await?;
                let parked = sql!(
                    "UPDATE session SET state = 'parked', notice = ?2, ended_ms = ?3
                     WHERE id = ?1 AND state IN ('running', 'paused', 'waiting')",
                    (id.as_str(), notice, at_ms)
                )
                .execute(&mut *tx)
                .await?;
                if parked.rows_affected() == 0 {
                    return Ok(false);
                }
                wait::close_all(tx, &id, SessionState::Parked, None).await?;
                outbox::insert(tx, &id, &posts).await?;
                Ok(true)
            })
        })
        .await
    }

    /// What cannot be read of all that goes on by itself in a database that is not opened to write, in words, and sessions
    /// that are parked with their notices: for `doctor`.
    pub async fn unreadable_in(path: &Path) -> Result<(Vec<String>, Vec<String>), StoreError> {
        let reader = Readers::open(&looking(path)).await?;
        let mut problems = Vec::new();
        let mut look = |what: &str, rows: &[SqliteRow], read: fn(&SqliteRow) -> Result<(), StoreError>| {
            for row in rows {
                match read(row) {
                    Ok(()) | Err(StoreError::UnknownProtocol(_)) => {}
                    Err(error) => problems.push(format!("{what} {}: {error}", row_of(row))),
                }
            }
        };
        let sessions = sql!(select_sessions!("WHERE state IN ('running', 'paused', 'waiting')"))
            .fetch_all(&reader)
            .await?;
        look("session", &sessions, |row| each::<SessionRow>(row).map(|_| ()));
        let decisions =
            sql!("SELECT * FROM decision_now WHERE review_ms > 0 AND asked_ms IS NULL AND outcome IS NULL")
                .fetch_all(&reader)
                .await?;
        look("decision record", &decisions, |row| DecisionRow::read(row).map(|_| ()));
        let waits = sql!("SELECT * FROM wait WHERE value IS NULL").fetch_all(&reader).await?;
        look("wait", &waits, |row| each::<WaitRow>(row).map(|_| ()));
        let questions = sql!("SELECT * FROM brought WHERE kind = 'question' AND closed_ms IS NULL");
        let questions = questions.fetch_all(&reader).await?;
        look("question", &questions, |row| each::<QuestionRow>(row).map(|_| ()));
        let erasures = sql!("SELECT id, guild_id, member_id, asked_ms FROM erasure");
        look("erasure", &erasures.fetch_all(&reader).await?, |row| each::<Erasure>(row).map(|_| ()));
        let parked =
            sql_scalar!("SELECT id || ': ' || coalesce(notice, '') FROM session WHERE state = 'parked'");
        Ok((problems, parked.fetch_all(&reader).await?))
    }
}

/// What in a session's row is none of the words that may stand there. Where it lies is checked when it is written.
async fn set_back(tx: &mut SqliteConnection, id: &SessionId) -> Result<(), StoreError> {
    let row = sql!("SELECT tag, card_state, lies FROM session WHERE id = ?1", id.as_str());
    let Some(row) = row.fetch_optional(&mut *tx).await? else { return Err(StoreError::Missing("session")) };
    let columns = [
        (
            row.try_get::<Option<domain::StateTag>, _>("tag").is_err(),
            "tag",
            "UPDATE session SET tag = NULL WHERE id = ?1",
        ),
        (
            row.try_get::<Option<SessionState>, _>("card_state").is_err(),
            "card_state",
            "UPDATE session SET card_state = NULL WHERE id = ?1",
        ),
        (
            row.try_get::<domain::Lies, _>("lies").is_err(),
            "lies",
            "UPDATE session SET lies = 'own_thread' WHERE id = ?1",
        ),
    ];
    for (bad, column, statement) in columns {
        if bad {
            let was = row.try_get::<String, _>(column).unwrap_or_default();
            tracing::error!(session = %id, column, was, "what cannot be read is set back");
            sqlx::query(statement).bind(id.as_str()).execute(&mut *tx).await?;
        }
    }
    Ok(())
}
