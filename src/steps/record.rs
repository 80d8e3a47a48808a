//! Steps without a model: posting, taking members' notes in, throwing dice. A resumed run sees the same notes
//! and the same dice.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{Steps, Stop, now_ms};
use crate::{
    domain::{ContextNote, Post, SessionId, StepKey},
    prompt,
    store::{Settled, StepState, Store, StoreError},
};

impl Steps {
    /// Puts posts into the session's outbox, once; does not wait for Discord.
    pub async fn post(&self, key: impl Into<StepKey>, posts: Vec<Post>) -> Result<(), Stop> {
        self.once(key.into(), "post", posts, async |_| Ok(Value::Null)).await.map(|_: Value| ())
    }

    /// Keeps a value the protocol made itself, once, together with posts that show it; gives it as it was kept first.
    pub async fn keep<T: Serialize + DeserializeOwned>(
        &self,
        key: impl Into<StepKey>,
        value: &T,
        posts: Vec<Post>,
    ) -> Result<T, Stop> {
        self.once(key.into(), "keep", posts, async |_| Ok(json!(value))).await
    }

    /// What members have added so far, as it was the first time this step was reached.
    pub async fn notes(&self, key: impl Into<StepKey>) -> Result<Vec<ContextNote>, Stop> {
        self.once(key.into(), "notes", Vec::new(), async |steps| {
            Ok(json!(steps.world.store.notes(&steps.scope.session).await?))
        })
        .await
    }

    /// A number by chance, the same again after a restart. It comes from the session's name, which was thrown
    /// at its start and is in the database, so no commit has to keep it.
    #[must_use]
    pub fn seed(&self, key: &str) -> u64 {
        prompt::seed(&[self.scope.session.as_str(), key])
    }

    /// What models have said, people have confirmed and the protocol has kept so far under keys that begin with
    /// `prefix`, by key; only what is a `T`.
    pub async fn stored<T: DeserializeOwned>(&self, prefix: &str) -> Result<Vec<T>, Stop> {
        let rows = self.world.store.steps(&self.scope.session, prefix).await?;
        let holds = |kind: &str| kind == "keep" || kind.starts_with("ask:") || kind.starts_with("wait:");
        let said = rows.into_iter().filter(|(_, row)| row.state == StepState::Done && holds(&row.kind));
        Ok(said.filter_map(|(_, row)| serde_json::from_value(row.output?).ok()).collect())
    }

    /// What the protocol has kept under this key, if it has.
    pub async fn kept<T: DeserializeOwned>(&self, key: impl Into<StepKey>) -> Result<Option<T>, Stop> {
        let key = key.into();
        self.recall::<T>(&key, "keep").await?.transpose().map_err(|_| Stop::Drift(key))
    }

    /// What the protocol has kept so far under keys that begin with `prefix`, by key; only what is a `T`.
    pub async fn all_kept<T: DeserializeOwned>(&self, prefix: &str) -> Result<Vec<(StepKey, T)>, Stop> {
        Ok(all_kept(&self.world.store, &self.scope.session, prefix).await?)
    }

    /// What members have added up to this moment; for questions, which are answered from what is there.
    pub async fn notes_now(&self) -> Result<Vec<ContextNote>, Stop> {
        Ok(self.world.store.notes(&self.scope.session).await?)
    }

    /// The newest questions before one that were answered, oldest first, with their numbers.
    pub async fn answered_questions(&self, before: u64, most: i64) -> Result<Vec<(u64, String)>, Stop> {
        Ok(self.world.store.closed_questions(&self.scope.session, before, most).await?)
    }

    /// The journaled value under `key`, or `effect`'s, journaled now together with the posts.
    async fn once<T: Serialize + DeserializeOwned>(
        &self,
        key: StepKey,
        kind: &'static str,
        posts: Vec<Post>,
        effect: impl AsyncFnOnce(&Self) -> Result<Value, Stop>,
    ) -> Result<T, Stop> {
        if let Some(stored) = self.recall::<T>(&key, kind).await? {
            return stored.map_err(|_| Stop::Drift(key));
        }
        let output = effect(self).await?;
        let settled = Settled {
            kind: kind.to_owned(),
            failed: false,
            output: output.clone(),
            posts: self.outgoing(&key, posts),
            allowed: self.scope.allowed,
            key: key.clone(),
        };
        self.world.store.settle(&self.scope.session, None, settled, now_ms()).await?;
        self.outbox.kick(&self.scope.session);
        serde_json::from_value(output).map_err(|_| Stop::Drift(key))
    }

    /// What the journal holds under `key`: nothing or only an intent (`None`), a result, or a failure.
    pub(super) async fn recall<T: DeserializeOwned>(
        &self,
        key: &StepKey,
        kind: &str,
    ) -> Result<Option<Result<T, super::Failure>>, Stop> {
        let Some(row) = self.world.store.step(&self.scope.session, key).await? else { return Ok(None) };
        if row.kind != kind {
            return Err(Stop::Drift(key.clone()));
        }
        let Some(output) = row.output else { return Ok(None) };
        let corrupt = |error: serde_json::Error| {
            tracing::error!(session = %self.scope.session, %key, %error, "a journaled result cannot be read");
            Stop::Drift(key.clone())
        };
        match row.state {
            StepState::Intent => Ok(None),
            StepState::Done => serde_json::from_value(output).map(|value| Some(Ok(value))).map_err(corrupt),
            StepState::Failed => {
                serde_json::from_value(output).map(|failure| Some(Err(failure))).map_err(corrupt)
            }
        }
    }
}

/// What a session's protocol has kept so far under keys that begin with `prefix`, by key; only what is a `T`.
pub(super) async fn all_kept<T: DeserializeOwned>(
    store: &Store,
    session: &SessionId,
    prefix: &str,
) -> Result<Vec<(StepKey, T)>, StoreError> {
    let rows = store.steps(session, prefix).await?.into_iter();
    let kept = rows.filter(|(_, row)| row.state == StepState::Done && row.kind == "keep");
    Ok(kept
        .filter_map(|(key, row)| Some((StepKey::new(key), serde_json::from_value(row.output?).ok()?)))
        .collect())
}

impl From<serde_json::Error> for Stop {
    fn from(error: serde_json::Error) -> Self {
        Self::Store(StoreError::Corrupt(error.to_string()))
    }
}
