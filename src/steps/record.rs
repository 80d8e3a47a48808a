//! Steps without a model: posting, taking members' notes in, throwing dice. A resumed run sees the same notes
//! and the same dice.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{Steps, Stop};
use crate::{
    prompt,
    store::{NewPanel, NewPost, PanelEffect, Settled, StepRow, StepState, StoreError},
};
use domain::{ContextNote, Document, Ledger, Pictured, Post, StepKey};

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
        let (key, session) = (key.into(), &self.scope.session);
        if let Some(stored) = self.recall(&key, "notes").await? {
            return stored.map_err(|_| Stop::Drift(key));
        }
        let notes = self.world.store.notes(session).await?;
        // Nobody reads this row while the session runs, so the calls that were told of the notes need not wait for it: it
        // is on the disk once theirs are.
        let settled = self.settled(key, "notes", json!(notes), Vec::new());
        self.ahead.add(self.world.store.settle_ahead(session, settled, self.world.now_ms())?).await;
        Ok(notes)
    }

    /// A number by chance, the same again after a restart. It comes from the session's name, which was thrown
    /// at its start and is in the database, so no commit has to keep it.
    #[must_use]
    pub fn seed(&self, key: &str) -> u64 {
        prompt::seed(&[self.scope.session.as_str(), key])
    }

    /// What the protocol has kept under this key, if it has.
    pub async fn kept<T: DeserializeOwned>(&self, key: impl Into<StepKey>) -> Result<Option<T>, Stop> {
        let key = key.into();
        self.recall::<T>(&key, "keep").await?.transpose().map_err(|_| Stop::Drift(key))
    }

    /// A picture of the session's document, in base64; nothing where it was deleted.
    pub async fn picture(&self, picture: &Pictured) -> Result<Option<String>, Stop> {
        Ok(self.world.store.picture(&self.scope.session, &picture.sha256).await?)
    }

    /// Deletes the pictures of a document, once what stands on them is kept: nobody needs them any more.
    pub async fn forget_pictures(&self, document: Option<&Document>) -> Result<(), Stop> {
        let pictures = document.map(|document| document.pictures.as_slice()).unwrap_or_default();
        let pictures: Vec<String> = pictures.iter().map(|picture| picture.sha256.clone()).collect();
        Ok(self.world.store.forget_pictures(&self.scope.session, &pictures).await?)
    }

    /// What the session has used up to this moment.
    pub async fn spent(&self) -> Result<Ledger, Stop> {
        Ok(self.world.store.ledger(&self.scope.session).await?)
    }

    /// What of it the calls took that belong to a step and those below it, as far as their providers said.
    pub async fn spent_on(&self, key: &StepKey) -> Result<Ledger, Stop> {
        let mut spent = Ledger::default();
        for attempt in self.world.store.attempts(&self.scope.session, key).await? {
            let tokens = [attempt.input_tokens, attempt.cached_tokens, attempt.output_tokens];
            spent.calls += 1;
            spent.tokens += tokens.into_iter().flatten().sum::<i64>();
            match attempt.money {
                Some(money) => spent.cost.0 += money.0,
                None => spent.unpriced_calls += 1,
            }
        }
        Ok(spent)
    }

    /// What members have added up to this moment; for questions, which are answered from what is there.
    pub async fn notes_now(&self) -> Result<Vec<ContextNote>, Stop> {
        Ok(self.world.store.notes(&self.scope.session).await?)
    }

    /// The newest questions before one that were answered, oldest first, with their numbers.
    pub async fn answered_questions(&self, before: u64, most: i64) -> Result<Vec<(u64, String)>, Stop> {
        Ok(self.world.store.answered_questions(&self.scope.session, before, most).await?)
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
    /// is not true any more.
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

    /// Keeps a value that comes onto the panel of these steps (see [`Steps::onto`]), as an answer does: `first` is the
    /// panel's post where nothing has come onto it before.
    pub async fn keep_onto<T: Serialize>(&self, key: &StepKey, value: &T, first: Post) -> Result<(), Stop> {
        if let Some(kept) = self.recall::<Value>(key, "keep").await? {
            return kept.map(|_| ()).map_err(|_| Stop::Drift(key.clone()));
        }
        let session = &self.scope.session;
        let panel = self.panel.clone().unwrap_or_else(|| key.clone());
        let first = self.outgoing(&panel, vec![first]).into_iter().next();
        let first = first.map(|first| NewPanel { key: panel.clone(), first });
        let settled = Settled { panel: first, ..self.settled(key.clone(), "keep", json!(value), Vec::new()) };
        self.ahead.written().await?;
        self.world.store.settle(session, None, settled, self.world.now_ms()).await?;
        self.outbox.kick(session);
        self.panels.kick(session, panel.as_str());
        Ok(())
    }

    async fn settle_panel(
        &self,
        (key, kind): (&StepKey, &str),
        output: Value,
        posts: Vec<NewPost>,
        (panel, effect): (&StepKey, PanelEffect),
    ) -> Result<(), Stop> {
        let settled = self.settled(key.clone(), kind, output, posts);
        let session = &self.scope.session;
        let panel = (panel.as_str(), effect);
        self.ahead.written().await?;
        self.world.store.settle_with_panel(session, settled, panel, self.world.now_ms()).await?;
        self.outbox.kick(session);
        self.panels.kick(session, panel.0);
        Ok(())
    }

    /// A step that asks nobody and has succeeded.
    fn settled(&self, key: StepKey, kind: &str, output: Value, posts: Vec<NewPost>) -> Settled {
        Settled {
            key,
            kind: kind.to_owned(),
            failed: false,
            output,
            posts,
            panel: None,
            allowed: self.scope.allowed,
        }
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
        let posts = self.outgoing(&key, posts);
        let settled = self.settled(key.clone(), kind, output.clone(), posts);
        // What it rests on first: paused and resumed in between, this would be kept, and that not.
        self.ahead.written().await?;
        self.world.store.settle(&self.scope.session, None, settled, self.world.now_ms()).await?;
        self.outbox.kick(&self.scope.session);
        serde_json::from_value(output).map_err(|_| Stop::Drift(key))
    }

    /// What the journal holds under `key`: nothing or only an intent (`None`), a result, or a failure.
    pub(super) async fn recall<T: DeserializeOwned>(
        &self,
        key: &StepKey,
        kind: &str,
    ) -> Result<Option<Result<T, super::Failure>>, Stop> {
        let row = self.world.store.step(&self.scope.session, key).await?;
        row.map_or(Ok(None), |row| self.came_to(key, kind, row))
    }

    /// What a step came to, as it stands in the journal; `None` for one that was only begun.
    pub(super) fn came_to<T: DeserializeOwned>(
        &self,
        key: &StepKey,
        kind: &str,
        row: StepRow,
    ) -> Result<Option<Result<T, super::Failure>>, Stop> {
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

impl From<serde_json::Error> for Stop {
    fn from(error: serde_json::Error) -> Self {
        Self::Store(StoreError::Corrupt(error.to_string()))
    }
}
