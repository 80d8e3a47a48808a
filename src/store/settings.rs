//! Server settings, and the changes made to them.

use super::{Store, StoreError};
use crate::domain::{GuildId, GuildSettings};

impl Store {
    /// A server's settings; the usual ones where there are none.
    pub async fn guild_settings(&self, guild: GuildId) -> Result<GuildSettings, StoreError> {
        let stored: Option<String> =
            sqlx::query_scalar("SELECT settings FROM guild_settings WHERE guild_id = ?1")
                .bind(guild.as_i64())
                .fetch_optional(&self.readers)
                .await?;
        stored.map_or_else(
            || Ok(GuildSettings::default()),
            |text| serde_json::from_str(&text).map_err(|error| StoreError::Corrupt(error.to_string())),
        )
    }
}
