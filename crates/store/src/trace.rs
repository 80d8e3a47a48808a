//! What somebody leaves in a session beside rows of their own: the name under which they did something, their words in what
//! it reads, their document. Whatever is written down here is found when they want it deleted.

use serde::{Deserialize, Serialize};
use sqlx::SqliteConnection;

use super::StoreError;
use crate::statement::sql;
use domain::{SessionId, UserId};

/// Whoever wrote something that a session is given to read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Quoted {
    /// Their number.
    pub member: UserId,
    /// The name they went by.
    pub name: String,
    /// What they wrote, as it stands there.
    pub words: String,
    /// Whether the document is theirs too, or a part of it.
    pub files: bool,
}

/// What of others a session begins with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FromOthers {
    /// Whose messages it is given.
    pub quoted: Vec<Quoted>,
    /// Out of which session it has its document.
    pub document_of: Option<SessionId>,
}

/// Notes the name under which somebody did something in a session. Nothing of it where the session is not written yet.
pub(super) async fn name(
    tx: &mut SqliteConnection,
    session: &SessionId,
    (user, name): (UserId, &str),
    at_ms: i64,
) -> Result<(), StoreError> {
    leave(tx, session, (user, "name", name), at_ms).await
}

/// Notes what a new session has of others.
pub(super) async fn begins(
    tx: &mut SqliteConnection,
    session: &SessionId,
    from: &FromOthers,
    at_ms: i64,
) -> Result<(), StoreError> {
    for Quoted { member, name, words, files } in &from.quoted {
        leave(tx, session, (*member, "name", name), at_ms).await?;
        leave(tx, session, (*member, "words", words), at_ms).await?;
        if *files {
            leave(tx, session, (*member, "document", ""), at_ms).await?;
        }
    }
    let Some(other) = &from.document_of else { return Ok(()) };
    inherit(tx, session, other).await?;
    let theirs = sql!(
        "INSERT INTO trace (session_id, user_id, what, text, at_ms)
         SELECT ?1, starter_id, 'document', '', started_ms FROM session WHERE id = ?2",
        (session, other)
    );
    theirs.execute(tx).await?;
    Ok(())
}

/// Notes in a new session all that was left in another whose record or document it reads.
pub(super) async fn inherit(
    tx: &mut SqliteConnection,
    session: &SessionId,
    from: &SessionId,
) -> Result<(), StoreError> {
    let all = sql!(
        "INSERT INTO trace (session_id, user_id, what, text, at_ms)
         SELECT DISTINCT ?1, user_id, what, text, at_ms FROM left_in
         WHERE session_id = ?2 AND user_id IS NOT NULL AND text IS NOT NULL
         UNION ALL SELECT ?1, starter_id, 'name', starter_name, started_ms FROM session WHERE id = ?2
         UNION ALL SELECT ?1, starter_id, 'words', json_extract(plan, '$.brief.problem'), started_ms FROM session
                   WHERE id = ?2 AND json_type(plan, '$.brief.problem') = 'text'",
        (session, from)
    );
    all.execute(tx).await?;
    Ok(())
}

async fn leave(
    tx: &mut SqliteConnection,
    session: &SessionId,
    (user, what, text): (UserId, &str, &str),
    at_ms: i64,
) -> Result<(), StoreError> {
    let new = sql!(
        "INSERT INTO trace (session_id, user_id, what, text, at_ms) SELECT id, ?2, ?3, ?4, ?5 FROM session
         WHERE id = ?1 AND NOT EXISTS (
             SELECT 1 FROM trace WHERE session_id = ?1 AND user_id = ?2 AND what = ?3 AND text = ?4)",
        (session, user, what, text, at_ms)
    );
    new.execute(tx).await?;
    Ok(())
}
