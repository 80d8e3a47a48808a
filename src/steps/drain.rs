//! The end of a process that was asked to stop: no new calls, and some time for those in flight, so that a deploy
//! repeats nothing that it need not.

use std::time::Duration;

use tokio_util::{
    sync::CancellationToken,
    task::{TaskTracker, task_tracker::TaskTrackerToken},
};

/// The calls in flight. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Drain {
    begun: CancellationToken,
    calls: TaskTracker,
}

impl Drain {
    /// Admits a call, which is in flight as long as what is given lives; `None` once the process is to end.
    pub(super) fn admit(&self) -> Option<TaskTrackerToken> {
        (!self.begun.is_cancelled()).then(|| self.calls.token())
    }

    /// Makes no new calls, and gives those in flight so long to be answered and written down. Gives how many were
    /// not: their intents stay, and the next process charges and repeats them.
    pub async fn end(&self, patience: Duration) -> usize {
        self.begun.cancel();
        self.calls.close();
        let flying = self.calls.len();
        if flying > 0 {
            tracing::info!(
                calls = flying,
                ?patience,
                "waiting for the calls in flight; a second signal ends at once"
            );
        }
        // What is not done by then is counted below.
        let _ = tokio::time::timeout(patience, self.calls.wait()).await;
        self.calls.len()
    }
}
