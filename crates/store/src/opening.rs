//! What somebody has chosen for a session that is not started yet, while they write its text or choose its protocol. Kept
//! for a day.

use super::{Store, StoreError, row::columns};
use crate::statement::{sql, sql_as};
use domain::{GuildId, InteractionId, UserId};

/// What was chosen, and what was typed for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The command's interaction. The session is started as by it, and so once.
    pub id: InteractionId,
    /// On which server.
    pub guild: GuildId,
    /// By whom.
    pub member: UserId,
    /// What was chosen, as JSON; not empty.
    pub chosen: String,
    /// What was last sent in the form.
    pub typed: Option<String>,
}

struct Row {
    id: i64,
    guild_id: GuildId,
    member_id: UserId,
    chosen: String,
    typed: Option<String>,
}

columns!(Row: id "id", guild_id "guild_id", member_id "member_id", chosen "chosen", typed "typed");

impl From<Row> for Opening {
    fn from(row: Row) -> Self {
        Self {
            id: InteractionId(row.id.cast_unsigned()),
            guild: row.guild_id,
            member: row.member_id,
            chosen: row.chosen,
            typed: row.typed,
        }
    }
}

impl Store {
    /// Keeps what was chosen. The same command delivered again changes nothing.
    pub async fn keep_opening(&self, opening: Opening) -> Result<(), StoreError> {
        self.write_soon(move |tx| {
            Box::pin(async move {
                sql!(
                    "INSERT INTO opening (id, guild_id, member_id, chosen, typed) VALUES (?1, ?2, ?3, ?4, ?5)
                     ON CONFLICT DO NOTHING",
                    (
                        opening.id.0.cast_signed(),
                        opening.guild,
                        opening.member,
                        opening.chosen,
                        opening.typed
                    )
                )
                .execute(tx)
                .await?;
                Ok(())
            })
        })
        .await
    }

    /// What a member of a server has chosen; `None` if it is not kept any more, or was somebody else's.
    pub async fn opening(
        &self,
        id: InteractionId,
        guild: GuildId,
        member: UserId,
    ) -> Result<Option<Opening>, StoreError> {
        let row: Option<Row> = sql_as!(
            "SELECT id, guild_id, member_id, chosen, typed FROM opening
             WHERE id = ?1 AND guild_id = ?2 AND member_id = ?3",
            (id.0.cast_signed(), guild, member)
        )
        .fetch_optional(&self.readers)
        .await?;
        Ok(row.map(Opening::from))
    }

    /// Notes by which interaction the form was sent, or the choice made, and what was typed in it and chosen beside that,
    /// before anything comes of it.
    pub async fn opening_sent(
        &self,
        id: InteractionId,
        sent_by: InteractionId,
        written: Option<(String, String)>,
    ) -> Result<(), StoreError> {
        let (typed, chosen) = written.unzip();
        self.write_soon(move |tx| {
            Box::pin(async move {
                sql!(
                    "UPDATE opening SET sent_by = ?2, typed = coalesce(?3, typed), chosen = coalesce(?4, chosen)
                     WHERE id = ?1",
                    (id.0.cast_signed(), sent_by.0.cast_signed(), typed, chosen)
                )
                .execute(tx)
                .await?;
                Ok(())
            })
        })
        .await
    }

    /// What was sent by this interaction.
    pub async fn opening_sent_by(&self, sent_by: InteractionId) -> Result<Option<Opening>, StoreError> {
        let row: Option<Row> = sql_as!(
            "SELECT id, guild_id, member_id, chosen, typed FROM opening WHERE sent_by = ?1",
            sent_by.0.cast_signed()
        )
        .fetch_optional(&self.readers)
        .await?;
        Ok(row.map(Opening::from))
    }
}
