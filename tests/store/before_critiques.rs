//! A database from before there were critiques, with a debate in it that waits for its start: it goes on waiting, and
//! its bot can hold critiques.

use std::path::Path;

use quorum::{
    domain::{FindingId, SessionId, SessionState, StepKey, Triage, TriageVerdict, UserId, WaitOutcome},
    store::{NewWait, PanelEffect, Settled, Store, StoreOptions},
};
use serde_json::json;
use sqlx::AssertSqlSafe;

use super::{
    earlier,
    fixture::{AT, Db, MANY, event, id, settled},
};

/// A debate's proposition as it was stored.
const PROPOSITION: &str = r#"{"raw": "move?", "question": "Should we move?", "context": {"geography": "", "timeframe": "", "domain": "", "stakeholders": [], "background": ""},
    "framing": "policy", "complexity": "low", "changed": "", "objection": null, "answered_by": null, "edited_by": null}"#;

/// A database of the first three versions.
async fn before_critiques(path: &Path, folder: &Path) {
    let id = id(1);
    let rows = [
        "INSERT INTO prompt_set VALUES ('v1', '{}')".to_owned(),
        format!(
            "INSERT INTO session (id, guild_id, channel_id, starter_id, starter_name, protocol, title, plan,
                                  prompt_version, state, started_ms)
             VALUES ('{id}', 71, 500, 31, 'Ada', 'debate', 'Old', '{{}}', 'v1', 'waiting', 1)"
        ),
        format!(
            "INSERT INTO wait (session_id, key, kind, deadline_ms, draft)
             VALUES ('{id}', 'proposition', 'proposition', {}, '{PROPOSITION}')",
            AT + 100
        ),
        format!(
            "INSERT INTO opinion_vote (session_id, stage, rules, opened_ms) VALUES ('{id}', 'before', '{{}}', 1)"
        ),
        format!("INSERT INTO step VALUES ('{id}', 'normalise', 'ask:x', 'done', '1', 1, 9)"),
        format!(
            "INSERT INTO attempt (session_id, key, n, epoch, day, member_id, state, model, prompt_version, request,
                                  reserved_tokens, reserved_money, started_ms, finished_ms)
             VALUES ('{id}', 'normalise', 1, 1, '2026-11-22', 31, 'ok', 'openai/alpha', 'v1', '{{}}', 1, 1, 2, 9)"
        ),
    ];
    earlier::database(path, folder, 3, &rows).await;
}

async fn allowed(db: &Db, id: &SessionId, kind: &str) -> bool {
    let statement = format!(
        "INSERT INTO wait (session_id, key, kind, deadline_ms) VALUES ('{id}', 'of-{kind}', '{kind}', 1)"
    );
    sqlx::query(AssertSqlSafe(statement)).execute(&mut db.raw().await).await.is_ok()
}

#[tokio::test]
async fn a_debate_that_waits_for_its_start_goes_on_waiting_after_the_upgrade() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("quorum.db");
    before_critiques(&path, dir.path()).await;
    let store = Store::open(&path, StoreOptions::default(), AT).await.unwrap();
    let db = Db { store, path, dir };
    let (id, key) = (id(1), StepKey::from("proposition"));
    assert_eq!(db.store.asked(&id, &key).await.unwrap().unwrap().outcome, WaitOutcome::Open);
    let by = (UserId(31), "Ada".to_owned());
    db.store.answer_wait((&id, &key), 0, event(11, "start debate"), by, MANY, AT).await.unwrap();
    assert_eq!(db.store.session(&id).await.unwrap().state, SessionState::Running);
    let times = db.store.call_times(&["openai/alpha".parse().unwrap()], 10).await.unwrap();
    assert_eq!(times.len(), 1, "calls made before are measured too");

    // What a bot before this could not: a wait for a Go under an estimate, and triage.
    let estimate = NewWait {
        key: "estimate".into(),
        kind: "estimate",
        deadline_ms: AT + 100,
        draft: json!({"calls": 60}),
        vote: None,
        posts: Vec::new(),
    };
    db.store.open_wait(&id, estimate, AT).await.unwrap();
    let wait = db.store.waits_for(&id).await.unwrap().unwrap();
    assert_eq!((wait.kind.as_str(), wait.key.as_str()), ("estimate", "estimate"));
    let by = (UserId(31), "Ada".to_owned());
    db.store.answer_wait((&id, &"estimate".into()), 0, event(12, "estimate"), by, MANY, AT).await.unwrap();
    for key in ["finding/1", "triage"] {
        let settled = Settled { kind: "panel".to_owned(), ..settled(&id, key, &[key]) };
        db.store.settle_with_panel(&id, settled, (key, PanelEffect::Opened), AT).await.unwrap();
    }
    let word = Triage {
        finding: FindingId(1),
        verdict: TriageVerdict::Fixed,
        by: UserId(31),
        by_name: "Ada".to_owned(),
        at: 1,
    };
    let panels = vec!["finding/1".into(), "triage".into()];
    assert!(db.store.triage(&id, event(13, "triage"), String::new(), word, panels, AT).await.unwrap());

    for kind in ["pause", "roles", "proposition", "estimate"] {
        assert!(allowed(&db, &id, kind).await, "{kind}");
    }
    let mut raw = db.raw().await;
    let sound: String = sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut raw).await.unwrap();
    assert_eq!(sound, "ok");
    let broken = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut raw).await.unwrap();
    assert!(broken.is_empty());
}
