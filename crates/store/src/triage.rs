//! Triage: what members say of each finding, every word kept, the newest press counting. And how long calls took, from
//! which a critique tells what it will take.

use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use super::{Inbound, Store, StoreError, inbound, panel};
use domain::{FindingId, ModelName, SessionId, StepKey, Triage, TriageVerdict, UserId};

/// When a call was made and when it had answered, in milliseconds since 1970. It may have waited for its turn at the
/// provider in between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallTimes {
    /// When it was intended.
    pub started_ms: i64,
    /// When its reply was stored.
    pub finished_ms: i64,
}

impl Store {
    /// Writes down what somebody said of a finding, under the press's snowflake, and says in the same transaction that
    /// these panels are not true any more. `late` is said instead, and `false` given, where somebody's newer press
    /// stands already. [`StoreError::Missing`] until both panels are open: one that was drawn before and opened after
    /// would never show what was said in between.
    pub async fn triage(
        &self,
        session: &SessionId,
        event: Inbound,
        late: String,
        triage: Triage,
        panels: Vec<StepKey>,
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        let session = session.clone();
        self.write_soon(move |tx| {
            Box::pin(async move {
                for key in &panels {
                    panel::is_open(tx, &session, key.as_str()).await?;
                }
                let newest: Option<i64> = sqlx::query_scalar(
                    "SELECT max(event_id) FROM triage WHERE session_id = ?1 AND finding = ?2",
                )
                .bind(session.as_str())
                .bind(i64::from(triage.finding.0))
                .fetch_one(&mut *tx)
                .await?;
                let counts = newest.is_none_or(|newest| newest < event.id.cast_signed());
                let id = event.id;
                let event = if counts { event } else { Inbound { effect: late, ..event } };
                inbound::record(tx, &event, at_ms).await?;
                insert(tx, &session, id, &triage, at_ms).await?;
                if counts {
                    for key in &panels {
                        panel::changed(tx, &session, key.as_str()).await?;
                    }
                }
                Ok(counts)
            })
        })
        .await
    }

    /// What was said last of each finding, by finding; what was taken back stands as open.
    pub async fn triage_of(&self, session: &SessionId) -> Result<Vec<Triage>, StoreError> {
        let rows = sqlx::query(
            "SELECT finding, verdict, by_id, by_name, at_ms, max(event_id) FROM triage
             WHERE session_id = ?1 GROUP BY finding ORDER BY finding",
        )
        .bind(session.as_str())
        .fetch_all(&self.readers)
        .await?;
        rows.iter().map(read).collect()
    }

    /// The newest calls to these models that succeeded, of all sessions, at most `most`, newest first.
    pub async fn call_times(&self, models: &[ModelName], most: i64) -> Result<Vec<CallTimes>, StoreError> {
        let read = |row: &SqliteRow| CallTimes {
            started_ms: row.get("started_ms"),
            finished_ms: row.get("finished_ms"),
        };
        let mut times = Vec::new();
        // One model after the other: the newest of each stand together in the index.
        for model in models {
            let rows = sqlx::query(
                "SELECT started_ms, finished_ms FROM attempt
                 WHERE state = 'ok' AND finished_ms IS NOT NULL AND model = ?1 ORDER BY started_ms DESC LIMIT ?2",
            );
            let rows = rows.bind(model.to_string()).bind(most).fetch_all(&self.readers).await?;
            times.extend(rows.iter().map(read));
        }
        times.sort_by_key(|times| std::cmp::Reverse(times.started_ms));
        times.truncate(usize::try_from(most).unwrap_or_default());
        Ok(times)
    }
}

async fn insert(
    tx: &mut SqliteConnection,
    session: &SessionId,
    event: u64,
    triage: &Triage,
    at_ms: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO triage (event_id, session_id, finding, verdict, by_id, by_name, at_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )
    .bind(event.cast_signed())
    .bind(session.as_str())
    .bind(i64::from(triage.finding.0))
    .bind(triage.verdict.as_str())
    .bind(triage.by.as_i64())
    .bind(&triage.by_name)
    .bind(at_ms)
    .execute(tx)
    .await?;
    Ok(())
}

/// `SQLite` takes the columns beside a lone `max` from the row that has it (`sqlite.org/lang_select.html`, bare columns).
fn read(row: &SqliteRow) -> Result<Triage, StoreError> {
    let (finding, verdict): (i64, &str) = (row.get("finding"), row.get("verdict"));
    let corrupt = || StoreError::Corrupt(format!("triage {verdict} of finding {finding}"));
    Ok(Triage {
        finding: FindingId(u8::try_from(finding).map_err(|_| corrupt())?),
        verdict: TriageVerdict::parse(verdict).ok_or_else(corrupt)?,
        by: UserId::from_i64(row.get("by_id")),
        by_name: row.get("by_name"),
        at: row.get::<i64, _>("at_ms") / 1000,
    })
}
