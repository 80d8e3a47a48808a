//! Audits: of a session that has ended, asked for by its button or `/audit`, done by a task of its own like the answer to a
//! question, and again after a restart that cut it off. One that was done is told of rather than done again.

use super::{Actor, Sessions, typed::told};
use crate::{
    error::{UserError, incident_id},
    protocols, render,
    steps::Stop,
    store::{QuestionRow, SessionRow, StoreError},
};
use domain::{Audit, AuditScope, Post, SessionId, StepKey};

const SAID: &str = "The audit is under way: its card appears in the thread, which takes a minute or two.";

impl Sessions {
    /// Has a session audited that has ended, or tells of an audit that looked at as much unless one `again` is wanted.
    pub async fn audit(
        &self,
        row: &SessionRow,
        actor: &Actor,
        scope: AuditScope,
        again: bool,
    ) -> anyhow::Result<Vec<Post>> {
        if let Some(said) = self.store().applied(actor.interaction.0).await? {
            return Ok(vec![render::notices::done(&said)]);
        }
        if !row.state.is_final() {
            return UserError::of(
                "This session has not ended yet, so there is nothing to audit. Audit it when it has.",
            );
        }
        if row.thread.is_none() {
            return UserError::of(
                "This session has no thread to put an audit into: it ended before one was opened.",
            );
        }
        if self.store().open_questions(&row.id).await?.iter().any(|question| question.audit.is_some()) {
            return UserError::of(
                "An audit of this session is under way. Its card appears in the thread in a moment.",
            );
        }
        if let Some((key, audit)) = self.last_audit(&row.id, scope).await?.filter(|_| !again) {
            return Ok(vec![render::audit::again(&row.id, &key, &audit)]);
        }
        let question = QuestionRow {
            id: actor.interaction.0,
            session: row.id.clone(),
            author: actor.user,
            author_name: actor.name.clone(),
            text: "Audit".to_owned(),
            reply_to: None,
            addressee: None,
            audit: Some(scope),
        };
        match self.store().ask(question.clone(), SAID.to_owned(), self.now_ms()).await {
            Ok(()) => self.answer(row.clone(), question),
            Err(StoreError::Duplicate(_)) => {}
            Err(other) => return Err(told(other)),
        }
        Ok(vec![render::notices::done(SAID)])
    }

    async fn last_audit(
        &self,
        session: &SessionId,
        scope: AuditScope,
    ) -> anyhow::Result<Option<(StepKey, Audit)>> {
        Ok(protocols::last_audit(&self.journal(session), scope).await?)
    }
}

/// What the thread is told where an audit did not come about.
pub(super) fn why_not(session: &SessionId, error: &anyhow::Error) -> Post {
    let told = error.downcast_ref::<Stop>();
    let sentence = if let Some(Stop::Fail(why) | Stop::Pause(why, _) | Stop::Spent(why, _)) = told {
        format!("This session was not audited. {why}")
    } else {
        let incident = incident_id();
        tracing::error!(%session, %incident, error = %format!("{error:#}"), "a session could not be audited");
        format!("This session could not be audited because of an error of the bot ({incident}).")
    };
    render::notices::user_error(&sentence)
}
