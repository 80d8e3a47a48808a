//! Sessions of somebody else to which a member added something: they stay, without the member.

use sqlx::{AssertSqlSafe, SqliteConnection};

use super::{
    Erasure, PLACES, Place, StoreError,
    places::{all_of, change_of},
};
use crate::statement::{sql, sql_as, sql_scalar};
use crate::{
    former::{Former, is_proper},
    quotations::Quotations,
};
use domain::{FORMER_MEMBER, Post, SessionId, UserId, WORDS_DELETED};

/// Takes a member out of a session of somebody else that is over. Requests and replies that may quote them are deleted; the
/// index has nothing of the session until it is read again.
pub(super) async fn take_out(
    tx: &mut SqliteConnection,
    session: &SessionId,
    of: Erasure,
    member: UserId,
) -> Result<(), StoreError> {
    let former = known(tx, session, member).await?;
    let added: Vec<i64> = sql_scalar!(
        "SELECT id FROM brought WHERE session_id = ?1 AND author_id = ?2 AND kind <> 'triage'",
        (session, member)
    )
    .fetch_all(&mut *tx)
    .await?;
    posts_without(tx, session, &former, &added).await?;
    places_without(tx, session, former.clone()).await?;
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
    Ok(())
}

/// What is known of a member in a session, and a number to stand in its place.
async fn known(tx: &mut SqliteConnection, session: &SessionId, member: UserId) -> Result<Former, StoreError> {
    let left: Vec<(String, String)> = sql_as!(
        "SELECT DISTINCT what, text FROM left_in
         WHERE session_id = ?1 AND user_id = ?2 AND text IS NOT NULL AND text <> ''",
        (session, member)
    )
    .fetch_all(&mut *tx)
    .await?;
    let (names, wrote): (Vec<_>, Vec<_>) = left.into_iter().partition(|(what, _)| what == "name");
    let quoted =
        Quotations::of(wrote.iter().map(|(_, text)| text)).not_from(&given(tx, session, member).await?);
    let mut words = Vec::new();
    for (_, text) in wrote {
        // Cards and documents show each line in its own way.
        let lines = text.lines().map(str::trim).filter(|line| *line != text).map(str::to_owned);
        let lines: Vec<String> = lines.collect();
        words.push(text);
        words.extend(lines);
    }
    let names = names.into_iter().map(|(_, name)| name).collect();
    Ok(Former { member, stand_in: nobody(tx).await?, names, proper: Vec::new(), words, quoted })
}

/// What a session was given to begin with, by others than this member: they may have cited it.
async fn given(
    tx: &mut SqliteConnection,
    session: &SessionId,
    member: UserId,
) -> Result<Vec<String>, StoreError> {
    let texts: Vec<Option<String>> = sql_scalar!(
        "SELECT question FROM session WHERE id = ?1
         UNION ALL SELECT json_extract(plan, '$.brief.problem') FROM session WHERE id = ?1
         UNION ALL SELECT json_extract(plan, '$.brief.proposition') FROM session WHERE id = ?1
         UNION ALL SELECT json_extract(plan, '$.brief.document.text') FROM session WHERE id = ?1 AND NOT EXISTS (
             SELECT 1 FROM trace WHERE session_id = ?1 AND user_id = ?2 AND what = 'document')",
        (session, member)
    )
    .fetch_all(tx)
    .await?;
    Ok(texts.into_iter().flatten().collect())
}

/// A number that belongs to nobody: Discord's are below 2^63.
pub(super) async fn nobody(tx: &mut SqliteConnection) -> Result<UserId, StoreError> {
    let number: i64 = sql_scalar!("SELECT -1 - (random() & 0x3fffffffffffffff)").fetch_one(tx).await?;
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
        sql_as!("SELECT id, post_key, payload FROM outbox WHERE session_id = ?1", session)
            .fetch_all(&mut *tx)
            .await?;
    for (id, key, payload) in posts {
        let brought =
            key.split('/').any(|part| part.parse().is_ok_and(|number: i64| added.contains(&number)));
        let changed = if brought {
            let post = Post { content: WORDS_DELETED.to_owned(), ..Post::default() };
            serde_json::to_string(&post).ok()
        } else if key.starts_with("notice/") || key.starts_with("export/") {
            former.unnamed_post(&payload)
        } else {
            None
        };
        if let Some(changed) = changed {
            sql!("UPDATE outbox SET payload = ?2 WHERE id = ?1", (id, changed)).execute(&mut *tx).await?;
        }
    }
    Ok(())
}

/// Every text of the session, by the list of places.
async fn places_without(
    tx: &mut SqliteConnection,
    session: &SessionId,
    mut former: Former,
) -> Result<(), StoreError> {
    let mut texts: Vec<(&str, &str, Vec<String>)> = Vec::new();
    for (table, column) in PLACES.iter().flat_map(Place::texts) {
        let all = sqlx::query_scalar(AssertSqlSafe(all_of(table, column)))
            .bind(session)
            .fetch_all(&mut *tx)
            .await?;
        texts.push((table, column, all));
    }
    let said = || texts.iter().flat_map(|(_, _, all)| all.iter().map(String::as_str));
    former.proper = former.names.iter().filter(|name| is_proper(name, said())).cloned().collect();
    for (table, column, all) in &texts {
        for text in all {
            let cleaned = former.cleaned(text);
            let said = cleaned.as_ref().unwrap_or(text);
            // The bot's own sentence: whoever is called so in it is meant.
            let unnamed =
                (*column == "notice").then(|| former.unnamed(said)).filter(|unnamed| unnamed != said);
            if let Some(changed) = unnamed.or(cleaned) {
                let query = sqlx::query(AssertSqlSafe(change_of(table, column)));
                query.bind(session).bind(text).bind(changed).execute(&mut *tx).await?;
            }
        }
    }
    Ok(())
}

/// What becomes of a member's rows in a session of somebody else: session, member, who stands in, how they are called
/// now, what stands for their words, and until when it counts.
const LEAVE: [&str; 16] = [
    "UPDATE attempt SET request_parts = NULL, reply_parts = NULL WHERE session_id = ?1",
    "DELETE FROM part WHERE session_id = ?1",
    "UPDATE session SET raw_kept = 0 WHERE id = ?1",
    "DELETE FROM brought WHERE session_id = ?1 AND author_id = ?2 AND number IS NULL AND at_ms <= ?6",
    // A number stays: others have spoken of it.
    "UPDATE brought SET text = ?5, source = '' WHERE session_id = ?1 AND author_id = ?2 AND kind = 'evidence' AND at_ms <= ?6",
    "UPDATE brought SET author_id = ?3, author_name = ?4 WHERE session_id = ?1 AND author_id = ?2 AND at_ms <= ?6",
    "UPDATE ballot SET voter_id = ?3, voter_name = ?4 WHERE session_id = ?1 AND voter_id = ?2 AND at_ms <= ?6",
    "UPDATE solution SET proposer_id = ?3, raised_by = json_array(?4) WHERE session_id = ?1 AND proposer_id = ?2",
    "UPDATE wait SET by_id = ?3, by_name = ?4 WHERE session_id = ?1 AND by_id = ?2",
    "UPDATE vote SET closed_by_id = ?3, closed_by_name = ?4 WHERE session_id = ?1 AND closed_by_id = ?2",
    // Whose account it was; that a session's readers have shares stays true.
    "UPDATE attempt SET member_id = ?3 WHERE session_id = ?1 AND member_id = ?2",
    // A report holds everything again, in files of three kinds, and a picture has words in lines of its own. What was sent
    // needs none of them any more.
    "UPDATE outbox SET payload = json_set(payload, '$.files', json('[]'))
     WHERE session_id = ?1 AND (state = 'sent' OR post_key LIKE 'export/%')",
    "UPDATE session SET plan = json_remove(json_set(plan, '$.brief.document.text', ''), '$.brief.document.landmarks')
     WHERE id = ?1 AND json_type(plan, '$.brief.document.text') = 'text' AND EXISTS (
         SELECT 1 FROM trace WHERE session_id = ?1 AND user_id = ?2 AND what = 'document' AND at_ms <= ?6)",
    // What a model read on its pictures.
    "UPDATE step SET output = iif(key = 'pictures', json_set(output, '$.texts', json('[]')),
                                  json_set(output, '$.text', '', '$.shows', ''))
     WHERE session_id = ?1 AND key >= 'pictures' AND key < 'picturet' AND state = 'done' AND EXISTS (
         SELECT 1 FROM trace WHERE session_id = ?1 AND user_id = ?2 AND what = 'document' AND at_ms <= ?6)",
    "DELETE FROM trace WHERE session_id = ?1 AND user_id = ?2 AND at_ms <= ?6",
    "UPDATE searchable SET changed = changed + 1, title = '', outcome = '', rest = '' WHERE session_id = ?1",
];
