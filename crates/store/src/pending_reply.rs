//! Answers that members were promised and have not got yet: what is left of them after a kill is finished at the next
//! start. Losing one costs a member nothing but a "thinking…" that never ends, so no command waits for these writes.

use super::{Store, StoreError};
use crate::statement::{sql, sql_as};
use domain::{InteractionId, Secret};

/// How long Discord takes an answer, in milliseconds (documentation, interactions/receiving-and-responding: 15 minutes).
const TOKEN_LIFE_MS: i64 = 15 * 60 * 1000;

/// An answer that was promised.
#[derive(Debug)]
pub struct PendingReply {
    /// To what.
    pub interaction: InteractionId,
    /// The bot's application.
    pub application: u64,
    /// With what it is given.
    pub token: Secret,
}

impl Store {
    /// Notes that an answer was promised at this time, and forgets those that are too late by now.
    pub async fn promise_reply(&self, reply: PendingReply, at_ms: i64) -> Result<(), StoreError> {
        self.write(move |tx| {
            Box::pin(async move {
                sql!("DELETE FROM pending_reply WHERE at_ms < ?1", at_ms - TOKEN_LIFE_MS)
                    .execute(&mut *tx)
                    .await?;
                sql!(
                    "INSERT INTO pending_reply (interaction_id, application_id, token, at_ms) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT DO NOTHING",
                    (
                        reply.interaction.0.cast_signed(), reply.application.cast_signed(),
                        reply.token.reveal(), at_ms,
                    )
                )
                .execute(tx)
                .await?;
                Ok(())
            })
        })
        .await
    }

    /// Notes that an answer was given, or cannot be.
    pub async fn reply_given(&self, interaction: InteractionId) -> Result<(), StoreError> {
        self.write(move |tx| {
            Box::pin(async move {
                sql!("DELETE FROM pending_reply WHERE interaction_id = ?1", interaction.0.cast_signed())
                    .execute(tx)
                    .await?;
                Ok(())
            })
        })
        .await
    }

    /// The answers that were promised before this time and can still be given, oldest first.
    pub async fn promised_replies(&self, before_ms: i64) -> Result<Vec<PendingReply>, StoreError> {
        let rows: Vec<(i64, i64, String)> = sql_as!(
            "SELECT interaction_id, application_id, token FROM pending_reply
             WHERE at_ms < ?1 AND at_ms > ?2 ORDER BY interaction_id",
            (before_ms, before_ms - TOKEN_LIFE_MS)
        )
        .fetch_all(&self.readers)
        .await?;
        let reply = |(interaction, application, token): (i64, i64, String)| PendingReply {
            interaction: InteractionId(interaction.cast_unsigned()),
            application: application.cast_unsigned(),
            token: Secret::new(&token),
        };
        Ok(rows.into_iter().map(reply).collect())
    }
}
