//! Who listens to a reply while it comes, to show that it does. Nothing that is decided hangs on it: what counts is the
//! whole reply, and this is forgotten when that is there.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use domain::PartialReply;

/// What has come of the attempt that is under way, for whoever wants to look. Cheap to clone; all clones hear the same.
/// Its lock is held for a few letters at a time and never over an await.
#[derive(Clone, Debug, Default)]
pub struct Listener(Arc<Mutex<Option<Hearing>>>);

/// One attempt as far as it has come.
#[derive(Debug)]
struct Hearing {
    sent: Instant,
    /// When the first of it came.
    began: Option<Instant>,
    reply: PartialReply,
}

impl Listener {
    /// When the attempt under way was sent and when the first word or thought of it came; `None` before that, and once
    /// it is over.
    #[must_use]
    pub fn since(&self) -> Option<(Instant, Instant)> {
        let hearing = self.lock();
        let hearing = hearing.as_ref()?;
        Some((hearing.sent, hearing.began?))
    }

    /// Looks at what has come of the attempt under way.
    pub fn look<T>(&self, look: impl FnOnce(&PartialReply) -> Option<T>) -> Option<T> {
        look(&self.lock().as_ref()?.reply)
    }

    /// An attempt goes out; what came of one before is forgotten.
    pub(super) fn sent(&self) {
        *self.lock() = Some(Hearing { sent: Instant::now(), began: None, reply: PartialReply::default() });
    }

    /// More of the answer.
    pub(super) fn text(&self, text: &str) {
        if !text.is_empty() {
            self.hear(|reply| reply.push(text));
        }
    }

    /// More of what the model thinks; empty where the provider only tells that it does.
    pub(super) fn thought(&self, text: &str) {
        self.hear(|reply| reply.think(text));
    }

    /// The attempt is over, however it ended.
    pub(super) fn over(&self) {
        *self.lock() = None;
    }

    fn hear(&self, take: impl FnOnce(&mut PartialReply)) {
        if let Some(hearing) = &mut *self.lock() {
            hearing.began.get_or_insert_with(Instant::now);
            take(&mut hearing.reply);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Hearing>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Said;

    fn said(listener: &Listener) -> Option<Said> {
        listener.look(|reply| reply.said(100))
    }

    #[test]
    fn only_the_attempt_under_way_is_heard_and_only_once_it_speaks() {
        let listener = Listener::default();
        listener.text("before it was sent");
        assert_eq!((listener.since(), said(&listener)), (None, None));
        listener.sent();
        listener.text("");
        assert_eq!(listener.since(), None, "no word yet");
        listener.text("Yes it is");
        assert!(listener.since().is_some());
        assert_eq!(said(&listener), Some(Said::Words("Yes it is".to_owned())));
        listener.sent();
        assert_eq!((listener.since(), said(&listener)), (None, None), "another attempt begins anew");
        listener.clone().thought("");
        assert_eq!(said(&listener), Some(Said::Thought(0)));
        listener.over();
        listener.text("too late");
        assert_eq!((listener.since(), said(&listener)), (None, None));
    }
}
