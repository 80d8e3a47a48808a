//! How much may run and be open at once, and how much one member may bring to one session: so that nobody fills a server,
//! a thread, the prompts or a budget alone. Each is counted in the transaction that would exceed it.

use sqlx::SqliteConnection;
use thiserror::Error;

use super::{Brought, Space, StoreError, row::columns, space};
use crate::statement::sql_scalar;
use domain::{ChannelId, GuildId, OpenSessions, SessionId, SessionState, UserId};

const HOUR_MS: i64 = 60 * 60 * 1000;

/// One reader's questions and audits may use one in so many parts of a session's budget.
const READERS_PART: i64 = 4;

/// How many times as many sessions as may be open at once may be started within an hour: those that end, or are cancelled at
/// once, leave rows and documents too.
const STARTS_AN_HOUR: i64 = 4;

/// Most of a member's sessions that are named to them.
const NAMED: usize = 10;

/// What would be too much; the sentence is for whoever did it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Quota {
    /// Of sessions that run on a server, for one more.
    #[error(
        "As many sessions are running on this server as may at once ({0}). Wait for one to end or to be paused, or cancel one."
    )]
    Server(u32),
    /// Of sessions that were started within an hour, whatever became of them.
    #[error("{}", match whose {
        Starts::Member(most) => format!("You have started {most} sessions here within an hour, which is as many as one member may. Nothing was started; try again later."),
        Starts::Server(most) => format!("{most} sessions were started on this server within an hour, which is as many as may be. Nothing was started; try again later."),
    })]
    Starts {
        /// Whose, and how many may be.
        whose: Starts,
    },
    /// Of the disk, for a new session.
    #[error(
        "The disk of the machine I run on is nearly full, so no new session begins; those that are open go on. Nothing was started. Tell whoever runs me."
    )]
    Disk,
    /// Of a server's share of the disk, for a new session's document.
    #[error(
        "The documents of this server's sessions take as much of my disk as one server's may. Nothing was started. Delete old sessions with `/history`, start it without the document, or attach a shorter one."
    )]
    Documents,
    /// Of what all servers together may take of the disk, for the same.
    #[error(
        "All sessions together take as much of my disk as they may with documents. Nothing was started. Start it without the document, or attach a shorter one, and tell whoever runs me."
    )]
    AllDocuments,
    /// Of sessions that run on a server, for one that stands still and was to go on.
    #[error(
        "As many sessions are running on this server as may at once ({0}), so this one stands still as before. Nothing is lost: try again once one of them has ended, or pause one."
    )]
    Full(u32),
    /// Of a member's sessions that have not ended, which are these.
    #[error("{}", too_many_open(*.0, .1))]
    Member(u32, Vec<OpenSession>),
    /// Of reports that are put into one thread.
    #[error(
        "This session was exported {0} times, which is as often as may be; the reports are in its thread. Whoever runs me can write more with `quorum export`."
    )]
    Reports(i64),
    /// Of what a member brings to a session.
    #[error("{}", .0.sentence())]
    Brought(Brought),
    /// Of a session's budget, for the questions and audits of somebody who did not start it.
    #[error(
        "Your questions and audits have used a {READERS_PART}th of this session's budget, which is as much as one reader may: it is for all of you. No model was asked for this one; whoever started the session still can ask."
    )]
    Share,
}

/// Whose starts are too many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Starts {
    /// One member's, of so many.
    Member(i64),
    /// All of a server's.
    Server(i64),
}

/// A member's session that has not ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenSession {
    /// Its thread, once it is there.
    pub thread: Option<ChannelId>,
    /// What it does meanwhile.
    pub state: SessionState,
}

columns!(OpenSession: thread "thread_id", state "state");

/// `As many … have not ended yet … (3): <#1> and <#2> wait for …; <#3> is paused.`
fn too_many_open(most: u32, open: &[OpenSession]) -> String {
    let named = |state: SessionState, one: &str, more: &str| {
        let mut threads: Vec<String> = (open.iter().filter(|session| session.state == state))
            .map(|session| {
                session.thread.map_or("one without a thread yet".to_owned(), |id| format!("<#{id}>"))
            })
            .collect();
        let left_out = threads.len().saturating_sub(NAMED);
        threads.truncate(NAMED);
        threads.extend((left_out > 0).then(|| format!("{left_out} more")));
        let does = if threads.len() == 1 { one } else { more };
        let last = threads.pop()?;
        Some(if threads.is_empty() {
            format!("{last} {does}")
        } else {
            format!("{} and {last} {does}", threads.join(", "))
        })
    };
    let each = [
        named(
            SessionState::Waiting,
            "waits for somebody to press its button",
            "wait for somebody to press their buttons",
        ),
        named(SessionState::Paused, "is paused", "are paused"),
        named(SessionState::Running, "runs", "run"),
    ];
    let each: Vec<String> = each.into_iter().flatten().collect();
    format!(
        "As many sessions that you started here have not ended yet as one member may have ({most}): {}. Let one of them go on to its end, or cancel one.",
        each.join("; ")
    )
}

impl Brought {
    /// Most of it from one member.
    fn most(self) -> i64 {
        match self {
            Self::Notes | Self::Questions => 20,
            Self::Evidence => 30,
            Self::Clarifications => 10,
            // A press each, and of each finding the newest counts.
            Self::Triage => 500,
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
            Self::Triage => format!(
                "You have said something of findings of this session {most} times, which is as often as one member may. Nothing was changed."
            ),
        }
    }
}

/// Refuses a new session where too many are open. Those that wait for people or are paused cost nothing and keep nobody
/// out, so they count for their member alone.
pub(super) async fn open(
    tx: &mut SqliteConnection,
    (guild, member): (GuildId, UserId),
    most: OpenSessions,
    (space, document): (Option<Space>, usize),
    now_ms: i64,
) -> Result<(), StoreError> {
    space::holds(tx, guild, space, document).await?;
    let own = "SELECT thread_id, state FROM session
               WHERE guild_id = ?1 AND starter_id = ?2 AND state IN ('running', 'paused', 'waiting') ORDER BY started_ms";
    let own: Vec<OpenSession> =
        sqlx::query_as(own).bind(guild.as_i64()).bind(member.as_i64()).fetch_all(&mut *tx).await?;
    if own.len() >= most.of_member as usize {
        return Err(Quota::Member(most.of_member, own).into());
    }
    if running(tx, guild).await? >= i64::from(most.of_server) {
        return Err(Quota::Server(most.of_server).into());
    }
    let started = "SELECT count(*), count(*) FILTER (WHERE starter_id = ?2) FROM session
                   WHERE guild_id = ?1 AND started_ms > ?3";
    let started: (i64, i64) =
        sqlx::query_as(started).bind(guild).bind(member).bind(now_ms - HOUR_MS).fetch_one(tx).await?;
    let (of_server, of_member) = (i64::from(most.of_server), i64::from(most.of_member));
    let most_of = |open: i64| open * STARTS_AN_HOUR;
    if started.1 >= most_of(of_member) {
        return Err(Quota::Starts { whose: Starts::Member(most_of(of_member)) }.into());
    }
    if started.0 >= most_of(of_server) {
        return Err(Quota::Starts { whose: Starts::Server(most_of(of_server)) }.into());
    }
    Ok(())
}

/// Refuses to let a session go on, which was set running just now, where more would run than may.
pub(super) async fn go_on(
    tx: &mut SqliteConnection,
    id: &SessionId,
    most: OpenSessions,
) -> Result<(), StoreError> {
    let guild = sql_scalar!("SELECT guild_id FROM session WHERE id = ?1", id.as_str());
    let guild = GuildId::from_i64(guild.fetch_one(&mut *tx).await?);
    if running(tx, guild).await? > i64::from(most.of_server) {
        return Err(Quota::Full(most.of_server).into());
    }
    Ok(())
}

/// How many sessions of a server run.
async fn running(tx: &mut SqliteConnection, guild: GuildId) -> Result<i64, StoreError> {
    let running = "SELECT count(*) FROM session WHERE guild_id = ?1 AND state = 'running'";
    Ok(sqlx::query_scalar(running).bind(guild.as_i64()).fetch_one(tx).await?)
}

/// Refuses what would be too much of one member's in one session.
pub(super) async fn bring(
    tx: &mut SqliteConnection,
    what: Brought,
    session: &SessionId,
    member: UserId,
    now_ms: i64,
) -> Result<(), StoreError> {
    let brought = sql_scalar!(
        "SELECT count(*) FROM brought WHERE session_id = ?1 AND kind = ?2 AND author_id = ?3 AND at_ms >= ?4",
        (session, what.as_str(), member, what.since(now_ms))
    );
    let brought = brought;
    let brought: i64 = brought.fetch_one(tx).await?;
    if brought < what.most() { Ok(()) } else { Err(Quota::Brought(what).into()) }
}

/// What somebody else than its starter has used of a session's account with questions and audits, beside what it may use in
/// all. What is under way counts as it was reserved.
const READERS_USE: &str = "SELECT count(*) * ?3 >= account.calls_cap
            OR sum(coalesce(a.input_tokens + a.cached_tokens + a.output_tokens, a.reserved_tokens)) * ?3
               >= account.tokens_cap
            OR sum(coalesce(a.money, a.reserved_money)) * ?3 >= account.money_cap
     FROM attempt a JOIN session s ON s.id = a.session_id
     JOIN account ON account.scope = 'session' AND account.owner = s.id AND account.day = ''
     WHERE s.id = ?1 AND s.starter_id <> ?2 AND a.member_id = ?2 HAVING count(*) > 0";

/// Refuses a question or an audit, and each call for one, of a reader who has used their share of the session's budget.
pub(super) async fn share(
    tx: &mut SqliteConnection,
    session: &SessionId,
    reader: UserId,
) -> Result<(), StoreError> {
    let used_up: Option<bool> =
        sql_scalar!(READERS_USE, (session, reader, READERS_PART)).fetch_optional(tx).await?;
    if used_up.unwrap_or_default() { Err(Quota::Share.into()) } else { Ok(()) }
}

impl super::Store {
    /// Refuses a member on whose server, or of whom, too many sessions are open: asked before anything is done for a
    /// new one. The transaction that starts it asks again.
    pub async fn may_open(
        &self,
        guild: GuildId,
        member: UserId,
        most: OpenSessions,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        open(&mut *self.readers.one().await, (guild, member), most, (self.space(), 0), now_ms).await
    }
}
