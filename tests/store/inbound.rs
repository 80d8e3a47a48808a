//! Events from Discord: delivered twice, or a hundred times at once, applied once.

use domain::{ContextNote, SessionState};
use quorum::store::{Inbound, Pause, StoreError};

use super::fixture::{AT, Db, MANY, MEMBER, event};

fn note(text: &str) -> ContextNote {
    ContextNote { author: MEMBER, author_name: "Ada".to_owned(), text: text.to_owned() }
}

#[tokio::test]
async fn an_event_applied_twice_is_applied_once_and_says_the_same() {
    let db = Db::open().await;
    let id = db.start(1).await;
    let first = Inbound { effect: "Noted.".to_owned(), session: Some(id.clone()), ..event(5, "note") };
    db.store.add_note(&id, first.clone(), note("one"), AT).await.unwrap();
    let again = Inbound { effect: "Something else.".to_owned(), ..first };
    let duplicate = db.store.add_note(&id, again.clone(), note("two"), AT).await;
    assert!(matches!(duplicate, Err(StoreError::Duplicate(said)) if said == "Noted."));
    assert_eq!(db.store.notes(&id).await.unwrap(), [note("one")]);
    assert_eq!(db.store.applied(5).await.unwrap().as_deref(), Some("Noted."));

    // The same event as another request changes nothing either.
    let times = (AT, AT + 1);
    let paused =
        db.store.pause_session(&id, Pause::Asked, Some(again.clone()), String::new(), vec![], times).await;
    assert!(matches!(paused, Err(StoreError::Duplicate(_))));
    let cancelled = db.store.cancel_session(&id, again, String::new(), vec![], AT).await;
    assert!(matches!(cancelled, Err(StoreError::Duplicate(_))));
    assert_eq!(db.store.session(&id).await.unwrap().state, SessionState::Running);
}

#[tokio::test]
async fn an_event_delivered_a_hundred_times_at_once_is_applied_once() {
    let db = Db::open().await;
    let id = db.start(1).await;
    let tasks = (0..100).map(|n| {
        let (store, id) = (db.store.clone(), id.clone());
        let event = Inbound { effect: format!("said {n}"), ..event(5, "note") };
        tokio::spawn(async move { store.add_note(&id, event, note(&format!("note {n}")), AT).await })
    });
    let (mut first, mut said) = (None, Vec::new());
    for (n, task) in tasks.collect::<Vec<_>>().into_iter().enumerate() {
        match task.await.unwrap() {
            Ok(()) => assert_eq!(first.replace(n), None, "applied twice"),
            Err(StoreError::Duplicate(effect)) => said.push(effect),
            Err(other) => panic!("{other}"),
        }
    }
    let first = first.expect("applied once");
    assert_eq!(said, vec![format!("said {first}"); 99]);
    assert_eq!(db.store.notes(&id).await.unwrap(), [note(&format!("note {first}"))]);
}

#[tokio::test]
async fn a_refused_event_may_come_again() {
    let db = Db::open().await;
    let id = db.start(1).await;
    let refused = db.store.retry_session(&id, event(5, "retry"), MANY, AT).await;
    assert!(matches!(refused, Err(StoreError::NotRunning(_))));
    assert_eq!(db.store.applied(5).await.unwrap(), None);
    let from = &[SessionState::Running];
    db.store.move_session(&id, from, SessionState::Failed, None, vec![], AT).await.unwrap();
    db.store.retry_session(&id, event(5, "retry"), MANY, AT).await.unwrap();
    assert_eq!(db.store.applied(5).await.unwrap().as_deref(), Some("retry 5"));
}

#[tokio::test]
async fn the_largest_number_is_read_back_as_it_was_written() {
    let db = Db::open().await;
    let id = db.start(1).await;
    db.store.add_note(&id, event(u64::MAX, "note"), note("far"), AT).await.unwrap();
    assert!(db.store.applied(u64::MAX).await.unwrap().is_some());
    assert_eq!(db.store.applied(u64::MAX - 1).await.unwrap(), None);
}
