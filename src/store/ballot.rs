//! What members do in an open vote: cast a ballot, propose a solution. One ballot a member, and the newest of their
//! presses counts, in whatever order they arrive and however often.

use sqlx::SqliteConnection;

use super::{
    Inbound, Store, StoreError, VoteRefusal, inbound, panel,
    vote::{self, PANEL, Voting, close, insert_solution, solutions},
};
use crate::domain::{Allocation, Electorate, MAX_SOLUTIONS, RoleId, SessionId, Solution, SolutionId, UserId};

/// A ballot to be cast.
#[derive(Clone, Debug)]
pub struct NewBallot {
    /// The press or form, with what is said when it counts.
    pub event: Inbound,
    /// What is said when a newer press counts already.
    pub older: String,
    /// Who.
    pub voter: UserId,
    /// The name they go by.
    pub voter_name: String,
    /// The roles they have.
    pub roles: Vec<RoleId>,
    /// Their ten points, for the first solutions there are; the others get none.
    pub allocation: Allocation,
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

/// A solution that a member proposes.
#[derive(Clone, Debug)]
pub struct NewSolution {
    /// The form, with what is said when it is taken.
    pub event: Inbound,
    /// Who.
    pub proposer: UserId,
    /// The name they go by.
    pub proposer_name: String,
    /// The roles they have.
    pub roles: Vec<RoleId>,
    /// In a few words.
    pub title: String,
    /// What, how and why.
    pub description: String,
}

impl Store {
    /// Casts a ballot, once for each event. Closes the vote if it was the last of a named electorate.
    pub async fn cast(&self, session: &SessionId, ballot: NewBallot, at_ms: i64) -> Result<Cast, StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                let event = ballot.event.id.cast_signed();
                let newest: Option<i64> =
                    sqlx::query_scalar("SELECT event_id FROM ballot WHERE session_id = ?1 AND voter_id = ?2")
                        .bind(session.as_str())
                        .bind(ballot.voter.as_i64())
                        .fetch_optional(&mut *tx)
                        .await?;
                if newest.is_some_and(|newest| newest > event) {
                    let late = Inbound { effect: ballot.older, ..ballot.event };
                    inbound::record(tx, &late, at_ms).await?;
                    return Ok(Cast::Older);
                }
                inbound::record(tx, &ballot.event, at_ms).await?;
                let voting = admitted(tx, &session, (ballot.voter, &ballot.roles), at_ms).await?;
                let there_are = solutions(tx, &session).await?.len();
                let points = ballot.allocation.points();
                if points.iter().skip(there_are).any(|points| *points > 0) {
                    return Err(VoteRefusal::Unknown(there_are).into());
                }
                let points = &points[..points.len().min(there_are)];
                let points = serde_json::to_string(points).map_err(|e| StoreError::Corrupt(e.to_string()))?;
                sqlx::query(
                    "INSERT INTO ballot (session_id, voter_id, voter_name, points, event_id, at_ms)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                     ON CONFLICT (session_id, voter_id) DO UPDATE
                     SET voter_name = excluded.voter_name, points = excluded.points, event_id = excluded.event_id,
                         at_ms = excluded.at_ms",
                )
                .bind(session.as_str())
                .bind(ballot.voter.as_i64())
                .bind(&ballot.voter_name)
                .bind(points)
                .bind(event)
                .bind(at_ms)
                .execute(&mut *tx)
                .await?;
                panel::changed(tx, &session, PANEL).await?;
                let last = all_have_voted(tx, &session, &voting.rules.electorate).await?
                    && close(tx, &session, "everyone", None, at_ms).await?;
                Ok(if last { Cast::Last } else { Cast::Counts })
            })
        })
        .await
    }

    /// Adds a member's solution to an open vote, once for each event; gives its place.
    pub async fn propose(
        &self,
        session: &SessionId,
        new: NewSolution,
        at_ms: i64,
    ) -> Result<SolutionId, StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                inbound::record(tx, &new.event, at_ms).await?;
                admitted(tx, &session, (new.proposer, &new.roles), at_ms).await?;
                let there: Vec<Solution> =
                    solutions(tx, &session).await?.into_iter().map(|(solution, _)| solution).collect();
                if let Some(same) = Solution::same(&there, &new.title, &new.description) {
                    return Err(VoteRefusal::Same(same.id).into());
                }
                let place = u8::try_from(there.len() + 1).unwrap_or(u8::MAX);
                if usize::from(place) > MAX_SOLUTIONS {
                    return Err(VoteRefusal::Full.into());
                }
                let solution = Solution {
                    id: SolutionId(place),
                    title: new.title,
                    description: new.description,
                    raised_by: vec![new.proposer_name],
                    proposed: true,
                };
                insert_solution(tx, &session, &solution, Some(new.proposer)).await?;
                panel::changed(tx, &session, PANEL).await?;
                Ok(solution.id)
            })
        })
        .await
    }
}

/// The vote, if it is open and takes this member's part at this moment.
async fn admitted(
    tx: &mut SqliteConnection,
    session: &SessionId,
    (member, roles): (UserId, &[RoleId]),
    at_ms: i64,
) -> Result<Voting, StoreError> {
    let voting = vote::voting(tx, session).await?.ok_or(VoteRefusal::Absent)?;
    // Past its deadline it is over, whether or not that has been written down yet.
    if !voting.open || at_ms >= voting.deadline_ms {
        return Err(VoteRefusal::Over.into());
    }
    if !voting.rules.electorate.admits(member, roles) {
        return Err(VoteRefusal::Ineligible.into());
    }
    Ok(voting)
}

/// Whether everyone has voted, where it is known who that is.
async fn all_have_voted(
    tx: &mut SqliteConnection,
    session: &SessionId,
    electorate: &Electorate,
) -> Result<bool, StoreError> {
    let Some(size) = electorate.size() else { return Ok(false) };
    let voted: i64 = sqlx::query_scalar("SELECT count(*) FROM ballot WHERE session_id = ?1")
        .bind(session.as_str())
        .fetch_one(tx)
        .await?;
    Ok(usize::try_from(voted).is_ok_and(|voted| voted >= size))
}
