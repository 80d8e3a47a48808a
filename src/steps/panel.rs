//! Panels: posts that are edited as what they show changes, drawn from the database alone, one task for each that
//! is not true. Never more often than people can read, so a vote of hundreds costs as many edits as one of three.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures::future::BoxFuture;
use tokio::time::Instant;

use super::{
    Journal, Kicked, Stop, World,
    edit::{InTurn, TOO_OLD_LET_BE, edit, in_turn},
};
use crate::{
    render,
    store::{PanelMessage, SessionRow, Store},
};
use discord::{EditTurn, Kind, SendError};
use domain::{Post, Protocol, SessionId, WaitKind};

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
    tasks: Kicked<Panel>,
    /// Those that are too old for more edits: at which revision that was said, and until when they are let be.
    too_old: Arc<Mutex<HashMap<Panel, (i64, Instant)>>>,
}

/// A panel's session and key.
type Panel = (SessionId, String);

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
        Self { world, draw, tasks: Kicked::default(), too_old: Arc::default() }
    }

    /// Sees to it that a panel shows what is so. Returns at once.
    pub fn kick(&self, session: &SessionId, key: &str) {
        let (panels, panel) = (self.clone(), (session.clone(), key.to_owned()));
        self.tasks.kick("a panel", &panel.clone(), move || {
            let (panels, (session, key)) = (panels.clone(), panel.clone());
            async move { panels.keep(&session, &key).await }
        });
    }

    /// Draws a panel until it is true, or Discord refuses.
    async fn keep(&self, session: &SessionId, key: &str) -> Result<(), Stop> {
        let (pace, mut pause) = (self.world.pace, TRY_AGAIN.0);
        loop {
            match self.look(session, key).await? {
                Looked::True | Looked::Refused => return Ok(()),
                Looked::Drawn => {
                    pause = TRY_AGAIN.0;
                    tokio::time::sleep(pace.of(AT_MOST_EVERY)).await;
                }
                Looked::NotYet(at_least) => {
                    tokio::time::sleep(pace.of(pause).max(at_least)).await;
                    pause = (pause * 2).min(TRY_AGAIN.1);
                }
            }
        }
    }

    /// Looks at a panel, and draws it in its turn if it is not true.
    async fn look(&self, session: &SessionId, key: &str) -> Result<Looked, Stop> {
        let mut turn = None;
        loop {
            match self.look_in(turn.take(), session, key).await? {
                Ok(looked) => return Ok(looked),
                Err(waited) => turn = Some(waited),
            }
        }
    }

    /// The same in a turn that was waited for. Gives one that was waited for now: what is so then has to be looked at.
    async fn look_in<'a>(
        &'a self,
        turn: Option<EditTurn<'a>>,
        session: &SessionId,
        key: &str,
    ) -> Result<Result<Looked, EditTurn<'a>>, Stop> {
        let World { store, discord, .. } = &*self.world;
        let Some(panel) = store.panel(session, key).await?.filter(|panel| panel.shown < panel.revision)
        else {
            return Ok(Ok(Looked::True));
        };
        let message = match panel.message {
            PanelMessage::Posted(message) => message,
            PanelMessage::Waiting => return Ok(Ok(Looked::NotYet(Duration::ZERO))),
            PanelMessage::Never => return self.shows(session, key, panel.revision).await.map(Ok),
        };
        if let Some(not_now) = self.let_be(session, key, panel.revision) {
            return Ok(Ok(not_now));
        }
        // Drawn after the revision was read, so that what it shows is never older than that.
        let row = store.session(session).await?;
        let (Some(post), Some(thread)) = (drawn(store, self.draw, &row, key).await?, row.thread) else {
            return self.shows(session, key, panel.revision).await.map(Ok);
        };
        let edited = match in_turn(discord, turn, (thread, message)).await {
            Ok(InTurn::Now(turn)) => edit(discord, turn, &post).await,
            Ok(InTurn::Waited(turn)) => return Ok(Err(turn)),
            Err(error) => Err(error),
        };
        self.drawn(session, key, panel.revision, edited).await.map(Ok)
    }

    /// What came of drawing a panel at a revision.
    async fn drawn(
        &self,
        session: &SessionId,
        key: &str,
        revision: i64,
        edited: Result<(), SendError>,
    ) -> Result<Looked, Stop> {
        match edited {
            Ok(()) => self.shows(session, key, revision).await,
            Err(error) if !error.is_final() => Ok(Looked::NotYet(error.retry_after.unwrap_or_default())),
            Err(error) => {
                tracing::warn!(%session, key, %error, "a panel cannot be edited");
                match error.kind {
                    Kind::TooOldToEdit => {
                        let until = Instant::now() + self.world.pace.of(TOO_OLD_LET_BE);
                        let panel_is = (session.clone(), key.to_owned());
                        self.too_old().insert(panel_is, (revision, until));
                        Ok(Looked::Refused)
                    }
                    Kind::Locked | Kind::Archived | Kind::MissingPermission(_) | Kind::Unauthorized => {
                        Ok(Looked::Refused)
                    }
                    // Deleted by somebody: there is no panel to keep true any more.
                    _ => self.shows(session, key, revision).await,
                }
            }
        }
    }

    /// What to do about a panel that was too old for an edit a while ago: nothing, as long as it has nothing else to show.
    fn let_be(&self, session: &SessionId, key: &str, revision: i64) -> Option<Looked> {
        let mut too_old = self.too_old();
        let panel = (session.clone(), key.to_owned());
        let (refused, until) = *too_old.get(&panel)?;
        if refused == revision {
            return Some(Looked::Refused);
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            too_old.remove(&panel);
            return None;
        }
        Some(Looked::NotYet(left))
    }

    fn too_old(&self) -> std::sync::MutexGuard<'_, HashMap<Panel, (i64, Instant)>> {
        self.too_old.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn shows(&self, session: &SessionId, key: &str, revision: i64) -> Result<Looked, Stop> {
        self.world.store.panel_shows(session, key, revision).await?;
        Ok(Looked::Drawn)
    }
}

/// What a panel has to show now: a vote's, a decision's, else one of the session's protocol, which `own` draws.
pub async fn drawn(store: &Store, own: DrawPanel, row: &SessionRow, key: &str) -> Result<Option<Post>, Stop> {
    let session = &row.id;
    if let Some(kind) = WaitKind::parse(key) {
        return Ok(super::confirm::confirmation_panel(store, row, kind).await?);
    }
    // A vote that is held while the session waits is shown on the card of what it waits for.
    if let Some(vote) = store.vote(session, &key.into()).await?.filter(|vote| vote.deadline_ms.is_some()) {
        return Ok(Some(render::vote::panel(session, &vote.vote)));
    }
    if let Some("decision" | "review") = key.split('/').next() {
        return Ok(super::decision::panel(store, session, key).await?);
    }
    if key.starts_with("sequel/") {
        return Ok(super::sequel::panel(store, key).await?);
    }
    own(Journal::new(store.clone(), session.clone()), row.protocol, key.to_owned()).await
}
