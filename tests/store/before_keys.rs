//! A database from before a card's key was the beginning of its calls' keys: every step is found under its new key, with
//! its attempts, and a session that runs goes on without asking anything again.

use quorum::store::{Store, StoreOptions};
use sqlx::{Connection, Row, SqliteConnection, sqlite::SqliteConnectOptions};

use super::{
    earlier,
    fixture::{AT, id},
};

/// Keys as they were, with the kind of their steps, and as they are.
const KEYS: [(&str, &str, &str); 14] = [
    ("scoring/risk", "ask:points", "points/risk"),
    ("scoring/risk/fallback-1", "ask:points", "points/risk/fallback-1"),
    ("points", "keep", "points"),
    ("tree/kant/1", "ask:segment", "critique/kant/1"),
    ("tree/kant/2/4-1/fallback-1", "ask:segment", "critique/kant/2/4-1/fallback-1"),
    ("critique/kant", "keep", "critique/kant"),
    ("critique/notes", "notes", "critique/notes"),
    ("self/popper", "ask:self", "self-critique/popper"),
    ("self/order", "keep", "self/order"),
    ("self/course", "keep", "self/course"),
    ("assess", "ask:assessment", "assessment/worded"),
    ("assess/fallback-2", "ask:assessment", "assessment/worded/fallback-2"),
    ("assess/notes", "notes", "assess/notes"),
    ("followup/12", "ask:answer", "followup/12"),
];

#[tokio::test]
async fn steps_and_their_attempts_have_the_keys_that_they_are_looked_for_under() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("quorum.db");
    let id = id(1);
    let mut rows = vec![
        "INSERT INTO prompt_set VALUES ('v1', '{}')".to_owned(),
        format!(
            "INSERT INTO session (id, guild_id, channel_id, starter_id, starter_name, protocol, title, plan,
                                  prompt_version, state, started_ms)
             VALUES ('{id}', 71, 500, 31, 'Ada', 'critique', 'Old', '{{}}', 'v1', 'running', 1)"
        ),
    ];
    for (key, kind, _) in KEYS {
        rows.push(format!("INSERT INTO step VALUES ('{id}', '{key}', '{kind}', 'done', '\"{key}\"', 1, 9)"));
        if kind.starts_with("ask:") {
            rows.push(format!(
                "INSERT INTO attempt (session_id, key, n, epoch, day, member_id, state, model, prompt_version, request,
                                      reserved_tokens, reserved_money, started_ms, finished_ms)
                 VALUES ('{id}', '{key}', 1, 1, '2026-11-22', 31, 'ok', 'openai/alpha', 'v1', '{{}}', 1, 1, 2, 9)"
            ));
        }
    }
    earlier::database(&path, dir.path(), 4, &rows).await;

    let store = Store::open(&path, StoreOptions::default(), AT).await.unwrap();
    for (old, kind, new) in KEYS {
        let step = store.step(&id, &new.into()).await.unwrap().unwrap_or_else(|| panic!("{new} is gone"));
        assert_eq!(step.output, Some(old.into()), "{new} is what {old} was");
        let own = store.attempts(&id, &new.into()).await.unwrap();
        let own = own.iter().filter(|attempt| attempt.key.as_str() == new).count();
        assert_eq!(own, usize::from(kind.starts_with("ask:")), "{new}");
    }
    let session = &id;
    let behind = |key: &str| {
        let key = key.into();
        let store = &store;
        async move {
            let attempts = store.attempts(session, &key).await.unwrap();
            attempts.into_iter().map(|attempt| attempt.key.to_string()).collect::<Vec<_>>()
        }
    };
    assert_eq!(behind("points").await, ["points/risk", "points/risk/fallback-1"]);
    assert_eq!(behind("critique/kant").await, ["critique/kant/1", "critique/kant/2/4-1/fallback-1"]);
    assert_eq!(behind("self-critique").await, ["self-critique/popper"]);
    assert_eq!(behind("assessment").await, ["assessment/worded", "assessment/worded/fallback-2"]);
    // What begins alike is not below it.
    assert_eq!(behind("points/ris").await, Vec::<String>::new());
    assert_eq!(behind("critique/kant/2/4").await, Vec::<String>::new());

    let options = SqliteConnectOptions::new().filename(&path);
    let mut raw = SqliteConnection::connect_with(&options).await.unwrap();
    let plan = sqlx::query(
        "EXPLAIN QUERY PLAN SELECT * FROM attempt JOIN step USING (session_id, key)
         WHERE session_id = 'a' AND key >= 'b' AND key < 'b' || '0' AND (key = 'b' OR key > 'b' || '/')",
    )
    .fetch_all(&mut raw)
    .await
    .unwrap();
    let plan: Vec<String> = plan.iter().map(|row| row.get("detail")).collect();
    assert!(plan.iter().all(|line| line.starts_with("SEARCH")), "nothing is read through: {plan:?}");
}
