//! Adding to a session's budget: whoever decides lets it use as much again, and it goes on where it stopped.

use super::{Actor, Sessions, control::over, run::notice_key};
use crate::{
    domain::{Post, SessionState},
    error::UserError,
    render,
    steps::{now_ms, thread_posts},
    store::{SessionRow, StoreError},
};

const ADDED: &str = "Added. It may use as much again.";

impl Sessions {
    /// Asks whether a session may use as much again.
    pub async fn may_add_budget(&self, row: &SessionRow) -> anyhow::Result<Post> {
        if row.state == SessionState::Cancelled {
            return over(row.state.as_str());
        }
        let store = &self.0.world.store;
        let before = store.budgets_added(&row.id).await?;
        let (ledger, again) = (store.ledger(&row.id).await?, store.plan(&row.id).await?.budgets.session);
        Ok(render::notices::confirm_budget(&row.id, &ledger, &again, before))
    }

    /// Lets a session use as much again; one that was paused for want of it goes on. `before` is how often that had been
    /// done when somebody was asked, so that two who press add it once.
    pub async fn add_budget(&self, row: &SessionRow, actor: &Actor, before: i64) -> anyhow::Result<String> {
        if row.state == SessionState::Cancelled {
            return over(row.state.as_str());
        }
        let (store, now) = (&self.0.world.store, now_ms());
        let again = store.plan(&row.id).await?.budgets.session;
        let key = notice_key("budget", now);
        let posts = thread_posts(&row.id, &key, None, vec![render::notices::budget_added(&actor.name)]);
        let event = actor.event("budget", &row.id, ADDED);
        match store.add_budget(&row.id, event, (before, again), posts, now).await {
            Ok(()) => {}
            Err(StoreError::Duplicate(said)) => return Ok(said),
            Err(StoreError::Reread) => {
                return UserError::of(
                    "Somebody has added to this budget since you were asked. Look whether it is enough; if not, press **Add budget** again.",
                );
            }
            Err(other) => return Err(other.into()),
        }
        self.0.outbox.kick(&row.id);
        self.redraw(&row.id);
        let held = row.state == SessionState::Paused && store.paused_by_moderator(&row.id).await?;
        if row.state != SessionState::Paused || (held && !actor.moderator) {
            return Ok(ADDED.to_owned());
        }
        match self.let_go_on(row, actor).await {
            Ok(()) => Ok(format!("{ADDED} It goes on from where it stopped.")),
            Err(why) => match why.downcast::<UserError>() {
                Ok(UserError(why)) => UserError::of(format!("{ADDED} {why}")),
                Err(other) => Err(other),
            },
        }
    }
}
