//! Votes: what is voted on, and the ballots.

use sqlx::Row;

use super::{Store, StoreError};
use crate::domain::{Allocation, Ballot, Closed, SessionId, Solution, SolutionId, UserId, Vote, VoteState};

fn corrupt(error: impl ToString) -> StoreError {
    StoreError::Corrupt(error.to_string())
}

impl Store {
    /// A session's vote as it stands.
    pub async fn vote(&self, session: &SessionId) -> Result<Option<Vote>, StoreError> {
        let found = sqlx::query(
            "SELECT v.*, s.title FROM vote v JOIN session s ON s.id = v.session_id WHERE v.session_id = ?1",
        )
        .bind(session.as_str())
        .fetch_optional(&self.readers)
        .await?;
        let Some(row) = found else { return Ok(None) };
        let solutions = sqlx::query("SELECT * FROM solution WHERE session_id = ?1 ORDER BY n")
            .bind(session.as_str())
            .fetch_all(&self.readers)
            .await?
            .iter()
            .map(|row| {
                Ok(Solution {
                    id: SolutionId(u8::try_from(row.get::<i64, _>("n")).map_err(corrupt)?),
                    title: row.get("title"),
                    description: row.get("description"),
                    raised_by: serde_json::from_str(row.get("raised_by")).map_err(corrupt)?,
                    proposed: row.get::<Option<i64>, _>("proposer_id").is_some(),
                })
            })
            .collect::<Result<Vec<_>, StoreError>>()?;
        let ballots = sqlx::query("SELECT * FROM ballot WHERE session_id = ?1 ORDER BY at_ms, voter_id")
            .bind(session.as_str())
            .fetch_all(&self.readers)
            .await?
            .iter()
            .map(|row| {
                let mut points: Vec<u32> = serde_json::from_str(row.get("points")).map_err(corrupt)?;
                points.resize(solutions.len(), 0);
                Ok(Ballot {
                    voter: UserId::from_i64(row.get("voter_id")),
                    voter_name: row.get("voter_name"),
                    allocation: Allocation::exact(points, solutions.len()).map_err(corrupt)?,
                })
            })
            .collect::<Result<Vec<_>, StoreError>>()?;
        let state = match row.get::<Option<String>, _>("closed_why").as_deref() {
            None => VoteState::Open,
            Some("deadline") => VoteState::Closed(Closed::Deadline),
            Some("everyone") => VoteState::Closed(Closed::Everyone),
            Some(_) => VoteState::Closed(Closed::Person(
                row.get::<Option<String>, _>("closed_by_name").unwrap_or_default(),
            )),
        };
        Ok(Some(Vote {
            question: row.get("title"),
            solutions,
            experts: serde_json::from_str(row.get("experts")).map_err(corrupt)?,
            rules: serde_json::from_str(row.get("rules")).map_err(corrupt)?,
            state,
            deadline: row.get::<i64, _>("deadline_ms") / 1000,
            ballots,
        }))
    }
}
