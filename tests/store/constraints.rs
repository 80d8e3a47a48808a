//! What must never be is refused by the schema itself, whoever writes.

use quorum::store::Pause;
use sqlx::AssertSqlSafe;

use super::fixture::{AT, Db, MEMBER, attempt, event, settled};
use domain::SessionState;

/// Something that is brought: its kind, number, author's name, text, source, hinge, and when it was closed.
fn brought(session: impl std::fmt::Display, values: &str) -> String {
    format!(
        "INSERT INTO brought (id, session_id, author_id, at_ms, kind, number, author_name, text, source, hinge, closed_ms)
         SELECT 100 + count(*), '{session}', {MEMBER}, 1, {values} FROM brought"
    )
}

#[tokio::test]
async fn the_schema_refuses_what_must_never_be() {
    let db = Db::open().await;
    let id = db.start(1).await;
    let ended = db.start_in(2, SessionState::Done).await;
    db.store.intend(attempt(&id, "a"), AT).await.unwrap();
    db.store.settle(&id, None, settled(&id, "done", &["card-1"]), AT).await.unwrap();
    db.store
        .pause_session(&id, Pause::Asked, Some(event(5, "pause")), String::new(), vec![], (AT, AT))
        .await
        .unwrap();
    let mut raw = db.raw().await;
    let refused = [
        // Money, tokens, calls.
        "UPDATE account SET tokens_held = -1".to_owned(),
        "UPDATE account SET money_held = -1".to_owned(),
        "UPDATE account SET calls_held = -1".to_owned(),
        "UPDATE account SET calls_used = calls_cap - calls_held + 1".to_owned(),
        "UPDATE account SET tokens_held = tokens_cap - tokens_used + 1".to_owned(),
        "UPDATE account SET money_cap = money_used + money_held - 1".to_owned(),
        "UPDATE account SET money_cap = 'much'".to_owned(),
        // Sessions.
        format!("UPDATE session SET state = 'done' WHERE id = '{id}'"),
        format!("UPDATE session SET ended_ms = 1 WHERE id = '{id}'"),
        format!("UPDATE session SET ended_ms = NULL WHERE id = '{ended}'"),
        format!("UPDATE session SET state = 'asleep' WHERE id = '{id}'"),
        format!("UPDATE session SET plan = '{{' WHERE id = '{id}'"),
        format!("UPDATE session SET prompt_version = 'v0' WHERE id = '{id}'"),
        "UPDATE session SET thread_id = 900".to_owned(),
        "INSERT INTO lease (name, epoch, since_ms) VALUES ('second', 1, 1)".to_owned(),
        // The journal.
        format!("UPDATE step SET output = '1' WHERE session_id = '{id}' AND key = 'a'"),
        format!("UPDATE step SET state = 'done' WHERE session_id = '{id}' AND key = 'a'"),
        format!("UPDATE step SET output = NULL WHERE session_id = '{id}' AND key = 'done'"),
        format!("INSERT INTO step SELECT * FROM step WHERE session_id = '{id}' AND key = 'a'"),
        "UPDATE step SET session_id = 'nowhere'".to_owned(),
        "UPDATE attempt SET state = 'maybe'".to_owned(),
        "UPDATE attempt SET key = 'nowhere'".to_owned(),
        // Posts.
        format!("UPDATE outbox SET nonce = '{id}/live' WHERE post_key = 'card-1'"),
        format!("UPDATE outbox SET post_key = 'live', session_id = '{id}'"),
        "UPDATE outbox SET state = 'sent'".to_owned(),
        "UPDATE outbox SET message_id = 1".to_owned(),
        "UPDATE outbox SET target = 'everybody'".to_owned(),
        "UPDATE outbox SET session_id = 'nowhere'".to_owned(),
        // Waits, notes, questions, events.
        format!(
            "INSERT INTO wait (session_id, key, kind, deadline_ms) VALUES ('{id}', 'pause-1', 'pause', 1)"
        ),
        brought("nowhere", "'note', NULL, 'Ada', 'x', NULL, NULL, 1"),
        brought(&id, "'praise', NULL, 'Ada', 'x', NULL, NULL, 1"),
        // Notes are never open and have no number; evidence and triage have one.
        brought(&id, "'note', NULL, 'Ada', 'x', NULL, NULL, NULL"),
        brought(&id, "'note', 1, 'Ada', 'x', NULL, NULL, 1"),
        brought(&id, "'clarification', NULL, 'Ada', ' ', NULL, NULL, 1"),
        brought(&id, "'evidence', NULL, 'Ada', 'x', '', NULL, 1"),
        brought(&id, "'evidence', 1, 'Ada', 'x', NULL, NULL, 1"),
        brought(&id, "'evidence', 1, 'Ada', 'x', '', NULL, NULL"),
        brought(&id, "'question', NULL, 'Ada', 'x', NULL, 1, NULL"),
        brought(&id, "'triage', 1, 'Ada', 'praised', NULL, NULL, 1"),
        brought(&id, "'triage', 0, 'Ada', 'open', NULL, NULL, 1"),
        brought(&id, "'triage', 1, NULL, 'open', NULL, NULL, 1"),
        "INSERT INTO inbound VALUES (5, 'pause', NULL, 'again', 1)".to_owned(),
    ];
    for statement in refused {
        let outcome = sqlx::query(AssertSqlSafe(statement.clone())).execute(&mut raw).await;
        let error = outcome.expect_err(&statement).to_string();
        assert!(
            error.contains("constraint failed") || error.contains("cannot store TEXT"),
            "{statement}: {error}"
        );
    }
    // The neighbours of what is refused are allowed, so it is the constraints that refuse.
    for statement in [
        "UPDATE account SET calls_used = calls_cap - calls_held".to_owned(),
        "UPDATE account SET tokens_held = tokens_cap - tokens_used".to_owned(),
        format!("UPDATE session SET thread_id = 900 WHERE id = '{id}'"),
        format!("UPDATE session SET state = 'done', ended_ms = 1 WHERE id = '{id}'"),
        format!("UPDATE step SET state = 'done', output = '1' WHERE session_id = '{id}' AND key = 'a'"),
        "UPDATE outbox SET state = 'sent', message_id = 1".to_owned(),
        brought(&id, "'triage', 1, 'Ada', 'open', NULL, NULL, 1"),
        format!(
            "INSERT INTO wait (session_id, key, kind, deadline_ms, value) VALUES ('{id}', 'e', 'estimate', 1, 'x')"
        ),
        brought(&id, "'evidence', 1, 'Ada', 'x', '', 2, NULL"),
        // Words that grow with what Quorum can do are the types' to check: a new one changes no table.
        "UPDATE session SET protocol = 'chat'".to_owned(),
        format!("INSERT INTO wait (session_id, key, kind, deadline_ms) VALUES ('{id}', 'x', 'coffee', 1)"),
    ] {
        let done = sqlx::query(AssertSqlSafe(statement.clone())).execute(&mut raw).await;
        assert!(
            done.unwrap_or_else(|error| panic!("{statement}: {error}")).rows_affected() > 0,
            "{statement}"
        );
    }
}
