//! What a debate takes in from the team, each time as it was when the step was first reached, and the panels it posts.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{Steps, Stop, now_ms, proposition_key, record::all_kept};
use crate::{
    domain::{Clarification, Evidence, Hinge, NeutralSynthesis, Post, Proposition, SessionId, StepKey},
    render,
    store::{NewPost, PanelEffect, Settled, Store, StoreError, TakenIn},
};

/// The step in which the moderator's synthesis is kept.
#[must_use]
pub fn synthesis_key() -> StepKey {
    StepKey::from("synthesis")
}

/// The vote on the proposition with the debate behind everybody. The one before it has the key of the proposition.
#[must_use]
pub fn opinion_key() -> StepKey {
    StepKey::from("opinion")
}

/// The panel of the synthesis's hinges, and the step that posts it.
#[must_use]
pub fn hinges_key() -> StepKey {
    StepKey::from("hinges")
}

/// The step in which a hinge, from 1, is kept as this piece of evidence leaves it.
#[must_use]
pub fn hinge_key(hinge: u8, evidence: u32) -> StepKey {
    StepKey::new(format!("hinge/{hinge}/{evidence}"))
}

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
            allowed: self.scope.allowed,
        };
        let taken = self.world.store.take_in(&self.scope.session, what, settled, now_ms()).await?;
        serde_json::from_value(taken).map_err(|_| Stop::Drift(key))
    }

    /// All evidence up to this moment; for questions, which are answered from what is there.
    pub async fn evidence_now(&self) -> Result<Vec<Evidence>, Stop> {
        Ok(self.world.store.evidence(&self.scope.session).await?)
    }

    /// All clarifications up to this moment, unanswered.
    pub async fn clarifications_now(&self) -> Result<Vec<Clarification>, Stop> {
        Ok(self.world.store.clarifications(&self.scope.session).await?)
    }

    /// Posts, once, a card that is kept true from then on: its key is the panel's.
    pub async fn post_panel(&self, key: impl Into<StepKey>, post: Post) -> Result<(), Stop> {
        let key = key.into();
        if let Some(posted) = self.recall::<Value>(&key, "panel").await? {
            return posted.map(|_| ()).map_err(|_| Stop::Drift(key));
        }
        let posts = self.outgoing(&key, vec![post]);
        self.settle_panel((&key, "panel"), Value::Null, posts, (&key, PanelEffect::Opened)).await
    }

    /// Keeps a value together with its posts, and says in the same transaction that what the panel of this key shows
    /// is not true any more. Whoever runs the steps has it drawn.
    pub async fn keep_changing<T: Serialize>(
        &self,
        key: &StepKey,
        value: &T,
        posts: Vec<Post>,
        panel: &StepKey,
    ) -> Result<(), Stop> {
        let posts = self.outgoing(key, posts);
        self.settle_panel((key, "keep"), json!(value), posts, (panel, PanelEffect::Changed)).await
    }

    async fn settle_panel(
        &self,
        (key, kind): (&StepKey, &str),
        output: Value,
        posts: Vec<NewPost>,
        (panel, effect): (&StepKey, PanelEffect),
    ) -> Result<(), Stop> {
        let settled = Settled {
            key: key.clone(),
            kind: kind.to_owned(),
            failed: false,
            output,
            posts,
            allowed: self.scope.allowed,
        };
        let session = &self.scope.session;
        let panel = (panel.as_str(), effect);
        self.world.store.settle_with_panel(session, settled, panel, now_ms()).await?;
        self.outbox.kick(session);
        Ok(())
    }

    /// What is debated, with the latest edit of it; `None` before anybody was asked to start it.
    pub async fn proposed(&self) -> Result<Option<Proposition>, Stop> {
        let asked = self.world.store.asked(&self.scope.session, &proposition_key()).await?;
        Ok(asked.map(|asked| serde_json::from_value(asked.draft)).transpose()?)
    }

    /// The synthesis's hinges, each as it was last looked at; none where there is no synthesis, or where they were
    /// withheld.
    pub async fn hinges(&self) -> Result<Vec<Hinge>, Stop> {
        Ok(hinges(&self.world.store, &self.scope.session).await?)
    }
}

async fn hinges(store: &Store, session: &SessionId) -> Result<Vec<Hinge>, StoreError> {
    let synthesis: Vec<(StepKey, NeutralSynthesis)> =
        all_kept(store, session, synthesis_key().as_str()).await?;
    let Some((_, kept)) = synthesis.into_iter().next() else { return Ok(Vec::new()) };
    let mut hinges = kept.synthesis.decision_hinges;
    let mut looked_at: Vec<(StepKey, Hinge)> = all_kept(store, session, "hinge/").await?;
    // By the number of the evidence, and not as text, where 10 comes before 9.
    looked_at.sort_by_key(|(key, _)| numbers(key).map(|(_, evidence)| evidence));
    for (key, hinge) in looked_at {
        let place = numbers(&key).and_then(|(number, _)| number.checked_sub(1));
        if let Some(there) = place.and_then(|place| hinges.get_mut(place)) {
            *there = hinge;
        }
    }
    Ok(hinges)
}

/// Hinge and evidence of a step in which a hinge was looked at again.
fn numbers(key: &StepKey) -> Option<(usize, u32)> {
    let (hinge, evidence) = key.as_str().strip_prefix("hinge/")?.split_once('/')?;
    Some((hinge.parse().ok()?, evidence.parse().ok()?))
}

/// The hinges as open questions, for their panel; nothing where there are none.
pub(super) async fn hinges_panel(store: &Store, session: &SessionId) -> Result<Option<Post>, StoreError> {
    let hinges = hinges(store, session).await?;
    let mut brought = store.evidence(session).await?;
    brought.retain(|evidence| evidence.hinge.is_some());
    Ok((!hinges.is_empty()).then(|| render::debate::hinges_panel(session, &hinges, &brought)))
}
