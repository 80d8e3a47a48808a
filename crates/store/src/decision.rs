//! Decision records: written once, then only pinned, reviewed, and said how they turned out.

use sqlx::{Row, sqlite::SqliteRow};

use super::{Inbound, NewPost, Store, StoreError, card, inbound, outbox, panel, trust};
use crate::statement::{sql, sql_scalar};
use domain::{ChannelId, Decision, GuildId, MessageId, Outcome, SessionId, UserId, Verdict, by_outcome};

/// A decision to be recorded.
#[derive(Clone, Debug)]
pub struct NewDecision {
    /// Of which session.
    pub session: SessionId,
    /// Where it was decided.
    pub guild: GuildId,
    /// The channel: it is found from there and from its threads, and nowhere else.
    pub channel: ChannelId,
    /// The session's thread.
    pub thread: ChannelId,
    /// What; its number is given when it is recorded.
    pub decision: Decision,
}

/// Whether a record's message is pinned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pin {
    /// Not yet.
    Wanted,
    /// It is.
    Done,
    /// It cannot be; why, in words.
    Refused(String),
}

/// A decision as stored.
#[derive(Clone, Debug)]
pub struct DecisionRow {
    /// Of which session.
    pub session: SessionId,
    /// The session's thread.
    pub thread: ChannelId,
    /// What, with its outcome.
    pub decision: Decision,
    /// Whether it is pinned.
    pub pin: Pin,
    /// The number of the session's next decision, which replaces it.
    pub replaced_by: Option<u32>,
}

/// A record that is posted and waits to be pinned.
#[derive(Clone, Debug)]
pub struct Unpinned {
    /// Of which session.
    pub session: SessionId,
    /// Its number there.
    pub number: u32,
    /// The session's thread.
    pub thread: ChannelId,
    /// Its message; `None` while it waits to be sent.
    pub message: Option<MessageId>,
}

fn corrupt(what: impl ToString) -> StoreError {
    StoreError::Corrupt(what.to_string())
}

impl DecisionRow {
    pub(super) fn read(row: &SqliteRow) -> Result<Self, StoreError> {
        let mut decision: Decision = serde_json::from_str(row.get("record")).map_err(corrupt)?;
        decision.outcome = match row.get::<Option<String>, _>("outcome") {
            None => None,
            Some(verdict) => Some(Outcome {
                verdict: Verdict::parse(&verdict).ok_or_else(|| corrupt("verdict"))?,
                text: row.get::<Option<String>, _>("outcome_text").unwrap_or_default(),
                by: UserId::from_i64(row.get::<Option<i64>, _>("outcome_by_id").unwrap_or_default()),
                by_name: row.get::<Option<String>, _>("outcome_by_name").unwrap_or_default(),
                at: row.get::<Option<i64>, _>("outcome_ms").unwrap_or_default() / 1000,
            }),
        };
        let problem = row.get::<Option<String>, _>("pin_problem");
        Ok(Self {
            session: SessionId::parse(row.get("session_id")).ok_or_else(|| corrupt("session id"))?,
            thread: ChannelId::from_i64(row.get("thread_id")),
            decision,
            pin: match row.get::<String, _>("pin").as_str() {
                "done" => Pin::Done,
                "refused" => Pin::Refused(problem.unwrap_or_default()),
                _ => Pin::Wanted,
            },
            replaced_by: number(row.get("replaced_by"))?,
        })
    }
}

fn number(stored: Option<i64>) -> Result<Option<u32>, StoreError> {
    stored.map(u32::try_from).transpose().map_err(corrupt)
}

/// The panel that shows a decision.
fn record_key(number: u32) -> String {
    format!("decision/{number}")
}

/// The panel that asks how it turned out.
fn review_key(number: u32) -> String {
    format!("review/{number}")
}

impl Store {
    /// Records a decision under the next number of its session, with the posts that `posts` makes of it, once
    /// for each event. Gives the number.
    pub async fn record_decision(
        &self,
        mut new: NewDecision,
        event: Inbound,
        posts: impl Fn(&Decision) -> Vec<NewPost>,
        at_ms: i64,
    ) -> Result<u32, StoreError> {
        loop {
            let last: Option<i64> =
                sql_scalar!("SELECT max(n) FROM decision WHERE session_id = ?1", new.session.as_str())
                    .fetch_one(&self.readers)
                    .await?;
            new.decision.number = number(last)?.unwrap_or_default() + 1;
            // Cards are drawn here, where nobody's writes wait for them. If another decision has taken the number
            // meanwhile, they are drawn again.
            let posts = posts(&new.decision);
            if self.record_numbered(new.clone(), event.clone(), posts, at_ms).await? {
                return Ok(new.decision.number);
            }
        }
    }

    /// `false`: another decision has its number, or it is not the next one.
    async fn record_numbered(
        &self,
        new: NewDecision,
        event: Inbound,
        posts: Vec<NewPost>,
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        self.write_soon(move |tx| {
            Box::pin(async move {
                let NewDecision { session, decision, .. } = new;
                let last: Option<i64> =
                    sql_scalar!(
                        "SELECT max(n) FROM decision WHERE session_id = ?1",
                        session.as_str()
                    )
                        .fetch_one(&mut *tx)
                        .await?;
                let last = number(last)?;
                if decision.number != last.unwrap_or_default() + 1 {
                    return Ok(false);
                }
                inbound::record(tx, &event, at_ms).await?;
                sql!(
                    "INSERT INTO decision (id, session_id, n, guild_id, channel_id, thread_id, record, search_text,
                                           decided_ms, review_ms)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                    (
                        event.id.cast_signed(), session.as_str(), decision.number, new.guild.as_i64(),
                        new.channel.as_i64(), new.thread.as_i64(),
                        serde_json::to_string(&decision).map_err(corrupt)?, decision.search_text(), at_ms,
                        decision.review.map(|seconds| seconds.saturating_mul(1000)),
                    )
                )
                .execute(&mut *tx)
                .await?;
                if let Some(replaced) = last {
                    panel::changed(tx, &session, &record_key(replaced)).await?;
                }
                outbox::insert(tx, &session, &posts).await?;
                panel::open(tx, &session, &record_key(decision.number)).await?;
                card::outdated(tx, &session).await?;
                Ok(true)
            })
        })
        .await
    }

    /// A session's decision by its number.
    pub async fn decision(
        &self,
        session: &SessionId,
        number: u32,
    ) -> Result<Option<DecisionRow>, StoreError> {
        let row =
            sql!("SELECT * FROM decision_now WHERE session_id = ?1 AND n = ?2", (session.as_str(), number))
                .fetch_optional(&self.readers)
                .await?;
        row.as_ref().map(DecisionRow::read).transpose()
    }

    /// The newest decisions made in a channel that hold every one of the words, newest first, at most `most` of
    /// them, and how many there are. Words are looked for as parts of words, in whatever case; a channel's own
    /// decisions are all that is ever shown.
    pub async fn decisions(
        &self,
        guild: GuildId,
        channel: ChannelId,
        words: &str,
        most: u32,
    ) -> Result<(Vec<DecisionRow>, u64), StoreError> {
        let words = words.to_lowercase();
        let words: Vec<&str> = words.split_whitespace().collect();
        // instr, other than LIKE, takes every character as itself.
        let rows = sql!(
            "SELECT *, count(*) OVER () AS found FROM decision_now
             WHERE guild_id = ?1 AND channel_id = ?2
               AND NOT EXISTS (SELECT 1 FROM json_each(?3) AS word WHERE instr(search_text, word.value) = 0)
             ORDER BY decided_ms DESC, id DESC LIMIT ?4",
            (guild.as_i64(), channel.as_i64(), serde_json::to_string(&words).map_err(corrupt)?, most)
        )
        .fetch_all(&self.readers)
        .await?;
        let found = rows.first().map_or(0, |row| row.get::<i64, _>("found").unsigned_abs());
        Ok((self.unreadable.but("decision record", &rows, DecisionRow::read), found))
    }

    /// A session's decisions, the first first.
    pub async fn decisions_of(&self, session: &SessionId) -> Result<Vec<DecisionRow>, StoreError> {
        let rows = sql!("SELECT * FROM decision_now WHERE session_id = ?1 ORDER BY n", session.as_str())
            .fetch_all(&self.readers)
            .await?;
        Ok(self.unreadable.but("decision record", &rows, DecisionRow::read))
    }

    /// Says how a decision turned out, once for each event, and what that says of the experts who championed it. Of
    /// several events the newest counts, in whatever order they come.
    pub async fn decision_outcome(
        &self,
        number: u32,
        session: &SessionId,
        event: Inbound,
        outcome: Outcome,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let session = session.clone();
        self.write_soon(move |tx| {
            Box::pin(async move {
                inbound::record(tx, &event, at_ms).await?;
                let row = sql!(
                    "SELECT * FROM decision_now WHERE session_id = ?1 AND n = ?2",
                    (session.as_str(), number)
                )
                    .fetch_optional(&mut *tx)
                    .await?;
                let row = row.ok_or(StoreError::Missing("decision"))?;
                let mut decision = DecisionRow::read(&row)?.decision;
                decision.outcome = Some(outcome.clone());
                let changed = sql!(
                    "UPDATE decision SET outcome = ?3, outcome_text = ?4, outcome_by_id = ?5, outcome_by_name = ?6,
                                         outcome_event = ?7, outcome_ms = ?8, search_text = ?9
                     WHERE session_id = ?1 AND n = ?2 AND (outcome_event IS NULL OR outcome_event < ?7)",
                    (
                        session.as_str(), number, outcome.verdict.as_str(), outcome.text, outcome.by.as_i64(),
                        outcome.by_name, event.id.cast_signed(), at_ms, decision.search_text(),
                    )
                )
                .execute(&mut *tx)
                .await?;
                if changed.rows_affected() == 1 {
                    let guild = row.get("guild_id");
                    trust::note_on(tx, guild, &session, &by_outcome(&decision), at_ms).await?;
                    panel::changed(tx, &session, &record_key(number)).await?;
                    panel::changed(tx, &session, &review_key(number)).await?;
                    card::outdated(tx, &session).await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// Decisions whose review is due, nobody was asked, and nobody has said how they turned out. One that a later
    /// decision has replaced is not reviewed any more.
    pub async fn due_reviews(&self, now_ms: i64) -> Result<Vec<(SessionId, u32)>, StoreError> {
        let rows = sql!(
            "SELECT session_id, n FROM decision_now
             WHERE review_ms <= ?1 AND asked_ms IS NULL AND outcome IS NULL AND replaced_by IS NULL
               AND EXISTS (SELECT 1 FROM session WHERE session.id = decision_now.session_id)
             ORDER BY review_ms, id",
            now_ms
        )
        .fetch_all(&self.readers)
        .await?;
        let due = self.unreadable.but("review", &rows, |row| {
            Ok((row.try_get("session_id")?, number(row.try_get("n")?)?.unwrap_or_default()))
        });
        Ok(self.here(due, |(session, _)| session))
    }

    /// Asks how a decision turned out: notes that it was asked, with the posts that do it, once.
    pub async fn ask_review(
        &self,
        session: &SessionId,
        number: u32,
        posts: Vec<NewPost>,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                let asked = sql!(
                    "UPDATE decision SET asked_ms = ?3
                     WHERE session_id = ?1 AND n = ?2 AND asked_ms IS NULL AND outcome IS NULL",
                    (session.as_str(), number, at_ms)
                )
                .execute(&mut *tx)
                .await?;
                if asked.rows_affected() == 1 {
                    outbox::insert(tx, &session, &posts).await?;
                    panel::open(tx, &session, &review_key(number)).await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// Records that wait to be pinned, oldest first. One whose post was given up waits no more.
    pub async fn unpinned(&self) -> Result<Vec<Unpinned>, StoreError> {
        let rows = sql!(
            "SELECT d.session_id, d.n, d.thread_id, o.message_id FROM decision d
             JOIN outbox o ON o.session_id = d.session_id AND o.post_key = 'decision/' || d.n AND o.part = 0
             WHERE d.pin = 'wanted' AND o.state <> 'dead' ORDER BY d.id"
        )
        .fetch_all(&self.readers)
        .await?;
        let unpinned = self.unreadable.but("decision record", &rows, |row| {
            Ok(Unpinned {
                session: row.try_get("session_id")?,
                number: number(row.try_get("n")?)?.unwrap_or_default(),
                thread: ChannelId::from_i64(row.get("thread_id")),
                message: row.get::<Option<i64>, _>("message_id").map(MessageId::from_i64),
            })
        });
        Ok(self.here(unpinned, |record| &record.session))
    }

    /// Notes that a record is pinned, or why it never will be; its card then says so.
    pub async fn pinned(
        &self,
        session: &SessionId,
        number: u32,
        problem: Option<String>,
    ) -> Result<(), StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                sql!(
                    "UPDATE decision SET pin = iif(?3 IS NULL, 'done', 'refused'), pin_problem = ?3
                     WHERE session_id = ?1 AND n = ?2 AND pin = 'wanted'",
                    (session.as_str(), number, &problem)
                )
                .execute(&mut *tx)
                .await?;
                if problem.is_some() {
                    panel::changed(tx, &session, &record_key(number)).await?;
                }
                Ok(())
            })
        })
        .await
    }
}
