//! The journal: steps, each intended, then done or failed, and the attempts at models that they took.

use serde_json::Value;
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use super::{
    NewPost, Reserve, Store, StoreError,
    account::{self, Charge},
    outbox,
};
use crate::domain::{Money, PromptVersion, SessionId, SessionState, StepKey};

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

/// An attempt at a model that is about to be made.
#[derive(Clone, Debug)]
pub struct NewAttempt {
    /// The step.
    pub key: StepKey,
    /// What the step is.
    pub kind: String,
    /// Its worst case and on whose accounts.
    pub reserve: Reserve,
    /// The model to be asked.
    pub model: String,
    /// The prompt it is made from.
    pub prompt_version: PromptVersion,
    /// The request's body.
    pub request: String,
    /// Which of the session's states allow it: a protocol's steps only while it runs, follow-ups also after.
    pub allowed: &'static [SessionState],
}

/// How an attempt ended.
#[derive(Clone, Debug)]
pub struct AttemptEnd {
    /// The step.
    pub key: StepKey,
    /// Which attempt.
    pub n: i64,
    /// Whether its reply was of use.
    pub ok: bool,
    /// The model the provider says answered.
    pub answered: Option<String>,
    /// Its text.
    pub reply: Option<String>,
    /// Why it failed.
    pub problem: Option<String>,
    /// The provider's id for it.
    pub request_id: Option<String>,
    /// Fresh and cache-written input, cached input, output tokens; `None` where the provider did not say: then
    /// the worst case is charged.
    pub tokens: Option<(i64, i64, i64)>,
    /// What it cost; `None`: the price is not known.
    pub money: Option<Money>,
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
    /// Which of the session's states allow it.
    pub allowed: &'static [SessionState],
}

/// An attempt as stored, for people to look at.
#[derive(Clone, Debug)]
pub struct AttemptRow {
    /// From 1.
    pub n: i64,
    /// `sent`, `ok`, `failed` or `lost`.
    pub state: String,
    /// The model asked.
    pub model: String,
    /// The model the provider says answered.
    pub answered: Option<String>,
    /// The prompt it was made from.
    pub prompt_version: String,
    /// The request's body.
    pub request: String,
    /// The reply's text.
    pub reply: Option<String>,
    /// Why it failed.
    pub problem: Option<String>,
    /// Input tokens, cached ones apart.
    pub input_tokens: Option<i64>,
    /// Input tokens read from the cache.
    pub cached_tokens: Option<i64>,
    /// Output tokens.
    pub output_tokens: Option<i64>,
    /// What it cost, if the price is known.
    pub money: Option<Money>,
    /// When it was made, milliseconds since 1970.
    pub started_ms: i64,
    /// How long it took, milliseconds.
    pub millis: Option<i64>,
}

impl Store {
    /// A step of a session, if it was begun.
    pub async fn step(&self, session: &SessionId, key: &StepKey) -> Result<Option<StepRow>, StoreError> {
        let row = sqlx::query("SELECT kind, state, output FROM step WHERE session_id = ?1 AND key = ?2")
            .bind(session.as_str())
            .bind(key.as_str())
            .fetch_optional(&self.readers)
            .await?;
        row.map(|row| read_step(&row)).transpose()
    }

    /// All finished steps of a session whose key begins with `prefix`, by key.
    pub async fn steps(
        &self,
        session: &SessionId,
        prefix: &str,
    ) -> Result<Vec<(String, StepRow)>, StoreError> {
        let rows = sqlx::query(
            "SELECT key, kind, state, output FROM step
             WHERE session_id = ?1 AND substr(key, 1, length(?2)) = ?2 AND state <> 'intent' ORDER BY key",
        )
        .bind(session.as_str())
        .bind(prefix)
        .fetch_all(&self.readers)
        .await?;
        rows.iter().map(|row| Ok((row.get("key"), read_step(row)?))).collect()
    }

    /// Intends an attempt: the step's row, the attempt's row and its worst case on three accounts, in one
    /// transaction; gives the attempt's number. Nothing may be sent before this has returned.
    pub async fn intend(&self, attempt: NewAttempt, at_ms: i64) -> Result<i64, StoreError> {
        let epoch = self.epoch();
        self.write(move |tx| {
            Box::pin(async move {
                let (session, reserve) = (attempt.reserve.session.clone(), &attempt.reserve);
                allowed(tx, &session, attempt.allowed).await?;
                sqlx::query(
                    "INSERT INTO step (session_id, key, kind, state, started_ms) VALUES (?1, ?2, ?3, 'intent', ?4)
                     ON CONFLICT DO NOTHING",
                )
                .bind(session.as_str())
                .bind(attempt.key.as_str())
                .bind(&attempt.kind)
                .bind(at_ms)
                .execute(&mut *tx)
                .await?;
                account::hold(tx, reserve).await?;
                let n: i64 = sqlx::query_scalar(
                    "INSERT INTO attempt (session_id, key, n, epoch, day, member_id, state, model, prompt_version,
                                          request, reserved_tokens, reserved_money, started_ms)
                     VALUES (?1, ?2, (SELECT count(*) + 1 FROM attempt WHERE session_id = ?1 AND key = ?2),
                             ?3, ?4, ?5, 'sent', ?6, ?7, ?8, ?9, ?10, ?11) RETURNING n",
                )
                .bind(session.as_str())
                .bind(attempt.key.as_str())
                .bind(epoch)
                .bind(&reserve.day)
                .bind(reserve.member.as_i64())
                .bind(&attempt.model)
                .bind(&attempt.prompt_version.0)
                .bind(&attempt.request)
                .bind(reserve.tokens)
                .bind(reserve.money.0)
                .bind(at_ms)
                .fetch_one(tx)
                .await?;
                Ok(n)
            })
        })
        .await
    }

    /// Ends an attempt that did not settle its step: it will be tried again, or the session stops here.
    pub async fn end_attempt(
        &self,
        session: &SessionId,
        end: AttemptEnd,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let session = session.clone();
        self.write(move |tx| Box::pin(async move { close(tx, &session, &end, at_ms).await })).await
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
        self.write(move |tx| {
            Box::pin(async move {
                match &end {
                    Some(end) => close(tx, &session, end, at_ms).await?,
                    None => allowed(tx, &session, settled.allowed).await?,
                }
                let first = sqlx::query(
                    "INSERT INTO step (session_id, key, kind, state, output, started_ms, finished_ms)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)
                     ON CONFLICT (session_id, key) DO UPDATE
                     SET state = excluded.state, output = excluded.output, finished_ms = excluded.finished_ms
                     WHERE step.state = 'intent'",
                )
                .bind(session.as_str())
                .bind(settled.key.as_str())
                .bind(&settled.kind)
                .bind(if settled.failed { "failed" } else { "done" })
                .bind(settled.output.to_string())
                .bind(at_ms)
                .execute(&mut *tx)
                .await?
                .rows_affected();
                // A paused or failed session may go on, and will then find this step done, so its posts are
                // written now or never; a cancelled one posts nothing. What settled before has posted before.
                let now = state(tx, &session).await?;
                let goes_on = matches!(now, SessionState::Paused | SessionState::Failed);
                if first == 1 && (goes_on || settled.allowed.contains(&now)) {
                    outbox::insert(tx, &session, &settled.posts).await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// Charges what an earlier process had under way when it ended, at its worst case, and marks it lost.
    /// Gives how many there were.
    pub async fn charge_lost(&self, session: &SessionId, at_ms: i64) -> Result<usize, StoreError> {
        let (session, epoch) = (session.clone(), self.epoch());
        self.write(move |tx| {
            Box::pin(async move {
                let rows = sqlx::query(
                    "SELECT key, n, reserved_tokens, reserved_money FROM attempt
                     WHERE session_id = ?1 AND state = 'sent' AND epoch < ?2",
                )
                .bind(session.as_str())
                .bind(epoch)
                .fetch_all(&mut *tx)
                .await?;
                for row in &rows {
                    let (key, n): (String, i64) = (row.get("key"), row.get("n"));
                    let money: i64 = row.get("reserved_money");
                    let charge = Charge {
                        tokens: row.get("reserved_tokens"),
                        money: (money > 0).then_some(Money(money)),
                        lost: true,
                    };
                    account::settle(tx, &session, (&key, n), charge).await?;
                    sqlx::query(
                        "UPDATE attempt SET state = 'lost', problem = 'cut off by a restart', finished_ms = ?4
                         WHERE session_id = ?1 AND key = ?2 AND n = ?3",
                    )
                    .bind(session.as_str())
                    .bind(key)
                    .bind(n)
                    .bind(at_ms)
                    .execute(&mut *tx)
                    .await?;
                }
                Ok(rows.len())
            })
        })
        .await
    }

    /// Attempts of a step, first to last.
    pub async fn attempts(&self, session: &SessionId, key: &StepKey) -> Result<Vec<AttemptRow>, StoreError> {
        let rows = sqlx::query("SELECT * FROM attempt WHERE session_id = ?1 AND key = ?2 ORDER BY n")
            .bind(session.as_str())
            .bind(key.as_str())
            .fetch_all(&self.readers)
            .await?;
        let read = |row: &SqliteRow| AttemptRow {
            n: row.get("n"),
            state: row.get("state"),
            model: row.get("model"),
            answered: row.get("answered"),
            prompt_version: row.get("prompt_version"),
            request: row.get("request"),
            reply: row.get("reply"),
            problem: row.get("problem"),
            input_tokens: row.get("input_tokens"),
            cached_tokens: row.get("cached_tokens"),
            output_tokens: row.get("output_tokens"),
            money: row.get::<Option<i64>, _>("money").map(Money),
            started_ms: row.get("started_ms"),
            millis: row.get::<Option<i64>, _>("finished_ms").map(|end| end - row.get::<i64, _>("started_ms")),
        };
        Ok(rows.iter().map(read).collect())
    }

    /// Which models answered in a session, and how many calls each.
    pub async fn models_used(&self, session: &SessionId) -> Result<Vec<(String, i64)>, StoreError> {
        let rows = sqlx::query(
            "SELECT coalesce(answered, model) AS name, count(*) AS calls FROM attempt
             WHERE session_id = ?1 AND state = 'ok' GROUP BY name ORDER BY calls DESC, name",
        )
        .bind(session.as_str())
        .fetch_all(&self.readers)
        .await?;
        Ok(rows.iter().map(|row| (row.get("name"), row.get("calls"))).collect())
    }
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

async fn state(tx: &mut SqliteConnection, session: &SessionId) -> Result<SessionState, StoreError> {
    let state: Option<String> = sqlx::query_scalar("SELECT state FROM session WHERE id = ?1")
        .bind(session.as_str())
        .fetch_optional(tx)
        .await?;
    let state = state.ok_or(StoreError::Missing("session"))?;
    SessionState::parse(&state).ok_or_else(|| StoreError::Corrupt(format!("session state {state}")))
}

async fn allowed(
    tx: &mut SqliteConnection,
    session: &SessionId,
    states: &[SessionState],
) -> Result<(), StoreError> {
    let now = state(tx, session).await?;
    if states.contains(&now) { Ok(()) } else { Err(StoreError::NotRunning(now.as_str().to_owned())) }
}

async fn close(
    tx: &mut SqliteConnection,
    session: &SessionId,
    end: &AttemptEnd,
    at_ms: i64,
) -> Result<(), StoreError> {
    let (input, cached, output) = match end.tokens {
        Some((input, cached, output)) => (Some(input), Some(cached), Some(output)),
        None => (None, None, None),
    };
    let reserved: Option<(i64,)> = sqlx::query_as(
        "UPDATE attempt SET state = ?4, answered = ?5, reply = ?6, problem = ?7, request_id = ?8, input_tokens = ?9,
                            cached_tokens = ?10, output_tokens = ?11, money = ?12, finished_ms = ?13
         WHERE session_id = ?1 AND key = ?2 AND n = ?3 AND state = 'sent' RETURNING reserved_tokens",
    )
    .bind(session.as_str())
    .bind(end.key.as_str())
    .bind(end.n)
    .bind(if end.ok { "ok" } else { "failed" })
    .bind(&end.answered)
    .bind(&end.reply)
    .bind(&end.problem)
    .bind(&end.request_id)
    .bind(input)
    .bind(cached)
    .bind(output)
    .bind(end.money.map(|money| money.0))
    .bind(at_ms)
    .fetch_optional(&mut *tx)
    .await?;
    // Charged once: an attempt that is not open any more was settled before.
    let Some((reserved,)) = reserved else { return Ok(()) };
    let tokens = end
        .tokens
        .map_or(reserved, |(input, cached, output)| input.saturating_add(cached).saturating_add(output));
    account::settle(tx, session, (end.key.as_str(), end.n), Charge { tokens, money: end.money, lost: false })
        .await
}
