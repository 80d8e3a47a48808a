//! What a released version leaves is opened by each later one, and its open sessions go on: a file by the first schema, with
//! rows as that version writes them. They stay as they are; a version that changes the schema adds a file of its own.
//! A file of a version that is not known yet is refused, and stays as it is to the last byte.

use std::{borrow::Cow, fs, path::Path};

use domain::{Brief, ChannelId, Effort, MessageId, Money, SessionId, SessionState};
use quorum::store::{OpenError, StepState, Store, StoreOptions};
use serde_json::json;
use sqlx::{
    AssertSqlSafe, Connection, SqliteConnection,
    migrate::Migrator,
    sqlite::{SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode},
};

use super::fixture::{AT, Db, GUILD, answered, attempt, id, settled};

/// A plan as the first version writes it.
const PLAN: &str = r#"{"brief": {"protocol": "mediate", "problem": "Do we open on Sundays?",
    "panel": {"seats": [{"module": "market", "weight": 1.0}, {"module": "risk", "weight": 2.0}], "deactivated": ["cost"]},
    "document": null, "seats": [{"model": "openai/alpha", "fallbacks": ["openai/beta"]}, {"model": "openai/alpha", "fallbacks": []}],
    "writer_seat": {"model": "openai/alpha", "fallbacks": []}, "checker": {"model": "openai/beta", "fallbacks": []},
    "language": null, "effort": "standard", "baseline": false, "raci": false, "searching": "not_set_up", "deep_research": false},
    "budgets": {"session": {"money": 900, "tokens": 900, "calls": 9}, "member_day": {"money": 900, "tokens": 900, "calls": 9},
                "server_day": {"money": 900, "tokens": 900, "calls": 9}, "server_month": null},
    "voting": {"electorate": "everyone", "hours": 24, "quorum": 0, "live": false, "remind_hours": 4, "ping": false},
    "notice": null}"#;

/// A file by the first schema, in which a session was killed with a call under way and a post that was not sent yet.
async fn first_schema(path: &Path) -> SessionId {
    let connect = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .auto_vacuum(SqliteAutoVacuum::Incremental)
        .journal_mode(SqliteJournalMode::Wal)
        .foreign_keys(true);
    let mut file = SqliteConnection::connect_with(&connect).await.unwrap();
    let mut first = Migrator::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations")).await.unwrap();
    first.migrations = Cow::Owned(first.migrations.iter().take(1).cloned().collect());
    first.run_direct(None, &mut file, false).await.unwrap();
    let session = id(1);
    for row in [
        "INSERT INTO lease VALUES ('writer', 1, 1)",
        "INSERT INTO prompt_set VALUES ('v1', '{\"table/rules.md\": \"Be brief.\"}')",
        "INSERT INTO session (id, guild_id, channel_id, starter_id, starter_name, title, plan, prompt_version, status_id,
                              thread_id, state, card_state, started_ms, protocol)
         VALUES ('$id', 71, 500, 31, 'Ada', 'Do we open on Sundays?', '$plan', 'v1', 600, 600, 'running', 'running', 1, 'mediate')",
        "INSERT INTO step VALUES ('$id', 'round-1/market', 'ask', 'done', '{\"of\": \"round-1/market\"}', 1, 2),
                                 ('$id', 'round-1/risk', 'ask', 'intent', NULL, 1, NULL)",
        "INSERT INTO attempt (session_id, key, n, epoch, day, member_id, state, model, prompt_version, reserved_tokens,
                              reserved_money, started_ms)
         VALUES ('$id', 'round-1/risk', 1, 1, '2026-11-22', 31, 'sent', 'openai/alpha', 'v1', 100, 50, 1)",
        "INSERT INTO account (scope, owner, day, calls_cap, calls_held, tokens_cap, tokens_held, money_cap, money_held)
         VALUES ('session', '$id', '', 9, 1, 900, 100, 900, 50), ('member', '71/31', '2026-11-22', 9, 1, 900, 100, 900, 50),
                ('guild', '71', '2026-11-22', 9, 1, 900, 100, 900, 50)",
        "INSERT INTO outbox (session_id, post_key, part, target, payload, nonce)
         VALUES ('$id', 'round-1/market', 0, 'thread', '{\"content\": \"What it said.\", \"embeds\": [], \"rows\": [], \"files\": []}', 'n1')",
    ] {
        let row = row.replace("$id", session.as_str()).replace("$plan", PLAN);
        sqlx::query(AssertSqlSafe(row.clone())).execute(&mut file).await.expect(&row);
    }
    file.close().await.unwrap();
    session
}

#[tokio::test]
async fn a_session_that_was_open_in_a_file_by_the_first_schema_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("quorum.db");
    let session = first_schema(&path).await;
    let store = Store::open(&path, StoreOptions::default(), AT).await.unwrap();
    let db = Db { store, path, dir };
    let open = db.store.unfinished_sessions().await.unwrap();
    let [row] = &open[..] else { panic!("{open:?}") };
    assert_eq!((&row.id, row.guild, row.state), (&session, GUILD, SessionState::Running));
    assert_eq!((row.thread, row.card_stands_in()), (Some(ChannelId(600)), ChannelId(500)));
    let plan = db.store.plan(&session).await.unwrap();
    let Brief::Mediate(brief) = &plan.brief else { panic!("{plan:?}") };
    assert_eq!((brief.problem.as_str(), brief.effort), ("Do we open on Sundays?", Effort::Standard));
    assert_eq!(db.store.prompt_files(&row.prompt_version).await.unwrap()["table/rules.md"], "Be brief.");

    // What is done stays done, and what the process died over is charged once and made again.
    let done = db.store.step(&session, &"round-1/market".into()).await.unwrap().unwrap();
    assert_eq!((done.state, done.output), (StepState::Done, Some(json!({"of": "round-1/market"}))));
    assert_eq!(db.store.charge_lost(&session, AT).await.unwrap(), 1);
    assert_eq!(db.store.intend(attempt(&session, "round-1/risk"), AT).await.unwrap(), 2);
    let end = answered("round-1/risk", 2);
    db.store.settle(&session, Some(end), settled(&session, "round-1/risk", &["risk"]), AT).await.unwrap();
    let ledger = db.store.ledger(&session).await.unwrap();
    assert_eq!((ledger.calls, ledger.tokens, ledger.cost, ledger.lost_calls), (2, 140, Money(57), 1));
    let asked = db.store.attempts(&session, &"round-1/risk".into()).await.unwrap();
    let requests: Vec<Option<&str>> = asked.iter().map(|attempt| attempt.request.as_deref()).collect();
    assert_eq!(requests, [None, Some("request round-1/risk")]);

    // Its posts go out in their order.
    assert_eq!(db.posts(&session).await, ["round-1/market", "risk"]);
    let post = db.store.next_post(&session).await.unwrap().unwrap();
    assert_eq!((post.post.content.as_str(), post.nonce.as_str()), ("What it said.", "n1"));
    db.store.post_sent(post.id, MessageId(601)).await.unwrap();
    assert_eq!(db.store.next_post(&session).await.unwrap().unwrap().key, "risk");
    let sound: String =
        sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut db.raw().await).await.unwrap();
    assert_eq!(sound, "ok");
}

#[tokio::test]
async fn a_file_of_a_newer_version_is_refused_and_stays_as_it_is_to_the_last_byte() {
    let db = Db::open().await;
    db.start(1).await;
    sqlx::query(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (9999, 'later', TRUE, x'00', 1)",
    )
    .execute(&mut db.raw().await)
    .await
    .unwrap();
    // A backup, which has no log, and the file itself, once its process has ended.
    let copy = db.dir.path().join("copy.db");
    Store::backup(&db.path, &copy).await.unwrap();
    db.store.empty_log().await.unwrap();
    let Db { store, path, dir } = db;
    drop(store);
    for file in [copy, path] {
        let before = fs::read(&file).unwrap();
        for _ in 0..2 {
            let opened = Store::open(&file, StoreOptions::default(), AT).await;
            let error = opened.err().unwrap_or_else(|| panic!("{} was opened", file.display()));
            assert!(matches!(&error, OpenError::Newer(at) if *at == file), "{error:?}");
            let sentence = format!(
                "{} was written by a newer version of Quorum. Start that version, or restore a backup made before the upgrade.",
                file.display()
            );
            assert_eq!(error.to_string(), sentence);
        }
        assert!(fs::read(&file).unwrap() == before, "{} is another file now", file.display());
    }
    drop(dir);
}
