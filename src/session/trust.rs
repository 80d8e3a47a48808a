//! Trust: how much modules count on a server by how their advice there turned out, where its settings let that count.

use super::Sessions;
use crate::{render, store::StoreError};
use domain::{GuildId, GuildSettings, Influences, ModuleTrust, Post};

impl Sessions {
    /// How much each module counts in a session that starts now; `None`: that is switched off.
    pub(super) async fn trust(
        &self,
        guild: GuildId,
        settings: &GuildSettings,
    ) -> Result<Option<Influences>, StoreError> {
        if !(settings.trust && self.0.settings.trust) {
            return Ok(None);
        }
        Ok(Some(Influences::of(&self.0.world.store.trust_events(guild).await?)))
    }

    /// The modules there are, and how much each counts on this server.
    pub async fn modules(&self, guild: GuildId) -> anyhow::Result<Vec<Post>> {
        if !self.guild_settings(guild).await?.trust {
            return Ok(render::lists::modules(None));
        }
        let events = self.0.world.store.trust_events(guild).await?;
        Ok(render::lists::modules(Some(&ModuleTrust::all(&events))))
    }
}
