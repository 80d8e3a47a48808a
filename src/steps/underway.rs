//! The calls of a session that are under way, and what its live card shows of the one that has been answering for
//! longest. In memory only, for people only: no prompt is made of it, and it is gone with the call.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use domain::{MessageId, Pace, Writing};
use models::Listener;

/// Edits of a card on which nothing but the last words has changed are at least this far apart; and nothing is shown of
/// a call that is not longer under way, so that a short one costs no edit.
pub(super) const WORDS_AT_MOST_EVERY: Duration = Duration::from_secs(3);
/// How long an answer must have been coming: one that comes all at once is there before anybody could read of it.
const COMES_FOR: Duration = Duration::from_secs(1);
/// How often it is looked whether there are new words, once they may be shown.
pub(super) const LOOKS_AGAIN: Duration = Duration::from_secs(1);
/// Most letters of them: three lines on a phone.
const MOST_WORDS: usize = 140;
/// How old a message may be for edits that change nothing but words: Discord takes few of one older than an hour, and
/// those are for what has to be said.
const YOUNG: Duration = Duration::from_mins(50);

/// The calls under way. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Underway(Arc<Mutex<Vec<Call>>>);

struct Call {
    who: String,
    /// Whether its words may be seen before they are read and checked.
    seen: bool,
    listener: Arc<Listener>,
}

/// A call under way; dropped when it is over.
pub(super) struct Calling {
    underway: Underway,
    listener: Arc<Listener>,
}

impl Underway {
    /// A seat is about to be asked.
    pub(super) fn begin(&self, who: &str, seen: bool) -> Calling {
        let listener = Arc::new(Listener::default());
        self.lock().push(Call { who: who.to_owned(), seen, listener: Arc::clone(&listener) });
        Calling { underway: self.clone(), listener }
    }

    /// Whether nobody is asked.
    pub(super) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// What is shown of the answer that has been coming for longest.
    pub(super) fn writing(&self, pace: Pace) -> Option<Writing> {
        let now = Instant::now();
        let long = |since: Instant, least| now.saturating_duration_since(since) >= pace.of(least);
        let calls = self.lock();
        let coming = calls.iter().filter_map(|call| {
            let (sent, began) = call.listener.since()?;
            (long(sent, WORDS_AT_MOST_EVERY) && long(began, COMES_FOR)).then_some((began, call))
        });
        let (_, Call { who, seen, listener }) = coming.min_by_key(|(began, _)| *began)?;
        let said = listener.look(|reply| if *seen { reply.said(MOST_WORDS) } else { reply.unchecked() })?;
        Some(Writing { who: who.clone(), said })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Call>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Calling {
    /// Who hears the answer come.
    pub(super) fn listener(&self) -> &Listener {
        &self.listener
    }
}

impl Drop for Calling {
    fn drop(&mut self) {
        self.underway.lock().retain(|call| !Arc::ptr_eq(&call.listener, &self.listener));
    }
}

/// Whether a message takes edits that change nothing but words.
pub(super) fn takes_words(message: MessageId, now_ms: i64) -> bool {
    now_ms.saturating_sub(message.made_ms()) < i64::try_from(YOUNG.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_under_way_until_it_is_dropped_and_says_nothing_before_it_speaks() {
        let underway = Underway::default();
        let (one, other) = (underway.begin("Cost", true), underway.begin("Cost", true));
        assert_eq!(underway.writing(Pace::faster(u32::MAX)), None);
        drop(one);
        assert!(!underway.is_empty(), "the other one of the same seat stays");
        drop(other);
        assert!(underway.is_empty());
    }

    #[test]
    fn an_old_message_is_edited_for_nothing_but_news() {
        let message = MessageId(1_000_000 << 22);
        let minutes = |minutes: i64| message.made_ms() + minutes * 60_000;
        assert!(takes_words(message, minutes(0)) && takes_words(message, minutes(49)));
        assert!(!takes_words(message, minutes(50)));
        assert!(takes_words(message, minutes(-5)), "a clock that was set back");
    }
}
