//! Ballots, of whatever kind. One a member and vote, and the newest of their presses counts, in whatever order they
//! arrive and however often.

use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use super::{
    Inbound, Store, StoreError, VoteRefusal, inbound, panel, session, solution,
    vote::{Taking, json, parsed, taking},
    vote_end::close,
};
use crate::statement::{sql, sql_scalar};
use domain::{
    Allocation, Ballot, BallotChoice, Electorate, RoleId, SessionId, SessionState, StepKey, UserId, VoteKind,
};

/// A ballot to be cast.
#[derive(Clone, Debug)]
pub struct NewBallot {
    /// The press or form, with what is said when it counts.
    pub event: Inbound,
    /// What is said when a newer press counts already.
    pub older: String,
    /// Whose it is.
    pub voter: UserId,
    /// The name they go by.
    pub voter_name: String,
    /// The roles they have.
    pub roles: Vec<RoleId>,
    /// What it says. Points are for the first solutions there are; the others get none.
    pub choice: BallotChoice,
    /// The edit they had before them of what the session waits for, 0 if none; only such votes look at it.
    pub revision: i64,
}

/// What became of a ballot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cast {
    /// It counts.
    Counts,
    /// It counts, and with it everyone has voted: the vote is closed.
    Last,
    /// A newer one of theirs counts already.
    Older,
}

impl Store {
    /// Casts a ballot, once for each event. Closes a vote that has a deadline if it was the last of a named electorate.
    pub async fn cast(
        &self,
        session: &SessionId,
        key: &StepKey,
        ballot: NewBallot,
        at_ms: i64,
    ) -> Result<Cast, StoreError> {
        let (session, key) = (session.clone(), key.clone());
        self.write(move |tx| {
            Box::pin(async move {
                let at = (&session, &key);
                if !newest(tx, at, &ballot, at_ms).await? {
                    return Ok(Cast::Older);
                }
                let taking = admitted(tx, at, (ballot.voter, &ballot.roles), ballot.revision, at_ms).await?;
                let choice = match (taking.kind, &ballot.choice) {
                    (VoteKind::Points, BallotChoice::Points(allocation)) => {
                        let there_are = solution::all(tx, at).await?.len();
                        let points = allocation.points();
                        if points.iter().skip(there_are).any(|points| *points > 0) {
                            return Err(VoteRefusal::Unknown(there_are).into());
                        }
                        json(&&points[..points.len().min(there_are)])?
                    }
                    (VoteKind::Opinion, BallotChoice::Opinion(opinion)) => json(opinion)?,
                    _ => return Err(VoteRefusal::Absent.into()),
                };
                sql!(
                    "INSERT INTO ballot (session_id, key, voter_id, voter_name, choice, event_id, at_ms)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                     ON CONFLICT (session_id, key, voter_id) DO UPDATE
                     SET voter_name = excluded.voter_name, choice = excluded.choice, event_id = excluded.event_id,
                         at_ms = excluded.at_ms",
                    (
                        session.as_str(), key.as_str(), ballot.voter.as_i64(), &ballot.voter_name, choice,
                        ballot.event.id.cast_signed(), at_ms,
                    )
                )
                .execute(&mut *tx)
                .await?;
                panel::changed(tx, &session, key.as_str()).await?;
                let last = all_have_voted(tx, at, &taking.rules.electorate).await?
                    && close(tx, at, "everyone", None, at_ms).await?;
                Ok(if last { Cast::Last } else { Cast::Counts })
            })
        })
        .await
    }
}

/// Records the event. `false`: a newer one of theirs counts already, and that is what was recorded.
async fn newest(
    tx: &mut SqliteConnection,
    (session, key): (&SessionId, &StepKey),
    ballot: &NewBallot,
    at_ms: i64,
) -> Result<bool, StoreError> {
    let counts: Option<i64> = sql_scalar!(
        "SELECT event_id FROM ballot WHERE session_id = ?1 AND key = ?2 AND voter_id = ?3",
        (session.as_str(), key.as_str(), ballot.voter.as_i64())
    )
    .fetch_optional(&mut *tx)
    .await?;
    let newest = counts.is_none_or(|counts| counts <= ballot.event.id.cast_signed());
    let mut event = ballot.event.clone();
    if !newest {
        event.effect.clone_from(&ballot.older);
    }
    inbound::record(tx, &event, at_ms).await?;
    Ok(newest)
}

/// The vote, if it is open and takes this member's part at this moment.
pub(super) async fn admitted(
    tx: &mut SqliteConnection,
    at: (&SessionId, &StepKey),
    (member, roles): (UserId, &[RoleId]),
    revision: i64,
    at_ms: i64,
) -> Result<Taking, StoreError> {
    let taking = taking(tx, at).await?.ok_or(VoteRefusal::Absent)?;
    // Past its deadline it is over, whether or not that has been written down yet.
    if !taking.open || taking.deadline_ms.is_some_and(|deadline| at_ms >= deadline) {
        return Err(VoteRefusal::Over.into());
    }
    if taking.deadline_ms.is_none() {
        still_waits(tx, at, revision, at_ms).await?;
    }
    if !taking.rules.electorate.admits(member, roles) {
        return Err(VoteRefusal::Ineligible.into());
    }
    Ok(taking)
}

/// Refuses a ballot if its session no longer waits under the vote's key, or waits for something else than was read.
async fn still_waits(
    tx: &mut SqliteConnection,
    (session, key): (&SessionId, &StepKey),
    revision: i64,
    at_ms: i64,
) -> Result<(), StoreError> {
    session::allowed(tx, session, &[SessionState::Waiting]).await?;
    let row = sql!(
        "SELECT draft_event, deadline_ms FROM wait WHERE session_id = ?1 AND key = ?2 AND value IS NULL",
        (session.as_str(), key.as_str())
    )
    .fetch_optional(tx)
    .await?;
    let Some(row) = row else { return Err(VoteRefusal::Absent.into()) };
    if row.get::<i64, _>("deadline_ms") <= at_ms {
        return Err(StoreError::NotRunning("overdue".to_owned()));
    }
    if row.get::<Option<i64>, _>("draft_event").unwrap_or_default() != revision {
        return Err(VoteRefusal::Reread.into());
    }
    Ok(())
}

/// Whether everyone has voted, where it is known who that is.
async fn all_have_voted(
    tx: &mut SqliteConnection,
    (session, key): (&SessionId, &StepKey),
    electorate: &Electorate,
) -> Result<bool, StoreError> {
    let Some(size) = electorate.size() else { return Ok(false) };
    let voted: i64 = sql_scalar!(
        "SELECT count(*) FROM ballot WHERE session_id = ?1 AND key = ?2",
        (session.as_str(), key.as_str())
    )
    .fetch_one(tx)
    .await?;
    Ok(usize::try_from(voted).is_ok_and(|voted| voted >= size))
}

/// A vote's ballots, inside a transaction. Points have a place for each of so many solutions.
pub(super) async fn all(
    tx: &mut SqliteConnection,
    (session, key): (&SessionId, &StepKey),
    kind: VoteKind,
    solutions: usize,
) -> Result<Vec<Ballot>, StoreError> {
    let rows = sql!(
        "SELECT voter_id, voter_name, choice FROM ballot WHERE session_id = ?1 AND key = ?2 ORDER BY voter_id",
        (session.as_str(), key.as_str())
    )
    .fetch_all(tx)
    .await?;
    let ballots = rows.iter().map(|row| {
        Ok(Ballot {
            voter: UserId::from_i64(row.get("voter_id")),
            voter_name: row.get("voter_name"),
            choice: choice(row, kind, solutions)?,
        })
    });
    ballots.collect()
}

fn choice(row: &SqliteRow, kind: VoteKind, solutions: usize) -> Result<BallotChoice, StoreError> {
    match kind {
        VoteKind::Points => {
            let mut points: Vec<u32> = parsed(row, "choice")?;
            // Those that were proposed since have none.
            points.resize(solutions, 0);
            let allocation = Allocation::exact(points, solutions);
            allocation.map(BallotChoice::Points).map_err(|error| StoreError::Corrupt(error.to_string()))
        }
        VoteKind::Opinion => parsed(row, "choice").map(BallotChoice::Opinion),
    }
}
