//! Who wants to be told when a session stands still. The schema makes them due in the transaction that has it stand still;
//! they are told in one that puts the ping into the outbox, so each is told once, whatever happens in between.

use sqlx::SqliteConnection;

use super::{Inbound, NewPost, Store, StoreError, inbound, outbox, readable::only, session};
use crate::statement::{sql, sql_as, sql_scalar};
use domain::{SessionId, SessionState, UserId};

/// Most members of one ping: so many mentions fit a message (Discord takes 2,000 characters of text).
pub const MOST_TOLD: i64 = 60;

impl Store {
    /// Whether somebody is to be told.
    pub async fn has_bell(&self, session: &SessionId, user: UserId) -> Result<bool, StoreError> {
        let there =
            sql!("SELECT 1 FROM bell WHERE session_id = ?1 AND user_id = ?2", (session.as_str(), user));
        Ok(there.fetch_optional(&self.readers).await?.is_some())
    }

    /// Has somebody told from now on, or not any more. Refused with [`StoreError::NotRunning`] where the session is over.
    pub async fn set_bell(
        &self,
        session: &SessionId,
        event: Inbound,
        (user, wanted): (UserId, bool),
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let session = session.clone();
        self.write_soon(move |tx| {
            Box::pin(async move {
                inbound::record(tx, &event, at_ms).await?;
                let state = session::state(tx, &session).await?;
                if state.is_final() {
                    return Err(StoreError::NotRunning(state.as_str().to_owned()));
                }
                let set = if wanted {
                    "INSERT INTO bell (session_id, user_id) VALUES (?1, ?2) ON CONFLICT DO NOTHING"
                } else {
                    "DELETE FROM bell WHERE session_id = ?1 AND user_id = ?2"
                };
                sqlx::query(set).bind(session.as_str()).bind(user).execute(tx).await?;
                Ok(())
            })
        })
        .await
    }

    /// Who is to be told now that a session stands so; [`MOST_TOLD`] at most.
    pub async fn due_bells(&self, session: &SessionId) -> Result<Vec<(UserId, SessionState)>, StoreError> {
        let due = sql_as!(
            "SELECT user_id, due FROM bell WHERE session_id = ?1 AND due IS NOT NULL ORDER BY user_id LIMIT ?2",
            (session.as_str(), MOST_TOLD)
        );
        Ok(due.fetch_all(&self.readers).await?)
    }

    /// Sessions with somebody to be told.
    pub async fn ringing(&self) -> Result<Vec<SessionId>, StoreError> {
        let due = sql!("SELECT DISTINCT session_id FROM bell WHERE due IS NOT NULL");
        let due = self.unreadable.but("bell", &due.fetch_all(&self.readers).await?, only);
        Ok(self.here(due, |session| session))
    }

    /// Puts a ping for those into the outbox, once. `false`: one of them was told already, of a pause since which no model
    /// has answered, or the session stands otherwise now, and nothing was posted. Who was told of a session's end is not told again.
    pub async fn ring(
        &self,
        session: &SessionId,
        (told, state): (Vec<UserId>, SessionState),
        ping: Vec<NewPost>,
    ) -> Result<bool, StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                if session::state(tx, &session).await? != state {
                    return Ok(false);
                }
                let all = told.len();
                let mut due = 0;
                for user in told {
                    let now = sql!(
                        "UPDATE bell SET due = NULL WHERE session_id = ?1 AND user_id = ?2 AND due = ?3",
                        (session.as_str(), user, state.as_str())
                    );
                    let now = now.execute(&mut *tx).await?;
                    due += usize::try_from(now.rows_affected()).unwrap_or_default();
                }
                // Whoever took their wish back meanwhile is not pinged: it is asked once more who is due.
                if due < all {
                    return Err(StoreError::Reread);
                }
                // However often it is resumed and stops again: nothing came of that, and all were told.
                if state == SessionState::Paused && told_since(tx, &session).await? {
                    return Ok(false);
                }
                outbox::insert(tx, &session, &ping).await?;
                Ok(true)
            })
        })
        .await
    }
}

/// Whether a ping told that the session is paused, and nothing was done since. Its moment stands in its key.
async fn told_since(tx: &mut SqliteConnection, session: &SessionId) -> Result<bool, StoreError> {
    let told = sql_scalar!(
        "SELECT coalesce(max(CAST(substr(post_key, length('bell/paused-') + 1) AS INTEGER))
                         >= (SELECT coalesce(max(finished_ms), 0) FROM step
                             WHERE session_id = ?1 AND state = 'done' AND kind LIKE 'ask:%'), 0)
         FROM outbox WHERE session_id = ?1 AND post_key LIKE 'bell/paused-%'",
        session
    );
    Ok(told.fetch_one(tx).await?)
}
