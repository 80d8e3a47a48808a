//! What is kept about a member, or about a whole server, in numbers.

use super::{Store, StoreError};
use domain::{GuildId, Kept, UserId};

impl Store {
    /// What is kept about a member on a server.
    pub async fn kept_of_member(&self, guild: GuildId, member: UserId) -> Result<Kept, StoreError> {
        self.kept(
            "SELECT
                 (SELECT count(*) FROM session WHERE guild_id = ?1 AND starter_id = ?2),
                 (SELECT count(*) FROM session s
                  WHERE s.guild_id = ?1 AND s.id IN (SELECT session_id FROM participant WHERE user_id = ?2
                                                     UNION SELECT session_id FROM trace WHERE user_id = ?2)),
                 (SELECT count(*) FROM ballot b JOIN session s ON s.id = b.session_id
                  WHERE b.voter_id = ?2 AND s.guild_id = ?1),
                 (SELECT count(*) FROM solution o JOIN session s ON s.id = o.session_id
                  WHERE o.proposer_id = ?2 AND s.guild_id = ?1),
                 (SELECT count(*) FROM brought b JOIN session s ON s.id = b.session_id
                  WHERE b.author_id = ?2 AND s.guild_id = ?1 AND b.kind = 'note'),
                 (SELECT count(*) FROM brought b JOIN session s ON s.id = b.session_id
                  WHERE b.author_id = ?2 AND s.guild_id = ?1 AND b.kind = 'evidence'),
                 (SELECT count(*) FROM brought b JOIN session s ON s.id = b.session_id
                  WHERE b.author_id = ?2 AND s.guild_id = ?1 AND b.kind IN ('question', 'clarification')),
                 (SELECT count(*) FROM brought b JOIN session s ON s.id = b.session_id
                  WHERE b.author_id = ?2 AND s.guild_id = ?1 AND b.kind = 'triage'),
                 (SELECT count(*) FROM decision
                  WHERE guild_id = ?1 AND (instr(record, char(34) || ?2 || char(34)) > 0 OR outcome_by_id = ?2)),
                 (SELECT count(*) FROM settings_change WHERE guild_id = ?1 AND by_id = ?2)",
            guild,
            member,
        )
        .await
    }

    /// What is kept about a whole server.
    pub async fn kept_of_server(&self, guild: GuildId) -> Result<Kept, StoreError> {
        self.kept(
            "SELECT
                 (SELECT count(*) FROM session WHERE guild_id = ?1 AND ?2 IS NOT NULL),
                 (SELECT count(*) FROM session s JOIN participant p ON p.session_id = s.id WHERE s.guild_id = ?1),
                 (SELECT count(*) FROM session s JOIN ballot b ON b.session_id = s.id WHERE s.guild_id = ?1),
                 (SELECT count(*) FROM session s JOIN solution o ON o.session_id = s.id
                  WHERE s.guild_id = ?1 AND o.proposer_id IS NOT NULL),
                 (SELECT count(*) FROM session s JOIN brought b ON b.session_id = s.id
                  WHERE s.guild_id = ?1 AND b.kind = 'note'),
                 (SELECT count(*) FROM session s JOIN brought b ON b.session_id = s.id
                  WHERE s.guild_id = ?1 AND b.kind = 'evidence'),
                 (SELECT count(*) FROM session s JOIN brought b ON b.session_id = s.id
                  WHERE s.guild_id = ?1 AND b.kind IN ('question', 'clarification')),
                 (SELECT count(*) FROM session s JOIN brought b ON b.session_id = s.id
                  WHERE s.guild_id = ?1 AND b.kind = 'triage'),
                 (SELECT count(*) FROM decision WHERE guild_id = ?1),
                 (SELECT count(*) FROM settings_change WHERE guild_id = ?1)",
            guild,
            UserId(0),
        )
        .await
    }

    async fn kept(&self, query: &'static str, guild: GuildId, member: UserId) -> Result<Kept, StoreError> {
        type Counts = (i64, i64, i64, i64, i64, i64, i64, i64, i64, i64);
        let counts: Counts = sqlx::query_as(query).bind(guild).bind(member).fetch_one(&self.readers).await?;
        let (sessions, places, votes, solutions, notes, evidence, questions, triaged, decisions, changes) =
            counts;
        Ok(Kept {
            sessions,
            places,
            votes,
            solutions,
            notes,
            evidence,
            questions,
            triaged,
            decisions,
            changes,
        })
    }
}
