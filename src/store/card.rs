//! Where a session's live card stands: the message that opened the session, or the newest of those that took its
//! place because Discord let it be edited no longer. Read from the outbox alone, so that it is as durable as that.

use sqlx::{Row, SqliteConnection};

use super::{NewPost, Store, StoreError, Target, outbox};
use crate::domain::{MessageId, SessionId, StepKey};

/// Where a live card is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CardAt {
    /// It waits in the outbox, be it the first or one that takes another's place.
    Waiting,
    /// It is on Discord: in the channel the first, in the thread one that took its place.
    Posted(Target, MessageId),
    /// Discord took none.
    Never,
}

/// The key of the card that takes the place of another; there is one for each that can be edited no longer.
#[must_use]
pub fn next_card(instead_of: MessageId) -> StepKey {
    StepKey::new(format!("card/{instead_of}"))
}

/// Notes that a session's card shows less than is so, inside the transaction that makes it so: it is drawn again, after a
/// restart too.
pub(super) async fn outdated(tx: &mut SqliteConnection, session: &SessionId) -> Result<(), StoreError> {
    let noted = sqlx::query("UPDATE session SET card_state = NULL WHERE id = ?1");
    noted.bind(session.as_str()).execute(tx).await?;
    Ok(())
}

impl Store {
    /// Where a session's live card is.
    pub async fn card_at(&self, session: &SessionId) -> Result<CardAt, StoreError> {
        let row = sqlx::query(
            "SELECT target, message_id FROM outbox
             WHERE session_id = ?1 AND (target = 'channel' OR post_key LIKE 'card/%') AND state <> 'dead'
             ORDER BY id DESC LIMIT 1",
        );
        let Some(row) = row.bind(session.as_str()).fetch_optional(&self.readers).await? else {
            return Ok(CardAt::Never);
        };
        let posted = row.try_get::<Option<i64>, _>("message_id")?;
        Ok(posted.map_or(CardAt::Waiting, |id| CardAt::Posted(row.get("target"), MessageId::from_i64(id))))
    }

    /// Has another card take the place of one, once. `false`: one was to, and Discord did not take it.
    pub async fn replace_card(&self, session: &SessionId, card: NewPost) -> Result<bool, StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                outbox::insert(tx, &session, std::slice::from_ref(&card)).await?;
                let state: String =
                    sqlx::query_scalar("SELECT state FROM outbox WHERE session_id = ?1 AND post_key = ?2")
                        .bind(session.as_str())
                        .bind(&card.key)
                        .fetch_one(tx)
                        .await?;
                Ok(state != "dead")
            })
        })
        .await
    }
}
