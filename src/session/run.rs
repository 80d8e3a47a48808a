//! A run: the protocol from its top, with everything done before recalled from the journal, and what becomes
//! of the session when it stops.

use std::sync::Arc;

use super::{PAUSE_LASTS, Run, Sessions};
use crate::{
    error::incident_id,
    protocols, render,
    steps::{CLOSING, Journal, Scope, Steps, Stop, status, thread_posts},
    store::{Pause, SessionRow, Store, StoreError, caught},
};
use domain::{Brief, Budgets, Plan, Post, SessionId, SessionState, StepKey};

/// Why a session stands still whose server is not among `QUORUM_SERVERS` any more.
const NOT_SERVED: &str = "Whoever runs me has named the servers that I serve, and this one is not among them any more. Until it is, Resume does nothing.";

impl Sessions {
    /// Runs a session until it is done or stops, and writes down which.
    pub(super) async fn run_to_its_end(&self, id: &SessionId, run: &Run) {
        self.0.outbox.kick(id);
        // On the heap: what a whole protocol holds while it waits is large.
        let settled = match caught(Box::pin(self.run_protocol(id, run))).await {
            Ok(false) => Ok(()),
            Ok(true) => self.finish(id, run).await,
            Err(error) => match error.downcast::<Stop>() {
                Ok(Stop::Store(StoreError::Corrupt(problem))) => self.park(id, problem).await,
                Ok(stop) => self.stopped(id, stop).await,
                Err(error) => match error.downcast::<StoreError>() {
                    Ok(StoreError::Corrupt(problem)) => self.park(id, problem).await,
                    Ok(error) => self.broken(id, &error.to_string()).await,
                    Err(error) => self.broken(id, &format!("{error:#}")).await,
                },
            },
        };
        if let Err(error) = settled {
            tracing::error!(session = %id, error = %format!("{error:#}"), "how a session stopped could not be written down");
        }
        self.0.outbox.kick(id);
        self.ring_soon(id);
    }

    /// `false`: the session is not running any more.
    async fn run_protocol(&self, id: &SessionId, run: &Run) -> anyhow::Result<bool> {
        let row = self.0.world.store.session(id).await?;
        if row.state != SessionState::Running {
            return Ok(false);
        }
        if !self.settings().serves(row.guild) {
            return Err(Stop::Pause(NOT_SERVED.to_owned(), None).into());
        }
        let plan = self.0.world.store.plan(id).await?;
        let scope = self.scope(&row, &plan, &[SessionState::Running]).await?;
        let world = Arc::clone(&self.0.world);
        let steps = Steps::new(
            world,
            (self.0.outbox.clone(), self.0.panels.clone()),
            scope,
            run.live.clone(),
            run.cancel.clone(),
        );
        Box::pin(protocols::run(&steps, &plan)).await?;
        Ok(true)
    }

    /// What a session holds, to be looked at.
    pub(super) fn journal(&self, id: &SessionId) -> Journal {
        Journal::new(self.store().clone(), id.clone())
    }

    /// Within which bounds a session's steps happen.
    pub(super) async fn scope(
        &self,
        row: &SessionRow,
        plan: &Plan,
        allowed: &'static [SessionState],
    ) -> anyhow::Result<Scope> {
        // A month's budget is for all that happens on a server, whenever it was started.
        let server = self.guild_settings(row.guild).await?;
        let server_month = self.0.settings.budgets_of(&server).server_month;
        let (session, _) = self.session_budget(row, plan).await?;
        Ok(Scope {
            session: row.id.clone(),
            guild: row.guild,
            payer: row.starter,
            budgets: Budgets { session, server_month, ..plan.budgets },
            allowed,
            prompts: self.prompts_of(&row.prompt_version).await?,
            reply_to: None,
        })
    }

    async fn finish(&self, id: &SessionId, run: &Run) -> anyhow::Result<()> {
        let store = &self.0.world.store;
        let row = store.session(id).await?;
        let ended = SessionRow { state: SessionState::Done, ended_ms: Some(self.now_ms()), ..row };
        let mut status = status(&self.0.world, &ended, run.live.progress()).await?;
        // The last line names who really answered, not who was configured.
        status.models = store.models_used(id).await?.into_iter().map(|(model, _)| model).collect();
        let degraded = render::degraded::sentences(&store.degraded(id).await?);
        let journal = Journal::new(store.clone(), id.clone());
        let came_out = protocols::in_the_end(&journal, status.protocol).await?;
        let closing = render::closing::closing(&status, came_out.as_deref(), &degraded);
        let posts = thread_posts(id, &StepKey::from(CLOSING), None, vec![closing]);
        // Of sessions that end together, the posts go out in the order of this moment.
        let (running, now) = (&[SessionState::Running], self.now_ms());
        unless_moved(store.move_session(id, running, SessionState::Done, None, posts, now).await)
    }

    async fn stopped(&self, id: &SessionId, stop: Stop) -> anyhow::Result<()> {
        match stop {
            // The row says so already.
            Stop::Halted => {
                // A session that was tried again may ask once more what it had asked before.
                self.kick_panels(id).await;
                Ok(())
            }
            // The whole process is about to stop.
            Stop::Store(StoreError::Superseded) => Ok(()),
            Stop::Pause(sentence, short) => {
                let card = render::notices::paused(&sentence);
                self.pause_for(id, short.map_or(Pause::Asked, Pause::Short), sentence, card).await
            }
            Stop::Spent(sentence, short) => {
                let card = render::budget::spent(id, &sentence);
                self.pause_for(id, Pause::Short(short), sentence, card).await
            }
            Stop::Fail(sentence) => {
                // The closing line, which says what servers refused, does not come.
                let refusals = render::degraded::refusals(&self.0.world.store.degraded(id).await?);
                let sentence = [vec![sentence], refusals].concat().join(" ");
                let card = render::notices::failed(id, &sentence);
                self.end(id, SessionState::Failed, sentence, card).await
            }
            Stop::Drift(key) => {
                tracing::error!(session = %id, %key, "parked: the journal holds another kind of step under this key");
                let sentence =
                    "Quorum was upgraded while this session ran, and its next step is not what it was.";
                let card = render::notices::parked(sentence);
                self.end(id, SessionState::Parked, sentence.to_owned(), card).await
            }
            Stop::Store(error) => self.broken(id, &error.to_string()).await,
        }
    }

    /// Stands still until somebody has done what the sentence says.
    async fn pause_for(
        &self,
        id: &SessionId,
        why: Pause,
        sentence: String,
        card: Post,
    ) -> anyhow::Result<()> {
        let now = self.now_ms();
        let posts = thread_posts(id, &notice_key("paused", now), None, vec![card]);
        let until = now + i64::try_from(PAUSE_LASTS.as_millis()).unwrap_or(i64::MAX);
        unless_moved(self.0.world.store.pause_session(id, why, None, sentence, posts, (now, until)).await)
    }

    /// Ends a running session with a notice on its card and in its thread.
    async fn end(&self, id: &SessionId, to: SessionState, notice: String, card: Post) -> anyhow::Result<()> {
        let now = self.now_ms();
        let posts = thread_posts(id, &notice_key(to.as_str(), now), None, vec![card]);
        let running = &[SessionState::Running];
        unless_moved(self.0.world.store.move_session(id, running, to, Some(notice), posts, now).await)
    }

    /// Something that is stored of it cannot be read, and will not be when it is tried again.
    async fn park(&self, id: &SessionId, problem: String) -> anyhow::Result<()> {
        self.store().found_unreadable(id, problem);
        Ok(self.park_unreadable().await?)
    }

    /// Something of ours broke: logged once with an id, shown as a neutral sentence with it.
    async fn broken(&self, id: &SessionId, problem: &str) -> anyhow::Result<()> {
        let incident = incident_id();
        tracing::error!(session = %id, %incident, problem, "a session broke");
        let sentence = format!("Something went wrong on the bot's side (error {incident}).");
        let card = render::notices::failed(id, &sentence);
        self.end(id, SessionState::Failed, sentence, card).await
    }
}

/// A session that somebody paused or cancelled at the last moment stays so; a resume comes here again.
fn unless_moved(moved: Result<(), StoreError>) -> anyhow::Result<()> {
    match moved {
        Err(StoreError::NotRunning(_)) | Ok(()) => Ok(()),
        Err(other) => Err(other.into()),
    }
}

/// A key that no other notice of the session has: a session may be paused or fail more than once.
pub(super) fn notice_key(what: &str, at_ms: i64) -> StepKey {
    StepKey::new(format!("notice/{what}/{at_ms}"))
}

/// What a session was asked, where it is of the protocol that is looked for.
pub(super) async fn brief<T: TryFrom<Brief>>(store: &Store, row: &SessionRow) -> anyhow::Result<T> {
    let plan = store.plan(&row.id).await?;
    let other =
        |_| anyhow::anyhow!("session {} is a {}, and its plan another protocol's", row.id, row.protocol);
    plan.brief.try_into().map_err(other)
}
