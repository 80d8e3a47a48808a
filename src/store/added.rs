//! What people add to a session's budget: as much again, each time. How often that was done is how many events say so.

use super::{Inbound, NewPost, Store, StoreError, inbound, outbox};
use crate::domain::{Caps, SessionId};

const TIMES: &str = "SELECT count(*) FROM inbound WHERE session_id = ?1 AND kind = 'budget'";

impl Store {
    /// How often people have let a session use as much again.
    pub async fn budgets_added(&self, id: &SessionId) -> Result<i64, StoreError> {
        Ok(sqlx::query_scalar(TIMES).bind(id.as_str()).fetch_one(&self.readers).await?)
    }

    /// Lets a session use as much again, if that was done so often `before` as whoever did it has read.
    pub async fn add_budget(
        &self,
        id: &SessionId,
        event: Inbound,
        (before, again): (i64, Caps),
        posts: Vec<NewPost>,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let id = id.clone();
        self.write_soon(move |tx| {
            Box::pin(async move {
                let times: i64 = sqlx::query_scalar(TIMES).bind(id.as_str()).fetch_one(&mut *tx).await?;
                inbound::record(tx, &event, at_ms).await?;
                if times != before {
                    return Err(StoreError::Reread);
                }
                // Shown at once; the next call brings the same.
                let caps = again.times(before + 2);
                sqlx::query(
                    "UPDATE account SET calls_cap = max(calls_cap, ?2), tokens_cap = max(tokens_cap, ?3),
                                        money_cap = max(money_cap, ?4)
                     WHERE scope = 'session' AND owner = ?1",
                )
                .bind(id.as_str())
                .bind(caps.calls)
                .bind(caps.tokens)
                .bind(caps.money.0)
                .execute(&mut *tx)
                .await?;
                outbox::insert(tx, &id, &posts).await
            })
        })
        .await
    }
}
