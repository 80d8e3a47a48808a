//! What time it is. The clock on the wall may stand anywhere, at the start or after a jump: where it is known to be more than a
//! day apart from Discord's, everything goes by Discord's, so that no ballot is refused, no day of a budget begins, nothing
//! ends and nothing is deleted by a clock that is wrong.

use super::{World, now_ms};

/// So far apart from Discord's a clock may stand.
const MOST_APART_MS: i64 = 24 * 60 * 60 * 1_000;
/// A difference that has changed by less is the same: it is not asked about again.
const SAME_MS: i64 = 60 * 60 * 1_000;

impl World {
    /// Milliseconds since 1970: by the clock on the wall, or by Discord's where the two are known to be more than a day apart.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        by(now_ms(), self.discord.time_ms())
    }

    /// Whether Discord's clock says that this moment has come, within a day. Where it does not, or says nothing, what is due
    /// waits.
    pub async fn is_past(&self, at_ms: i64) -> bool {
        let agrees = || self.discord.time_ms().is_some_and(|time| at_ms - time <= MOST_APART_MS);
        if agrees() {
            return true;
        }
        if let Err(error) = self.discord.ask_time().await {
            tracing::warn!(%error, "Discord does not say what time it is; what is due waits until it does");
            return false;
        }
        if self.discord.time_ms().is_none() {
            tracing::error!(
                "Discord's answers carry no Date: nothing is ended or deleted by a clock that may be wrong. A proxy before \
                 it has to hand that header on"
            );
        }
        agrees()
    }

    /// Says in the log where the clock on the wall is far from Discord's. `told` is by how much it was when that was said last.
    /// Asked anew before it is: in a machine that slept, it is what was heard before that is behind.
    pub(crate) async fn compare_clocks(&self, told: &mut Option<i64>) {
        let apart = || self.discord.time_ms().map(|time| now_ms() - time).filter(|ms| is_far(*ms));
        let known = |ms: i64, told: Option<i64>| told.is_some_and(|told| (ms - told).abs() < SAME_MS);
        match apart() {
            None => *told = None,
            Some(ms) if known(ms, *told) => {}
            Some(_) if self.discord.ask_time().await.is_err() => {}
            Some(_) => {
                *told = apart();
                let Some(ms) = *told else { return };
                let (hours, stands) = (ms.abs() / SAME_MS, if ms > 0 { "ahead of" } else { "behind" });
                tracing::error!(
                    hours,
                    "the clock of this machine stands far {stands} Discord's: everything goes by Discord's until they agree \
                     within a day. Set it right"
                );
            }
        }
    }
}

fn is_far(apart_ms: i64) -> bool {
    apart_ms.abs() > MOST_APART_MS
}

/// The time by the one that is to be gone by.
fn by(wall_ms: i64, discord_ms: Option<i64>) -> i64 {
    discord_ms.filter(|discord| is_far(wall_ms - discord)).unwrap_or(wall_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_far_from_discords_is_gone_by_no_more_and_a_nearer_one_is() {
        let discord = 1_800_000_000_000;
        for apart in [0, 1, -1, MOST_APART_MS, -MOST_APART_MS] {
            assert_eq!(by(discord + apart, Some(discord)), discord + apart, "{apart}");
        }
        for apart in [MOST_APART_MS + 1, -MOST_APART_MS - 1, 3 * MOST_APART_MS, -discord] {
            assert_eq!(by(discord + apart, Some(discord)), discord, "{apart}");
            assert_eq!(by(discord + apart, None), discord + apart, "nobody has said another time");
        }
    }
}
