//! The watcher of what should run: a session that is running without a run goes on, and posts that nobody pumps
//! go out. Neither should happen; a database that failed in the midst of it all is why it may. A session of which something
//! cannot be read is parked, so that nothing but itself stands still.

use std::{collections::HashSet, time::Duration};

use super::{Sessions, run::notice_key};
use crate::{render, steps::thread_posts, store::StoreError};
use domain::{SessionId, SessionState};

/// How often it is looked. What is found twice in a row is no run that is just beginning or ending.
const LOOKS_EVERY: Duration = Duration::from_secs(30);

impl Sessions {
    /// Starts what is running without a run, and pumps what is pending.
    pub(super) async fn watch_runs(self) {
        let every = self.0.world.pace.of(LOOKS_EVERY);
        let mut idle: HashSet<SessionId> = HashSet::new();
        loop {
            tokio::time::sleep(every).await;
            let rows = match self.0.world.store.unfinished_sessions().await {
                Ok(rows) => rows,
                Err(error) => {
                    tracing::error!(%error, "what should run could not be read");
                    continue;
                }
            };
            if let Err(error) = self.park_unreadable().await {
                tracing::error!(%error, "what cannot be read could not be parked");
            }
            let running = rows.iter().filter(|row| row.state == SessionState::Running);
            let without: HashSet<SessionId> =
                running.map(|row| row.id.clone()).filter(|id| !self.runs().contains_key(id)).collect();
            for id in without.intersection(&idle) {
                tracing::warn!(session = %id, "a session was running without a run; it goes on");
                self.spawn(id);
            }
            idle = without;
            for row in &rows {
                self.0.outbox.kick(&row.id);
            }
        }
    }

    /// Remembers that something of a session cannot be read, if that is what went wrong.
    pub(super) fn note_unreadable(&self, session: &SessionId, error: &StoreError) {
        if let StoreError::Corrupt(problem) = error {
            self.store().found_unreadable(session, problem.clone());
        }
    }

    /// Parks the sessions of which something cannot be read, each with a notice in its thread.
    pub(super) async fn park_unreadable(&self) -> Result<(), StoreError> {
        for (id, problem) in self.store().unreadable_sessions() {
            let sentence = "Something that is stored of this session cannot be read.";
            let card = render::notices::parked_unread(&id, sentence);
            let now = self.now_ms();
            let posts = thread_posts(&id, &notice_key("parked", now), None, vec![card]);
            match self.store().park_unreadable(&id, format!("{sentence} ({problem})"), posts, now).await {
                Ok(true) => tracing::error!(session = %id, problem, "parked: something of it cannot be read"),
                // It was over, or is gone: what is left of it stays as it is.
                Ok(false) | Err(StoreError::Missing(_)) => continue,
                Err(error) => {
                    self.store().found_unreadable(&id, format!("{problem} (not parked yet)"));
                    return Err(error);
                }
            }
            if let Some(run) = self.runs().get(&id) {
                run.cancel.cancel();
            }
            self.0.outbox.kick(&id);
            self.kick_panels(&id).await;
            self.redraw(&id);
        }
        Ok(())
    }
}
