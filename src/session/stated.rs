//! What people do to the question: whoever started the session puts it in other words while it is open.

use super::{Actor, Sessions, control::over, typed::fits};
use crate::{
    error::UserError,
    render,
    store::{SessionRow, StoreError},
};
use domain::{MAX_QUESTION, Modal, readable};

impl Sessions {
    /// The form behind *Change the question*, with the question as it stands.
    pub async fn reword_form(&self, row: &SessionRow) -> anyhow::Result<Modal> {
        if row.state.is_final() {
            return over(row.state.as_str());
        }
        match self.0.world.store.stated_question(&row.id).await? {
            Some(stated) if stated.open => {
                Ok(render::status::question_form(&row.id, stated.text.as_deref().unwrap_or_default()))
            }
            Some(_) => fixed(),
            None => UserError::of("This session's problem is its question, and it stands as it was asked."),
        }
    }

    /// Puts the question in a member's words; the problem itself stays as it was asked.
    pub async fn reword(&self, row: &SessionRow, actor: &Actor, text: &str) -> anyhow::Result<String> {
        if let Some(said) = self.0.world.store.applied(actor.interaction.0).await? {
            return Ok(said);
        }
        actor.may_steer(row)?;
        let text = readable(text).split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            return UserError::of("The question is empty. Say in a sentence what has to be decided.");
        }
        fits("question", &text, MAX_QUESTION)?;
        let said = "Changed. It stands on the status card and will be the title of the vote.";
        let event = actor.event("reword", &row.id, said);
        let reworded = self
            .0
            .world
            .store
            .reword_question(&row.id, event, (text, actor.name.clone()), self.now_ms())
            .await;
        match reworded {
            Ok(true) => {
                self.redraw(&row.id);
                Ok(said.to_owned())
            }
            Ok(false) => fixed(),
            Err(StoreError::Duplicate(said)) => Ok(said),
            Err(StoreError::NotRunning(state)) => over(&state),
            Err(other) => Err(other.into()),
        }
    }
}

fn fixed<T>() -> anyhow::Result<T> {
    UserError::of(
        "The panel has gone on with the question as it stands on the status card, so it cannot be changed any more. **Add context** takes what it should know.",
    )
}
