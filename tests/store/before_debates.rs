//! A database from before there were debates, with a roundtable in it that waits for its roles: it goes on waiting, and
//! its bot can hold debates.

use std::path::Path;

use quorum::{
    domain::{SessionId, SessionState, StepKey, UserId, VoteKind, WaitOutcome},
    store::{NewDraft, NewVote, NewWait, Store, StoreOptions},
};
use serde_json::json;
use sqlx::AssertSqlSafe;

use super::{
    earlier,
    fixture::{AT, Db, MANY, event, id},
};

/// A database of the first two versions.
async fn before_debates(path: &Path, folder: &Path) {
    let id = id(1);
    let rows = [
        "INSERT INTO prompt_set VALUES ('v1', '{}')".to_owned(),
        format!(
            "INSERT INTO session (id, guild_id, channel_id, starter_id, starter_name, protocol, title, plan,
                                  prompt_version, state, started_ms)
             VALUES ('{id}', 71, 500, 31, 'Ada', 'roundtable', 'Old', '{{}}', 'v1', 'waiting', 1)"
        ),
        format!(
            "INSERT INTO wait (session_id, key, kind, deadline_ms, draft)
             VALUES ('{id}', 'roles', 'roles', {}, '\"as proposed\"')",
            AT + 100
        ),
        format!(
            "INSERT INTO question (id, session_id, author_id, author_name, text, reply_to, at_ms)
             VALUES (9, '{id}', 31, 'Ada', 'why?', NULL, 1)"
        ),
    ];
    earlier::database(path, folder, 2, &rows).await;
}

async fn allowed(db: &Db, id: &SessionId, kind: &str) -> bool {
    let statement = format!(
        "INSERT INTO wait (session_id, key, kind, deadline_ms) VALUES ('{id}', 'of-{kind}', '{kind}', 1)"
    );
    sqlx::query(AssertSqlSafe(statement)).execute(&mut db.raw().await).await.is_ok()
}

#[tokio::test]
async fn a_roundtable_that_waits_for_its_roles_goes_on_waiting_after_the_upgrade() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("quorum.db");
    before_debates(&path, dir.path()).await;
    let store = Store::open(&path, StoreOptions::default(), AT).await.unwrap();
    let db = Db { store, path, dir };
    let (id, key) = (id(1), StepKey::from("roles"));
    let asked = db.store.asked(&id, &key).await.unwrap().unwrap();
    assert_eq!((asked.draft, asked.revision, asked.outcome), (json!("as proposed"), 0, WaitOutcome::Open));
    assert_eq!(db.store.next_deadline(AT).await.unwrap(), Some(AT + 100));
    let new = NewDraft { draft: json!("edited"), question: None, plan: None, late: "late".to_owned() };
    assert!(db.store.change_draft((&id, &key), event(10, "roles"), new, AT).await.unwrap());
    let by = (UserId(31), "Ada".to_owned());
    db.store.answer_wait((&id, &key), 10, event(11, "go"), by, MANY, AT).await.unwrap();
    assert_eq!(db.store.session(&id).await.unwrap().state, SessionState::Running);
    assert_eq!(db.number("SELECT count(*) FROM question WHERE addressee IS NULL").await, 1);

    // What a bot before this could not: a wait for the start of a debate, and the vote before it.
    let proposition = NewWait {
        key: "proposition".into(),
        kind: "proposition",
        deadline_ms: AT + 100,
        draft: json!(null),
        vote: Some(NewVote { kind: VoteKind::Opinion, ..NewVote::default() }),
        posts: Vec::new(),
    };
    db.store.open_wait(&id, proposition, AT).await.unwrap();
    assert_eq!(db.number("SELECT count(*) FROM vote WHERE key = 'proposition' AND state = 'open'").await, 1);
    assert!(allowed(&db, &id, "pause").await && allowed(&db, &id, "proposition").await);
    let mut raw = db.raw().await;
    let sound: String = sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut raw).await.unwrap();
    assert_eq!(sound, "ok");
    let broken = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut raw).await.unwrap();
    assert!(broken.is_empty());
}
