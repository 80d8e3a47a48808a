//! Sessions that go on with what others left open. Each matter is taken up by one at a time, and the card that names the
//! new session is written in the transaction that starts it.

use sqlx::{Row, SqliteConnection};

use super::{NewPost, Store, StoreError, outbox, panel, session, trace};
use crate::statement::{sql, sql_scalar};
use domain::{Left, SessionId, StepKey};

/// With what a new session goes on.
#[derive(Clone, Debug)]
pub struct NewSequel {
    /// The session that left it open.
    pub from: SessionId,
    /// Which matter.
    pub left: Left,
    /// The card in that session's thread, under [`sequel_key`].
    pub card: NewPost,
}

/// The panel in the thread of the session that left something open, which names the one that goes on with it.
#[must_use]
pub fn sequel_key(to: &SessionId) -> StepKey {
    StepKey::new(format!("sequel/{to}"))
}

/// Takes a matter up inside the transaction that starts the session `to`. Refused with [`StoreError::TakenUp`] while
/// another does.
pub(super) async fn take_up(
    tx: &mut SqliteConnection,
    new: &NewSequel,
    to: &SessionId,
) -> Result<(), StoreError> {
    let left = new.left.spelled();
    // Deleted since it was shown.
    session::state(tx, &new.from).await?;
    let there = sql!(
        "SELECT q.to_session, s.state IN ('failed', 'cancelled', 'parked') AS gone
         FROM sequel q JOIN session s ON s.id = q.to_session WHERE q.from_session = ?1 AND q.left_open = ?2",
        (new.from.as_str(), &left)
    )
    .fetch_optional(&mut *tx)
    .await?;
    if let Some(there) = there {
        if !there.get::<bool, _>("gone") {
            return Err(StoreError::TakenUp(there.try_get("to_session")?));
        }
        sql!("DELETE FROM sequel WHERE from_session = ?1 AND left_open = ?2", (new.from.as_str(), &left))
            .execute(&mut *tx)
            .await?;
    }
    sql!(
        "INSERT INTO sequel (from_session, left_open, to_session) VALUES (?1, ?2, ?3)",
        (new.from.as_str(), &left, to.as_str())
    )
    .execute(&mut *tx)
    .await?;
    trace::inherit(tx, to, &new.from).await?;
    outbox::insert(tx, &new.from, std::slice::from_ref(&new.card)).await?;
    panel::open(tx, &new.from, &new.card.key).await
}

impl Store {
    /// The session whose matter another one takes up; `None` where that stands for itself.
    pub async fn sequel_of(&self, to: &SessionId) -> Result<Option<SessionId>, StoreError> {
        let from = sql_scalar!("SELECT from_session FROM sequel WHERE to_session = ?1", to.as_str());
        Ok(from.fetch_optional(&self.readers).await?)
    }
}
