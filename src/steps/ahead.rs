//! What is recorded without waiting for the disk. Whatever is written after it is on the disk after it, so nothing goes outside
//! that rests on it before it is there: whoever writes next only has to ask whether it was taken. Once one was not, nobody of
//! the run goes on, however many ask.

use std::sync::Arc;

use tokio::sync::Mutex;

use crate::store::{Ahead, StoreError};

/// The steps of one run that were recorded ahead.
#[derive(Clone, Default)]
pub(super) struct WrittenAhead(Arc<Mutex<Recorded>>);

#[derive(Default)]
struct Recorded {
    /// Those of which nobody has asked yet.
    open: Vec<Ahead<()>>,
    /// Why one was not taken.
    refused: Option<String>,
}

impl WrittenAhead {
    /// One more.
    pub(super) async fn add(&self, step: Ahead<()>) {
        self.0.lock().await.open.push(step);
    }

    /// Whether all of them were taken; the first who asks in vain gets the database's own error. Waits for nothing where
    /// something that came later is on the disk already.
    pub(super) async fn written(&self) -> Result<(), StoreError> {
        // Held while it is waited for: the seats of a round ask at the same time, and each needs the answer.
        let mut recorded = self.0.lock().await;
        if let Some(why) = &recorded.refused {
            return Err(StoreError::Failed(why.clone()));
        }
        for step in std::mem::take(&mut recorded.open) {
            if let Err(error) = step.written().await {
                recorded.refused = Some(error.to_string());
                return Err(error);
            }
        }
        Ok(())
    }
}
