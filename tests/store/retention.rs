//! Sessions that were kept long enough: gone with all that hung on them, and nothing else with them.

use domain::{Bounds, Caps, GuildId, InteractionId, Money, SessionId, SessionState, Setting, Typed};
use quorum::store::{NewSession, NewSettings, QuestionRow, Store};
use sqlx::AssertSqlSafe;

use super::fixture::{AT, Db, GUILD, MEMBER, RUNNING, TAKEOVER, answered, attempt, id, new_session, settled};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Keeps a server's sessions for so many days.
async fn keep(db: &Db, guild: GuildId, days: u32) {
    let new = NewSettings {
        guild,
        interaction: InteractionId(9_000 + guild.0 + u64::from(days)),
        by: MEMBER,
        by_name: "Ada".to_owned(),
        changes: vec![Setting::find("retention_days").unwrap().to(Typed::Number(days.into()))],
        bounds: Bounds { session: Caps { money: Money(1), tokens: 1, calls: 1 }, models: Vec::new() },
        said: |_| String::new(),
    };
    db.store.change_settings(new, AT).await.unwrap();
}

/// Deletes all that is due, as the watcher does; gives how many batches it took.
async fn forget(store: &Store, now_ms: i64) -> u32 {
    let mut batches = 0;
    while store.delete_expired(now_ms).await.unwrap() > 0 {
        batches += 1;
    }
    batches
}

async fn exists(db: &Db, session: &SessionId) -> bool {
    db.store.session(session).await.is_ok()
}

/// Runs a statement of the test's own about a session.
async fn put(db: &Db, statement: &str, session: &SessionId) {
    let statement = statement.replace("$id", session.as_str());
    sqlx::query(AssertSqlSafe(statement)).execute(&mut db.raw().await).await.unwrap();
}

const VOTE: &str = "INSERT INTO vote (session_id, key, kind, question, rules, experts, opened_ms, deadline_ms) VALUES ('$id', 'vote', 'points', 'Q', '{}', '[]', 1, 2)";

/// Evidence on a hinge that nobody has looked at again yet.
const HINGE: &str =
    "INSERT INTO brought (id, session_id, kind, number, author_id, author_name, text, source, hinge, at_ms)
     VALUES (81, '$id', 'evidence', 1, 31, 'Ada', 'x', '', 1, 1)";
const COUNTED: &str =
    "UPDATE vote SET state = 'counted', closed_ms = 2, closed_why = 'deadline' WHERE session_id = '$id'";

fn decision(n: u64, review: &str, outcome: &str) -> String {
    format!(
        "INSERT INTO decision (id, session_id, n, guild_id, channel_id, thread_id, record, search_text, decided_ms,
                               review_ms, outcome, outcome_event, outcome_ms)
         VALUES ({n}, '$id', 1, 71, 500, 600, '{{}}', 'x', 1, {review}, {outcome})"
    )
}

#[tokio::test]
async fn a_session_goes_with_everything_of_its_own_and_nothing_of_others() {
    let db = Db::open().await;
    let (old, other) = (db.start(1).await, db.start(2).await);
    for session in [&old, &other] {
        db.store.intend(attempt(session, "a"), AT).await.unwrap();
        db.store.settle(session, Some(answered("a", 1)), settled(session, "a", &["card"]), AT).await.unwrap();
        put(&db, "INSERT INTO brought (id, session_id, kind, author_id, author_name, text, at_ms, closed_ms) SELECT count(*) + 1, '$id', 'note', 1, 'Ada', 'x', 1, 1 FROM brought", session).await;
        put(&db, "INSERT INTO wait (session_id, key, kind, deadline_ms, value) VALUES ('$id', 'p', 'pause', 1, 'x')", session).await;
        put(&db, "INSERT INTO panel (session_id, key) VALUES ('$id', 'vote')", session).await;
        put(&db, VOTE, session).await;
        put(&db, "INSERT INTO solution (session_id, key, n, title, description, raised_by, proposer_id) VALUES ('$id', 'vote', 1, 'x', 'x', '[]', NULL)", session).await;
        put(&db, "INSERT INTO ballot VALUES ('$id', 'vote', 1, 'Ada', '[10]', 1, 1)", session).await;
        put(
            &db,
            "INSERT INTO brought (id, session_id, kind, number, author_id, author_name, text, at_ms, closed_ms) SELECT count(*) + 1, '$id', 'triage', 1, 1, 'Ada', 'fixed', 1, 1 FROM brought",
            session,
        )
        .await;
        put(&db, COUNTED, session).await;
        db.store.move_session(session, RUNNING, SessionState::Done, None, vec![], AT).await.unwrap();
    }
    put(&db, "INSERT INTO brought (id, session_id, kind, author_id, author_name, text, at_ms, closed_ms, audit) VALUES (5, '$id', 'question', 1, 'Ada', 'x', 1, 2, 0)", &old).await;
    put(&db, &decision(1, "NULL", "NULL, NULL, NULL"), &old).await;
    put(&db, "UPDATE session SET ended_ms = ended_ms + 1 WHERE id = '$id'", &other).await;
    keep(&db, GUILD, 30).await;

    let due = AT + 30 * DAY_MS;
    assert_eq!(forget(&db.store, due - 1).await, 0, "not a moment too early");
    assert_eq!(forget(&db.store, due).await, 1);
    assert!(!exists(&db, &old).await && exists(&db, &other).await);
    for table in
        ["step", "attempt", "outbox", "wait", "brought", "panel", "vote", "solution", "ballot", "inbound"]
    {
        let count = async |session: &SessionId| -> i64 {
            let query = format!("SELECT count(*) FROM {table} WHERE session_id = '{session}'");
            sqlx::query_scalar(AssertSqlSafe(query)).fetch_one(&mut db.raw().await).await.unwrap()
        };
        assert_eq!(count(&old).await, 0, "{table}");
        assert!(count(&other).await > 0, "{table} of the other session");
    }
    assert_eq!(db.number("SELECT count(*) FROM decision").await, 1, "decision records stay");
    assert_eq!(db.number("SELECT count(*) FROM account WHERE scope = 'session'").await, 1);
    assert_eq!(
        db.number("SELECT calls_used FROM account WHERE scope = 'guild'").await,
        2,
        "what was used stays used"
    );
    assert_eq!(db.number("SELECT count(*) FROM pragma_foreign_key_check").await, 0);
    // Another process finds a database in order, and the store goes on.
    let later = Store::open(&db.path, TAKEOVER, AT).await.unwrap();
    later.start_session(new_session(3), AT).await.unwrap();
    assert_eq!(forget(&later, due + 1).await, 1);
}

#[tokio::test]
async fn what_still_has_something_to_come_stays() {
    let db = Db::open().await;
    keep(&db, GUILD, 1).await;
    let states = [SessionState::Done, SessionState::Failed, SessionState::Cancelled];
    let mut gone = Vec::new();
    for (n, state) in (0..).zip(states) {
        gone.push(db.start_in(n, state).await);
    }
    let mut stays = vec![db.start(10).await];
    for state in [SessionState::Paused, SessionState::Waiting] {
        stays.push(db.start_in(10 + stays.len() as u64, state).await);
    }
    for statements in [
        vec![VOTE.to_owned()],
        vec![VOTE.to_owned(), COUNTED.replace("'counted'", "'closed'")],
        vec![decision(1, "9", "NULL, NULL, NULL")],
        vec![HINGE.to_owned()],
    ] {
        let session = db.start_in(20 + stays.len() as u64, SessionState::Done).await;
        for statement in statements {
            put(&db, &statement, &session).await;
        }
        stays.push(session);
    }
    let reviewed = db.start_in(40, SessionState::Done).await;
    put(&db, &decision(2, "9", "'worked', 1, 1"), &reviewed).await;
    gone.push(reviewed);
    // A debate whose vote is long over; the one before it ended with a wait that nobody answered.
    let debated = db.start_in(43, SessionState::Done).await;
    let before = VOTE.replace("'vote'", "'proposition'").replace("1, 2)", "1, NULL)");
    for statement in [&before, VOTE, &format!("{COUNTED} AND key = 'vote'")] {
        put(&db, statement, &debated).await;
    }
    gone.push(debated);
    let asked = db.start_in(41, SessionState::Done).await;
    let question = QuestionRow {
        id: 77,
        session: asked.clone(),
        author: MEMBER,
        author_name: "Ada".to_owned(),
        text: "why?".to_owned(),
        reply_to: None,
        addressee: None,
        audit: None,
    };
    db.store.ask(question, "said".to_owned(), AT).await.unwrap();
    stays.push(asked);
    let calling = db.start(42).await;
    db.store.intend(attempt(&calling, "a"), AT).await.unwrap();
    db.store.move_session(&calling, RUNNING, SessionState::Done, None, vec![], AT).await.unwrap();
    stays.push(calling);
    // Other servers: one keeps for ever, one longer, one never said.
    for (n, days) in [(50, Some(0)), (51, Some(300)), (52, None)] {
        let guild = GuildId(n);
        let new = NewSession { guild, ..new_session(n) };
        db.store.start_session(new, AT).await.unwrap();
        db.store.move_session(&id(n), RUNNING, SessionState::Done, None, vec![], AT).await.unwrap();
        if let Some(days) = days {
            keep(&db, guild, days).await;
        }
        stays.push(id(n));
    }
    forget(&db.store, AT + 100 * DAY_MS).await;
    for session in &gone {
        assert!(!exists(&db, session).await, "{session} was kept long enough");
    }
    for (place, session) in stays.iter().enumerate() {
        assert!(exists(&db, session).await, "{session} ({place}) has something to come");
    }
}

#[tokio::test]
async fn sessions_are_kept_from_the_last_thing_that_happened_in_them_on_and_no_longer() {
    let db = Db::open().await;
    keep(&db, GUILD, 1).await;
    let late = AT + 7 * DAY_MS;
    let with = async |n: u64, statements: &[String]| {
        let session = db.start_in(n, SessionState::Done).await;
        for statement in statements {
            put(&db, statement, &session).await;
        }
        session
    };
    let since = |n: u64, column: &str, review: &str, outcome: &str| {
        [
            decision(n, review, outcome),
            format!("UPDATE decision SET {column} = {late} WHERE session_id = '$id'"),
        ]
    };
    let voted = COUNTED.replace("closed_ms = 2", &format!("closed_ms = {late}"));
    let recent = [
        with(1, &[VOTE.to_owned(), voted]).await,
        with(2, &since(2, "decided_ms", "NULL", "NULL, NULL, NULL")).await,
        with(3, &since(3, "asked_ms", "9", "NULL, NULL, NULL")).await,
        with(4, &since(4, "outcome_ms", "9", "'worked', 1, 1")).await,
        with(6, &[format!("INSERT INTO brought (id, session_id, kind, number, author_id, author_name, text, at_ms, closed_ms) VALUES (9, '$id', 'triage', 1, 1, 'Ada', 'fixed', {late}, {late})")]).await,
    ];
    // Whoever is never asked, because another decision came after it, keeps nothing.
    let another = decision(6, "NULL", "NULL, NULL, NULL").replace("'$id', 1,", "'$id', 2,");
    let replaced = with(5, &[decision(5, "9", "NULL, NULL, NULL"), another]).await;

    forget(&db.store, late + DAY_MS - 1).await;
    assert!(!exists(&db, &replaced).await, "a review that will never be asked for keeps nothing");
    for session in &recent {
        assert!(exists(&db, session).await, "{session} was in use a day ago");
    }
    forget(&db.store, late + DAY_MS).await;
    for session in &recent {
        assert!(!exists(&db, session).await, "{session} was kept long enough");
    }
}

#[tokio::test]
async fn many_go_in_batches_between_which_others_write() {
    let db = Db::open().await;
    keep(&db, GUILD, 1).await;
    for n in 0..23 {
        db.start_in(n, SessionState::Done).await;
    }
    assert_eq!(forget(&db.store, AT + DAY_MS).await, 5);
    assert_eq!(db.number("SELECT count(*) FROM session").await, 0);
}
