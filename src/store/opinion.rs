//! The two times at which a debate's team is asked what it thinks, from opening to count. The first ends when the
//! debate starts; the second like a vote: open, then closed (nothing is taken any more), then counted (the swing is
//! in the outbox), each a transaction that happens once.

use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};
use thiserror::Error;

use super::{Closing, NewPost, Settled, Store, StoreError, inbound, journal, outbox, panel};
use crate::domain::{Closed, Opinion, OpinionStage, OpinionState, OpinionVote, SessionId, UserId, VoteRules};

/// Key of the second asking's panel, and of the post that it is.
pub(super) const PANEL: &str = "opinion";
const HOUR_MS: i64 = 3_600_000;

/// One of the two askings as stored.
#[derive(Clone, Debug)]
pub struct OpinionRow {
    /// What people see of it.
    pub vote: OpinionVote,
    /// Its deadline, milliseconds since 1970; `None`: it closes with the start of the debate.
    pub deadline_ms: Option<i64>,
    /// What came of it is in the outbox.
    pub counted: bool,
}

/// Why an opinion, or the end of the asking, is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum OpinionRefusal {
    /// Nobody is asked: not yet, or not in this session.
    #[error("nobody is asked what they think")]
    Absent,
    /// The first asking is over, for the debate has started.
    #[error("the debate has started")]
    Started,
    /// The second asking is over.
    #[error("this asking is closed")]
    Over,
    /// They may not take part in it.
    #[error("this member is not asked")]
    Ineligible,
    /// The proposition was edited since they read it.
    #[error("the proposition was edited")]
    Reread,
}

impl Store {
    /// Settles the step that asks the team once more: the step, the asking, its panel and the panel's post in one
    /// transaction. Once; a step that is settled already opens nothing.
    pub async fn open_opinions(
        &self,
        session: &SessionId,
        settled: Settled,
        rules: VoteRules,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                if !journal::settle(tx, &session, None, &settled, at_ms).await? {
                    return Ok(());
                }
                let deadline_ms = opinion_deadline_ms(&rules, at_ms);
                let remind = deadline_ms - i64::from(rules.remind_hours) * HOUR_MS;
                let remind = Some(remind).filter(|at| rules.remind_hours > 0 && *at > at_ms);
                sqlx::query(
                    "INSERT INTO opinion_vote (session_id, stage, rules, opened_ms, deadline_ms, remind_ms)
                     VALUES (?1, 'after', ?2, ?3, ?4, ?5)",
                )
                .bind(session.as_str())
                .bind(json(&rules)?)
                .bind(at_ms)
                .bind(deadline_ms)
                .bind(remind)
                .execute(&mut *tx)
                .await?;
                panel::open(tx, &session, PANEL).await
            })
        })
        .await
    }

    /// One of a session's two askings, if it was opened.
    pub async fn opinions(
        &self,
        session: &SessionId,
        stage: OpinionStage,
    ) -> Result<Option<OpinionRow>, StoreError> {
        let mut reading = self.readers.begin().await?;
        let row = sqlx::query("SELECT * FROM opinion_vote WHERE session_id = ?1 AND stage = ?2")
            .bind(session.as_str())
            .bind(stage.as_str())
            .fetch_optional(&mut *reading)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let said = sqlx::query(
            "SELECT voter_id, opinion FROM opinion WHERE session_id = ?1 AND stage = ?2 ORDER BY voter_id",
        )
        .bind(session.as_str())
        .bind(stage.as_str())
        .fetch_all(&mut *reading)
        .await?;
        let ballots = said.iter().map(|said| {
            let opinion = Opinion::parse(said.get("opinion")).ok_or_else(|| corrupt("opinion"))?;
            Ok((UserId::from_i64(said.get("voter_id")), opinion))
        });
        let ballots = ballots.collect::<Result<_, StoreError>>()?;
        let deadline_ms: Option<i64> = row.get("deadline_ms");
        let deadline = deadline_ms.map(|ms| ms / 1000);
        let vote = OpinionVote { stage, rules: rules(&row)?, state: standing(&row), deadline, ballots };
        Ok(Some(OpinionRow { vote, deadline_ms, counted: row.get::<&str, _>("state") == "counted" }))
    }

    /// Closes the second asking, if it is open: for a deadline only once that has passed. [`OpinionRefusal::Over`]
    /// tells a person that it was closed before; `false` a deadline.
    pub async fn close_opinions(
        &self,
        session: &SessionId,
        closing: Closing,
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                match closing {
                    Closing::Deadline => close(tx, &session, "deadline", None, at_ms).await,
                    Closing::Person { event, by, by_name } => {
                        inbound::record(tx, &event, at_ms).await?;
                        if close(tx, &session, "person", Some((by, &by_name)), at_ms).await? {
                            return Ok(true);
                        }
                        let known = asking(tx, &session, OpinionStage::After).await?.is_some();
                        Err(if known { OpinionRefusal::Over } else { OpinionRefusal::Absent }.into())
                    }
                }
            })
        })
        .await
    }

    /// Puts the swing of a closed asking into the outbox, once. `false`: it was there already, or it is open.
    pub async fn count_opinions(&self, session: &SessionId, swing: Vec<NewPost>) -> Result<bool, StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                let counted = sqlx::query(
                    "UPDATE opinion_vote SET state = 'counted'
                     WHERE session_id = ?1 AND stage = 'after' AND state = 'closed'",
                )
                .bind(session.as_str())
                .execute(&mut *tx)
                .await?;
                if counted.rows_affected() == 0 {
                    return Ok(false);
                }
                outbox::insert(tx, &session, &swing).await?;
                panel::changed(tx, &session, PANEL).await?;
                Ok(true)
            })
        })
        .await
    }

    /// Puts the reminder of an open asking into the outbox, once.
    pub async fn remind_opinions(
        &self,
        session: &SessionId,
        reminder: Vec<NewPost>,
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                let due = sqlx::query(
                    "UPDATE opinion_vote SET remind_ms = NULL
                     WHERE session_id = ?1 AND state = 'open' AND remind_ms <= ?2 AND deadline_ms > ?2",
                )
                .bind(session.as_str())
                .bind(at_ms)
                .execute(&mut *tx)
                .await?;
                let reminder = if due.rows_affected() == 1 { &reminder[..] } else { &[] };
                outbox::insert(tx, &session, reminder).await?;
                Ok(due.rows_affected() == 1)
            })
        })
        .await
    }

    /// Open askings whose deadline has passed.
    pub async fn overdue_opinions(&self, now_ms: i64) -> Result<Vec<SessionId>, StoreError> {
        self.sessions_due(
            "SELECT session_id FROM opinion_vote WHERE state = 'open' AND deadline_ms <= ?1",
            now_ms,
        )
        .await
    }

    /// Open askings whose reminder is due.
    pub async fn opinions_to_remind(&self, now_ms: i64) -> Result<Vec<SessionId>, StoreError> {
        let due = "SELECT session_id FROM opinion_vote WHERE state = 'open' AND remind_ms <= ?1 AND deadline_ms > ?1";
        self.sessions_due(due, now_ms).await
    }

    /// Second askings that are closed and not counted, as a crash may leave them.
    pub async fn uncounted_opinions(&self) -> Result<Vec<SessionId>, StoreError> {
        let closed = "SELECT session_id FROM opinion_vote
                      WHERE state = 'closed' AND stage = 'after' AND closed_ms >= ?1";
        self.sessions_due(closed, 0).await
    }
}

/// When an asking with these rules ends that opens at `at_ms`, milliseconds since 1970.
#[must_use]
pub fn opinion_deadline_ms(rules: &VoteRules, at_ms: i64) -> i64 {
    at_ms + i64::from(rules.hours.max(1)) * HOUR_MS
}

/// Opens the first asking with the proposition, inside the transaction that opens the wait for it. One that was
/// opened before goes on with what was said in it.
pub(super) async fn ask_before(
    tx: &mut SqliteConnection,
    session: &SessionId,
    rules: &VoteRules,
    at_ms: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO opinion_vote (session_id, stage, rules, opened_ms) VALUES (?1, 'before', ?2, ?3)
         ON CONFLICT DO NOTHING",
    )
    .bind(session.as_str())
    .bind(json(rules)?)
    .bind(at_ms)
    .execute(tx)
    .await?;
    Ok(())
}

/// Closes the first asking because the debate starts, inside the transaction that starts it.
pub(super) async fn started(
    tx: &mut SqliteConnection,
    session: &SessionId,
    at_ms: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE opinion_vote SET state = 'closed', closed_ms = ?2, closed_why = 'start'
         WHERE session_id = ?1 AND stage = 'before' AND state = 'open'",
    )
    .bind(session.as_str())
    .bind(at_ms)
    .execute(tx)
    .await?;
    Ok(())
}

/// Forgets what was said to a question that is another one now. Nothing is forgotten once the debate has started.
pub(super) async fn forget(tx: &mut SqliteConnection, session: &SessionId) -> Result<(), StoreError> {
    sqlx::query(
        "DELETE FROM opinion WHERE session_id = ?1 AND stage = 'before'
         AND (SELECT state FROM opinion_vote WHERE session_id = ?1 AND stage = 'before') = 'open'",
    )
    .bind(session.as_str())
    .execute(tx)
    .await?;
    Ok(())
}

/// Takes a second asking back that nobody has seen, because its panel was dropped unsent: it would remind of itself
/// and post a swing.
pub(super) async fn unseen(tx: &mut SqliteConnection, session: &SessionId) -> Result<(), StoreError> {
    sqlx::query(
        "DELETE FROM opinion_vote WHERE session_id = ?1 AND stage = 'after' AND EXISTS (
            SELECT 1 FROM outbox WHERE session_id = ?1 AND post_key = ?2 AND part = 0 AND state = 'dead')",
    )
    .bind(session.as_str())
    .bind(PANEL)
    .execute(tx)
    .await?;
    Ok(())
}

/// What decides whether an opinion is taken.
pub(super) struct Asking {
    pub(super) rules: VoteRules,
    pub(super) open: bool,
    /// `None`: none.
    pub(super) deadline_ms: Option<i64>,
}

/// Rules and state of one of the askings, inside a transaction.
pub(super) async fn asking(
    tx: &mut SqliteConnection,
    session: &SessionId,
    stage: OpinionStage,
) -> Result<Option<Asking>, StoreError> {
    let row = sqlx::query(
        "SELECT rules, state, deadline_ms FROM opinion_vote WHERE session_id = ?1 AND stage = ?2",
    )
    .bind(session.as_str())
    .bind(stage.as_str())
    .fetch_optional(tx)
    .await?;
    row.map(|row| {
        let open = row.get::<&str, _>("state") == "open";
        Ok(Asking { rules: rules(&row)?, open, deadline_ms: row.get("deadline_ms") })
    })
    .transpose()
}

/// Closes the second asking inside a transaction; `false` if it is not open, or its deadline has not passed.
pub(super) async fn close(
    tx: &mut SqliteConnection,
    session: &SessionId,
    why: &str,
    by: Option<(UserId, &str)>,
    at_ms: i64,
) -> Result<bool, StoreError> {
    let closed = sqlx::query(
        "UPDATE opinion_vote SET state = 'closed', closed_ms = ?2, closed_why = ?3, closed_by_id = ?4,
                                 closed_by_name = ?5, remind_ms = NULL
         WHERE session_id = ?1 AND stage = 'after' AND state = 'open' AND (?3 <> 'deadline' OR deadline_ms <= ?2)",
    )
    .bind(session.as_str())
    .bind(at_ms)
    .bind(why)
    .bind(by.map(|(id, _)| id.as_i64()))
    .bind(by.map(|(_, name)| name))
    .execute(&mut *tx)
    .await?;
    if closed.rows_affected() == 1 {
        panel::changed(tx, session, PANEL).await?;
    }
    Ok(closed.rows_affected() == 1)
}

fn standing(row: &SqliteRow) -> OpinionState {
    match row.get::<Option<&str>, _>("closed_why") {
        None => OpinionState::Open,
        Some("start") => OpinionState::Started,
        Some("everyone") => OpinionState::Closed(Closed::Everyone),
        Some("person") => OpinionState::Closed(Closed::Person(
            row.get::<Option<String>, _>("closed_by_name").unwrap_or_default(),
        )),
        Some(_) => OpinionState::Closed(Closed::Deadline),
    }
}

fn rules(row: &SqliteRow) -> Result<VoteRules, StoreError> {
    serde_json::from_str(row.get("rules")).map_err(corrupt)
}

fn json(rules: &VoteRules) -> Result<String, StoreError> {
    serde_json::to_string(rules).map_err(corrupt)
}

fn corrupt(what: impl ToString) -> StoreError {
    StoreError::Corrupt(what.to_string())
}
