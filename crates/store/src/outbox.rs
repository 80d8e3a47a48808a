//! Posts waiting to be sent, in order, each with a nonce fixed when it was written.

use sqlx::{SqliteConnection, types::Json};
use strum::{EnumString, IntoStaticStr};

use super::{Inbound, Quota, Store, StoreError, inbound, row::columns, script::Script, session};
use crate::statement::{add, sql, sql_as, sql_scalar};
use domain::{ChannelId, ColumnError, GuildId, MessageId, Post, SessionId, StateTag, StepKey};

/// Where a post goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, IntoStaticStr, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Target {
    /// Where the session begins: only the live card, from which the thread is started, or with which the post is opened.
    Channel,
    /// The session's thread.
    Thread,
}

domain::stands_as! { String:
    Target, |target| <&str>::from(target).to_owned(), |text| text.parse().map_err(|_| ColumnError::Unreadable(text));
}

/// A post to be written to the outbox.
#[derive(Clone, PartialEq, Debug)]
pub struct NewPost {
    /// Unique in its session together with `part`: `round-1/market`.
    pub key: String,
    /// From 0, for posts that are split.
    pub part: u32,
    /// The channel or the thread.
    pub target: Target,
    /// The message it answers.
    pub reply_to: Option<MessageId>,
    /// The message itself.
    pub post: Post,
    /// Discord's guard against posting twice; at most 25 characters.
    pub nonce: String,
}

/// A post of the outbox.
#[derive(Clone, Debug)]
pub struct OutboxRow {
    /// Its place in the order.
    pub id: i64,
    /// Its key and part.
    pub key: String,
    /// The channel or the thread.
    pub target: Target,
    /// The message it answers.
    pub reply_to: Option<MessageId>,
    /// The message itself.
    pub post: Post,
    /// Discord's guard.
    pub nonce: String,
    /// When it was first tried, milliseconds since 1970.
    pub first_try_ms: Option<i64>,
    /// How often it was tried.
    pub tries: i64,
}

columns! {
    OutboxRow: id "id", key "post_key", target "target", reply_to "reply_to", nonce "nonce",
    first_try_ms "first_try_ms", tries "tries";
    post = |row| row.try_get::<Json<Post>, _>("payload")?.0
}

/// A post of a session's thread, as it was written.
#[derive(Clone, Debug)]
pub struct ThreadPost {
    /// Its key.
    pub key: StepKey,
    /// The message itself.
    pub post: Post,
    /// Whether it is kept true: what it shows now may be something else.
    pub panel: bool,
}

columns! {
    ThreadPost: key "post_key", panel "is_panel";
    post = |row| row.try_get::<Json<Post>, _>("payload")?.0
}

/// Adds posts; one that is there already (the same key and part) stays as it is.
pub(super) async fn insert(
    tx: &mut SqliteConnection,
    session: &SessionId,
    posts: &[NewPost],
) -> Result<(), StoreError> {
    let mut script = Script::default();
    for post in posts {
        add!(
            script,
            "INSERT INTO outbox (session_id, post_key, part, target, reply_to, payload, nonce)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (session_id, post_key, part) DO NOTHING",
            (
                session.as_str(),
                &post.key,
                post.part,
                post.target,
                post.reply_to,
                Json(&post.post),
                &post.nonce,
            )
        );
    }
    script.run(tx).await?;
    Ok(())
}

/// What the problem of a post begins with that somebody may have tried again.
pub(super) const UNDELIVERABLE: &str = "undeliverable: ";

/// Puts the posts in line again that were given up because Discord did not take them; gives how many. A
/// panel among them may have changed since it was written, and a reminder reminds nobody any more.
pub(super) async fn revive(tx: &mut SqliteConnection, session: &SessionId) -> Result<u64, StoreError> {
    sql!(
        "UPDATE panel SET revision = revision + 1 WHERE session_id = ?1 AND key IN (
            SELECT post_key FROM outbox
            WHERE session_id = ?1 AND state = 'dead' AND substr(problem, 1, length(?2)) = ?2)",
        (session.as_str(), UNDELIVERABLE)
    )
    .execute(&mut *tx)
    .await?;
    let revived = sql!(
        "UPDATE outbox SET state = 'pending', problem = NULL
         WHERE session_id = ?1 AND state = 'dead' AND substr(problem, 1, length(?2)) = ?2
           AND post_key NOT LIKE '%/reminder'",
        (session.as_str(), UNDELIVERABLE)
    )
    .execute(tx)
    .await?;
    Ok(revived.rows_affected())
}

impl Store {
    /// The session's next unsent post.
    pub async fn next_post(&self, session: &SessionId) -> Result<Option<OutboxRow>, StoreError> {
        Ok(self.next_posts(session, 1).await?.pop())
    }

    /// The session's unsent posts in their order, at most so many.
    pub async fn next_posts(&self, session: &SessionId, most: u32) -> Result<Vec<OutboxRow>, StoreError> {
        let rows = sql_as!(
            "SELECT id, post_key, target, reply_to, payload, nonce, first_try_ms, tries FROM outbox
             WHERE session_id = ?1 AND state = 'pending' ORDER BY id LIMIT ?2",
            (session.as_str(), most)
        );
        Ok(rows.fetch_all(&self.readers).await?)
    }

    /// Whether a session of this server that ended before the one whose last line is this post has not been told of yet,
    /// as far as it has a thread and Discord takes what is posted there.
    pub async fn ends_before(&self, guild: GuildId, id: i64) -> Result<bool, StoreError> {
        let earlier = sql!(
            "SELECT 1 FROM outbox INDEXED BY outbox_pending JOIN session ON session.id = outbox.session_id
             WHERE outbox.state = 'pending' AND outbox.id < ?2 AND post_key = 'closing' AND tries < 2
               AND guild_id = ?1 AND thread_id IS NOT NULL LIMIT 1",
            (guild, id)
        );
        Ok(earlier.fetch_optional(&self.readers).await?.is_some())
    }

    /// All posts of a session's thread in their order, but for those that somebody deleted.
    pub async fn thread_posts(&self, session: &SessionId) -> Result<Vec<ThreadPost>, StoreError> {
        let rows = sql_as!(
            "SELECT o.post_key, o.payload, o.part = 0 AND p.key IS NOT NULL AS is_panel FROM outbox o
             LEFT JOIN panel p ON p.session_id = o.session_id AND p.key = o.post_key
             WHERE o.session_id = ?1 AND o.target = 'thread'
               AND (o.state <> 'dead' OR substr(o.problem, 1, length(?2)) = ?2)
             ORDER BY o.id",
            (session.as_str(), UNDELIVERABLE)
        );
        Ok(rows.fetch_all(&self.readers).await?)
    }

    /// Puts a report into a session's thread, once for each event and at most `most` times in all.
    pub async fn post_report(
        &self,
        session: &SessionId,
        event: Inbound,
        posts: Vec<NewPost>,
        most: i64,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let session = session.clone();
        self.write_soon(move |tx| {
            Box::pin(async move {
                inbound::record(tx, &event, at_ms).await?;
                let posted: i64 = sql_scalar!(
                    "SELECT count(*) FROM outbox WHERE session_id = ?1 AND post_key LIKE 'export/%'",
                    session.as_str()
                )
                .fetch_one(&mut *tx)
                .await?;
                if posted >= most {
                    return Err(Quota::Reports(most).into());
                }
                insert(tx, &session, &posts).await
            })
        })
        .await
    }

    /// Notes that a post is about to be tried: from its first try on it may be on Discord. `false`: it was
    /// dropped meanwhile and must not be sent.
    pub async fn post_tried(&self, id: i64, at_ms: i64) -> Result<bool, StoreError> {
        let tried = sql!(
            "UPDATE outbox SET tries = tries + 1, first_try_ms = coalesce(first_try_ms, ?2)
             WHERE id = ?1 AND state = 'pending'",
            (id, at_ms)
        );
        Ok(self.execute(tried).await? == 1)
    }

    /// Notes that a post is on Discord. The live card's message is remembered with its session.
    pub async fn post_sent(&self, id: i64, message: MessageId) -> Result<(), StoreError> {
        self.write_with_next(move |tx| {
            Box::pin(async move {
                let mut sent = Script::default();
                add!(
                    sent,
                    "UPDATE outbox SET state = 'sent', message_id = ?2 WHERE id = ?1 AND state = 'pending'",
                    (id, message.as_i64())
                );
                add!(
                    sent,
                    "UPDATE session SET status_id = ?2, card_state = 'running'
                     WHERE id = (SELECT session_id FROM outbox WHERE id = ?1 AND target = 'channel') AND status_id IS NULL",
                    (id, message.as_i64())
                );
                sent.run(tx).await.map(|_| ())
            })
        })
        .await
    }

    /// Notes that a forum's post is on Discord, which was opened with this post of the outbox, the live card, and, where that
    /// is known, with the tag of this state.
    pub async fn post_opened(
        &self,
        id: i64,
        session: &SessionId,
        (thread, tag): (ChannelId, Option<StateTag>),
    ) -> Result<(), StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                let mut opened = Script::default();
                add!(
                    opened,
                    "UPDATE outbox SET state = 'sent', message_id = ?2 WHERE id = ?1 AND state = 'pending'",
                    (id, thread)
                );
                add!(
                    opened,
                    "UPDATE session SET status_id = ?2, thread_id = ?2, card_state = 'running', tag = ?3
                         WHERE id = ?1 AND thread_id IS NULL",
                    (session.as_str(), thread, tag)
                );
                opened.run(tx).await.map(|_| ())
            })
        })
        .await
    }

    /// Gives a post up that Discord does not take, until somebody tries it again.
    pub async fn give_up_post(&self, id: i64, problem: String) -> Result<(), StoreError> {
        self.post_dead(id, format!("{UNDELIVERABLE}{problem}")).await
    }

    /// Has something else sent in a post's place, as long as it was not taken.
    pub async fn reword_post(&self, id: i64, post: &Post) -> Result<(), StoreError> {
        let payload = serde_json::to_string(post).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        let reworded =
            sql!("UPDATE outbox SET payload = ?2 WHERE id = ?1 AND state = 'pending'", (id, payload));
        self.execute(reworded).await.map(|_| ())
    }

    /// Gives a post up for good: somebody deleted it.
    pub async fn post_dead(&self, id: i64, problem: String) -> Result<(), StoreError> {
        let dead = sql!(
            "UPDATE outbox SET state = 'dead', problem = ?2 WHERE id = ?1 AND state = 'pending'",
            (id, problem)
        );
        self.execute(dead).await.map(|_| ())
    }

    /// Gives up all that a session has not posted yet, until somebody tries it again.
    pub async fn drop_unsent(&self, session: &SessionId, problem: String) -> Result<(), StoreError> {
        let problem = format!("{UNDELIVERABLE}{problem}");
        let dropped = sql!(
            "UPDATE outbox SET state = 'dead', problem = ?2 WHERE session_id = ?1 AND state = 'pending'",
            (session, problem)
        );
        self.execute(dropped).await.map(|_| ())
    }

    /// Puts the posts of a session in line again that Discord would not take, such as its vote's result; once for each
    /// event. Refused with the session's state if there are none.
    pub async fn post_again(&self, id: &SessionId, event: Inbound, at_ms: i64) -> Result<(), StoreError> {
        let id = id.clone();
        self.write_soon(move |tx| {
            Box::pin(async move {
                inbound::record(tx, &event, at_ms).await?;
                let state = session::state(tx, &id).await?;
                if revive(tx, &id).await? == 0 {
                    return Err(StoreError::NotRunning(state.as_str().to_owned()));
                }
                Ok(())
            })
        })
        .await
    }

    /// Posts something into a session's thread, unless a post whose key begins alike waits to be sent or stands there below
    /// this message: then it was said of that message already.
    pub async fn post_unless_later(
        &self,
        session: &SessionId,
        (begins, message): (&'static str, MessageId),
        posts: Vec<NewPost>,
    ) -> Result<(), StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                let said: i64 = sql_scalar!(
                    "SELECT count(*) FROM outbox
                     WHERE session_id = ?1 AND substr(post_key, 1, length(?2)) = ?2
                       AND (state <> 'sent' OR message_id > ?3)",
                    (session.as_str(), begins, message)
                )
                .fetch_one(&mut *tx)
                .await?;
                if said > 0 { Ok(()) } else { insert(tx, &session, &posts).await }
            })
        })
        .await
    }

    /// The key of the session's own post that a message is; `None` if it is somebody else's.
    pub async fn post_key(
        &self,
        session: &SessionId,
        message: MessageId,
    ) -> Result<Option<String>, StoreError> {
        let key = sql_scalar!(
            "SELECT post_key FROM outbox WHERE session_id = ?1 AND message_id = ?2",
            (session.as_str(), message.as_i64())
        );
        let key = key;
        Ok(key.fetch_optional(&self.readers).await?)
    }
}
