//! Panels: posts that are edited as what they show changes, drawn from the database alone, one task for each that
//! is not true. Never more often than people can read, so a vote of hundreds costs as many edits as one of three.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures::future::BoxFuture;

use super::{Journal, Stop, World};
use crate::{
    discord::Kind,
    domain::{Post, Protocol, SessionId},
    render,
    store::{PanelMessage, SessionRow},
};

/// Edits of one panel are at least this far apart; what changes meanwhile comes with the next.
const AT_MOST_EVERY: Duration = Duration::from_millis(2_500);
/// How soon an edit is tried again that could not be made, at first and at last.
const TRY_AGAIN: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(30));

/// Draws a panel of a protocol's own as it has to look now; nothing where there is nothing to show any more.
pub type DrawPanel = fn(Journal, Protocol, String) -> BoxFuture<'static, Result<Option<Post>, Stop>>;

/// All panels. Cheap to clone.
#[derive(Clone)]
pub struct Panels {
    world: Arc<World>,
    draw: DrawPanel,
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
    /// Panels of the world; `draw` knows those that only one protocol has.
    #[must_use]
    pub fn new(world: Arc<World>, draw: DrawPanel) -> Self {
        Self { world, draw, at_work: Arc::default() }
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
        let (pace, mut pause) = (self.world.pace, TRY_AGAIN.0);
        loop {
            match self.look(session, key).await {
                Ok(Looked::Drawn) => {
                    pause = TRY_AGAIN.0;
                    tokio::time::sleep(pace.of(AT_MOST_EVERY)).await;
                    continue;
                }
                Ok(Looked::NotYet(at_least)) => {
                    tokio::time::sleep(pace.of(pause).max(at_least)).await;
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

    async fn look(&self, session: &SessionId, key: &str) -> Result<Looked, Stop> {
        let World { store, discord, .. } = &*self.world;
        let Some(panel) = store.panel(session, key).await?.filter(|panel| panel.shown < panel.revision)
        else {
            return Ok(Looked::True);
        };
        let message = match panel.message {
            PanelMessage::Posted(message) => message,
            PanelMessage::Waiting => return Ok(Looked::NotYet(Duration::ZERO)),
            PanelMessage::Never => return self.shows(session, key, panel.revision).await,
        };
        // Drawn after the revision was read, so that what it shows is never older than that.
        let row = store.session(session).await?;
        let (Some(post), Some(thread)) = (self.draw(&row, key).await?, row.thread) else {
            return self.shows(session, key, panel.revision).await;
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
            Ok(()) => self.shows(session, key, panel.revision).await,
            Err(error) if !error.is_final() => Ok(Looked::NotYet(error.retry_after.unwrap_or_default())),
            Err(error) => {
                tracing::warn!(%session, key, %error, "a panel cannot be edited");
                match error.kind {
                    Kind::Locked | Kind::Archived | Kind::MissingPermission(_) | Kind::Unauthorized => {
                        Ok(Looked::Refused)
                    }
                    // Deleted by somebody: there is no panel to keep true any more.
                    _ => self.shows(session, key, panel.revision).await,
                }
            }
        }
    }

    async fn shows(&self, session: &SessionId, key: &str, revision: i64) -> Result<Looked, Stop> {
        self.world.store.panel_shows(session, key, revision).await?;
        Ok(Looked::Drawn)
    }

    /// What a panel has to show now: one that every protocol has by its key, else one of the session's protocol.
    async fn draw(&self, row: &SessionRow, key: &str) -> Result<Option<Post>, Stop> {
        let (store, session) = (&self.world.store, &row.id);
        Ok(match key.split('/').next() {
            Some("vote") => store.vote(session).await?.map(|row| render::vote::panel(session, &row.vote)),
            Some("decision" | "review") => super::decision::panel(store, session, key).await?,
            Some("opinion") => super::opinion::opinion_panel(&self.world, session).await?,
            _ => {
                let journal = Journal::new(Arc::clone(&self.world), session.clone());
                (self.draw)(journal, row.protocol, key.to_owned()).await?
            }
        })
    }
}
