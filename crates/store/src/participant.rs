//! Who takes part in a session. Whoever does something to it is noted in the transaction that does it (`inbound`), so no way
//! of taking part is left out; who is not in the thread yet is found by looking, also after a restart.

use sqlx::SqliteConnection;

use super::{Store, StoreError, readable::only};
use crate::statement::{sql, sql_scalar};
use domain::{MessageId, SessionId, UserId};

/// Most members who are added to a thread at once: so many mentions fit a message (Discord takes 2,000 characters of text,
/// and 100 members who may be mentioned).
pub const MOST_ADDED: i64 = 60;

/// Notes that somebody takes part. Nothing of it where the session is gone, or not written yet.
pub(super) async fn joins(
    tx: &mut SqliteConnection,
    session: &SessionId,
    user: UserId,
    at_ms: i64,
) -> Result<(), StoreError> {
    sql!(
        "INSERT INTO participant (session_id, user_id, since_ms) SELECT id, ?2, ?3 FROM session WHERE id = ?1
         ON CONFLICT DO NOTHING",
        (session, user, at_ms)
    )
    .execute(tx)
    .await?;
    Ok(())
}

impl Store {
    /// Sessions with somebody who is not in the thread yet, or with a message that may still mention somebody.
    pub async fn joined(&self) -> Result<Vec<SessionId>, StoreError> {
        let joined =
            sql!("SELECT session_id FROM participant WHERE added = 0 UNION SELECT session_id FROM mention");
        let joined = self.unreadable.but("participant", &joined.fetch_all(&self.readers).await?, only);
        Ok(self.here(joined, |session| session))
    }

    /// Who takes part in a session and is not in its thread yet, the first who did first; [`MOST_ADDED`] at most.
    pub async fn newcomers(&self, session: &SessionId) -> Result<Vec<UserId>, StoreError> {
        let due = sql_scalar!(
            "SELECT user_id FROM participant WHERE session_id = ?1 AND added = 0 ORDER BY since_ms, user_id LIMIT ?2",
            (session, MOST_ADDED)
        );
        Ok(due.fetch_all(&self.readers).await?)
    }

    /// The first of the session's messages in its thread after one, of those that have no text of their own beside their
    /// embeds: what an edit lets it say for a moment is all that it says.
    pub async fn message_without_text(
        &self,
        session: &SessionId,
        after: MessageId,
    ) -> Result<Option<MessageId>, StoreError> {
        let first = sql_scalar!(
            "SELECT message_id FROM outbox
             WHERE session_id = ?1 AND target = 'thread' AND state = 'sent' AND message_id > ?2
               AND json_extract(payload, '$.content') = ''
             ORDER BY message_id LIMIT 1",
            (session, after)
        );
        Ok(first.fetch_optional(&self.readers).await?)
    }

    /// The message of a session that may mention members, if there is one.
    pub async fn mentioning(&self, session: &SessionId) -> Result<Option<MessageId>, StoreError> {
        let message = sql_scalar!("SELECT message_id FROM mention WHERE session_id = ?1", session);
        Ok(message.fetch_optional(&self.readers).await?)
    }

    /// Notes that a message is about to mention members.
    pub async fn mentions(&self, session: &SessionId, message: MessageId) -> Result<(), StoreError> {
        let noted = sql!(
            "INSERT INTO mention (session_id, message_id) SELECT id, ?2 FROM session WHERE id = ?1
             ON CONFLICT (session_id) DO UPDATE SET message_id = excluded.message_id",
            (session, message)
        );
        self.execute(noted).await.map(|_| ())
    }

    /// Notes that these members are in the thread now, and, where it was `taken_back`, that no message mentions any.
    pub async fn added(
        &self,
        session: &SessionId,
        users: Vec<UserId>,
        taken_back: bool,
    ) -> Result<(), StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                for user in users {
                    sql!(
                        "UPDATE participant SET added = 1 WHERE session_id = ?1 AND user_id = ?2",
                        (&session, user)
                    )
                    .execute(&mut *tx)
                    .await?;
                }
                if taken_back {
                    sql!("DELETE FROM mention WHERE session_id = ?1", &session).execute(tx).await?;
                }
                Ok(())
            })
        })
        .await
    }
}
