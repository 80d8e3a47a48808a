//! What people add to a session's budget: a step of its journal for each addition.

use sqlx::{SqliteConnection, types::Json};

use super::{
    Inbound, NewPost, Store, StoreError, inbound, outbox, quota,
    session::{state, transition},
    wait,
};
use crate::statement::{sql, sql_scalar};
use domain::{Addition, OpenSessions, SessionId, SessionState, StepKey, UserId};

/// What such a step is.
const KIND: &str = "budget";

/// What was added to a session's budget, first to last.
pub(super) const ADDED: &str = "SELECT output FROM step WHERE session_id = ?1 AND key > 'budget/' AND key < 'budget0' AND kind = 'budget'
                     ORDER BY started_ms, key";

impl Store {
    /// What people have added to a session's budget, first to last.
    pub async fn additions(&self, id: &SessionId) -> Result<Vec<Addition>, StoreError> {
        let added: Vec<Json<Addition>> = sql_scalar!(ADDED, id.as_str()).fetch_all(&self.readers).await?;
        Ok(added.into_iter().map(|Json(addition)| addition).collect())
    }

    /// Adds to a session's budget, if that was done so often `before` as whoever does it has read
    /// ([`StoreError::Reread`] else). A session that was paused for want of budget goes on by that; `true`: it does.
    /// Nothing is added where it would and too many run.
    pub async fn add_budget(
        &self,
        id: &SessionId,
        event: Inbound,
        (before, addition, by): (usize, Addition, UserId),
        posts: Vec<NewPost>,
        most: OpenSessions,
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        let id = id.clone();
        self.write_soon(move |tx| {
            Box::pin(async move {
                inbound::record(tx, &event, at_ms).await?;
                let added: Vec<String> = sql_scalar!(ADDED, id.as_str()).fetch_all(&mut *tx).await?;
                if added.len() != before {
                    return Err(StoreError::Reread);
                }
                sql!(
                    "INSERT INTO step (session_id, key, kind, state, output, started_ms, finished_ms)
                     VALUES (?1, ?2, ?3, 'done', ?4, ?5, ?5)",
                    (
                        id.as_str(),
                        StepKey::new(format!("budget/{}", event.id)).as_str(),
                        KIND,
                        Json(&addition),
                        at_ms,
                    )
                )
                .execute(&mut *tx)
                .await?;
                raise(tx, &id, &addition).await?;
                outbox::insert(tx, &id, &posts).await?;
                let spent = state(tx, &id).await? == SessionState::Paused && wait::is_spent(tx, &id).await?;
                if spent {
                    transition(tx, &id, &[SessionState::Paused], SessionState::Running, None, at_ms).await?;
                    quota::go_on(tx, &id, most).await?;
                    wait::close_all(tx, &id, SessionState::Running, Some(by)).await?;
                }
                Ok(spent)
            })
        })
        .await
    }
}

/// Shown at once; the next call brings the same.
async fn raise(tx: &mut SqliteConnection, id: &SessionId, addition: &Addition) -> Result<(), StoreError> {
    let more = addition.more;
    sql!(
        "UPDATE account SET calls_cap = calls_cap + ?2, tokens_cap = tokens_cap + ?3, money_cap = money_cap + ?4
         WHERE scope = 'session' AND owner = ?1",
        (id.as_str(), more.calls, more.tokens, more.money.0)
    )
    .execute(tx)
    .await?;
    Ok(())
}
