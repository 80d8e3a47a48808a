//! What decisions need later and nobody asks for: the question how they turned out, on the day that was set, and a
//! pin once the record is posted. Both are rows until they are done, so they are taken up again after a restart.

use std::time::Duration;

use super::{DEADLINES_EVERY, Sessions};
use crate::{
    render,
    steps::{World, thread_posts},
    store::{StoreError, Unpinned},
};
use discord::{Kind, SendError};
use domain::{SessionId, StepKey};

/// How soon a record that is not on Discord yet is looked for again.
const SOON: Duration = Duration::from_millis(500);
/// How soon a pin is tried again when Discord stumbled.
const LATER: Duration = Duration::from_secs(5);
/// Discord's answer when a channel has as many pins as it takes (documentation, opcodes and status codes).
const TOO_MANY_PINS: u32 = 30_003;

impl Sessions {
    pub(super) async fn watch_decisions(self) {
        let every = self.0.world.pace.of(DEADLINES_EVERY);
        loop {
            let asked = self.ask_due_reviews().await;
            let pinned = self.pin_records().await;
            let pause = match asked.and(pinned) {
                Ok(again) => again.unwrap_or(every),
                Err(error) => {
                    tracing::error!(%error, "decisions could not be looked after");
                    every
                }
            };
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = self.0.decided.notified() => {}
            }
        }
    }

    /// Asks how decisions turned out whose day has come.
    async fn ask_due_reviews(&self) -> Result<(), StoreError> {
        let store = &self.0.world.store;
        for (session, number) in store.due_reviews(self.now_ms()).await? {
            // One that cannot be read keeps nobody from being asked about the others.
            if let Err(error) = self.ask_review(&session, number).await {
                tracing::error!(%session, number, %error, "nobody could be asked how a decision turned out");
            }
        }
        Ok(())
    }

    async fn ask_review(&self, session: &SessionId, number: u32) -> Result<(), StoreError> {
        let store = &self.0.world.store;
        let Some(row) = store.decision(session, number).await? else { return Ok(()) };
        let card = render::decision::review_card(session, &row.decision);
        let key = StepKey::new(format!("review/{number}"));
        store
            .ask_review(session, number, thread_posts(session, &key, None, vec![card]), self.now_ms())
            .await?;
        self.0.outbox.kick(session);
        Ok(())
    }

    /// Pins the records that are posted. Gives when to look again, if any is left.
    async fn pin_records(&self) -> Result<Option<Duration>, StoreError> {
        let mut again: Option<Duration> = None;
        for record in self.0.world.store.unpinned().await? {
            if let Some(wait) = self.pin(&record).await? {
                again = Some(again.map_or(wait, |sooner| sooner.min(wait)));
            }
        }
        Ok(again)
    }

    async fn pin(&self, record: &Unpinned) -> Result<Option<Duration>, StoreError> {
        let World { discord, pace, .. } = &*self.0.world;
        let Some(message) = record.message else { return Ok(Some(pace.of(SOON))) };
        let mut pinned = discord.pin(record.thread, message).await;
        if pinned.as_ref().is_err_and(|error| error.kind == Kind::Archived) {
            pinned = match discord.archive_thread(record.thread, false).await {
                Ok(()) => discord.pin(record.thread, message).await,
                Err(error) => Err(error),
            };
        }
        let problem = match pinned {
            Ok(()) => None,
            Err(error) if !error.is_final() || error.kind == Kind::Unauthorized => {
                return Ok(Some(
                    error.retry_after.unwrap_or_default().max(pace.of(LATER)).min(DEADLINES_EVERY),
                ));
            }
            Err(error) => {
                let Unpinned { session, number, .. } = record;
                tracing::warn!(%session, number, %error, "a decision record cannot be pinned");
                Some(why_not(&error))
            }
        };
        let refused = problem.is_some();
        self.0.world.store.pinned(&record.session, record.number, problem).await?;
        if refused {
            self.0.panels.kick(&record.session, &format!("decision/{}", record.number));
        }
        Ok(None)
    }
}

/// Why a record cannot be pinned, for people.
fn why_not(error: &SendError) -> String {
    match error.kind {
        Kind::MissingPermission(name) => {
            format!("I lack the permission **{}** here.", name.unwrap_or("Pin Messages"))
        }
        Kind::Locked => "The thread is locked.".to_owned(),
        Kind::Gone => "The message is gone.".to_owned(),
        _ if error.code == Some(TOO_MANY_PINS) => {
            "The thread has as many pins as Discord allows; unpin one.".to_owned()
        }
        _ => format!("Discord refused it ({error})."),
    }
}
