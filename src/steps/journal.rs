//! What a session holds, to be looked at beside its run: what its protocol has kept, what people were asked and what
//! they have brought in. Nothing is asked, posted or kept by looking.

use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::{Stop, World};
use crate::{
    domain::{Brief, Evidence, OpinionStage, Plan, SessionId, StepKey, Triage},
    store::{Outcome, StepRow, StepState, StoreError},
};

/// A session's journal. Cheap to clone.
#[derive(Clone)]
pub struct Journal {
    world: Arc<World>,
    session: SessionId,
}

/// What people were asked to confirm, as it stands.
pub struct Asked<T> {
    /// With what they have changed.
    pub draft: T,
    /// The event that changed it last; 0 if nobody has.
    pub revision: i64,
    /// What became of it.
    pub outcome: Outcome,
}

impl Journal {
    /// The journal of a session.
    #[must_use]
    pub fn new(world: Arc<World>, session: SessionId) -> Self {
        Self { world, session }
    }

    /// Whose it is.
    #[must_use]
    pub fn session(&self) -> &SessionId {
        &self.session
    }

    /// What the session was asked, where it is of the protocol that is looked for.
    pub async fn brief<T: TryFrom<Brief>>(&self) -> Result<T, Stop> {
        let plan: Plan = serde_json::from_value(self.world.store.session(&self.session).await?.plan)?;
        let other = |_| StoreError::Corrupt(format!("the plan of {} is another protocol's", self.session));
        Ok(plan.brief.try_into().map_err(other)?)
    }

    /// What the protocol has kept under this key, if it has.
    pub async fn kept<T: DeserializeOwned>(&self, key: &StepKey) -> Result<Option<T>, Stop> {
        let row = self.world.store.step(&self.session, key).await?;
        Ok(row.filter(is_kept).and_then(|row| serde_json::from_value(row.output?).ok()))
    }

    /// What the protocol has kept so far under keys that begin with `prefix`, by key; only what is a `T`.
    pub async fn all_kept<T: DeserializeOwned>(&self, prefix: &str) -> Result<Vec<(StepKey, T)>, Stop> {
        let rows = self.world.store.steps(&self.session, prefix).await?.into_iter();
        let kept = rows.filter(|(_, row)| is_kept(row));
        Ok(kept
            .filter_map(|(key, row)| Some((StepKey::new(key), serde_json::from_value(row.output?).ok()?)))
            .collect())
    }

    /// What models have said, people have confirmed and the protocol has kept so far under keys that begin with
    /// `prefix`, by key; only what is a `T`.
    pub async fn stored<T: DeserializeOwned>(&self, prefix: &str) -> Result<Vec<T>, Stop> {
        let rows = self.world.store.steps(&self.session, prefix).await?;
        let holds = |kind: &str| kind == "keep" || kind.starts_with("ask:") || kind.starts_with("wait:");
        let said = rows.into_iter().filter(|(_, row)| row.state == StepState::Done && holds(&row.kind));
        Ok(said.filter_map(|(_, row)| serde_json::from_value(row.output?).ok()).collect())
    }

    /// What people were asked to confirm in this step, if they were.
    pub async fn asked<T: DeserializeOwned>(&self, key: &StepKey) -> Result<Option<Asked<T>>, Stop> {
        let Some(asked) = self.world.store.asked(&self.session, key).await? else { return Ok(None) };
        let draft = serde_json::from_value(asked.draft)?;
        Ok(Some(Asked { draft, revision: asked.revision, outcome: asked.outcome }))
    }

    /// All evidence up to this moment.
    pub async fn evidence(&self) -> Result<Vec<Evidence>, Stop> {
        Ok(self.world.store.evidence(&self.session).await?)
    }

    /// What the team has made of findings up to this moment.
    pub async fn triage(&self) -> Result<Vec<Triage>, Stop> {
        Ok(self.world.store.triage_of(&self.session).await?)
    }

    /// How many have said what they think before it began.
    pub async fn opinions_before(&self) -> Result<usize, Stop> {
        let before = self.world.store.opinions(&self.session, OpinionStage::Before).await?;
        Ok(before.map_or(0, |before| before.vote.ballots.len()))
    }
}

fn is_kept(row: &StepRow) -> bool {
    row.state == StepState::Done && row.kind == "keep"
}
