//! A server's settings: what its managers chose, and who changed what when.

use super::{Actor, Sessions};
use crate::{
    error::UserError,
    render,
    steps::month,
    store::{NewSettings, StoreError},
};
use domain::{Beside, Bounds, GuildId, GuildSettings, Post, SettingChange, SettingGroup};

/// Most changes that are listed.
const LOG: i64 = 25;

impl Sessions {
    /// A server's settings; the usual ones where nobody changed anything.
    pub async fn guild_settings(&self, guild: GuildId) -> anyhow::Result<GuildSettings> {
        Ok(self.0.world.store.guild_settings(guild).await?)
    }

    /// Changes a server's settings, all of them or none; gives what to say. Running sessions keep what they were
    /// started with. The caller has checked that the person manages the server.
    pub async fn change_settings(
        &self,
        guild: GuildId,
        actor: Actor,
        changes: Vec<SettingChange>,
    ) -> anyhow::Result<String> {
        let new = NewSettings {
            guild,
            interaction: actor.interaction,
            by: actor.user,
            by_name: actor.name,
            changes,
            bounds: self.bounds(),
            said: render::settings::said,
        };
        match self.0.world.store.change_settings(new, self.now_ms()).await {
            Ok(said) | Err(StoreError::Duplicate(said)) => Ok(said),
            Err(StoreError::Setting(error)) => UserError::of(error.to_string()),
            Err(other) => Err(other.into()),
        }
    }

    /// These groups of a server's settings as they stand, and who changed each last.
    pub async fn show_settings(&self, guild: GuildId, groups: &[SettingGroup]) -> anyhow::Result<Vec<Post>> {
        let store = &self.0.world.store;
        let shown = render::settings::Shown {
            settings: store.guild_settings(guild).await?,
            last: store.settings_last(guild).await?,
            beside: Beside {
                bounds: self.bounds(),
                month: store.month_use(guild, &month(self.now_ms())).await?,
            },
        };
        Ok(render::settings::show(&shown, groups))
    }

    fn bounds(&self) -> Bounds {
        Bounds { session: self.0.settings.budgets.session, models: self.models() }
    }

    /// The last changes of a server's settings.
    pub async fn settings_log(&self, guild: GuildId) -> anyhow::Result<Vec<Post>> {
        Ok(render::settings::log(&self.0.world.store.settings_log(guild, LOG).await?))
    }
}
