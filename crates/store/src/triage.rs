//! Triage: what members say of each finding, every word kept, the newest press counting. And how long calls took, from
//! which a critique tells what it will take.

use sqlx::{Row, sqlite::SqliteRow};

use super::{
    Brought, Inbound, Store, StoreError,
    brought::{self, NewBrought, Particulars},
    inbound, panel,
};
use crate::statement::{sql, sql_scalar};
use domain::{FindingId, ModelName, SessionId, StepKey, Triage, TriageVerdict};

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
                let newest: Option<i64> = sql_scalar!(
                    "SELECT max(id) FROM brought WHERE session_id = ?1 AND kind = 'triage' AND number = ?2",
                    (session.as_str(), i64::from(triage.finding.0))
                )
                .fetch_one(&mut *tx)
                .await?;
                let counts = newest.is_none_or(|newest| newest < event.id.cast_signed());
                let id = event.id;
                let event = if counts { event } else { Inbound { effect: late, ..event } };
                inbound::record(tx, &event, at_ms).await?;
                let new = NewBrought {
                    event: id,
                    kind: Brought::Triage,
                    author: triage.by,
                    author_name: triage.by_name,
                    text: triage.verdict.as_str().to_owned(),
                    particulars: Particulars {
                        number: Some(triage.finding.0.into()),
                        ..Particulars::default()
                    },
                };
                brought::insert(tx, &session, new, at_ms).await?;
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
        let rows = sql!(
            "SELECT number, text, author_id, author_name, at_ms, max(id) FROM brought
             WHERE session_id = ?1 AND kind = 'triage' GROUP BY number ORDER BY number",
            session.as_str()
        )
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
            let rows = sql!(
                "SELECT started_ms, finished_ms FROM attempt
                 WHERE state = 'ok' AND finished_ms IS NOT NULL AND model = ?1 ORDER BY started_ms DESC LIMIT ?2",
                (model.to_string(), most)
            );
            let rows = rows.fetch_all(&self.readers).await?;
            times.extend(rows.iter().map(read));
        }
        times.sort_by_key(|times| std::cmp::Reverse(times.started_ms));
        times.truncate(usize::try_from(most).unwrap_or_default());
        Ok(times)
    }
}

/// `SQLite` takes the columns beside a lone `max` from the row that has it (`sqlite.org/lang_select.html`, bare columns).
fn read(row: &SqliteRow) -> Result<Triage, StoreError> {
    let (finding, verdict): (i64, &str) = (row.get("number"), row.get("text"));
    let corrupt = || StoreError::Corrupt(format!("triage {verdict} of finding {finding}"));
    let (by, by_name) = brought::author(row);
    Ok(Triage {
        finding: FindingId(u8::try_from(finding).map_err(|_| corrupt())?),
        verdict: TriageVerdict::parse(verdict).ok_or_else(corrupt)?,
        by,
        by_name,
        at: row.get::<i64, _>("at_ms") / 1000,
    })
}
