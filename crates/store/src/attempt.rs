//! Attempts at models: intended with their worst case held, ended with what they used.

use serde_json::Value;
use sqlx::{FromRow as _, Row, SqliteConnection, sqlite::SqliteRow, types::Json};

use super::{
    Reserve, Store, StoreError,
    account::{self, Charge},
    part::{self, Packed},
    quota,
    row::columns,
    script::Script,
    session::is_among,
};
use crate::statement::{add, sql, sql_as};
use domain::{Money, PromptVersion, SessionId, SessionState, StepKey};

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
    /// Whether it may have reached the provider; one that never left is no call and is charged nothing.
    pub sent: bool,
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
    /// What it cost; `None`: the price is not known, or nobody counted, which is charged at what was held.
    pub money: Option<Money>,
}

/// How an attempt ended, ready to be written.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    end: AttemptEnd,
    reply: Option<Packed>,
}

impl Ended {
    pub(super) async fn of(mut end: AttemptEnd) -> Result<Self, StoreError> {
        let reply = match end.reply.take() {
            Some(reply) => Some(Packed::of(reply).await?),
            None => None,
        };
        Ok(Self { end, reply })
    }
}

/// An attempt as stored, for people to look at.
#[derive(Clone, Debug)]
pub struct AttemptRow {
    /// The step it was made for.
    pub key: StepKey,
    /// What that step came to in the end.
    pub outcome: Option<Json<Value>>,
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
    /// The request's body; `None`: its server keeps it no longer, nor the reply.
    pub request: Option<String>,
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

columns! {
    AttemptRow: key "key", outcome "output", n "n", state "state", model "model", answered "answered",
    prompt_version "prompt_version", problem "problem", input_tokens "input_tokens",
    cached_tokens "cached_tokens", output_tokens "output_tokens", money "money",
    started_ms "started_ms", millis "millis";
    request = |_row| None;
    reply = |_row| None
}

/// What a session asked of models so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AskedSoFar {
    /// Steps that asked.
    pub steps: i64,
    /// Calls in all: repairs, tries that failed and calls that a crash cut off are counted too.
    pub calls: i64,
    /// Of the steps, those that have no answer yet.
    pub open: i64,
}

columns!(AskedSoFar: steps "steps", calls "calls", open "open");

impl Store {
    /// Intends an attempt: the step's row, the attempt's row and its worst case on its accounts, in one
    /// transaction; gives the attempt's number. Nothing may be sent before this has returned.
    pub async fn intend(&self, mut attempt: NewAttempt, at_ms: i64) -> Result<i64, StoreError> {
        let epoch = self.epoch();
        let request = Packed::of(std::mem::take(&mut attempt.request)).await?;
        let whole = self.whole_bot();
        self.write(move |tx| {
            Box::pin(async move {
                let (session, reserve) = (attempt.reserve.session.clone(), &attempt.reserve);
                // Follow-ups at each call, for many may have been asked for before the first of them cost anything.
                if attempt.allowed.iter().any(|state| state.is_final()) {
                    quota::share(tx, &session, reserve.member).await?;
                }
                let mut script = Script::default();
                add!(
                    script,
                    "INSERT INTO step (session_id, key, kind, state, started_ms)
                         SELECT id, ?2, ?3, 'intent', ?4 FROM session WHERE id = ?1 ON CONFLICT DO NOTHING",
                    (session.as_str(), attempt.key.as_str(), &attempt.kind, at_ms)
                );
                account::hold(&mut script, reserve, whole);
                request.write(&mut script, &session);
                add!(
                    script,
                    "UPDATE session SET raw_kept = 1 WHERE id = ?1 AND raw_kept = 0",
                    session.as_str()
                );
                add!(
                    script,
                    "INSERT INTO attempt (session_id, key, n, epoch, day, member_id, state, model, prompt_version,
                                              request_parts, reserved_tokens, reserved_money, started_ms, month)
                         SELECT id, ?2, (SELECT count(*) + 1 FROM attempt WHERE session_id = ?1 AND key = ?2),
                                ?3, ?4, ?5, 'sent', ?6, ?7,
                                (SELECT json_group_array(part.id ORDER BY place.key) FROM json_each(?8) place
                                 JOIN part ON part.session_id = ?1 AND part.hash = unhex(place.value)),
                                ?9, ?10, ?11, ?12
                         FROM session WHERE id = ?1
                         RETURNING n, (SELECT state FROM session WHERE id = session_id) AS session_state",
                    (
                        session.as_str(), attempt.key.as_str(), epoch, &reserve.day, reserve.member.as_i64(),
                        &attempt.model, &attempt.prompt_version.0, request.hashes(), reserve.tokens,
                        reserve.money.0, at_ms, reserve.month(),
                    )
                );
                let came = script.run(tx).await?;
                // Looked at afterwards: what is refused here leaves no trace of all this.
                let entered = came.last().and_then(|last| last.rows.first());
                let entered = entered.ok_or(StoreError::Missing("session"))?;
                is_among(entered.get("session_state"), attempt.allowed)?;
                account::fits(&came[1].rows, reserve)?;
                Ok(entered.get("n"))
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
        let (session, ended) = (session.clone(), Ended::of(end).await?);
        self.write(move |tx| {
            Box::pin(async move {
                close(tx, &session, &ended, at_ms).await?.run(tx).await?;
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
                let rows = sql!(
                    "SELECT key, n, day, month, member_id, reserved_tokens, reserved_money,
                            (SELECT guild_id FROM session WHERE id = session_id) AS guild_id
                     FROM attempt WHERE session_id = ?1 AND state = 'sent' AND epoch < ?2",
                    (session.as_str(), epoch)
                )
                .fetch_all(&mut *tx)
                .await?;
                let mut script = Script::default();
                for row in &rows {
                    let (key, n): (String, i64) = (row.get("key"), row.get("n"));
                    let money: i64 = row.get("reserved_money");
                    let charge = Charge::Worst {
                        tokens: row.get("reserved_tokens"),
                        money: (money > 0).then_some(Money(money)),
                        lost: true,
                    };
                    account::settle(&mut script, &session, row, charge);
                    add!(
                        script,
                        "UPDATE attempt SET state = 'lost', problem = 'cut off by a restart', finished_ms = ?4
                             WHERE session_id = ?1 AND key = ?2 AND n = ?3",
                        (session.as_str(), key, n, at_ms)
                    );
                }
                script.run(tx).await?;
                Ok(rows.len())
            })
        })
        .await
    }

    /// How many steps of a session asked a model so far, in how many calls, and how many of them are under way.
    pub async fn asked_so_far(&self, session: &SessionId) -> Result<AskedSoFar, StoreError> {
        Ok(sql_as!(
            "SELECT count(DISTINCT attempt.key) AS steps, count(*) FILTER (WHERE left_us) AS calls,
                    count(DISTINCT CASE WHEN step.state = 'intent' THEN attempt.key END) AS open
             FROM attempt JOIN step USING (session_id, key) WHERE attempt.session_id = ?1",
            session.as_str()
        )
        .fetch_one(&self.readers)
        .await?)
    }

    /// Attempts at a step and at those below it, first to last.
    pub async fn attempts(&self, session: &SessionId, key: &StepKey) -> Result<Vec<AttemptRow>, StoreError> {
        // One stretch of the index; what begins alike and is not below the key, such as `a-b` for `a`, is left out.
        let rows = sql!(
            "SELECT attempt.*, step.output, attempt.finished_ms - attempt.started_ms AS millis FROM attempt JOIN step USING (session_id, key)
             WHERE session_id = ?1 AND key >= ?2 AND key < ?2 || '0' AND (key = ?2 OR key > ?2 || '/')
             ORDER BY attempt.started_ms, key, n",
            (session.as_str(), key.as_str())
        )
        .fetch_all(&self.readers)
        .await?;
        let mut attempts = Vec::with_capacity(rows.len());
        for row in rows {
            let mut attempt = AttemptRow::from_row(&row)?;
            attempt.request = self.text(&row, "request_parts").await?;
            attempt.reply = self.text(&row, "reply_parts").await?;
            attempts.push(attempt);
        }
        Ok(attempts)
    }

    /// The first request of each step of a session that asked a model, in order, but those of audits; so many at most.
    pub async fn first_requests(
        &self,
        session: &SessionId,
        most: i64,
    ) -> Result<Vec<(StepKey, String)>, StoreError> {
        let rows = sql!(
            "SELECT key, request_parts FROM attempt
             WHERE session_id = ?1 AND n = 1 AND NOT (key >= 'audit/' AND key < 'audit0')
             ORDER BY started_ms, key LIMIT ?2",
            (session.as_str(), most)
        )
        .fetch_all(&self.readers)
        .await?;
        let mut requests = Vec::with_capacity(rows.len());
        for row in rows {
            let key = StepKey::new(row.get::<String, _>("key"));
            requests.extend(self.text(&row, "request_parts").await?.map(|text| (key, text)));
        }
        Ok(requests)
    }

    /// The text of a column's parts.
    async fn text(&self, row: &SqliteRow, parts: &str) -> Result<Option<String>, StoreError> {
        match row.get::<Option<String>, _>(parts) {
            Some(parts) => part::read(&self.readers, &parts).await,
            None => Ok(None),
        }
    }

    /// Which models answered in a session, and how many calls each.
    pub async fn models_used(&self, session: &SessionId) -> Result<Vec<(String, i64)>, StoreError> {
        Ok(sql_as!(
            "SELECT coalesce(answered, attempt.model) AS name, count(*) AS calls FROM attempt JOIN step USING (session_id, key)
             WHERE session_id = ?1 AND attempt.state = 'ok' AND step.kind NOT IN ('search', 'code') GROUP BY name ORDER BY calls DESC, name",
            session.as_str()
        )
        .fetch_all(&self.readers)
        .await?)
    }
}

/// Ends an attempt; gives what is still to be done with it, which turns what it held into what it used.
pub(super) async fn close(
    tx: &mut SqliteConnection,
    session: &SessionId,
    Ended { end, reply }: &Ended,
    at_ms: i64,
) -> Result<Script<'static>, StoreError> {
    let mut script = Script::default();
    if let Some(reply) = reply {
        reply.write(&mut script, session);
    }
    let (input, cached, output) = match end.tokens {
        Some((input, cached, output)) => (Some(input), Some(cached), Some(output)),
        None => (None, None, None),
    };
    add!(
        script,
        "UPDATE attempt SET state = ?4, answered = ?5, problem = ?7, request_id = ?8, input_tokens = ?9,
                                cached_tokens = ?10, output_tokens = ?11, finished_ms = ?13, left_us = ?14,
                                money = coalesce(?12, CASE WHEN ?9 IS NULL AND ?14 THEN nullif(reserved_money, 0) END),
                                reply_parts = CASE WHEN ?6 IS NOT NULL THEN
                                    (SELECT json_group_array(part.id ORDER BY place.key) FROM json_each(?6) place
                                     JOIN part ON part.session_id = ?1 AND part.hash = unhex(place.value)) END
             WHERE session_id = ?1 AND key = ?2 AND n = ?3 AND state = 'sent'
             RETURNING day, month, member_id, reserved_tokens, reserved_money, money,
                       (SELECT guild_id FROM session WHERE id = session_id) AS guild_id",
        (
            session.as_str(), end.key.as_str(), end.n, if end.ok { "ok" } else { "failed" }, &end.answered,
            reply.as_ref().map(Packed::hashes), &end.problem, &end.request_id, input, cached, output,
            end.money.map(|money| money.0), at_ms, end.sent,
        )
    );
    let came = script.run(tx).await?;
    let mut script = Script::default();
    // Charged once: an attempt that is not open any more was settled before.
    let Some(held) = came.last().and_then(|last| last.rows.first()) else { return Ok(script) };
    let counted =
        end.tokens.map(|(input, cached, output)| input.saturating_add(cached).saturating_add(output));
    let money: Option<i64> = held.get("money");
    let charge = match counted {
        _ if !end.sent => Charge::NotSent,
        Some(tokens) => Charge::Counted { tokens, money: money.map(Money) },
        None => Charge::Worst { tokens: held.get("reserved_tokens"), money: money.map(Money), lost: false },
    };
    account::settle(&mut script, session, held, charge);
    Ok(script)
}
