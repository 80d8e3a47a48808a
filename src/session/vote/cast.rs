//! Casting a ballot, whatever it says.

use crate::{
    session::{Actor, Sessions},
    store::{Cast, NewBallot, SessionRow, StoreError},
};
use domain::{BallotChoice, StepKey};

/// What is said to a press that a newer one has overtaken.
const OLDER: &str = "A newer vote of yours counts already, so this one changed nothing.";

impl Sessions {
    /// Casts a member's ballot; gives what is said about it, `said` if it counts. `revision` is the edit they had
    /// before them of what the session waits for, 0 where it waits for nothing.
    pub(in crate::session) async fn cast(
        &self,
        (row, key): (&SessionRow, &StepKey),
        actor: &Actor,
        (choice, revision): (BallotChoice, i64),
        said: String,
    ) -> Result<String, StoreError> {
        let ballot = NewBallot {
            event: actor.event("ballot", &row.id, &said),
            older: OLDER.to_owned(),
            voter: actor.user,
            voter_name: actor.name.clone(),
            roles: actor.roles.clone(),
            choice,
            revision,
        };
        match self.0.world.store.cast(&row.id, key, ballot, self.now_ms()).await? {
            Cast::Older => return Ok(OLDER.to_owned()),
            Cast::Last => self.count_soon(&row.id, key),
            Cast::Counts => {}
        }
        self.0.panels.kick(&row.id, key.as_str());
        Ok(said)
    }
}
