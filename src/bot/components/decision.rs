//! Recording a decision, and saying how one turned out.

use super::{Answer, Press};
use crate::{
    bot::reply::apology,
    domain::{CustomId, DecisionDraft, Modal, Verdict},
    error::UserError,
    render,
};

impl Press<'_> {
    pub(super) async fn decision_form(&self) -> anyhow::Result<Modal> {
        self.data.sessions.decision_form(&self.row, &self.actor).await
    }

    /// Whatever cannot be taken is given back, for the form is closed and the words would be gone.
    pub(super) async fn decide(&self) -> Answer {
        let draft = DecisionDraft {
            chosen: self.box_of("chosen").to_owned(),
            rationale: self.box_of("why").to_owned(),
            owner: self.box_of("owner").to_owned(),
            review: self.box_of("review").to_owned(),
            dissent: self.box_of("dissent").to_owned(),
        };
        match self.data.sessions.decide(&self.row, &self.actor, &draft).await {
            Ok(said) => Answer::Said(said),
            Err(error) => {
                let boxes = [
                    ("Chosen solution", &*draft.chosen),
                    ("Why", &draft.rationale),
                    ("Who sees to it", &draft.owner),
                    ("Review on", &draft.review),
                    ("Who disagrees and why", &draft.dissent),
                ];
                let again = CustomId::new(&self.row.id, "decide");
                Answer::Shown(vec![render::decision::give_back(apology(&error), &boxes, again)])
            }
        }
    }

    pub(super) async fn outcome_form(&self) -> anyhow::Result<Modal> {
        let (number, verdict) = self.verdict()?;
        self.data.sessions.outcome_form(&self.row, &self.actor, number, verdict).await
    }

    pub(super) async fn say_outcome(&self) -> anyhow::Result<Answer> {
        let verdict = self.verdict()?;
        let text = self.box_of("text");
        Ok(match self.data.sessions.say_outcome(&self.row, &self.actor, verdict, text).await {
            Ok(said) => Answer::Said(said),
            Err(error) => {
                let again = CustomId { verb: "outcome".to_owned(), ..self.id.clone() };
                let boxes = [("What happened", text)];
                Answer::Shown(vec![render::decision::give_back(apology(&error), &boxes, again)])
            }
        })
    }

    /// `2/did_not`: which decision, and how it turned out.
    fn verdict(&self) -> anyhow::Result<(u32, Verdict)> {
        let parts = self.id.argument.split_once('/');
        let read = parts.and_then(|(number, verdict)| Some((number.parse().ok()?, Verdict::parse(verdict)?)));
        match read {
            Some(read) => Ok(read),
            None => UserError::of("This button is from another version of me and does nothing here."),
        }
    }

    fn box_of(&self, name: &str) -> &str {
        self.written.get(name).map(String::as_str).unwrap_or_default()
    }
}
