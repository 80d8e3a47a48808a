//! The offer in a session's row: whether fitting modules may be asked for beside the usual ones, and who did.

use super::{Inbound, Store, StoreError, inbound, session};
use crate::domain::{Offer, SessionId};

impl Store {
    /// How the offer of a session stands.
    pub async fn offer(&self, id: &SessionId) -> Result<Offer, StoreError> {
        let row: Option<(String, Option<String>)> =
            sqlx::query_as("SELECT offer_state, offer_by FROM session WHERE id = ?1")
                .bind(id.as_str())
                .fetch_optional(&self.readers)
                .await?;
        let (state, by) = row.ok_or(StoreError::Missing("session"))?;
        Ok(read(&state, by))
    }

    /// Makes the offer, unless it was made before or its time is over.
    pub async fn make_offer(&self, id: &SessionId) -> Result<(), StoreError> {
        let id = id.clone();
        self.write(move |tx| {
            Box::pin(async move {
                sqlx::query("UPDATE session SET offer_state = 'open' WHERE id = ?1 AND offer_state = 'none'")
                    .bind(id.as_str())
                    .execute(tx)
                    .await?;
                Ok(())
            })
        })
        .await
    }

    /// Takes a member at it. `false`: it is not open.
    pub async fn take_offer(
        &self,
        id: &SessionId,
        event: Inbound,
        by: String,
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        let id = id.clone();
        self.write_soon(move |tx| {
            Box::pin(async move {
                let state = session::state(tx, &id).await?;
                let taken = sqlx::query(
                    "UPDATE session SET offer_state = 'wished', offer_by = ?2 WHERE id = ?1 AND offer_state = 'open'",
                )
                .bind(id.as_str())
                .bind(by)
                .execute(&mut *tx)
                .await?
                .rows_affected()
                    > 0;
                if !taken {
                    return Ok(false);
                }
                if state.is_final() {
                    return Err(StoreError::NotRunning(state.as_str().to_owned()));
                }
                inbound::record(tx, &event, at_ms).await?;
                Ok(true)
            })
        })
        .await
    }

    /// Ends the offer, which nobody takes from now on, and gives who took it.
    pub async fn close_offer(&self, id: &SessionId) -> Result<Option<String>, StoreError> {
        let id = id.clone();
        self.write(move |tx| {
            Box::pin(async move {
                let (state, by): (String, Option<String>) = sqlx::query_as(
                    "UPDATE session SET offer_state = CASE offer_state WHEN 'wished' THEN 'wished' ELSE 'closed' END
                     WHERE id = ?1 RETURNING offer_state, offer_by",
                )
                .bind(id.as_str())
                .fetch_optional(tx)
                .await?
                .ok_or(StoreError::Missing("session"))?;
                Ok(match read(&state, by) {
                    Offer::Taken(by) => Some(by),
                    Offer::None | Offer::Open => None,
                })
            })
        })
        .await
    }
}

fn read(state: &str, by: Option<String>) -> Offer {
    match state {
        "open" => Offer::Open,
        "wished" => Offer::Taken(by.unwrap_or_default()),
        _ => Offer::None,
    }
}
