//! What a session holds, to be looked at beside its run: what its protocol has kept, what people were asked and what
//! they have brought in. Nothing is asked, posted or kept by looking.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Stop, confirm::confirmation};
use crate::store::{AttemptRow, StepRow, StepState, Store, StoreError};
use domain::{Addressee, Brief, ContextNote, Evidence, Plan, SessionId, StepKey, Triage, WaitKind};

/// A session's journal. Cheap to clone.
#[derive(Clone)]
pub struct Journal {
    store: Store,
    session: SessionId,
}

impl Journal {
    /// The journal of a session.
    #[must_use]
    pub fn new(store: Store, session: SessionId) -> Self {
        Self { store, session }
    }

    /// Whose it is.
    #[must_use]
    pub fn session(&self) -> &SessionId {
        &self.session
    }

    /// What the session was asked, where it is of the protocol that is looked for.
    pub async fn brief<T: TryFrom<Brief>>(&self) -> Result<T, Stop> {
        let plan = self.store.plan(&self.session).await?;
        let other = |_| StoreError::Corrupt(format!("the plan of {} is another protocol's", self.session));
        Ok(plan.brief.try_into().map_err(other)?)
    }

    /// What the protocol has kept under this key, if it has.
    pub async fn kept<T: DeserializeOwned>(&self, key: &StepKey) -> Result<Option<T>, Stop> {
        let row = self.store.step(&self.session, key).await?;
        Ok(row.filter(is_kept).and_then(|row| serde_json::from_value(row.output?).ok()))
    }

    /// What a step came to, if it is settled.
    pub async fn output(&self, key: &StepKey) -> Result<Option<Value>, Stop> {
        let row = self.store.step(&self.session, key).await?;
        Ok(row.filter(|row| row.state != StepState::Intent).and_then(|row| row.output))
    }

    /// What the protocol has kept so far under keys that begin with `prefix`, by key; only what is a `T`.
    pub async fn all_kept<T: DeserializeOwned>(&self, prefix: &str) -> Result<Vec<(StepKey, T)>, Stop> {
        let rows = self.store.steps(&self.session, prefix).await?.into_iter();
        let kept = rows.filter(|(_, row)| is_kept(row));
        Ok(kept
            .filter_map(|(key, row)| Some((StepKey::new(key), serde_json::from_value(row.output?).ok()?)))
            .collect())
    }

    /// What models have said, people have confirmed and the protocol has kept so far under keys that begin with
    /// `prefix`, by key; only what is a `T`.
    pub async fn stored<T: DeserializeOwned>(&self, prefix: &str) -> Result<Vec<T>, Stop> {
        Ok(self.all_stored(prefix).await?.into_iter().map(|(_, value)| value).collect())
    }

    /// What stands under the key of a card: said in its own step, or in one that stood in for it.
    pub async fn stands<T: DeserializeOwned>(&self, card: &StepKey) -> Result<Option<T>, Stop> {
        let stored = self.all_stored(card.as_str()).await?;
        Ok(stored
            .into_iter()
            .find(|(key, _)| key.call() == *card || key.card() == *card)
            .map(|(_, value)| value))
    }

    /// The same with their keys.
    pub async fn all_stored<T: DeserializeOwned>(&self, prefix: &str) -> Result<Vec<(StepKey, T)>, Stop> {
        let rows = self.store.steps(&self.session, prefix).await?;
        let holds = |kind: &str| kind == "keep" || kind.starts_with("ask:") || kind.starts_with("wait:");
        let said = rows.into_iter().filter(|(_, row)| row.state == StepState::Done && holds(&row.kind));
        Ok(said
            .filter_map(|(key, row)| Some((StepKey::new(key), serde_json::from_value(row.output?).ok()?)))
            .collect())
    }

    /// Every attempt at the calls from which the card of this key was made, first to last.
    pub async fn attempts(&self, card: &StepKey) -> Result<Vec<AttemptRow>, Stop> {
        let mut attempts = self.store.attempts(&self.session, card).await?;
        // What is still being asked is behind no card yet.
        attempts.retain(|attempt| attempt.outcome.is_some());
        Ok(attempts)
    }

    /// The first request of each step that asked a model, as it was sent; so many at most. None that are kept no longer.
    pub async fn first_requests(&self, most: i64) -> Result<Vec<(StepKey, String)>, Stop> {
        Ok(self.store.first_requests(&self.session, most).await?)
    }

    /// What the session was asked and may use.
    pub async fn plan(&self) -> Result<Plan, Stop> {
        Ok(self.store.plan(&self.session).await?)
    }

    /// What members have added up to this moment.
    pub async fn notes(&self) -> Result<Vec<ContextNote>, Stop> {
        Ok(self.store.notes(&self.session).await?)
    }

    /// Whom a question was put to.
    pub async fn addressee(&self, question: u64) -> Result<Option<Addressee>, Stop> {
        Ok(self.store.addressee(&self.session, question).await?)
    }

    /// All evidence up to this moment.
    pub async fn evidence(&self) -> Result<Vec<Evidence>, Stop> {
        Ok(self.store.evidence(&self.session).await?)
    }

    /// What the team has made of findings up to this moment.
    pub async fn triage(&self) -> Result<Vec<Triage>, Stop> {
        Ok(self.store.triage_of(&self.session).await?)
    }

    /// What people confirm, as it was last edited or was confirmed; `None` before anybody was asked.
    pub async fn confirmation<T: DeserializeOwned>(&self, kind: WaitKind) -> Result<Option<T>, Stop> {
        Ok(confirmation(&self.store, &self.session, kind).await?)
    }
}

fn is_kept(row: &StepRow) -> bool {
    row.state == StepState::Done && row.kind == "keep"
}
