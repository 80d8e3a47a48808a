//! When to ask the same model again. Pure: time and chance are the caller's.
//!
//! The shape follows the vendors' own clients (two retries, half a second doubling to eight, a little chance,
//! `retry-after` obeyed up to two minutes), but goes by the class of a failure, where they go by the status
//! and so retry even when the money is gone.

use std::time::Duration;

use super::Class;

/// A provider that wants to be left alone for longer than this is not waited for (`OpenAI`'s client refuses
/// above 120 s, Anthropic's above 60 s).
pub const LONGEST_WAIT: Duration = Duration::from_mins(2);

/// How long to wait before attempt `attempt + 1` at the same model; `None`: do not ask this model again.
///
/// `attempt` counts the attempts made, from 1. `chance` is a random number from 0 to 1 (out of range it is
/// clamped), which spreads callers that failed at the same moment.
#[must_use]
pub fn pause(class: Class, attempt: u32, retry_after: Option<Duration>, chance: f64) -> Option<Duration> {
    let chance = if chance.is_finite() { chance.clamp(0.0, 1.0) } else { 0.5 };
    // Retries at most, first wait in seconds, longest wait in seconds, the least part of it that is waited.
    let (retries, first, longest, least) = match class {
        Class::RateLimited => (5, 1.0, 30.0, 0.75),
        // Full jitter: everybody was refused at the same moment and must not come back at the same moment.
        Class::Overloaded => (3, 1.0, 16.0, 0.0),
        // Each may have been paid for, so two and no more.
        Class::Server | Class::Timeout | Class::Broken => (2, 0.5, 8.0, 0.75),
        // As it was: the next time it may write what was asked for.
        Class::Malformed => (1, 0.5, 8.0, 0.75),
        Class::Unavailable => (3, 2.0, 16.0, 0.75),
        Class::MoneyGone
        | Class::Auth
        | Class::NotFound
        | Class::Forbidden
        | Class::BadRequest
        | Class::TooLarge
        | Class::Cancelled => return None,
    };
    if attempt > retries || retry_after.is_some_and(|wait| wait > LONGEST_WAIT) {
        return None;
    }
    let doubled = first * 2f64.powi(i32::try_from(attempt.saturating_sub(1)).unwrap_or(i32::MAX).min(16));
    let backoff = doubled.min(longest) * (least + (1.0 - least) * chance);
    Some(match retry_after {
        // Never before the time given, and spread over up to a quarter more.
        Some(wait) => wait.mul_f64(1.0 + chance / 4.0).max(Duration::from_secs_f64(backoff)),
        None => Duration::from_secs_f64(backoff),
    })
}

#[cfg(test)]
mod tests {
    use strum::VariantNames as _;

    use super::*;

    fn seconds(class: Class, attempt: u32, retry_after: Option<u64>, chance: f64) -> Option<f64> {
        pause(class, attempt, retry_after.map(Duration::from_secs), chance).map(|wait| wait.as_secs_f64())
    }

    #[test]
    fn the_table() {
        type Row = (Class, u32, Option<u64>, f64, Option<f64>);
        let rows: &[Row] = &[
            // Wait at least retry-after, with some chance added.
            (Class::RateLimited, 1, Some(20), 0.0, Some(20.0)),
            (Class::RateLimited, 1, Some(20), 1.0, Some(25.0)),
            (Class::RateLimited, 1, Some(0), 1.0, Some(1.0)),
            (Class::RateLimited, 1, None, 0.0, Some(0.75)),
            (Class::RateLimited, 5, None, 1.0, Some(16.0)),
            (Class::RateLimited, 6, None, 1.0, None),
            (Class::RateLimited, 1, Some(121), 0.5, None),
            // Full jitter, then the fallback.
            (Class::Overloaded, 1, None, 0.0, Some(0.0)),
            (Class::Overloaded, 3, None, 1.0, Some(4.0)),
            (Class::Overloaded, 4, None, 0.5, None),
            // At most two, half a second doubling, three quarters to all of it.
            (Class::Server, 1, None, 0.0, Some(0.375)),
            (Class::Server, 2, None, 1.0, Some(1.0)),
            (Class::Server, 3, None, 1.0, None),
            (Class::Timeout, 2, None, 1.0, Some(1.0)),
            (Class::Timeout, 3, None, 1.0, None),
            (Class::Broken, 1, None, 1.0, Some(0.5)),
            (Class::Broken, 3, None, 1.0, None),
            (Class::Server, 1, Some(3), 0.0, Some(3.0)),
            (Class::Malformed, 1, None, 1.0, Some(0.5)),
            (Class::Malformed, 2, None, 1.0, None),
            // The breaker says when it opens again.
            (Class::Unavailable, 1, Some(30), 0.0, Some(30.0)),
            (Class::Unavailable, 4, None, 0.0, None),
            // Never, whatever the header says.
            (Class::MoneyGone, 1, Some(1), 0.5, None),
            (Class::Auth, 1, Some(1), 0.5, None),
            (Class::NotFound, 1, None, 0.5, None),
            (Class::Forbidden, 1, None, 0.5, None),
            (Class::BadRequest, 1, None, 0.5, None),
            (Class::TooLarge, 1, None, 0.5, None),
            (Class::Cancelled, 1, None, 0.5, None),
        ];
        for &(class, attempt, retry_after, chance, wanted) in rows {
            let got = seconds(class, attempt, retry_after, chance);
            assert_eq!(
                got, wanted,
                "{class:?}, attempt {attempt}, retry-after {retry_after:?}, chance {chance}"
            );
        }
    }

    #[test]
    fn it_always_ends_and_never_waits_too_long() {
        for class in Class::VARIANTS {
            let class: Class = serde_json::from_value((*class).into()).unwrap();
            assert_eq!(pause(class, 1, None, 0.5).is_some(), class.is_transient(), "{class:?}");
            for attempt in [0, 1, 2, 3, 4, 5, 6, 40, u32::MAX] {
                for chance in [f64::NAN, -1.0, 0.0, 0.3, 1.0, 7.0, f64::INFINITY] {
                    for retry_after in [None, Some(Duration::ZERO), Some(LONGEST_WAIT), Some(Duration::MAX)] {
                        let wait = pause(class, attempt, retry_after, chance);
                        assert!(wait.is_none_or(|wait| wait <= LONGEST_WAIT.mul_f64(1.25)));
                        assert!(attempt <= 5 || wait.is_none());
                        if let (Some(wait), Some(least)) = (wait, retry_after) {
                            assert!(wait >= least);
                        }
                    }
                }
            }
        }
    }
}
