//! Proposing a solution of one's own while a vote is open. The experts do not score it, and the panel says so.

use super::applied;
use crate::{
    error::UserError,
    render,
    session::{Actor, Sessions, typed::fits},
    steps::vote_key,
    store::{NewSolution, SessionRow, VoteRefusal},
};
use domain::{MAX_SOLUTIONS, Modal, is_blank, one_line, readable};

/// Longest title, in characters.
const TITLE: usize = 100;
/// Longest description, in characters.
const DESCRIPTION: usize = 1_000;

impl Sessions {
    /// The form for a solution of one's own, if it could be taken.
    pub async fn propose_form(&self, row: &SessionRow, actor: &Actor) -> anyhow::Result<Modal> {
        let vote = self.open_points(&row.id, actor).await?;
        if vote.vote.solutions.len() >= MAX_SOLUTIONS {
            return super::refused(VoteRefusal::Full);
        }
        Ok(render::vote::propose_form(&row.id))
    }

    /// Adds a member's solution to the open vote.
    pub async fn propose(
        &self,
        row: &SessionRow,
        actor: &Actor,
        title: &str,
        description: &str,
    ) -> anyhow::Result<String> {
        let title = one_line(&readable(title));
        let description = readable(description);
        if is_blank(&title) {
            return UserError::of(
                "The title is empty. Say in a few words what should be done; nothing was added.",
            );
        }
        fits("title", &title, TITLE)?;
        fits("description", &description, DESCRIPTION)?;
        let said =
            "Added: everybody can give it points now. The experts do not score it, and the panel says so.";
        let new = NewSolution {
            event: actor.event("proposal", &row.id, said),
            proposer: actor.user,
            proposer_name: actor.name.clone(),
            roles: actor.roles.clone(),
            title,
            description,
        };
        let added = self.0.world.store.propose(&row.id, &vote_key(), new, self.now_ms()).await;
        if added.is_ok() {
            self.0.panels.kick(&row.id, vote_key().as_str());
        }
        applied(added.map(|_| said.to_owned()))
    }
}
