//! The proposition: changed and started by people while the session waits. Each press is applied once, however
//! often Discord delivers it, and the newest edit stands, in whatever order they arrive.

use std::collections::BTreeMap;

use crate::{
    domain::{Proposition, SessionId},
    error::UserError,
    session::{Actor, Sessions},
    steps::{now_ms, proposition_key},
    store::{Asked, Outcome, SessionRow, StoreError, VoteRefusal},
};

/// What not everybody may do here.
const DECIDE: &str = "change the proposition or start the debate";

impl Sessions {
    /// The proposition as it stands, for the form behind *Edit*. Refused to whoever may not change it, and once the
    /// debate has started.
    pub async fn proposition_draft(&self, row: &SessionRow, actor: &Actor) -> anyhow::Result<Proposition> {
        self.may_decide(row, actor, DECIDE).await?;
        let asked = self.proposition_asked(&row.id).await?;
        if asked.outcome != Outcome::Open || asked.deadline_ms <= now_ms() {
            return self.proposition_too_late(&row.id).await;
        }
        Ok(serde_json::from_value(asked.draft)?)
    }

    /// Changes the proposition to what was written in the form, by the names of its boxes. With an error in any, it
    /// stays as it was. What members had said to another question is forgotten.
    pub async fn edit_proposition(
        &self,
        row: &SessionRow,
        actor: &Actor,
        written: &BTreeMap<String, String>,
    ) -> anyhow::Result<String> {
        self.may_decide(row, actor, DECIDE).await?;
        let asked = self.proposition_asked(&row.id).await?;
        let proposition: Proposition = serde_json::from_value(asked.draft)?;
        let edited = match proposition.edited(written, &actor.name) {
            Ok(edited) => serde_json::to_value(edited)?,
            Err(_) if asked.outcome != Outcome::Open => return self.proposition_too_late(&row.id).await,
            Err(error) => return UserError::of(format!("{error} The proposition is as it was.")),
        };
        let said = "Saved. The card in the thread shows the proposition as it is now; press Start when it is right. \
                    If the question itself has changed, everybody votes again.";
        let late = "Somebody has edited the proposition after you, so theirs stands. The card in the thread shows it.";
        let event = actor.event("proposition", &row.id, said);
        let (store, key) = (&self.0.world.store, proposition_key());
        match store.change_draft((&row.id, &key), event, late.to_owned(), edited, now_ms()).await {
            Ok(true) => {
                self.0.panels.kick(&row.id, key.as_str());
                Ok(said.to_owned())
            }
            Ok(false) => Ok(late.to_owned()),
            Err(StoreError::Duplicate(said)) => Ok(said),
            Err(StoreError::NotRunning(_)) => self.proposition_too_late(&row.id).await,
            Err(other) => Err(other.into()),
        }
    }

    /// Starts the debate on the proposition as it stands. `revision` is the edit of it on whose card they pressed.
    pub async fn start_proposition(
        &self,
        row: &SessionRow,
        actor: &Actor,
        revision: i64,
    ) -> anyhow::Result<String> {
        self.may_decide(row, actor, DECIDE).await?;
        let said = "Started. Both sides prepare their openings.";
        let event = actor.event("start debate", &row.id, said);
        let (store, key) = (&self.0.world.store, proposition_key());
        let by = (actor.user, actor.name.clone());
        match store.answer_wait((&row.id, &key), Some(revision), event, by, now_ms()).await {
            Ok(()) => {
                self.spawn(&row.id);
                self.0.panels.kick(&row.id, key.as_str());
                self.redraw(&row.id);
                Ok(said.to_owned())
            }
            Err(StoreError::Duplicate(said)) => Ok(said),
            Err(StoreError::Vote(VoteRefusal::Reread)) => UserError::of(
                "The proposition was edited since you read it, so nothing was started. Read it again on the card in the thread, then press **Start**.",
            ),
            Err(StoreError::Objection(objection)) => {
                let objection = objection.trim().trim_end_matches('.');
                UserError::of(format!(
                    "This cannot be debated as it stands: {objection}. Press **Edit** and make it a question that can be answered for or against."
                ))
            }
            Err(StoreError::NotRunning(_)) => self.proposition_too_late(&row.id).await,
            Err(other) => Err(other.into()),
        }
    }

    async fn proposition_asked(&self, session: &SessionId) -> anyhow::Result<Asked> {
        match self.0.world.store.asked(session, &proposition_key()).await? {
            Some(asked) => Ok(asked),
            None => UserError::of("No proposition waits for its start in this session."),
        }
    }

    /// Why the proposition can no longer be changed, started or answered to. A deadline that has passed is kept at
    /// once.
    pub(super) async fn proposition_too_late<T>(&self, session: &SessionId) -> anyhow::Result<T> {
        self.keep_wait(session).await?;
        UserError::of(match self.proposition_asked(session).await?.outcome {
            Outcome::Answered(by) => format!(
                "{by} has started the debate already, so the proposition is fixed. You can still press **Add evidence** or **Clarify** on the status card."
            ),
            Outcome::Expired => "Nobody pressed Start within a day, so this session has ended. Start the command again for a new one.".to_owned(),
            Outcome::Ended => "This session has ended, so nothing can be started or voted on any more. Start the command again for a new one.".to_owned(),
            Outcome::Open => "The proposition has just been changed. Look at the card in the thread and press again.".to_owned(),
        })
    }
}
