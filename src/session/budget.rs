//! Adding to a session's budget: whoever decides lets it use more, and it goes on where it stopped.

use super::{Actor, Sessions, control::over, run::notice_key, typed::told};
use crate::{
    error::UserError,
    render,
    steps::{day, thread_posts},
    store::{SessionRow, StoreError},
};
use domain::{Addition, Caps, Does, Ledger, Modal, Plan, Room, SessionState, read_addition};

const ADDED: &str = "Added.";

impl Sessions {
    /// The form behind *Add budget*, filled with a share that there is room for.
    pub async fn budget_form(&self, row: &SessionRow) -> anyhow::Result<Modal> {
        may_grow(row)?;
        let store = &self.0.world.store;
        let plan = store.plan(&row.id).await?;
        let (has, before) = self.session_budget(row, &plan).await?;
        let ledger = Ledger {
            calls_cap: has.calls,
            tokens_cap: has.tokens,
            cost_cap: has.money,
            ..store.ledger(&row.id).await?
        };
        let room = self.room(row, &plan).await?;
        room.is_there().map_err(UserError)?;
        let share = room.share(&has);
        Ok(render::budget::form(&row.id, &ledger, &share, before))
    }

    /// Lets a session use so much more, as it was typed; one that was paused for want of it goes on. `before` is how often
    /// that had been done when the form was opened, so that of two who were asked at the same time one adds.
    pub async fn add_budget(
        &self,
        row: &SessionRow,
        actor: &Actor,
        before: u32,
        typed: [&str; 3],
    ) -> anyhow::Result<String> {
        let store = &self.0.world.store;
        if let Some(said) = store.applied(actor.interaction.0).await? {
            return Ok(said);
        }
        self.may(row, actor, Does::BudgetSent(before).right()).await?;
        may_grow(row)?;
        let more = read_addition(typed).map_err(UserError)?;
        self.room(row, &store.plan(&row.id).await?).await?.allows(&more).map_err(UserError)?;
        let (now, addition) = (self.now_ms(), Addition { by: actor.name.clone(), more });
        let posts =
            thread_posts(&row.id, &notice_key("budget", now), None, vec![render::budget::added(&addition)]);
        let (event, most) = (actor.event("budget", &row.id, ADDED), self.0.settings.most_open);
        let new = (before as usize, addition, actor.user);
        let went_on = match store.add_budget(&row.id, event, new, posts, most, now).await {
            Ok(went_on) => went_on,
            Err(StoreError::Duplicate(said)) => return Ok(said),
            Err(StoreError::Reread) => {
                return UserError::of(
                    "Somebody has added to this budget since you were asked, so nothing more was added. If it is not enough, open the form again.",
                );
            }
            Err(other) => return Err(told(other)),
        };
        if went_on {
            self.spawn(&row.id);
        }
        self.0.outbox.kick(&row.id);
        self.redraw(&row.id);
        Ok(if went_on { format!("{ADDED} It goes on from where it stopped.") } else { ADDED.to_owned() })
    }

    /// What a session may use in all, and how often people have added to it.
    pub(super) async fn session_budget(
        &self,
        row: &SessionRow,
        plan: &Plan,
    ) -> anyhow::Result<(Caps, usize)> {
        let added = self.0.world.store.additions(&row.id).await?;
        Ok((added.iter().fold(plan.budgets.session, |sum, addition| sum.plus(addition.more)), added.len()))
    }

    /// How much can be added to a session's budget at once.
    async fn room(&self, row: &SessionRow, plan: &Plan) -> anyhow::Result<Room> {
        let (store, today) = (&self.0.world.store, day(self.now_ms()));
        let budgets = plan.budgets;
        let session = self.0.settings.budgets_of(&self.guild_settings(row.guild).await?).session;
        let member = store.member_ledger(row.guild, row.starter, &today).await?;
        let server = store.guild_ledger(row.guild, &today).await?;
        Ok(Room::new(session, budgets.member_day.left(&member), budgets.server_day.left(&server)))
    }
}

/// Refuses one that nothing can be asked of any more.
fn may_grow(row: &SessionRow) -> anyhow::Result<()> {
    match row.state {
        SessionState::Cancelled | SessionState::Parked => over(row.state.as_str()),
        _ => Ok(()),
    }
}
