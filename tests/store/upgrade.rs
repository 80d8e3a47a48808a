//! A database of the version before votes: it opens, what was under way is settled, and nothing is lost.

use std::{borrow::Cow, path::Path};

use quorum::{
    domain::{Money, Protocol, SessionId},
    store::{Reserve, Store, StoreOptions},
};
use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use super::fixture::{AT, Db, answered, attempt, caps, id, reserve, settled};

/// A database as the first version left it: a session with a call under way.
async fn first_version(path: &Path) -> SessionId {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
    let mut raw = SqliteConnection::connect_with(&options).await.unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let mut migrations = sqlx::migrate::Migrator::new(folder).await.unwrap();
    migrations.migrations = Cow::Owned(migrations.migrations.iter().take(1).cloned().collect());
    migrations.run(&mut raw).await.unwrap();
    let session = id(1);
    for statement in [
        "INSERT INTO prompt_set VALUES ('v1', '{}')",
        "INSERT INTO session (id, guild_id, channel_id, starter_id, starter_name, protocol, title, plan, prompt_version, state, started_ms)
         VALUES ('$id', 71, 500, 31, 'Ada', 'mediate', 'x', '$plan', 'v1', 'running', 1)",
        "INSERT INTO step VALUES ('$id', 'a', 'ask', 'intent', NULL, 1, NULL)",
        "INSERT INTO attempt (session_id, key, n, epoch, day, member_id, state, model, prompt_version, request, reserved_tokens, reserved_money, started_ms)
         VALUES ('$id', 'a', 1, 1, '2026-11-22', 31, 'sent', 'openai/alpha', 'v1', '{}', 100, 50, 1)",
        "INSERT INTO account (scope, owner, day, calls_cap, calls_held, tokens_cap, tokens_held, money_cap, money_held)
         VALUES ('session', '$id', '', 9, 1, 900, 100, 900, 50), ('member', '71/31', '2026-11-22', 9, 1, 900, 100, 900, 50),
                ('guild', '71', '2026-11-22', 9, 1, 900, 100, 900, 50)",
    ] {
        let statement = statement.replace("$id", session.as_str()).replace("$plan", PLAN);
        sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&mut raw).await.unwrap();
    }
    raw.close().await.unwrap();
    session
}

const PLAN: &str = r#"{"brief": {"problem": "x", "panel": {"seats": [], "deactivated": []}, "document": null, "seats": [],
    "mediator": {"model": "openai/alpha", "fallbacks": []}, "language": null},
    "budgets": {"session": {"money": 1, "tokens": 2, "calls": 3}, "member_day": {"money": 1, "tokens": 2, "calls": 3},
                "server_day": {"money": 1, "tokens": 2, "calls": 3}}, "notice": null}"#;

#[tokio::test]
async fn what_was_under_way_before_the_upgrade_is_settled_after_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("quorum.db");
    let session = first_version(&path).await;
    let store = Store::open(&path, StoreOptions::default(), AT).await.unwrap();
    let db = Db { store, path, dir };
    let plan = db.store.plan(&session).await.unwrap();
    assert_eq!((plan.brief.protocol(), plan.budgets.server_month), (Protocol::Mediate, None));

    // The server has a budget for the month by now, with a call of its own on it.
    let month = Reserve { month: Some(caps(9, 900, 900)), ..reserve(&session) };
    let new = quorum::store::NewAttempt { reserve: month, ..attempt(&session, "b") };
    db.store.intend(new, AT).await.unwrap();
    let months =
        "SELECT calls_held * 1000 + calls_used FROM account WHERE scope = 'month' AND day = '2026-11'";
    assert_eq!(db.number(months).await, 1_000);
    db.store.settle(&session, Some(answered("a", 1)), settled(&session, "a", &["card"]), AT).await.unwrap();
    assert_eq!(db.number(months).await, 1_000, "it was held on no month's account");
    let ledger = db.store.ledger(&session).await.unwrap();
    assert_eq!((ledger.calls, ledger.tokens, ledger.cost), (2, 40, Money(7)));
    db.store.end_attempt(&session, answered("b", 1), AT).await.unwrap();
    assert_eq!(db.number(months).await, 1);
}
