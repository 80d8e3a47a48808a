//! Votes of whatever kind: their opening, and how they are read. A vote is open, then closed (its ballots are frozen), then
//! counted (its result is in the outbox); each step is one transaction that happens once, whoever asks for it how
//! often. Its key is that of the panel that shows it. One that is held while its session waits for people has no
//! deadline: it lives with the wait of the same key, and has no result of its own.

use serde::de::DeserializeOwned;
use sqlx::{Connection as _, Row, SqliteConnection, sqlite::SqliteRow};
use thiserror::Error;

use super::{Settled, Store, StoreError, ballot, journal, panel, solution, trust};
use crate::statement::sql;
use domain::{
    Champion, Closed, ExpertPoints, Moved, SessionId, Solution, SolutionId, StepKey, Vote, VoteKind,
    VoteRules, VoteState,
};

const HOUR_MS: i64 = 3_600_000;

/// A vote to be opened.
#[derive(Clone, Debug, Default)]
pub struct NewVote {
    /// What its ballots say.
    pub kind: VoteKind,
    /// What is to be decided, short.
    pub question: String,
    /// How it is held.
    pub rules: VoteRules,
    /// What points are given to: the experts' solutions, 1 to 10 in the order of their ids.
    pub solutions: Vec<Solution>,
    /// The experts' points.
    pub experts: Vec<ExpertPoints>,
    /// The earlier vote on the same question that this one asks again.
    pub repeats: Option<StepKey>,
    /// Which experts stood for which solutions, where it is kept how their advice turns out.
    pub champions: Vec<Champion>,
    /// What the session came to, in a few sentences; its step keeps it.
    pub came_out: String,
    /// What the session says of its experts before anybody votes.
    pub moved: Vec<Moved>,
}

impl NewVote {
    /// When it ends if it opens at `at_ms`, milliseconds since 1970.
    #[must_use]
    pub fn deadline_ms(&self, at_ms: i64) -> i64 {
        at_ms + i64::from(self.rules.hours.max(1)) * HOUR_MS
    }
}

/// A vote as stored.
#[derive(Clone, Debug)]
pub struct VoteRow {
    /// Its step, and its panel.
    pub key: StepKey,
    /// What people see of it.
    pub vote: Vote,
    /// Its deadline, milliseconds since 1970; `None`: it closes when what its session waits for goes on.
    pub deadline_ms: Option<i64>,
    /// Its result is in the outbox.
    pub counted: bool,
}

/// Why a vote does not take a ballot, a solution or its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum VoteRefusal {
    /// The session has none, or not of this kind.
    #[error("there is no vote")]
    Absent,
    /// No more ballots are taken.
    #[error("the vote is closed")]
    Over,
    /// They may not vote in it.
    #[error("this member may not vote")]
    Ineligible,
    /// What the session waits for was edited since they read it.
    #[error("it was edited")]
    Reread,
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
    /// Settles the step that opens a vote: the step, the vote, what is voted on, its panel and the panel's post in one
    /// transaction. Once; a step that is settled already opens nothing.
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
                insert(tx, (&session, &settled.key), &vote, at_ms, Some(deadline_ms)).await?;
                solution::insert(tx, (&session, &settled.key), &vote.solutions, None).await?;
                trust::note(tx, &session, &vote.moved, at_ms).await?;
                panel::open(tx, &session, settled.key.as_str()).await
            })
        })
        .await
    }

    /// A vote, if it was opened.
    pub async fn vote(&self, session: &SessionId, key: &StepKey) -> Result<Option<VoteRow>, StoreError> {
        // One snapshot for all tables: a solution proposed in between would fit no ballot.
        let mut reader = self.readers.one().await;
        let mut reading = reader.begin().await?;
        let row =
            sql!("SELECT * FROM vote WHERE session_id = ?1 AND key = ?2", (session.as_str(), key.as_str()))
                .fetch_optional(&mut *reading)
                .await?;
        read(&mut reading, session, row).await
    }

    /// The vote that what a session came to is decided on: the last that has a result of its own.
    pub async fn deciding_vote(&self, session: &SessionId) -> Result<Option<VoteRow>, StoreError> {
        let mut reader = self.readers.one().await;
        let mut reading = reader.begin().await?;
        let row = sql!(
            "SELECT * FROM vote WHERE session_id = ?1 AND deadline_ms IS NOT NULL ORDER BY opened_ms DESC LIMIT 1",
            session.as_str()
        )
        .fetch_optional(&mut *reading)
        .await?;
        read(&mut reading, session, row).await
    }
}

/// Opens a vote with the wait of the same key, inside the transaction that opens that. One that was opened before goes
/// on, with its rules and its ballots.
pub(super) async fn open_in(
    tx: &mut SqliteConnection,
    at: (&SessionId, &StepKey),
    vote: &NewVote,
    at_ms: i64,
) -> Result<(), StoreError> {
    insert(tx, at, vote, at_ms, None).await
}

/// Forgets the ballots of an open vote if its question is another one now, inside the transaction that changes that.
pub(super) async fn reword_in(
    tx: &mut SqliteConnection,
    (session, key): (&SessionId, &StepKey),
    question: &str,
) -> Result<(), StoreError> {
    let reworded = sql!(
        "UPDATE vote SET question = ?3 WHERE session_id = ?1 AND key = ?2 AND state = 'open' AND question <> ?3",
        (session.as_str(), key.as_str(), question)
    )
    .execute(&mut *tx)
    .await?;
    if reworded.rows_affected() == 1 {
        sql!("DELETE FROM ballot WHERE session_id = ?1 AND key = ?2", (session.as_str(), key.as_str()))
            .execute(tx)
            .await?;
    }
    Ok(())
}

/// What decides whether a vote takes a ballot.
pub(super) struct Taking {
    pub(super) kind: VoteKind,
    pub(super) rules: VoteRules,
    pub(super) open: bool,
    pub(super) deadline_ms: Option<i64>,
}

/// A vote's rules and state, inside a transaction.
pub(super) async fn taking(
    tx: &mut SqliteConnection,
    (session, key): (&SessionId, &StepKey),
) -> Result<Option<Taking>, StoreError> {
    let row = sql!(
        "SELECT kind, rules, state, deadline_ms FROM vote WHERE session_id = ?1 AND key = ?2",
        (session.as_str(), key.as_str())
    )
    .fetch_optional(tx)
    .await?;
    row.map(|row| {
        let open = row.get::<&str, _>("state") == "open";
        Ok(Taking {
            kind: kind(&row)?,
            rules: parsed(&row, "rules")?,
            open,
            deadline_ms: row.get("deadline_ms"),
        })
    })
    .transpose()
}

async fn insert(
    tx: &mut SqliteConnection,
    (session, key): (&SessionId, &StepKey),
    vote: &NewVote,
    at_ms: i64,
    deadline_ms: Option<i64>,
) -> Result<(), StoreError> {
    let remind = deadline_ms.map(|deadline| deadline - i64::from(vote.rules.remind_hours) * HOUR_MS);
    let remind = remind.filter(|at| vote.rules.remind_hours > 0 && *at > at_ms);
    sql!(
        "INSERT INTO vote (session_id, key, kind, question, rules, experts, repeats, opened_ms, deadline_ms, remind_ms,
                           champions)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT DO NOTHING",
        (
            session.as_str(), key.as_str(), vote.kind.as_str(), &vote.question, json(&vote.rules)?,
            json(&vote.experts)?, vote.repeats.as_ref().map(StepKey::as_str), at_ms, deadline_ms, remind,
            json(&vote.champions)?,
        )
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn read(
    tx: &mut SqliteConnection,
    session: &SessionId,
    row: Option<SqliteRow>,
) -> Result<Option<VoteRow>, StoreError> {
    let Some(row) = row else { return Ok(None) };
    let (key, kind) = (StepKey::from(row.get::<&str, _>("key")), kind(&row)?);
    let raised = solution::all(tx, (session, &key)).await?;
    let ballots = ballot::all(tx, (session, &key), kind, raised.len()).await?;
    let earlier = match row.get::<Option<String>, _>("repeats").map(StepKey::new) {
        Some(earlier) => ballot::all(tx, (session, &earlier), kind, raised.len()).await?,
        None => Vec::new(),
    };
    let state = match row.get::<Option<&str>, _>("closed_why") {
        None => VoteState::Open,
        Some("everyone") => VoteState::Closed(Closed::Everyone),
        Some("person") => VoteState::Closed(Closed::Person(
            row.get::<Option<String>, _>("closed_by_name").unwrap_or_default(),
        )),
        Some("start") => VoteState::Closed(Closed::Start),
        Some(_) => VoteState::Closed(Closed::Deadline),
    };
    let deadline_ms: Option<i64> = row.get("deadline_ms");
    let vote = Vote {
        kind,
        question: row.get("question"),
        solutions: raised,
        experts: parsed(&row, "experts")?,
        champions: parsed(&row, "champions")?,
        rules: parsed(&row, "rules")?,
        state,
        deadline: deadline_ms.map(|ms| ms / 1000),
        ballots,
        earlier,
    };
    let counted = row.get::<&str, _>("state") == "counted";
    Ok(Some(VoteRow { key, vote, deadline_ms, counted }))
}

fn kind(row: &SqliteRow) -> Result<VoteKind, StoreError> {
    let kind = row.get("kind");
    VoteKind::parse(kind).ok_or_else(|| StoreError::Corrupt(format!("vote of kind {kind}")))
}

pub(super) fn json(value: &impl serde::Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Corrupt(error.to_string()))
}

pub(super) fn parsed<T: DeserializeOwned>(row: &SqliteRow, column: &str) -> Result<T, StoreError> {
    serde_json::from_str(row.get(column)).map_err(|error| StoreError::Corrupt(error.to_string()))
}
