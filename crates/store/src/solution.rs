//! What points are given to: the experts' solutions, and those that members propose while the vote is open.

use sqlx::{Row, SqliteConnection};

use super::{
    Inbound, Store, StoreError, VoteRefusal,
    ballot::admitted,
    inbound, panel,
    script::Script,
    vote::{json, parsed},
};
use crate::statement::{add, sql};
use domain::{MAX_SOLUTIONS, Provenance, RoleId, SessionId, Solution, SolutionId, StepKey, UserId, VoteKind};

/// A solution that a member proposes.
#[derive(Clone, Debug)]
pub struct NewSolution {
    /// The form, with what is said when it is taken.
    pub event: Inbound,
    /// Whose it is.
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
    /// Adds a member's solution to an open vote of points, once for each event; gives its place.
    pub async fn propose(
        &self,
        session: &SessionId,
        key: &StepKey,
        new: NewSolution,
        at_ms: i64,
    ) -> Result<SolutionId, StoreError> {
        let (session, key) = (session.clone(), key.clone());
        self.write_soon(move |tx| {
            Box::pin(async move {
                inbound::record(tx, &new.event, at_ms).await?;
                let taking = admitted(tx, (&session, &key), (new.proposer, &new.roles), 0, at_ms).await?;
                if taking.kind != VoteKind::Points {
                    return Err(VoteRefusal::Absent.into());
                }
                let there = all(tx, (&session, &key)).await?;
                if let Some(same) = Solution::same(&there, &new.title) {
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
                    provenance: Provenance::default(),
                };
                insert(tx, (&session, &key), std::slice::from_ref(&solution), Some(new.proposer)).await?;
                panel::changed(tx, &session, key.as_str()).await?;
                Ok(solution.id)
            })
        })
        .await
    }
}

/// Writes a vote's solutions down, inside a transaction; `proposer`: the member whose they are, if they are a member's.
pub(super) async fn insert(
    tx: &mut SqliteConnection,
    (session, key): (&SessionId, &StepKey),
    solutions: &[Solution],
    proposer: Option<UserId>,
) -> Result<(), StoreError> {
    let mut written = Script::default();
    for solution in solutions {
        add!(
            written,
            "INSERT INTO solution (session_id, key, n, title, description, raised_by, proposer_id, provenance)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            (
                session.as_str(), key.as_str(), solution.id.0, &solution.title, &solution.description,
                json(&solution.raised_by)?, proposer.map(UserId::as_i64), json(&solution.provenance)?,
            )
        );
    }
    written.run(tx).await.map(|_| ())
}

/// A vote's solutions in order, inside a transaction.
pub(super) async fn all(
    tx: &mut SqliteConnection,
    (session, key): (&SessionId, &StepKey),
) -> Result<Vec<Solution>, StoreError> {
    let rows = sql!(
        "SELECT * FROM solution WHERE session_id = ?1 AND key = ?2 ORDER BY n",
        (session.as_str(), key.as_str())
    )
    .fetch_all(tx)
    .await?;
    let solutions = rows.iter().map(|row| {
        Ok(Solution {
            id: SolutionId(row.get("n")),
            title: row.get("title"),
            description: row.get("description"),
            raised_by: parsed(row, "raised_by")?,
            proposed: row.get::<Option<i64>, _>("proposer_id").is_some(),
            provenance: parsed(row, "provenance")?,
        })
    });
    solutions.collect()
}
