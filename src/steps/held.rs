//! What calls under way hold of a session's budget. It is held at the worst case, and most of it comes back when the call
//! ends: a call that finds too little left waits for the others of its session before it gives up.

use std::sync::Arc;

use tokio::sync::watch;

/// The calls of one session that hold some of its budget, or are about to.
#[derive(Clone, Default)]
pub(super) struct Holding(Arc<watch::Sender<Calls>>);

#[derive(Clone, Copy, Default)]
struct Calls {
    /// That hold some, or try to.
    now: usize,
    /// That gave back what they held.
    ended: u64,
}

/// A call that tries to hold some and then holds it; dropped when it is accounted for.
pub(super) struct Held {
    calls: Arc<watch::Sender<Calls>>,
    /// Whether it got it.
    has: bool,
    /// How many had ended when it began to try.
    ended_before: u64,
}

impl Holding {
    /// A call is about to reserve its worst case.
    pub(super) fn begin(&self) -> Held {
        let mut ended_before = 0;
        self.0.send_modify(|calls| {
            calls.now += 1;
            ended_before = calls.ended;
        });
        Held { calls: Arc::clone(&self.0), has: false, ended_before }
    }
}

impl Held {
    /// It was reserved.
    pub(super) fn taken(mut self) -> Self {
        self.has = true;
        self
    }

    /// It was refused: waits until there may be more. `false` where there is nobody to wait for.
    pub(super) async fn may_try_again(self) -> bool {
        let (mut changes, ended_before) = (self.calls.subscribe(), self.ended_before);
        drop(self);
        let calls = *changes.borrow_and_update();
        // The bell is in the steps that wait here, so it does not go away.
        calls.ended != ended_before || (calls.now > 0 && changes.changed().await.is_ok())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.calls.send_modify(|calls| {
            calls.now = calls.now.saturating_sub(1);
            calls.ended += u64::from(self.has);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn whoever_finds_too_little_waits_for_the_others_and_then_gives_up() {
        let holding = Holding::default();
        let held = [holding.begin().taken(), holding.begin().taken()];
        let waits = async {
            let mut tries = 1;
            while holding.begin().may_try_again().await {
                tries += 1;
            }
            tries
        };
        let ends = async {
            for held in held {
                tokio::task::yield_now().await;
                drop(held);
            }
        };
        assert_eq!(tokio::join!(waits, ends).0, 3, "once beside two, once beside one, once alone");
    }

    #[tokio::test]
    async fn who_ends_between_the_try_and_the_wait_is_not_missed() {
        let holding = Holding::default();
        let other = holding.begin().taken();
        let own = holding.begin();
        drop(other);
        assert!(own.may_try_again().await);
        assert!(!holding.begin().may_try_again().await, "nobody is left");
    }

    #[tokio::test]
    async fn of_many_that_are_refused_together_none_waits_for_ever() {
        let holding = Holding::default();
        let tries = async || while holding.begin().may_try_again().await {};
        tokio::join!(tries(), tries(), tries());
    }
}
