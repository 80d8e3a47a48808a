//! Rows that no version can read: what is gone through takes the others, and the bad one's session is parked.

use domain::{GuildId, SessionState, UserId};
use quorum::store::{Erased, Inbound, Store};
use sqlx::AssertSqlSafe;

use super::fixture::{AT, Db, GUILD, MEMBER, posts};

const BAD: &[(&str, &str)] = &[
    ("session", "UPDATE session SET tag = 'x' WHERE id = ?1"),
    ("session", "UPDATE session SET card_state = 'x' WHERE id = ?1"),
    ("session", "PRAGMA ignore_check_constraints = ON; UPDATE session SET lies = 'x' WHERE id = '?1'"),
];

#[tokio::test]
async fn a_session_whose_row_cannot_be_read_is_parked_and_stops_no_other() {
    for (what, bad) in BAD {
        let db = Db::open().await;
        let (one, two) = (db.start(1).await, db.start(2).await);
        let bad = bad.replace("'?1'", "?1").replace("?1", &format!("'{one}'"));
        sqlx::raw_sql(AssertSqlSafe(bad.clone())).execute(&mut db.raw().await).await.unwrap();

        let rows = db.store.unfinished_sessions().await.unwrap();
        assert_eq!(rows.iter().map(|row| &row.id).collect::<Vec<_>>(), [&two], "{bad}");
        let (problems, parked) = Store::unreadable_in(&db.path).await.unwrap();
        assert!(
            matches!(&problems[..], [one_] if one_.contains(one.as_str()) && one_.contains(what)),
            "{problems:?}"
        );
        assert!(parked.is_empty());

        let found = db.store.unreadable_sessions();
        assert_eq!(found.keys().collect::<Vec<_>>(), [&one], "{bad}");
        assert!(db.store.unreadable_sessions().is_empty(), "each is given once");
        let said = posts(&one, &["notice/parked"]);
        assert!(db.store.park_unreadable(&one, "unread".to_owned(), said, AT).await.unwrap());
        let row = db.store.session(&one).await.unwrap();
        assert_eq!((row.state, row.notice.as_deref()), (SessionState::Parked, Some("unread")), "{bad}");
        assert_eq!(db.posts(&one).await, ["notice/parked"]);
        assert!(!db.store.park_unreadable(&one, "again".to_owned(), Vec::new(), AT).await.unwrap());
        assert_eq!(db.store.session(&two).await.unwrap().state, SessionState::Running);
        let (problems, parked) = Store::unreadable_in(&db.path).await.unwrap();
        assert_eq!((problems, parked), (Vec::new(), vec![format!("{one}: unread")]));
    }
}

#[tokio::test]
async fn a_bad_question_or_wait_is_passed_over_and_the_others_are_given() {
    let db = Db::open().await;
    let (one, two) = (db.start(1).await, db.start(2).await);
    let mut raw = db.raw().await;
    for (id, session, addressee) in [(21, &one, Some("x")), (22, &one, None), (23, &two, None)] {
        sqlx::query(
            "INSERT INTO brought (id, session_id, kind, author_id, author_name, text, at_ms, addressee)
             VALUES (?1, ?2, 'question', 9, 'Bo', 'Why?', 0, ?3)",
        )
        .bind(id)
        .bind(session.as_str())
        .bind(addressee)
        .execute(&mut raw)
        .await
        .unwrap();
    }
    let open = db.store.open_questions(&one).await.unwrap();
    assert_eq!(open.iter().map(|question| question.id).collect::<Vec<_>>(), [22]);
    assert_eq!(db.store.unreadable_sessions().into_keys().collect::<Vec<_>>(), [one]);
}

/// The record of a decision that this version cannot read, as one of a later version might be.
const RECORD: &str =
    r#"{"of": "another version", "by": "4242", "by_name": "Benedikt", "owner": "Benedikt and Ada"}"#;

#[tokio::test]
async fn a_decision_record_that_cannot_be_read_stops_nobodys_deletion() {
    let db = Db::open().await;
    let ben = UserId(4242);
    let session = db.start(1).await;
    sqlx::query(
        "INSERT INTO decision (id, session_id, n, guild_id, channel_id, thread_id, record, search_text, decided_ms)
         VALUES (1, ?1, 1, ?2, 500, 600, ?3, 'benedikt', 0)",
    )
    .bind(session.as_str())
    .bind(GUILD)
    .bind(RECORD)
    .execute(&mut db.raw().await)
    .await
    .unwrap();
    let asked = |id| Inbound { id, kind: "erase", session: None, by: None, effect: String::new() };
    db.store.ask_erasure(asked(1), GUILD, Some(ben), AT).await.unwrap();
    db.store.ask_erasure(asked(2), GuildId(72), Some(MEMBER), AT).await.unwrap();
    for of in db.store.erasures().await.unwrap() {
        assert_eq!(db.store.erase_some(of, AT).await.unwrap(), Erased::Done);
    }
    assert!(db.store.erasures().await.unwrap().is_empty());
    let left: (String, String) = sqlx::query_as("SELECT record, search_text FROM decision")
        .fetch_one(&mut db.raw().await)
        .await
        .unwrap();
    assert!(!left.0.contains("4242") && !left.0.contains("Benedikt") && left.1.is_empty(), "{left:?}");
    assert!(left.0.contains("another version") && left.0.contains("and Ada"), "all else stays: {left:?}");
    let (listed, found) = db.store.decisions(GUILD, domain::ChannelId(500), "", 9).await.unwrap();
    assert_eq!((listed.len(), found), (0, 1), "it is passed over");
}
