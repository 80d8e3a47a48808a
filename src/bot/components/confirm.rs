//! The buttons under what a session waits to begin with: edit it, let it begin, cancel.

use super::{Answer, Press, unknown};
use crate::{
    bot::reply::apology,
    domain::{Modal, WaitKind},
    render,
};

impl Press<'_> {
    pub(super) async fn confirmation_form(&self, kind: WaitKind) -> anyhow::Result<Modal> {
        let draft = self.data.sessions.confirmation_draft(&self.row, &self.actor, kind).await?;
        render::confirmation::form(&self.row.id, &draft).map_or_else(unknown, Ok)
    }

    /// `argument`: the edit that they read; none on cards of earlier versions, which counts as it was first posted.
    pub(super) async fn confirm(&self, kind: WaitKind) -> anyhow::Result<Answer> {
        let read = self.id.argument.parse().unwrap_or_default();
        self.data.sessions.confirm(&self.row, &self.actor, kind, read).await.map(Answer::Said)
    }

    /// A form is gone once it is sent, so a refusal gives back what was in it and opens it again.
    pub(super) async fn confirmation_sent(&self, kind: WaitKind) -> anyhow::Result<Answer> {
        let (sessions, row, written) = (&self.data.sessions, &self.row, &self.written);
        match sessions.edit_confirmation(row, &self.actor, kind, written).await {
            Ok(said) => Ok(Answer::Said(said)),
            Err(error) => {
                let refused = render::confirmation::refused(&row.id, kind, apology(&error), written);
                Ok(Answer::Shown(vec![refused]))
            }
        }
    }

    /// Asks whether the session should really end.
    pub(super) fn confirm_cancel(&self) -> anyhow::Result<Answer> {
        self.data.sessions.may_cancel(&self.row, &self.actor)?;
        Ok(Answer::Shown(vec![render::notices::confirm_cancel(&self.row.id)]))
    }
}
