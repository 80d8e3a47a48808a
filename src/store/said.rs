//! What members say they think of a debate's proposition, before it and after it. One opinion a member and asking,
//! and the newest of their presses counts, in whatever order they arrive and however often.

use sqlx::{Row, SqliteConnection};

use super::{
    Cast, Inbound, OpinionRefusal, Store, StoreError, inbound,
    opinion::{self, Asking, PANEL, asking},
    panel, session,
};
use crate::domain::{Electorate, Opinion, OpinionStage, RoleId, SessionId, SessionState, UserId};

/// An opinion to be taken.
#[derive(Clone, Debug)]
pub struct NewOpinion {
    /// The press, with what is said when it counts.
    pub event: Inbound,
    /// What is said when a newer press counts already.
    pub older: String,
    /// Who.
    pub voter: UserId,
    /// The name they go by.
    pub voter_name: String,
    /// The roles they have.
    pub roles: Vec<RoleId>,
    /// What they think.
    pub opinion: Opinion,
}

impl Store {
    /// Takes what somebody thinks before the debate, once for each event. `revision` is the edit of the proposition
    /// that they had before them, 0 if none.
    pub async fn opine_before(
        &self,
        session: &SessionId,
        revision: i64,
        new: NewOpinion,
        at_ms: i64,
    ) -> Result<Cast, StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                if !newest(tx, &session, OpinionStage::Before, &new, at_ms).await? {
                    return Ok(Cast::Older);
                }
                let asking =
                    asking(tx, &session, OpinionStage::Before).await?.ok_or(OpinionRefusal::Absent)?;
                if !asking.open {
                    return Err(OpinionRefusal::Started.into());
                }
                let panel = proposition(tx, &session, revision, at_ms).await?;
                admitted(&asking, &new)?;
                write(tx, &session, OpinionStage::Before, &new, at_ms).await?;
                panel::changed(tx, &session, &panel).await?;
                Ok(Cast::Counts)
            })
        })
        .await
    }

    /// Takes what somebody thinks after the debate, once for each event. Closes the asking if it was the last of a
    /// named electorate.
    pub async fn opine_after(
        &self,
        session: &SessionId,
        new: NewOpinion,
        at_ms: i64,
    ) -> Result<Cast, StoreError> {
        let session = session.clone();
        self.write(move |tx| {
            Box::pin(async move {
                if !newest(tx, &session, OpinionStage::After, &new, at_ms).await? {
                    return Ok(Cast::Older);
                }
                let asking =
                    asking(tx, &session, OpinionStage::After).await?.ok_or(OpinionRefusal::Absent)?;
                // Past its deadline it is over, whether or not that has been written down yet.
                if !asking.open || asking.deadline_ms.is_some_and(|deadline| at_ms >= deadline) {
                    return Err(OpinionRefusal::Over.into());
                }
                admitted(&asking, &new)?;
                write(tx, &session, OpinionStage::After, &new, at_ms).await?;
                panel::changed(tx, &session, PANEL).await?;
                let last = all_have_said_so(tx, &session, &asking.rules.electorate).await?
                    && opinion::close(tx, &session, "everyone", None, at_ms).await?;
                Ok(if last { Cast::Last } else { Cast::Counts })
            })
        })
        .await
    }
}

/// Records the event. `false`: a newer one of theirs counts already, and that is what was recorded.
async fn newest(
    tx: &mut SqliteConnection,
    session: &SessionId,
    stage: OpinionStage,
    new: &NewOpinion,
    at_ms: i64,
) -> Result<bool, StoreError> {
    let counts: Option<i64> = sqlx::query_scalar(
        "SELECT event_id FROM opinion WHERE session_id = ?1 AND stage = ?2 AND voter_id = ?3",
    )
    .bind(session.as_str())
    .bind(stage.as_str())
    .bind(new.voter.as_i64())
    .fetch_optional(&mut *tx)
    .await?;
    let newest = counts.is_none_or(|counts| counts <= new.event.id.cast_signed());
    let mut event = new.event.clone();
    if !newest {
        event.effect.clone_from(&new.older);
    }
    inbound::record(tx, &event, at_ms).await?;
    Ok(newest)
}

/// The panel of the proposition that still waits for its start, if it is the one that was read.
async fn proposition(
    tx: &mut SqliteConnection,
    session: &SessionId,
    revision: i64,
    at_ms: i64,
) -> Result<String, StoreError> {
    session::allowed(tx, session, &[SessionState::Waiting]).await?;
    let row = sqlx::query(
        "SELECT key, draft_event, deadline_ms FROM wait
         WHERE session_id = ?1 AND kind = 'proposition' AND value IS NULL",
    )
    .bind(session.as_str())
    .fetch_optional(tx)
    .await?;
    let Some(row) = row else { return Err(OpinionRefusal::Absent.into()) };
    if row.get::<i64, _>("deadline_ms") <= at_ms {
        return Err(StoreError::NotRunning("overdue".to_owned()));
    }
    if row.get::<Option<i64>, _>("draft_event").unwrap_or_default() != revision {
        return Err(OpinionRefusal::Reread.into());
    }
    Ok(row.get("key"))
}

fn admitted(asking: &Asking, new: &NewOpinion) -> Result<(), StoreError> {
    if asking.rules.electorate.admits(new.voter, &new.roles) {
        return Ok(());
    }
    Err(OpinionRefusal::Ineligible.into())
}

async fn write(
    tx: &mut SqliteConnection,
    session: &SessionId,
    stage: OpinionStage,
    new: &NewOpinion,
    at_ms: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO opinion (session_id, stage, voter_id, voter_name, opinion, event_id, at_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (session_id, stage, voter_id) DO UPDATE
         SET voter_name = excluded.voter_name, opinion = excluded.opinion, event_id = excluded.event_id,
             at_ms = excluded.at_ms",
    )
    .bind(session.as_str())
    .bind(stage.as_str())
    .bind(new.voter.as_i64())
    .bind(&new.voter_name)
    .bind(new.opinion.as_str())
    .bind(new.event.id.cast_signed())
    .bind(at_ms)
    .execute(tx)
    .await?;
    Ok(())
}

/// Whether everyone has said so after the debate, where it is known who that is.
async fn all_have_said_so(
    tx: &mut SqliteConnection,
    session: &SessionId,
    electorate: &Electorate,
) -> Result<bool, StoreError> {
    let Some(size) = electorate.size() else { return Ok(false) };
    let said: i64 =
        sqlx::query_scalar("SELECT count(*) FROM opinion WHERE session_id = ?1 AND stage = 'after'")
            .bind(session.as_str())
            .fetch_one(tx)
            .await?;
    Ok(usize::try_from(said).is_ok_and(|said| said >= size))
}
