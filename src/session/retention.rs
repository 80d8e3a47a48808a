//! Sessions are kept as long as their server wants, and then deleted.

use std::time::Duration;

use super::Sessions;
use crate::steps::now_ms;

/// How often it is looked for what has been kept long enough.
const EVERY: Duration = Duration::from_hours(1);
/// Between two batches, so that others' writes come first.
const PAUSE: Duration = Duration::from_millis(50);

impl Sessions {
    pub(super) async fn watch_retention(self) {
        loop {
            self.forget_expired().await;
            tokio::time::sleep(EVERY).await;
        }
    }

    /// Deletes all that has been kept long enough, a batch at a time.
    async fn forget_expired(&self) {
        let mut all = 0;
        loop {
            match self.0.world.store.delete_expired(now_ms()).await {
                Ok(0) => break,
                Ok(some) => all += some,
                Err(error) => {
                    tracing::error!(%error, "sessions that were kept long enough could not be deleted");
                    break;
                }
            }
            tokio::time::sleep(self.pace().of(PAUSE)).await;
        }
        if all > 0 {
            tracing::info!(sessions = all, "sessions were deleted, as their servers keep them no longer");
        }
    }
}
