//! The buttons under a debate's proposition, and those by which members say what they think before and after it.

use super::{Answer, Press, unknown};
use crate::{
    bot::reply::apology,
    domain::{Modal, Opinion},
    render,
    steps::opinion_key,
};

impl Press<'_> {
    pub(super) async fn proposition_form(&self) -> anyhow::Result<Modal> {
        let draft = self.data.sessions.proposition_draft(&self.row, &self.actor).await?;
        Ok(render::debate::proposition_form(&self.row.id, &draft))
    }

    pub(super) async fn proposition(&self) -> anyhow::Result<Answer> {
        let (sessions, row, actor) = (&self.data.sessions, &self.row, &self.actor);
        match self.id.verb.as_str() {
            "prop_start" => {
                // The edit of the proposition that they read; none: as it was first posted.
                let revision = self.id.argument.parse().unwrap_or_default();
                sessions.start_proposition(row, actor, revision).await.map(Answer::Said)
            }
            "prop_sent" => self.proposition_sent().await,
            "prop_cancel" => {
                sessions.may_cancel(row, actor)?;
                Ok(Answer::Shown(vec![render::notices::confirm_cancel(&row.id)]))
            }
            _ => unknown(),
        }
    }

    pub(super) async fn opinion(&self) -> anyhow::Result<Answer> {
        let (sessions, row, actor) = (&self.data.sessions, &self.row, &self.actor);
        match self.id.verb.as_str() {
            "opinion_before" => {
                // `for/1287`: what they think, and the edit of the proposition that they read.
                let parts = self.id.argument.split_once('/');
                let read =
                    parts.and_then(|(opinion, edit)| Some((Opinion::parse(opinion)?, edit.parse().ok()?)));
                let Some((opinion, revision)) = read else { return unknown() };
                sessions.opine_before(row, actor, opinion, revision).await.map(Answer::Said)
            }
            "opinion_after" => {
                let Some(opinion) = Opinion::parse(&self.id.argument) else { return unknown() };
                sessions.opine_after(row, actor, opinion).await.map(Answer::Said)
            }
            "opinion_close" => Ok(Answer::Shown(vec![sessions.may_close(row, actor, &opinion_key()).await?])),
            "opinion_close_sure" => sessions.close_vote(row, actor, &opinion_key()).await.map(Answer::Said),
            _ => unknown(),
        }
    }

    /// A form is gone once it is sent, so a refusal gives back what was in it and opens it again.
    async fn proposition_sent(&self) -> anyhow::Result<Answer> {
        match self.data.sessions.edit_proposition(&self.row, &self.actor, &self.written).await {
            Ok(said) => Ok(Answer::Said(said)),
            Err(error) => {
                let refused =
                    render::debate::proposition_refused(&self.row.id, apology(&error), &self.written);
                Ok(Answer::Shown(vec![refused]))
            }
        }
    }
}
