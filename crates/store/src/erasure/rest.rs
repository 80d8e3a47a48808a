//! What is kept of a member or of a server beside sessions.

use sqlx::SqliteConnection;

use super::{Erasure, StoreError, others::nobody};
use crate::statement::{sql, sql_as};
use crate::{former::Former, panel, quotations::Quotations};
use domain::{Decision, FORMER_MEMBER, GuildId, SessionId, UserId};

/// What is kept of a member beside sessions. Decision records and the log of settings stay without them.
pub(super) async fn rest_of_member(
    tx: &mut SqliteConnection,
    of: Erasure,
    member: UserId,
    now_ms: i64,
) -> Result<(), StoreError> {
    let records: Vec<(i64, String)> = sql_as!(
        "SELECT id, record FROM decision
         WHERE guild_id = ?1 AND decided_ms <= ?3
           AND (instr(record, char(34) || ?2 || char(34)) > 0 OR outcome_by_id = ?2
                OR instr(record, '<@' || ?2 || '>') > 0)",
        (of.guild, member, of.asked_ms)
    )
    .fetch_all(&mut *tx)
    .await?;
    for (id, record) in records {
        decision_without(tx, (id, &record), member).await?;
    }
    for statement in [
        "UPDATE settings_change SET by_id = 0, by_name = ?4 WHERE guild_id = ?1 AND by_id = ?2 AND at_ms <= ?3",
        "UPDATE settings_change SET before = replace(before, '<@' || ?2 || '>', ?4), after = replace(after, '<@' || ?2 || '>', ?4)
         WHERE guild_id = ?1 AND at_ms <= ?3",
        "UPDATE guild_settings SET settings = replace(settings, char(34) || ?2 || char(34), char(34) || '0' || char(34))
         WHERE guild_id = ?1 AND ?3 > 0 AND ?4 <> ''",
        "DELETE FROM bell WHERE user_id = ?2 AND ?3 > 0 AND ?4 <> '' AND session_id IN (
            SELECT id FROM session WHERE guild_id = ?1)",
        "DELETE FROM participant WHERE user_id = ?2 AND since_ms <= ?3 AND ?4 <> '' AND session_id IN (
            SELECT id FROM session WHERE guild_id = ?1)",
        "DELETE FROM lookup WHERE guild_id = ?1 AND member_id = ?2 AND ?3 > 0 AND ?4 <> ''",
        "DELETE FROM opening WHERE guild_id = ?1 AND member_id = ?2 AND ?3 > 0 AND ?4 <> ''",
        // What others have chosen holds the message that they chose it for, which may be theirs.
        "DELETE FROM opening WHERE guild_id = ?1 AND instr(chosen, ?2) > 0 AND ?3 > 0 AND ?4 <> ''",
    ] {
        sqlx::query(statement)
            .bind(of.guild)
            .bind(member)
            .bind(of.asked_ms)
            .bind(FORMER_MEMBER)
            .execute(&mut *tx)
            .await?;
    }
    // What was used today counts until tomorrow, or it could be used twice.
    sql!(
        "DELETE FROM account WHERE scope = 'member' AND owner = ?1 AND day < date(?2 / 1000, 'unixepoch')
           AND calls_held = 0",
        (format!("{}/{member}", of.guild), now_ms)
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn decision_without(
    tx: &mut SqliteConnection,
    (id, record): (i64, &str),
    member: UserId,
) -> Result<(), StoreError> {
    let corrupt = |error: serde_json::Error| StoreError::Corrupt(error.to_string());
    let Ok(mut decision) = serde_json::from_str::<Decision>(record) else {
        return unread_without(tx, (id, record), member).await;
    };
    let mut names: Vec<String> = Vec::new();
    if decision.by == member {
        names.push(decision.by_name.clone());
    }
    let ballots = decision.vote.ballots.iter().filter(|ballot| ballot.voter == member);
    names.extend(ballots.map(|ballot| ballot.voter_name.clone()));
    let former = Former {
        member,
        stand_in: nobody(tx).await?,
        names,
        proper: Vec::new(),
        words: Vec::new(),
        quoted: Quotations::default(),
    };
    former.leave(&mut decision);
    sql!(
        "UPDATE decision SET record = ?2,
                outcome_by_name = iif(outcome_by_id = ?3, ?4, outcome_by_name),
                outcome_by_id = iif(outcome_by_id = ?3, 0, outcome_by_id)
         WHERE id = ?1",
        (id, serde_json::to_string(&decision).map_err(corrupt)?, member, FORMER_MEMBER)
    )
    .execute(&mut *tx)
    .await?;
    let (session, number, outcome): (String, u32, Option<String>) =
        sql_as!("SELECT session_id, n, outcome_text FROM decision WHERE id = ?1", id)
            .fetch_one(&mut *tx)
            .await?;
    // As `Decision::search_text` has it, with the outcome, which stands beside the record.
    let search_text = format!("{}{}", decision.search_text(), outcome.unwrap_or_default().to_lowercase());
    sql!("UPDATE decision SET search_text = ?2 WHERE id = ?1", (id, search_text)).execute(&mut *tx).await?;
    if let Some(session) = SessionId::parse(&session) {
        panel::changed(tx, &session, &format!("decision/{number}")).await?;
    }
    Ok(())
}

/// A record that this version cannot read keeps nobody's deletion waiting: the member is taken out by what every record has
/// in common, and nothing of it is found by its words any more.
async fn unread_without(
    tx: &mut SqliteConnection,
    (id, record): (i64, &str),
    member: UserId,
) -> Result<(), StoreError> {
    tracing::error!(
        decision = id,
        "a decision record cannot be read; a member is taken out of it all the same"
    );
    let former = Former::named_in(record, member, nobody(tx).await?);
    let without = former.without(record).unwrap_or_else(|| record.to_owned());
    sql!(
        "UPDATE decision SET record = ?2, search_text = '',
                outcome_by_name = iif(outcome_by_id = ?3, ?4, outcome_by_name),
                outcome_by_id = iif(outcome_by_id = ?3, 0, outcome_by_id)
         WHERE id = ?1",
        (id, former.unnamed(&without), member, FORMER_MEMBER)
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// What is kept of a server beside sessions. What was used today, and this month, counts until that is over.
pub(super) async fn rest_of_server(
    tx: &mut SqliteConnection,
    of: Erasure,
    now_ms: i64,
) -> Result<(), StoreError> {
    delete_beside(tx, of.guild, of.asked_ms).await?;
    for statement in [
        "DELETE FROM account WHERE scope = 'guild' AND owner = ?1 AND day < date(?2 / 1000, 'unixepoch')
           AND calls_held = 0",
        "DELETE FROM account WHERE scope = 'month' AND owner = ?1
           AND day < strftime('%Y-%m', ?2 / 1000, 'unixepoch') AND calls_held = 0",
        "DELETE FROM account WHERE scope = 'member' AND owner > ?1 || '/' AND owner < ?1 || '0'
           AND day < date(?2 / 1000, 'unixepoch') AND calls_held = 0",
    ] {
        sqlx::query(statement).bind(of.guild.to_string()).bind(now_ms).execute(&mut *tx).await?;
    }
    Ok(())
}

/// Deletes what is kept of a server beside sessions and accounts and is not later than that.
pub(crate) async fn delete_beside(
    tx: &mut SqliteConnection,
    guild: GuildId,
    until_ms: i64,
) -> Result<(), StoreError> {
    for statement in [
        "DELETE FROM decision WHERE guild_id = ?1 AND decided_ms <= ?2",
        "DELETE FROM inbound WHERE id IN (SELECT id FROM settings_change WHERE guild_id = ?1 AND at_ms <= ?2)",
        "DELETE FROM settings_change WHERE guild_id = ?1 AND at_ms <= ?2",
        "DELETE FROM guild_settings WHERE guild_id = ?1 AND changed_ms <= ?2",
        "DELETE FROM trust_event WHERE guild_id = ?1 AND at_ms <= ?2",
        "DELETE FROM lookup WHERE guild_id = ?1 AND ?2 > 0",
        "DELETE FROM opening WHERE guild_id = ?1 AND ?2 > 0",
        "DELETE FROM erasure WHERE guild_id = ?1 AND asked_ms < ?2",
    ] {
        sqlx::query(statement).bind(guild).bind(until_ms).execute(&mut *tx).await?;
    }
    Ok(())
}
