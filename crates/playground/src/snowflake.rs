//! Ids as Discord makes them: milliseconds since 2015 in the upper bits, always growing.

use std::time::{SystemTime, UNIX_EPOCH};

/// An id of anything: server, channel, message, member. Zero is "none".
pub type Id = u64;

/// First millisecond of 2015, from which snowflakes count (Discord, "Reference: Snowflakes").
const DISCORD_EPOCH: u64 = 1_420_070_400_000;

/// Milliseconds since 1970.
pub(super) fn now_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// The id after `last`: that of this moment, or one more when several are made in a millisecond or the
/// clock went back.
pub(super) fn after(last: Id) -> Id {
    (now_ms().saturating_sub(DISCORD_EPOCH) << 22).max(last + 1)
}

/// When an id was made, in milliseconds since 1970.
pub(super) fn created_ms(id: Id) -> u64 {
    (id >> 22) + DISCORD_EPOCH
}

/// A time as Discord writes it.
pub(super) fn iso(ms: u64) -> String {
    let ms = i64::try_from(ms).unwrap_or(i64::MAX);
    chrono::DateTime::from_timestamp_millis(ms)
        .unwrap_or_default()
        .format("%Y-%m-%dT%H:%M:%S%.6f+00:00")
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_grow_and_tell_their_time() {
        let first = after(0);
        let second = after(first);
        assert!(second > first);
        assert!(after(u64::MAX - 10) == u64::MAX - 9, "a clock that went back never repeats an id");
        assert!(now_ms() - created_ms(first) < 1000);
        assert_eq!(iso(1_420_070_400_000), "2015-01-01T00:00:00.000000+00:00");
    }
}
