//! The end of a vote: by somebody, by its deadline, or because everyone has voted; then its count. And the reminder
//! before.

use super::{PANEL, applied, refused};
use crate::{
    domain::{Post, SessionId, StepKey, VoteState},
    render,
    session::{Actor, Sessions},
    steps::{now_ms, thread_posts},
    store::{Closing, SessionRow, StoreError, VoteRefusal},
};

impl Sessions {
    /// Whether somebody may close a session's vote, and it can be closed; gives the question whether they are sure.
    pub async fn may_close(&self, row: &SessionRow, actor: &Actor) -> anyhow::Result<Post> {
        self.may_decide(row, actor, "close this vote").await?;
        let vote = self.vote(&row.id).await?;
        if vote.vote.state != VoteState::Open {
            return refused(VoteRefusal::Over);
        }
        Ok(render::vote::confirm_close(&row.id, &vote.vote))
    }

    /// Closes a session's vote at somebody's wish and counts it.
    pub async fn close_vote(&self, row: &SessionRow, actor: &Actor) -> anyhow::Result<String> {
        self.may_decide(row, actor, "close this vote").await?;
        let said = "The vote is closed. The result is in the thread.";
        let event = actor.event("close vote", &row.id, said);
        let closing = Closing::Person { event, by: actor.user, by_name: actor.name.clone() };
        let closed = self.0.world.store.close_vote(&row.id, closing, now_ms()).await;
        if closed.is_ok() {
            self.0.panels.kick(&row.id, PANEL);
            self.count_soon(&row.id);
        }
        applied(closed.map(|_| ()), said.to_owned())
    }

    /// Keeps what is due of all votes: deadlines, counts that a crash cut off, reminders.
    pub(in crate::session) async fn keep_votes(&self, now: i64) {
        if let Err(error) = self.close_overdue(now).await {
            tracing::error!(%error, "overdue votes could not be read");
        }
        match self.0.world.store.uncounted_votes().await {
            Ok(closed) => closed.iter().for_each(|session| self.count_soon(session)),
            Err(error) => tracing::error!(%error, "closed votes could not be read"),
        }
        match self.0.world.store.votes_to_remind(now).await {
            Ok(due) => {
                for session in due {
                    if let Err(error) = self.remind(&session).await {
                        tracing::error!(%session, %error, "a vote's reminder could not be posted");
                    }
                }
            }
            Err(error) => tracing::error!(%error, "votes to remind of could not be read"),
        }
    }

    async fn close_overdue(&self, now: i64) -> Result<(), StoreError> {
        for session in self.0.world.store.overdue_votes(now).await? {
            match self.0.world.store.close_vote(&session, Closing::Deadline, now).await {
                Ok(_) => self.0.panels.kick(&session, PANEL),
                Err(error) => tracing::error!(%session, %error, "a vote's deadline could not be kept"),
            }
        }
        Ok(())
    }

    /// Counts a closed vote in a task of its own. What goes wrong is tried again by the watcher of deadlines, and
    /// nothing is counted twice.
    pub(super) fn count_soon(&self, session: &SessionId) {
        let (sessions, session) = (self.clone(), session.clone());
        tokio::spawn(async move {
            if let Err(error) = sessions.count(&session).await {
                tracing::error!(%session, %error, "a vote could not be counted");
            }
        });
    }

    async fn count(&self, session: &SessionId) -> Result<(), StoreError> {
        let Some(row) = self.0.world.store.vote(session).await? else { return Ok(()) };
        if row.counted || row.vote.state == VoteState::Open {
            return Ok(());
        }
        let key = StepKey::from("vote/result");
        let result = thread_posts(session, &key, None, render::vote::result(session, &row.vote));
        if self.0.world.store.count_vote(session, result).await? {
            self.0.outbox.kick(session);
            self.0.panels.kick(session, PANEL);
        }
        Ok(())
    }

    async fn remind(&self, session: &SessionId) -> Result<(), StoreError> {
        let Some(row) = self.0.world.store.vote(session).await? else { return Ok(()) };
        let key = StepKey::from("vote/reminder");
        let reminder = thread_posts(session, &key, None, vec![render::vote::reminder(session, &row.vote)]);
        if self.0.world.store.remind_vote(session, reminder, now_ms()).await? {
            self.0.outbox.kick(session);
        }
        Ok(())
    }
}
