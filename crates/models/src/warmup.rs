//! Warming a provider's cache: of calls that share a long prefix, one goes first and the others follow when its
//! reply begins, for only then is the prefix in the cache. Sent at the same moment, all of them would pay the
//! full price.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::watch;

use domain::{ModelName, Prompt};

/// How long followers wait at most; a slow model must not hold up a round.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a prefix stays in the cache (Anthropic: 5 minutes from its last use).
const LASTS: Duration = Duration::from_mins(5);

#[derive(Debug, Default)]
pub(super) struct Warmups(Mutex<HashMap<u64, (watch::Receiver<bool>, Instant)>>);

/// Held by the call that goes first; followers go when it begins, or when it is dropped.
#[derive(Debug)]
pub(super) struct First(watch::Sender<bool>);

impl First {
    /// Its reply has begun: the prefix is in the cache.
    pub(super) fn begun(&self) {
        self.0.send_replace(true);
    }
}

/// Tells apart what a provider has in its cache once it has read a prompt's beginning: tools, rules and
/// material.
pub(super) fn beginning(model: &ModelName, prompt: &Prompt) -> u64 {
    let mut hasher = DefaultHasher::new();
    (model, &prompt.rules, &prompt.shared).hash(&mut hasher);
    for tool in &prompt.tools {
        (&tool.name, &tool.description, tool.parameters.to_string()).hash(&mut hasher);
    }
    hasher.finish()
}

impl Warmups {
    /// `Some` for the call that goes first; the others get `None` once they may go.
    pub(super) async fn enter(&self, model: &ModelName, prompt: &Prompt) -> Option<First> {
        let mut begun = match self.first_or_follower(beginning(model, prompt)) {
            Ok(first) => return Some(first),
            Err(begun) => begun,
        };
        // Ended without having begun, or too slow: then there is nothing to wait for.
        let _ = tokio::time::timeout(PATIENCE, begun.wait_for(|begun| *begun)).await;
        None
    }

    fn first_or_follower(&self, prefix: u64) -> Result<First, watch::Receiver<bool>> {
        let mut prefixes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        prefixes.retain(|_, (begun, since)| {
            let cut_off = begun.has_changed().is_err() && !*begun.borrow();
            since.elapsed() < LASTS && !cut_off
        });
        if let Some((begun, _)) = prefixes.get(&prefix) {
            return Err(begun.clone());
        }
        let (tell, begun) = watch::channel(false);
        prefixes.insert(prefix, (begun, Instant::now()));
        Ok(First(tell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn followers_wait_for_the_first_to_begin_or_to_end() {
        let warmups = Warmups::default();
        let first = warmups.first_or_follower(7).unwrap();
        let mut follower = warmups.first_or_follower(7).unwrap_err();
        assert!(!*follower.borrow());
        first.begun();
        assert!(follower.wait_for(|begun| *begun).await.is_ok());
        // Warm now, whoever comes; another prefix has a first of its own.
        drop(first);
        assert!(*warmups.first_or_follower(7).unwrap_err().borrow());
        let other = warmups.first_or_follower(8).unwrap();
        drop(other);
        assert!(warmups.first_or_follower(8).is_ok(), "one that ended before it began leaves no trace");
    }
}
