//! Sessions: their row from start to end.

use serde_json::Value;
use sqlx::{Row, sqlite::SqliteRow};
use std::collections::BTreeMap;

use super::{Inbound, NewPost, Store, StoreError, inbound, outbox, wait};
use crate::domain::{
    ChannelId, GuildId, InteractionId, MessageId, PromptVersion, Protocol, SessionId, SessionState, UserId,
};

/// All that is fixed when a session starts.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// Its name.
    pub id: SessionId,
    /// The command's interaction: the same one starts a session once.
    pub interaction: InteractionId,
    /// Where.
    pub guild: GuildId,
    /// The channel in which the command was used.
    pub channel: ChannelId,
    /// Who.
    pub starter: UserId,
    /// The name they went by.
    pub starter_name: String,
    /// By which protocol.
    pub protocol: Protocol,
    /// The problem, short.
    pub title: String,
    /// The plan, as JSON.
    pub plan: Value,
    /// Which prompts.
    pub prompt_version: PromptVersion,
    /// Their texts.
    pub prompt_files: BTreeMap<String, String>,
    /// The live card, which opens the thread.
    pub card: NewPost,
    /// Most sessions that may be live on the server.
    pub most_live: i64,
}

/// A session as stored.
#[derive(Clone, Debug)]
pub struct SessionRow {
    /// Its name.
    pub id: SessionId,
    /// Where.
    pub guild: GuildId,
    /// The channel of the live card.
    pub channel: ChannelId,
    /// Who started it.
    pub starter: UserId,
    /// The name they went by.
    pub starter_name: String,
    /// By which protocol.
    pub protocol: Protocol,
    /// The problem, short.
    pub title: String,
    /// The plan, as JSON.
    pub plan: Value,
    /// Which prompts.
    pub prompt_version: PromptVersion,
    /// The live card's message.
    pub status_message: Option<MessageId>,
    /// The thread.
    pub thread: Option<ChannelId>,
    /// Its state.
    pub state: SessionState,
    /// Why it is paused, failed or parked.
    pub notice: Option<String>,
    /// The state the live card was last seen to show.
    pub card_state: Option<SessionState>,
    /// How often it went on after a restart.
    pub restarts: i64,
    /// When it started, milliseconds since 1970.
    pub started_ms: i64,
    /// When it ended.
    pub ended_ms: Option<i64>,
    /// Newest message of its thread that was looked at.
    pub last_seen: Option<MessageId>,
}

impl SessionRow {
    fn read(row: &SqliteRow) -> Result<Self, StoreError> {
        let corrupt = |what: &str| StoreError::Corrupt(what.to_owned());
        let state = |text: String| SessionState::parse(&text).ok_or_else(|| corrupt("session state"));
        let id: String = row.get("id");
        let plan: String = row.get("plan");
        Ok(Self {
            id: SessionId::parse(&id).ok_or_else(|| corrupt("session id"))?,
            guild: GuildId::from_i64(row.get("guild_id")),
            channel: ChannelId::from_i64(row.get("channel_id")),
            starter: UserId::from_i64(row.get("starter_id")),
            starter_name: row.get("starter_name"),
            protocol: protocol(row.get("protocol"))?,
            title: row.get("title"),
            plan: serde_json::from_str(&plan).map_err(|_| corrupt("plan"))?,
            prompt_version: PromptVersion(row.get("prompt_version")),
            status_message: row.get::<Option<i64>, _>("status_id").map(MessageId::from_i64),
            thread: row.get::<Option<i64>, _>("thread_id").map(ChannelId::from_i64),
            state: state(row.get("state"))?,
            notice: row.get("notice"),
            card_state: row.get::<Option<String>, _>("card_state").map(state).transpose()?,
            restarts: row.get("restarts"),
            started_ms: row.get("started_ms"),
            ended_ms: row.get("ended_ms"),
            last_seen: row.get::<Option<i64>, _>("last_seen_id").map(MessageId::from_i64),
        })
    }
}

impl Store {
    /// Writes a new session with its live card, once for each interaction.
    pub async fn start_session(&self, new: NewSession, at_ms: i64) -> Result<(), StoreError> {
        self.write(move |tx| {
            Box::pin(async move {
                let event = Inbound {
                    id: new.interaction.0,
                    kind: "start",
                    session: Some(new.id.clone()),
                    effect: new.id.to_string(),
                };
                inbound::record(tx, &event, at_ms).await?;
                let live: i64 = sqlx::query_scalar(
                    "SELECT count(*) FROM session WHERE guild_id = ?1 AND state IN ('running', 'paused', 'waiting')",
                )
                .bind(new.guild.as_i64())
                .fetch_one(&mut *tx)
                .await?;
                if live >= new.most_live {
                    return Err(StoreError::NotRunning(format!("not started: {live} are live")));
                }
                let files = serde_json::to_string(&new.prompt_files).map_err(|e| StoreError::Corrupt(e.to_string()))?;
                sqlx::query("INSERT INTO prompt_set (version, files) VALUES (?1, ?2) ON CONFLICT DO NOTHING")
                    .bind(&new.prompt_version.0)
                    .bind(files)
                    .execute(&mut *tx)
                    .await?;
                sqlx::query(
                    "INSERT INTO session (id, guild_id, channel_id, starter_id, starter_name, protocol, title, plan,
                                          prompt_version, state, started_ms)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'running', ?10)",
                )
                .bind(new.id.as_str())
                .bind(new.guild.as_i64())
                .bind(new.channel.as_i64())
                .bind(new.starter.as_i64())
                .bind(&new.starter_name)
                .bind(new.protocol.as_str())
                .bind(&new.title)
                .bind(new.plan.to_string())
                .bind(&new.prompt_version.0)
                .bind(at_ms)
                .execute(&mut *tx)
                .await?;
                outbox::insert(tx, &new.id, std::slice::from_ref(&new.card)).await
            })
        })
        .await
    }

    /// A session by its name.
    pub async fn session(&self, id: &SessionId) -> Result<SessionRow, StoreError> {
        let row = sqlx::query("SELECT * FROM session WHERE id = ?1")
            .bind(id.as_str())
            .fetch_optional(&self.readers)
            .await?;
        SessionRow::read(&row.ok_or(StoreError::Missing("session"))?)
    }

    /// The session whose thread this is.
    pub async fn session_of_thread(&self, thread: ChannelId) -> Result<Option<SessionRow>, StoreError> {
        let row = sqlx::query("SELECT * FROM session WHERE thread_id = ?1")
            .bind(thread.as_i64())
            .fetch_optional(&self.readers)
            .await?;
        row.as_ref().map(SessionRow::read).transpose()
    }

    /// Sessions in which something is left to do: live ones, those with unsent posts, unanswered questions or
    /// calls whose cost is not settled, and those whose card does not show their state.
    pub async fn unfinished_sessions(&self) -> Result<Vec<SessionRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM session s WHERE state IN ('running', 'paused', 'waiting') OR card_state IS NOT state
                OR EXISTS (SELECT 1 FROM outbox o WHERE o.session_id = s.id AND o.state = 'pending')
                OR EXISTS (SELECT 1 FROM question q WHERE q.session_id = s.id AND q.closed_ms IS NULL)
                OR EXISTS (SELECT 1 FROM evidence e
                           WHERE e.session_id = s.id AND e.hinge IS NOT NULL AND e.closed_ms IS NULL)
                OR EXISTS (SELECT 1 FROM attempt a WHERE a.session_id = s.id AND a.state = 'sent')
             ORDER BY started_ms",
        )
        .fetch_all(&self.readers)
        .await?;
        known(&rows)
    }

    /// The newest sessions started in a channel, newest first. A channel's own list is all that is ever shown:
    /// who sees the channel may see what was asked in it.
    pub async fn history(
        &self,
        guild: GuildId,
        channel: ChannelId,
        most: i64,
    ) -> Result<Vec<SessionRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM session WHERE guild_id = ?1 AND channel_id = ?2 ORDER BY started_ms DESC LIMIT ?3",
        )
        .bind(guild.as_i64())
        .bind(channel.as_i64())
        .bind(most)
        .fetch_all(&self.readers)
        .await?;
        known(&rows)
    }

    /// The prompt texts a session was started with.
    pub async fn prompt_files(
        &self,
        version: &PromptVersion,
    ) -> Result<BTreeMap<String, String>, StoreError> {
        let files: Option<String> = sqlx::query_scalar("SELECT files FROM prompt_set WHERE version = ?1")
            .bind(&version.0)
            .fetch_optional(&self.readers)
            .await?;
        serde_json::from_str(&files.ok_or(StoreError::Missing("prompt set"))?)
            .map_err(|error| StoreError::Corrupt(error.to_string()))
    }

    /// Moves a session from one of `from` to `to`, with a notice for people and posts that say so, in one
    /// transaction. Refused if it is in none of `from`.
    pub async fn move_session(
        &self,
        id: &SessionId,
        from: &'static [SessionState],
        to: SessionState,
        notice: Option<String>,
        posts: Vec<NewPost>,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let id = id.clone();
        self.write(move |tx| {
            Box::pin(async move {
                transition(tx, &id, from, to, notice, at_ms).await?;
                // Else the deadline of a pause that is over would end a later one.
                wait::close_all(tx, &id, to, None).await?;
                outbox::insert(tx, &id, &posts).await
            })
        })
        .await
    }

    /// Counts a restart that a session went on after.
    pub async fn count_restart(&self, id: &SessionId) -> Result<(), StoreError> {
        let id = id.clone();
        self.write(move |tx| {
            Box::pin(async move {
                sqlx::query("UPDATE session SET restarts = restarts + 1 WHERE id = ?1")
                    .bind(id.as_str())
                    .execute(tx)
                    .await?;
                Ok(())
            })
        })
        .await
    }

    /// Remembers which state the live card shows.
    pub async fn card_shows(&self, id: &SessionId, state: SessionState) -> Result<(), StoreError> {
        let id = id.clone();
        self.write(move |tx| {
            Box::pin(async move {
                sqlx::query("UPDATE session SET card_state = ?2 WHERE id = ?1")
                    .bind(id.as_str())
                    .bind(state.as_str())
                    .execute(tx)
                    .await?;
                Ok(())
            })
        })
        .await
    }

    /// Remembers the session's thread.
    pub async fn thread_opened(&self, id: &SessionId, thread: ChannelId) -> Result<(), StoreError> {
        let id = id.clone();
        self.write(move |tx| {
            Box::pin(async move {
                sqlx::query("UPDATE session SET thread_id = ?2 WHERE id = ?1")
                    .bind(id.as_str())
                    .bind(thread.as_i64())
                    .execute(tx)
                    .await?;
                Ok(())
            })
        })
        .await
    }

    /// Takes the failed steps of a failed session away so that they are tried again, and sets it running.
    /// Steps that succeeded keep their results, and so do failures that the session had got over: what was
    /// asked after them builds on what stood in for them. What Discord would not
    /// take is posted after all.
    pub async fn retry_session(&self, id: &SessionId, event: Inbound, at_ms: i64) -> Result<(), StoreError> {
        let id = id.clone();
        self.write(move |tx| {
            Box::pin(async move {
                inbound::record(tx, &event, at_ms).await?;
                transition(tx, &id, &[SessionState::Failed], SessionState::Running, None, at_ms).await?;
                sqlx::query(
                    "UPDATE step SET state = 'intent', output = NULL, finished_ms = NULL
                     WHERE session_id = ?1 AND state = 'failed' AND NOT EXISTS (
                        SELECT 1 FROM step later WHERE later.session_id = ?1 AND later.state = 'done'
                           AND (later.kind LIKE 'ask:%' OR later.kind LIKE 'wait:%' OR later.kind IN ('vote', 'opinions'))
                           AND later.key NOT LIKE 'followup/%'
                           AND later.started_ms >= step.finished_ms)",
                )
                .bind(id.as_str())
                .execute(&mut *tx)
                .await?;
                outbox::revive(tx, &id).await.map(|_| ())
            })
        })
        .await
    }
}

/// Sessions without those of protocols that this version does not know: they are left to one that does.
fn known(rows: &[SqliteRow]) -> Result<Vec<SessionRow>, StoreError> {
    let read = rows.iter().map(SessionRow::read);
    read.filter(|row| match row {
        Err(StoreError::UnknownProtocol(protocol)) => {
            tracing::warn!(
                protocol,
                "a session of a protocol that this version does not know is passed over"
            );
            false
        }
        _ => true,
    })
    .collect()
}

fn protocol(text: &str) -> Result<Protocol, StoreError> {
    Protocol::parse(text).ok_or_else(|| StoreError::UnknownProtocol(text.to_owned()))
}

pub(super) async fn transition(
    tx: &mut sqlx::SqliteConnection,
    id: &SessionId,
    from: &[SessionState],
    to: SessionState,
    notice: Option<String>,
    at_ms: i64,
) -> Result<(), StoreError> {
    let now: Option<String> = sqlx::query_scalar("SELECT state FROM session WHERE id = ?1")
        .bind(id.as_str())
        .fetch_optional(&mut *tx)
        .await?;
    let now = now.ok_or(StoreError::Missing("session"))?;
    if !from.iter().any(|state| state.as_str() == now) {
        return Err(StoreError::NotRunning(now));
    }
    sqlx::query("UPDATE session SET state = ?2, notice = ?3, ended_ms = ?4 WHERE id = ?1")
        .bind(id.as_str())
        .bind(to.as_str())
        .bind(notice)
        .bind(to.is_final().then_some(at_ms))
        .execute(tx)
        .await?;
    Ok(())
}

/// The state a session is in, inside a transaction.
pub(super) async fn state(
    tx: &mut sqlx::SqliteConnection,
    session: &SessionId,
) -> Result<SessionState, StoreError> {
    let state: Option<String> = sqlx::query_scalar("SELECT state FROM session WHERE id = ?1")
        .bind(session.as_str())
        .fetch_optional(tx)
        .await?;
    let state = state.ok_or(StoreError::Missing("session"))?;
    SessionState::parse(&state).ok_or_else(|| StoreError::Corrupt(format!("session state {state}")))
}

/// Refuses with [`StoreError::NotRunning`] unless the session is in one of the states.
pub(super) async fn allowed(
    tx: &mut sqlx::SqliteConnection,
    session: &SessionId,
    states: &[SessionState],
) -> Result<(), StoreError> {
    let now = state(tx, session).await?;
    if states.contains(&now) { Ok(()) } else { Err(StoreError::NotRunning(now.as_str().to_owned())) }
}
