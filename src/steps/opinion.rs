//! Asking the team what they think once the debate is behind them: the asking and its panel go into the database in
//! one transaction. What becomes of it after that is no part of any run.

use serde_json::Value;

use super::{Steps, Stop, World, now_ms, proposition_key};
use crate::{
    domain::{
        OpinionStage, OpinionState, OpinionVote, Post, Proposition, SessionId, StepKey, Swing, VoteRules,
    },
    render,
    store::{OpinionRow, Settled, StoreError, opinion_deadline_ms},
};

/// The step that asks the team after the debate, and the panel on which they say so.
#[must_use]
pub fn opinion_key() -> StepKey {
    StepKey::from("opinion")
}

impl Steps {
    /// Asks the team once more what they think, with the debate behind them. Returns at once; the asking outlives
    /// the run.
    pub async fn open_opinions(&self, rules: &VoteRules) -> Result<(), Stop> {
        let (key, kind) = (opinion_key(), "opinions");
        if let Some(opened) = self.recall::<Value>(&key, kind).await? {
            return opened.map(|_| ()).map_err(|_| Stop::Drift(key));
        }
        let now = now_ms();
        let vote = OpinionVote {
            stage: OpinionStage::After,
            rules: rules.clone(),
            state: OpinionState::Open,
            deadline: Some(opinion_deadline_ms(rules, now) / 1000),
            ballots: Vec::new(),
        };
        let session = &self.scope.session;
        let post = opinion_post(&self.world, session, &vote).await?;
        let settled = Settled {
            kind: kind.to_owned(),
            failed: false,
            output: Value::Null,
            posts: self.outgoing(&key, vec![post]),
            allowed: self.scope.allowed,
            key,
        };
        self.world.store.open_opinions(session, settled, rules.clone(), now).await?;
        self.outbox.kick(session);
        self.world.deadlines.notify_one();
        Ok(())
    }
}

/// The panel of the second asking as it stands.
pub(super) async fn opinion_panel(world: &World, session: &SessionId) -> Result<Option<Post>, StoreError> {
    match world.store.opinions(session, OpinionStage::After).await? {
        Some(OpinionRow { vote, .. }) => opinion_post(world, session, &vote).await.map(Some),
        None => Ok(None),
    }
}

impl Steps {
    /// What is debated, with the latest edit of it; `None` before anybody was asked to start it.
    pub async fn proposed(&self) -> Result<Option<Proposition>, Stop> {
        let asked = self.world.store.asked(&self.scope.session, &proposition_key()).await?;
        Ok(asked.map(|asked| serde_json::from_value(asked.draft)).transpose()?)
    }

    /// How the team's opinions moved, once they are counted; until then they are secret.
    pub async fn counted_swing(&self) -> Result<Option<Swing>, Stop> {
        let (store, session) = (&self.world.store, &self.scope.session);
        let after = store.opinions(session, OpinionStage::After).await?;
        let Some(after) = after.filter(|after| after.counted) else { return Ok(None) };
        let before = store.opinions(session, OpinionStage::Before).await?;
        let before = before.map(|before| before.vote.ballots).unwrap_or_default();
        Ok(Some(Swing::of(&before, &after.vote.ballots)))
    }
}

async fn opinion_post(world: &World, session: &SessionId, vote: &OpinionVote) -> Result<Post, StoreError> {
    let question = debated(world, session).await?;
    let before = said(world, session).await?;
    Ok(render::debate::opinion_panel(session, &question, vote, before))
}

/// The question that a session debates, as it was confirmed; before that and without one, its title.
pub async fn debated(world: &World, session: &SessionId) -> Result<String, StoreError> {
    match world.store.asked(session, &proposition_key()).await? {
        Some(asked) => {
            let proposition: Proposition = serde_json::from_value(asked.draft)
                .map_err(|error| StoreError::Corrupt(error.to_string()))?;
            Ok(proposition.question)
        }
        None => Ok(world.store.session(session).await?.title),
    }
}

/// How many have said what they think before the debate.
async fn said(world: &World, session: &SessionId) -> Result<usize, StoreError> {
    let before = world.store.opinions(session, OpinionStage::Before).await?;
    Ok(before.map_or(0, |before| before.vote.ballots.len()))
}
