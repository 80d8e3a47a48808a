//! Whether there are calls left for a question that can be done without.

use std::collections::HashSet;

use tokio::sync::{Mutex, MutexGuard};

use super::{Steps, Stop};
use crate::store::AskedSoFar;
use domain::StepKey;

/// Questions that may be asked and have no row yet: without them, those that ask at the same instant would all count on
/// the same calls. In memory only, for a run that starts again asks again.
#[derive(Default)]
pub(super) struct Promised(Mutex<HashSet<StepKey>>);

impl Promised {
    /// For a question that was promised a call: held until its row is written, so that it is counted once, here or in
    /// the database.
    pub(super) async fn hold(&self, key: &StepKey) -> Option<MutexGuard<'_, HashSet<StepKey>>> {
        Some(self.0.lock().await).filter(|promised| promised.contains(key))
    }
}

impl Steps {
    /// Whether a question may be asked that can be done without: so many calls have to be made after it, and every answer
    /// may have to be asked for again as often as those so far were. One that was begun is gone on with.
    pub async fn may_ask(&self, key: &StepKey, afterwards: u32) -> Result<bool, Stop> {
        let (store, session) = (&self.world.store, &self.scope.session);
        if store.step(session, key).await?.is_some() {
            return Ok(true);
        }
        // Held while it is counted, so that one after the other is promised a call.
        let mut promised = self.promised.0.lock().await;
        let asked = with_promised(store.asked_so_far(session).await?, promised.len());
        let may = leaves_enough(self.caps().calls, asked, i64::from(afterwards));
        if may {
            promised.insert(key.clone());
        }
        Ok(may)
    }
}

/// With questions more that are about to be asked, each of which takes a call at least.
fn with_promised(asked: AskedSoFar, promised: usize) -> AskedSoFar {
    let more = i64::try_from(promised).unwrap_or(i64::MAX);
    AskedSoFar { steps: asked.steps + more, calls: asked.calls + more, open: asked.open + more }
}

/// Whether, of so many calls in all, enough are left for one more question and so many `afterwards`, if all of them and
/// those under way take as many calls each as was usual so far.
fn leaves_enough(cap: i64, asked: AskedSoFar, afterwards: i64) -> bool {
    let AskedSoFar { steps, calls, open } = asked;
    if steps == 0 {
        return cap > afterwards;
    }
    let left = cap.saturating_sub(calls).saturating_mul(steps);
    let wanted = (afterwards + 1).saturating_mul(calls).saturating_add(open.saturating_mul(calls - steps));
    left >= wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_afterwards_is_left_enough() {
        // Steps, calls, those under way; the cap, what comes afterwards, whether one more may be asked.
        let cases = [
            ("nothing was asked", (0, 0, 0), 14, 13, true),
            ("nothing was asked, and there is nothing for it", (0, 0, 0), 13, 13, false),
            ("each took one call", (6, 6, 0), 20, 13, true),
            ("each took one call, to the last", (7, 7, 0), 20, 13, false),
            ("those under way are counted already", (12, 12, 6), 26, 13, true),
            ("each took two", (6, 12, 0), 40, 13, true),
            ("each took two, and so will the one under way", (7, 13, 1), 39, 13, false),
            ("each took two, and there is plenty", (7, 13, 1), 120, 13, true),
            ("more was used than there is", (60, 130, 0), 120, 13, false),
        ];
        for (name, (steps, calls, open), cap, afterwards, wanted) in cases {
            assert_eq!(leaves_enough(cap, AskedSoFar { steps, calls, open }, afterwards), wanted, "{name}");
        }
    }
}
