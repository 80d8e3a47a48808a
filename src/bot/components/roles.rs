//! The buttons under proposed roles: go, edit them, cancel.

use super::{Answer, Press, unknown};
use crate::{bot::reply::apology, domain::Modal, render};

impl Press<'_> {
    pub(super) async fn roles_form(&self) -> anyhow::Result<Modal> {
        let draft = self.data.sessions.roles_draft(&self.row, &self.actor).await?;
        Ok(render::roundtable::roles_form(&self.row.id, &draft))
    }

    pub(super) async fn roles(&self) -> anyhow::Result<Answer> {
        let (sessions, row, actor) = (&self.data.sessions, &self.row, &self.actor);
        match self.id.verb.as_str() {
            "roles_go" => sessions.confirm_roles(row, actor).await.map(Answer::Said),
            "roles_sent" => self.roles_sent().await,
            "roles_cancel" => {
                sessions.may_cancel(row, actor)?;
                Ok(Answer::Shown(vec![render::notices::confirm_cancel(&row.id)]))
            }
            _ => unknown(),
        }
    }

    /// A form is gone once it is sent, so a refusal gives back what was in it and opens it again.
    async fn roles_sent(&self) -> anyhow::Result<Answer> {
        match self.data.sessions.edit_roles(&self.row, &self.actor, &self.written).await {
            Ok(said) => Ok(Answer::Said(said)),
            Err(error) => {
                let refused = render::roundtable::roles_refused(&self.row.id, apology(&error), &self.written);
                Ok(Answer::Shown(vec![refused]))
            }
        }
    }
}
