//! What is recorded without waiting for the disk. Whatever is written after it is on the disk after it, so nothing goes outside
//! that rests on it before it is there: whoever writes next only has to ask whether it was taken.

use std::sync::{Arc, Mutex, PoisonError};

use crate::store::{Ahead, StoreError};

/// The steps of one run that were recorded ahead.
#[derive(Clone, Default)]
pub(super) struct WrittenAhead(Arc<Mutex<Vec<Ahead<()>>>>);

impl WrittenAhead {
    /// One more.
    pub(super) fn add(&self, step: Ahead<()>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(step);
    }

    /// Whether all of them were taken. Waits for nothing where something that came later is on the disk already.
    pub(super) async fn written(&self) -> Result<(), StoreError> {
        let all = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        for step in all {
            step.written().await?;
        }
        Ok(())
    }
}
