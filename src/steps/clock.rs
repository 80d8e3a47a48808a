//! Whether the clock on the wall may end what people wait for and delete what was kept long enough: one that stands far ahead,
//! at the start or after a jump, would do so before its time.

use super::World;

/// So far ahead of Discord's a clock may stand.
const MOST_AHEAD_MS: i64 = 24 * 60 * 60 * 1_000;

impl World {
    /// Whether Discord's clock says that this moment has come, within a day. Where it does not, or says nothing, what is due
    /// waits.
    pub async fn is_past(&self, at_ms: i64) -> bool {
        if self.discord.time_ms().is_some_and(|time| agrees(at_ms, time)) {
            return true;
        }
        if let Err(error) = self.discord.ask_time().await {
            tracing::warn!(%error, "Discord does not say what time it is; what is due waits until it does");
            return false;
        }
        match self.discord.time_ms() {
            Some(time) if agrees(at_ms, time) => true,
            Some(time) => {
                let hours = (at_ms - time) / (60 * 60 * 1_000);
                tracing::error!(
                    hours,
                    "the clock of this machine stands far ahead of Discord's: nothing is ended or deleted until they agree \
                     within a day. Set it right"
                );
                false
            }
            None => {
                tracing::error!(
                    "Discord's answers carry no Date: nothing is ended or deleted by a clock that may be wrong. A proxy \
                     before it has to hand that header on"
                );
                false
            }
        }
    }
}

fn agrees(wall_ms: i64, discord_ms: i64) -> bool {
    wall_ms - discord_ms <= MOST_AHEAD_MS
}
