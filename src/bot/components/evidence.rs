//! What members bring into a debate: evidence, what they want made clear, questions, and evidence on a hinge.

use super::{Answer, Press, unknown};
use crate::{
    bot::reply::apology,
    domain::{Addressee, CustomId, Modal},
    render,
};

impl Press<'_> {
    pub(super) async fn record_form(&self) -> anyhow::Result<Modal> {
        let (sessions, row) = (&self.data.sessions, &self.row);
        match self.id.verb.as_str() {
            "evidence" => sessions.evidence_form(row),
            "clarify" => sessions.clarify_form(row),
            "question" => sessions.question_form(row, self.addressee()?),
            "hinge" => {
                // Chosen in the select; a button that opens the form again says it itself.
                let chosen = self.chosen.first().unwrap_or(&self.id.argument);
                sessions.hinge_form(row, number(chosen)?).await
            }
            _ => unknown(),
        }
    }

    /// Whatever cannot be taken is given back, for the form is closed and the words would be gone.
    pub(super) async fn record(&self) -> anyhow::Result<Answer> {
        let (sessions, row, actor) = (&self.data.sessions, &self.row, &self.actor);
        let (claim, source, text) = (self.wrote("claim"), self.wrote("source"), self.wrote("text"));
        let brought = [("What is so", claim), ("Where from", source)];
        let (done, verb, boxes) = match self.id.verb.as_str() {
            "evidence_sent" => {
                (sessions.add_evidence(row, actor, claim, source).await, "evidence", &brought[..])
            }
            "hinge_sent" => {
                let hinge = number(&self.id.argument)?;
                let done = sessions.bring_on_hinge(row, actor, hinge, (claim, source)).await;
                (done, "hinge", &brought[..])
            }
            "clarify_sent" => (
                sessions.clarify(row, actor, text).await,
                "clarify",
                &[("What should be made clear", text)][..],
            ),
            "question_sent" => {
                let done = sessions.ask_one(row, actor, self.addressee()?, text).await;
                (done, "question", &[("Your question", text)][..])
            }
            _ => return unknown(),
        };
        Ok(match done {
            Ok(said) => Answer::Said(said),
            Err(error) => {
                let again = CustomId { verb: verb.to_owned(), ..self.id.clone() };
                Answer::Shown(vec![render::decision::give_back(apology(&error), boxes, again)])
            }
        })
    }

    fn addressee(&self) -> anyhow::Result<Addressee> {
        Addressee::parse(&self.id.argument).map_or_else(unknown, Ok)
    }

    fn wrote(&self, name: &str) -> &str {
        self.written.get(name).map(String::as_str).unwrap_or_default()
    }
}

/// A hinge's number.
fn number(text: &str) -> anyhow::Result<u8> {
    text.parse().or_else(|_| unknown())
}
