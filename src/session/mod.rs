//! The life of a session: started, run, paused, resumed, cancelled, tried again; questions answered; and at
//! start everything that was left unfinished goes on. Its thread has in it whoever takes part, and the question's name.
//!
//! Invariants: a session has at most one run at a time, and that run is a task that can be dropped at any
//! instant, for all that counts is in the database; a session that is paused or waits for people is a row and no
//! task. Called by `bot` (what people do) and `app` (start and end of the process).

mod audit;
mod bell;
mod beside;
mod budget;
mod confirm;
mod control;
mod critique;
mod debate;
mod decision;
mod erasure;
mod estimate;
mod history;
mod inspect;
mod offer;
mod options;
mod participant;
mod plan;
mod prompt_sets;
mod question;
mod report;
mod retention;
mod review;
mod right;
mod run;
mod running;
mod searchable;
mod sequel;
mod settings;
mod start;
mod stated;
mod thread_name;
mod trust;
mod typed;
mod view;
mod vote;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures::{FutureExt, future::join_all};
use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;

pub use beside::Allowed;
pub use control::{Actor, takes_context};
pub use history::{Asker, Readable};
pub use inspect::Shown;
pub use report::report_files;
pub use start::{Choices, Request};

use prompt_sets::PromptSets;
use run::brief;

use crate::{
    prompt::Prompts,
    protocols::{self, Appointed},
    steps::{Kicked, Live, Outbox, Panels, Undelivered, World, keep_card},
    store::{Panicked, caught},
    store::{SessionRow, Store, StoreError},
};
use domain::{
    Budgets, Caps, GuildId, GuildSettings, ModelName, Money, OpenSessions, Pace, SessionId, SessionState,
    WholeBot,
};

/// How long a paused session waits for somebody.
const PAUSE_LASTS: Duration = Duration::from_hours(7 * 24);
/// How often deadlines are looked at, whether or not one is known to be near.
const DEADLINES_EVERY: Duration = Duration::from_secs(20);

/// How soon a watcher that broke starts again.
const WATCHES_AGAIN: Duration = Duration::from_secs(5);

/// What new sessions are started with; running ones keep what they had.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The models of each part.
    pub appointed: Appointed,
    /// Who reads pictures; `None`: nobody.
    pub pictures: Option<ModelName>,
    /// What a session, a member and a server may use.
    pub budgets: Budgets,
    /// What all servers together may use.
    pub whole: WholeBot,
    /// The servers that are served; `None`: all.
    pub servers: Option<Vec<GuildId>>,
    /// How many sessions may be open at once.
    pub most_open: OpenSessions,
    /// Most characters of a document that a model reads at once.
    pub document_chars: usize,
    /// The prompt files.
    pub prompts: Prompts,
    /// A sentence for every status card, such as that the model gives no advice.
    pub notice: Option<String>,
    /// Whether sessions go by how modules' earlier advice turned out, and say something of it themselves, on servers that
    /// have that switched on.
    pub trust: bool,
}

impl Settings {
    /// What a session on a server with these settings may use: never more than whoever runs the bot allows.
    fn budgets_of(&self, guild: &GuildSettings) -> Budgets {
        let mut budgets = self.budgets;
        if guild.month_money.is_some() || guild.month_calls.is_some() || guild.month_tokens.is_some() {
            budgets.server_month = Some(Caps {
                money: guild.month_money.unwrap_or(Money(Caps::NO_LIMIT)),
                tokens: guild.month_tokens.unwrap_or(Caps::NO_LIMIT),
                calls: guild.month_calls.unwrap_or(Caps::NO_LIMIT),
            });
        }
        let session = &mut budgets.session;
        session.money = guild.session_money.map_or(session.money, |most| session.money.min(most));
        session.tokens = guild.session_tokens.map_or(session.tokens, |most| session.tokens.min(most));
        session.calls = guild.session_calls.map_or(session.calls, |most| session.calls.min(most));
        budgets
    }

    /// Whether anybody on this server may use the bot.
    #[must_use]
    pub fn serves(&self, guild: GuildId) -> bool {
        self.servers.as_ref().is_none_or(|servers| servers.contains(&guild))
    }
}

/// A run under way.
#[derive(Clone)]
struct Run {
    live: Live,
    /// Aborts its calls.
    cancel: CancellationToken,
    /// Set once it has ended.
    ended: CancellationToken,
}

/// All sessions. Cheap to clone.
#[derive(Clone)]
pub struct Sessions(Arc<Inner>);

struct Inner {
    world: Arc<World>,
    outbox: Outbox,
    panels: Panels,
    /// Rung when a decision is recorded.
    decided: Notify,
    /// Rung when somebody wants something deleted.
    erasing: Notify,
    settings: Settings,
    prompt_sets: PromptSets,
    runs: Mutex<HashMap<SessionId, Run>>,
    /// Sessions whose hinges are being looked at again.
    reviewing: Kicked<SessionId>,
}

impl Sessions {
    /// Sessions in the world. `undeliverable` is the other end of the world's channel of that name.
    #[must_use]
    pub fn new(
        world: Arc<World>,
        settings: Settings,
        undeliverable: mpsc::UnboundedReceiver<Undelivered>,
    ) -> Self {
        let outbox = Outbox::new(Arc::clone(&world));
        let panels = Panels::new(Arc::clone(&world), protocols::panel);
        let (runs, reviewing) = (Mutex::default(), Kicked::default());
        let (decided, erasing) = (Notify::new(), Notify::new());
        let prompt_sets = PromptSets::default();
        let inner = Inner { world, outbox, panels, decided, erasing, settings, prompt_sets, runs, reviewing };
        let sessions = Self(Arc::new(inner));
        tokio::spawn(sessions.clone().watch_undeliverable(undeliverable));
        sessions.watch("deadlines", Self::watch_deadlines);
        sessions.watch("decisions", Self::watch_decisions);
        sessions.watch("what is kept long enough", Self::watch_retention);
        sessions.watch("what should run", Self::watch_runs);
        sessions.watch("what is to be deleted", Self::watch_erasures);
        sessions.watch("what the search finds", Self::watch_texts);
        sessions.watch("who takes part", Self::watch_participants);
        sessions.watch("what threads are named", Self::watch_thread_names);
        sessions
    }

    /// The database, for what the bot notes of its own conversations.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.0.world.store
    }

    /// Keeps a watcher at work until the process ends: one that panics starts again.
    fn watch<F>(&self, what: &'static str, watcher: fn(Self) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let sessions = self.clone();
        tokio::spawn(async move {
            while let Err(Panicked) = caught(watcher(sessions.clone()).map(Ok)).await {
                tracing::error!("the watcher of {what} broke and starts again");
                tokio::time::sleep(WATCHES_AGAIN).await;
            }
        });
    }

    /// The settings for new sessions.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// Milliseconds since 1970, by the clock that all of it goes by.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        self.0.world.now_ms()
    }

    /// How fast its own pauses pass.
    #[must_use]
    pub fn pace(&self) -> Pace {
        self.0.world.pace
    }

    /// Makes no new calls and gives those in flight so long: the process is about to end.
    pub async fn drain(&self, patience: Duration) {
        let left = self.0.world.drain.end(patience).await;
        if left > 0 {
            tracing::warn!(calls = left, "calls in flight were left behind; they are charged and made again");
        }
    }

    /// Lets everything go on that an earlier process left unfinished. Gives how many sessions run again. What sleeps costs
    /// nothing here: its deadlines are rows, and whoever wakes it finds it in the database.
    pub async fn resume_all(&self) -> Result<usize, StoreError> {
        let rows = self.0.world.store.unfinished_sessions().await?;
        // All at once, so that what they write shares its way to the disk. One that cannot be read stops no other.
        let mut running = 0;
        for (row, went_on) in rows.iter().zip(join_all(rows.iter().map(|row| self.go_on(row))).await) {
            match went_on {
                Ok(runs) => running += usize::from(runs),
                // What the whole database does, or another process.
                Err(error @ (StoreError::Superseded | StoreError::Closed | StoreError::Damaged)) => {
                    return Err(error);
                }
                Err(error @ (StoreError::Disk(_) | StoreError::Failed(_))) => return Err(error),
                // Its rows contradict one another, or cannot be read.
                Err(error) => self.store().found_unreadable(&row.id, error.to_string()),
            }
        }
        self.park_unreadable().await?;
        // Looked at before Discord had said what time it is, they waited.
        self.0.world.deadlines.notify_one();
        for (session, key) in self.0.world.store.stale_panels().await? {
            self.0.panels.kick(&session, &key);
        }
        Ok(running)
    }

    /// Lets one session go on; `true` if it runs.
    async fn go_on(&self, row: &SessionRow) -> Result<bool, StoreError> {
        let runs = row.state == SessionState::Running;
        let charged = self.0.world.store.charge_lost(&row.id, self.now_ms()).await? > 0;
        if charged {
            tracing::info!(session = %row.id, "calls cut off by the end of the last process were charged");
        }
        if runs {
            self.0.world.store.count_restart(&row.id).await?;
            self.spawn(&row.id);
        } else {
            self.0.outbox.kick(&row.id);
            if charged || row.card_is_due() {
                self.redraw(&row.id);
            }
        }
        self.answer_open_questions(&row.id).await?;
        self.review_hinges(row);
        Ok(runs)
    }

    fn runs(&self) -> MutexGuard<'_, HashMap<SessionId, Run>> {
        self.0.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a session's run, after the one that may still be ending. Resumed within the round it was paused
    /// in, a session has an earlier run that goes on: the new one shares its progress and ends with it, so that
    /// the card goes on showing it and a cancel reaches its calls.
    fn spawn(&self, id: &SessionId) {
        let mut runs = self.runs();
        let before = runs.get(id).filter(|before| !before.ended.is_cancelled()).cloned();
        let run = Run {
            // Also of one that has ended: it may still draw the card for the last time.
            live: runs.get(id).map(|before| before.live.clone()).unwrap_or_default(),
            cancel: (before.as_ref().map(|before| before.cancel.clone()))
                .filter(|cancel| !cancel.is_cancelled())
                .unwrap_or_default(),
            ended: CancellationToken::new(),
        };
        run.live.changed.notify_one();
        runs.insert(id.clone(), run.clone());
        drop(runs);
        let (sessions, id) = (self.clone(), id.clone());
        tokio::spawn(async move {
            if let Some(before) = before {
                tokio::select! {
                    () = before.ended.cancelled() => {}
                    () = run.cancel.cancelled() => {
                        before.cancel.cancel();
                        before.ended.cancelled().await;
                    }
                }
            }
            let ended = run.ended.clone();
            // Whatever becomes of this task: the card and a later run hear of its end.
            let heard = ended.clone().drop_guard();
            let card = tokio::spawn(keep_card(
                Arc::clone(&sessions.0.world),
                sessions.0.outbox.clone(),
                id.clone(),
                run.live.clone(),
                ended.clone(),
            ));
            sessions.run_to_its_end(&id, &run).await;
            drop(heard);
            // Its last drawing is awaited only so that a panic in it is seen.
            if let Err(error) = card.await {
                tracing::error!(session = %id, %error, "the live card's task broke");
            }
            {
                let mut runs = sessions.runs();
                if runs.get(&id).is_some_and(|current| current.ended.is_cancelled()) {
                    runs.remove(&id);
                }
            }
            sessions.redraw_if_changed(&id).await;
        });
    }

    /// Has a session's card drawn again if it shows another state than the session's, or less than is so of one that
    /// sleeps: what changes while a run's card is drawn for the last time rings a bell that nobody hears any more.
    pub(super) async fn redraw_if_changed(&self, id: &SessionId) {
        match self.0.world.store.session(id).await {
            Ok(row) if row.card_is_due() => self.redraw(id),
            // Deleted since, or as it should be.
            Ok(_) | Err(StoreError::Missing(_)) => {}
            Err(error) => {
                tracing::error!(session = %id, %error, "what the live card shows could not be read");
            }
        }
    }

    /// Has a session's card drawn again, and whoever wanted to be told pinged if it stands still.
    fn redraw(&self, id: &SessionId) {
        self.ring_soon(id);
        // A run that has ended draws its card for the last time or has done so: it hears no bell any more.
        let live = self.runs().get(id).filter(|run| !run.ended.is_cancelled()).map(|run| run.live.clone());
        if let Some(live) = live {
            live.changed.notify_one();
        } else {
            let over = CancellationToken::new();
            over.cancel();
            let (world, outbox) = (Arc::clone(&self.0.world), self.0.outbox.clone());
            tokio::spawn(keep_card(world, outbox, id.clone(), Live::default(), over));
        }
    }

    async fn watch_undeliverable(self, mut undeliverable: mpsc::UnboundedReceiver<Undelivered>) {
        while let Some(undelivered) = undeliverable.recv().await {
            let (session, sentence) = match undelivered {
                Undelivered::Session(session, sentence) => (session, sentence),
                // The live card says so.
                Undelivered::Post(session) => {
                    self.redraw(&session);
                    continue;
                }
                Undelivered::Thread(session) => {
                    self.redraw(&session);
                    if let Err(error) = self.named_again(&session).await {
                        tracing::error!(%session, %error, "where it goes on from could not be read");
                    }
                    continue;
                }
            };
            if let Err(error) = caught(self.give_up(&session, sentence)).await {
                tracing::error!(%session, %error, "a session without a thread could not be ended");
            }
        }
    }

    /// Keeps deadlines, each when it comes: those that passed while the bot was down at once.
    async fn watch_deadlines(self) {
        let World { store, deadlines, pace, .. } = &*self.0.world;
        let every = pace.of(DEADLINES_EVERY);
        let mut told_apart = None;
        loop {
            self.0.world.compare_clocks(&mut told_apart).await;
            let looked = self.now_ms();
            self.keep_waits(looked).await;
            self.keep_votes(looked).await;
            self.ring_all().await;
            // What is overdue even now could not be kept, and is tried again like anything else.
            let next = store.next_deadline(looked).await.unwrap_or_else(|error| {
                tracing::error!(%error, "deadlines could not be read");
                None
            });
            let until = next
                .map(|next| Duration::from_millis(u64::try_from(next - self.now_ms()).unwrap_or_default()));
            tokio::select! {
                () = tokio::time::sleep(until.map_or(every, |until| until.min(every))) => {}
                () = deadlines.notified() => {}
            }
        }
    }

    async fn keep_waits(&self, now: i64) {
        match self.0.world.store.overdue_waits(now).await {
            Ok(waits) if waits.is_empty() || !self.0.world.is_past(now).await => {}
            Ok(waits) => {
                for wait in waits {
                    if let Err(error) = self.expire(&wait).await {
                        self.note_unreadable(&wait.session, &error);
                        tracing::error!(session = %wait.session, %error, "a deadline could not be kept");
                    }
                }
            }
            Err(error) => tracing::error!(%error, "deadlines could not be read"),
        }
    }
}
