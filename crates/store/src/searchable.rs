//! What `/history` finds: the text of each session that has ended, and an index over its words (`SQLite` FTS5). Triggers
//! raise a row's number with everything that changes what its session says, and take a deleted row out of the index;
//! here a text is put in, and words are looked for.

use sqlx::Connection as _;

use super::{Inbound, Store, StoreError, inbound, readable::each, retention, row::columns, session};
use crate::statement::{sql, sql_as, sql_scalar};
use domain::{ChannelId, GuildId, Protocol, SessionId, SessionState, UserId};

/// Stands for the session's state where it is over, but calls for it are under way.
pub const STILL_ASKED: &str = "still asked";

/// What a session says, for the index.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchText {
    /// What had to be decided.
    pub title: String,
    /// What came out.
    pub outcome: String,
    /// All else.
    pub rest: String,
}

/// A session as `/history` lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundRow {
    /// Its name.
    pub session: SessionId,
    /// The channel it was started in.
    pub channel: ChannelId,
    /// Its thread.
    pub thread: Option<ChannelId>,
    /// By which protocol.
    pub protocol: Protocol,
    /// What had to be decided.
    pub title: String,
    /// Where it stands.
    pub state: SessionState,
    /// When it started, milliseconds since 1970.
    pub started_ms: i64,
    /// Some of its text, with what was found in it.
    pub excerpt: String,
}

columns! {
    FoundRow: session "id", channel "channel_id", thread "thread_id", protocol "protocol", title "title",
    state "state", started_ms "started_ms", excerpt "excerpt"
}

impl Store {
    /// Sessions whose text is not in the index as it is now, with the number of the change that is not, the newest first;
    /// of one server, or of all.
    pub async fn unread_sessions(
        &self,
        guild: Option<GuildId>,
        most: i64,
    ) -> Result<Vec<(SessionId, i64)>, StoreError> {
        let rows = if let Some(guild) = guild {
            sql_as!(
                "SELECT e.session_id, e.changed FROM searchable e JOIN session s ON s.id = e.session_id
                 WHERE e.seen < e.changed AND s.guild_id = ?1 ORDER BY e.id DESC LIMIT ?2",
                (guild, most)
            )
        } else {
            sql_as!(
                "SELECT session_id, changed FROM searchable WHERE seen < changed ORDER BY id DESC LIMIT ?1",
                most
            )
        };
        Ok(rows.fetch_all(&self.readers).await?)
    }

    /// Puts a session's text, as it was at this change, into the index. One that has changed since is left to be read again:
    /// what it said may have been deleted.
    pub async fn put_text(&self, id: &SessionId, changed: i64, text: SearchText) -> Result<(), StoreError> {
        let put = sql!(
            "UPDATE searchable SET seen = ?2, title = ?3, outcome = ?4, rest = ?5
             WHERE session_id = ?1 AND changed = ?2",
            (id, changed, text.title, text.outcome, text.rest)
        );
        let put = put;
        self.execute(put).await.map(|_| ())
    }

    /// The sessions of a server that hold all that is wanted (`domain::wanted`), started in one of these channels, the best
    /// first, and how many there are.
    pub async fn search(
        &self,
        guild: GuildId,
        channels: &[ChannelId],
        wanted: &str,
        (offset, most): (u32, u32),
    ) -> Result<(Vec<FoundRow>, i64), StoreError> {
        let channels = serde_json::to_string(&channels.iter().map(|id| id.as_i64()).collect::<Vec<_>>())
            .map_err(|error| StoreError::Corrupt(error.to_string()))?;
        let mut reader = self.readers.one().await;
        let mut reading = reader.begin().await?;
        let found = sql_scalar!(
            "SELECT count(*) FROM found JOIN searchable e ON e.id = found.rowid JOIN session s ON s.id = e.session_id
             WHERE found MATCH ?1 AND s.guild_id = ?2 AND s.channel_id IN (SELECT value FROM json_each(?3))",
            (wanted, guild, &channels)
        )
        .fetch_one(&mut *reading)
        .await?;
        let rows = sql!(
            "SELECT s.id, s.channel_id, s.thread_id, s.protocol, coalesce(s.question, s.title) AS title, s.state,
                    s.started_ms, snippet(found, -1, char(2), char(3), '…', 32) AS excerpt
             FROM found JOIN searchable e ON e.id = found.rowid JOIN session s ON s.id = e.session_id
             WHERE found MATCH ?1 AND s.guild_id = ?2 AND s.channel_id IN (SELECT value FROM json_each(?3))
             ORDER BY bm25(found, 8.0, 3.0, 1.0), s.started_ms DESC LIMIT ?4 OFFSET ?5",
            (wanted, guild, &channels, most, offset)
        )
        .fetch_all(&mut *reading)
        .await?;
        Ok((self.unreadable.but("session", &rows, each), found))
    }

    /// The sessions started in a channel, the newest first, and how many there are.
    pub async fn sessions_of_channel(
        &self,
        guild: GuildId,
        channel: ChannelId,
        (offset, most): (u32, u32),
    ) -> Result<(Vec<FoundRow>, i64), StoreError> {
        let mut reader = self.readers.one().await;
        let mut reading = reader.begin().await?;
        let found = sql_scalar!(
            "SELECT count(*) FROM session WHERE guild_id = ?1 AND channel_id = ?2",
            (guild, channel)
        )
        .fetch_one(&mut *reading)
        .await?;
        let rows = sql!(
            "SELECT id, channel_id, thread_id, protocol, coalesce(question, title) AS title, state, started_ms,
                    '' AS excerpt
             FROM session WHERE guild_id = ?1 AND channel_id = ?2 ORDER BY started_ms DESC LIMIT ?3 OFFSET ?4",
            (guild, channel, most, offset)
        )
        .fetch_all(&mut *reading)
        .await?;
        Ok((self.unreadable.but("session", &rows, each), found))
    }

    /// Keeps what somebody looks for, under the number of the command, so that other pages of the answer find it.
    pub async fn keep_lookup(
        &self,
        id: u64,
        guild: GuildId,
        member: UserId,
        words: &str,
    ) -> Result<(), StoreError> {
        let kept = sql!(
            "INSERT INTO lookup (id, guild_id, member_id, words) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
            (id.cast_signed(), guild, member, words.to_owned())
        );
        let kept = kept;
        self.execute(kept).await.map(|_| ())
    }

    /// What a member of a server looked for; `None` if it is not kept any more, or was somebody else's.
    pub async fn lookup(
        &self,
        id: u64,
        guild: GuildId,
        member: UserId,
    ) -> Result<Option<String>, StoreError> {
        let words = sql_scalar!(
            "SELECT words FROM lookup WHERE id = ?1 AND guild_id = ?2 AND member_id = ?3",
            (id.cast_signed(), guild, member)
        );
        Ok(words.fetch_optional(&self.readers).await?)
    }

    /// Deletes a session that is over with all that hangs on it, once for each event. Its decision records stay.
    pub async fn delete_session(&self, id: &SessionId, event: Inbound, at_ms: i64) -> Result<(), StoreError> {
        let id = id.clone();
        self.write_soon(move |tx| {
            Box::pin(async move {
                inbound::record(tx, &event, at_ms).await?;
                let state = session::state(tx, &id).await?;
                if !state.is_final() {
                    return Err(StoreError::NotRunning(state.as_str().to_owned()));
                }
                // What is held for a call is given back when the call ends.
                let asked: i64 = sql_scalar!(
                    "SELECT (SELECT count(*) FROM attempt WHERE session_id = ?1 AND state = 'sent')
                          + (SELECT count(*) FROM brought WHERE session_id = ?1 AND kind = 'question' AND closed_ms IS NULL)",
                    &id
                )
                .fetch_one(&mut *tx)
                .await?;
                if asked > 0 {
                    return Err(StoreError::NotRunning(STILL_ASKED.to_owned()));
                }
                retention::delete(tx, id.as_str()).await
            })
        })
        .await
    }
}
