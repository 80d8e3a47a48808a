//! How votes end: what is due of them by itself, their reminder, their close and their count. Each happens once, whoever
//! asks for it how often.

use sqlx::SqliteConnection;

use super::{
    Inbound, NewPost, Store, StoreError, VoteRefusal, card, inbound, outbox, panel, readable::each, trust,
    vote::taking,
};
use crate::statement::{sql, sql_scalar};
use domain::{Moved, SessionId, StepKey, UserId};

/// Why a vote is closed.
#[derive(Clone, Debug)]
pub enum Closing {
    /// Its deadline has passed.
    Deadline,
    /// Somebody wants it closed.
    Person {
        /// The press.
        event: Inbound,
        /// Who closed it.
        by: UserId,
        /// The name they go by.
        by_name: String,
    },
}

impl Store {
    /// Closes a vote, if it is open: for a deadline only once that has passed. [`VoteRefusal::Over`] tells a person
    /// that it was closed before; `false` a deadline.
    pub async fn close_vote(
        &self,
        session: &SessionId,
        key: &StepKey,
        closing: Closing,
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        let (session, key) = (session.clone(), key.clone());
        self.write_soon(move |tx| {
            Box::pin(async move {
                match closing {
                    Closing::Deadline => close(tx, (&session, &key), "deadline", None, at_ms).await,
                    Closing::Person { event, by, by_name } => {
                        inbound::record(tx, &event, at_ms).await?;
                        if close(tx, (&session, &key), "person", Some((by, &by_name)), at_ms).await? {
                            return Ok(true);
                        }
                        let known = taking(tx, (&session, &key)).await?.is_some();
                        Err(if known { VoteRefusal::Over } else { VoteRefusal::Absent }.into())
                    }
                }
            })
        })
        .await
    }

    /// Puts the result of a closed vote into the outbox, once, with what it says of the experts. `false`: it was there
    /// already, or the vote is open.
    pub async fn count_vote(
        &self,
        session: &SessionId,
        key: &StepKey,
        result: Vec<NewPost>,
        (moved, at_ms): (Vec<Moved>, i64),
    ) -> Result<bool, StoreError> {
        let (session, key) = (session.clone(), key.clone());
        self.write(move |tx| {
            Box::pin(async move {
                let counted = sql!(
                    "UPDATE vote SET state = 'counted' WHERE session_id = ?1 AND key = ?2 AND state = 'closed'",
                    (session.as_str(), key.as_str())
                )
                .execute(&mut *tx)
                .await?;
                if counted.rows_affected() == 0 {
                    return Ok(false);
                }
                outbox::insert(tx, &session, &result).await?;
                trust::note(tx, &session, &moved, at_ms).await?;
                panel::changed(tx, &session, key.as_str()).await?;
                card::outdated(tx, &session).await?;
                Ok(true)
            })
        })
        .await
    }

    /// Puts the reminder of an open vote into the outbox, once.
    pub async fn remind_vote(
        &self,
        session: &SessionId,
        key: &StepKey,
        reminder: Vec<NewPost>,
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        let (session, key) = (session.clone(), key.clone());
        self.write(move |tx| {
            Box::pin(async move {
                let due = sql!(
                    "UPDATE vote SET remind_ms = NULL WHERE session_id = ?1 AND key = ?2
                     AND state = 'open' AND remind_ms <= ?3 AND deadline_ms > ?3",
                    (session.as_str(), key.as_str(), at_ms)
                )
                .execute(&mut *tx)
                .await?;
                let reminder = if due.rows_affected() == 1 { &reminder[..] } else { &[] };
                outbox::insert(tx, &session, reminder).await?;
                Ok(due.rows_affected() == 1)
            })
        })
        .await
    }

    /// Open votes whose deadline has passed.
    pub async fn overdue_votes(&self, now_ms: i64) -> Result<Vec<(SessionId, StepKey)>, StoreError> {
        self.votes("SELECT session_id, key FROM vote WHERE state = 'open' AND deadline_ms <= ?1", now_ms)
            .await
    }

    /// Open votes whose reminder is due.
    pub async fn votes_to_remind(&self, now_ms: i64) -> Result<Vec<(SessionId, StepKey)>, StoreError> {
        let due =
            "SELECT session_id, key FROM vote WHERE state = 'open' AND remind_ms <= ?1 AND deadline_ms > ?1";
        self.votes(due, now_ms).await
    }

    /// Votes that are closed and not counted, as a crash may leave them.
    pub async fn uncounted_votes(&self) -> Result<Vec<(SessionId, StepKey)>, StoreError> {
        self.votes("SELECT session_id, key FROM vote WHERE state = 'closed' AND closed_ms >= ?1", 0).await
    }

    async fn votes(&self, query: &'static str, now_ms: i64) -> Result<Vec<(SessionId, StepKey)>, StoreError> {
        let rows = sqlx::query(query).bind(now_ms).fetch_all(&self.readers).await?;
        Ok(self.here(self.unreadable.but("vote", &rows, each), |(session, _)| session))
    }

    /// The next moment after `now_ms` at which something is due by itself: the reminder or end of a vote, or the end of
    /// a wait.
    pub async fn next_deadline(&self, now_ms: i64) -> Result<Option<i64>, StoreError> {
        let next = sql_scalar!(
            "SELECT min(at) FROM (
                SELECT min(deadline_ms) AS at FROM vote WHERE state = 'open' AND deadline_ms > ?1
                UNION ALL SELECT min(remind_ms) FROM vote WHERE state = 'open' AND remind_ms > ?1
                UNION ALL SELECT min(deadline_ms) FROM wait WHERE value IS NULL AND deadline_ms > ?1
             )",
            now_ms
        );
        Ok(next.fetch_one(&self.readers).await?)
    }
}

/// Closes an open vote inside a transaction; `false` if it is not open, or its deadline has not passed.
pub(super) async fn close(
    tx: &mut SqliteConnection,
    (session, key): (&SessionId, &StepKey),
    why: &str,
    by: Option<(UserId, &str)>,
    at_ms: i64,
) -> Result<bool, StoreError> {
    let closed = sql!(
        "UPDATE vote SET state = 'closed', closed_ms = ?3, closed_why = ?4, closed_by_id = ?5, closed_by_name = ?6,
                         remind_ms = NULL
         WHERE session_id = ?1 AND key = ?2 AND state = 'open' AND deadline_ms IS NOT NULL
           AND (?4 <> 'deadline' OR deadline_ms <= ?3)",
        (session.as_str(), key.as_str(), at_ms, why, by.map(|(id, _)| id.as_i64()), by.map(|(_, name)| name))
    )
    .execute(&mut *tx)
    .await?;
    if closed.rows_affected() == 1 {
        panel::changed(tx, session, key.as_str()).await?;
    }
    Ok(closed.rows_affected() == 1)
}

/// Closes the vote that was held with a wait, if there was one, because the session goes on; inside the transaction
/// that lets it. Nothing is left to be counted.
pub(super) async fn close_in(
    tx: &mut SqliteConnection,
    (session, key): (&SessionId, &StepKey),
    at_ms: i64,
) -> Result<(), StoreError> {
    sql!(
        "UPDATE vote SET state = 'counted', closed_ms = ?3, closed_why = 'start'
         WHERE session_id = ?1 AND key = ?2 AND state = 'open' AND deadline_ms IS NULL",
        (session.as_str(), key.as_str(), at_ms)
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Takes votes back that nobody has seen, because their panel was dropped unsent: they would remind of themselves and
/// post a result.
pub(super) async fn take_back_unseen(
    tx: &mut SqliteConnection,
    session: &SessionId,
) -> Result<(), StoreError> {
    sql!(
        "DELETE FROM vote WHERE session_id = ?1 AND deadline_ms IS NOT NULL AND EXISTS (
            SELECT 1 FROM outbox o WHERE o.session_id = vote.session_id AND o.post_key = vote.key
            AND o.part = 0 AND o.state = 'dead')",
        session.as_str()
    )
    .execute(tx)
    .await?;
    Ok(())
}
