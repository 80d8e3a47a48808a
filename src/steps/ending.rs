//! Sessions of one server that end together are told in the order in which they ended, though one may have more left to
//! post before its last line than another.

use std::{pin::pin, time::Duration};

use tokio::time::{Instant, timeout_at};

use super::Outbox;
use crate::store::{OutboxRow, SessionRow, StoreError};

/// The key of the post with which a session says that it is done.
pub const CLOSING: &str = "closing";

/// How long a last line waits for those of sessions that ended before.
const WAITS: Duration = Duration::from_secs(15);

impl Outbox {
    /// Waits with a session's last line until those that ended before on its server are told, unless that takes long.
    pub(super) async fn after_earlier_ends(
        &self,
        home: &SessionRow,
        row: &OutboxRow,
    ) -> Result<(), StoreError> {
        // One that was tried may be there already.
        if row.key != CLOSING || row.tries > 0 {
            return Ok(());
        }
        let until = Instant::now() + self.world.pace.of(WAITS);
        loop {
            let mut told = pin!(self.told.notified());
            told.as_mut().enable();
            let earlier = self.world.store.ends_before(home.guild, row.id).await?;
            if !earlier || timeout_at(until, told).await.is_err() {
                return Ok(());
            }
        }
    }

    /// A post was sent or given up: whoever waits for it looks again.
    pub(super) fn is_told(&self, row: &OutboxRow) {
        if row.key == CLOSING {
            self.told.notify_waiters();
        }
    }
}
