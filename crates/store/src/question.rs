//! Follow-up questions, and audits, which are asked for like them: asked once, answered once, however often the asking is
//! delivered.

use sqlx::Row;

use super::{
    Brought, Inbound, NewPost, Store, StoreError,
    brought::{self, NewBrought, Particulars},
    inbound, outbox, quota,
    readable::each,
    row::columns,
    writer::Haste,
};
use crate::statement::{sql, sql_scalar};
use domain::{Addressee, AuditScope, ChannelId, MessageId, SessionId, UserId};

/// A question somebody asked in a session's thread.
#[derive(Clone, Debug)]
pub struct QuestionRow {
    /// The message's or interaction's snowflake.
    pub id: u64,
    /// About which session.
    pub session: SessionId,
    /// Who asks.
    pub author: UserId,
    /// The name they go by.
    pub author_name: String,
    /// What is asked.
    pub text: String,
    /// The message to answer under; `None` for `/ask`.
    pub reply_to: Option<MessageId>,
    /// Whom it is put to, in a debate; `None`: nobody in particular.
    pub addressee: Option<Addressee>,
    /// How much an audit looks at, where one is wanted instead and nothing is asked.
    pub audit: Option<AuditScope>,
}

columns! {
    QuestionRow: session "session_id", author "author_id", author_name "author_name", text "text",
    reply_to "reply_to", addressee "addressee";
    id = |row| positive("id", row.try_get("id")?)?;
    audit = |row| row.try_get::<Option<u8>, _>("audit")?.map(scope).transpose()?
}

fn scope(number: u8) -> sqlx::Result<AuditScope> {
    AuditScope::numbered(number).ok_or_else(|| sqlx::Error::ColumnDecode {
        index: "audit".to_owned(),
        source: format!("{number} is no part of an audit").into(),
    })
}

fn positive(column: &str, number: i64) -> sqlx::Result<u64> {
    u64::try_from(number)
        .map_err(|error| sqlx::Error::ColumnDecode { index: column.to_owned(), source: Box::new(error) })
}

/// How often a thread is told why a message in it is not answered: nobody fills it by asking on and on.
const MOST_REFUSED: i64 = 20;

const REFUSED: &str = "SELECT count(*) FROM outbox WHERE session_id = ?1 AND post_key LIKE 'question/%'";

impl Store {
    /// Records a question, once for each event. Whoever uses `/ask` is told after some seconds that the disk takes
    /// nothing; with a message nobody waits for that, and it could not be said either.
    pub async fn ask(&self, question: QuestionRow, effect: String, at_ms: i64) -> Result<(), StoreError> {
        let haste = if question.reply_to.is_none() { Haste::Person } else { Haste::Now };
        self.write_in(haste, move |tx| {
            Box::pin(async move {
                let session = question.session.clone();
                let by = question.reply_to.is_none().then(|| (question.author, question.author_name.clone()));
                let (kind, of) = ("question", Some(session.clone()));
                let event = Inbound { id: question.id, kind, session: of, by, effect };
                inbound::record(tx, &event, at_ms).await?;
                quota::share(tx, &session, question.author).await?;
                let new = NewBrought {
                    event: question.id,
                    kind: Brought::Questions,
                    author: question.author,
                    author_name: question.author_name,
                    text: question.text,
                    particulars: Particulars {
                        reply_to: question.reply_to,
                        addressee: question.addressee,
                        audit: question.audit,
                        ..Particulars::default()
                    },
                };
                brought::insert(tx, &session, new, at_ms).await
            })
        })
        .await
    }

    /// Records a message that was not taken as a question, with the posts that say why; once for each message, and
    /// twenty times in a thread.
    pub async fn refuse_question(
        &self,
        session: &SessionId,
        message: MessageId,
        posts: Vec<NewPost>,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                let (kind, effect) = ("refused question", String::new());
                let event = Inbound { id: message.0, kind, session: Some(session.clone()), by: None, effect };
                match inbound::record(tx, &event, at_ms).await {
                    Ok(()) => {
                        let told: i64 = sql_scalar!(REFUSED, session.as_str()).fetch_one(&mut *tx).await?;
                        let posts = if told < MOST_REFUSED { &posts[..] } else { &[] };
                        outbox::insert(tx, &session, posts).await
                    }
                    Err(StoreError::Duplicate(_)) => Ok(()),
                    Err(other) => Err(other),
                }
            })
        })
        .await
    }

    /// Questions of a session that nobody has answered, oldest first.
    pub async fn open_questions(&self, session: &SessionId) -> Result<Vec<QuestionRow>, StoreError> {
        let open = brought::select_open(&self.readers, session, Brought::Questions).await?;
        Ok(self.unreadable.but("question", &open, each))
    }

    /// Whom a question was put to, by its number; `None`: to nobody in particular, or there is no such question.
    pub async fn addressee(&self, session: &SessionId, id: u64) -> Result<Option<Addressee>, StoreError> {
        let to: Option<Option<String>> = sql_scalar!(
            "SELECT addressee FROM brought WHERE session_id = ?1 AND id = ?2",
            (session.as_str(), id.cast_signed())
        )
        .fetch_optional(&self.readers)
        .await?;
        Ok(to.flatten().as_deref().and_then(Addressee::parse))
    }

    /// The newest questions before one that something was answered to, oldest first. What counts is the answer's step and not
    /// `closed_ms`, which follows once the answer is posted: a step between the two has the answer to go by.
    pub async fn answered_questions(
        &self,
        session: &SessionId,
        before: u64,
        most: i64,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        let rows = sql!(
            "SELECT id, text FROM brought WHERE session_id = ?1 AND kind = 'question' AND id < ?2 AND audit IS NULL AND EXISTS (
                 SELECT 1 FROM step WHERE step.session_id = brought.session_id AND state = 'done'
                 AND (key = 'followup/' || brought.id OR key GLOB 'followup/' || brought.id || '/fallback-*'))
             ORDER BY id DESC LIMIT ?3",
            (session.as_str(), before.cast_signed(), most)
        )
        .fetch_all(&self.readers)
        .await?;
        Ok(rows.iter().rev().map(|row| (row.get::<i64, _>("id").cast_unsigned(), row.get("text"))).collect())
    }

    /// Closes a question, with the posts that say why it has no answer, if it has none. One that is closed
    /// already stays as it is.
    pub async fn close_question(
        &self,
        question: &QuestionRow,
        posts: Vec<NewPost>,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let (id, session) = (question.id, question.session.clone());
        self.write(move |tx| {
            Box::pin(async move {
                let closed = brought::close(tx, &session, (Brought::Questions, id), at_ms).await?;
                let posts = if closed { &posts[..] } else { &[] };
                outbox::insert(tx, &session, posts).await
            })
        })
        .await
    }

    /// Threads of sessions in which questions may have come while the bot was away, with the newest message
    /// that was looked at: the live ones and those that ended after `since_ms`.
    pub async fn watched_threads(
        &self,
        since_ms: i64,
    ) -> Result<Vec<(SessionId, ChannelId, MessageId)>, StoreError> {
        let rows = sql!(
            "SELECT id, thread_id, coalesce(last_seen_id, thread_id) AS seen FROM session
                 INDEXED BY session_watched WHERE thread_id IS NOT NULL AND ended_ms IS NULL
             UNION ALL SELECT id, thread_id, coalesce(last_seen_id, thread_id) FROM session
                 INDEXED BY session_watched WHERE thread_id IS NOT NULL AND ended_ms >= ?1",
            since_ms
        )
        .fetch_all(&self.readers)
        .await?;
        let watched = self.unreadable.but("session", &rows, |row| {
            Ok((
                row.try_get::<SessionId, _>("id")?,
                ChannelId::from_i64(row.get("thread_id")),
                MessageId::from_i64(row.get("seen")),
            ))
        });
        Ok(self.here(watched, |(session, ..)| session))
    }

    /// Remembers the newest message of a thread that was looked at.
    pub async fn seen(&self, thread: ChannelId, message: MessageId) -> Result<(), StoreError> {
        self.write(move |tx| {
            Box::pin(async move {
                sql!(
                    "UPDATE session SET last_seen_id = max(coalesce(last_seen_id, 0), ?2) WHERE thread_id = ?1",
                    (thread.as_i64(), message.as_i64())
                )
                    .execute(tx)
                    .await?;
                Ok(())
            })
        })
        .await
    }
}
