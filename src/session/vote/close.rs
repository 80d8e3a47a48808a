//! The end of a vote: by somebody, by its deadline, or because everyone has voted; then its count. And the reminder
//! before.

use super::{applied, refused};
use crate::{
    render,
    session::{Actor, Sessions},
    steps::thread_posts,
    store::{Closing, SessionRow, StoreError, VoteRefusal},
};
use domain::{Post, SessionId, StepKey, VoteKind, VoteState, by_points};

/// What not everybody may do here.
const CLOSE: &str = "close this vote";

impl Sessions {
    /// Whether somebody may close a vote, and it can be closed; gives the question whether they are sure.
    pub async fn may_close(&self, row: &SessionRow, actor: &Actor, key: &StepKey) -> anyhow::Result<Post> {
        self.may_decide(row, actor, CLOSE).await?;
        let vote = self.vote(&row.id, key).await?.vote;
        if vote.state != VoteState::Open {
            return refused(VoteRefusal::Over);
        }
        Ok(render::vote::confirm_close(&row.id, &vote))
    }

    /// Closes a vote at somebody's wish and counts it.
    pub async fn close_vote(&self, row: &SessionRow, actor: &Actor, key: &StepKey) -> anyhow::Result<String> {
        self.may_decide(row, actor, CLOSE).await?;
        let said = match self.vote(&row.id, key).await?.vote.kind {
            VoteKind::Points => "The vote is closed. The result is in the thread.",
            VoteKind::Opinion => "Closed. How opinions moved is in the thread.",
        };
        let event = actor.event("close vote", &row.id, said);
        let closing = Closing::Person { event, by: actor.user, by_name: actor.name.clone() };
        let closed = self.0.world.store.close_vote(&row.id, key, closing, self.now_ms()).await;
        if closed.is_ok() {
            self.0.panels.kick(&row.id, key.as_str());
            self.count_soon(&row.id, key);
        }
        applied(closed.map(|_| said.to_owned()))
    }

    /// Keeps what is due of all votes: deadlines, counts that a crash cut off, reminders.
    pub(in crate::session) async fn keep_votes(&self, now: i64) {
        if let Err(error) = self.close_overdue(now).await {
            tracing::error!(%error, "overdue votes could not be read");
        }
        match self.0.world.store.uncounted_votes().await {
            Ok(closed) => closed.iter().for_each(|(session, key)| self.count_soon(session, key)),
            Err(error) => tracing::error!(%error, "closed votes could not be read"),
        }
        match self.0.world.store.votes_to_remind(now).await {
            Ok(due) => {
                for (session, key) in due {
                    if let Err(error) = self.remind(&session, &key).await {
                        self.note_unreadable(&session, &error);
                        tracing::error!(%session, %key, %error, "a vote's reminder could not be posted");
                    }
                }
            }
            Err(error) => tracing::error!(%error, "votes to remind of could not be read"),
        }
    }

    async fn close_overdue(&self, now: i64) -> Result<(), StoreError> {
        let overdue = self.0.world.store.overdue_votes(now).await?;
        if overdue.is_empty() || !self.0.world.is_past(now).await {
            return Ok(());
        }
        for (session, key) in overdue {
            match self.0.world.store.close_vote(&session, &key, Closing::Deadline, now).await {
                Ok(_) => self.0.panels.kick(&session, key.as_str()),
                Err(error) => {
                    self.note_unreadable(&session, &error);
                    tracing::error!(%session, %key, %error, "a vote's deadline could not be kept");
                }
            }
        }
        Ok(())
    }

    /// Counts a closed vote in a task of its own. What goes wrong is tried again by the watcher of deadlines, and
    /// nothing is counted twice.
    pub(super) fn count_soon(&self, session: &SessionId, key: &StepKey) {
        let (sessions, session, key) = (self.clone(), session.clone(), key.clone());
        tokio::spawn(async move {
            if let Err(error) = sessions.count(&session, &key).await {
                sessions.note_unreadable(&session, &error);
                tracing::error!(%session, %key, %error, "a vote could not be counted");
            }
        });
    }

    async fn count(&self, session: &SessionId, key: &StepKey) -> Result<(), StoreError> {
        let Some(row) = self.0.world.store.vote(session, key).await? else { return Ok(()) };
        if row.counted || row.vote.state == VoteState::Open {
            return Ok(());
        }
        let post = StepKey::new(format!("{key}/result"));
        let result = thread_posts(session, &post, None, render::vote::result(session, &row.vote));
        let moved = (by_points(&row.vote), self.now_ms());
        if self.0.world.store.count_vote(session, key, result, moved).await? {
            self.0.outbox.kick(session);
            self.0.panels.kick(session, key.as_str());
            self.redraw(session);
        }
        Ok(())
    }

    async fn remind(&self, session: &SessionId, key: &StepKey) -> Result<(), StoreError> {
        let Some(row) = self.0.world.store.vote(session, key).await? else { return Ok(()) };
        let post = StepKey::new(format!("{key}/reminder"));
        let reminder = thread_posts(session, &post, None, vec![render::vote::reminder(session, &row.vote)]);
        if self.0.world.store.remind_vote(session, key, reminder, self.now_ms()).await? {
            self.0.outbox.kick(session);
        }
        Ok(())
    }
}
