//! Threads that Discord does not let the bot start yet: new ones have a limit of their own, in a channel and for a bot.
//!
//! In memory only: after a restart the outbox asks Discord again. Written by the outbox; read by the live card and by the
//! answer to whoever started the session.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use domain::SessionId;

/// Asked again a moment too early, Discord names the same moment once more, give or take so many seconds.
const SAME: i64 = 2;

/// Which sessions wait for their thread, and until when, in seconds since 1970.
#[derive(Default)]
pub struct LateThreads(Mutex<HashMap<SessionId, i64>>);

impl LateThreads {
    /// When Discord takes the session's thread, if it has said so.
    #[must_use]
    pub fn until(&self, session: &SessionId) -> Option<i64> {
        self.lock().get(session).copied()
    }

    /// Discord asks, now, for so much time before it takes the session's thread. Gives whether that is news.
    pub(super) fn wait(&self, session: &SessionId, wait: Duration, now_ms: i64) -> bool {
        let until = now_ms / 1000 + i64::try_from(wait.as_secs()).unwrap_or_default();
        let mut late = self.lock();
        let known = late.get(session).is_some_and(|known| (known - until).abs() <= SAME);
        if !known {
            late.insert(session.clone(), until);
        }
        !known
    }

    /// It is there, or never will be. Gives whether it was late.
    pub(super) fn over(&self, session: &SessionId) -> bool {
        self.lock().remove(session).is_some()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
