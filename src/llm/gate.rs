//! How many calls run at a time at one provider: a limit that adapts, and a pause when the provider asks for
//! one. Additive increase, multiplicative decrease, as TCP does it: one more after a whole window of calls
//! without complaint, half after a complaint.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};

use super::{CallError, Class, Limits, retry::LONGEST_WAIT};
use crate::domain::Provider;

/// A gate for each provider.
#[derive(Debug)]
pub(super) struct Gates {
    anthropic: Gate,
    openai: Gate,
    openrouter: Gate,
    local: Gate,
}

impl Gates {
    pub(super) fn new(limits: &Limits) -> Self {
        let gate = |provider| {
            let pace = limits.of(provider);
            Gate::new(pace.start, pace.max)
        };
        Self {
            anthropic: gate(Provider::Anthropic),
            openai: gate(Provider::Openai),
            openrouter: gate(Provider::Openrouter),
            local: gate(Provider::Local),
        }
    }

    pub(super) fn of(&self, provider: Provider) -> &Gate {
        match provider {
            Provider::Anthropic => &self.anthropic,
            Provider::Openai => &self.openai,
            Provider::Openrouter => &self.openrouter,
            Provider::Local => &self.local,
        }
    }
}

/// The gate of one provider; clones are the same gate.
#[derive(Clone, Debug)]
pub(super) struct Gate(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    freed: Notify,
}

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
}

impl Gate {
    pub(super) fn new(start: usize, max: usize) -> Self {
        let max = max.max(1);
        let state =
            State { limit: start.clamp(1, max), max, running: 0, clean: 0, decreases: 0, paused_until: None };
        Self(Arc::new(Shared { state: Mutex::new(state), freed: Notify::new() }))
    }

    /// Waits for a free place and for the end of a pause. May be dropped at any point.
    pub(super) async fn enter(&self) -> Permit {
        loop {
            let freed = self.0.freed.notified();
            let until = {
                let mut state = self.0.lock();
                let until = state.paused_until.filter(|until| *until > Instant::now());
                if until.is_none() && state.running < state.limit {
                    state.paused_until = None;
                    state.running += 1;
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
        self.gate.0.freed.notify_one();
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
        let gate = Gate::new(4, 6);
        for _ in 0..4 {
            gate.enter().await.settle(Ok(()));
        }
        assert_eq!(gate.limit(), 5);
        for _ in 0..100 {
            gate.enter().await.settle(Ok(()));
        }
        assert_eq!(gate.limit(), 6, "never beyond the most");

        let burst = [gate.enter().await, gate.enter().await, gate.enter().await];
        for permit in burst {
            permit.settle(Err(&refused(None)));
        }
        assert_eq!(gate.limit(), 3, "a burst of complaints is one complaint");
        for _ in 0..9 {
            gate.enter().await.settle(Err(&refused(None)));
        }
        assert_eq!(gate.limit(), 1, "never below one");
    }

    #[tokio::test]
    async fn a_pause_holds_everybody_back() {
        let gate = Gate::new(8, 8);
        gate.enter().await.settle(Err(&refused(Some(Duration::from_millis(80)))));
        let began = Instant::now();
        let entered = futures::future::join_all((0..4).map(|_| gate.enter())).await;
        assert!(began.elapsed() >= Duration::from_millis(75), "{:?}", began.elapsed());
        assert_eq!(entered.len(), 4);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn nobody_is_forgotten_and_the_limit_holds() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let (gate, running, peak) = (Gate::new(3, 3), AtomicUsize::new(0), AtomicUsize::new(0));
        let calls = (0..200).map(|i| {
            let (gate, running, peak) = (&gate, &running, &peak);
            async move {
                if i % 7 == 0 {
                    // A caller that gives up while waiting must not take a notification with it.
                    let _ = tokio::time::timeout(Duration::from_micros(50), gate.enter()).await;
                    return;
                }
                let permit = gate.enter().await;
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
}
