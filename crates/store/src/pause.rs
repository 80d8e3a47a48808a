//! What stops a session at somebody's wish: pauses, each a wait for whoever resumes it, and the end.

use sqlx::{SqliteConnection, types::Json};

use super::{
    AccountScope, BudgetRefusal, Inbound, NewPost, Short, Store, StoreError, account, inbound, outbox, quota,
    session::transition, vote_end, wait, writer::Haste,
};
use crate::statement::{sql, sql_as, sql_scalar};
use domain::{Budgets, GuildId, OpenSessions, SessionId, SessionState, UserId};

/// What a pause by somebody who may do more than whoever started the session is recorded as.
pub const PAUSED_BY_MODERATOR: &str = "pause by a moderator";

/// Why a session is paused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pause {
    /// Somebody wished it, or has to do something outside before it can go on.
    Asked,
    /// A call did not fit a budget.
    Short(Short),
}

impl Pause {
    /// The kind of its wait.
    fn kind(self) -> &'static str {
        match self {
            // People can add to a session's own.
            Self::Short(Short { scope: AccountScope::Session, .. }) => wait::SPENT,
            Self::Asked | Self::Short(_) => wait::PAUSE,
        }
    }

    fn short(self) -> Option<Short> {
        if let Self::Short(short) = self { Some(short) } else { None }
    }
}

impl Store {
    /// Whether what paused a session still holds by these budgets; `None`: it may go on, as far as budgets are concerned.
    pub async fn still_short(
        &self,
        id: &SessionId,
        budgets: &Budgets,
        at_ms: i64,
    ) -> Result<Option<BudgetRefusal>, StoreError> {
        let reader = &mut *self.readers.one().await;
        let Some((guild, starter, Json(short))) = short_of(reader, id).await? else { return Ok(None) };
        let (of, now) = ((id, guild, starter), (budgets, self.whole_bot()));
        let what = account::still_short(reader, of, short, now, at_ms).await?;
        Ok(what.map(|what| BudgetRefusal { scope: short.scope, what }))
    }

    /// Whether the last that people did about a session's pausing was that a moderator paused it.
    pub async fn paused_by_moderator(&self, id: &SessionId) -> Result<bool, StoreError> {
        let last: Option<String> = sql_scalar!(
            "SELECT kind FROM inbound WHERE session_id = ?1 AND kind IN ('pause', 'resume', ?2)
             ORDER BY at_ms DESC, id DESC LIMIT 1",
            (id.as_str(), PAUSED_BY_MODERATOR)
        )
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
                sql!(
                    "INSERT INTO wait (session_id, key, kind, deadline_ms, short)
                     VALUES (?1, 'pause-' || (SELECT count(*) + 1 FROM wait WHERE session_id = ?1), ?2, ?3, ?4)",
                    (id.as_str(), why.kind(), deadline_ms, why.short().map(Json))
                )
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
                sql!(
                    "UPDATE outbox SET state = 'dead', problem = 'cancelled'
                     WHERE session_id = ?1 AND state = 'pending' AND target = 'thread' AND first_try_ms IS NULL
                       AND post_key NOT LIKE 'card/%'",
                    id.as_str()
                )
                .execute(&mut *tx)
                .await?;
                vote_end::take_back_unseen(tx, &id).await?;
                outbox::insert(tx, &id, &posts).await
            })
        })
        .await
    }
}

/// The call that did not fit, if the pause that is open came of one, and the session's server and starter.
async fn short_of(
    tx: &mut SqliteConnection,
    id: &SessionId,
) -> Result<Option<(GuildId, UserId, Json<Short>)>, StoreError> {
    let short = sql_as!(
        "SELECT s.guild_id, s.starter_id, w.short FROM wait w JOIN session s ON s.id = w.session_id
         WHERE w.session_id = ?1 AND w.value IS NULL AND w.short IS NOT NULL",
        id
    );
    Ok(short.fetch_optional(tx).await?)
}
