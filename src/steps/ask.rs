//! Asking a model: intent and budget first, then the call, then result, cost and cards in one transaction.

use futures::future::join_all;
use serde::{Serialize, de::DeserializeOwned};
use tokio_util::task::task_tracker::TaskTrackerToken as InFlight;

use super::{
    Failure, FailureClass, Steps, Stop,
    bill::worst_case,
    held::Held,
    servers::{IN_THOUGHTS, taken},
};
use crate::{
    prompt::{self, ParseError},
    store::{AttemptEnd, NewAttempt, NewPanel, Reserve, Settled, StoreError},
};
use domain::{Degraded, Finish, ModelName, Money, Post, Prompt, Reply, StepKey};
use models::{CallError, Class, Listener};

/// Most attempts of one step that restarts may cut off before it counts as failed: a call that takes the
/// process down with it must not do so for ever.
const MOST_ATTEMPTS: i64 = 12;

/// One question to one model.
pub struct Ask {
    /// The step's key.
    pub key: StepKey,
    /// The seat's title, for the live card.
    pub who: String,
    /// Who is asked.
    pub model: ModelName,
    /// The request.
    pub prompt: Prompt,
}

/// Which step asks whom.
type Of<'a> = (&'a StepKey, &'a ModelName);

/// Which reading of a reply this is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Try {
    /// The first: an error gets a repair turn.
    First,
    /// After the repair turn: what can be made of it has to do.
    Repaired,
}

/// Room to think that a model gets at least when it said nothing, in tokens, before it is multiplied.
const LEAST_ROOM: u32 = 2_000;
/// How many times the room it is given then.
const MORE_ROOM: u32 = 4;

/// What becomes of a reply.
enum Verdict<T> {
    Value(T),
    /// Ask for a correction, for this reason.
    Repair(Box<Prompt>, String),
    /// Ask again with more room.
    Widen(Box<Prompt>, String),
    Fail(Failure),
}

impl Steps {
    /// Asks a model and reads its reply with `read`; a reply that cannot be read gets one repair turn. The
    /// posts that `cards` makes of the outcome go out with it. A failure is a value and stands in the journal.
    pub async fn ask<T, R, C>(&self, ask: Ask, read: R, cards: C) -> Result<Result<T, Failure>, Stop>
    where
        T: Serialize + DeserializeOwned,
        R: Fn(&Reply, Try) -> Result<T, ParseError>,
        C: FnOnce(&Result<T, Failure>) -> Vec<Post>,
    {
        let Ask { key, who, model, prompt } = ask;
        let kind = format!("ask:{}", prompt.schema.as_ref().map_or("text", |schema| &schema.name));
        let (begun, cut_off) = self.world.store.begun(&self.scope.session, &key).await?.unzip();
        if let Some(outcome) = begun.map_or(Ok(None), |row| self.came_to(&key, &kind, row))? {
            self.live.change(|progress| progress.answered.push(who));
            return Ok(outcome);
        }
        let of = (&key, &model);
        let calling = self.live.underway.begin(&who, self.seen);
        self.live.change(|progress| progress.thinking.push(who.clone()));
        let outcome = if cut_off.is_some_and(|times| times >= MOST_ATTEMPTS) {
            let detail = format!("cut off by the end of the process {MOST_ATTEMPTS} times");
            let failure = Failure { class: FailureClass::Unavailable, detail };
            self.settle(of, &kind, (None, Err(failure)), cards).await
        } else {
            // Boxed, or every future that may ask would be as large as this one.
            Box::pin(self.attempts(of, (&kind, &who), prompt, calling.listener(), (read, cards))).await
        };
        drop(calling);
        self.live.change(|progress| {
            progress.thought(&who);
            progress.came(&key);
            if matches!(outcome, Ok(Ok(_))) {
                progress.answered.push(who.clone());
            }
        });
        outcome
    }

    /// Runs all of a round's questions at once and keeps every outcome: a failure is a value, and its
    /// siblings' paid replies are kept even when one of them has to stop the session.
    pub async fn all<T>(
        &self,
        asks: impl IntoIterator<Item = impl Future<Output = Result<T, Stop>>>,
    ) -> Result<Vec<T>, Stop> {
        join_all(asks).await.into_iter().collect()
    }

    async fn attempts<T, R, C>(
        &self,
        (key, model): Of<'_>,
        (kind, who): (&str, &str),
        mut prompt: Prompt,
        listener: &Listener,
        (read, cards): (R, C),
    ) -> Result<Result<T, Failure>, Stop>
    where
        T: Serialize + DeserializeOwned,
        R: Fn(&Reply, Try) -> Result<T, ParseError>,
        C: FnOnce(&Result<T, Failure>) -> Vec<Post>,
    {
        prompt.room = self.world.llm.room(model, &prompt);
        let (mut tries, mut widened) = (0, false);
        loop {
            tries += 1;
            let Some((n, in_flight)) = self.intend((key, model), kind, &prompt).await? else {
                // The process is about to end, and the next one goes on from here.
                self.cancel.cancelled().await;
                return Err(Stop::Halted);
            };
            if let Err(error) = self.ahead.written().await {
                let end = self.unpaid(
                    (key, model),
                    &prompt,
                    n,
                    &CallError::unsent("what it rests on was not written"),
                );
                self.end(end).await?;
                return Err(error.into());
            }
            let called = self.world.llm.send_heard(model, &prompt, &self.cancel, listener).await;
            self.keep_lessons().await;
            let outcome = match taken(model, called, &read) {
                Ok(reply) => {
                    self.live.change(|progress| progress.came(key));
                    let mut end = self.paid(key, n, &reply);
                    if reply.is_only_thought() {
                        self.world.llm.note_thinking(model);
                    }
                    end.problem = (reply.finish == Finish::InThoughts).then(|| IN_THOUGHTS.to_owned());
                    self.note_cut_prompt((key, model), &prompt, &reply).await;
                    let verdict = self.judge(&prompt, &reply, widened, &read);
                    widened |= matches!(verdict, Verdict::Widen(..));
                    match verdict {
                        Verdict::Repair(next, problem) | Verdict::Widen(next, problem) => {
                            self.end(AttemptEnd { ok: false, problem: Some(problem), ..end }).await?;
                            prompt = *next;
                            tries = 0;
                            continue;
                        }
                        Verdict::Value(value) => (end, Ok(value)),
                        Verdict::Fail(failure) => (
                            AttemptEnd { ok: false, problem: Some(failure.detail.clone()), ..end },
                            Err(failure),
                        ),
                    }
                }
                Err(error) => {
                    let end = self.unpaid((key, model), &prompt, n, &error);
                    if error.class == Class::Forbidden {
                        let barred =
                            Degraded::Barred { model: model.clone(), why: error.message.to_string() };
                        self.note_of_server(key, barred).await;
                    }
                    if error.class == Class::Cancelled {
                        self.end(end).await?;
                        return Err(Stop::Halted);
                    }
                    if error.class.pauses_session() {
                        self.end(end).await?;
                        return Err(Stop::Pause(money_or_key_sentence(model, error.class), None));
                    }
                    let own =
                        |pause| if error.retry_after.is_none() { self.world.pace.of(pause) } else { pause };
                    let pause = error.pause(tries, rand::random()).map(own);
                    match pause.filter(|_| n < MOST_ATTEMPTS) {
                        Some(pause) => {
                            tracing::info!(session = %self.scope.session, key = %key, %error, ?pause, "a call will be tried again");
                            let now = self.world.now_ms() / 1000;
                            self.live.change(|progress| progress.fails((key, who), now));
                            self.end(end).await?;
                            // What waits for its turn is not in flight.
                            drop(in_flight);
                            tokio::select! {
                                () = tokio::time::sleep(pause) => continue,
                                () = self.cancel.cancelled() => return Err(Stop::Halted),
                            }
                        }
                        None => (end, Err(failure(&error))),
                    }
                }
            };
            let (end, outcome) = outcome;
            let settled = self.settle((key, model), kind, (Some(end), outcome), cards).await;
            drop(in_flight);
            return settled;
        }
    }

    /// Writes the row and reserves the worst case; where too little is left, as soon as calls under way have given back
    /// what they did not need. A session that is stopped meanwhile may write no row. `None`: the process is about to end.
    async fn intend(
        &self,
        (key, model): Of<'_>,
        kind: &str,
        prompt: &Prompt,
    ) -> Result<Option<(i64, (InFlight, Held))>, Stop> {
        let (tokens, money) = worst_case(prompt, self.world.llm.price(model));
        let attempt = NewAttempt {
            key: key.clone(),
            kind: kind.to_owned(),
            reserve: self.reserve(tokens, money),
            model: model.to_string(),
            prompt_version: prompt.version.clone(),
            request: self.world.llm.wire(model, prompt).to_string(),
            allowed: self.scope.allowed,
        };
        self.enter(&attempt).await
    }

    /// So much on everybody's account.
    pub(super) fn reserve(&self, tokens: i64, money: Money) -> Reserve {
        let scope = &self.scope;
        Reserve {
            session: scope.session.clone(),
            guild: scope.guild,
            member: scope.payer,
            day: day(self.world.now_ms()),
            tokens,
            money,
            caps: [scope.budgets.session, scope.budgets.member_day, scope.budgets.server_day],
            month: scope.budgets.server_month,
        }
    }

    /// Writes an attempt's row with what it holds, as soon as there is room for it.
    pub(super) async fn enter(&self, attempt: &NewAttempt) -> Result<Option<(i64, (InFlight, Held))>, Stop> {
        loop {
            let Some(in_flight) = self.world.drain.admit() else { return Ok(None) };
            let promised = self.promised.hold(&attempt.key).await;
            let held = self.holding.begin();
            match self.world.store.intend(attempt.clone(), self.world.now_ms()).await {
                Ok(n) => {
                    if let Some(mut promised) = promised {
                        promised.remove(&attempt.key);
                    }
                    return Ok(Some((n, (in_flight, held.taken()))));
                }
                // What waits for its turn is not in flight, and promised no more than before.
                Err(StoreError::Budget(refusal)) if refusal.comes_back() => {
                    drop((in_flight, promised));
                    if !held.may_try_again().await {
                        return Err(Stop::short(refusal, &attempt.reserve));
                    }
                }
                Err(StoreError::Budget(refusal)) => return Err(Stop::short(refusal, &attempt.reserve)),
                Err(other) => return Err(other.into()),
            }
        }
    }

    fn judge<T>(
        &self,
        prompt: &Prompt,
        reply: &Reply,
        widened: bool,
        read: impl Fn(&Reply, Try) -> Result<T, ParseError>,
    ) -> Verdict<T> {
        let fail = |class, detail: String| Verdict::Fail(Failure { class, detail });
        match reply.finish {
            Finish::Refused => fail(FailureClass::Refused, "the model declined".to_owned()),
            Finish::Length if reply.is_only_thought() => {
                let problem = format!("no word of an answer within {} tokens", prompt.bound());
                let room = prompt.room.max(LEAST_ROOM).saturating_mul(MORE_ROOM);
                if widened {
                    fail(FailureClass::Silent, problem)
                } else {
                    Verdict::Widen(Box::new(Prompt { room, ..prompt.clone() }), problem)
                }
            }
            Finish::Length => {
                let problem = format!("cut off at {} tokens", prompt.bound());
                let wider = Prompt { max_tokens: prompt.max_tokens.saturating_mul(2), ..prompt.clone() };
                if widened {
                    fail(FailureClass::Truncated, problem)
                } else {
                    Verdict::Widen(Box::new(wider), problem)
                }
            }
            Finish::Stop | Finish::InThoughts => {
                let reading = if prompt.turns.is_empty() { Try::First } else { Try::Repaired };
                match read(reply, reading) {
                    Ok(value) => Verdict::Value(value),
                    Err(error) if reading == Try::First => {
                        let repair = prompt::repair(&self.scope.prompts, prompt, &reply.text, &error);
                        Verdict::Repair(Box::new(repair), error.to_string())
                    }
                    Err(error) => fail(FailureClass::Malformed, error.to_string()),
                }
            }
        }
    }

    async fn settle<T: Serialize>(
        &self,
        (key, model): Of<'_>,
        kind: &str,
        (end, outcome): (Option<AttemptEnd>, Result<T, Failure>),
        cards: impl FnOnce(&Result<T, Failure>) -> Vec<Post>,
    ) -> Result<Result<T, Failure>, Stop> {
        if let Err(failure) = &outcome {
            tracing::warn!(session = %self.scope.session, %key, %model, ?failure, "a model gave no usable answer");
        }
        let cards = cards(&outcome);
        let (posts, panel) = match &self.panel {
            None => (self.outgoing(key, cards), None),
            Some(panel) => {
                let first = self.outgoing(panel, cards).into_iter().next();
                (Vec::new(), first.map(|first| NewPanel { key: panel.clone(), first }))
            }
        };
        let settled = Settled {
            key: key.clone(),
            kind: kind.to_owned(),
            failed: outcome.is_err(),
            output: match &outcome {
                Ok(value) => serde_json::to_value(value)?,
                Err(failure) => serde_json::to_value(failure)?,
            },
            posts,
            panel,
            allowed: self.scope.allowed,
        };
        self.world.store.settle(&self.scope.session, end, settled, self.world.now_ms()).await?;
        self.outbox.kick(&self.scope.session);
        if let Some(panel) = &self.panel {
            self.panels.kick(&self.scope.session, panel.as_str());
        }
        Ok(outcome)
    }

    pub(super) async fn end(&self, end: AttemptEnd) -> Result<(), Stop> {
        Ok(self.world.store.end_attempt(&self.scope.session, end, self.world.now_ms()).await?)
    }
}

/// The day (UTC) of a time, as accounts spell it.
#[must_use]
pub fn day(ms: i64) -> String {
    chrono::DateTime::from_timestamp_millis(ms).unwrap_or_default().format("%Y-%m-%d").to_string()
}

/// The month (UTC) of a moment, `YYYY-MM`, as budgets count it.
#[must_use]
pub fn month(ms: i64) -> String {
    day(ms).chars().take(7).collect()
}

fn failure(error: &CallError) -> Failure {
    let class = match error.class {
        Class::TooLarge => FailureClass::TooLarge,
        Class::BadRequest | Class::NotFound => FailureClass::Rejected,
        Class::Forbidden => FailureClass::Barred,
        Class::Malformed => FailureClass::Malformed,
        _ => FailureClass::Unavailable,
    };
    Failure { class, detail: format!("{:?}: {}", error.class, error.message) }
}

fn money_or_key_sentence(model: &ModelName, class: Class) -> String {
    let provider = model.provider.as_str();
    match class {
        Class::MoneyGone => format!(
            "{provider} says that its credit or spending limit is used up. Whoever runs this bot has to top it up; then press Resume."
        ),
        _ => format!(
            "{provider} refused the bot's API key for {model}. Whoever runs this bot has to set a valid key and restart it; then press Resume."
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_utc() {
        assert_eq!(day(0), "1970-01-01");
        assert_eq!(day(86_399_999), "1970-01-01");
        assert_eq!(day(86_400_000), "1970-01-02");
        assert_eq!((month(0), month(31 * 86_400_000)), ("1970-01".to_owned(), "1970-02".to_owned()));
    }
}
