//! Tasks that are kicked: at most one for each thing that is to be kept true, from the first kick until nothing is left
//! to do. One that fails or panics says so in the log and starts again.

use std::{
    collections::HashMap,
    fmt::Debug,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use super::Stop;
use crate::store::caught;

/// How soon work that broke is tried again, at first and at last.
const TRY_AGAIN: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(30));

/// The tasks at work, by what they look after. Cheap to clone.
#[derive(Clone)]
pub struct Kicked<K> {
    /// `true` when there may be more to do than a task has seen.
    at_work: Arc<Mutex<HashMap<K, bool>>>,
}

impl<K> Default for Kicked<K> {
    fn default() -> Self {
        Self { at_work: Arc::default() }
    }
}

impl<K: Clone + Debug + Eq + Hash + Send + 'static> Kicked<K> {
    /// Sees to it that `work`, which the log calls `what`, is done for `key` from its beginning after this moment.
    /// Returns at once. What fails in a way that trying again does not mend is left for the next kick or start.
    pub fn kick<W, F, E>(&self, what: &'static str, key: &K, work: W)
    where
        W: Fn() -> F + Send + Sync + 'static,
        F: Future<Output = Result<(), E>> + Send,
        E: Into<Stop>,
    {
        let mut at_work = self.lock();
        if let Some(more) = at_work.get_mut(key) {
            *more = true;
            return;
        }
        at_work.insert(key.clone(), false);
        drop(at_work);
        let (all, key) = (self.clone(), key.clone());
        tokio::spawn(async move {
            let mut pause = TRY_AGAIN.0;
            loop {
                match caught(async { work().await.map_err(Into::into) }).await {
                    Ok(()) => pause = TRY_AGAIN.0,
                    Err::<(), Stop>(error) => {
                        tracing::error!(?key, %error, "{what} broke");
                        if error.may_pass() {
                            tokio::time::sleep(pause).await;
                            pause = (pause * 2).min(TRY_AGAIN.1);
                            continue;
                        }
                    }
                }
                if all.rests(&key) {
                    return;
                }
            }
        });
    }

    /// Ends a task if nobody has kicked it since it began its work.
    fn rests(&self, key: &K) -> bool {
        let mut at_work = self.lock();
        match at_work.get_mut(key) {
            Some(more) if *more => {
                *more = false;
                false
            }
            _ => {
                at_work.remove(key);
                true
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, bool>> {
        self.at_work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::sync::Notify;

    use super::*;
    use crate::store::StoreError;

    /// Work that breaks so for the first time, and how often it was begun.
    async fn broken_once(breaks: fn() -> Result<(), StoreError>, kicks: usize) -> usize {
        let (tasks, begun, done) =
            (Kicked::default(), Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
        for _ in 0..kicks {
            let (begun, done) = (Arc::clone(&begun), Arc::clone(&done));
            tasks.kick("a test", &1, move || {
                let (nth, done) = (begun.fetch_add(1, Ordering::SeqCst), Arc::clone(&done));
                async move {
                    if nth == 0 {
                        return breaks();
                    }
                    done.notify_one();
                    Ok(())
                }
            });
            tokio::task::yield_now().await;
        }
        // Only a task that was begun anew gets here.
        tokio::time::timeout(Duration::from_secs(20), done.notified()).await.unwrap();
        while !tasks.lock().is_empty() {
            tokio::task::yield_now().await;
        }
        begun.load(Ordering::SeqCst)
    }

    #[tokio::test]
    async fn what_panics_starts_again() {
        assert_eq!(broken_once(|| panic!("once"), 1).await, 2);
    }

    #[tokio::test]
    async fn what_the_database_could_not_do_is_tried_again() {
        assert_eq!(broken_once(|| Err(StoreError::Failed("full".to_owned())), 1).await, 2);
    }

    #[tokio::test]
    async fn what_cannot_be_mended_waits_for_the_next_kick() {
        assert_eq!(broken_once(|| Err(StoreError::Missing("session")), 2).await, 2);
    }
}
