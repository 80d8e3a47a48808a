//! What somebody wants deleted: asked for in one transaction, and then done a few sessions at a time, so that others' writes
//! come first. Each transaction leaves everything true, and what is left to do is found by looking, so a restart in between
//! loses nothing.

use sqlx::{FromRow, SqliteConnection};

use super::{Inbound, Store, StoreError, former::Former, inbound, panel, retention};
use crate::domain::{Decision, FORMER_MEMBER, GuildId, Post, SessionId, UserId, WORDS_DELETED};

/// Sessions that are seen to in one transaction.
const AT_ONCE: i64 = 5;
/// How long a session that has just ended is given to show so on its card.
const LAST_WORDS_MS: i64 = 60_000;

/// What somebody has asked for and is not done yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromRow)]
pub struct Erasure {
    /// The press.
    pub id: i64,
    /// Of which server.
    #[sqlx(rename = "guild_id")]
    pub guild: GuildId,
    /// Whose data; `None`: the server's.
    #[sqlx(rename = "member_id")]
    pub member: Option<UserId>,
    /// What came later stays. Milliseconds since 1970.
    pub asked_ms: i64,
}

/// How far it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Erased {
    /// There is more.
    More,
    /// What is left hangs on sessions that are not over yet.
    Waits,
    /// Everything is gone.
    Done,
}

impl Store {
    /// Notes that a member's data, or all of a server's, is to be deleted, once for each event. What they gave in open
    /// votes is taken back at once.
    pub async fn ask_erasure(
        &self,
        event: Inbound,
        guild: GuildId,
        member: Option<UserId>,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        self.write_soon(move |tx| {
            Box::pin(async move {
                inbound::record(tx, &event, at_ms).await?;
                sqlx::query(
                    "INSERT INTO erasure (id, guild_id, member_id, asked_ms) VALUES (?1, ?2, ?3, ?4)",
                )
                .bind(event.id.cast_signed())
                .bind(guild)
                .bind(member)
                .bind(at_ms)
                .execute(&mut *tx)
                .await?;
                let Some(member) = member else { return Ok(()) };
                let open: Vec<(SessionId, String)> = sqlx::query_as(
                    "SELECT b.session_id, b.key FROM ballot b
                     JOIN vote v ON v.session_id = b.session_id AND v.key = b.key
                     JOIN session s ON s.id = b.session_id
                     WHERE b.voter_id = ?1 AND s.guild_id = ?2 AND v.state = 'open'",
                )
                .bind(member)
                .bind(guild)
                .fetch_all(&mut *tx)
                .await?;
                for (session, key) in open {
                    sqlx::query("DELETE FROM ballot WHERE session_id = ?1 AND key = ?2 AND voter_id = ?3")
                        .bind(&session)
                        .bind(&key)
                        .bind(member)
                        .execute(&mut *tx)
                        .await?;
                    panel::changed(tx, &session, &key).await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// What is not done yet, the oldest first.
    pub async fn erasures(&self) -> Result<Vec<Erasure>, StoreError> {
        let rows = sqlx::query_as("SELECT id, guild_id, member_id, asked_ms FROM erasure ORDER BY id");
        Ok(rows.fetch_all(&self.readers).await?)
    }

    /// Sees to some of what is to be deleted.
    pub async fn erase_some(&self, of: Erasure, now_ms: i64) -> Result<Erased, StoreError> {
        self.write(move |tx| {
            Box::pin(async move {
                if some_sessions(tx, of, now_ms).await? {
                    return Ok(Erased::More);
                }
                let left: i64 = sqlx::query_scalar(
                    "SELECT count(*) FROM session
                     WHERE guild_id = ?1 AND (?2 IS NULL OR starter_id = ?2) AND started_ms <= ?3",
                )
                .bind(of.guild)
                .bind(of.member)
                .bind(of.asked_ms)
                .fetch_one(&mut *tx)
                .await?;
                let mut waits = left > 0;
                match of.member {
                    Some(member) => {
                        let (settled, open) = others(tx, of, member).await?;
                        for session in &settled {
                            take_out(tx, session, of, member).await?;
                        }
                        if !settled.is_empty() {
                            return Ok(Erased::More);
                        }
                        waits |= open;
                        rest_of_member(tx, of, member, now_ms).await?;
                    }
                    None => rest_of_server(tx, of, now_ms).await?,
                }
                if waits {
                    return Ok(Erased::Waits);
                }
                sqlx::query("DELETE FROM erasure WHERE id = ?1").bind(of.id).execute(tx).await?;
                Ok(Erased::Done)
            })
        })
        .await
    }
}

/// Deletes some sessions that are over. One that has just ended, or is asked something, stays for a moment.
async fn some_sessions(tx: &mut SqliteConnection, of: Erasure, now_ms: i64) -> Result<bool, StoreError> {
    let over: Vec<String> = sqlx::query_scalar(
        "SELECT s.id FROM session s
         WHERE s.guild_id = ?1 AND (?2 IS NULL OR s.starter_id = ?2) AND s.started_ms <= ?3 AND s.ended_ms IS NOT NULL
           AND (s.card_state IS s.state OR s.ended_ms <= ?4)
           AND NOT EXISTS (SELECT 1 FROM attempt a WHERE a.session_id = s.id AND a.state = 'sent')
         LIMIT ?5",
    )
    .bind(of.guild)
    .bind(of.member)
    .bind(of.asked_ms)
    .bind(now_ms - LAST_WORDS_MS)
    .bind(AT_ONCE)
    .fetch_all(&mut *tx)
    .await?;
    for session in &over {
        retention::delete(tx, session).await?;
    }
    Ok(!over.is_empty())
}

/// Sessions of others to which a member added something: some of those in which nothing is open any more, and whether there
/// are others.
async fn others(
    tx: &mut SqliteConnection,
    of: Erasure,
    member: UserId,
) -> Result<(Vec<SessionId>, bool), StoreError> {
    let with: Vec<(SessionId, bool)> = sqlx::query_as(
        "SELECT s.id, s.ended_ms IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM attempt a WHERE a.session_id = s.id AND a.state = 'sent')
                AND NOT EXISTS (SELECT 1 FROM question q WHERE q.session_id = s.id AND q.closed_ms IS NULL)
                AND NOT EXISTS (SELECT 1 FROM evidence e WHERE e.session_id = s.id AND e.hinge IS NOT NULL
                                AND e.closed_ms IS NULL)
                AND NOT EXISTS (SELECT 1 FROM vote v WHERE v.session_id = s.id AND v.deadline_ms IS NOT NULL
                                AND v.state <> 'counted') AS settled
         FROM (SELECT session_id, at_ms FROM note WHERE author_id = ?1
               UNION SELECT session_id, at_ms FROM question WHERE author_id = ?1
               UNION SELECT session_id, at_ms FROM evidence WHERE author_id = ?1
               UNION SELECT session_id, at_ms FROM clarification WHERE author_id = ?1
               UNION SELECT session_id, at_ms FROM ballot WHERE voter_id = ?1
               UNION SELECT session_id, at_ms FROM triage WHERE by_id = ?1
               UNION SELECT session_id, closed_ms FROM vote WHERE closed_by_id = ?1
               UNION SELECT session_id, 0 FROM solution WHERE proposer_id = ?1
               UNION SELECT session_id, 0 FROM wait WHERE by_id = ?1) AS added
         JOIN session s ON s.id = added.session_id
         WHERE s.guild_id = ?2 AND added.at_ms <= ?3 GROUP BY s.id ORDER BY settled DESC LIMIT ?4",
    )
    .bind(member)
    .bind(of.guild)
    .bind(of.asked_ms)
    .bind(AT_ONCE)
    .fetch_all(tx)
    .await?;
    let open = with.iter().any(|(_, settled)| !settled);
    Ok((with.into_iter().filter(|(_, settled)| *settled).map(|(id, _)| id).collect(), open))
}

/// Takes a member out of a session of somebody else that is over. Requests and replies that may quote them are deleted; the
/// index has nothing of the session until it is read again.
async fn take_out(
    tx: &mut SqliteConnection,
    session: &SessionId,
    of: Erasure,
    member: UserId,
) -> Result<(), StoreError> {
    let former = known(tx, session, member).await?;
    let added: Vec<i64> = sqlx::query_scalar(
        "SELECT id FROM question WHERE session_id = ?1 AND author_id = ?2
         UNION SELECT id FROM clarification WHERE session_id = ?1 AND author_id = ?2
         UNION SELECT id FROM evidence WHERE session_id = ?1 AND author_id = ?2",
    )
    .bind(session)
    .bind(member)
    .fetch_all(&mut *tx)
    .await?;
    posts_without(tx, session, &former, &added).await?;
    steps_without(tx, session, &former).await?;
    if !former.words.is_empty() {
        for statement in [
            "UPDATE attempt SET request = '', request_parts = NULL, reply = NULL, reply_parts = NULL
             WHERE session_id = ?1",
            "DELETE FROM part WHERE session_id = ?1",
            "UPDATE session SET raw_kept = 0 WHERE id = ?1",
        ] {
            sqlx::query(statement).bind(session).execute(&mut *tx).await?;
        }
    }
    for statement in LEAVE {
        sqlx::query(statement)
            .bind(session)
            .bind(member)
            .bind(former.stand_in)
            .bind(FORMER_MEMBER)
            .bind(WORDS_DELETED)
            .bind(of.asked_ms)
            .execute(&mut *tx)
            .await?;
    }
    for name in &former.names {
        sqlx::query("UPDATE session SET question_by = ?3 WHERE id = ?1 AND question_by = ?2")
            .bind(session)
            .bind(name)
            .bind(FORMER_MEMBER)
            .execute(&mut *tx)
            .await?;
    }
    let notice: Option<String> = sqlx::query_scalar("SELECT notice FROM session WHERE id = ?1")
        .bind(session)
        .fetch_one(&mut *tx)
        .await?;
    if let Some(notice) = notice {
        sqlx::query("UPDATE session SET notice = ?2 WHERE id = ?1")
            .bind(session)
            .bind(former.unnamed(&notice))
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}

/// What is known of a member in a session, and a number to stand in its place.
async fn known(tx: &mut SqliteConnection, session: &SessionId, member: UserId) -> Result<Former, StoreError> {
    let names = sqlx::query_scalar(
        "SELECT author_name FROM note WHERE session_id = ?1 AND author_id = ?2
         UNION SELECT author_name FROM question WHERE session_id = ?1 AND author_id = ?2
         UNION SELECT author_name FROM evidence WHERE session_id = ?1 AND author_id = ?2
         UNION SELECT author_name FROM clarification WHERE session_id = ?1 AND author_id = ?2
         UNION SELECT voter_name FROM ballot WHERE session_id = ?1 AND voter_id = ?2
         UNION SELECT by_name FROM triage WHERE session_id = ?1 AND by_id = ?2
         UNION SELECT by_name FROM wait WHERE session_id = ?1 AND by_id = ?2 AND by_name IS NOT NULL
         UNION SELECT closed_by_name FROM vote WHERE session_id = ?1 AND closed_by_id = ?2
         UNION SELECT json_extract(raised_by, '$[0]') FROM solution WHERE session_id = ?1 AND proposer_id = ?2",
    )
    .bind(session)
    .bind(member)
    .fetch_all(&mut *tx)
    .await?;
    let words = sqlx::query_scalar(
        "SELECT text FROM note WHERE session_id = ?1 AND author_id = ?2
         UNION SELECT text FROM question WHERE session_id = ?1 AND author_id = ?2
         UNION SELECT claim FROM evidence WHERE session_id = ?1 AND author_id = ?2
         UNION SELECT source FROM evidence WHERE session_id = ?1 AND author_id = ?2 AND source <> ''
         UNION SELECT text FROM clarification WHERE session_id = ?1 AND author_id = ?2",
    )
    .bind(session)
    .bind(member)
    .fetch_all(&mut *tx)
    .await?;
    Ok(Former { member, stand_in: nobody(tx).await?, names, words })
}

/// A number that belongs to nobody: Discord's are below 2^63.
async fn nobody(tx: &mut SqliteConnection) -> Result<UserId, StoreError> {
    let number: i64 = sqlx::query_scalar("SELECT -1 - (random() & 0x3fffffffffffffff)").fetch_one(tx).await?;
    Ok(UserId::from_i64(number))
}

/// Our copies of what was posted. Those of what the member brought say only that it was deleted.
async fn posts_without(
    tx: &mut SqliteConnection,
    session: &SessionId,
    former: &Former,
    added: &[i64],
) -> Result<(), StoreError> {
    let posts: Vec<(i64, String, String)> =
        sqlx::query_as("SELECT id, post_key, payload FROM outbox WHERE session_id = ?1")
            .bind(session)
            .fetch_all(&mut *tx)
            .await?;
    for (id, key, payload) in posts {
        let brought =
            key.split('/').any(|part| part.parse().is_ok_and(|number: i64| added.contains(&number)));
        let changed = if brought {
            let post = Post { content: WORDS_DELETED.to_owned(), ..Post::default() };
            serde_json::to_string(&post).ok()
        } else {
            let without = former.without(&payload);
            let named = key.starts_with("notice/");
            let unnamed =
                if named { former.unnamed_post(without.as_ref().unwrap_or(&payload)) } else { None };
            unnamed.or(without)
        };
        if let Some(changed) = changed {
            sqlx::query("UPDATE outbox SET payload = ?2 WHERE id = ?1")
                .bind(id)
                .bind(changed)
                .execute(&mut *tx)
                .await?;
        }
    }
    Ok(())
}

async fn steps_without(
    tx: &mut SqliteConnection,
    session: &SessionId,
    former: &Former,
) -> Result<(), StoreError> {
    let steps: Vec<(String, String)> =
        sqlx::query_as("SELECT key, output FROM step WHERE session_id = ?1 AND output IS NOT NULL")
            .bind(session)
            .fetch_all(&mut *tx)
            .await?;
    for (key, output) in steps {
        if let Some(changed) = former.without(&output) {
            sqlx::query("UPDATE step SET output = ?3 WHERE session_id = ?1 AND key = ?2")
                .bind(session)
                .bind(key)
                .bind(changed)
                .execute(&mut *tx)
                .await?;
        }
    }
    Ok(())
}

/// What becomes of a member's rows in a session of somebody else: session, member, who stands in, how they are called
/// now, what stands for their words, and until when it counts.
const LEAVE: [&str; 12] = [
    "DELETE FROM note WHERE session_id = ?1 AND author_id = ?2 AND at_ms <= ?6",
    "DELETE FROM question WHERE session_id = ?1 AND author_id = ?2 AND at_ms <= ?6",
    "DELETE FROM clarification WHERE session_id = ?1 AND author_id = ?2 AND at_ms <= ?6",
    // Its number stays: others have spoken of it.
    "UPDATE evidence SET author_id = ?3, author_name = ?4, claim = ?5, source = ''
     WHERE session_id = ?1 AND author_id = ?2 AND at_ms <= ?6",
    "UPDATE ballot SET voter_id = ?3, voter_name = ?4 WHERE session_id = ?1 AND voter_id = ?2 AND at_ms <= ?6",
    "UPDATE triage SET by_id = ?3, by_name = ?4 WHERE session_id = ?1 AND by_id = ?2 AND at_ms <= ?6",
    "UPDATE solution SET proposer_id = ?3, raised_by = json_array(?4) WHERE session_id = ?1 AND proposer_id = ?2",
    "UPDATE wait SET by_id = ?3, by_name = ?4 WHERE session_id = ?1 AND by_id = ?2",
    "UPDATE vote SET closed_by_id = ?3, closed_by_name = ?4 WHERE session_id = ?1 AND closed_by_id = ?2",
    "UPDATE vote SET rules = replace(rules, char(34) || ?2 || char(34), char(34) || '0' || char(34))
     WHERE session_id = ?1 AND instr(rules, char(34) || ?2 || char(34)) > 0",
    "UPDATE session SET plan = replace(plan, char(34) || ?2 || char(34), char(34) || '0' || char(34))
     WHERE id = ?1 AND instr(plan, char(34) || ?2 || char(34)) > 0",
    "UPDATE searchable SET changed = changed + 1, title = '', outcome = '', rest = '' WHERE session_id = ?1",
];

/// What is kept of a member beside sessions. Decision records and the log of settings stay without them.
async fn rest_of_member(
    tx: &mut SqliteConnection,
    of: Erasure,
    member: UserId,
    now_ms: i64,
) -> Result<(), StoreError> {
    let records: Vec<(i64, String)> = sqlx::query_as(
        "SELECT id, record FROM decision
         WHERE guild_id = ?1 AND decided_ms <= ?3
           AND (instr(record, char(34) || ?2 || char(34)) > 0 OR outcome_by_id = ?2
                OR instr(record, '<@' || ?2 || '>') > 0)",
    )
    .bind(of.guild)
    .bind(member)
    .bind(of.asked_ms)
    .fetch_all(&mut *tx)
    .await?;
    for (id, record) in records {
        decision_without(tx, (id, &record), member).await?;
    }
    for statement in [
        "UPDATE settings_change SET by_id = 0, by_name = ?4 WHERE guild_id = ?1 AND by_id = ?2 AND at_ms <= ?3",
        "DELETE FROM lookup WHERE guild_id = ?1 AND member_id = ?2 AND ?3 > 0 AND ?4 <> ''",
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
    sqlx::query(
        "DELETE FROM account WHERE scope = 'member' AND owner = ?1 AND day < date(?2 / 1000, 'unixepoch')
           AND calls_held = 0",
    )
    .bind(format!("{}/{member}", of.guild))
    .bind(now_ms)
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
    let mut decision: Decision = serde_json::from_str(record).map_err(corrupt)?;
    let mut names: Vec<String> = Vec::new();
    if decision.by == member {
        names.push(decision.by_name.clone());
    }
    let ballots = decision.vote.ballots.iter().filter(|ballot| ballot.voter == member);
    names.extend(ballots.map(|ballot| ballot.voter_name.clone()));
    let former = Former { member, stand_in: nobody(tx).await?, names, words: Vec::new() };
    former.leave(&mut decision);
    sqlx::query(
        "UPDATE decision SET record = ?2,
                outcome_by_name = iif(outcome_by_id = ?3, ?4, outcome_by_name),
                outcome_by_id = iif(outcome_by_id = ?3, 0, outcome_by_id)
         WHERE id = ?1",
    )
    .bind(id)
    .bind(serde_json::to_string(&decision).map_err(corrupt)?)
    .bind(member)
    .bind(FORMER_MEMBER)
    .execute(&mut *tx)
    .await?;
    let (session, number, outcome): (String, u32, Option<String>) =
        sqlx::query_as("SELECT session_id, n, outcome_text FROM decision WHERE id = ?1")
            .bind(id)
            .fetch_one(&mut *tx)
            .await?;
    // As `Decision::search_text` has it, with the outcome, which stands beside the record.
    let search_text = format!("{}{}", decision.search_text(), outcome.unwrap_or_default().to_lowercase());
    sqlx::query("UPDATE decision SET search_text = ?2 WHERE id = ?1")
        .bind(id)
        .bind(search_text)
        .execute(&mut *tx)
        .await?;
    if let Some(session) = SessionId::parse(&session) {
        panel::changed(tx, &session, &format!("decision/{number}")).await?;
    }
    Ok(())
}

/// What is kept of a server beside sessions.
async fn rest_of_server(tx: &mut SqliteConnection, of: Erasure, now_ms: i64) -> Result<(), StoreError> {
    for statement in [
        "DELETE FROM decision WHERE guild_id = ?1 AND decided_ms <= ?2",
        "DELETE FROM inbound WHERE id IN (SELECT id FROM settings_change WHERE guild_id = ?1 AND at_ms <= ?2)",
        "DELETE FROM settings_change WHERE guild_id = ?1 AND at_ms <= ?2",
        "DELETE FROM guild_settings WHERE guild_id = ?1 AND changed_ms <= ?2",
        "DELETE FROM trust_event WHERE guild_id = ?1 AND at_ms <= ?2",
        "DELETE FROM lookup WHERE guild_id = ?1 AND ?2 > 0",
        "DELETE FROM erasure WHERE guild_id = ?1 AND asked_ms < ?2",
    ] {
        sqlx::query(statement).bind(of.guild).bind(of.asked_ms).execute(&mut *tx).await?;
    }
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
