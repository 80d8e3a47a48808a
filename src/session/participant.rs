//! Whoever takes part in a session is in its thread. Discord adds somebody without a notice to anybody by an edit that mentions
//! them; what the edit says is taken back at once, and its message is noted before, so that nothing of it stays after a restart.

use std::{collections::HashMap, time::Duration};

use futures::{StreamExt, stream};
use tokio::time::Instant;

use super::Sessions;
use crate::{
    render,
    steps::{TOO_OLD_LET_BE, World, edit_text},
    store::StoreError,
};
use discord::{Kind, SendError};
use domain::{ChannelId, MessageId, SessionId, UserId};

/// How often it is looked who came: all who came since are added by one edit, so a vote of hundreds costs few.
const EVERY: Duration = Duration::from_secs(10);
/// Threads that somebody is added to at the same time: posts and cards go before them.
const AT_ONCE: usize = 4;
/// Messages that are tried, where somebody deleted the first ones.
const MOST_TRIED: usize = 3;

/// Why nobody is added to a session's thread now.
enum LetBe {
    /// Discord asked for time.
    Until(Instant),
    /// Discord refused these; it is asked again once somebody else has come, and after a restart.
    For(Vec<UserId>),
}

impl Sessions {
    pub(super) async fn watch_participants(self) {
        let mut let_be: HashMap<SessionId, LetBe> = HashMap::new();
        loop {
            tokio::time::sleep(self.pace().of(EVERY)).await;
            let joined = self.store().joined().await.unwrap_or_else(|error| {
                tracing::error!(%error, "who takes part could not be read");
                Vec::new()
            });
            let before = std::mem::take(&mut let_be);
            let looked = stream::iter(joined).map(|session| {
                let (sessions, before) = (&self, before.get(&session));
                async move {
                    let looked = sessions.add_newcomers(&session, before).await.unwrap_or_else(|error| {
                        tracing::error!(%session, %error, "whoever takes part could not be added to the thread");
                        None
                    });
                    looked.map(|why| (session, why))
                }
            });
            let_be = looked.buffer_unordered(AT_ONCE).filter_map(std::future::ready).collect().await;
        }
    }

    /// Adds whoever takes part in a session and is not in its thread yet. Gives why that is not done now, where it is not.
    async fn add_newcomers(
        &self,
        session: &SessionId,
        before: Option<&LetBe>,
    ) -> Result<Option<LetBe>, StoreError> {
        let newcomers = self.store().newcomers(session).await?;
        match before {
            Some(LetBe::Until(until)) if *until > Instant::now() => {
                return Ok(Some(LetBe::Until(*until)));
            }
            Some(LetBe::For(refused)) if *refused == newcomers => return Ok(Some(LetBe::For(newcomers))),
            _ => {}
        }
        let Some(thread) = self.store().session(session).await?.thread else { return Ok(None) };
        if let Some(message) = self.store().mentioning(session).await? {
            // Left by a process that did not get to it.
            if let Err(error) = self.take_back(thread, message).await {
                return Ok(Some(self.let_be(session, &error, newcomers)));
            }
            self.store().added(session, Vec::new(), true).await?;
        }
        if newcomers.is_empty() {
            return Ok(None);
        }
        let message = match self.mention(session, thread, &newcomers).await? {
            Ok(Some(message)) => message,
            // Nothing is posted yet that could mention them.
            Ok(None) => return Ok(None),
            Err(error) => return Ok(Some(self.let_be(session, &error, newcomers))),
        };
        let taken_back = self.take_back(thread, message).await;
        self.store().added(session, newcomers, taken_back.is_ok()).await?;
        Ok(taken_back.err().map(|error| self.let_be(session, &error, Vec::new())))
    }

    /// Has one of a session's messages mention members; gives which.
    async fn mention(
        &self,
        session: &SessionId,
        thread: ChannelId,
        members: &[UserId],
    ) -> Result<Result<Option<MessageId>, SendError>, StoreError> {
        let World { store, discord, .. } = &*self.0.world;
        let line = render::participant::line(members);
        let mut gone: Option<(MessageId, SendError)> = None;
        for _ in 0..MOST_TRIED {
            let after = gone.as_ref().map_or(MessageId(0), |(message, _)| *message);
            let Some(message) = store.message_without_text(session, after).await? else { break };
            store.mentions(session, message).await?;
            match edit_text(discord, thread, message, (&line, members)).await {
                Ok(()) => return Ok(Ok(Some(message))),
                Err(error) if error.kind == Kind::Gone => gone = Some((message, error)),
                Err(error) => return Ok(Err(error)),
            }
        }
        let Some((_, error)) = gone else { return Ok(Ok(None)) };
        store.added(session, Vec::new(), true).await?;
        Ok(Err(error))
    }

    /// Has a message mention nobody again. One that is gone mentions nobody.
    async fn take_back(&self, thread: ChannelId, message: MessageId) -> Result<(), SendError> {
        match edit_text(&self.0.world.discord, thread, message, ("", &[])).await {
            Err(error) if error.kind == Kind::Gone => Ok(()),
            said => said,
        }
    }

    fn let_be(&self, session: &SessionId, error: &SendError, newcomers: Vec<UserId>) -> LetBe {
        if !error.is_final() {
            return LetBe::Until(Instant::now() + error.retry_after.unwrap_or_default());
        }
        tracing::warn!(%session, %error, "whoever takes part cannot be added to the thread");
        if error.kind == Kind::TooOldToEdit {
            return LetBe::Until(Instant::now() + self.pace().of(TOO_OLD_LET_BE));
        }
        LetBe::For(newcomers)
    }
}
