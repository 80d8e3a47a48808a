//! Sessions: their row from start to end.

use std::{collections::BTreeMap, sync::Arc};

use futures::future::try_join_all;
use serde_json::Value;
use sqlx::types::Json;

use super::{
    FromOthers, Inbound, NewPost, NewSequel, Store, StoreError, degraded, inbound, outbox,
    part::{self, Packed},
    participant, quota,
    readable::each,
    row::columns,
    script::Script,
    sequel, trace, wait,
};
use crate::statement::{sql, sql_as, sql_scalar};
use domain::{
    ChannelId, GuildId, Home, InteractionId, Lies, MessageId, OpenSessions, PicturesRead, Plan,
    PromptVersion, Protocol, SessionId, SessionState, StateTag, UserId,
};

/// Sessions without their plans, which are read only where they are needed: a plan may hold a document of a megabyte.
macro_rules! select_sessions {
    ($rest:literal) => {
        concat!(
            "SELECT id, guild_id, channel_id, starter_id, starter_name, protocol, title, prompt_version, status_id,
                    thread_id, lies, tag, state, notice, card_state, restarts, started_ms, ended_ms, last_seen_id,
                    (SELECT change FROM card_due WHERE session_id = session.id) AS card_due
             FROM session ",
            $rest
        )
    };
}

pub(super) use select_sessions;

/// All that is fixed when a session starts.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// Its name.
    pub id: SessionId,
    /// The command's interaction: the same one starts a session once.
    pub interaction: InteractionId,
    /// The server.
    pub guild: GuildId,
    /// Where it begins.
    pub home: Home,
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
    /// The pictures of its document that a model is to read, in base64.
    pub pictures: Vec<Arc<str>>,
    /// Which prompts.
    pub prompt_version: PromptVersion,
    /// Their texts.
    pub prompt_files: Arc<BTreeMap<String, String>>,
    /// The live card, which opens the thread.
    pub card: NewPost,
    /// How many may be open at once.
    pub most_open: OpenSessions,
    /// With what another session left open it goes on.
    pub sequel: Option<NewSequel>,
    /// What of others it begins with.
    pub from_others: FromOthers,
}

/// A session as stored, but for its plan ([`Store::plan`]).
#[derive(Clone, Debug)]
pub struct SessionRow {
    /// Its name.
    pub id: SessionId,
    /// The server.
    pub guild: GuildId,
    /// The channel or the forum to which it belongs.
    pub channel: ChannelId,
    /// Who started it.
    pub starter: UserId,
    /// The name they went by.
    pub starter_name: String,
    /// By which protocol.
    pub protocol: Protocol,
    /// The problem, short.
    pub title: String,
    /// Which prompts.
    pub prompt_version: PromptVersion,
    /// The live card's message.
    pub status_message: Option<MessageId>,
    /// The thread.
    pub thread: Option<ChannelId>,
    /// In what it lies.
    pub lies: Lies,
    /// Which state the tags of its forum's post were last made to say.
    pub tag: Option<StateTag>,
    /// Its state.
    pub state: SessionState,
    /// Why it is paused, failed or parked.
    pub notice: Option<String>,
    /// The state the live card was last seen to show.
    pub card_state: Option<SessionState>,
    /// The last change since then of what the live card of a sleeping session shows, if there was one.
    pub card_due: Option<i64>,
    /// How often it went on after a restart.
    pub restarts: i64,
    /// When it started, milliseconds since 1970.
    pub started_ms: i64,
    /// When it ended.
    pub ended_ms: Option<i64>,
    /// Newest message of its thread that was looked at.
    pub last_seen: Option<MessageId>,
}

columns! {
    SessionRow: id "id", guild "guild_id", channel "channel_id", starter "starter_id", starter_name "starter_name",
    protocol "protocol", title "title", prompt_version "prompt_version", status_message "status_id",
    thread "thread_id", lies "lies", tag "tag", state "state", notice "notice",
    card_state "card_state", card_due "card_due", restarts "restarts", started_ms "started_ms",
    ended_ms "ended_ms", last_seen "last_seen_id"
}

impl SessionRow {
    /// Whether the live card may show something else than is so, as far as that is known without drawing it.
    #[must_use]
    pub fn card_is_due(&self) -> bool {
        self.card_state != Some(self.state) || self.card_due.is_some()
    }

    /// Where its first card stands: in the channel, where its thread was started from that card; else in the thread or
    /// the post itself.
    #[must_use]
    pub fn card_stands_in(&self) -> ChannelId {
        match (self.lies, self.thread) {
            (Lies::Within | Lies::OwnPost, Some(thread)) => thread,
            (Lies::OwnThread, _) | (_, None) => self.channel,
        }
    }
}

impl Store {
    /// Writes a new session with its live card, once for each interaction.
    pub async fn start_session(&self, new: NewSession, at_ms: i64) -> Result<(), StoreError> {
        let document = new.plan.pointer("/brief/document/text").and_then(Value::as_str).map_or(0, str::len);
        let pictures: usize = new.pictures.iter().map(|picture| picture.len()).sum();
        let room = (self.space(), document + pictures);
        let packed = try_join_all(new.pictures.iter().cloned().map(Packed::whole)).await?;
        self.write_soon(move |tx| {
            Box::pin(async move {
                let event = Inbound {
                    id: new.interaction.0,
                    kind: "start",
                    session: Some(new.id.clone()),
                    by: None,
                    effect: new.id.to_string(),
                };
                inbound::record(tx, &event, at_ms).await?;
                quota::open(tx, (new.guild, new.starter), new.most_open, room, at_ms).await?;
                let inside = new.home.thread();
                if let Some(thread) = inside {
                    nobody_is_in(tx, thread).await?;
                }
                keep_prompts(tx, &new.prompt_version, &new.prompt_files).await?;
                sql!(
                    "INSERT INTO session (id, guild_id, channel_id, starter_id, starter_name, protocol, title, plan,
                                          prompt_version, state, started_ms, question_state, thread_id, last_seen_id, lies)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'running', ?10,
                             iif(json_extract(?8, '$.question') IS NULL, 'none', 'open'), ?11, ?12, ?13)",
                    (
                        new.id.as_str(), new.guild.as_i64(), new.home.channel(), new.starter.as_i64(),
                        &new.starter_name, new.protocol.as_str(), &new.title, Json(&new.plan),
                        &new.prompt_version.0, at_ms, inside,
                        // What was said in that thread before is no question to the session.
                        inside.map(|_| new.interaction.0.cast_signed()), new.home.lies(),
                    )
                )
                .execute(&mut *tx)
                .await?;
                let mut kept = Script::default();
                for picture in &packed {
                    picture.write(&mut kept, &new.id);
                }
                kept.run(tx).await?;
                participant::joins(tx, &new.id, new.starter, at_ms).await?;
                trace::begins(tx, &new.id, &new.from_others, at_ms).await?;
                outbox::insert(tx, &new.id, std::slice::from_ref(&new.card)).await?;
                match &new.sequel {
                    Some(sequel) => sequel::take_up(tx, sequel, &new.id).await,
                    None => Ok(()),
                }
            })
        })
        .await
    }

    /// A session by its name.
    pub async fn session(&self, id: &SessionId) -> Result<SessionRow, StoreError> {
        let row = sql_as!(select_sessions!("WHERE id = ?1"), id.as_str());
        row.fetch_optional(&self.readers).await?.ok_or(StoreError::Missing("session"))
    }

    /// What a session was asked and may use, as it was fixed at its start; what a model has read since on the pictures of its
    /// document stands in that.
    pub async fn plan(&self, id: &SessionId) -> Result<Plan, StoreError> {
        let row: Option<(Json<Plan>, Option<Json<Value>>)> = sql_as!(
            "SELECT plan, (SELECT output FROM step WHERE session_id = session.id AND key = ?2 AND state = 'done')
             FROM session WHERE id = ?1",
            (id.as_str(), PicturesRead::STEP)
        )
        .fetch_optional(&self.readers)
        .await?;
        let (Json(plan), read) = row.ok_or(StoreError::Missing("session"))?;
        let read = read.and_then(|Json(read)| serde_json::from_value::<PicturesRead>(read).ok());
        Ok(match read {
            Some(read) => Plan { brief: plan.brief.with_pictures_read(&read), ..plan },
            None => plan,
        })
    }

    /// A picture that a session was started with, in base64, by the SHA-256 of that; nothing where it was read or deleted.
    pub async fn picture(&self, id: &SessionId, sha256: &str) -> Result<Option<String>, StoreError> {
        let bytes: Option<Vec<u8>> = sql_scalar!(
            "SELECT bytes FROM part WHERE session_id = ?1 AND hash = unhex(?2)",
            (id.as_str(), sha256)
        )
        .fetch_optional(&self.readers)
        .await?;
        bytes.map(|bytes| part::unpacked(&[bytes])).transpose()
    }

    /// Deletes pictures, once they were read.
    pub async fn forget_pictures(&self, id: &SessionId, sha256: &[String]) -> Result<(), StoreError> {
        for one in sha256 {
            let gone = sql!(
                "DELETE FROM part WHERE session_id = ?1 AND hash = unhex(?2)",
                (id.clone(), one.clone())
            );
            self.execute(gone).await?;
        }
        Ok(())
    }

    /// The session whose thread this is.
    pub async fn session_of_thread(&self, thread: ChannelId) -> Result<Option<SessionRow>, StoreError> {
        let row = sql_as!(select_sessions!("WHERE thread_id = ?1"), thread);
        Ok(row.fetch_optional(&self.readers).await?)
    }

    /// Sessions in which something is left to do: those that run or have no thread yet, those with unsent posts,
    /// unanswered questions or calls whose cost is not settled, and those whose card does not show what is so. One that
    /// is paused or waits for people is none of them.
    pub async fn unfinished_sessions(&self) -> Result<Vec<SessionRow>, StoreError> {
        let rows = sql!(select_sessions!(
            "WHERE id IN (
                 SELECT id FROM session WHERE state = 'running'
                 UNION SELECT id FROM session INDEXED BY session_threadless
                       WHERE thread_id IS NULL AND state IN ('running', 'paused', 'waiting')
                 UNION SELECT id FROM session WHERE card_state IS NOT state
                 UNION SELECT session_id FROM card_due
                 UNION SELECT session_id FROM outbox WHERE state = 'pending'
                 UNION SELECT session_id FROM brought WHERE closed_ms IS NULL
                 UNION SELECT session_id FROM attempt WHERE state = 'sent')
             ORDER BY started_ms"
        ));
        let rows = self.unreadable.but("session", &rows.fetch_all(&self.readers).await?, each);
        Ok(self.here(rows, |row: &SessionRow| &row.id))
    }

    /// Sessions that are not over and began no later: those that a member started on a server, or all of it.
    pub async fn live_sessions(
        &self,
        guild: GuildId,
        starter: Option<UserId>,
        until_ms: i64,
    ) -> Result<Vec<SessionRow>, StoreError> {
        let rows = sql!(
            select_sessions!(
                "WHERE guild_id = ?1 AND state IN ('running', 'paused', 'waiting')
               AND (?2 IS NULL OR starter_id = ?2) AND started_ms <= ?3"
            ),
            (guild, starter, until_ms)
        );
        let rows = rows.fetch_all(&self.readers).await?;
        Ok(self.unreadable.but("session", &rows, each))
    }

    /// The prompt texts a session was started with.
    pub async fn prompt_files(
        &self,
        version: &PromptVersion,
    ) -> Result<BTreeMap<String, String>, StoreError> {
        let files: Option<Json<_>> =
            sql_scalar!("SELECT files FROM prompt_set WHERE version = ?1", &version.0)
                .fetch_optional(&self.readers)
                .await?;
        Ok(files.ok_or(StoreError::Missing("prompt set"))?.0)
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
        let counted = sql!("UPDATE session SET restarts = restarts + 1 WHERE id = ?1", id);
        self.execute(counted).await.map(|_| ())
    }

    /// Remembers which state the live card shows, with all that had changed up to the change `due`.
    pub async fn card_shows(
        &self,
        id: &SessionId,
        state: SessionState,
        due: Option<i64>,
    ) -> Result<(), StoreError> {
        let id = id.clone();
        self.write(move |tx| {
            Box::pin(async move {
                sql!(
                    "UPDATE session SET card_state = ?2 WHERE id = ?1 AND card_state IS NOT ?2",
                    (id.as_str(), state)
                )
                .execute(&mut *tx)
                .await?;
                sql!("DELETE FROM card_due WHERE session_id = ?1 AND change = ?2", (id.as_str(), due))
                    .execute(tx)
                    .await?;
                Ok(())
            })
        })
        .await
    }

    /// Remembers which state the tags of its post say, or would if they could.
    pub async fn tagged(&self, id: &SessionId, tag: StateTag) -> Result<(), StoreError> {
        let tagged = sql!("UPDATE session SET tag = ?2 WHERE id = ?1", (id, tag));
        self.execute(tagged).await.map(|_| ())
    }

    /// Remembers the session's thread.
    pub async fn thread_opened(&self, id: &SessionId, thread: ChannelId) -> Result<(), StoreError> {
        let opened = sql!("UPDATE session SET thread_id = ?2 WHERE id = ?1", (id, thread));
        self.execute(opened).await.map(|_| ())
    }

    /// Takes the failed steps of a failed session away so that they are tried again, and sets it running.
    /// Steps that succeeded keep their results, and so do failures that the session had got over: what was
    /// asked after them builds on what stood in for them. What Discord would not
    /// take is posted after all. Refused where too many sessions run.
    pub async fn retry_session(
        &self,
        id: &SessionId,
        event: Inbound,
        most: OpenSessions,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let id = id.clone();
        self.write_soon(move |tx| {
            Box::pin(async move {
                inbound::record(tx, &event, at_ms).await?;
                transition(tx, &id, &[SessionState::Failed], SessionState::Running, None, at_ms).await?;
                quota::go_on(tx, &id, most).await?;
                sql!(
                    "UPDATE step SET state = 'intent', output = NULL, finished_ms = NULL, started_ms = ?2
                     WHERE session_id = ?1 AND state = 'failed' AND NOT EXISTS (
                        SELECT 1 FROM step later WHERE later.session_id = ?1 AND later.state = 'done'
                           AND (later.kind LIKE 'ask:%' OR later.kind LIKE 'wait:%' OR later.kind IN ('vote', 'opinions'))
                           AND later.key NOT LIKE 'followup/%'
                           AND later.started_ms >= step.finished_ms)",
                    (id.as_str(), at_ms)
                )
                .execute(&mut *tx)
                .await?;
                degraded::take_back(tx, &id).await?;
                outbox::revive(tx, &id).await.map(|_| ())
            })
        })
        .await
    }
}

pub(super) async fn transition(
    tx: &mut sqlx::SqliteConnection,
    id: &SessionId,
    from: &[SessionState],
    to: SessionState,
    notice: Option<String>,
    at_ms: i64,
) -> Result<(), StoreError> {
    allowed(tx, id, from).await?;
    sql!(
        "UPDATE session SET state = ?2, notice = ?3, ended_ms = ?4 WHERE id = ?1",
        (id.as_str(), to.as_str(), notice, to.is_final().then_some(at_ms))
    )
    .execute(&mut *tx)
    .await?;
    if to == SessionState::Cancelled { drop_unread(tx, id).await } else { Ok(()) }
}

/// What was cancelled before any call was made keeps no document: nobody has read it, and whoever starts and cancels again
/// and again would fill the disk with it.
async fn drop_unread(tx: &mut sqlx::SqliteConnection, id: &SessionId) -> Result<(), StoreError> {
    sql!(
        "UPDATE session SET plan = json_remove(json_set(plan, '$.brief.document.text', ''), '$.brief.document.landmarks')
         WHERE id = ?1 AND json_type(plan, '$.brief.document.text') = 'text'
           AND NOT EXISTS (SELECT 1 FROM attempt WHERE session_id = ?1)",
        id
    )
    .execute(&mut *tx)
    .await?;
    // Nor any picture that nobody will read now.
    sql!(
        "DELETE FROM part WHERE session_id = ?1 AND hash IN (
             SELECT unhex(value ->> '$.sha256') FROM session, json_each(plan, '$.brief.document.pictures')
             WHERE session.id = ?1)",
        id
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The state a session is in, inside a transaction.
pub(super) async fn state(
    tx: &mut sqlx::SqliteConnection,
    session: &SessionId,
) -> Result<SessionState, StoreError> {
    let state = sql_scalar!("SELECT state FROM session WHERE id = ?1", session.as_str());
    state.fetch_optional(tx).await?.ok_or(StoreError::Missing("session"))
}

/// Refuses with [`StoreError::NotRunning`] unless the session is in one of the states.
pub(super) async fn allowed(
    tx: &mut sqlx::SqliteConnection,
    session: &SessionId,
    states: &[SessionState],
) -> Result<(), StoreError> {
    is_among(state(tx, session).await?, states)
}

/// Refuses with [`StoreError::NotRunning`] a state that is none of these.
pub(super) fn is_among(now: SessionState, states: &[SessionState]) -> Result<(), StoreError> {
    if states.contains(&now) { Ok(()) } else { Err(StoreError::NotRunning(now.as_str().to_owned())) }
}

/// Refuses with [`StoreError::TakenUp`] a thread that has a session.
async fn nobody_is_in(tx: &mut sqlx::SqliteConnection, thread: ChannelId) -> Result<(), StoreError> {
    let there = sql_scalar!("SELECT id FROM session WHERE thread_id = ?1", thread);
    there.fetch_optional(tx).await?.map_or(Ok(()), |other| Err(StoreError::TakenUp(other)))
}

/// Keeps a set of prompts that is not there yet; only the first session of a version brings the whole text of it.
async fn keep_prompts(
    tx: &mut sqlx::SqliteConnection,
    version: &PromptVersion,
    files: &BTreeMap<String, String>,
) -> Result<(), StoreError> {
    let known = sql!("SELECT 1 FROM prompt_set WHERE version = ?1", &version.0);
    if known.fetch_optional(&mut *tx).await?.is_none() {
        let insert =
            sql!("INSERT INTO prompt_set (version, files) VALUES (?1, ?2)", (&version.0, Json(files)));
        insert.execute(&mut *tx).await?;
    }
    Ok(())
}
