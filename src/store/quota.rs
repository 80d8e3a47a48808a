//! How much may be open at once, and how much one member may bring to one session: so that nobody fills a server, a
//! thread, the prompts or a budget alone. Each is counted in the transaction that would exceed it.

use sqlx::SqliteConnection;
use thiserror::Error;

use super::StoreError;
use crate::domain::{GuildId, OpenSessions, SessionId, UserId};

const HOUR_MS: i64 = 60 * 60 * 1000;

/// What would be too much; the sentence is for whoever did it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Quota {
    /// Of sessions that run on a server.
    #[error(
        "{0} sessions are already open on this server, which is as many as may be open at once. Wait for one to end, or cancel one."
    )]
    Server(u32),
    /// Of a member's sessions that have not ended.
    #[error(
        "{0} sessions that you started here have not ended yet, which is as many as one member may have. Let one of them begin or end, or cancel one; `/history` finds them."
    )]
    Member(u32),
    /// Of what a member brings to a session.
    #[error("{}", .0.sentence())]
    Brought(Brought),
}

/// What members bring to a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Brought {
    /// Notes for the next step.
    Notes,
    /// Evidence for the sides of a debate or on an open question.
    Evidence,
    /// What the moderator is to make clear.
    Clarifications,
    /// Questions to the session: each is answered by a model, so they are counted by the hour.
    Questions,
}

impl Brought {
    /// Most of it from one member.
    fn most(self) -> i64 {
        match self {
            Self::Notes | Self::Questions => 20,
            Self::Evidence => 30,
            Self::Clarifications => 10,
        }
    }

    fn count(self) -> &'static str {
        match self {
            Self::Notes => {
                "SELECT count(*) FROM note WHERE session_id = ?1 AND author_id = ?2 AND at_ms >= ?3"
            }
            Self::Evidence => {
                "SELECT count(*) FROM evidence WHERE session_id = ?1 AND author_id = ?2 AND at_ms >= ?3"
            }
            Self::Clarifications => {
                "SELECT count(*) FROM clarification WHERE session_id = ?1 AND author_id = ?2 AND at_ms >= ?3"
            }
            Self::Questions => {
                "SELECT count(*) FROM question WHERE session_id = ?1 AND author_id = ?2 AND at_ms >= ?3"
            }
        }
    }

    /// Since when it is counted.
    fn since(self, now_ms: i64) -> i64 {
        if self == Self::Questions { now_ms - HOUR_MS } else { 0 }
    }

    fn sentence(self) -> String {
        let most = self.most();
        match self {
            Self::Notes => format!(
                "You have added {most} notes to this session, which is as many as one member may. Nothing was added; a colleague still can."
            ),
            Self::Evidence => format!(
                "You have brought {most} pieces of evidence to this session, which is as many as one member may. Nothing was added; a colleague still can."
            ),
            Self::Clarifications => format!(
                "You have asked for clarification {most} times in this debate, which is as often as one member may. Nothing was added; `/ask` is still open to you."
            ),
            Self::Questions => format!(
                "You have asked this session {most} questions within an hour, which is as many as one member may. Ask again later; nothing was asked."
            ),
        }
    }
}

/// Refuses a new session where too many are open. Those that wait for people cost nothing and keep nobody out, so
/// they count for their member alone.
pub(super) async fn open(
    tx: &mut SqliteConnection,
    guild: GuildId,
    member: UserId,
    most: OpenSessions,
) -> Result<(), StoreError> {
    let (of_server, of_member): (i64, i64) =
        sqlx::query_as(OPEN).bind(guild.as_i64()).bind(member.as_i64()).fetch_one(tx).await?;
    if of_member >= i64::from(most.of_member) {
        return Err(Quota::Member(most.of_member).into());
    }
    if of_server >= i64::from(most.of_server) {
        return Err(Quota::Server(most.of_server).into());
    }
    Ok(())
}

const OPEN: &str =
    "SELECT count(*) FILTER (WHERE state <> 'waiting'), count(*) FILTER (WHERE starter_id = ?2)
    FROM session WHERE guild_id = ?1 AND state IN ('running', 'paused', 'waiting')";

/// Refuses what would be too much of one member's in one session.
pub(super) async fn bring(
    tx: &mut SqliteConnection,
    what: Brought,
    session: &SessionId,
    member: UserId,
    now_ms: i64,
) -> Result<(), StoreError> {
    let brought: i64 = sqlx::query_scalar(what.count())
        .bind(session.as_str())
        .bind(member.as_i64())
        .bind(what.since(now_ms))
        .fetch_one(tx)
        .await?;
    if brought < what.most() { Ok(()) } else { Err(Quota::Brought(what).into()) }
}

impl super::Store {
    /// Refuses a member on whose server, or of whom, too many sessions are open: asked before anything is done for a
    /// new one. The transaction that starts it asks again.
    pub async fn may_open(
        &self,
        guild: GuildId,
        member: UserId,
        most: OpenSessions,
    ) -> Result<(), StoreError> {
        open(&mut *self.readers.acquire().await?, guild, member, most).await
    }
}
