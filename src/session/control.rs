//! What people do to a session: pause, resume, cancel, try again, add context. Each is applied once, however
//! often Discord delivers it.

use super::{
    PAUSE_LASTS, Sessions,
    run::notice_key,
    typed::{fits, told},
};
use crate::{
    error::UserError,
    render,
    steps::{budget_sentence, thread_posts},
    store::{AccountScope, Inbound, PAUSED_BY_MODERATOR, Pause, SessionRow, StoreError, WaitRow},
};
use domain::{Brings, ContextNote, Grant, InteractionId, RoleId, SessionId, SessionState, UserId, WaitKind};

/// Refuses notes where what is brought in has to be taken up by both sides.
pub fn takes_context(row: &SessionRow) -> anyhow::Result<()> {
    match row.protocol.words().brings {
        Brings::Context => Ok(()),
        Brings::Evidence => UserError::of(
            "A debate takes no notes, which one side could pass over. Press **Add evidence** on the status card instead: both advocates take it up.",
        ),
    }
}

const HOUR_MS: i64 = 60 * 60 * 1_000;
const DAY_MS: i64 = 24 * HOUR_MS;

/// Longest note, in characters.
const NOTE: usize = 2_000;

/// Who does something, and by which interaction.
#[derive(Clone, Debug)]
pub struct Actor {
    /// The interaction.
    pub interaction: InteractionId,
    /// The member who pressed or typed.
    pub user: UserId,
    /// The name they go by.
    pub name: String,
    /// Whether they may end what others have started (Manage Threads or Manage Server).
    pub moderator: bool,
    /// Whether they manage the server (Manage Server).
    pub manages: bool,
    /// The roles they have, as Discord said with this interaction.
    pub roles: Vec<RoleId>,
}

impl Actor {
    /// Whether a server's settings let them do something. `starter` is whoever started the session, if there is one.
    #[must_use]
    pub fn may(&self, grant: Grant, starter: Option<UserId>) -> bool {
        self.moderator
            || match grant {
                Grant::Everyone => true,
                Grant::Starter => starter == Some(self.user),
                Grant::Role(role) => self.roles.contains(&role),
            }
    }

    /// What they do to a session, and by which they take part in it.
    pub(super) fn event(&self, kind: &'static str, session: &SessionId, effect: &str) -> Inbound {
        let (session, by, effect) =
            (Some(session.clone()), Some((self.user, self.name.clone())), effect.to_owned());
        Inbound { id: self.interaction.0, kind, session, by, effect }
    }
}

impl Sessions {
    /// Pauses a running session. Calls under way are finished and kept; no new one is made.
    pub async fn pause(&self, row: &SessionRow, actor: &Actor) -> anyhow::Result<String> {
        actor.may_steer(row)?;
        let under_way = row.protocol.words().under_way;
        let said = &format!("Paused. {under_way}; nothing new starts until somebody presses Resume.");
        let now = self.now_ms();
        let until = now + i64::try_from(PAUSE_LASTS.as_millis()).unwrap_or(i64::MAX);
        let notice = format!("Paused by {}.", actor.name);
        let over_starter = actor.moderator && actor.user != row.starter;
        let kind = if over_starter { PAUSED_BY_MODERATOR } else { "pause" };
        let event = Some(actor.event(kind, &row.id, said));
        let paused = self
            .0
            .world
            .store
            .pause_session(&row.id, Pause::Asked, event, notice, Vec::new(), (now, until))
            .await;
        self.redraw(&row.id);
        self.applied(row, paused, said).await
    }

    /// Lets a paused session go on. Anybody may, but for what a moderator paused, and unless the budget that stopped it has
    /// too little left even now: then nothing is done.
    pub async fn resume(&self, row: &SessionRow, actor: &Actor) -> anyhow::Result<String> {
        if row.state == SessionState::Paused
            && !actor.moderator
            && self.0.world.store.paused_by_moderator(&row.id).await?
        {
            return UserError::of(
                "A moderator paused this session, and only a moderator can let it go on. Ask one of them.",
            );
        }
        if row.state == SessionState::Paused {
            self.has_budget_again(row).await?;
        }
        let said = "Resumed. It goes on from where it stopped.";
        let event = actor.event("resume", &row.id, said);
        let (store, most) = (&self.0.world.store, self.0.settings.most_open);
        let resumed = store.resume_session(&row.id, event, actor.user, most, self.now_ms()).await;
        if resumed.is_ok() {
            self.0.world.llm.money_is_back();
            self.spawn(&row.id);
            self.redraw(&row.id);
        }
        self.applied(row, resumed, said).await
    }

    async fn has_budget_again(&self, row: &SessionRow) -> anyhow::Result<()> {
        let plan = self.store().plan(&row.id).await?;
        let budgets = self.scope(row, &plan, &[]).await?.budgets;
        match self.store().still_short(&row.id, &budgets, self.now_ms()).await? {
            None => Ok(()),
            Some(refusal) => {
                let anew = match refusal.scope {
                    AccountScope::Member | AccountScope::Guild | AccountScope::Bot => {
                        let hours = (DAY_MS - self.now_ms().rem_euclid(DAY_MS)) / HOUR_MS + 1;
                        format!(" The next day begins within {hours} h.")
                    }
                    AccountScope::Session | AccountScope::Month | AccountScope::BotMonth => String::new(),
                };
                UserError::of(format!("Nothing has changed yet. {}{anew}", budget_sentence(refusal)))
            }
        }
    }

    /// Whether somebody may end a session, and it can be ended; asked before they are asked whether they are
    /// sure.
    pub fn may_cancel(&self, row: &SessionRow, actor: &Actor) -> anyhow::Result<()> {
        actor.may_steer(row)?;
        if row.state.is_final() {
            return over(row.state.as_str());
        }
        Ok(())
    }

    /// Ends a live session. Calls under way are aborted, and what is not posted yet is dropped.
    pub async fn cancel(&self, row: &SessionRow, actor: &Actor) -> anyhow::Result<String> {
        actor.may_steer(row)?;
        let said = "Cancelled. What was posted stays; nothing more is spent.";
        let now = self.now_ms();
        let notice = format!("Cancelled by {}.", actor.name);
        let posts = thread_posts(
            &row.id,
            &notice_key("cancelled", now),
            None,
            vec![render::notices::cancelled(&actor.name)],
        );
        let cancelled = self
            .0
            .world
            .store
            .cancel_session(&row.id, actor.event("cancel", &row.id, said), notice, posts, now)
            .await;
        if cancelled.is_ok() {
            if let Some(run) = self.runs().get(&row.id) {
                run.cancel.cancel();
            }
            self.0.outbox.kick(&row.id);
            self.kick_panels(&row.id).await;
            self.redraw(&row.id);
        }
        self.applied(row, cancelled, said).await
    }

    /// Tries the failed part of a failed session again.
    pub async fn retry(&self, row: &SessionRow, actor: &Actor) -> anyhow::Result<String> {
        actor.may_steer(row)?;
        let said = "Trying again. Every step that had succeeded is kept.";
        let (event, most) = (actor.event("retry", &row.id, said), self.0.settings.most_open);
        let retried = self.0.world.store.retry_session(&row.id, event, most, self.now_ms()).await;
        if retried.is_ok() {
            self.0.world.llm.money_is_back();
            self.spawn(&row.id);
        }
        match retried {
            Err(StoreError::NotRunning(state)) => self.post_again(row, actor, &state).await,
            other => {
                self.kick_panels(&row.id).await;
                self.applied(row, other, said).await
            }
        }
    }

    /// Posts what Discord would not take of a session that has not failed, such as the result of its vote.
    async fn post_again(&self, row: &SessionRow, actor: &Actor, state: &str) -> anyhow::Result<String> {
        let said = "Nothing had failed here, but Discord had refused some of its posts. They are posted now.";
        let event = actor.event("post again", &row.id, said);
        match self.0.world.store.post_again(&row.id, event, self.now_ms()).await {
            Err(StoreError::NotRunning(_)) if state == SessionState::Waiting.as_str() => {
                self.waits(row).await
            }
            Err(StoreError::NotRunning(_)) => {
                UserError::of(format!("This session is {state}; only one that failed can be tried again."))
            }
            posted => {
                self.0.outbox.kick(&row.id);
                self.kick_panels(&row.id).await;
                self.redraw(&row.id);
                self.applied(row, posted, said).await
            }
        }
    }

    /// Has everything drawn again that does not show what is so.
    pub(super) async fn kick_panels(&self, id: &SessionId) {
        match self.0.world.store.stale_panels().await {
            Ok(stale) => {
                let own = stale.iter().filter(|(session, _)| session == id);
                own.for_each(|(session, key)| self.0.panels.kick(session, key));
            }
            Err(error) => tracing::error!(session = %id, %error, "stale panels could not be read"),
        }
    }

    /// Takes a member's note into a live session; it is read from the next step on.
    pub async fn add_context(&self, row: &SessionRow, actor: &Actor, text: &str) -> anyhow::Result<String> {
        takes_context(row)?;
        let text = text.trim();
        if text.is_empty() {
            return UserError::of("The note is empty. Write what the panel should know.");
        }
        fits("note", text, NOTE)?;
        let said = "Noted. It is read from the next step on, quoted as yours.";
        let note = ContextNote { author: actor.user, author_name: actor.name.clone(), text: text.to_owned() };
        let event = actor.event("note", &row.id, said);
        let added = self.0.world.store.add_note(&row.id, event, note, self.now_ms()).await;
        self.kick_panels(&row.id).await;
        self.applied(row, added, said).await
    }

    /// Ends a session that Discord takes no posts for.
    pub(super) async fn give_up(&self, id: &SessionId, sentence: String) -> Result<(), StoreError> {
        const LIVE: &[SessionState] = &[SessionState::Running, SessionState::Paused, SessionState::Waiting];
        let store = &self.0.world.store;
        let moved = store
            .move_session(id, LIVE, SessionState::Failed, Some(sentence), Vec::new(), self.now_ms())
            .await;
        if matches!(moved, Err(StoreError::NotRunning(_))) {
            return Ok(());
        }
        // Only now: the card's last drawing, when the run ends, has to show the new state.
        if let Some(run) = self.runs().get(id) {
            run.cancel.cancel();
        }
        self.kick_panels(id).await;
        self.redraw(id);
        moved
    }

    /// Keeps the deadline of what a session waits for at once, if it has passed.
    pub(super) async fn keep_wait(&self, id: &SessionId) -> Result<(), StoreError> {
        let now = self.now_ms();
        match self.0.world.store.waits_for(id).await?.filter(|wait| wait.deadline_ms <= now) {
            Some(wait) if self.0.world.is_past(now).await => self.expire(&wait).await,
            _ => Ok(()),
        }
    }

    /// Ends a session that waited for people in vain.
    pub(super) async fn expire(&self, wait: &WaitRow) -> Result<(), StoreError> {
        if WaitKind::parse(&wait.kind) == Some(WaitKind::Team) {
            return self.go_on_without(wait).await;
        }
        let (notice, card) = match WaitKind::parse(&wait.kind) {
            None => (
                "Nobody resumed it within seven days, so it was ended. What was posted stays.".to_owned(),
                render::notices::expired(),
            ),
            Some(kind) => {
                let button = kind.terms().button;
                let notice =
                    format!("Nobody pressed {button} within a day, so it was ended. Nothing more was spent.");
                (notice, render::notices::unconfirmed(button))
            }
        };
        let now = self.now_ms();
        let posts = thread_posts(&wait.session, &notice_key("expired", now), None, vec![card]);
        match self.0.world.store.expire_wait(wait, notice, posts, now).await {
            Err(StoreError::NotRunning(_)) => Ok(()),
            Ok(()) => {
                self.0.outbox.kick(&wait.session);
                self.0.panels.kick(&wait.session, &wait.key);
                self.redraw(&wait.session);
                Ok(())
            }
            other => other,
        }
    }

    /// Lets an investigation go on that has asked the team in vain.
    async fn go_on_without(&self, wait: &WaitRow) -> Result<(), StoreError> {
        match self.0.world.store.lapse_wait(wait, self.0.settings.most_open, self.now_ms()).await {
            // Too many run just now, or somebody was faster.
            Err(StoreError::NotRunning(_) | StoreError::Quota(_)) => Ok(()),
            Ok(()) => {
                self.spawn(&wait.session);
                self.0.panels.kick(&wait.session, &wait.key);
                self.redraw(&wait.session);
                Ok(())
            }
            other => other,
        }
    }

    /// What is said when it was applied, now or before, or could not be.
    async fn applied(
        &self,
        row: &SessionRow,
        outcome: Result<(), StoreError>,
        said: &str,
    ) -> anyhow::Result<String> {
        match outcome {
            Ok(()) => Ok(said.to_owned()),
            Err(StoreError::Duplicate(said)) => Ok(said),
            Err(StoreError::NotRunning(state)) => match state.as_str() {
                "paused" => UserError::of("This session is paused already. Press Resume to let it go on."),
                "running" => UserError::of("This session is running already."),
                "waiting" => self.waits(row).await,
                ended => over(ended),
            },
            Err(other) => Err(told(other)),
        }
    }

    /// Why a session that waits for people can be neither paused nor resumed nor tried again.
    async fn waits<T>(&self, row: &SessionRow) -> anyhow::Result<T> {
        let wait = self.0.world.store.waits_for(&row.id).await?;
        let Some(kind) = wait.and_then(|wait| WaitKind::parse(&wait.kind)) else {
            return UserError::of("This session has just gone on. Try again.");
        };
        let terms = kind.terms();
        let edit = terms.edit.as_ref();
        let edit =
            edit.map(|edit| format!("**{}** changes {}, ", edit.button, edit.what)).unwrap_or_default();
        UserError::of(format!(
            "This session waits for somebody to press **{}** under {} in its thread. Until then nothing runs and nothing is spent; {edit}**Cancel** ends the session.",
            terms.button, terms.under
        ))
    }
}

pub(super) fn over<T>(state: &str) -> anyhow::Result<T> {
    UserError::of(format!("This session is over ({state}). Start the command again for a new one."))
}
