//! What members bring to a session, of whatever kind: one table, and one way to write, read, count and close it. What a kind
//! has beside that stands in the file named after it.
//!
//! Invariant: what no task of its own sees to is closed as it comes, so whatever is open has still to be seen to by one.

use sqlx::{Row, Sqlite, SqliteConnection, SqliteExecutor, sqlite::SqliteRow};

use super::{StoreError, quota};
use crate::statement::{sql, sql_scalar};
use domain::{Addressee, AuditScope, MessageId, SessionId, UserId};

/// What it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Brought {
    /// Notes for the next step.
    Notes,
    /// Evidence for the sides of a debate or on an open question.
    Evidence,
    /// What the moderator is to make clear.
    Clarifications,
    /// Questions to the session: each is answered by a model, so they are counted by the hour.
    Questions,
    /// What is said of a finding.
    Triage,
}

impl Brought {
    /// As it stands in the table.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Notes => "note",
            Self::Evidence => "evidence",
            Self::Clarifications => "clarification",
            Self::Questions => "question",
            Self::Triage => "triage",
        }
    }
}

/// What a kind has beside its text.
#[derive(Clone, Default, Debug)]
pub(super) struct Particulars {
    /// Of evidence, from 1; of triage, the finding.
    pub(super) number: Option<u32>,
    /// Of evidence; empty: none was named.
    pub(super) source: Option<String>,
    /// The hinge that evidence was brought on.
    pub(super) hinge: Option<u8>,
    /// The message to answer a question under.
    pub(super) reply_to: Option<MessageId>,
    /// Whom a question was put to.
    pub(super) addressee: Option<Addressee>,
    /// How much an audit looks at.
    pub(super) audit: Option<AuditScope>,
}

/// Something that a member brings, under its event's snowflake.
#[derive(Clone, Debug)]
pub(super) struct NewBrought {
    pub(super) event: u64,
    pub(super) kind: Brought,
    pub(super) author: UserId,
    pub(super) author_name: String,
    pub(super) text: String,
    pub(super) particulars: Particulars,
}

/// Writes it down, unless it would be too much of one member's in one session.
pub(super) async fn insert(
    tx: &mut SqliteConnection,
    session: &SessionId,
    new: NewBrought,
    at_ms: i64,
) -> Result<(), StoreError> {
    quota::bring(tx, new.kind, session, new.author, at_ms).await?;
    let of = new.particulars;
    let open = new.kind == Brought::Questions || of.hinge.is_some();
    sql!(
        "INSERT INTO brought (id, session_id, kind, number, author_id, author_name, text, source, hinge, reply_to, addressee,
                              audit, at_ms, closed_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        (
            new.event.cast_signed(), session, new.kind.as_str(), of.number, new.author, new.author_name,
            new.text, of.source, of.hinge, of.reply_to.map(MessageId::as_i64),
            of.addressee.map(Addressee::as_str), of.audit.map(AuditScope::number), at_ms,
            (!open).then_some(at_ms),
        )
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// All of a kind that was brought to a session: by its number, else as it came.
pub(super) async fn select<'c>(
    from: impl SqliteExecutor<'c, Database = Sqlite>,
    session: &SessionId,
    kind: Brought,
) -> Result<Vec<SqliteRow>, StoreError> {
    let all = sql!(
        "SELECT * FROM brought WHERE session_id = ?1 AND kind = ?2 ORDER BY number, id",
        (session, kind.as_str())
    );
    Ok(all.fetch_all(from).await?)
}

/// What of a kind is still to be seen to, likewise.
pub(super) async fn select_open<'c>(
    from: impl SqliteExecutor<'c, Database = Sqlite>,
    session: &SessionId,
    kind: Brought,
) -> Result<Vec<SqliteRow>, StoreError> {
    let open = sql!(
        "SELECT * FROM brought WHERE session_id = ?1 AND closed_ms IS NULL AND kind = ?2 ORDER BY number, id",
        (session, kind.as_str())
    );
    Ok(open.fetch_all(from).await?)
}

/// The newest number of a kind in a session; 0 before the first.
pub(super) async fn newest<'c>(
    from: impl SqliteExecutor<'c, Database = Sqlite>,
    session: &SessionId,
    kind: Brought,
) -> Result<u32, StoreError> {
    let newest = sql_scalar!(
        "SELECT coalesce(max(number), 0) FROM brought WHERE session_id = ?1 AND kind = ?2",
        (session, kind.as_str())
    );
    Ok(newest.fetch_one(from).await?)
}

/// Closes what is open, by its number, or its event where its kind has none. `false`: it is not, or not any more.
pub(super) async fn close(
    tx: &mut SqliteConnection,
    session: &SessionId,
    (kind, which): (Brought, u64),
    at_ms: i64,
) -> Result<bool, StoreError> {
    let closed = sql!(
        "UPDATE brought SET closed_ms = ?4
         WHERE session_id = ?1 AND kind = ?2 AND coalesce(number, id) = ?3 AND closed_ms IS NULL",
        (session, kind.as_str(), which.cast_signed(), at_ms)
    );
    let closed = closed;
    Ok(closed.execute(tx).await?.rows_affected() == 1)
}

/// Who brought something, and the name they went by.
pub(super) fn author(row: &SqliteRow) -> (UserId, String) {
    (UserId::from_i64(row.get("author_id")), row.get("author_name"))
}
