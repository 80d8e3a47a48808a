//! Panels: posts that are edited as what they show changes, drawn from the database alone, one task for each that
//! is not true. Never more often than people can read, so a vote of hundreds costs as many edits as one of three.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use super::World;
use crate::{
    discord::Kind,
    domain::{Post, SessionId},
    store::{PanelMessage, StoreError},
};

/// Edits of one panel are at least this far apart; what changes meanwhile comes with the next.
const AT_MOST_EVERY: Duration = Duration::from_millis(2_500);
/// How soon an edit is tried again that could not be made, at first and at last.
const TRY_AGAIN: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(30));

/// All panels. Cheap to clone.
#[derive(Clone)]
pub struct Panels {
    world: Arc<World>,
    /// Panels that a task sees to; `true` when there may be more than it has seen.
    at_work: Arc<Mutex<HashMap<(SessionId, String), bool>>>,
}

/// What came of looking at a panel.
enum Looked {
    /// It shows what is so.
    True,
    /// It was drawn.
    Drawn,
    /// It could not be drawn yet; Discord asked for at least so much time.
    NotYet(Duration),
    /// Discord does not let it be drawn now, and may later: it stays stale for the next kick or start.
    Refused,
}

impl Panels {
    /// Panels of the world.
    #[must_use]
    pub fn new(world: Arc<World>) -> Self {
        Self { world, at_work: Arc::default() }
    }

    /// Sees to it that a panel shows what is so. Returns at once.
    pub fn kick(&self, session: &SessionId, key: &str) {
        let panel = (session.clone(), key.to_owned());
        let mut at_work = self.at_work.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(more) = at_work.get_mut(&panel) {
            *more = true;
            return;
        }
        at_work.insert(panel.clone(), false);
        drop(at_work);
        tokio::spawn(self.clone().keep(panel));
    }

    /// Draws a panel until it is true and nobody has kicked it since.
    async fn keep(self, panel: (SessionId, String)) {
        let (session, key) = &panel;
        let mut pause = TRY_AGAIN.0;
        loop {
            match self.look(session, key).await {
                Ok(Looked::Drawn) => {
                    pause = TRY_AGAIN.0;
                    tokio::time::sleep(AT_MOST_EVERY).await;
                    continue;
                }
                Ok(Looked::NotYet(at_least)) => {
                    tokio::time::sleep(pause.max(at_least)).await;
                    pause = (pause * 2).min(TRY_AGAIN.1);
                    continue;
                }
                Ok(Looked::True | Looked::Refused) => {}
                // Left stale: the next kick or start finds it.
                Err(error) => tracing::error!(%session, key, %error, "a panel cannot be drawn"),
            }
            let mut at_work = self.at_work.lock().unwrap_or_else(PoisonError::into_inner);
            match at_work.get_mut(&panel) {
                Some(more) if *more => *more = false,
                _ => {
                    at_work.remove(&panel);
                    return;
                }
            }
        }
    }

    async fn look(&self, session: &SessionId, key: &str) -> Result<Looked, StoreError> {
        let World { store, discord, .. } = &*self.world;
        let Some(row) = store.panel(session, key).await?.filter(|row| row.shown < row.revision) else {
            return Ok(Looked::True);
        };
        let message = match row.message {
            PanelMessage::Posted(message) => message,
            PanelMessage::Waiting => return Ok(Looked::NotYet(Duration::ZERO)),
            PanelMessage::Never => return self.shows(session, key, row.revision).await,
        };
        // Drawn after the revision was read, so that what it shows is never older than that.
        let (Some(post), Some(thread)) =
            (self.draw(session, key).await?, store.session(session).await?.thread)
        else {
            return self.shows(session, key, row.revision).await;
        };
        let mut edited = discord.edit_message(thread, message, &post, &[]).await;
        // Threads are put aside after some quiet days, and votes and reviews outlast that.
        if edited.as_ref().is_err_and(|error| error.kind == Kind::Archived) {
            edited = match discord.archive_thread(thread, false).await {
                Ok(()) => discord.edit_message(thread, message, &post, &[]).await,
                Err(error) => Err(error),
            };
        }
        match edited {
            Ok(()) => self.shows(session, key, row.revision).await,
            Err(error) if !error.is_final() => Ok(Looked::NotYet(error.retry_after.unwrap_or_default())),
            Err(error) => {
                tracing::warn!(%session, key, %error, "a panel cannot be edited");
                match error.kind {
                    Kind::Locked | Kind::Archived | Kind::MissingPermission(_) | Kind::Unauthorized => {
                        Ok(Looked::Refused)
                    }
                    // Deleted by somebody: there is no panel to keep true any more.
                    _ => self.shows(session, key, row.revision).await,
                }
            }
        }
    }

    async fn shows(&self, session: &SessionId, key: &str, revision: i64) -> Result<Looked, StoreError> {
        self.world.store.panel_shows(session, key, revision).await?;
        Ok(Looked::Drawn)
    }

    /// What a panel has to show now, by the first part of its key; `None` if there is nothing any more.
    async fn draw(&self, session: &SessionId, key: &str) -> Result<Option<Post>, StoreError> {
        let store = &self.world.store;
        match key.split('/').next() {
            Some("roles") => super::wait::roles_panel(&self.world, session).await,
            Some("proposition") => super::wait::proposition_panel(&self.world, session).await,
            Some("estimate") => super::critique::estimate_panel(&self.world, session).await,
            Some("finding") => super::critique::finding_panel(&self.world, session, key).await,
            Some("triage") => super::critique::triage_panel(&self.world, session).await,
            Some("opinion" | "vote") => super::vote::vote_panel(&self.world, session, key).await,
            Some("decision" | "review") => super::decision::panel(store, session, key).await,
            Some("hinges") => super::debate::hinges_panel(store, session).await,
            Some(unknown) => {
                tracing::error!(%session, unknown, "nobody knows how to draw this panel");
                Ok(None)
            }
            None => Ok(None),
        }
    }
}
