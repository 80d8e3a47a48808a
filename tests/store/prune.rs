//! What is deleted though its session is kept, and what is not.

use domain::{Bounds, Caps, GuildId, InteractionId, Money, SessionState, Setting, Typed};
use quorum::store::{NewSession, NewSettings};
use sqlx::AssertSqlSafe;

use super::fixture::{AT, Db, MEMBER, RUNNING, answered, attempt, id, new_session, settled};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

async fn run(db: &Db, statement: &str) {
    sqlx::query(AssertSqlSafe(statement.to_owned())).execute(&mut db.raw().await).await.unwrap();
}

/// A snowflake of this moment, as Discord gives them.
fn snowflake(ms: i64) -> i64 {
    (ms - 1_420_070_400_000) << 22
}

#[tokio::test]
async fn raw_outputs_go_as_long_after_a_sessions_end_as_its_server_says() {
    let db = Db::open().await;
    // 90 days where nothing was set, then 10, and as long as the session.
    for (n, days) in [(1, None), (2, Some(10)), (3, Some(0))] {
        let guild = GuildId(700 + n);
        db.store.start_session(NewSession { guild, ..new_session(n) }, AT).await.unwrap();
        if let Some(days) = days {
            let new = NewSettings {
                guild,
                interaction: InteractionId(9_000 + n),
                by: MEMBER,
                by_name: "Ada".to_owned(),
                changes: vec![Setting::find("raw_days").unwrap().to(Typed::Number(days))],
                bounds: Bounds { session: Caps { money: Money(1), tokens: 1, calls: 1 }, models: Vec::new() },
                said: |_| String::new(),
            };
            db.store.change_settings(new, AT).await.unwrap();
        }
    }
    // One that goes on, and one in which somebody asks something after its end.
    db.start(4).await;
    db.start(5).await;
    for n in 1..=5 {
        db.store.intend(attempt(&id(n), "a"), AT).await.unwrap();
        db.store.settle(&id(n), Some(answered("a", 1)), settled(&id(n), "a", &[]), AT).await.unwrap();
        if n != 4 {
            db.store.move_session(&id(n), RUNNING, SessionState::Done, None, vec![], AT).await.unwrap();
        }
    }
    let mut late = attempt(&id(5), "followup/1");
    late.allowed = &[SessionState::Done];
    db.store.intend(late.clone(), AT + 50 * DAY_MS).await.unwrap();
    let end = settled(&id(5), "followup/1", &[]);
    db.store.settle(&id(5), Some(answered("followup/1", 1)), end, AT + 50 * DAY_MS).await.unwrap();

    let kept = async |at: i64| {
        while db.store.prune_raw(at).await.unwrap() > 0 {}
        let mut kept = Vec::new();
        for n in 1..=5 {
            let rows = db.store.attempts(&id(n), &"a".into()).await.unwrap();
            assert!(rows[0].outcome.is_some() && rows[0].money.is_some(), "all else stays");
            assert_eq!(rows[0].request.is_some(), rows[0].reply.is_some());
            if rows[0].request.is_some() {
                assert_eq!(rows[0].request.as_deref(), Some("request a"));
                kept.push(n);
            }
        }
        kept
    };
    assert_eq!(kept(AT + 10 * DAY_MS - 1).await, [1, 2, 3, 4, 5]);
    assert_eq!(kept(AT + 10 * DAY_MS).await, [1, 3, 4, 5]);
    assert_eq!(kept(AT + 90 * DAY_MS).await, [3, 4, 5], "asked 40 days ago: {}", 5);
    assert_eq!(kept(AT + 140 * DAY_MS).await, [3, 4]);
    assert_eq!(db.number("SELECT count(DISTINCT session_id) FROM part").await, 2);
    // Asked again after that: what it was asked now is kept as long, and then goes as well.
    late.key = "followup/2".into();
    db.store.intend(late, AT + 150 * DAY_MS).await.unwrap();
    assert_eq!(db.number("SELECT raw_kept FROM session WHERE title = 'Question 5'").await, 1);
}

#[tokio::test]
async fn accounts_events_prompts_and_changes_of_settings_go_once_nobody_needs_them() {
    let db = Db::open().await;
    let ended = db.start_in(1, SessionState::Done).await;
    let open = db.start(2).await;
    // The lowest number: a member's press delivered a month and a day ago.
    let (old, new) = (AT - 31 * DAY_MS, AT - 29 * DAY_MS);
    for (at, session) in [
        (old, "NULL".to_owned()),
        (old + 1, format!("'{ended}'")),
        (old + 2, format!("'{open}'")),
        (new, "NULL".to_owned()),
    ] {
        run(&db, &format!("INSERT INTO inbound VALUES ({}, 'note', {session}, 'x', {at})", snowflake(at)))
            .await;
    }
    // Dated by a clock that was wrong: the id tells.
    run(&db, &format!("INSERT INTO inbound VALUES ({}, 'note', NULL, 'x', {old})", snowflake(new + 1))).await;
    for (owner, day) in [("1", "2026-01-01"), ("1", "2026-09-21"), ("2", "2026-02"), ("3", "")] {
        run(&db, &format!("INSERT INTO account (scope, owner, day, calls_cap, tokens_cap, money_cap) VALUES ('guild', '{owner}', '{day}', 1, 1, 1)")).await;
    }
    // Held for a call of January that nobody has settled.
    run(&db, "INSERT INTO account (scope, owner, day, calls_cap, tokens_cap, money_cap) VALUES ('guild', '4', '2026-01-02', 1, 1, 1)").await;
    db.store.intend(attempt(&open, "a"), AT).await.unwrap();
    run(&db, "UPDATE attempt SET day = '2026-01-02'").await;
    run(&db, "INSERT INTO prompt_set VALUES ('nobody', '{}')").await;
    for (at, after) in [(500, "1"), (450, "2"), (10, "3")] {
        let at = AT - at * DAY_MS;
        run(
            &db,
            &format!(
                "INSERT INTO settings_change VALUES ({}, 'hours', 71, 1, 'Ada', '0', '{after}', {at})",
                snowflake(at)
            ),
        )
        .await;
    }
    let lone = AT - 600 * DAY_MS;
    run(
        &db,
        &format!(
            "INSERT INTO settings_change VALUES ({}, 'quorum', 71, 1, 'Ada', '0', '9', {lone})",
            snowflake(lone)
        ),
    )
    .await;

    while db.store.prune_rest(AT).await.unwrap() > 0 {}
    assert_eq!(
        db.number("SELECT count(*) FROM inbound WHERE kind = 'note'").await,
        3,
        "of an open session, young, and young by its id"
    );
    let of_open = sqlx::query_scalar("SELECT count(*) FROM inbound WHERE session_id = ?1 AND kind = 'note'")
        .bind(open.as_str());
    let of_open: i64 = of_open.fetch_one(&mut db.raw().await).await.unwrap();
    assert_eq!(of_open, 1);
    assert_eq!(
        db.number("SELECT count(*) FROM inbound WHERE kind = 'start'").await,
        2,
        "the fixture's own are young"
    );
    assert_eq!(db.number("SELECT count(*) FROM account WHERE day IN ('2026-01-01', '2026-02')").await, 0);
    assert_eq!(
        db.number(
            "SELECT count(*) FROM account WHERE scope = 'guild' AND day IN ('2026-09-21', '2026-01-02', '')"
        )
        .await,
        3
    );
    assert_eq!(db.number("SELECT count(*) FROM prompt_set").await, 1);
    let changes = "SELECT group_concat(after) FROM (SELECT after FROM settings_change ORDER BY after)";
    let left: String = sqlx::query_scalar(changes).fetch_one(&mut db.raw().await).await.unwrap();
    assert_eq!(left, "3,9", "the newest of each setting stays however old it is");
    assert_eq!(db.number("SELECT count(*) FROM pragma_foreign_key_check").await, 0);
}

/// As Litestream does, which reads all the time so that nobody but itself empties the log.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_somebody_reads_is_left_and_nobodys_writes_wait_for_that() {
    let db = Db::open().await;
    db.start(1).await;
    let mut reader = db.raw().await;
    sqlx::query("BEGIN").execute(&mut reader).await.unwrap();
    sqlx::query("SELECT count(*) FROM session").execute(&mut reader).await.unwrap();
    db.start(2).await;
    let store = db.store.clone();
    let emptied = tokio::spawn(async move { store.empty_log().await });
    let mut slowest = std::time::Duration::ZERO;
    for n in 3..900 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        let begun = std::time::Instant::now();
        db.start(n).await;
        slowest = slowest.max(begun.elapsed());
        if emptied.is_finished() {
            break;
        }
    }
    emptied.await.unwrap().unwrap();
    assert!(slowest < std::time::Duration::from_millis(900), "a write waited for {slowest:?}");
    sqlx::query("COMMIT").execute(&mut reader).await.unwrap();
    db.store.empty_log().await.unwrap();
    let log = std::fs::metadata(format!("{}-wal", db.path.display())).unwrap().len();
    assert_eq!(log, 0, "once nobody reads, it is emptied");
}

/// Pieces of rows that SQLite moved to another page stay in the page that they stood on, though it overwrites what is deleted.
#[tokio::test]
async fn a_file_that_is_written_anew_holds_nothing_of_what_was_deleted() {
    let db = Db::open().await;
    let mut raw = db.raw().await;
    sqlx::query("PRAGMA secure_delete = ON").execute(&mut raw).await.unwrap();
    sqlx::query("CREATE TABLE moved (key INTEGER, text TEXT, PRIMARY KEY (key)) WITHOUT ROWID")
        .execute(&mut raw)
        .await
        .unwrap();
    for n in 0..400_i64 {
        // In no order, so that pages are split again and again.
        let (key, text) = (n * 7_919 % 400, format!("An effervescent plan. {}", "x".repeat(300)));
        sqlx::query("INSERT INTO moved VALUES (?1, ?2)")
            .bind(key)
            .bind(text)
            .execute(&mut raw)
            .await
            .unwrap();
    }
    run(&db, "UPDATE moved SET text = replace(text, 'effervescent', '')").await;
    let holds_it = || {
        [db.path.clone(), format!("{}-wal", db.path.display()).into()].iter().any(|file| {
            let bytes = std::fs::read(file).unwrap();
            bytes.windows(12).any(|window| window == b"effervescent")
        })
    };
    db.store.empty_log().await.unwrap();
    assert!(holds_it(), "SQLite leaves pieces by itself; without them this proves nothing");
    assert!(db.store.rewrite().await.unwrap());
    db.store.empty_log().await.unwrap();
    assert!(!holds_it());
    assert_eq!(db.number("SELECT count(*) FROM moved").await, 400);
}
