//! What stops a session at somebody's wish: pauses, each a wait for whoever resumes it, and the end.

use super::{
    Inbound, NewPost, Store, StoreError, inbound, outbox, quota, session::transition, vote_end, wait,
    writer::Haste,
};
use domain::{OpenSessions, SessionId, SessionState, UserId};

/// What a pause by somebody who may do more than whoever started the session is recorded as.
pub const PAUSED_BY_MODERATOR: &str = "pause by a moderator";

/// Why a session is paused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pause {
    /// Somebody wished it, or has to do something outside before it can go on.
    Asked,
    /// Its own budget is used up.
    Spent,
}

impl Pause {
    /// The kind of its wait.
    fn kind(self) -> &'static str {
        match self {
            Self::Asked => wait::PAUSE,
            Self::Spent => wait::SPENT,
        }
    }
}

impl Store {
    /// Whether the last that people did about a session's pausing was that a moderator paused it.
    pub async fn paused_by_moderator(&self, id: &SessionId) -> Result<bool, StoreError> {
        let last: Option<String> = sqlx::query_scalar(
            "SELECT kind FROM inbound WHERE session_id = ?1 AND kind IN ('pause', 'resume', ?2)
             ORDER BY at_ms DESC, id DESC LIMIT 1",
        )
        .bind(id.as_str())
        .bind(PAUSED_BY_MODERATOR)
        .fetch_optional(&self.readers)
        .await?;
        Ok(last.is_some_and(|kind| kind == PAUSED_BY_MODERATOR))
    }

    /// Pauses a running session: opens a wait for somebody to resume it. `event` is what asked for it, if a
    /// person did.
    pub async fn pause_session(
        &self,
        id: &SessionId,
        why: Pause,
        event: Option<Inbound>,
        notice: String,
        posts: Vec<NewPost>,
        times_ms: (i64, i64),
    ) -> Result<(), StoreError> {
        let id = id.clone();
        let (at_ms, deadline_ms) = times_ms;
        let haste = if event.is_some() { Haste::Person } else { Haste::Now };
        self.write_in(haste, move |tx| {
            Box::pin(async move {
                if let Some(event) = event {
                    inbound::record(tx, &event, at_ms).await?;
                }
                transition(tx, &id, &[SessionState::Running], SessionState::Paused, Some(notice), at_ms)
                    .await?;
                sqlx::query(
                    "INSERT INTO wait (session_id, key, kind, deadline_ms)
                     VALUES (?1, 'pause-' || (SELECT count(*) + 1 FROM wait WHERE session_id = ?1), ?2, ?3)",
                )
                .bind(id.as_str())
                .bind(why.kind())
                .bind(deadline_ms)
                .execute(&mut *tx)
                .await?;
                outbox::insert(tx, &id, &posts).await
            })
        })
        .await
    }

    /// Lets a paused session go on at somebody's wish, unless too many run.
    pub async fn resume_session(
        &self,
        id: &SessionId,
        event: Inbound,
        by: UserId,
        most: OpenSessions,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let id = id.clone();
        self.write_soon(move |tx| {
            Box::pin(async move {
                inbound::record(tx, &event, at_ms).await?;
                transition(tx, &id, &[SessionState::Paused], SessionState::Running, None, at_ms).await?;
                quota::go_on(tx, &id, most).await?;
                wait::close_all(tx, &id, SessionState::Running, Some(by)).await
            })
        })
        .await
    }

    /// Ends a live session at somebody's wish: what it has not posted yet is dropped, then the notice goes out.
    pub async fn cancel_session(
        &self,
        id: &SessionId,
        event: Inbound,
        notice: String,
        posts: Vec<NewPost>,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let id = id.clone();
        self.write_soon(move |tx| {
            Box::pin(async move {
                const LIVE: [SessionState; 3] = [SessionState::Running, SessionState::Paused, SessionState::Waiting];
                inbound::record(tx, &event, at_ms).await?;
                transition(tx, &id, &LIVE, SessionState::Cancelled, Some(notice), at_ms).await?;
                wait::close_all(tx, &id, SessionState::Cancelled, None).await?;
                sqlx::query(
                    "UPDATE outbox SET state = 'dead', problem = 'cancelled'
                     WHERE session_id = ?1 AND state = 'pending' AND target = 'thread' AND first_try_ms IS NULL
                       AND post_key NOT LIKE 'card/%'",
                )
                .bind(id.as_str())
                .execute(&mut *tx)
                .await?;
                vote_end::take_back_unseen(tx, &id).await?;
                outbox::insert(tx, &id, &posts).await
            })
        })
        .await
    }
}
