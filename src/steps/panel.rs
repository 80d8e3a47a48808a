//! Panels: posts that are kept true to what they show. A task for each panel that is behind, which draws it from
//! the database, edits its message and remembers what Discord shows; after a restart every panel that is behind is
//! drawn again.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use super::{World, wait};
use crate::{
    domain::{Post, SessionId, StepKey},
    store::StoreError,
};

/// Edits of one panel are at least this far apart; what changes meanwhile comes with the next.
const AT_MOST_EVERY: Duration = Duration::from_millis(2_500);
/// How soon it is tried again where Discord stumbled or the message is not there yet.
const TRY_AGAIN: Duration = Duration::from_millis(500);

/// All panels. Cheap to clone.
#[derive(Clone)]
pub struct Panels {
    world: Arc<World>,
    /// Panels that a task keeps; `true` when there may be more than it has seen.
    at_work: Arc<Mutex<HashMap<(SessionId, String), bool>>>,
}

impl Panels {
    /// Panels of the world.
    #[must_use]
    pub fn new(world: Arc<World>) -> Self {
        Self { world, at_work: Arc::default() }
    }

    /// Sees to it that a panel shows what it should. Returns at once.
    pub fn kick(&self, session: &SessionId, key: &str) {
        let id = (session.clone(), key.to_owned());
        let mut at_work = self.at_work.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(more) = at_work.get_mut(&id) {
            *more = true;
            return;
        }
        at_work.insert(id.clone(), false);
        drop(at_work);
        tokio::spawn(self.clone().keep(id));
    }

    /// Draws what an earlier process left behind.
    pub async fn kick_stale(&self) -> Result<(), StoreError> {
        for (session, key) in self.world.store.stale_panels().await? {
            self.kick(&session, &key);
        }
        Ok(())
    }

    async fn keep(self, id: (SessionId, String)) {
        loop {
            if let Err(error) = self.draw(&id.0, &id.1).await {
                tracing::error!(session = %id.0, key = id.1, %error, "a panel cannot be drawn");
            }
            let mut at_work = self.at_work.lock().unwrap_or_else(PoisonError::into_inner);
            match at_work.get_mut(&id) {
                Some(more) if *more => *more = false,
                _ => {
                    at_work.remove(&id);
                    return;
                }
            }
        }
    }

    /// Edits a panel until it shows what it should.
    async fn draw(&self, session: &SessionId, key: &str) -> Result<(), StoreError> {
        let store = &self.world.store;
        while let Some(panel) = store.panel(session, key).await?.filter(|panel| panel.shown < panel.revision)
        {
            let home = store.session(session).await?;
            let (message, thread) = match (panel.message, home.thread) {
                (Some(message), Some(thread)) => (message, thread),
                _ if panel.dead => return store.panel_shows(session, key, panel.revision).await,
                _ => {
                    tokio::time::sleep(TRY_AGAIN).await;
                    continue;
                }
            };
            let Some(post) = show(&self.world, session, key).await? else { return Ok(()) };
            match self.world.discord.edit_message(thread, message, &post, &[]).await {
                Err(error) if !error.is_final() => {
                    tokio::time::sleep(error.retry_after.unwrap_or(TRY_AGAIN)).await;
                    continue;
                }
                // Deleted by somebody, or out of reach: there is no panel to keep any more.
                Err(error) => tracing::warn!(%session, key, %error, "a panel cannot be edited"),
                Ok(()) => {}
            }
            store.panel_shows(session, key, panel.revision).await?;
            tokio::time::sleep(AT_MOST_EVERY).await;
        }
        Ok(())
    }
}

/// What a panel shows now, by its key.
async fn show(world: &World, session: &SessionId, key: &str) -> Result<Option<Post>, StoreError> {
    let key = StepKey::new(key);
    if key == wait::roles_key() {
        return wait::roles_panel(world, session, &key).await;
    }
    Ok(None)
}
