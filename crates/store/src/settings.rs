//! Server settings, and the changes made to them.

use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use super::{Inbound, Store, StoreError, inbound};
use crate::statement::{sql, sql_scalar};
use domain::{
    Bounds, Changed, GuildId, GuildSettings, InteractionId, LoggedChange, Setting, SettingChange, UserId,
    changed, differences,
};

/// What somebody changes of a server's settings, and by which interaction.
#[derive(Clone, Debug)]
pub struct NewSettings {
    /// The server.
    pub guild: GuildId,
    /// The interaction: the same one changes settings once.
    pub interaction: InteractionId,
    /// Who changed it.
    pub by: UserId,
    /// The name they went by.
    pub by_name: String,
    /// What they change.
    pub changes: Vec<SettingChange>,
    /// What whoever runs the bot allows.
    pub bounds: Bounds,
    /// What is said about it, now and when the interaction comes again.
    pub said: fn(&[Changed]) -> String,
}

impl Store {
    /// A server's settings; the usual ones where there are none.
    pub async fn guild_settings(&self, guild: GuildId) -> Result<GuildSettings, StoreError> {
        read(&mut *self.readers.one().await, guild).await
    }

    /// Changes a server's settings and writes down who changed what; gives what to say. Where nothing is
    /// different afterwards, nothing is written down but the interaction.
    pub async fn change_settings(&self, new: NewSettings, at_ms: i64) -> Result<String, StoreError> {
        self.write_soon(move |tx| {
            Box::pin(async move {
                let before = read(tx, new.guild).await?;
                let after = changed(&before, &new.changes, &new.bounds)?;
                let changes = differences(&before, &after);
                let effect = (new.said)(&changes);
                let event =
                    Inbound { id: new.interaction.0, kind: "settings", session: None, by: None, effect };
                inbound::record(tx, &event, at_ms).await?;
                if !changes.is_empty() {
                    put(tx, &new, &after, &changes, at_ms).await?;
                }
                Ok(event.effect)
            })
        })
        .await
    }

    /// The last changes of a server's settings, newest first.
    pub async fn settings_log(&self, guild: GuildId, most: i64) -> Result<Vec<LoggedChange>, StoreError> {
        let rows = sql!(
            "SELECT * FROM settings_change WHERE guild_id = ?1 ORDER BY at_ms DESC, id DESC, setting LIMIT ?2",
            (guild.as_i64(), most)
        )
        .fetch_all(&self.readers)
        .await?;
        Ok(rows.iter().filter_map(logged).collect())
    }

    /// The last change of each of a server's settings.
    pub async fn settings_last(&self, guild: GuildId) -> Result<Vec<LoggedChange>, StoreError> {
        // SQLite takes the other columns from the row that has the maximum (sqlite.org/lang_select.html).
        let rows = sql!(
            "SELECT *, max(at_ms) FROM settings_change WHERE guild_id = ?1 GROUP BY setting",
            guild.as_i64()
        )
        .fetch_all(&self.readers)
        .await?;
        Ok(rows.iter().filter_map(logged).collect())
    }
}

/// A stored change; `None` for a setting that only another version of the bot has.
fn logged(row: &SqliteRow) -> Option<LoggedChange> {
    Some(LoggedChange {
        changed: Changed {
            setting: Setting::find(row.get("setting"))?,
            before: row.get("before"),
            after: row.get("after"),
        },
        by: row.get("by_name"),
        at: row.get::<i64, _>("at_ms") / 1000,
    })
}

async fn read(connection: &mut SqliteConnection, guild: GuildId) -> Result<GuildSettings, StoreError> {
    let stored: Option<String> =
        sql_scalar!("SELECT settings FROM guild_settings WHERE guild_id = ?1", guild.as_i64())
            .fetch_optional(connection)
            .await?;
    stored.map_or_else(
        || Ok(GuildSettings::default()),
        |text| serde_json::from_str(&text).map_err(|error| StoreError::Corrupt(error.to_string())),
    )
}

async fn put(
    tx: &mut SqliteConnection,
    new: &NewSettings,
    after: &GuildSettings,
    changes: &[Changed],
    at_ms: i64,
) -> Result<(), StoreError> {
    let text = serde_json::to_string(after).map_err(|error| StoreError::Corrupt(error.to_string()))?;
    sql!(
        "INSERT INTO guild_settings (guild_id, settings, changed_ms) VALUES (?1, ?2, ?3)
         ON CONFLICT (guild_id) DO UPDATE SET settings = excluded.settings, changed_ms = excluded.changed_ms",
        (new.guild.as_i64(), text, at_ms)
    )
    .execute(&mut *tx)
    .await?;
    for change in changes {
        sql!(
            "INSERT INTO settings_change (id, setting, guild_id, by_id, by_name, before, after, at_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            (
                new.interaction.0.cast_signed(),
                change.setting.name,
                new.guild.as_i64(),
                new.by.as_i64(),
                &new.by_name,
                &change.before,
                &change.after,
                at_ms,
            )
        )
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}
