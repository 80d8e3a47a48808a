//! Evidence on a hinge of the synthesis: the moderator looks at that hinge again, in a task of its own, one piece of
//! evidence of a debate after the other, and again after a restart if it was cut off.

use super::{
    Sessions, brief,
    evidence::{only_debates, read},
    is_debate,
};
use crate::{
    error::{UserError, incident_id},
    protocols::debate::{self, hinges_key},
    render,
    session::Actor,
    steps::{Stop, thread_posts},
    store::{SessionRow, StoreError, caught},
};
use domain::{Evidence, Modal, StepKey};

impl Sessions {
    /// The form behind *Bring evidence on …*, for a hinge from 1.
    pub async fn hinge_form(&self, row: &SessionRow, hinge: u8) -> anyhow::Result<Modal> {
        only_debates(row)?;
        self.has_hinge(row, hinge).await?;
        Ok(render::debate::evidence_form(&row.id, Some(hinge)))
    }

    /// Takes a piece of evidence on a hinge; how the hinge stands then comes into the thread.
    pub async fn bring_on_hinge(
        &self,
        row: &SessionRow,
        actor: &Actor,
        hinge: u8,
        (claim, source): (&str, &str),
    ) -> anyhow::Result<String> {
        if let Some(said) = self.0.world.store.applied(actor.interaction.0).await? {
            return Ok(said);
        }
        only_debates(row)?;
        self.has_hinge(row, hinge).await?;
        let evidence = read((actor, self.now_ms()), Some(hinge), claim, source)?;
        let again = format!("The moderator looks at open question {hinge} again, and at nothing else.");
        let say = move |number: u32| {
            format!(
                "Noted as E{number} on open question {hinge}. The moderator looks at that one again; the answer comes in the thread."
            )
        };
        let said = self.note_evidence(row, actor, evidence, (again.as_str(), say)).await?;
        self.0.panels.kick(&row.id, hinges_key().as_str());
        self.review_hinges(row);
        Ok(said)
    }

    async fn has_hinge(&self, row: &SessionRow, hinge: u8) -> anyhow::Result<()> {
        let Some(found) = self.synthesis(&row.id).await? else {
            return UserError::of(
                "There is no synthesis yet, so there are no open questions. Until then, **Add evidence** on the status card brings it to both sides.",
            );
        };
        match found.synthesis.decision_hinges.len() {
            0 => UserError::of(
                "The synthesis of this debate names no open questions to bring evidence on. Ask about it with `/ask`.",
            ),
            count if hinge == 0 || usize::from(hinge) > count => UserError::of(format!(
                "This debate has no open question {hinge}; they are numbered 1 to {count}."
            )),
            _ => Ok(()),
        }
    }

    /// Sees to it that the moderator looks at all hinges again on which evidence was brought. Returns at once.
    pub(in crate::session) fn review_hinges(&self, row: &SessionRow) {
        if !is_debate(row) {
            return;
        }
        let (sessions, row) = (self.clone(), row.clone());
        // What fails for good is left open: the next piece of evidence or the next start takes it up.
        self.0.reviewing.kick("looking at a hinge again", &row.id.clone(), move || {
            let (sessions, row) = (sessions.clone(), row.clone());
            async move { sessions.review_all(&row).await }
        });
    }

    async fn review_all(&self, row: &SessionRow) -> Result<(), StoreError> {
        let store = &self.0.world.store;
        while let Some(evidence) = store.open_evidence(&row.id).await? {
            let posts = match caught(self.try_review(row, &evidence)).await {
                Ok(()) => Vec::new(),
                Err(error) => {
                    let key = StepKey::new(format!("notice/evidence/{}", evidence.number));
                    let card = render::notices::user_error(&why_not(row, &evidence, &error));
                    thread_posts(&row.id, &key, None, vec![card])
                }
            };
            store.close_evidence(&row.id, evidence.number, posts, self.now_ms()).await?;
            self.0.outbox.kick(&row.id);
            self.0.panels.kick(&row.id, hinges_key().as_str());
        }
        Ok(())
    }

    async fn try_review(&self, row: &SessionRow, evidence: &Evidence) -> anyhow::Result<()> {
        let steps = self.beside(row, evidence.author, None).await?;
        let brief = brief(&self.0.world.store, row).await?;
        Ok(debate::review_hinge(&steps, &brief, evidence).await?)
    }
}

/// A sentence for the thread.
fn why_not(row: &SessionRow, evidence: &Evidence, error: &anyhow::Error) -> String {
    let number = evidence.number;
    match error.downcast_ref::<Stop>() {
        Some(Stop::Fail(sentence)) => format!("**E{number}:** {sentence} Bring it again in a moment."),
        Some(Stop::Pause(sentence, _) | Stop::Spent(sentence, _)) => {
            format!("The moderator did not look again for **E{number}**. {sentence}")
        }
        _ => {
            let incident = incident_id();
            let error = format!("{error:#}");
            tracing::error!(session = %row.id, %incident, error, "a hinge could not be looked at again");
            format!(
                "The moderator could not look again for **E{number}**, because of an error of mine ({incident})."
            )
        }
    }
}
