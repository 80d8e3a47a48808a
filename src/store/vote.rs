//! Votes from their opening to their count. A vote is open, then closed (its ballots are frozen), then counted (its
//! result is in the outbox); each step is one transaction that happens once, whoever asks for it how often.

use serde::de::DeserializeOwned;
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};
use thiserror::Error;

use super::{Inbound, NewPost, Settled, Store, StoreError, inbound, journal, outbox, panel};
use crate::domain::{
    Allocation, Ballot, Closed, ExpertPoints, SessionId, Solution, SolutionId, UserId, Vote, VoteRules,
    VoteState,
};

/// Key of a vote's panel, and of the post that it is.
pub(super) const PANEL: &str = "vote";
const HOUR_MS: i64 = 3_600_000;

/// A vote to be opened.
#[derive(Clone, Debug)]
pub struct NewVote {
    /// What is to be decided, short.
    pub question: String,
    /// How it is held.
    pub rules: VoteRules,
    /// The experts' solutions, 1 to 10 in the order of their ids.
    pub solutions: Vec<Solution>,
    /// The experts' points.
    pub experts: Vec<ExpertPoints>,
}

impl NewVote {
    /// When a vote with these rules ends that opens at `at_ms`, milliseconds since 1970.
    #[must_use]
    pub fn deadline_ms(&self, at_ms: i64) -> i64 {
        at_ms + i64::from(self.rules.hours.max(1)) * HOUR_MS
    }
}

/// A vote as stored.
#[derive(Clone, Debug)]
pub struct VoteRow {
    /// What people see of it.
    pub vote: Vote,
    /// Its deadline, milliseconds since 1970.
    pub deadline_ms: i64,
    /// Its result is in the outbox.
    pub counted: bool,
    /// Who proposed what, by solution.
    pub proposers: Vec<(SolutionId, UserId)>,
}

/// Why a vote is closed.
#[derive(Clone, Debug)]
pub enum Closing {
    /// Its deadline has passed.
    Deadline,
    /// Somebody wants it closed.
    Person {
        /// The press.
        event: Inbound,
        /// Who.
        by: UserId,
        /// The name they go by.
        by_name: String,
    },
}

/// Why a vote does not take a ballot, a solution or its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum VoteRefusal {
    /// The session has none.
    #[error("there is no vote")]
    Absent,
    /// No more ballots are taken.
    #[error("the vote is closed")]
    Over,
    /// They may not vote in it.
    #[error("this member may not vote")]
    Ineligible,
    /// A solution says the same.
    #[error("{0} says the same")]
    Same(SolutionId),
    /// There are ten solutions.
    #[error("there are ten solutions")]
    Full,
    /// A ballot for solutions that do not exist.
    #[error("there are only {0} solutions")]
    Unknown(usize),
}

impl Store {
    /// Settles the step that opens a session's vote: the step, the vote, its solutions, its panel and the panel's
    /// post in one transaction. Once; a step that is settled already opens nothing.
    pub async fn open_vote(
        &self,
        session: &SessionId,
        settled: Settled,
        vote: NewVote,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                if !journal::settle(tx, &session, None, &settled, at_ms).await? {
                    return Ok(());
                }
                let deadline_ms = vote.deadline_ms(at_ms);
                let remind = deadline_ms - i64::from(vote.rules.remind_hours) * HOUR_MS;
                let remind = Some(remind).filter(|at| vote.rules.remind_hours > 0 && *at > at_ms);
                sqlx::query(
                    "INSERT INTO vote (session_id, question, rules, experts, opened_ms, deadline_ms, remind_ms)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                )
                .bind(session.as_str())
                .bind(&vote.question)
                .bind(json(&vote.rules)?)
                .bind(json(&vote.experts)?)
                .bind(at_ms)
                .bind(deadline_ms)
                .bind(remind)
                .execute(&mut *tx)
                .await?;
                for solution in &vote.solutions {
                    insert_solution(tx, &session, solution, None).await?;
                }
                panel::open(tx, &session, PANEL).await
            })
        })
        .await
    }

    /// A session's vote, if it has one.
    pub async fn vote(&self, session: &SessionId) -> Result<Option<VoteRow>, StoreError> {
        // One snapshot for all tables: a solution proposed in between would fit no ballot.
        let mut reading = self.readers.begin().await?;
        read(&mut reading, session).await
    }

    /// Closes a vote, if it is open: for a deadline only once that has passed. [`VoteRefusal::Over`] tells a person
    /// that it was closed before; `false` a deadline.
    pub async fn close_vote(
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
                        let known = voting(tx, &session).await?.is_some();
                        Err(if known { VoteRefusal::Over } else { VoteRefusal::Absent }.into())
                    }
                }
            })
        })
        .await
    }

    /// Puts the result of a closed vote into the outbox, once. `false`: it was there already, or the vote is open.
    pub async fn count_vote(&self, session: &SessionId, result: Vec<NewPost>) -> Result<bool, StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                let counted = sqlx::query(
                    "UPDATE vote SET state = 'counted' WHERE session_id = ?1 AND state = 'closed'",
                )
                .bind(session.as_str())
                .execute(&mut *tx)
                .await?;
                if counted.rows_affected() == 0 {
                    return Ok(false);
                }
                outbox::insert(tx, &session, &result).await?;
                panel::changed(tx, &session, PANEL).await?;
                Ok(true)
            })
        })
        .await
    }

    /// Puts the reminder of an open vote into the outbox, once.
    pub async fn remind_vote(
        &self,
        session: &SessionId,
        reminder: Vec<NewPost>,
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                let due = sqlx::query(
                    "UPDATE vote SET remind_ms = NULL
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

    /// Open votes whose deadline has passed.
    pub async fn overdue_votes(&self, now_ms: i64) -> Result<Vec<SessionId>, StoreError> {
        self.sessions_due("SELECT session_id FROM vote WHERE state = 'open' AND deadline_ms <= ?1", now_ms)
            .await
    }

    /// Open votes whose reminder is due.
    pub async fn votes_to_remind(&self, now_ms: i64) -> Result<Vec<SessionId>, StoreError> {
        let due = "SELECT session_id FROM vote WHERE state = 'open' AND remind_ms <= ?1 AND deadline_ms > ?1";
        self.sessions_due(due, now_ms).await
    }

    /// Votes that are closed and not counted, as a crash may leave them.
    pub async fn uncounted_votes(&self) -> Result<Vec<SessionId>, StoreError> {
        self.sessions_due("SELECT session_id FROM vote WHERE state = 'closed' AND closed_ms >= ?1", 0).await
    }

    /// The sessions that a query about a moment finds.
    pub(super) async fn sessions_due(
        &self,
        query: &'static str,
        now_ms: i64,
    ) -> Result<Vec<SessionId>, StoreError> {
        let names: Vec<String> = sqlx::query_scalar(query).bind(now_ms).fetch_all(&self.readers).await?;
        names.iter().map(|name| SessionId::parse(name).ok_or(StoreError::Missing("session"))).collect()
    }

    /// The next moment after `now_ms` at which something is due by itself: the reminder or end of a vote or of an
    /// asking for opinions, or the end of a wait.
    pub async fn next_deadline(&self, now_ms: i64) -> Result<Option<i64>, StoreError> {
        let next = sqlx::query_scalar(
            "SELECT min(at) FROM (
                SELECT deadline_ms AS at FROM vote WHERE state = 'open'
                UNION ALL SELECT remind_ms FROM vote WHERE state = 'open' AND remind_ms IS NOT NULL
                UNION ALL SELECT deadline_ms FROM opinion_vote WHERE state = 'open' AND deadline_ms IS NOT NULL
                UNION ALL SELECT remind_ms FROM opinion_vote WHERE state = 'open' AND remind_ms IS NOT NULL
                UNION ALL SELECT deadline_ms FROM wait WHERE value IS NULL
             ) WHERE at > ?1",
        );
        Ok(next.bind(now_ms).fetch_one(&self.readers).await?)
    }
}

/// What decides whether a vote takes a ballot.
pub(super) struct Voting {
    pub(super) rules: VoteRules,
    pub(super) open: bool,
    pub(super) deadline_ms: i64,
}

/// A vote's rules and state, inside a transaction.
pub(super) async fn voting(
    tx: &mut SqliteConnection,
    session: &SessionId,
) -> Result<Option<Voting>, StoreError> {
    let row = sqlx::query("SELECT rules, state, deadline_ms FROM vote WHERE session_id = ?1")
        .bind(session.as_str())
        .fetch_optional(tx)
        .await?;
    row.map(|row| {
        let open = row.get::<&str, _>("state") == "open";
        Ok(Voting { rules: parsed(&row, "rules")?, open, deadline_ms: row.get("deadline_ms") })
    })
    .transpose()
}

/// Closes an open vote inside a transaction; `false` if it is not open, or its deadline has not passed.
pub(super) async fn close(
    tx: &mut SqliteConnection,
    session: &SessionId,
    why: &str,
    by: Option<(UserId, &str)>,
    at_ms: i64,
) -> Result<bool, StoreError> {
    let closed = sqlx::query(
        "UPDATE vote SET state = 'closed', closed_ms = ?2, closed_why = ?3, closed_by_id = ?4, closed_by_name = ?5,
                         remind_ms = NULL
         WHERE session_id = ?1 AND state = 'open' AND (?3 <> 'deadline' OR deadline_ms <= ?2)",
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

pub(super) async fn insert_solution(
    tx: &mut SqliteConnection,
    session: &SessionId,
    solution: &Solution,
    proposer: Option<UserId>,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO solution (session_id, n, title, description, raised_by, proposer_id)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )
    .bind(session.as_str())
    .bind(solution.id.0)
    .bind(&solution.title)
    .bind(&solution.description)
    .bind(json(&solution.raised_by)?)
    .bind(proposer.map(UserId::as_i64))
    .execute(tx)
    .await?;
    Ok(())
}

/// A vote's solutions in order, those that members proposed with who did, inside a transaction.
pub(super) async fn solutions(
    tx: &mut SqliteConnection,
    session: &SessionId,
) -> Result<Vec<(Solution, Option<UserId>)>, StoreError> {
    let rows = sqlx::query("SELECT * FROM solution WHERE session_id = ?1 ORDER BY n")
        .bind(session.as_str())
        .fetch_all(tx)
        .await?;
    rows.iter()
        .map(|row| {
            let proposer = row.get::<Option<i64>, _>("proposer_id").map(UserId::from_i64);
            let solution = Solution {
                id: SolutionId(row.get("n")),
                title: row.get("title"),
                description: row.get("description"),
                raised_by: parsed(row, "raised_by")?,
                proposed: proposer.is_some(),
            };
            Ok((solution, proposer))
        })
        .collect()
}

async fn read(tx: &mut SqliteConnection, session: &SessionId) -> Result<Option<VoteRow>, StoreError> {
    let row = sqlx::query("SELECT * FROM vote WHERE session_id = ?1")
        .bind(session.as_str())
        .fetch_optional(&mut *tx)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let raised = solutions(tx, session).await?;
    let rows = sqlx::query(
        "SELECT voter_id, voter_name, points FROM ballot WHERE session_id = ?1 ORDER BY voter_id",
    )
    .bind(session.as_str())
    .fetch_all(tx)
    .await?;
    let ballots = rows.iter().map(|row| {
        let mut points: Vec<u32> = parsed(row, "points")?;
        // Those that were proposed since have none.
        points.resize(raised.len(), 0);
        Ok(Ballot {
            voter: UserId::from_i64(row.get("voter_id")),
            voter_name: row.get("voter_name"),
            allocation: Allocation::exact(points, raised.len()).map_err(corrupt)?,
        })
    });
    let ballots = ballots.collect::<Result<_, StoreError>>()?;
    let state = match row.get::<Option<&str>, _>("closed_why") {
        None => VoteState::Open,
        Some("everyone") => VoteState::Closed(Closed::Everyone),
        Some("person") => VoteState::Closed(Closed::Person(row.get("closed_by_name"))),
        Some(_) => VoteState::Closed(Closed::Deadline),
    };
    let deadline_ms: i64 = row.get("deadline_ms");
    let proposers = raised.iter().filter_map(|(solution, by)| Some((solution.id, (*by)?))).collect();
    let vote = Vote {
        question: row.get("question"),
        solutions: raised.into_iter().map(|(solution, _)| solution).collect(),
        experts: parsed(&row, "experts")?,
        rules: parsed(&row, "rules")?,
        state,
        deadline: deadline_ms / 1000,
        ballots,
    };
    let counted = row.get::<&str, _>("state") == "counted";
    Ok(Some(VoteRow { vote, deadline_ms, counted, proposers }))
}

fn json(value: &impl serde::Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(corrupt)
}

fn parsed<T: DeserializeOwned>(row: &SqliteRow, column: &str) -> Result<T, StoreError> {
    serde_json::from_str(row.get(column)).map_err(corrupt)
}

fn corrupt(error: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt(error.to_string())
}
