//! What a session's thread is to be named after, and what it was named last. The schema has it due in the transaction that
//! puts the question in other words; it is found by looking, also after a restart.

use super::{Store, StoreError, readable::only};
use crate::statement::{sql, sql_as, sql_scalar};
use domain::SessionId;

/// A thread that may have to be renamed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadName {
    /// After what it is to be named.
    pub wanted: String,
    /// As what the bot started or renamed it last.
    pub last: String,
}

impl Store {
    /// Has a session's thread named after this from now on; nothing where that was said before.
    pub async fn name_thread(&self, session: &SessionId, after: &str) -> Result<(), StoreError> {
        let wanted = sql_scalar!("SELECT thread_wanted FROM session WHERE id = ?1", session);
        let wanted: Option<Option<String>> = wanted.fetch_optional(&self.readers).await?;
        // A run that goes on says it again, and writes nothing.
        if wanted.flatten().as_deref() == Some(after) {
            return Ok(());
        }
        let name = sql!("UPDATE session SET thread_wanted = ?2 WHERE id = ?1", (session, after.to_owned()));
        self.execute(name).await.map(|_| ())
    }

    /// Sessions whose threads may have to be renamed.
    pub async fn misnamed(&self) -> Result<Vec<SessionId>, StoreError> {
        // By the few that are due, not by all that have a thread.
        let due = sql!("SELECT id FROM session WHERE rename_due = 1 AND +thread_id IS NOT NULL");
        let due = self.unreadable.but("session", &due.fetch_all(&self.readers).await?, only);
        Ok(self.here(due, |session| session))
    }

    /// What a session's thread is to be named after; nothing where it keeps its name.
    pub async fn thread_name(&self, session: &SessionId) -> Result<Option<ThreadName>, StoreError> {
        let name: Option<(Option<String>, Option<String>, String)> =
            sql_as!("SELECT thread_wanted, thread_name, title FROM session WHERE id = ?1", session)
                .fetch_optional(&self.readers)
                .await?;
        let (wanted, renamed, title) = name.ok_or(StoreError::Missing("session"))?;
        Ok(wanted.map(|wanted| ThreadName { wanted, last: renamed.unwrap_or(title) }))
    }

    /// Notes that a thread was seen to, with the name that it was given, if it was; it is due again if it is to be named
    /// after something else meanwhile.
    pub async fn thread_named(
        &self,
        session: &SessionId,
        seen_to: &str,
        name: Option<String>,
    ) -> Result<(), StoreError> {
        let named = sql!(
            "UPDATE session SET rename_due = thread_wanted IS NOT ?2, thread_name = ifnull(?3, thread_name) WHERE id = ?1",
            (session, seen_to.to_owned(), name)
        );
        self.execute(named).await.map(|_| ())
    }
}
