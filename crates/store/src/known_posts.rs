//! What a database knows to be on Discord of a session's thread. Asked before something is posted, and by `doctor` of a file
//! that is only looked at.

use std::path::Path;

use super::{Store, StoreError, Target, readers::Readers, row::columns, standing::looking};
use crate::statement::{sql_as, sql_scalar};
use domain::{ChannelId, MessageId, SessionId};

/// A database's posts. Reads only.
pub struct KnownPosts(Readers);

/// A session that is not over, and its thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenThread {
    /// The session.
    pub session: SessionId,
    /// Its thread.
    pub thread: ChannelId,
    /// Its live card.
    pub card: Option<MessageId>,
}

columns!(OpenThread: session "id", thread "thread_id", card "status_id");

impl Store {
    /// The posts of this database.
    #[must_use]
    pub fn known_posts(&self) -> KnownPosts {
        KnownPosts(self.readers.clone())
    }

    /// [`KnownPosts::last_before`].
    pub async fn last_message_before(
        &self,
        session: &SessionId,
        id: i64,
        target: Target,
    ) -> Result<Option<MessageId>, StoreError> {
        self.known_posts().last_before(session, id, target).await
    }
}

impl KnownPosts {
    /// The posts of a file that is not opened to write.
    pub async fn of_file(path: &Path) -> Result<Self, StoreError> {
        Ok(Self(Readers::open(&looking(path)).await?))
    }

    /// The threads of sessions that are not over, the newest first, at most so many.
    pub async fn open_threads(&self, most: u32) -> Result<Vec<OpenThread>, StoreError> {
        let open = sql_as!(
            "SELECT id, thread_id, status_id FROM session
             WHERE ended_ms IS NULL AND thread_id IS NOT NULL
             ORDER BY started_ms DESC LIMIT ?1",
            most
        );
        Ok(open.fetch_all(&self.0).await?)
    }

    /// The last message on Discord that is known to be older than a post: the post before it in its thread, or what
    /// asked for the session. Its number is Discord's own, and so says when by Discord's clock.
    pub async fn last_before(
        &self,
        session: &SessionId,
        id: i64,
        target: Target,
    ) -> Result<Option<MessageId>, StoreError> {
        let last = match target {
            Target::Thread => {
                "SELECT max(message_id) FROM outbox
                 WHERE session_id = ?1 AND id < ?2 AND state = 'sent' AND target = 'thread'"
            }
            Target::Channel => "SELECT min(id) FROM inbound WHERE session_id = ?1 AND ?2 > 0",
        };
        let last: Option<i64> =
            sqlx::query_scalar(last).bind(session.as_str()).bind(id).fetch_one(&self.0).await?;
        Ok(last.map(|id| MessageId(id.cast_unsigned())))
    }

    /// How many posts of the thread were tried after the last one before this post that is known to be there: what became of
    /// those may not have been written down when the process ended.
    pub async fn tried_after_last_before(&self, session: &SessionId, id: i64) -> Result<usize, StoreError> {
        let tried: i64 = sql_scalar!(
            "SELECT count(*) FROM outbox
             WHERE session_id = ?1 AND target = 'thread' AND state <> 'sent' AND tries > 0
               AND id > (SELECT coalesce(max(id), 0) FROM outbox
                         WHERE session_id = ?1 AND id < ?2 AND state = 'sent' AND target = 'thread')",
            (session.as_str(), id)
        )
        .fetch_one(&self.0)
        .await?;
        Ok(usize::try_from(tried).unwrap_or_default())
    }

    /// Whether a message of a thread is one of the session's own posts.
    pub async fn is_own(&self, session: &SessionId, message: MessageId) -> Result<bool, StoreError> {
        let found: i64 = sql_scalar!(
            "SELECT count(*) FROM outbox WHERE session_id = ?1 AND message_id = ?2",
            (session.as_str(), message.as_i64())
        )
        .fetch_one(&self.0)
        .await?;
        Ok(found > 0)
    }
}
