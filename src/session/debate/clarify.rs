//! What members want made clear; the moderator answers at the next break between phases.

use super::{Sessions, fits, is_debate, told};
use crate::{
    error::UserError,
    render,
    session::Actor,
    steps::thread_posts,
    store::{SessionRow, StoreError},
};
use domain::{Clarification, Modal, StepKey, readable};

/// Longest text, in characters.
const TEXT: usize = 500;
/// The step in which what is still open is taken in for the last time.
const LAST_BREAK: &str = "break/end";

impl Sessions {
    /// The form behind *Clarify*, if it could be answered.
    pub fn clarify_form(&self, row: &SessionRow) -> anyhow::Result<Modal> {
        possible(row)?;
        Ok(render::debate::clarify_form(&row.id))
    }

    /// Takes down what somebody wants made clear; the thread shows that it was asked.
    pub async fn clarify(&self, row: &SessionRow, actor: &Actor, text: &str) -> anyhow::Result<String> {
        let store = &self.0.world.store;
        if let Some(said) = store.applied(actor.interaction.0).await? {
            return Ok(said);
        }
        possible(row)?;
        let text = readable(text);
        if text.is_empty() {
            return UserError::of(
                "That is empty. Write which word, number or point is unclear; nothing was added.",
            );
        }
        fits("text", &text, TEXT)?;
        let now = self.now_ms();
        let said = "Noted. The moderator answers it in the thread at the next break between two phases.";
        let card = render::notices::clarification_asked(&actor.name, &text);
        let key = StepKey::new(format!("clarify/{}", actor.interaction.0));
        let posts = thread_posts(&row.id, &key, None, vec![card]);
        let asked = Clarification {
            id: actor.interaction.0,
            author: actor.user,
            author_name: actor.name.clone(),
            text,
            answer: None,
            at: now / 1000,
        };
        let event = actor.event("clarify", &row.id, said);
        match store.clarify(&row.id, event, asked, (posts, LAST_BREAK), now).await {
            Ok(()) => {
                self.0.outbox.kick(&row.id);
                Ok(said.to_owned())
            }
            Err(StoreError::Duplicate(said)) => Ok(said),
            Err(StoreError::NotRunning(_)) => over(),
            Err(other) => Err(told(other)),
        }
    }
}

fn possible(row: &SessionRow) -> anyhow::Result<()> {
    if !is_debate(row) {
        return UserError::of("Only a debate has a moderator to make things clear. Here, ask with `/ask`.");
    }
    if row.state.is_final() {
        return over();
    }
    Ok(())
}

fn over<T>() -> anyhow::Result<T> {
    UserError::of("This debate has ended. Ask the moderator with `/ask` instead; the answer comes at once.")
}
