//! What calls to models cost, and how long one usually takes, measured on those in the database.

use std::collections::BTreeMap;

use super::{Steps, Stop, World};
use crate::store::{CallTimes, Store, StoreError};
use domain::{Effort, ModelName, Price, Provider, Rates};
use models::Llm;

/// Newest calls that are looked at, of each provider.
const NEWEST: i64 = 100;
/// Fewer calls than this say nothing of how long one usually takes.
const FEWEST: usize = 5;

impl Steps {
    /// What is known of these models' prices and pace, and of how much they think, at this effort and each below.
    pub async fn rates_up_to(&self, models: &[ModelName], most: Effort) -> Result<RatesAt, Stop> {
        Ok(rates_up_to(&self.world, models, most).await?)
    }
}

/// What is known of these models' prices, and of how much they think at this effort; of their pace nothing.
#[must_use]
pub fn prices(llm: &Llm, models: &[ModelName], effort: Effort) -> Rates {
    let prices: Option<Vec<Price>> = models.iter().map(|model| llm.price(model)).collect();
    // A round is as slow as its slowest seat.
    let parallel = models.iter().map(|model| llm.at_once(model)).min().unwrap_or(1);
    Rates {
        price: prices.and_then(|prices| prices.into_iter().reduce(dearest)),
        parallel: u32::try_from(parallel).unwrap_or(u32::MAX),
        call_ms: None,
        room: models.iter().map(|model| llm.most_room(model, effort)).max().unwrap_or(0),
    }
}

/// Rates by effort.
pub type RatesAt = BTreeMap<Effort, Rates>;

/// The same with their pace, at this effort and each below.
pub async fn rates_up_to(world: &World, models: &[ModelName], most: Effort) -> Result<RatesAt, StoreError> {
    let call_ms = usual_call_ms(&world.store, &world.llm, models).await?;
    let at = |effort| (effort, Rates { call_ms, ..prices(&world.llm, models, effort) });
    Ok(most.and_below().map(at).collect())
}

/// The same with their pace, measured on the calls in this database.
pub async fn rates(world: &World, models: &[ModelName], effort: Effort) -> Result<Rates, StoreError> {
    let call_ms = usual_call_ms(&world.store, &world.llm, models).await?;
    Ok(Rates { call_ms, ..prices(&world.llm, models, effort) })
}

/// The dearer of two prices, part by part: what either costs at most.
fn dearest(one: Price, other: Price) -> Price {
    Price {
        input: one.input.max(other.input),
        cached: one.cached.max(other.cached),
        cache_write: one.cache_write.max(other.cache_write),
        output: one.output.max(other.output),
    }
}

/// The median of what calls to these models took of late, in milliseconds, without their waiting for a place at the
/// provider; `None` where fewer than five succeeded.
async fn usual_call_ms(store: &Store, llm: &Llm, models: &[ModelName]) -> Result<Option<u64>, StoreError> {
    let mut took = Vec::new();
    for provider in Provider::ALL {
        let of: Vec<ModelName> = models.iter().filter(|model| model.provider == provider).cloned().collect();
        let Some(first) = of.first() else { continue };
        let calls = store.call_times(&of, NEWEST).await?;
        took.extend(without_waiting(calls, llm.at_once(first)));
    }
    took.sort_unstable();
    Ok((took.len() >= FEWEST).then(|| took[took.len() / 2]))
}

/// What each call took from when it can have had a place, `at_once` of which there are: not before the call that ended
/// so many before it had given its place back. A round of twenty calls at a model that answers four at a time would seem
/// to take five times what it does otherwise, and be multiplied by the rounds once more.
fn without_waiting(mut calls: Vec<CallTimes>, at_once: usize) -> Vec<u64> {
    calls.sort_by_key(|call| call.finished_ms);
    let took = calls.iter().enumerate().map(|(place, call)| {
        let freed = place.checked_sub(at_once.max(1)).map(|before| calls[before].finished_ms);
        let began = freed.map_or(call.started_ms, |freed| freed.max(call.started_ms));
        u64::try_from(call.finished_ms - began).unwrap_or_default()
    });
    took.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(times: &[(i64, i64)]) -> Vec<CallTimes> {
        times.iter().map(|&(started_ms, finished_ms)| CallTimes { started_ms, finished_ms }).collect()
    }

    #[test]
    fn waiting_for_a_place_is_no_part_of_a_call() {
        // Six calls of 10 each, asked at once: one at a time, two at a time, all at once.
        let queued = [(0, 10), (0, 20), (0, 30), (0, 40), (0, 50), (0, 60)];
        assert_eq!(without_waiting(calls(&queued), 1), [10; 6]);
        let paired = [(0, 10), (0, 10), (0, 20), (0, 20), (0, 30), (0, 30)];
        assert_eq!(without_waiting(calls(&paired), 2), [10; 6]);
        assert_eq!(without_waiting(calls(&[(0, 10), (0, 11), (0, 12)]), 320), [10, 11, 12]);
        // Apart in time, they are as they were.
        assert_eq!(without_waiting(calls(&[(100, 110), (0, 10), (50, 60)]), 1), [10; 3]);
        assert_eq!(without_waiting(Vec::new(), 1), [0; 0]);
        assert_eq!(without_waiting(calls(&[(5, 3)]), 0), [0], "a clock that was set back");
    }

    #[test]
    fn the_dearest_price_is_the_dearest_in_every_part() {
        let one = Price { input: 1, cached: 4, cache_write: 5, output: 20 };
        let other = Price { input: 3, cached: 2, cache_write: 6, output: 10 };
        assert_eq!(dearest(one, other), Price { input: 3, cached: 4, cache_write: 6, output: 20 });
    }
}
