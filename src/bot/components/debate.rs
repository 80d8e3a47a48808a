//! The buttons by which members say what they think before a debate and after it.

use super::{Answer, Press, unknown};
use crate::domain::Opinion;

impl Press<'_> {
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
            "opinion_close" => Ok(Answer::Shown(vec![sessions.may_close_opinions(row, actor).await?])),
            "opinion_close_sure" => sessions.close_opinions(row, actor).await.map(Answer::Said),
            _ => unknown(),
        }
    }
}
