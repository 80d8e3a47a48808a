//! Proposed roles: changed and confirmed by people while the session waits. Each press is applied once, however
//! often Discord delivers it, and the newest edit stands, in whatever order they arrive.

use std::collections::BTreeMap;

use super::{Actor, Sessions};
use crate::{
    domain::{Proposal, SessionId},
    error::UserError,
    steps::{now_ms, roles_key},
    store::{Asked, Outcome, SessionRow, StoreError},
};

/// What not everybody may do here.
const DECIDE: &str = "change or confirm these roles";

impl Sessions {
    /// The roles as they stand, for the form behind *Edit roles*. Refused to whoever may not change them, and once
    /// they are fixed.
    pub async fn roles_draft(&self, row: &SessionRow, actor: &Actor) -> anyhow::Result<Proposal> {
        self.may_decide(row, actor, DECIDE).await?;
        let asked = self.roles_asked(&row.id).await?;
        if asked.outcome != Outcome::Open || asked.deadline_ms <= now_ms() {
            return self.too_late(&row.id).await;
        }
        Ok(serde_json::from_value(asked.draft)?)
    }

    /// Changes the roles to what was written in the form, by the names of its boxes. With an error in any, all stay
    /// as they were.
    pub async fn edit_roles(
        &self,
        row: &SessionRow,
        actor: &Actor,
        written: &BTreeMap<String, String>,
    ) -> anyhow::Result<String> {
        self.may_decide(row, actor, DECIDE).await?;
        let asked = self.roles_asked(&row.id).await?;
        let proposal: Proposal = serde_json::from_value(asked.draft)?;
        let edited = match proposal.edited(written) {
            Ok(edited) => serde_json::to_value(edited)?,
            Err(_) if asked.outcome != Outcome::Open => return self.too_late(&row.id).await,
            Err(error) => {
                return UserError::of(format!("{error} The roles are as they were."));
            }
        };
        let said =
            "Saved. The card in the thread shows the roles as they are now; press Go when they are right.";
        let late =
            "Somebody has edited the roles after you, so theirs stand. The card in the thread shows them.";
        let event = actor.event("roles", &row.id, said);
        let (store, key) = (&self.0.world.store, roles_key());
        match store.change_draft((&row.id, &key), event, late.to_owned(), edited, now_ms()).await {
            Ok(true) => {
                self.0.panels.kick(&row.id, key.as_str());
                Ok(said.to_owned())
            }
            Ok(false) => Ok(late.to_owned()),
            Err(StoreError::Duplicate(said)) => Ok(said),
            Err(StoreError::NotRunning(_)) => self.too_late(&row.id).await,
            Err(other) => Err(other.into()),
        }
    }

    /// Confirms the roles as they stand: the session goes on with them.
    pub async fn confirm_roles(&self, row: &SessionRow, actor: &Actor) -> anyhow::Result<String> {
        self.may_decide(row, actor, DECIDE).await?;
        let said = "Go. The experts begin with these roles.";
        let event = actor.event("go", &row.id, said);
        let (store, key) = (&self.0.world.store, roles_key());
        match store
            .answer_wait((&row.id, &key), None, event, (actor.user, actor.name.clone()), now_ms())
            .await
        {
            Ok(()) => {
                self.spawn(&row.id);
                self.0.panels.kick(&row.id, key.as_str());
                self.redraw(&row.id);
                Ok(said.to_owned())
            }
            Err(StoreError::Duplicate(said)) => Ok(said),
            Err(StoreError::NotRunning(_)) => self.too_late(&row.id).await,
            Err(other) => Err(other.into()),
        }
    }

    async fn roles_asked(&self, session: &SessionId) -> anyhow::Result<Asked> {
        match self.0.world.store.asked(session, &roles_key()).await? {
            Some(asked) => Ok(asked),
            None => UserError::of("This session has no proposed roles."),
        }
    }

    /// Why the roles can no longer be changed or confirmed. A deadline that has passed is kept at once.
    async fn too_late<T>(&self, session: &SessionId) -> anyhow::Result<T> {
        self.keep_wait(session).await?;
        UserError::of(match self.roles_asked(session).await?.outcome {
            Outcome::Answered(by) => format!(
                "{by} has pressed Go already, so the roles are fixed. You can still add context for the next step."
            ),
            Outcome::Expired => "Nobody pressed Go within a day, so this session has ended. Start the command again for a new one.".to_owned(),
            Outcome::Ended => "This session has ended, so its roles are fixed. Start the command again for a new one.".to_owned(),
            Outcome::Open => "The roles have just changed hands. Look at the card in the thread and press again.".to_owned(),
        })
    }
}
