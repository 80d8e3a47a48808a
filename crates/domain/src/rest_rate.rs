//! Who keeps Discord's rate limits, and how fast this process may go.

use std::{fmt, str::FromStr};

use thiserror::Error;

/// What a process asks of Discord's API in a second without a setting: Discord counts 50 in a second by its own clock, and
/// what leaves here evenly does not arrive there evenly.
const USUAL: u32 = 40;
/// Most that can be set: with what goes at once after a pause, an eighth of it, these are Discord's 50 in a second
/// (documentation, topics/rate-limits: Global Rate Limit).
const MOST: u32 = 45;

/// So many requests a second, 1 to 45.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RequestRate(u32);

impl RequestRate {
    /// `None` where it is not from 1 to 45.
    #[must_use]
    pub fn new(a_second: u32) -> Option<Self> {
        (1..=MOST).contains(&a_second).then_some(Self(a_second))
    }

    /// How many.
    #[must_use]
    pub fn a_second(self) -> u32 {
        self.0
    }

    /// How many may go at once after a pause, at least one.
    #[must_use]
    pub fn at_once(self) -> u32 {
        (self.0 / 8).max(1)
    }
}

impl Default for RequestRate {
    fn default() -> Self {
        Self(USUAL)
    }
}

/// Who keeps Discord's rate limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RestRate {
    /// This process: its share of the limit of all requests, and the limit of each kind of request.
    Own(RequestRate),
    /// A proxy for all processes, to which the API's address leads: nothing is held back here but what was answered 429.
    Proxy,
}

/// Something else was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("is neither a whole number from 1 to {MOST} (requests a second) nor the word proxy")]
pub struct RestRateError;

impl Default for RestRate {
    fn default() -> Self {
        Self::Own(RequestRate::default())
    }
}

impl FromStr for RestRate {
    type Err = RestRateError;

    fn from_str(text: &str) -> Result<Self, RestRateError> {
        if text.eq_ignore_ascii_case("proxy") {
            return Ok(Self::Proxy);
        }
        text.parse().ok().and_then(RequestRate::new).map(Self::Own).ok_or(RestRateError)
    }
}

impl fmt::Display for RestRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(rate) => write!(f, "{}", rate.a_second()),
            Self::Proxy => f.write_str("proxy"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_a_number_within_discords_or_the_word_proxy() {
        for text in ["1", "20", "45", "proxy"] {
            assert_eq!(text.parse::<RestRate>().unwrap().to_string(), text);
        }
        assert_eq!("Proxy".parse(), Ok(RestRate::Proxy));
        assert_eq!(RestRate::default().to_string(), "40");
        for text in ["0", "46", "-1", "1.5", "fast", ""] {
            assert_eq!(text.parse::<RestRate>(), Err(RestRateError), "{text}");
        }
    }

    #[test]
    fn no_rate_lets_more_than_fifty_go_in_a_second() {
        for rate in (1..=MOST).filter_map(RequestRate::new) {
            assert!(rate.a_second() + rate.at_once() <= 50 && rate.at_once() >= 1);
        }
        assert_eq!(RequestRate::default().at_once(), 5);
    }
}
