//! A breaker for each model: after five failures in a row, or when the money is gone, the model is left alone
//! for half a minute; then one call tries whether it is back.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use super::{CallError, Class};
use domain::ModelName;

/// Failures in a row that open it.
const FAILURES: u32 = 5;
/// How long it stays open.
const OPEN: Duration = Duration::from_secs(30);
/// What callers are told to wait while a trial call runs.
const TRIAL: Duration = Duration::from_secs(5);

/// The breakers of all models.
#[derive(Clone, Debug, Default)]
pub(super) struct Breakers(Arc<Mutex<HashMap<ModelName, State>>>);

#[derive(Clone, Copy, Debug)]
enum State {
    Closed { failures: u32 },
    Open { until: Instant, why: Class },
    Trying { why: Class },
}

impl Breakers {
    /// Whether a call would be let through now.
    pub(super) fn peek(&self, model: &ModelName) -> Result<(), CallError> {
        match self.lock().get(model) {
            Some(state) => refusal(model, *state).map_or(Ok(()), Err),
            None => Ok(()),
        }
    }

    /// Lets a call through, or says for how long not.
    pub(super) fn enter(&self, model: &ModelName) -> Result<Trial, CallError> {
        let mut models = self.lock();
        if let Some(state) = models.get_mut(model) {
            if let Some(refusal) = refusal(model, *state) {
                return Err(refusal);
            }
            if let State::Open { why, .. } = *state {
                // A call that is refused for want of money costs nothing, so nobody has to wait for a trial;
                // and those refused beside one would say that the money is gone when it may be back.
                *state = match why {
                    Class::MoneyGone => State::Closed { failures: 0 },
                    why => State::Trying { why },
                };
            }
        }
        Ok(Trial { breakers: self.clone(), model: model.clone(), settled: false })
    }

    /// Forgets what was said of money: somebody says that it is back.
    pub(super) fn money_is_back(&self) {
        self.lock().retain(|_, state| !matches!(state, State::Open { why: Class::MoneyGone, .. }));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ModelName, State>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn refusal(model: &ModelName, state: State) -> Option<CallError> {
    let (why, wait) = match state {
        State::Closed { .. } => return None,
        State::Open { until, why } => {
            let wait = until.saturating_duration_since(Instant::now());
            if wait.is_zero() {
                return None;
            }
            (why, wait)
        }
        State::Trying { why } => (why, TRIAL),
    };
    let mut error = if why == Class::MoneyGone {
        CallError::new(why, format!("{model}: credit or a spending limit is used up; not asked again yet"))
    } else {
        CallError::new(
            Class::Unavailable,
            format!("{model} failed {FAILURES} times in a row; left alone for now"),
        )
    };
    error.retry_after = Some(wait);
    Some(error)
}

/// A call that was let through. Dropped without a result, it leaves things as they were.
#[derive(Debug)]
pub(super) struct Trial {
    breakers: Breakers,
    model: ModelName,
    settled: bool,
}

impl Trial {
    /// Learns from how the call ended.
    pub(super) fn settle(mut self, outcome: Result<(), &CallError>) {
        self.settled = true;
        let mut models = self.breakers.lock();
        let state = models.entry(self.model.clone()).or_insert(State::Closed { failures: 0 });
        let open = |why| State::Open { until: Instant::now() + OPEN, why };
        *state = match (outcome.map_err(|error| error.class), *state) {
            (Err(Class::MoneyGone), _) => open(Class::MoneyGone),
            (
                Err(class @ (Class::Overloaded | Class::Server | Class::Timeout)),
                State::Closed { failures },
            ) => {
                if failures + 1 >= FAILURES {
                    open(class)
                } else {
                    State::Closed { failures: failures + 1 }
                }
            }
            (Err(class @ (Class::Overloaded | Class::Server | Class::Timeout)), State::Trying { .. }) => {
                open(class)
            }
            // A trial that could not connect, was cut or was told to slow down proves nothing.
            (Err(class), State::Trying { why }) if class.is_transient() || class == Class::Cancelled => {
                open(why)
            }
            // It answered, if only that the request is wrong.
            (Ok(()), _) | (Err(_), State::Trying { .. }) => State::Closed { failures: 0 },
            (Err(_), unchanged) => unchanged,
        };
        if matches!(state, State::Open { .. }) {
            tracing::warn!(model = %self.model, "the breaker is open: this model is left alone for 30 s");
        }
    }
}

impl Drop for Trial {
    fn drop(&mut self) {
        if self.settled {
            return;
        }
        if let Some(state) = self.breakers.lock().get_mut(&self.model)
            && let State::Trying { why } = *state
        {
            // The trial was cancelled: the next call may try at once.
            *state = State::Open { until: Instant::now(), why };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fail(breakers: &Breakers, model: &ModelName, class: Class) {
        breakers.enter(model).unwrap().settle(Err(&CallError::new(class, "no")));
    }

    fn wind_forward(breakers: &Breakers) {
        for state in breakers.lock().values_mut() {
            if let State::Open { until, .. } = state {
                *until = Instant::now();
            }
        }
    }

    #[test]
    fn five_in_a_row_open_it_and_one_call_tries() {
        let (breakers, model) = (Breakers::default(), "openai/m".parse().unwrap());
        for class in [Class::Server, Class::Overloaded, Class::Timeout, Class::Server] {
            fail(&breakers, &model, class);
        }
        breakers.enter(&model).unwrap().settle(Ok(()));
        for _ in 0..5 {
            assert!(breakers.peek(&model).is_ok());
            fail(&breakers, &model, Class::Server);
        }
        let refused = breakers.enter(&model).unwrap_err();
        assert_eq!(refused.class, Class::Unavailable);
        assert!(refused.retry_after.unwrap() > Duration::from_secs(29));
        assert!(breakers.peek(&"openai/other".parse().unwrap()).is_ok(), "each model has its own");

        wind_forward(&breakers);
        let trial = breakers.enter(&model).unwrap();
        assert_eq!(breakers.enter(&model).unwrap_err().class, Class::Unavailable, "only one tries");
        drop(trial);
        fail(&breakers, &model, Class::Server);
        assert!(breakers.peek(&model).is_err(), "one failed trial opens it again");
        wind_forward(&breakers);
        breakers.enter(&model).unwrap().settle(Ok(()));
        assert!(breakers.peek(&model).is_ok());
    }

    #[test]
    fn money_opens_it_at_once_and_says_so() {
        let (breakers, model) = (Breakers::default(), "anthropic/m".parse().unwrap());
        fail(&breakers, &model, Class::MoneyGone);
        assert_eq!(breakers.peek(&model).unwrap_err().class, Class::MoneyGone);
        breakers.money_is_back();
        assert!(breakers.peek(&model).is_ok());
        fail(&breakers, &model, Class::MoneyGone);
        wind_forward(&breakers);
        let first = breakers.enter(&model).unwrap();
        assert!(breakers.enter(&model).is_ok(), "all may ask again");
        first.settle(Err(&CallError::new(Class::MoneyGone, "no")));
        assert!(breakers.peek(&model).is_err());
    }

    #[test]
    fn bad_requests_and_limits_do_not_count() {
        let (breakers, model) = (Breakers::default(), "anthropic/m".parse().unwrap());
        for class in [Class::BadRequest, Class::RateLimited, Class::Auth, Class::Broken].repeat(5) {
            fail(&breakers, &model, class);
        }
        assert!(breakers.peek(&model).is_ok());
    }
}
