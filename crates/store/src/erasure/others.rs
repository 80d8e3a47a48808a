//! Sessions of somebody else to which a member added something: they stay, without the member.

use sqlx::SqliteConnection;

use super::{Erasure, StoreError};
use crate::former::Former;
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
            "UPDATE attempt SET request_parts = NULL, reply_parts = NULL
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
pub(super) async fn nobody(tx: &mut SqliteConnection) -> Result<UserId, StoreError> {
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
