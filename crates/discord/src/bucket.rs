//! One rate-limit bucket of Discord's: pure arithmetic over what its headers said.

use std::time::Duration;

use tokio::time::Instant;

/// Discord's times are in milliseconds and rounded; asking a moment too early costs a 429.
const SLACK: Duration = Duration::from_millis(10);

/// An answer whose window ends this much before the one that is known belongs to an earlier window.
const EARLIER: Duration = Duration::from_millis(250);

/// What the `X-RateLimit-…` headers of an answer said.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Allowance {
    /// Requests in a window.
    pub(super) limit: u32,
    /// Of which this many are left.
    pub(super) remaining: u32,
    /// Until the next window.
    pub(super) reset_after: Duration,
}

/// Whether a request may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// Now; it is counted.
    Go,
    /// Ask again then.
    At(Instant),
    /// Ask again when one of those under way is answered.
    AfterAnswer,
}

/// A bucket. As long as nothing is known of it, one request at a time.
#[derive(Debug, Default)]
pub(super) struct Bucket {
    limit: Option<u32>,
    remaining: u32,
    /// End of the window, if that is known; nothing left until then if `remaining` is 0.
    reset: Option<Instant>,
    in_flight: u32,
}

impl Bucket {
    /// Asks for a turn.
    pub(super) fn take(&mut self, now: Instant) -> Turn {
        if self.reset.is_some_and(|reset| reset <= now) {
            self.reset = None;
            // What is under way may reach Discord in the new window.
            self.remaining = self.limit.unwrap_or(0).saturating_sub(self.in_flight);
        }
        match (self.limit, self.reset) {
            (_, Some(reset)) if self.remaining == 0 => return Turn::At(reset),
            (Some(_), _) if self.remaining > 0 => self.remaining -= 1,
            _ if self.in_flight > 0 => return Turn::AfterAnswer,
            // Nothing is left, nothing is under way and nobody said until when (answers were lost, or there
            // never were headers): one request finds out.
            _ => self.limit = None,
        }
        self.in_flight += 1;
        Turn::Go
    }

    /// Asks for a turn where somebody else keeps the bucket: only what [`Bucket::block`] closed is waited for.
    pub(super) fn take_unless_blocked(&mut self, now: Instant) -> Turn {
        match self.reset {
            Some(reset) if reset > now => return Turn::At(reset),
            _ => self.reset = None,
        }
        self.in_flight += 1;
        Turn::Go
    }

    /// Whether a request that nobody waits for would take nothing from others: most of the window is left, and little is
    /// under way.
    pub(super) fn can_spare(&self, now: Instant) -> bool {
        let known = self.limit.filter(|_| self.reset.is_some_and(|reset| reset > now));
        known.map_or(self.in_flight == 0, |limit| self.remaining > limit / 2)
    }

    /// A request that had its turn here is over, answered or not.
    pub(super) fn finish(&mut self) {
        self.in_flight = self.in_flight.saturating_sub(1);
    }

    /// Takes in what an answer said. `counted`: the request had its turn in this bucket.
    pub(super) fn learn(&mut self, now: Instant, said: Allowance, counted: bool) {
        let reset = now + said.reset_after + SLACK;
        if self.limit.is_some() && self.reset.is_some_and(|known| reset + EARLIER < known) {
            return;
        }
        self.remaining = match self.limit {
            // Of those under way, it is not known which are counted in what is left: all may be to come.
            None => said.remaining.saturating_sub(self.in_flight),
            Some(_) => said.remaining.min(self.remaining.saturating_sub(u32::from(!counted))),
        };
        self.limit = Some(said.limit.max(1));
        self.reset = self.reset.max(Some(reset));
    }

    /// Nothing more until then.
    pub(super) fn block(&mut self, until: Instant) {
        self.remaining = 0;
        self.reset = self.reset.max(Some(until));
    }

    /// Nothing would be lost by forgetting it.
    pub(super) fn is_idle(&self, now: Instant) -> bool {
        self.in_flight == 0 && self.reset.is_none_or(|reset| reset <= now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(limit: u32, remaining: u32, seconds: u64) -> Allowance {
        Allowance { limit, remaining, reset_after: Duration::from_secs(seconds) }
    }

    /// A bucket of five in five seconds, of which one went and was answered.
    fn known() -> (Bucket, Instant) {
        let (mut bucket, now) = (Bucket::default(), Instant::now());
        bucket.take(now);
        bucket.finish();
        bucket.learn(now, said(5, 4, 5), true);
        (bucket, now)
    }

    #[test]
    fn what_somebody_else_keeps_waits_for_a_429_alone() {
        let (mut bucket, now) = (Bucket::default(), Instant::now());
        for _ in 0..100 {
            assert_eq!(bucket.take_unless_blocked(now), Turn::Go);
        }
        let until = now + Duration::from_secs(3);
        bucket.block(until);
        assert_eq!(bucket.take_unless_blocked(now), Turn::At(until));
        assert_eq!(bucket.take_unless_blocked(until), Turn::Go);
        assert!(!bucket.is_idle(until));
    }

    #[test]
    fn unknown_buckets_go_one_by_one_and_known_ones_as_far_as_allowed() {
        let (mut bucket, now) = (Bucket::default(), Instant::now());
        assert_eq!(bucket.take(now), Turn::Go);
        assert_eq!(bucket.take(now), Turn::AfterAnswer);
        bucket.finish();
        bucket.learn(now, said(5, 4, 5), true);
        for _ in 0..4 {
            assert_eq!(bucket.take(now), Turn::Go);
        }
        assert_eq!(bucket.take(now), Turn::At(now + Duration::from_secs(5) + SLACK));
    }

    #[test]
    fn what_nobody_waits_for_goes_only_while_most_is_left() {
        let (mut bucket, now) = (Bucket::default(), Instant::now());
        assert!(bucket.can_spare(now));
        bucket.take(now);
        assert!(!bucket.can_spare(now), "one finds out first");
        bucket.finish();
        bucket.learn(now, said(5, 4, 5), true);
        bucket.take(now);
        assert!(bucket.can_spare(now), "3 of 5 are left");
        bucket.take(now);
        assert!(!bucket.can_spare(now), "2 of 5");
        let later = now + Duration::from_secs(6);
        assert!(!bucket.can_spare(later), "two are under way");
        (0..2).for_each(|_| bucket.finish());
        assert!(bucket.can_spare(later));
        bucket.block(later + Duration::from_secs(1));
        assert!(!bucket.can_spare(later));
    }

    #[test]
    fn a_new_window_leaves_room_for_what_is_under_way() {
        let (mut bucket, now) = known();
        for _ in 0..4 {
            bucket.take(now);
        }
        let later = now + Duration::from_secs(6);
        assert_eq!(bucket.take(later), Turn::Go, "1 of 5, beside the 4 under way");
        assert_eq!(bucket.take(later), Turn::AfterAnswer);
    }

    #[test]
    fn answers_out_of_order_and_of_earlier_windows_give_nothing_back() {
        let (mut bucket, now) = known();
        for _ in 0..4 {
            bucket.take(now);
        }
        bucket.learn(now, said(5, 0, 5), true);
        bucket.learn(now, said(5, 3, 5), true);
        assert!(matches!(bucket.take(now), Turn::At(_)));
        let next = now + Duration::from_secs(6);
        (0..4).for_each(|_| bucket.finish());
        assert_eq!(bucket.take(next), Turn::Go);
        bucket.learn(next, said(5, 4, 5), true);
        bucket.learn(next, said(5, 0, 0), true);
        assert_eq!(bucket.take(next), Turn::Go, "a straggler of the old window closes nothing");
    }

    #[test]
    fn what_was_sent_before_the_bucket_was_known_is_counted_too() {
        let (mut bucket, now) = known();
        // Two go; then another kind of request, sent on its own, turns out to be counted here. Its answer was
        // written before the two arrived.
        bucket.take(now);
        bucket.take(now);
        bucket.learn(now, said(5, 3, 5), false);
        assert_eq!(bucket.take(now), Turn::Go);
        assert!(matches!(bucket.take(now), Turn::At(_)));
    }

    #[test]
    fn lost_answers_lead_to_one_probe() {
        let (mut bucket, now) = (Bucket::default(), Instant::now());
        bucket.take(now);
        bucket.finish();
        bucket.learn(now, said(1, 0, 1), true);
        let later = now + Duration::from_secs(2);
        assert_eq!(bucket.take(later), Turn::Go);
        assert_eq!(bucket.take(later), Turn::AfterAnswer);
        bucket.finish();
        assert_eq!(bucket.take(later), Turn::Go);
        assert_eq!(bucket.take(later), Turn::AfterAnswer);
    }
}
