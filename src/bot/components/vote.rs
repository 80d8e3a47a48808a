//! The buttons and forms of a vote: on its panel, and on the private panel where somebody spreads points.

use super::{Answer, Press, unknown};
use crate::{
    bot::reply::apology,
    domain::{CustomId, Draft, Modal, Post, SolutionId},
    render,
    steps::vote_key,
};

impl Press<'_> {
    pub(super) async fn vote(&self) -> anyhow::Result<Answer> {
        let (sessions, row, actor) = (&self.data.sessions, &self.row, &self.actor);
        match self.id.verb.as_str() {
            "vote_all" => sessions.cast_all(row, actor, self.choice()).await.map(Answer::Said),
            "vote_spread" => Ok(Answer::Shown(vec![sessions.spread(row, actor, None).await?])),
            "spread_cast" => sessions.cast_draft(row, actor, &self.draft()?).await.map(Answer::Said),
            "spread_typed" => sessions.cast_typed(row, actor, self.only_box()).await.map(Answer::Said),
            "propose_sent" => Ok(self.propose().await),
            "vote_close" => Ok(Answer::Shown(vec![sessions.may_close(row, actor, &vote_key()).await?])),
            "vote_close_sure" => sessions.close_vote(row, actor, &vote_key()).await.map(Answer::Said),
            _ => unknown(),
        }
    }

    pub(super) async fn vote_form(&self) -> anyhow::Result<Modal> {
        let (sessions, row, actor) = (&self.data.sessions, &self.row, &self.actor);
        match self.id.verb.as_str() {
            "spread_type" => sessions.typed_form(row, actor, self.draft()?).await,
            _ => sessions.propose_form(row, actor).await,
        }
    }

    /// The private panel after a press on it. The whole draft rides in the button, so that nothing is lost when the
    /// bot restarts in between.
    pub(super) async fn spread_changed(&self) -> anyhow::Result<Post> {
        let mut draft = self.draft()?;
        if self.id.verb == "spread_pick" {
            let Ok(chosen) = self.choice().parse() else { return unknown() };
            draft = draft.pick(SolutionId(chosen));
        }
        self.data.sessions.spread(&self.row, &self.actor, Some(draft)).await
    }

    /// A proposal that cannot be taken is given back, for Discord has closed the form and the words would be gone.
    async fn propose(&self) -> Answer {
        let (title, description) = (self.text("title"), self.text("description"));
        match self.data.sessions.propose(&self.row, &self.actor, title, description).await {
            Ok(said) => Answer::Said(said),
            Err(error) => {
                let boxes = [("Your solution", title), ("What, how and why", description)];
                let again = CustomId::new(&self.row.id, "propose");
                Answer::Shown(vec![render::decision::give_back(apology(&error), &boxes, again)])
            }
        }
    }

    fn draft(&self) -> anyhow::Result<Draft> {
        Draft::parse(&self.id.argument).map_or_else(unknown, Ok)
    }

    /// What was chosen in a select of which one option can be chosen.
    fn choice(&self) -> &str {
        self.chosen.first().map(String::as_str).unwrap_or_default()
    }

    fn text(&self, name: &str) -> &str {
        self.written.get(name).map(String::as_str).unwrap_or_default()
    }

    /// What was written in a form of one box, whatever it is called.
    fn only_box(&self) -> &str {
        self.written.values().next().map(String::as_str).unwrap_or_default()
    }
}
