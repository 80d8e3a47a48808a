//! Forms that were sent. Discord closes a form when it is sent, so whatever cannot be taken is given back with a
//! button that opens the form again: else the words would be gone.

use super::{Answer, Press};
use crate::{
    bot::{commands::set_again, reply::apology},
    render,
};
use domain::{Addressee, Chosen, CustomId, DecisionDraft, Modal, Opens, Owner, Verdict, WaitKind};

impl Press<'_> {
    pub(super) async fn proposed(&self) -> Answer {
        let (title, description) = (self.wrote("title"), self.wrote("description"));
        let done = self.data.sessions.propose(&self.row, &self.actor, title, description).await;
        self.taken(
            done,
            &[("Your solution in a few words", title), ("What, how and why", description)],
            Opens::Propose,
        )
    }

    pub(super) async fn confirmation_written(&self, kind: WaitKind) -> Answer {
        let (sessions, row, written) = (&self.data.sessions, &self.row, &self.written);
        match sessions.edit_confirmation(row, &self.actor, kind, written).await {
            Ok(said) => Answer::Said(said),
            Err(error) => {
                Answer::Shown(vec![render::confirmation::refused(&row.id, kind, apology(&error), written)])
            }
        }
    }

    pub(super) async fn open_points_answered(&self) -> Answer {
        let (sessions, row) = (&self.data.sessions, &self.row);
        let done = sessions.answer_open_points(row, &self.actor, &self.written).await;
        self.taken_in(done, sessions.open_points_form(row), Opens::OpenPoints).await
    }

    pub(super) async fn options_written(&self) -> Answer {
        let done = set_again(self.data, (&self.row, &self.actor), &self.written).await;
        let form = self.data.sessions.options_form(&self.row, &self.actor);
        self.taken_in(done, form, Opens::EstimateOptions).await
    }

    /// What is said of a form whose parts are called as it says itself: where it cannot be had any more, only why.
    async fn taken_in(
        &self,
        done: anyhow::Result<String>,
        form: impl Future<Output = anyhow::Result<Modal>>,
        again: Opens,
    ) -> Answer {
        let Err(error) = done.as_ref() else { return self.taken(done, &[], again) };
        let Ok(form) = form.await else { return Answer::Shown(vec![apology(error)]) };
        let boxes: Vec<(&str, &str)> =
            form.inputs.iter().map(|input| (input.label(), self.wrote(input.id()))).collect();
        self.taken(done, &boxes, again)
    }

    pub(super) async fn budget_written(&self, before: u32) -> Answer {
        let typed = ["calls", "tokens", "dollars"].map(|name| self.wrote(name));
        let done = self.data.sessions.add_budget(&self.row, &self.actor, before, typed).await;
        let [calls, tokens, dollars] = typed;
        let boxes = [("More calls", calls), ("More tokens", tokens), ("More dollars", dollars)];
        self.taken(done, &boxes, Opens::AddBudget)
    }

    pub(super) async fn decided(&self) -> Answer {
        let draft = DecisionDraft {
            chosen: Chosen::Picked(self.wrote("solution").to_owned()),
            rationale: self.wrote("why").to_owned(),
            owner: Owner(self.wrote("member").to_owned()),
            review: self.wrote("review").to_owned(),
            dissent: self.wrote("dissent").to_owned(),
        };
        let done = self.data.sessions.decide(&self.row, &self.actor, &draft).await;
        let boxes = [
            ("What is chosen", draft.chosen.shown()),
            ("Why", &draft.rationale),
            ("Who sees to it", &draft.owner.shown()),
            ("Review on", &draft.review),
            ("Who disagrees and why", &draft.dissent),
        ];
        self.taken(done, &boxes, Opens::Decide)
    }

    pub(super) async fn turned_out(&self, of: (u32, Verdict)) -> Answer {
        let text = self.wrote("text");
        let done = self.data.sessions.say_outcome(&self.row, &self.actor, of, text).await;
        self.taken(done, &[("What happened, in a sentence", text)], Opens::Outcome(of))
    }

    /// For both sides of a debate, or on one of its hinges.
    pub(super) async fn evidence(&self, hinge: Option<u8>) -> Answer {
        let (sessions, row, actor) = (&self.data.sessions, &self.row, &self.actor);
        let (claim, source) = (self.wrote("claim"), self.wrote("source"));
        let (done, again) = match hinge {
            Some(number) => {
                let done = sessions.bring_on_hinge(row, actor, number, (claim, source)).await;
                (done, Opens::Hinge(hinge))
            }
            None => (sessions.add_evidence(row, actor, claim, source).await, Opens::Evidence),
        };
        self.taken(done, &[("What is so?", claim), ("Where from", source)], again)
    }

    pub(super) async fn clarified(&self) -> Answer {
        let text = self.wrote("text");
        let done = self.data.sessions.clarify(&self.row, &self.actor, text).await;
        self.taken(done, &[("What should be made clear?", text)], Opens::Clarify)
    }

    pub(super) async fn reworded(&self) -> Answer {
        let text = self.wrote("question");
        let done = self.data.sessions.reword(&self.row, &self.actor, text).await;
        self.taken(done, &[("What has to be decided", text)], Opens::Reword)
    }

    pub(super) async fn asked(&self, to: Addressee) -> Answer {
        let text = self.wrote("text");
        let done = self.data.sessions.ask_one(&self.row, &self.actor, to, text).await;
        self.taken(done, &[("Your question", text)], Opens::Question(to))
    }

    /// What is said of a form that was sent: that it was taken, or why not and what was written in it.
    fn taken(&self, done: anyhow::Result<String>, boxes: &[(&str, &str)], again: Opens) -> Answer {
        match done {
            Ok(said) => Answer::Said(said),
            Err(error) => {
                let again = CustomId::new(&self.row.id, again);
                Answer::Shown(vec![render::decision::give_back(apology(&error), boxes, again)])
            }
        }
    }

    fn wrote(&self, name: &str) -> &str {
        self.written.get(name).map(String::as_str).unwrap_or_default()
    }
}
