//! What is taken in from the team, each time as it was when the step was first reached.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Steps, Stop};
use crate::store::{Settled, TakenIn};
use domain::{Clarification, Evidence, StepKey};

impl Steps {
    /// The evidence that was brought in for the advocates so far, oldest first.
    pub async fn evidence(&self, key: impl Into<StepKey>) -> Result<Vec<Evidence>, Stop> {
        self.taken_in(key.into(), TakenIn::Evidence).await
    }

    /// What members have wanted made clear so far, oldest first; nothing is answered in it.
    pub async fn clarifications(&self, key: impl Into<StepKey>) -> Result<Vec<Clarification>, Stop> {
        self.taken_in(key.into(), TakenIn::Clarifications).await
    }

    /// What the team has brought in so far, as it was the first time this step was reached.
    async fn taken_in<T: DeserializeOwned>(&self, key: StepKey, what: TakenIn) -> Result<T, Stop> {
        if let Some(stored) = self.recall::<T>(&key, "notes").await? {
            return stored.map_err(|_| Stop::Drift(key));
        }
        let settled = Settled {
            key: key.clone(),
            kind: "notes".to_owned(),
            failed: false,
            output: Value::Null,
            posts: Vec::new(),
            panel: None,
            allowed: self.scope.allowed,
        };
        let taken = self.world.store.take_in(&self.scope.session, what, settled, self.world.now_ms()).await?;
        serde_json::from_value(taken).map_err(|_| Stop::Drift(key))
    }
}
