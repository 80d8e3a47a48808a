//! A database from before there were votes: it keeps all it had, and learns of them.

use std::path::Path;

use quorum::{
    domain::{Electorate, SessionState},
    store::{Cast, Store, StoreOptions},
};
use sqlx::AssertSqlSafe;

use super::{
    earlier,
    fixture::{AT, Db, settled},
    vote::{ballot, new_vote},
};

/// A database as it was before there were votes, with a mediation in it that runs.
async fn before_votes(path: &Path, folder: &Path) {
    let id = super::fixture::id(1);
    let rows = [
        "INSERT INTO prompt_set VALUES ('v1', '{}')".to_owned(),
        format!(
            "INSERT INTO session (id, guild_id, channel_id, starter_id, starter_name, protocol, title, plan,
                                  prompt_version, state, started_ms)
             VALUES ('{id}', 71, 500, 31, 'Ada', 'mediate', 'Old', '{{\"brief\": {{\"problem\": \"x\"}}}}', 'v1',
                     'running', 1)"
        ),
        format!("INSERT INTO step VALUES ('{id}', 'round-1/market', 'ask', 'done', '1', 1, 2)"),
        format!("INSERT INTO wait VALUES ('{id}', 'pause-1', 'pause', 5, 'running', 31)"),
        format!("INSERT INTO note VALUES (9, '{id}', 31, 'Ada', 'a note', 1)"),
    ];
    earlier::database(path, folder, 1, &rows).await;
}

#[tokio::test]
async fn a_database_from_before_votes_keeps_all_it_had_and_learns_of_them() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("quorum.db");
    before_votes(&path, dir.path()).await;
    let store = Store::open(&path, StoreOptions::default(), AT).await.unwrap();
    let db = Db { store, path, dir };
    let id = super::fixture::id(1);
    let row = db.store.session(&id).await.unwrap();
    assert_eq!((row.title.as_str(), row.state), ("Old", SessionState::Running));
    let plan = db.plan(&id).await;
    assert_eq!(plan["brief"]["protocol"], "mediate", "its brief says now what it always was");
    assert_eq!(plan["brief"]["problem"], "x");
    assert_eq!(db.store.notes(&id).await.unwrap().len(), 1);
    assert!(db.store.step(&id, &"round-1/market".into()).await.unwrap().is_some());

    db.store
        .open_vote(&id, settled(&id, "vote", &["vote"]), new_vote(Electorate::Everyone), AT)
        .await
        .unwrap();
    assert_eq!(db.store.cast(&id, &"vote".into(), ballot(10, 7, &[3, 7]), AT).await.unwrap(), Cast::Counts);
    let mut raw = db.raw().await;
    for statement in [
        format!("UPDATE session SET protocol = 'roundtable' WHERE id = '{id}'"),
        format!("INSERT INTO wait (session_id, key, kind, deadline_ms) VALUES ('{id}', 'roles', 'roles', 1)"),
    ] {
        let done = sqlx::query(AssertSqlSafe(statement.clone())).execute(&mut raw).await;
        assert!(done.is_ok(), "{statement}: {done:?}");
    }
    let sound: String = sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut raw).await.unwrap();
    assert_eq!(sound, "ok");
    let broken = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut raw).await.unwrap();
    assert!(broken.is_empty());
}
