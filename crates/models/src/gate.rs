//! How many calls run at a time at one model: a limit that adapts, and a pause when the provider asks for
//! one. Additive increase, multiplicative decrease, as TCP does it: one more after a whole window of calls
//! without complaint, half after a complaint.
//!
//! Who waits at a server on this machine goes by what its slots have in their caches: those that share the beginning of
//! their prompts go one after another, so that a section of a document is not read again for each.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};

use super::{CallError, Class, Limits, Pace, retry::LONGEST_WAIT};
use domain::{ModelName, Provider};

/// A gate for each model of a provider, for limits are the model's: one that is asked too fast holds back no other, and least
/// of all the one that stands in for it. A server on this machine has one for all of its own, whose slots they share.
#[derive(Debug)]
pub(super) struct Gates {
    local: Gate,
    remote: Pace,
    models: Mutex<HashMap<ModelName, Gate>>,
}

impl Gates {
    pub(super) fn new(limits: &Limits) -> Self {
        let local = Gate::new(limits.local.start, limits.local.max, true);
        Self { local, remote: limits.remote, models: Mutex::default() }
    }

    pub(super) fn of(&self, model: &ModelName) -> Gate {
        if model.provider == Provider::Local {
            return self.local.clone();
        }
        let mut models = self.models.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(gate) = models.get(model) {
            return gate.clone();
        }
        let gate = Gate::new(self.remote.start, self.remote.max, false);
        models.insert(model.clone(), gate.clone());
        gate
    }
}

/// The gate of one model; clones are the same gate.
#[derive(Clone, Debug)]
pub(super) struct Gate(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    freed: Notify,
    /// Whether those that share a beginning go one after another.
    by_beginning: bool,
}

/// Most calls that share a beginning in a row while others wait: nobody waits for ever.
const MOST_IN_A_ROW: usize = 32;

#[derive(Debug)]
struct State {
    limit: usize,
    max: usize,
    running: usize,
    /// Calls that ended well since the limit last changed.
    clean: usize,
    /// Counts the decreases: complaints about calls that began before the last one are about the old limit.
    decreases: u64,
    paused_until: Option<Instant>,
    /// Who waits, first come first: a ticket and the beginning of the prompt.
    waiting: Vec<(u64, u64)>,
    tickets: u64,
    /// The beginning that went last, and how many times in a row.
    last: (u64, usize),
}

impl State {
    /// Whose turn it is among those that wait.
    fn next(&self) -> Option<u64> {
        let (last, in_a_row) = self.last;
        let same = self.waiting.iter().find(|(_, beginning)| *beginning == last);
        let other = || self.waiting.iter().find(|(_, beginning)| *beginning != last);
        let next = if in_a_row < MOST_IN_A_ROW { same } else { other() };
        next.or_else(|| self.waiting.first()).map(|(ticket, _)| *ticket)
    }

    fn goes(&mut self, beginning: u64) {
        self.last = if self.last.0 == beginning { (beginning, self.last.1 + 1) } else { (beginning, 1) };
    }
}

/// A place in the line; left when dropped, whatever came of it.
struct Waiting<'a> {
    shared: &'a Shared,
    ticket: u64,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.shared.lock().waiting.retain(|(ticket, _)| *ticket != self.ticket);
        self.shared.freed.notify_waiters();
    }
}

impl Gate {
    pub(super) fn new(start: usize, max: usize, by_beginning: bool) -> Self {
        let max = max.max(1);
        let state = State {
            limit: start.clamp(1, max),
            max,
            running: 0,
            clean: 0,
            decreases: 0,
            paused_until: None,
            waiting: Vec::new(),
            tickets: 0,
            last: (0, 0),
        };
        Self(Arc::new(Shared { state: Mutex::new(state), freed: Notify::new(), by_beginning }))
    }

    /// Waits for a free place and for the end of a pause; `beginning` tells prompts apart that begin differently. May be
    /// dropped at any point.
    pub(super) async fn enter(&self, beginning: u64) -> Permit {
        let line = self.0.by_beginning.then(|| {
            let mut state = self.0.lock();
            let ticket = state.tickets;
            state.tickets += 1;
            state.waiting.push((ticket, beginning));
            Waiting { shared: &self.0, ticket }
        });
        loop {
            let freed = self.0.freed.notified();
            let until = {
                let mut state = self.0.lock();
                let until = state.paused_until.filter(|until| *until > Instant::now());
                let turn = line.as_ref().is_none_or(|line| state.next() == Some(line.ticket));
                if until.is_none() && state.running < state.limit && turn {
                    state.paused_until = None;
                    state.running += 1;
                    state.goes(beginning);
                    if state.running < state.limit {
                        // There may be room for another that waits: a notification frees only one.
                        self.0.freed.notify_one();
                    }
                    return Permit { gate: self.clone(), began: state.decreases };
                }
                until
            };
            match until {
                Some(until) => sleep_until(until).await,
                None => freed.await,
            }
        }
    }

    /// Calls allowed at a time just now.
    pub(super) fn limit(&self) -> usize {
        self.0.lock().limit
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is whole between any two statements, so a panic elsewhere does not spoil it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place at a provider; given back when dropped.
#[derive(Debug)]
pub(super) struct Permit {
    gate: Gate,
    began: u64,
}

impl Permit {
    /// Learns from how the call ended, and gives the place back.
    pub(super) fn settle(self, outcome: Result<(), &CallError>) {
        let mut state = self.gate.0.lock();
        match outcome {
            Ok(()) => {
                state.clean += 1;
                if state.clean >= state.limit && state.limit < state.max {
                    state.limit += 1;
                    state.clean = 0;
                }
            }
            Err(error) if matches!(error.class, Class::RateLimited | Class::Overloaded) => {
                if self.began == state.decreases {
                    state.limit = (state.limit / 2).max(1);
                    state.decreases += 1;
                }
                state.clean = 0;
                if let Some(wait) = error.retry_after {
                    let until = Instant::now() + wait.min(LONGEST_WAIT);
                    state.paused_until = Some(state.paused_until.map_or(until, |known| known.max(until)));
                }
            }
            Err(_) => {}
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.gate.0.lock().running -= 1;
        if self.gate.0.by_beginning {
            // Whose turn it is finds out for itself.
            self.gate.0.freed.notify_waiters();
        } else {
            self.gate.0.freed.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn refused(retry_after: Option<Duration>) -> CallError {
        CallError { retry_after, ..CallError::new(Class::RateLimited, "slower") }
    }

    #[tokio::test]
    async fn one_more_for_a_clean_window_and_half_for_a_complaint() {
        let gate = Gate::new(4, 6, false);
        for _ in 0..4 {
            gate.enter(0).await.settle(Ok(()));
        }
        assert_eq!(gate.limit(), 5);
        for _ in 0..100 {
            gate.enter(0).await.settle(Ok(()));
        }
        assert_eq!(gate.limit(), 6, "never beyond the most");

        let burst = [gate.enter(0).await, gate.enter(0).await, gate.enter(0).await];
        for permit in burst {
            permit.settle(Err(&refused(None)));
        }
        assert_eq!(gate.limit(), 3, "a burst of complaints is one complaint");
        for _ in 0..9 {
            gate.enter(0).await.settle(Err(&refused(None)));
        }
        assert_eq!(gate.limit(), 1, "never below one");
    }

    #[tokio::test]
    async fn each_model_has_a_gate_of_its_own_and_this_machine_has_one() {
        let gates = Gates::new(&Limits::default());
        let of = |model: &str| gates.of(&model.parse().unwrap());
        let (remote, local) = (of("openai/a").limit(), of("local/a").limit());
        for model in ["openai/a", "local/a"] {
            of(model).enter(0).await.settle(Err(&refused(None)));
        }
        assert_eq!((of("openai/a").limit(), of("openai/b").limit()), (remote / 2, remote));
        assert_eq!((of("local/a").limit(), of("local/b").limit()), (local / 2, local / 2));
    }

    #[tokio::test]
    async fn the_longest_pause_counts_up_to_a_bound_and_whoever_is_busy_is_asked_less() {
        let gate = Gate::new(8, 8, false);
        let permits = [gate.enter(0).await, gate.enter(0).await, gate.enter(0).await];
        let left = || {
            let until = gate.0.lock().paused_until.unwrap();
            until.saturating_duration_since(Instant::now())
        };
        let [first, second, third] = permits;
        first.settle(Err(&refused(Some(Duration::from_mins(1)))));
        second.settle(Err(&refused(Some(Duration::from_secs(1)))));
        assert!(left() > Duration::from_secs(50), "{:?}", left());
        third.settle(Err(&refused(Some(LONGEST_WAIT * 2))));
        assert!(left() <= LONGEST_WAIT, "{:?}", left());
        let other = Gate::new(8, 8, false);
        other.enter(0).await.settle(Err(&CallError::new(Class::Overloaded, "busy")));
        assert_eq!(other.limit(), 4);
    }

    #[tokio::test]
    async fn a_pause_holds_everybody_back() {
        let gate = Gate::new(8, 8, false);
        gate.enter(0).await.settle(Err(&refused(Some(Duration::from_millis(80)))));
        let began = Instant::now();
        let entered = futures::future::join_all((0..4).map(|_| gate.enter(0))).await;
        assert!(began.elapsed() >= Duration::from_millis(75), "{:?}", began.elapsed());
        assert_eq!(entered.len(), 4);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn nobody_is_forgotten_and_the_limit_holds() {
        for by_beginning in [false, true] {
            crowd(Gate::new(3, 3, by_beginning)).await;
        }
    }

    async fn crowd(gate: Gate) {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let (running, peak) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let calls = (0..200).map(|i| {
            let (gate, running, peak) = (&gate, &running, &peak);
            async move {
                if i % 7 == 0 {
                    // A caller that gives up while waiting must not take a notification with it.
                    let _ = tokio::time::timeout(Duration::from_micros(50), gate.enter(i % 5)).await;
                    return;
                }
                let permit = gate.enter(i % 5).await;
                peak.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_micros(300)).await;
                running.fetch_sub(1, Ordering::SeqCst);
                drop(permit);
            }
        });
        let all = futures::future::join_all(calls);
        tokio::time::timeout(Duration::from_secs(20), all).await.expect("somebody waits for ever");
        assert_eq!(peak.load(Ordering::SeqCst), 3);
    }

    #[tokio::test]
    async fn those_with_one_beginning_go_one_after_another_and_nobody_waits_for_ever() {
        let gate = Gate::new(1, 1, true);
        let order = Mutex::new(Vec::new());
        let held = gate.enter(9).await;
        let call = |beginning: u64| {
            let (gate, order) = (&gate, &order);
            async move {
                let permit = gate.enter(beginning).await;
                order.lock().unwrap().push(beginning);
                tokio::task::yield_now().await;
                drop(permit);
            }
        };
        let came = [1, 2, 3, 1, 2, 3, 1, 2, 3];
        let calls = futures::future::join_all(came.map(call));
        let ((), _) = tokio::join!(async { drop(held) }, calls);
        assert_eq!(*order.lock().unwrap(), [1, 1, 1, 2, 2, 2, 3, 3, 3]);

        order.lock().unwrap().clear();
        let held = gate.enter(9).await;
        let many = (0..100).map(|i| call(u64::from(i == 50)));
        tokio::join!(async { drop(held) }, futures::future::join_all(many));
        let place = order.lock().unwrap().iter().position(|beginning| *beginning == 1).unwrap();
        assert_eq!(place, MOST_IN_A_ROW, "the one that came in the middle of them");
    }
}
