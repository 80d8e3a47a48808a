//! Discord's rate limits: a bucket per route and major parameter, and fifty requests a second in all.
//!
//! Discord publishes no numbers ("Do not hard-code limits"); those here are what its headers are known to say.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// How many requests a bucket takes in which time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limit {
    pub(super) count: u32,
    pub(super) per: Duration,
}

/// What a bucket says about one request.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    pub(super) limit: Limit,
    pub(super) remaining: u32,
    pub(super) reset_after: Duration,
    pub(super) allowed: bool,
    pub(super) global: bool,
}

struct Window {
    since: Instant,
    used: u32,
    per: Duration,
}

/// All windows that are running.
#[derive(Default)]
pub(super) struct Limits {
    buckets: HashMap<String, Window>,
    global: Option<Window>,
}

/// Requests a second over all routes but those of interactions.
const GLOBAL: Limit = Limit { count: 50, per: Duration::from_secs(1) };

/// New names of one channel or thread: a limit of its own, which no header tells of.
pub(super) const RENAMES: Limit = Limit { count: 2, per: Duration::from_mins(10) };

impl Limits {
    /// Counts a request. `exempt` ones (interactions) do not count to the global limit.
    pub(super) fn take(&mut self, bucket: &str, limit: Limit, exempt: bool, now: Instant) -> Verdict {
        if self.buckets.len() > 10_000 {
            self.buckets.retain(|_, window| now.duration_since(window.since) < window.per);
        }
        if !exempt {
            let window = self.global.get_or_insert(Window { since: now, used: 0, per: GLOBAL.per });
            let verdict = take(window, GLOBAL, now);
            if !verdict.allowed {
                return Verdict { global: true, ..verdict };
            }
        }
        if !self.buckets.contains_key(bucket) {
            self.buckets.insert(bucket.to_owned(), Window { since: now, used: 0, per: limit.per });
        }
        match self.buckets.get_mut(bucket) {
            Some(window) => take(window, limit, now),
            None => Verdict { limit, remaining: 0, reset_after: limit.per, allowed: true, global: false },
        }
    }
}

fn take(window: &mut Window, limit: Limit, now: Instant) -> Verdict {
    if now.duration_since(window.since) >= limit.per {
        window.since = now;
        window.used = 0;
    }
    let allowed = window.used < limit.count;
    if allowed {
        window.used += 1;
    }
    Verdict {
        limit,
        remaining: limit.count - window.used,
        reset_after: (window.since + limit.per).saturating_duration_since(now),
        allowed,
        global: false,
    }
}

/// The limit of a route, by method and route template.
pub(super) fn limit_of(method: &str, route: &str) -> Limit {
    let (count, seconds) = match (method, route) {
        ("POST", "channels/{c}/messages" | "channels/{c}/typing")
        | ("PATCH", "channels/{c}/messages/{m}" | "channels/{c}") => (5, 5),
        ("GET", "channels/{c}/messages") => (10, 5),
        ("PUT" | "DELETE", "channels/{c}/pins/{m}" | "channels/{c}/messages/pins/{m}") => (5, 4),
        ("POST", "channels/{c}/messages/{m}/threads" | "channels/{c}/threads") => (50, 300),
        ("PUT", "applications/{a}/commands" | "applications/{a}/guilds/{g}/commands") => (5, 20),
        (_, "webhooks/{a}/{t}" | "webhooks/{a}/{t}/messages/{m}") => (5, 2),
        _ => (50, 1),
    };
    Limit { count, per: Duration::from_secs(seconds) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_fills_and_empties() {
        let (mut limits, now) = (Limits::default(), Instant::now());
        let limit = limit_of("POST", "channels/{c}/messages");
        for left in (0..5).rev() {
            let verdict = limits.take("a", limit, false, now);
            assert!(verdict.allowed && verdict.remaining == left);
        }
        let refused = limits.take("a", limit, false, now + Duration::from_secs(2));
        assert!(!refused.allowed && refused.reset_after == Duration::from_secs(3));
        assert!(limits.take("b", limit, false, now).allowed, "another channel has its own");
        assert!(limits.take("a", limit, false, now + Duration::from_secs(5)).allowed);
    }

    #[test]
    fn fifty_a_second_in_all() {
        let (mut limits, now) = (Limits::default(), Instant::now());
        let limit = limit_of("GET", "users/@me");
        for n in 0..50 {
            assert!(limits.take(&n.to_string(), limit, false, now).allowed);
        }
        let refused = limits.take("x", limit, false, now);
        assert!(!refused.allowed && refused.global);
        assert!(limits.take("x", limit, true, now).allowed, "interactions are exempt");
    }
}
