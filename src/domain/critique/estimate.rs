//! What a critique will take, told before it starts.

use serde::{Deserialize, Serialize};

use super::{CallPlan, DocumentSection};
use crate::domain::{Caps, Money, Price, Terms, Usage};

/// What is known of the models and of how fast they were.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rates {
    /// The dearest price among the seats; `None` if one of them is unknown.
    pub price: Option<Price>,
    /// Calls that run side by side.
    pub parallel: u32,
    /// What a call usually took, in milliseconds; `None`: nothing was measured yet, and it is a guess.
    pub call_ms: Option<u64>,
}

/// What a critique takes at most.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// What will be called.
    pub plan: CallPlan,
    /// Calls at most, repairs left out.
    pub calls: u32,
    /// Tokens in and out at most, about.
    pub tokens: u64,
    /// Cost at most; `None`: a price is not known.
    pub cost: Option<Money>,
    /// Minutes, about, at least 1.
    pub minutes: u32,
    /// Whether the minutes come from calls that were measured, and not from a guess.
    pub measured: bool,
    /// The sections of the text, those that will not be read too.
    pub sections: Vec<DocumentSection>,
}

impl Estimate {
    /// What is said around its confirmation.
    pub const TERMS: Terms = Terms {
        button: "Go",
        under: "the estimate",
        phase: (1, "The estimate waits for a Go"),
        decide: "let this critique begin",
        absent: "This session has no estimate that waits for a Go.",
        begins: "Go. The six begin to read.",
        confirmed: "Confirmed",
        fixed: "has pressed Go already, so the six are reading. Their trees come in the thread.",
        edit: None,
    };

    /// More calls than this need a *Go*.
    pub const CALLS_WITHOUT_ASKING: u32 = 40;

    /// Whether somebody has to say *Go* first: many calls, more than half of the session's money or tokens, or less than
    /// was asked for (sections that nobody would read, or less depth).
    #[must_use]
    pub fn needs_go(&self, caps: &Caps) -> bool {
        let more_than_half = |amount: i64, cap: i64| cap < Caps::NO_LIMIT && amount > cap / 2;
        let tokens = i64::try_from(self.tokens).unwrap_or(i64::MAX);
        self.calls > Self::CALLS_WITHOUT_ASKING
            || self.cost.is_some_and(|cost| more_than_half(cost.0, caps.money.0))
            || more_than_half(tokens, caps.tokens)
            || !self.plan.unread.is_empty()
            || self.plan.depth.levels() < self.plan.wanted.levels()
    }

    /// Whether the session's tokens and money suffice for it; a cost that is not known is not counted.
    #[must_use]
    pub fn fits(&self, caps: &Caps) -> bool {
        let tokens = i64::try_from(self.tokens).unwrap_or(i64::MAX);
        tokens <= caps.tokens && self.cost.is_none_or(|cost| cost <= caps.money)
    }
}

/// What a call takes where none was measured, in milliseconds.
const GUESSED_CALL_MS: u64 = 20_000;

/// Works out what a plan takes; `per_call` are the tokens that a call of each stage sends and receives at most, in the
/// order of [`CallPlan::stages`]. Input is counted at the dearest of its prices, as it may be written to a cache.
#[must_use]
pub fn estimate(
    plan: CallPlan,
    sections: Vec<DocumentSection>,
    per_call: &[(u64, u64)],
    rates: Rates,
) -> Estimate {
    let call_ms = rates.call_ms.unwrap_or(GUESSED_CALL_MS);
    let (mut sent, mut received, mut millis) = (0_u64, 0_u64, 0_u64);
    for (place, calls) in plan.stages.iter().enumerate() {
        let (input, output) = per_call.get(place).copied().unwrap_or_default();
        sent = sent.saturating_add(input.saturating_mul(u64::from(*calls)));
        received = received.saturating_add(output.saturating_mul(u64::from(*calls)));
        let rounds = calls.div_ceil(rates.parallel.max(1));
        millis = millis.saturating_add(call_ms.saturating_mul(u64::from(rounds)));
    }
    let cost = rates.price.map(|price| {
        let usage = if price.cache_write > price.input {
            Usage { cache_write: sent, output: received, ..Usage::default() }
        } else {
            Usage { input: sent, output: received, ..Usage::default() }
        };
        price.of(usage)
    });
    Estimate {
        calls: plan.calls(),
        tokens: sent.saturating_add(received),
        cost,
        minutes: u32::try_from(millis.div_ceil(60_000)).unwrap_or(u32::MAX).max(1),
        measured: rates.call_ms.is_some(),
        sections,
        plan,
    }
}
