//! What stands open in a session's row until a step takes it from there: the question in which its problem is put, and the
//! offer to have fitting modules chosen. The protocol lays it there, one member after another may have a say, and from when
//! it is taken nobody has.

use sqlx::{Row, sqlite::SqliteRow};

use super::{Inbound, Store, StoreError, inbound, session};
use crate::statement::sql;
use domain::{Offer, SessionId, StatedQuestion};

/// A member's say about the question: session, who, and in which words.
const REWORD: &str =
    "UPDATE session SET question_by = ?2, question = ?3 WHERE id = ?1 AND question_state = 'open'";
/// Taking up the offer: session and who.
const TAKE: &str =
    "UPDATE session SET offer_state = 'wished', offer_by = ?2 WHERE id = ?1 AND offer_state = 'open'";

/// What stands open in a session's row ([`of`]).
pub(super) const STANDS: &str =
    "SELECT question, question_by, question_state, offer_state, offer_by FROM session WHERE id = ?1";

/// The question and the offer that stand in a row.
pub(super) fn of(row: &SqliteRow) -> Result<(Option<StatedQuestion>, Offer), StoreError> {
    let (state, offer): (&str, &str) = (row.try_get("question_state")?, row.try_get("offer_state")?);
    let question = (state != "none").then_some(StatedQuestion {
        text: row.try_get("question")?,
        changed_by: row.try_get("question_by")?,
        open: state == "open",
    });
    let offer = match offer {
        "open" => Offer::Open,
        "wished" => Offer::Taken(row.try_get::<Option<String>, _>("offer_by")?.unwrap_or_default()),
        _ => Offer::None,
    };
    Ok((question, offer))
}

impl Store {
    /// The question of a session as it stands; nothing where its problem is one by itself.
    pub async fn stated_question(&self, id: &SessionId) -> Result<Option<StatedQuestion>, StoreError> {
        Ok(self.stands(id).await?.0)
    }

    /// How the offer of a session stands.
    pub async fn offer(&self, id: &SessionId) -> Result<Offer, StoreError> {
        Ok(self.stands(id).await?.1)
    }

    async fn stands(&self, id: &SessionId) -> Result<(Option<StatedQuestion>, Offer), StoreError> {
        let row = sql!(STANDS, id.as_str()).fetch_optional(&self.readers).await?;
        of(&row.ok_or(StoreError::Missing("session"))?)
    }

    /// Puts down what a model made of the problem, unless there is a question already or none is wanted any more.
    pub async fn state_question(&self, id: &SessionId, question: &str) -> Result<(), StoreError> {
        let state = "UPDATE session SET question = ?2
                     WHERE id = ?1 AND question IS NULL AND question_state = 'open'";
        self.lay(id, state, Some(question.to_owned())).await
    }

    /// Makes the offer, unless it was made before or its time is over.
    pub async fn make_offer(&self, id: &SessionId) -> Result<(), StoreError> {
        let make = "UPDATE session SET offer_state = 'open' WHERE id = ?1 AND offer_state = 'none'";
        self.lay(id, make, None).await
    }

    /// Changes the question to a member's words. `false`: it is fixed, or there is none to change.
    pub async fn reword_question(
        &self,
        id: &SessionId,
        event: Inbound,
        (question, by): (String, String),
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        self.say(id, event, (REWORD, by, Some(question)), at_ms).await
    }

    /// Takes a member at the offer. `false`: it is not open.
    pub async fn take_offer(
        &self,
        id: &SessionId,
        event: Inbound,
        by: String,
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        self.say(id, event, (TAKE, by, None), at_ms).await
    }

    /// Fixes the question, which nobody changes from now on, and gives it.
    pub async fn fix_question(&self, id: &SessionId) -> Result<Option<String>, StoreError> {
        let fix =
            "UPDATE session SET question_state = iif(question_state = 'none', 'none', 'fixed') WHERE id = ?1
                   RETURNING iif(question_state = 'none', NULL, question)";
        self.take(id, fix).await
    }

    /// Ends the offer, which nobody takes up from now on, and gives who took it up.
    pub async fn close_offer(&self, id: &SessionId) -> Result<Option<String>, StoreError> {
        let close =
            "UPDATE session SET offer_state = iif(offer_state = 'wished', 'wished', 'closed') WHERE id = ?1
                     RETURNING iif(offer_state = 'wished', ifnull(offer_by, ''), NULL)";
        self.take(id, close).await
    }

    /// Lays something in a session's row, where `statement` finds room for it.
    async fn lay(
        &self,
        id: &SessionId,
        statement: &'static str,
        text: Option<String>,
    ) -> Result<(), StoreError> {
        let id = id.clone();
        self.write(move |tx| {
            Box::pin(async move {
                let query = sqlx::query(statement).bind(id.as_str());
                let query = if let Some(text) = text { query.bind(text) } else { query };
                query.execute(tx).await?;
                Ok(())
            })
        })
        .await
    }

    /// A member's say about it, by a statement that changes only what is open. `false`: it is not.
    async fn say(
        &self,
        id: &SessionId,
        event: Inbound,
        (statement, by, text): (&'static str, String, Option<String>),
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        let id = id.clone();
        self.write_soon(move |tx| {
            Box::pin(async move {
                let state = session::state(tx, &id).await?;
                let query = sqlx::query(statement).bind(id.as_str()).bind(by);
                let query = if let Some(text) = text { query.bind(text) } else { query };
                if query.execute(&mut *tx).await?.rows_affected() == 0 {
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

    /// Takes it from there, by a statement that gives what it was.
    async fn take(&self, id: &SessionId, statement: &'static str) -> Result<Option<String>, StoreError> {
        let id = id.clone();
        self.write(move |tx| {
            Box::pin(async move {
                let taken: Option<Option<String>> =
                    sqlx::query_scalar(statement).bind(id.as_str()).fetch_optional(tx).await?;
                taken.ok_or(StoreError::Missing("session"))
            })
        })
        .await
    }
}
