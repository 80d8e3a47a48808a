//! Waits and notes.

use domain::{ContextNote, SessionState, StepKey, UserId, WaitOutcome};
use quorum::store::{Asked, NewDraft, NewWait, Pause, StoreError};

use super::fixture::{AT, Db, LIVE, MANY, MEMBER, event, id, posts};

async fn pause(db: &Db, n: u64, deadline: i64) -> Result<(), StoreError> {
    let posts = posts(&id(n), &[&format!("paused-{deadline}")]);
    db.store.pause_session(&id(n), Pause::Asked, None, "Paused.".to_owned(), posts, (AT, deadline)).await
}

async fn overdue(db: &Db, now: i64) -> Vec<(String, String, i64)> {
    let waits = db.store.overdue_waits(now).await.unwrap();
    waits.into_iter().map(|wait| (wait.session.to_string(), wait.key, wait.deadline_ms)).collect()
}

#[tokio::test]
async fn a_pause_waits_for_somebody_or_its_deadline() {
    let db = Db::open().await;
    let session = db.start(1).await;
    pause(&db, 1, AT + 100).await.unwrap();
    let row = db.store.session(&session).await.unwrap();
    assert_eq!((row.state, row.notice.as_deref()), (SessionState::Paused, Some("Paused.")));
    assert_eq!(row.ended_ms, None);
    assert!(matches!(pause(&db, 1, AT + 200).await, Err(StoreError::NotRunning(state)) if state == "paused"));
    assert_eq!(overdue(&db, AT + 99).await, []);
    let open = (session.to_string(), "pause-1".to_owned(), AT + 100);
    assert_eq!(overdue(&db, AT + 100).await, std::slice::from_ref(&open));

    let resume = |n| db.store.resume_session(&session, event(n, "resume"), UserId(9), MANY, AT);
    resume(5).await.unwrap();
    assert!(matches!(resume(5).await, Err(StoreError::Duplicate(_))));
    assert!(matches!(resume(6).await, Err(StoreError::NotRunning(state)) if state == "running"));
    assert_eq!(overdue(&db, i64::MAX).await, []);
    assert_eq!(db.store.session(&session).await.unwrap().notice, None);
    assert_eq!(db.number("SELECT by_id FROM wait WHERE value = 'running'").await, 9);

    pause(&db, 1, AT + 300).await.unwrap();
    assert_eq!(overdue(&db, AT + 300).await, [(session.to_string(), "pause-2".to_owned(), AT + 300)]);
    let wait = db.store.overdue_waits(AT + 300).await.unwrap().remove(0);
    let (why, said) = ("Nobody came.".to_owned(), posts(&session, &["expired"]));
    db.store.expire_wait(&wait, why, said, AT + 301).await.unwrap();
    let row = db.store.session(&session).await.unwrap();
    assert_eq!((row.state, row.ended_ms), (SessionState::Cancelled, Some(AT + 301)));
    assert_eq!(overdue(&db, i64::MAX).await, []);
    assert_eq!(db.number("SELECT count(*) FROM wait WHERE value = 'expired' AND by_id IS NULL").await, 1);
    let said = [format!("paused-{}", AT + 100), format!("paused-{}", AT + 300), "expired".to_owned()];
    assert_eq!(db.posts(&session).await, said, "the refused pause said nothing");
}

#[tokio::test]
async fn of_resume_and_deadline_at_once_one_decides() {
    let db = Db::open().await;
    for n in 1..=20 {
        let session = db.start(n).await;
        pause(&db, n, AT).await.unwrap();
        let wait = db.store.waits_for(&session).await.unwrap().unwrap();
        let (resumed, expired) = tokio::join!(
            db.store.resume_session(&session, event(100 + n, "resume"), MEMBER, MANY, AT),
            db.store.expire_wait(&wait, String::new(), posts(&session, &["expired"]), AT),
        );
        assert!(resumed.is_ok() != expired.is_ok());
        let said = db.posts(&session).await;
        assert_eq!(said[1..], if resumed.is_ok() { vec![] } else { vec!["expired"] });
    }
}

#[tokio::test]
async fn whatever_ends_a_paused_session_closes_its_wait() {
    let db = Db::open().await;
    let (cancelled, failed) = (db.start(1).await, db.start(2).await);
    pause(&db, 1, AT + 100).await.unwrap();
    pause(&db, 2, AT + 100).await.unwrap();
    db.store.cancel_session(&cancelled, event(5, "cancel"), String::new(), vec![], AT).await.unwrap();
    db.store.move_session(&failed, LIVE, SessionState::Failed, None, vec![], AT).await.unwrap();
    assert_eq!(overdue(&db, i64::MAX).await, []);
    // Else its old deadline would end the next pause long before its time.
    db.store.retry_session(&failed, event(6, "retry"), MANY, AT).await.unwrap();
    pause(&db, 2, AT + 900).await.unwrap();
    assert_eq!(overdue(&db, AT + 899).await, []);
}

#[tokio::test]
async fn notes_are_kept_in_order_and_only_while_the_session_lives() {
    let db = Db::open().await;
    let note = |text: &str, author| ContextNote {
        author: UserId(author),
        author_name: format!("Member {author}"),
        text: text.to_owned(),
    };
    let (session, other) = (db.start(1).await, db.start(2).await);
    for (n, text, author) in [(12, "second", 2), (11, "first", 1), (13, "<@1> 'quoted'; --", 3)] {
        db.store.add_note(&session, event(n, "note"), note(text, author), AT).await.unwrap();
    }
    pause(&db, 1, AT + 100).await.unwrap();
    db.store.add_note(&session, event(14, "note"), note("while paused", 1), AT).await.unwrap();
    let texts: Vec<_> = db.store.notes(&session).await.unwrap();
    let expected =
        [note("first", 1), note("second", 2), note("<@1> 'quoted'; --", 3), note("while paused", 1)];
    assert_eq!(texts, expected);
    assert_eq!(db.store.notes(&other).await.unwrap(), []);

    db.store.move_session(&session, LIVE, SessionState::Done, None, vec![], AT).await.unwrap();
    let late = db.store.add_note(&session, event(15, "note"), note("late", 1), AT).await;
    assert!(matches!(late, Err(StoreError::NotRunning(state)) if state == "done"));
    assert_eq!(db.store.applied(15).await.unwrap(), None);
    assert_eq!(db.store.notes(&session).await.unwrap().len(), 4);
    let nowhere = db.store.add_note(&id(99), event(16, "note"), note("lost", 1), AT).await;
    assert!(matches!(nowhere, Err(StoreError::Missing("session"))), "{nowhere:?}");
}

fn asks(text: &str, deadline_ms: i64) -> NewWait {
    let (key, kind) = (StepKey::from("roles"), "roles");
    NewWait { posts: Vec::new(), vote: None, draft: text.into(), key, kind, deadline_ms }
}

async fn change(db: &Db, event_id: u64, draft: &str, at_ms: i64) -> Result<bool, StoreError> {
    let (id, key) = (id(1), StepKey::from("roles"));
    let new = NewDraft { draft: draft.into(), question: None, plan: None, late: "late".to_owned() };
    db.store.change_draft((&id, &key), event(event_id, "roles"), new, at_ms).await
}

/// Somebody who has read the edit of that number says Go.
async fn answer(db: &Db, read: i64, event_id: u64, at_ms: i64) -> Result<(), StoreError> {
    let (id, key) = (id(1), StepKey::from("roles"));
    db.store
        .answer_wait((&id, &key), read, event(event_id, "go"), (MEMBER, "Ada".to_owned()), MANY, at_ms)
        .await
}

async fn asked(db: &Db) -> Asked {
    db.store.asked(&id(1), &StepKey::from("roles")).await.unwrap().unwrap()
}

#[tokio::test]
async fn the_newest_change_of_a_draft_stands_and_the_answer_takes_it() {
    let db = Db::open().await;
    let session = db.start(1).await;
    db.store.open_wait(&session, asks("first", AT + 100), AT).await.unwrap();
    assert_eq!(db.store.session(&session).await.unwrap().state, SessionState::Waiting);
    let again = db.store.open_wait(&session, asks("again", AT + 200), AT).await;
    assert!(matches!(again, Err(StoreError::NotRunning(state)) if state == "waiting"));

    assert!(change(&db, 500, "newer", AT).await.unwrap());
    assert!(!change(&db, 400, "older, arriving later", AT).await.unwrap());
    assert!(matches!(change(&db, 400, "x", AT).await, Err(StoreError::Duplicate(said)) if said == "late"));
    assert!(matches!(change(&db, 500, "x", AT).await, Err(StoreError::Duplicate(_))));
    assert_eq!((asked(&db).await.draft, asked(&db).await.outcome), ("newer".into(), WaitOutcome::Open));

    assert!(matches!(answer(&db, 500, 501, AT + 100).await, Err(StoreError::NotRunning(_))), "too late");
    for other in [0, 400, 501] {
        let reread = answer(&db, other, 501, AT + 99).await;
        assert!(matches!(reread, Err(StoreError::Reread)), "they read {other}: {reread:?}");
    }
    assert_eq!(asked(&db).await.outcome, WaitOutcome::Open);
    answer(&db, 500, 502, AT + 99).await.unwrap();
    assert!(matches!(answer(&db, 500, 502, AT + 99).await, Err(StoreError::Duplicate(_))));
    assert!(
        matches!(answer(&db, 500, 503, AT + 99).await, Err(StoreError::NotRunning(state)) if state == "running")
    );
    assert!(
        matches!(change(&db, 504, "x", AT).await, Err(StoreError::NotRunning(state)) if state == "running")
    );
    assert_eq!(asked(&db).await.outcome, WaitOutcome::Answered("Ada".to_owned()));
    let step = db.store.step(&session, &StepKey::from("roles")).await.unwrap().unwrap();
    assert_eq!((step.kind.as_str(), step.output), ("wait:roles", Some("newer".into())));
    assert_eq!(
        db.number("SELECT revision FROM panel WHERE key = 'roles'").await,
        3,
        "one change, one answer"
    );
}

#[tokio::test]
async fn what_ends_a_waiting_session_closes_its_wait_and_a_retry_asks_again() {
    let db = Db::open().await;
    let session = db.start(1).await;
    db.store.open_wait(&session, asks("first", AT + 100), AT).await.unwrap();
    change(&db, 500, "edited", AT).await.unwrap();
    let failed = SessionState::Failed;
    db.store.move_session(&session, LIVE, failed, None, vec![], AT).await.unwrap();
    assert_eq!(asked(&db).await.outcome, WaitOutcome::Ended);
    assert!(
        matches!(answer(&db, 500, 501, AT).await, Err(StoreError::NotRunning(state)) if state == "failed")
    );
    assert_eq!(overdue(&db, i64::MAX).await, []);

    db.store.retry_session(&session, event(502, "retry"), MANY, AT).await.unwrap();
    db.store.open_wait(&session, asks("first", AT + 200), AT).await.unwrap();
    let now = asked(&db).await;
    assert_eq!((now.draft, now.deadline_ms, now.outcome), ("edited".into(), AT + 200, WaitOutcome::Open));

    let wait = db.store.overdue_waits(AT + 200).await.unwrap().remove(0);
    let expire = || db.store.expire_wait(&wait, String::new(), posts(&session, &["expired"]), AT + 200);
    expire().await.unwrap();
    assert!(matches!(expire().await, Err(StoreError::NotRunning(state)) if state == "cancelled"));
    assert_eq!(asked(&db).await.outcome, WaitOutcome::Expired);
    assert_eq!(db.posts(&session).await, ["expired"]);
}

#[tokio::test]
async fn a_deadline_ends_only_the_wait_it_was_for() {
    let db = Db::open().await;
    let session = db.start(1).await;
    pause(&db, 1, AT + 100).await.unwrap();
    let wait = db.store.overdue_waits(AT + 100).await.unwrap().remove(0);
    db.store.resume_session(&session, event(5, "resume"), MEMBER, MANY, AT).await.unwrap();
    pause(&db, 1, AT + 900).await.unwrap();
    let ended = db.store.expire_wait(&wait, String::new(), posts(&session, &["expired"]), AT + 101).await;
    assert!(matches!(ended, Err(StoreError::NotRunning(_))));
    assert_eq!(db.store.session(&session).await.unwrap().state, SessionState::Paused);
}
