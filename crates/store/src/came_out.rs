//! What a session came to: what its last text says in short, the vote on it, and the newest decision.

use super::{Store, StoreError};
use crate::statement::sql_scalar;
use domain::{CameOut, SessionId, VoteState};

impl Store {
    /// What a session came to; nothing before a vote on it is open.
    pub async fn came_out(&self, session: &SessionId) -> Result<Option<CameOut>, StoreError> {
        let Some(row) = self.deciding_vote(session).await? else { return Ok(None) };
        let mut vote = row.vote;
        if vote.state == VoteState::Open {
            // Ballots are secret until it closes.
            vote.ballots.clear();
            vote.earlier.clear();
        }
        let said: Option<String> = sql_scalar!(
            "SELECT output FROM step WHERE session_id = ?1 AND key = ?2",
            (session.as_str(), row.key.as_str())
        )
        .fetch_optional(&self.readers)
        .await?
        .flatten();
        // Where nothing was to be said, there is no text.
        let said = said.and_then(|said| serde_json::from_str(&said).ok()).unwrap_or_default();
        let decision = self.decisions_of(session).await?.pop().map(|row| row.decision);
        Ok(Some(CameOut { said, vote, decision }))
    }
}
