//! Searching the web: like a call to a model, intent and budget first, then the queries all at once, then what they found
//! with its cost in one transaction.

use futures::future::join_all;
use serde_json::json;

use super::{Steps, Stop, World};
use crate::store::{AttemptEnd, NewAttempt, Settled};
use domain::{Found, Money, PromptVersion, SearchFault, Source, StepKey};
use models::search::{Search, SearchError};

const KIND: &str = "search";

/// Most pages that are kept of a step: what a model reads with care.
const MOST_PAGES: usize = 8;

/// What a query costs here; nothing where there is no search.
#[must_use]
pub fn search_price(world: &World) -> Money {
    world.search.as_ref().map_or(Money(0), Search::price)
}

impl Steps {
    /// What the web has on these queries, the best pages first, each once. A search that fails is told by what is found,
    /// and stops nobody. `who`: the seat's title, for the live card.
    pub async fn search(&self, key: StepKey, who: &str, queries: Vec<String>) -> Result<Found, Stop> {
        if let Some(found) = self.recall::<Found>(&key, KIND).await? {
            return found.map_err(|_| Stop::Drift(key));
        }
        let Some(search) = &self.world.search else {
            let gone = Found { queries: Vec::new(), sources: Vec::new(), fault: Some(SearchFault::Gone) };
            return self.found((&key, None), gone).await;
        };
        let request = json!(queries.iter().map(|query| search.wire(query)).collect::<Vec<_>>());
        let most = Money(search.price().0.saturating_mul(i64::try_from(queries.len()).unwrap_or(i64::MAX)));
        let attempt = NewAttempt {
            key: key.clone(),
            kind: KIND.to_owned(),
            reserve: self.reserve(0, most),
            model: search.name().to_owned(),
            prompt_version: PromptVersion("none".to_owned()),
            request: request.to_string(),
            allowed: self.scope.allowed,
        };
        let Some((n, in_flight)) = self.enter(&attempt).await? else {
            // The process is about to end, and the next one goes on from here.
            self.cancel.cancelled().await;
            return Err(Stop::Halted);
        };
        self.live.change(|progress| progress.thinking.push(who.to_owned()));
        let answers = tokio::select! {
            answers = join_all(queries.iter().map(|query| search.find(query))) => Some(answers),
            () = self.cancel.cancelled() => None,
        };
        self.live.change(|progress| progress.thought(who));
        let Some(answers) = answers else {
            // What was under way may have been counted: it is charged as it was held.
            self.end(end(&key, n, (None, None), Some("cancelled".to_owned()))).await?;
            return Err(Stop::Halted);
        };
        let ended = ended((&key, n), search, &answers);
        let settled = self.found((&key, Some(ended)), merged(queries, answers)).await;
        drop(in_flight);
        settled
    }

    async fn found(&self, (key, end): (&StepKey, Option<AttemptEnd>), found: Found) -> Result<Found, Stop> {
        if let Some(fault) = found.fault {
            tracing::warn!(session = %self.scope.session, %key, ?fault, "a search found nothing out");
        }
        let settled = Settled {
            key: key.clone(),
            kind: KIND.to_owned(),
            failed: false,
            output: serde_json::to_value(&found)?,
            posts: Vec::new(),
            panel: None,
            allowed: self.scope.allowed,
        };
        self.world.store.settle(&self.scope.session, end, settled, self.world.now_ms()).await?;
        Ok(found)
    }
}

type Answer = Result<Vec<Source>, SearchError>;

/// What the queries found together.
fn merged(queries: Vec<String>, answers: Vec<Answer>) -> Found {
    let (mut answered, mut lists, mut fault) = (Vec::new(), Vec::new(), None);
    for (query, answer) in queries.into_iter().zip(answers) {
        match answer {
            Ok(list) => {
                answered.push(query);
                lists.push(list);
            }
            Err(error) => fault = fault.or(Some(error.fault)),
        }
    }
    let fault = fault.filter(|_| lists.is_empty());
    Found { queries: answered, sources: Source::merged(&lists, MOST_PAGES), fault }
}

/// The end of an attempt: charged is what was answered, and what may have been counted before it failed.
fn ended((key, n): (&StepKey, i64), search: &Search, answers: &[Answer]) -> AttemptEnd {
    let reached = |answer: &&Answer| answer.as_ref().map_or_else(|error| error.sent, |_| true);
    let charged = answers.iter().filter(reached).count();
    let money = Money(search.price().0.saturating_mul(i64::try_from(charged).unwrap_or(i64::MAX)));
    let shown: Vec<_> = answers
        .iter()
        .map(|answer| match answer {
            Ok(found) => json!(found),
            Err(error) => json!({ "error": error.to_string() }),
        })
        .collect();
    let problems: Vec<String> =
        answers.iter().filter_map(|answer| answer.as_ref().err().map(ToString::to_string)).collect();
    let problem = (!problems.is_empty()).then(|| problems.join("; "));
    AttemptEnd {
        ok: answers.iter().any(Result::is_ok),
        sent: charged > 0,
        ..end(key, n, (Some(money), Some(json!(shown).to_string())), problem)
    }
}

fn end(
    key: &StepKey,
    n: i64,
    (money, reply): (Option<Money>, Option<String>),
    problem: Option<String>,
) -> AttemptEnd {
    AttemptEnd {
        key: key.clone(),
        n,
        ok: false,
        sent: true,
        answered: None,
        reply,
        problem,
        request_id: None,
        // No tokens; unless nobody knows what was counted.
        tokens: money.map(|_| (0, 0, 0)),
        money,
    }
}
