//! The question in a session's row: what has to be decided, in a sentence.

use super::{Inbound, Store, StoreError, inbound, session};
use crate::domain::{SessionId, StatedQuestion};

impl Store {
    /// The question of a session as it stands; nothing where its problem is one by itself.
    pub async fn stated_question(&self, id: &SessionId) -> Result<Option<StatedQuestion>, StoreError> {
        let row: Option<(Option<String>, Option<String>, String)> =
            sqlx::query_as("SELECT question, question_by, question_state FROM session WHERE id = ?1")
                .bind(id.as_str())
                .fetch_optional(&self.readers)
                .await?;
        let (text, changed_by, state) = row.ok_or(StoreError::Missing("session"))?;
        let open = state == "open";
        Ok((state != "none").then_some(StatedQuestion { text, changed_by, open }))
    }

    /// Puts down what a model made of the problem, unless there is a question already or none is wanted any more.
    pub async fn state_question(&self, id: &SessionId, question: &str) -> Result<(), StoreError> {
        let (id, question) = (id.clone(), question.to_owned());
        self.write(move |tx| {
            Box::pin(async move {
                sqlx::query(
                    "UPDATE session SET question = ?2
                     WHERE id = ?1 AND question IS NULL AND question_state = 'open'",
                )
                .bind(id.as_str())
                .bind(question)
                .execute(tx)
                .await?;
                Ok(())
            })
        })
        .await
    }

    /// Changes the question to a member's words. `false`: it is fixed, or there is none to change.
    pub async fn reword_question(
        &self,
        id: &SessionId,
        event: Inbound,
        (question, by): (String, String),
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        let id = id.clone();
        self.write_soon(move |tx| {
            Box::pin(async move {
                let state = session::state(tx, &id).await?;
                let changed = sqlx::query(
                    "UPDATE session SET question = ?2, question_by = ?3 WHERE id = ?1 AND question_state = 'open'",
                )
                .bind(id.as_str())
                .bind(question)
                .bind(by)
                .execute(&mut *tx)
                .await?
                .rows_affected()
                    > 0;
                if !changed {
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

    /// Fixes the question, which nobody changes from now on, and gives it.
    pub async fn fix_question(&self, id: &SessionId) -> Result<Option<String>, StoreError> {
        let id = id.clone();
        self.write(move |tx| {
            Box::pin(async move {
                Ok(sqlx::query_scalar(
                    "UPDATE session SET question_state = 'fixed' WHERE id = ?1 AND question_state <> 'none'
                     RETURNING question",
                )
                .bind(id.as_str())
                .fetch_optional(tx)
                .await?
                .flatten())
            })
        })
        .await
    }
}
