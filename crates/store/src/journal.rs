//! The journal: steps, each intended, then done or failed, with what they post.

use serde_json::Value;
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use super::{
    AttemptEnd, NewPost, Store, StoreError,
    attempt::{self, Ended},
    outbox, panel,
    script::Script,
    session::is_among,
    writer::Ahead,
};
use crate::statement::{add, sql};
use domain::{SessionId, SessionState, StepKey};

/// How far a step is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepState {
    /// Begun; a crash may have cut it off.
    Intent,
    /// Its result stands.
    Done,
    /// It failed for good, and that stands too.
    Failed,
}

/// A step as stored.
#[derive(Clone, Debug)]
pub struct StepRow {
    /// What the step is; another kind under its key is drift.
    pub kind: String,
    /// How far it is.
    pub state: StepState,
    /// Its result or failure.
    pub output: Option<Value>,
}

/// What a step came to.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The step.
    pub key: StepKey,
    /// What the step is.
    pub kind: String,
    /// Done or failed.
    pub failed: bool,
    /// Its result or failure.
    pub output: Value,
    /// What it posts.
    pub posts: Vec<NewPost>,
    /// The panel that shows it beside others of its kind.
    pub panel: Option<NewPanel>,
    /// Which of the session's states allow it.
    pub allowed: &'static [SessionState],
}

/// A panel that several steps come onto, each as it settles.
#[derive(Clone, PartialEq, Debug)]
pub struct NewPanel {
    /// Its key.
    pub key: StepKey,
    /// Its post as the first of them shows it.
    pub first: NewPost,
}

/// What a step does to a panel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PanelEffect {
    /// Its post, which has the panel's key, is kept true from now on.
    Opened,
    /// What the panel shows is not true any more.
    Changed,
}

impl Store {
    /// A step of a session, if it was begun.
    pub async fn step(&self, session: &SessionId, key: &StepKey) -> Result<Option<StepRow>, StoreError> {
        Ok(self.begun(session, key).await?.map(|(row, _)| row))
    }

    /// The same with how many attempts at it the ends of processes cut off since it was begun, or begun anew by a person.
    pub async fn begun(
        &self,
        session: &SessionId,
        key: &StepKey,
    ) -> Result<Option<(StepRow, i64)>, StoreError> {
        let row = sql!(
            "SELECT kind, state, output,
                    (SELECT count(*) FROM attempt WHERE session_id = ?1 AND key = ?2
                     AND attempt.state = 'lost' AND attempt.started_ms >= step.started_ms) AS cut_off
             FROM step WHERE session_id = ?1 AND key = ?2",
            (session.as_str(), key.as_str())
        );
        let row = row.fetch_optional(&self.readers).await?;
        row.map(|row| Ok((read_step(&row)?, row.get("cut_off")))).transpose()
    }

    /// All finished steps of a session whose key begins with `prefix`, by key.
    pub async fn steps(
        &self,
        session: &SessionId,
        prefix: &str,
    ) -> Result<Vec<(String, StepRow)>, StoreError> {
        let rows = sql!(
            "SELECT key, kind, state, output FROM step
             WHERE session_id = ?1 AND key >= ?2 AND key < ?2 || '~' AND state <> 'intent' ORDER BY key",
            (session.as_str(), prefix)
        )
        .fetch_all(&self.readers)
        .await?;
        rows.iter().map(|row| Ok((row.get("key"), read_step(row)?))).collect()
    }

    /// Settles a step: its result, the attempt that brought it, its cost and its posts in one transaction.
    /// A step that is settled already stays as it is and posts nothing more. If the session was stopped
    /// meanwhile, a paid reply is kept all the same, though a cancelled session posts nothing of it; a step
    /// without an attempt is refused with [`StoreError::NotRunning`].
    pub async fn settle(
        &self,
        session: &SessionId,
        end: Option<AttemptEnd>,
        settled: Settled,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let session = session.clone();
        let end = match end {
            Some(end) => Some(Ended::of(end).await?),
            None => None,
        };
        self.write(move |tx| {
            Box::pin(async move { settle(tx, &session, end.as_ref(), &settled, at_ms).await.map(|_| ()) })
        })
        .await
    }

    /// Settles a step that asks nobody and posts nothing ahead of whatever is written next: that is not on the disk before
    /// this is.
    pub fn settle_ahead(
        &self,
        session: &SessionId,
        settled: Settled,
        at_ms: i64,
    ) -> Result<Ahead<()>, StoreError> {
        let session = session.clone();
        self.write_ahead(move |tx| {
            Box::pin(async move { settle(tx, &session, None, &settled, at_ms).await.map(|_| ()) })
        })
    }

    /// Settles a step that asks nobody, and what it does to the panel of this key, in one transaction. A step that is
    /// settled already stays as it is and does nothing to the panel.
    pub async fn settle_with_panel(
        &self,
        session: &SessionId,
        settled: Settled,
        (key, effect): (&str, PanelEffect),
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let (session, key) = (session.clone(), key.to_owned());
        self.write(move |tx| {
            Box::pin(async move {
                if !settle(tx, &session, None, &settled, at_ms).await? {
                    return Ok(());
                }
                match effect {
                    PanelEffect::Opened => panel::open(tx, &session, &key).await,
                    PanelEffect::Changed => panel::changed(tx, &session, &key).await,
                }
            })
        })
        .await
    }
}

/// Settles a step inside a transaction. `false`: it was settled before, and nothing was changed or posted.
pub(super) async fn settle(
    tx: &mut SqliteConnection,
    session: &SessionId,
    end: Option<&Ended>,
    settled: &Settled,
    at_ms: i64,
) -> Result<bool, StoreError> {
    let mut script = match end {
        Some(end) => attempt::close(tx, session, end, at_ms).await?,
        None => Script::default(),
    };
    add!(
        script,
        "INSERT INTO step (session_id, key, kind, state, output, started_ms, finished_ms)
             SELECT id, ?2, ?3, ?4, ?5, ?6, ?6 FROM session WHERE id = ?1
             ON CONFLICT (session_id, key) DO UPDATE
             SET state = excluded.state, output = excluded.output, finished_ms = excluded.finished_ms
             WHERE step.state = 'intent'",
        (
            session.as_str(),
            settled.key.as_str(),
            &settled.kind,
            if settled.failed { "failed" } else { "done" },
            settled.output.to_string(),
            at_ms,
        )
    );
    add!(script, "SELECT state FROM session WHERE id = ?1", session.as_str());
    let came = script.run(tx).await?;
    let [.., step, state] = &came[..] else { return Err(StoreError::Missing("session")) };
    let now: SessionState = state.rows.first().ok_or(StoreError::Missing("session"))?.get("state");
    if end.is_none() {
        is_among(now, settled.allowed)?;
    }
    let first = step.changed;
    // A paused or failed session may go on, and will then find this step done, so its posts are
    // written now or never; a cancelled one posts nothing. What settled before has posted before.
    let goes_on = matches!(now, SessionState::Paused | SessionState::Failed);
    if first == 1 && (goes_on || settled.allowed.contains(&now)) {
        outbox::insert(tx, session, &settled.posts).await?;
        if let Some(NewPanel { key, first }) = &settled.panel {
            if panel::is_there(tx, session, key.as_str()).await? {
                panel::changed(tx, session, key.as_str()).await?;
            } else {
                outbox::insert(tx, session, std::slice::from_ref(first)).await?;
                panel::open(tx, session, key.as_str()).await?;
                // Drawn once more: what failed before it has no panel to change.
                panel::changed(tx, session, key.as_str()).await?;
            }
        }
    }
    Ok(first == 1)
}

fn read_step(row: &SqliteRow) -> Result<StepRow, StoreError> {
    let output: Option<String> = row.get("output");
    let output = output.map(|text| serde_json::from_str(&text)).transpose();
    Ok(StepRow {
        kind: row.get("kind"),
        state: match row.get::<String, _>("state").as_str() {
            "done" => StepState::Done,
            "failed" => StepState::Failed,
            _ => StepState::Intent,
        },
        output: output.map_err(|error| StoreError::Corrupt(error.to_string()))?,
    })
}
