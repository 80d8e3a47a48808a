//! What was asked of each provider since the start, for whoever watches the bot.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use strum::VariantNames;

use super::{CallError, Class, Endpoints};
use domain::{Provider, Reply, Usage};

/// How an attempt is called that brought a reply; the others are called as their class is.
const OK: &str = "ok";

/// What was asked of one provider since the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// Attempts that wait for a free place.
    pub waiting: u64,
    /// Attempts that are under way.
    pub running: u64,
    /// Attempts that have ended, by how: `ok` or the class of what went wrong. All there are, also those at 0.
    pub ended: BTreeMap<&'static str, u64>,
    /// Tokens as the provider counted them.
    pub tokens: Usage,
}

/// The count of all providers that are configured.
#[derive(Debug)]
pub(super) struct Counted(Mutex<BTreeMap<Provider, Asked>>);

impl Counted {
    pub(super) fn new(endpoints: &Endpoints) -> Self {
        let ended: BTreeMap<_, _> = Class::VARIANTS.iter().copied().chain([OK]).map(|how| (how, 0)).collect();
        let asked = Asked { waiting: 0, running: 0, ended, tokens: Usage::default() };
        let served = Provider::ALL.into_iter().filter(|provider| endpoints.of(*provider).is_some());
        Self(Mutex::new(served.map(|provider| (provider, asked.clone())).collect()))
    }

    /// One attempt has ended.
    pub(super) fn ended(&self, provider: Provider, outcome: &Result<Reply, CallError>) {
        let (how, usage) = match outcome {
            Ok(reply) => (OK, reply.usage),
            Err(error) => (error.class.into(), error.usage),
        };
        if let Some(asked) = self.lock().get_mut(&provider) {
            *asked.ended.entry(how).or_default() += 1;
            asked.tokens += usage.unwrap_or_default();
        }
    }

    /// One more waits, until what is given is dropped.
    pub(super) fn waits(&self, provider: Provider) -> OneMore<'_> {
        OneMore::of(self, provider, |asked| &mut asked.waiting)
    }

    /// One more is under way, until what is given is dropped.
    pub(super) fn runs(&self, provider: Provider) -> OneMore<'_> {
        OneMore::of(self, provider, |asked| &mut asked.running)
    }

    pub(super) fn now(&self) -> BTreeMap<Provider, Asked> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Provider, Asked>> {
        // Numbers that are whole between any two statements.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Is counted as long as it lives, however the attempt ends.
pub(super) struct OneMore<'a> {
    counted: &'a Counted,
    provider: Provider,
    which: fn(&mut Asked) -> &mut u64,
}

impl<'a> OneMore<'a> {
    fn of(counted: &'a Counted, provider: Provider, which: fn(&mut Asked) -> &mut u64) -> Self {
        if let Some(asked) = counted.lock().get_mut(&provider) {
            *which(asked) += 1;
        }
        Self { counted, provider, which }
    }
}

impl Drop for OneMore<'_> {
    fn drop(&mut self) {
        if let Some(asked) = self.counted.lock().get_mut(&self.provider) {
            *(self.which)(asked) -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_is_counted_by_how_and_what_runs_while_it_runs() {
        let local = super::super::Endpoint::new("http://127.0.0.1:1/v1".parse().unwrap(), None);
        let counted = Counted::new(&Endpoints { local: Some(local), ..Endpoints::default() });
        let (waits, runs) = (counted.waits(Provider::Local), counted.runs(Provider::Local));
        let now = |counted: &Counted| counted.now().remove(&Provider::Local).unwrap();
        assert_eq!((now(&counted).waiting, now(&counted).running), (1, 1));
        drop((waits, runs));
        let usage = Some(Usage { input: 5, ..Usage::default() });
        let limited = CallError { usage, ..CallError::new(Class::RateLimited, "slower") };
        counted.ended(Provider::Local, &Err(limited));
        let asked = now(&counted);
        assert_eq!((asked.waiting, asked.running, asked.tokens.input), (0, 0, 5));
        assert_eq!((asked.ended["rate_limited"], asked.ended["ok"], asked.ended.len()), (1, 0, 15));
        assert_eq!(counted.now().len(), 1, "nobody else is configured");
    }
}
