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
    refused: Option<StoreError>,
}

impl WrittenAhead {
    /// One more.
    pub(super) async fn add(&self, step: Ahead<()>) {
        self.0.lock().await.open.push(step);
    }

    /// Whether all of them were taken; whoever asks in vain hears the same. A session that was stopped, and resumed before
    /// its seats asked, must look stopped to each of them: by whichever is heard first, the run ends. Waits for nothing
    /// where something that came later is on the disk already.
    pub(super) async fn written(&self) -> Result<(), StoreError> {
        // Held while it is waited for: the seats of a round ask at the same time, and each needs the answer.
        let mut recorded = self.0.lock().await;
        if let Some(why) = &recorded.refused {
            return Err(why.again());
        }
        for step in std::mem::take(&mut recorded.open) {
            if let Err(error) = step.written().await {
                recorded.refused = Some(error.again());
                return Err(error);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::Stop;

    #[tokio::test]
    async fn each_seat_of_a_session_that_was_stopped_hears_that_and_not_that_something_broke() {
        let ahead = WrittenAhead::default();
        ahead.add(Ahead::told(Ok(()))).await;
        ahead.add(Ahead::told(Err(StoreError::NotRunning("paused".to_owned())))).await;
        for seat in 0..3 {
            let stop = Stop::from(ahead.written().await.expect_err("it was not taken"));
            assert!(matches!(stop, Stop::Halted), "seat {seat}: {stop}");
        }
        let ahead = WrittenAhead::default();
        ahead.add(Ahead::told(Err(StoreError::Disk("full".to_owned())))).await;
        for seat in 0..3 {
            let stop = Stop::from(ahead.written().await.expect_err("it was not taken"));
            assert!(matches!(stop, Stop::Store(_)), "seat {seat}: {stop}");
        }
    }
}
