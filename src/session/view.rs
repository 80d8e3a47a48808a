//! What people look at: where a session stands.

use std::time::{Duration, Instant};

use super::Sessions;
use crate::{
    error::UserError,
    render,
    steps::status,
    store::{SessionRow, StoreError},
};
use domain::{ChannelId, Document, GuildId, MessageId, ModelName, Post, SessionId, SessionState, ThreadIs};

/// How long after its end a session's thread is still read back for questions after a restart.
const WATCHED_FOR: Duration = Duration::from_hours(3 * 24);

impl Sessions {
    /// A session of this server by its name; a session of another server does not exist here.
    pub async fn find(&self, id: &SessionId, guild: GuildId) -> anyhow::Result<SessionRow> {
        match self.0.world.store.session(id).await {
            Ok(row) if row.guild == guild => Ok(row),
            Ok(_) | Err(StoreError::Missing(_)) => UserError::of(
                "There is no such session on this server. `/history` lists the ones of this channel.",
            ),
            Err(StoreError::UnknownProtocol(protocol)) => UserError::of(format!(
                "This session was started by another version of me, with a protocol (`{protocol}`) that I do not know, so I cannot do anything with it."
            )),
            Err(other) => Err(other.into()),
        }
    }

    /// The session whose thread this is.
    pub async fn of_thread(&self, thread: ChannelId) -> anyhow::Result<Option<SessionRow>> {
        Ok(self.0.world.store.session_of_thread(thread).await?)
    }

    /// What its team attached to a session, if anything.
    pub async fn document_of(&self, row: &SessionRow) -> anyhow::Result<Option<Document>> {
        // What was cancelled before anybody read it has lost its text.
        let document = self.0.world.store.plan(&row.id).await?.brief.document().cloned();
        // Of its pictures that session alone keeps what is still to be read.
        let document = document.map(|document| document.with_pictures_read(None));
        Ok(document.filter(|document| !document.text.is_empty()))
    }

    /// Its thread, waited for at most as long as `patience`: it opens when the live card has been posted, unless
    /// Discord asks for more time than anybody waits here.
    pub async fn thread_of(&self, id: &SessionId, patience: Duration) -> Result<ThreadIs, StoreError> {
        let until = Instant::now() + patience;
        let mut pause = Duration::from_millis(50);
        loop {
            let row = self.0.world.store.session(id).await?;
            if let Some(thread) = row.thread {
                return Ok(ThreadIs::Open(thread));
            }
            // One that is over before its thread is there has posts that wait for it, unless all of them were given up.
            let failed = row.state == SessionState::Failed;
            if failed && self.0.world.store.next_post(id).await?.is_none() {
                return Ok(ThreadIs::Never(row.notice));
            }
            if let Some(late) = self.0.world.late_threads.until(id) {
                return Ok(ThreadIs::Late(late));
            }
            if Instant::now() >= until {
                return Ok(ThreadIs::Coming);
            }
            tokio::time::sleep(self.pace().of(pause)).await;
            pause = (pause * 3 / 2).min(Duration::from_millis(800));
        }
    }

    /// Every model that can be chosen.
    #[must_use]
    pub fn models(&self) -> Vec<ModelName> {
        self.settings().appointed.models()
    }

    /// Threads in which questions may have come while the bot was away.
    pub async fn watched_threads(&self) -> anyhow::Result<Vec<(SessionId, ChannelId, MessageId)>> {
        let since = self.now_ms() - i64::try_from(WATCHED_FOR.as_millis()).unwrap_or(i64::MAX);
        Ok(self.0.world.store.watched_threads(since).await?)
    }

    /// Remembers how far a thread was read.
    pub async fn seen(&self, thread: ChannelId, message: MessageId) -> anyhow::Result<()> {
        Ok(self.0.world.store.seen(thread, message).await?)
    }

    /// Where a session stands, as its live card shows it.
    pub async fn show(&self, row: &SessionRow) -> anyhow::Result<Post> {
        let progress = self.runs().get(&row.id).map(|run| run.live.progress()).unwrap_or_default();
        let status = status(&self.0.world, row, progress).await?;
        let mut card = render::status::card(&row.id, &status);
        // A private copy: the buttons stay on the one live card.
        card.rows.clear();
        Ok(card)
    }
}
