//! The watcher of what should run: a session that is running without a run goes on, and posts that nobody pumps
//! go out. Neither should happen; a database that failed in the midst of it all is why it may.

use std::{collections::HashSet, time::Duration};

use super::Sessions;
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
}
