//! The buttons of a session's cards: look behind a card, pause, resume, cancel, add context.

use super::{Answer, Press, unknown};
use crate::{
    domain::{Modal, StepKey},
    error::UserError,
    render,
    session::{Shown, takes_context},
};

impl Press<'_> {
    pub(super) async fn inspect(&self) -> anyhow::Result<Answer> {
        let shown = if self.id.verb == "raw" { Shown::Raw } else { Shown::Whole };
        let step = StepKey::new(&self.id.argument);
        Ok(Answer::Shown(self.data.sessions.inspect(&self.row.id, &step, shown).await?))
    }

    pub(super) async fn steer(&self) -> anyhow::Result<Answer> {
        let (sessions, row, actor) = (&self.data.sessions, &self.row, &self.actor);
        match self.id.verb.as_str() {
            "pause" => sessions.pause(row, actor).await.map(Answer::Said),
            "resume" => sessions.resume(row, actor).await.map(Answer::Said),
            "cancel" => {
                sessions.may_cancel(row, actor)?;
                Ok(Answer::Shown(vec![render::notices::confirm_cancel(&row.id)]))
            }
            "cancel_sure" => sessions.cancel(row, actor).await.map(Answer::Said),
            _ => unknown(),
        }
    }

    pub(super) fn context_form(&self) -> anyhow::Result<Modal> {
        if self.row.state.is_final() {
            return UserError::of(
                "This session is over, so nothing can be added to it. Ask about it with `/ask` in its thread.",
            );
        }
        takes_context(&self.row)?;
        Ok(render::status::context_form(&self.row.id))
    }

    pub(super) async fn note(&self) -> anyhow::Result<Answer> {
        // The form has one box, whatever it is called.
        let text = self.written.values().next().map(String::as_str).unwrap_or_default();
        self.data.sessions.add_context(&self.row, &self.actor, text).await.map(Answer::Said)
    }
}
