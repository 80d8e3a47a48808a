//! The pace of all of the bot's requests together, and who goes next.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::{
    sync::Notify,
    time::{Instant, timeout_at},
};

use super::{
    SendError,
    limit::{lock, too_long},
};
use domain::RestRate;

/// So many that are urgent may pass one that is not: it gets every fifth turn at least.
const PASS: u32 = 4;

/// How urgent a request is beside the bot's other requests.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Urgency {
    /// Without its answer nobody reaches the bot: who it is, and where its gateway is. There are few of these.
    First,
    /// Somebody waits for it, or something new is said by it.
    Now,
    /// It brings what is there up to date, or looks back.
    Later,
}

/// The account of all requests that count against the limit of all together. The more urgent ones go first, each kind in
/// the order in which they came.
#[derive(Debug, Default)]
pub(super) struct SharedPace {
    line: Mutex<Line>,
}

/// How urgent somebody's request is, and how many came up to it.
type Number = (Urgency, u64);

#[derive(Debug)]
struct Line {
    /// Requests follow each other at this distance; none where somebody else keeps the limit.
    apart: Duration,
    /// So many may go at once after a pause.
    at_once: u32,
    /// When the requests so far would be worked off at an even pace.
    paid: Option<Instant>,
    /// Nothing at all until then.
    blocked: Option<Instant>,
    /// Who waits, by urgency and in order, each with the bell that tells of its turn.
    waiting: BTreeMap<Number, Arc<Notify>>,
    /// How many came so far.
    came: u64,
    /// How many urgent ones passed those that are not since the last of these went.
    passed: u32,
}

impl Default for Line {
    fn default() -> Self {
        Self::at(RestRate::default())
    }
}

impl Line {
    fn at(rate: RestRate) -> Self {
        let (apart, at_once) = match rate {
            RestRate::Own(rate) => (Duration::from_secs(1) / rate.a_second(), rate.at_once()),
            RestRate::Proxy => (Duration::ZERO, 1),
        };
        Self { apart, at_once, paid: None, blocked: None, waiting: BTreeMap::new(), came: 0, passed: 0 }
    }

    /// One more waits; gives its number.
    fn join(&mut self, urgency: Urgency, bell: Arc<Notify>) -> Number {
        self.came += 1;
        self.waiting.insert((urgency, self.came), bell);
        (urgency, self.came)
    }

    /// The number of who goes next.
    fn next(&self) -> Option<Number> {
        let first = self.waiting.keys().next().copied();
        let gives_way = first.is_some_and(|(urgency, _)| urgency == Urgency::Now) && self.passed >= PASS;
        if gives_way { self.first_later().or(first) } else { first }
    }

    /// The number of the first of those that are not urgent.
    fn first_later(&self) -> Option<Number> {
        self.waiting.range((Urgency::Later, 0)..).next().map(|(number, _)| *number)
    }

    /// Tells whoever goes next to look at the clock.
    fn tell_next(&self) {
        if let Some(bell) = self.next().and_then(|number| self.waiting.get(&number)) {
            bell.notify_one();
        }
    }

    /// Since when, or from when on, one more may go.
    fn free(&self) -> Option<Instant> {
        let free = self.paid.and_then(|paid| paid.checked_sub(self.apart * (self.at_once - 1)));
        free.max(self.blocked)
    }

    /// One of this urgency goes.
    fn go(&mut self, urgency: Urgency, now: Instant) {
        // After a stall the next ones are late too instead of going all at once.
        self.paid = Some(self.paid.map_or(now, |paid| paid.max(now)) + self.apart);
        let passes = urgency != Urgency::Later && self.first_later().is_some();
        self.passed = if passes { self.passed + 1 } else { 0 };
    }
}

/// A place in the line, given up when dropped.
struct Place<'a> {
    line: &'a Mutex<Line>,
    number: Number,
    bell: Arc<Notify>,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut line = lock(self.line);
        line.waiting.remove(&self.number);
        line.tell_next();
    }
}

impl SharedPace {
    /// An account at this rate.
    pub(super) fn at(rate: RestRate) -> Self {
        Self { line: Mutex::new(Line::at(rate)) }
    }

    /// Waits until one more request may go, and counts it. Fails, without having counted it, where that takes longer than
    /// `patience` once it is the next.
    pub(super) async fn turn(&self, urgency: Urgency, patience: Duration) -> Result<(), SendError> {
        let place = self.join(urgency);
        loop {
            let then = {
                let mut line = lock(&self.line);
                let (now, free) = (Instant::now(), line.free());
                match line.next() {
                    Some(next) if next != place.number => None,
                    _ if free.is_none_or(|free| free <= now) => {
                        line.go(place.number.0, now);
                        return Ok(());
                    }
                    _ => free,
                }
            };
            match then {
                Some(then) => {
                    let wait = then.saturating_duration_since(Instant::now());
                    if wait > patience {
                        return Err(too_long(wait));
                    }
                    // Somebody more urgent may come meanwhile.
                    let _ = timeout_at(then, place.bell.notified()).await;
                }
                None => place.bell.notified().await,
            }
        }
    }

    /// Whether nobody waits, and what went before is worked off.
    pub(super) fn can_spare(&self, now: Instant) -> bool {
        let line = lock(&self.line);
        let past = |then: Option<Instant>| then.is_none_or(|then| then <= now);
        line.next().is_none() && past(line.paid) && past(line.blocked)
    }

    /// Nothing at all until then.
    pub(super) fn block(&self, until: Instant) {
        let mut line = lock(&self.line);
        line.blocked = line.blocked.max(Some(until));
    }

    fn join(&self, urgency: Urgency) -> Place<'_> {
        let bell = Arc::<Notify>::default();
        let number = lock(&self.line).join(urgency, Arc::clone(&bell));
        Place { line: &self.line, number, bell }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_mins(1);

    /// Who goes when, in milliseconds, if these ask at once and in this order: by the line's own reckoning, without a clock.
    fn reckoned(asking: &[(Urgency, usize)]) -> Vec<(Urgency, u128)> {
        reckoned_at(RestRate::default(), asking)
    }

    fn reckoned_at(rate: RestRate, asking: &[(Urgency, usize)]) -> Vec<(Urgency, u128)> {
        let (mut line, begun) = (Line::at(rate), Instant::now());
        for (urgency, times) in asking {
            for _ in 0..*times {
                line.join(*urgency, Arc::default());
            }
        }
        let (mut now, mut went) = (begun, Vec::new());
        while let Some(number) = line.next() {
            now = line.free().map_or(now, |free| free.max(now));
            line.go(number.0, now);
            line.waiting.remove(&number);
            went.push((number.0, (now - begun).as_millis()));
        }
        went
    }

    fn places(of: Urgency, went: &[(Urgency, u128)]) -> Vec<usize> {
        (0..went.len()).filter(|place| went[*place].0 == of).collect()
    }

    #[test]
    fn what_is_urgent_goes_first_and_the_rest_gets_every_fifth_turn() {
        let went = reckoned(&[(Urgency::Later, 20), (Urgency::Now, 40)]);
        let later = places(Urgency::Later, &went);
        assert_eq!(later[..10], [4, 9, 14, 19, 24, 29, 34, 39, 44, 49]);
        assert_eq!(later[10..], (50..60).collect::<Vec<_>>(), "and all once nothing is urgent");
        assert_eq!(reckoned(&[(Urgency::Now, 3)]).len(), 3);
    }

    #[test]
    fn what_a_start_waits_for_passes_all_that_waits() {
        let went = reckoned(&[(Urgency::Later, 20), (Urgency::Now, 40), (Urgency::First, 1)]);
        assert_eq!(places(Urgency::First, &went), [0]);
        assert_eq!(places(Urgency::Later, &went)[..2], [4, 9], "which counts as any other");
    }

    #[test]
    fn they_go_forty_a_second_whatever_they_are() {
        for asking in
            [&[(Urgency::Later, 85)][..], &[(Urgency::Now, 85)], &[(Urgency::Later, 40), (Urgency::Now, 45)]]
        {
            let went = reckoned(asking);
            assert_eq!(went.iter().filter(|(_, at)| *at == 0).count(), 5);
            assert_eq!(went[84].1, 2_000);
            for (_, from) in &went {
                let second = went.iter().filter(|(_, at)| (*from..*from + 1_000).contains(at)).count();
                assert!(second <= 45, "{second} in a second");
            }
        }
    }

    #[test]
    fn two_processes_that_share_the_limit_stay_below_it_together() {
        let went = reckoned_at("20".parse().unwrap(), &[(Urgency::Now, 60)]);
        for (_, from) in &went {
            let second = went.iter().filter(|(_, at)| (*from..*from + 1_000).contains(at)).count();
            assert!(second <= 22, "{second} in a second");
        }
        assert_eq!(reckoned_at("1".parse().unwrap(), &[(Urgency::Now, 3)])[2].1, 2_000);
    }

    #[test]
    fn where_a_proxy_keeps_the_limits_nothing_waits() {
        let went = reckoned_at(RestRate::Proxy, &[(Urgency::Later, 100), (Urgency::Now, 100)]);
        assert!(went.len() == 200 && went.iter().all(|(_, at)| *at == 0), "{went:?}");
    }

    #[tokio::test]
    async fn whoever_waits_hears_of_their_turn() {
        let (pace, went) = (Arc::new(SharedPace::default()), Arc::new(Mutex::new(Vec::new())));
        // Until all are there.
        pace.block(Instant::now() + Duration::from_millis(500));
        let mut tasks = Vec::new();
        for n in 0..20 {
            let urgency = if n < 10 { Urgency::Later } else { Urgency::Now };
            let (pace, went) = (Arc::clone(&pace), Arc::clone(&went));
            tasks.push(tokio::spawn(async move {
                pace.turn(urgency, PATIENCE).await.unwrap();
                lock(&went).push(n);
            }));
            tokio::task::yield_now().await;
        }
        for task in tasks {
            tokio::time::timeout(Duration::from_secs(20), task).await.expect("a turn").unwrap();
        }
        assert_eq!(*lock(&went), [10, 11, 12, 13, 0, 14, 15, 16, 17, 1, 18, 19, 2, 3, 4, 5, 6, 7, 8, 9]);
    }

    #[tokio::test]
    async fn whoever_gives_up_holds_up_nobody() {
        let pace = Arc::new(SharedPace::default());
        for _ in 0..5 {
            pace.turn(Urgency::Now, PATIENCE).await.unwrap();
        }
        // The first in the line waits for the clock and gives up.
        let gives_up = tokio::time::timeout(Duration::from_millis(5), pace.turn(Urgency::Later, PATIENCE));
        let next = tokio::time::timeout(Duration::from_secs(20), pace.turn(Urgency::Later, PATIENCE));
        let (_, next) = tokio::join!(gives_up, next);
        assert!(next.expect("a turn").is_ok());
        assert!(lock(&pace.line).waiting.is_empty());
    }

    #[tokio::test]
    async fn what_everything_is_blocked_for_is_told_or_waited_for() {
        let pace = SharedPace::default();
        pace.block(Instant::now() + Duration::from_millis(300));
        assert!(pace.turn(Urgency::Now, Duration::from_millis(20)).await.is_err());
        let begun = Instant::now();
        pace.turn(Urgency::Later, PATIENCE).await.unwrap();
        assert!(begun.elapsed() >= Duration::from_millis(250), "{:?}", begun.elapsed());
    }
}
