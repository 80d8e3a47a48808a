//! A server's settings: what its managers chose, and who changed what when.

use super::Sessions;
use crate::domain::{GuildId, GuildSettings};

impl Sessions {
    /// A server's settings; the usual ones where nobody changed anything.
    pub async fn guild_settings(&self, guild: GuildId) -> anyhow::Result<GuildSettings> {
        Ok(self.0.world.store.guild_settings(guild).await?)
    }
}
