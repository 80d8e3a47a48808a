//! Behind a card: its full text, and how it came about.

use super::Sessions;
use crate::{error::UserError, protocols, render};
use domain::{Post, SessionId, StepKey};

/// Which side of a card somebody wants to see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// The whole text.
    Whole,
    /// Request, reply, tokens, cost and time.
    Raw,
}

impl Sessions {
    /// The full or the raw side of the card that a step made.
    pub async fn inspect(
        &self,
        session: &SessionId,
        step: &StepKey,
        shown: Shown,
    ) -> anyhow::Result<Vec<Post>> {
        let protocol = self.0.world.store.session(session).await?.protocol;
        let journal = self.journal(session);
        let posts = match shown {
            Shown::Raw => protocols::raw_output(&journal, protocol, step).await?,
            Shown::Whole => match protocols::full_text(&journal, protocol, step).await? {
                Some(full) => render::inspect::whole(&full.title, &full.text, &full.sources),
                None => Vec::new(),
            },
        };
        if posts.is_empty() {
            return UserError::of("There is nothing stored for this card.");
        }
        Ok(posts)
    }
}
