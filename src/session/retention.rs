//! Sessions, and the requests and replies of those that ended, are kept as long as their server wants, and then deleted.
//! The space is given back in small bites, so that others' writes come first.

use std::time::Duration;

use super::Sessions;
use crate::store::StoreError;

/// How often it is looked for what has been kept long enough.
const EVERY: Duration = Duration::from_hours(1);
/// Between two batches, so that others' writes come first.
const PAUSE: Duration = Duration::from_millis(50);

impl Sessions {
    pub(super) async fn watch_retention(self) {
        loop {
            if let Err(error) = self.forget_expired().await {
                tracing::error!(%error, "what was kept long enough could not be deleted");
            }
            tokio::time::sleep(EVERY).await;
        }
    }

    /// Deletes all that has been kept long enough, a batch at a time.
    async fn forget_expired(&self) -> Result<(), StoreError> {
        if !self.0.world.is_past(self.now_ms()).await {
            return Ok(());
        }
        let store = &self.0.world.store;
        let pause = || tokio::time::sleep(self.pace().of(PAUSE));
        let (mut sessions, mut raw, mut rest) = (0, 0, 0);
        for (deleted, what) in
            [(&mut sessions, Kept::Session), (&mut raw, Kept::Raw), (&mut rest, Kept::Rest)]
        {
            loop {
                let some = match what {
                    Kept::Session => store.delete_expired(self.now_ms()).await?,
                    Kept::Raw => store.prune_raw(self.now_ms()).await?,
                    Kept::Rest => store.prune_rest(self.now_ms()).await?,
                };
                if some == 0 {
                    break;
                }
                *deleted += some;
                pause().await;
            }
        }
        if sessions + raw + rest == 0 {
            return Ok(());
        }
        tracing::info!(
            sessions,
            sessions_without_raw_outputs = raw,
            other_rows = rest,
            "what was kept long enough was deleted"
        );
        self.give_space_back().await
    }

    /// Leaves nothing of what somebody wanted deleted in the file and in its log. In a large file pieces may stay in pages'
    /// unused space until they are written over.
    pub(super) async fn leave_nothing(&self) -> Result<(), StoreError> {
        match self.0.world.store.rewrite().await {
            Ok(true) => return self.0.world.store.empty_log().await,
            Ok(false) => tracing::warn!(
                "pieces of what was deleted may stand in unused space of the database, which is too large to be written anew while others write; run VACUUM on it in a quiet hour"
            ),
            Err(error) => tracing::warn!(
                %error,
                "pieces of what was deleted may stand in unused space of the database, which could not be written anew; run VACUUM on it in a quiet hour"
            ),
        }
        self.give_space_back().await
    }

    /// Gives the space of what was deleted back, and empties the log, in which it still stands.
    async fn give_space_back(&self) -> Result<(), StoreError> {
        let store = &self.0.world.store;
        while store.give_back().await? {
            tokio::time::sleep(self.pace().of(PAUSE)).await;
        }
        store.empty_log().await
    }

    /// Leaves nothing of what somebody deleted, in the background.
    pub(super) fn sweep(&self) {
        let sessions = self.clone();
        tokio::spawn(async move {
            if let Err(error) = sessions.leave_nothing().await {
                tracing::warn!(%error, "what was deleted still stands in the database's files");
            }
        });
    }
}

/// What is kept only so long.
#[derive(Clone, Copy)]
enum Kept {
    Session,
    Raw,
    Rest,
}
