//! What a session will take, told before it starts.

use serde::{Deserialize, Serialize};

use super::{
    Caps, Effort, MOST_QUERIES, ModelName, ModuleName, Money, Price, Reading, Takes, Terms, Usage,
    confirmation::Editing,
};

/// What is known of the models and of how fast they were.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rates {
    /// The dearest price among the seats; `None` if one of them is unknown.
    pub price: Option<Price>,
    /// Calls that run side by side.
    pub parallel: u32,
    /// What a call usually took, in milliseconds; `None`: nothing was measured yet, and it is a guess.
    pub call_ms: Option<u64>,
    /// Most tokens that a call thinks before it answers; 0 where no seat's model is known to think.
    pub room: u32,
}

/// What a session takes, by what sessions took that were measured: it may be half as much or twice as much.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// What a critique reads of its document, and how; nothing for other protocols.
    #[serde(flatten)]
    pub reading: Option<Reading>,
    /// Calls, repairs left out: about so many, and of a critique so many at most, for it plans them.
    pub calls: u32,
    /// Tokens in and out, with all that models may think.
    pub tokens: u64,
    /// Cost, as if nothing was found in a cache; `None`: a price is not known.
    pub cost: Option<Money>,
    /// Minutes, about, at least 1.
    pub minutes: u32,
    /// Whether the minutes come from calls that were measured, and not from a guess.
    pub measured: bool,
    /// How much is asked of everybody; `None` in estimates of versions that said it nowhere else than in the brief.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// Modules left out of it because less was asked for, the first to go first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<ModuleName>,
    /// The usual modules sit instead of a choice, because less was asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub usual_modules: bool,
    /// Pictures of its document that a model reads first; counted in what it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pictures: Option<PicturesTake>,
    /// Nobody had to be asked, but somebody wanted to see it before it starts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wished: bool,
    /// What it takes if less is asked for, as far as there is less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smaller: Option<Box<Estimate>>,
}

/// What it takes to read a document's pictures.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PicturesTake {
    /// How many.
    pub number: u32,
    /// Who reads.
    pub model: ModelName,
    /// Cost; `None`: the price is not known.
    pub cost: Option<Money>,
}

/// An estimate as it is kept, with whether somebody is asked, which an upgrade does not change either.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Planned {
    /// What it takes.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// Whether somebody has to say *Go* first.
    pub asks: bool,
}

impl Estimate {
    /// The same with so many searches of the web, at so much a query.
    #[must_use]
    pub fn searching(self, searches: u32, price: Money) -> Self {
        let money = price.0.saturating_mul(i64::from(searches.saturating_mul(MOST_QUERIES)));
        let cost = self.cost.map(|cost| Money(cost.0.saturating_add(money)));
        Self { calls: self.calls.saturating_add(searches), cost, ..self }
    }

    /// The same with pictures that a model reads before all else, which takes this by itself.
    #[must_use]
    pub fn after_pictures(self, reading: &Self, model: ModelName) -> Self {
        let cost = self.cost.zip(reading.cost).map(|(one, other)| Money(one.0.saturating_add(other.0)));
        Self {
            calls: self.calls.saturating_add(reading.calls),
            tokens: self.tokens.saturating_add(reading.tokens),
            minutes: self.minutes.saturating_add(reading.minutes),
            cost,
            pictures: Some(PicturesTake { number: reading.calls, model, cost: reading.cost }),
            ..self
        }
    }

    /// What is said around its confirmation.
    pub const TERMS: Terms = Terms {
        button: "Go",
        under: "the estimate",
        phase: (1, "The estimate waits for a Go"),
        decide: "let this session begin",
        absent: "This session has no estimate that waits for a Go.",
        begins: "Go. It begins.",
        confirmed: "Confirmed",
        fixed: "has pressed Go already, so it has begun. What comes of it is posted in the thread.",
        edit: Some(Editing {
            button: "Smaller",
            what: "how much is asked for",
            saved: "Less is asked for now. Look at the card, and press Go when it is right.",
            late: "Somebody has changed it since. Look at the card in the thread.",
            kept: "Nothing was changed.",
        }),
    };

    /// More calls than this need a *Go* where a document is criticised.
    pub const CALLS_WITHOUT_ASKING: u32 = 40;

    /// Whether somebody has to say *Go* first: many calls, more than half of the session's money or tokens, or less than
    /// was asked for (sections that nobody would read, or less depth).
    #[must_use]
    pub fn needs_go(&self, caps: &Caps) -> bool {
        let more_than_half = |amount: i64, cap: i64| cap < Caps::NO_LIMIT && amount > cap / 2;
        let tokens = i64::try_from(self.tokens).unwrap_or(i64::MAX);
        let calls = match &self.reading {
            Some(_) => self.calls > Self::CALLS_WITHOUT_ASKING,
            None => more_than_half(self.calls.into(), caps.calls),
        };
        calls
            || self.cost.is_some_and(|cost| more_than_half(cost.0, caps.money.0))
            || more_than_half(tokens, caps.tokens)
            || self.reading.as_ref().is_some_and(Reading::falls_short)
    }

    /// Whether the session's tokens and money suffice for it, and for a third more, as budgets hold a token for every three
    /// bytes and texts have one for every four; a cost that is not known is not counted.
    #[must_use]
    pub fn fits(&self, caps: &Caps) -> bool {
        let third_more = |amount: i64| amount.saturating_add(amount / 3);
        let tokens = i64::try_from(self.tokens).unwrap_or(i64::MAX);
        third_more(tokens) <= caps.tokens && self.cost.is_none_or(|cost| third_more(cost.0) <= caps.money.0)
    }

    /// The same with less asked for; else why there is no less.
    pub fn made_smaller(&self) -> Result<Self, String> {
        let smaller = self.smaller.as_deref().cloned();
        smaller.ok_or_else(|| "There is nothing smaller than this.".to_owned())
    }

    /// As it is kept: with whether somebody has to say *Go* first, be it only because somebody `wants` to.
    #[must_use]
    pub fn planned(self, needs: bool, wants: bool) -> Planned {
        Planned { asks: needs || wants, estimate: self.wished(wants && !needs) }
    }

    fn wished(mut self, wished: bool) -> Self {
        self.wished = wished;
        self.smaller = self.smaller.map(|smaller| Box::new(smaller.wished(wished)));
        self
    }

    /// Puts what it takes with less asked for behind each, from the first, which is what was asked for.
    #[must_use]
    pub fn chain(estimates: impl DoubleEndedIterator<Item = Self>) -> Option<Self> {
        estimates
            .rev()
            .fold(None, |smaller, estimate| Some(Self { smaller: smaller.map(Box::new), ..estimate }))
    }
}

/// What a call takes where none was measured, in milliseconds.
const GUESSED_CALL_MS: u64 = 20_000;

/// What it comes to with these models. Input is counted at the dearest of its prices, as it may be written to a cache, and each
/// call with all the room that a model has for thinking.
#[must_use]
pub fn estimate(takes: Takes, rates: Rates) -> Estimate {
    let call_ms = rates.call_ms.unwrap_or(GUESSED_CALL_MS);
    let thought = u64::from(rates.room).saturating_mul(takes.calls.into());
    let (sent, received) = (takes.sent, takes.written.saturating_add(thought));
    let rounds = takes.turns.max(takes.calls.div_ceil(rates.parallel.max(1)));
    let millis = call_ms.saturating_mul(rounds.into());
    let cost = rates.price.map(|price| {
        let usage = if price.cache_write > price.input {
            Usage { cache_write: sent, output: received, ..Usage::default() }
        } else {
            Usage { input: sent, output: received, ..Usage::default() }
        };
        price.of(usage)
    });
    Estimate {
        reading: None,
        calls: takes.calls,
        tokens: sent.saturating_add(received),
        cost,
        minutes: u32::try_from(millis.div_ceil(60_000)).unwrap_or(u32::MAX).max(1),
        measured: rates.call_ms.is_some(),
        effort: None,
        without: Vec::new(),
        usual_modules: false,
        pictures: None,
        wished: false,
        smaller: None,
    }
}
