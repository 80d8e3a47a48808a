//! Keeps Discord's rate limits (documentation, topics/rate-limits): a bucket for each kind of request and each
//! channel, learned from the answers, and 50 requests a second in all, which are handed out by urgency (`pace`). Where a
//! proxy keeps them for all processes, nothing is held back but what was answered 429.
//!
//! A library would do (`twilight-http-ratelimiting` 0.18 was weighed) but for this: it lets one request of a bucket out at
//! a time, where five may be under way; it knows no global or Cloudflare 429 and no longest wait; and it lets what may go
//! out in a second go in one burst.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use reqwest::header::HeaderMap;
use tokio::{
    sync::Notify,
    time::{Instant, timeout_at},
};

use super::{
    SendError,
    bucket::{Allowance, Bucket, Turn},
    pace::{SharedPace, Urgency},
};
use domain::RestRate;

/// Longest wait for a turn, unless the request says otherwise; beyond it the caller is told to come back.
pub(super) const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// Longest time for which a 429 closes a bucket, whatever it says: then one request finds out.
const LONGEST_BLOCK: Duration = Duration::from_mins(15);

/// Buckets that are kept before idle ones are forgotten.
const MANY: usize = 512;

/// How often that is looked at: with many sessions all of them may be in use.
const FORGETS_EVERY: Duration = Duration::from_secs(1);

/// A kind of request (method and path without its numbers) and the channel or webhook it is for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Route {
    /// Such as `POST /channels/{}/messages`.
    pub(super) kind: String,
    /// Discord's major parameter: buckets of different channels are apart.
    pub(super) major: String,
}

/// The account of all limits of one bot.
#[derive(Debug, Default)]
pub(super) struct Limiter {
    known: Mutex<Known>,
    shared: SharedPace,
    /// A proxy keeps the limits: no bucket is learned.
    stands_aside: bool,
}

#[derive(Debug, Default)]
struct Known {
    /// The bucket of each route; routes that turn out to be counted together share one.
    slots: HashMap<Route, Arc<Slot>>,
    /// The same by Discord's name for the bucket (as `kind`) and the major parameter.
    named: HashMap<Route, Arc<Slot>>,
    /// When idle ones were forgotten last.
    forgot: Option<Instant>,
}

/// A bucket and the queue before it.
#[derive(Debug, Default)]
struct Slot {
    /// Held by the first in the queue; the mutex is fair.
    queue: tokio::sync::Mutex<()>,
    bucket: Mutex<Bucket>,
    answered: Notify,
}

/// A turn. Dropped without an answer, it only stops being under way.
pub(super) struct Permit<'a> {
    limiter: &'a Limiter,
    route: Route,
    slot: Arc<Slot>,
    over: bool,
}

impl Limiter {
    /// An account that is kept so.
    pub(super) fn at(rate: RestRate) -> Self {
        Self { known: Mutex::default(), shared: SharedPace::at(rate), stands_aside: rate == RestRate::Proxy }
    }

    /// Waits until a request of this route may be sent. Fails, without having been counted, if that takes
    /// longer than `patience`. With an urgency it counts against the global limit too.
    pub(super) async fn turn(
        &self,
        route: Route,
        shared: Option<Urgency>,
        patience: Duration,
    ) -> Result<Permit<'_>, SendError> {
        let permit = 'slot: loop {
            let slot = self.slot(&route);
            let _first = slot.queue.lock().await;
            loop {
                if !Arc::ptr_eq(&slot, &self.slot(&route)) {
                    continue 'slot;
                }
                let now = Instant::now();
                let turn = if self.stands_aside {
                    lock(&slot.bucket).take_unless_blocked(now)
                } else {
                    lock(&slot.bucket).take(now)
                };
                match turn {
                    Turn::Go => {
                        break 'slot Permit { limiter: self, route, slot: Arc::clone(&slot), over: false };
                    }
                    Turn::At(then) if then > now + patience => return Err(too_long(then - now)),
                    // Whether something was answered meanwhile or not, the bucket is asked again.
                    Turn::At(then) => drop(timeout_at(then, slot.answered.notified()).await),
                    Turn::AfterAnswer => slot.answered.notified().await,
                }
            }
        };
        if let Some(urgency) = shared {
            self.shared.turn(urgency, patience).await?;
        }
        Ok(permit)
    }

    /// Whether a request of this route could go now without that anything else waits for it, and nothing waits already.
    pub(super) fn can_spare(&self, route: &Route) -> bool {
        let now = Instant::now();
        let known = lock(&self.known).slots.get(route).cloned();
        let idle =
            known.is_none_or(|slot| slot.queue.try_lock().is_ok() && lock(&slot.bucket).can_spare(now));
        idle && self.shared.can_spare(now)
    }

    /// Nothing more of the bot at all for so long.
    pub(super) fn block_everything(&self, wait: Duration) {
        self.shared.block(Instant::now() + wait.min(LONGEST_BLOCK));
    }

    fn slot(&self, route: &Route) -> Arc<Slot> {
        let mut known = lock(&self.known);
        let now = Instant::now();
        let long_ago = |forgot: Instant| now.saturating_duration_since(forgot) >= FORGETS_EVERY;
        if known.slots.len() > MANY && known.forgot.is_none_or(long_ago) {
            known.forgot = Some(now);
            let worth = |_: &Route, slot: &mut Arc<Slot>| !lock(&slot.bucket).is_idle(now);
            known.slots.retain(worth);
            known.named.retain(worth);
        }
        Arc::clone(known.slots.entry(route.clone()).or_default())
    }

    /// The bucket of a route, now that Discord said its name.
    fn named(&self, route: &Route, name: &str) -> Arc<Slot> {
        let slot = self.slot(route);
        let mut known = lock(&self.known);
        let key = Route { kind: name.to_owned(), major: route.major.clone() };
        let slot = Arc::clone(known.named.entry(key).or_insert(slot));
        known.slots.insert(route.clone(), Arc::clone(&slot));
        slot
    }
}

impl Permit<'_> {
    /// Takes in what the answer's headers say; without sensible ones nothing changes.
    pub(super) fn answered(&mut self, headers: &HeaderMap) {
        if self.limiter.stands_aside {
            return;
        }
        let Some(allowance) = allowance(headers) else { return };
        let name = headers.get("x-ratelimit-bucket").and_then(|name| name.to_str().ok());
        let slot = match name {
            Some(name) => self.limiter.named(&self.route, name),
            None => self.limiter.slot(&self.route),
        };
        let counted = Arc::ptr_eq(&slot, &self.slot);
        self.finish();
        lock(&slot.bucket).learn(Instant::now(), allowance, counted);
    }

    fn finish(&mut self) {
        if !std::mem::replace(&mut self.over, true) {
            lock(&self.slot.bucket).finish();
        }
    }

    /// Nothing more in this bucket for so long.
    pub(super) fn block(&self, wait: Duration) {
        let until = Instant::now() + wait.min(LONGEST_BLOCK);
        lock(&self.limiter.slot(&self.route).bucket).block(until);
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.finish();
        self.slot.answered.notify_one();
    }
}

pub(super) fn too_long(wait: Duration) -> SendError {
    SendError::later(wait, format!("Discord's rate limit is used up for {} s", wait.as_secs()))
}

/// The headers' allowance, if all three are there and make sense.
fn allowance(headers: &HeaderMap) -> Option<Allowance> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse().ok();
    Some(Allowance {
        limit: number("x-ratelimit-limit")?,
        remaining: number("x-ratelimit-remaining")?,
        reset_after: seconds(headers.get("x-ratelimit-reset-after")?.to_str().ok()?.trim().parse().ok()?)?,
    })
}

/// Seconds as Discord writes them; `None` for what is no time to wait. More than an hour is taken for an hour.
pub(super) fn seconds(number: f64) -> Option<Duration> {
    (number.is_finite() && number >= 0.0).then(|| Duration::from_secs_f64(number.min(3_600.0)))
}

/// A poisoned lock holds numbers that are still the best known.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
