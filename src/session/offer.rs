//! *Choose fitting specialists*: whoever started a session has others join the usual modules while round 1 runs.

use super::{Actor, Sessions, control::over};
use crate::{
    error::UserError,
    store::{SessionRow, StoreError},
};
use domain::Offer;

impl Sessions {
    /// Has fitting modules chosen as soon as round 1 has ended.
    pub async fn choose_modules(&self, row: &SessionRow, actor: &Actor) -> anyhow::Result<String> {
        let store = &self.0.world.store;
        if let Some(said) = store.applied(actor.interaction.0).await? {
            return Ok(said);
        }
        actor.may_steer(row)?;
        let said = "Fitting specialists are chosen as soon as round 1 has ended, and join. Those who look at it now stay, and what they wrote is kept. It takes two calls more, and up to five for each who joins.";
        let event = actor.event("choose", &row.id, said);
        match store.take_offer(&row.id, event, actor.name.clone(), self.now_ms()).await {
            Ok(true) => {
                self.redraw(&row.id);
                Ok(said.to_owned())
            }
            Ok(false) => match store.offer(&row.id).await? {
                Offer::Taken(by) => UserError::of(format!(
                    "{by} has asked for that already. The card in the thread says who joins, once round 1 has ended."
                )),
                Offer::None | Offer::Open => UserError::of(
                    "Round 1 has ended, so nobody can join any more. Start another with `/mediate auto_select: True` to have fitting modules chosen from the start.",
                ),
            },
            Err(StoreError::Duplicate(said)) => Ok(said),
            Err(StoreError::NotRunning(state)) => over(&state),
            Err(other) => Err(other.into()),
        }
    }
}
