//! A session's way from state to state: only from where it may go, whole or not at all.

use domain::{ChannelId, MessageId, SessionState};
use quorum::store::{QuestionRow, StoreError};

use super::fixture::{
    AT, Db, LIVE, MANY, MEMBER, RUNNING, answered, attempt, event, posts, settled, unanswered,
};

#[tokio::test]
async fn a_move_happens_only_from_where_it_may() {
    let db = Db::open().await;
    let id = db.start(1).await;
    let notice = |text: &str| Some(text.to_owned());
    let moved = |from, to, text, key: &'static str, at| {
        db.store.move_session(&id, from, to, notice(text), posts(&id, &[key]), at)
    };
    moved(RUNNING, SessionState::Failed, "no money", "failed", AT + 5).await.unwrap();
    let row = db.store.session(&id).await.unwrap();
    assert_eq!((row.state, row.ended_ms), (SessionState::Failed, Some(AT + 5)));
    assert_eq!(row.notice.as_deref(), Some("no money"));

    let again = moved(LIVE, SessionState::Done, "done", "closing", AT + 6).await;
    assert!(matches!(again, Err(StoreError::NotRunning(state)) if state == "failed"));
    let row = db.store.session(&id).await.unwrap();
    assert_eq!((row.state, row.ended_ms), (SessionState::Failed, Some(AT + 5)));
    assert_eq!(db.posts(&id).await, ["failed"], "a refused move posts nothing");
}

#[tokio::test]
async fn of_many_ways_to_end_one_is_taken() {
    let db = Db::open().await;
    let id = db.start(1).await;
    let ends = (0..60).map(|n| {
        let (store, id) = (db.store.clone(), id.clone());
        let to = [SessionState::Done, SessionState::Failed, SessionState::Parked][n % 3];
        let posts = posts(&id, &[&format!("end-{n}")]);
        tokio::spawn(async move { store.move_session(&id, RUNNING, to, None, posts, AT).await })
    });
    let mut won = 0;
    for end in ends.collect::<Vec<_>>() {
        match end.await.unwrap() {
            Ok(()) => won += 1,
            Err(StoreError::NotRunning(_)) => {}
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!((won, db.posts(&id).await.len()), (1, 1));
}

#[tokio::test]
async fn a_retry_takes_failed_steps_away_and_keeps_done_ones() {
    let db = Db::open().await;
    let id = db.start(1).await;
    for (key, failed) in [("a", false), ("b", true), ("c", true)] {
        let n = db.store.intend(attempt(&id, key), AT).await.unwrap();
        let settled = quorum::store::Settled { failed, ..settled(&id, key, &[]) };
        let end = if failed { unanswered(key, n) } else { answered(key, n) };
        db.store.settle(&id, Some(end), settled, AT).await.unwrap();
    }
    db.store.intend(attempt(&id, "d"), AT).await.unwrap();

    let early = db.store.retry_session(&id, event(8, "retry"), MANY, AT).await;
    assert!(matches!(early, Err(StoreError::NotRunning(state)) if state == "running"));
    assert_eq!(db.store.applied(8).await.unwrap(), None);
    assert_eq!(db.store.steps(&id, "").await.unwrap().len(), 3, "a refused retry takes nothing away");

    db.store.move_session(&id, RUNNING, SessionState::Failed, None, vec![], AT).await.unwrap();
    db.store.retry_session(&id, event(9, "retry"), MANY, AT).await.unwrap();
    let row = db.store.session(&id).await.unwrap();
    assert_eq!((row.state, row.ended_ms, row.notice), (SessionState::Running, None, None));
    let finished = db.store.steps(&id, "").await.unwrap();
    assert_eq!(finished.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["a"]);
    // What the failed ones took stays on record, and the next attempt is counted on.
    assert_eq!(db.store.attempts(&id, &"b".into()).await.unwrap().len(), 1);
    assert_eq!(db.store.intend(attempt(&id, "b"), AT).await.unwrap(), 2);
    db.store.settle(&id, Some(answered("b", 2)), settled(&id, "b", &["b"]), AT).await.unwrap();
    assert_eq!(db.store.steps(&id, "").await.unwrap().len(), 2);
    assert_eq!(db.posts(&id).await, ["b"]);

    let twice = db.store.retry_session(&id, event(9, "retry"), MANY, AT).await;
    assert!(matches!(twice, Err(StoreError::Duplicate(said)) if said == "retry 9"));
    assert_eq!(db.store.steps(&id, "").await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_cancelled_session_drops_what_was_not_tried() {
    let db = Db::open().await;
    let id = db.start(1).await;
    let card = db.store.next_post(&id).await.unwrap().unwrap();
    db.store
        .settle(&id, None, settled(&id, "cards", &["sent", "tried", "unsent", "later"]), AT)
        .await
        .unwrap();
    db.store.post_sent(card.id, MessageId(900)).await.unwrap();
    let sent = db.store.next_post(&id).await.unwrap().unwrap();
    db.store.post_sent(sent.id, MessageId(901)).await.unwrap();
    let tried = db.store.next_post(&id).await.unwrap().unwrap();
    db.store.post_tried(tried.id, AT).await.unwrap();

    let cancel = |n| {
        db.store.cancel_session(&id, event(n, "cancel"), "by Ada".to_owned(), posts(&id, &["notice"]), AT + 1)
    };
    cancel(7).await.unwrap();
    let row = db.store.session(&id).await.unwrap();
    assert_eq!((row.state, row.ended_ms), (SessionState::Cancelled, Some(AT + 1)));
    assert_eq!(row.notice.as_deref(), Some("by Ada"));
    // The one that was tried may be on Discord already, so it is seen through.
    for key in ["tried", "notice"] {
        let next = db.store.next_post(&id).await.unwrap().unwrap();
        assert_eq!(next.key, key);
        db.store.post_sent(next.id, MessageId(1_000 + next.id.cast_unsigned())).await.unwrap();
    }
    assert!(db.store.next_post(&id).await.unwrap().is_none());
    assert!(matches!(cancel(7).await, Err(StoreError::Duplicate(_))));
    assert!(matches!(cancel(8).await, Err(StoreError::NotRunning(state)) if state == "cancelled"));
    assert_eq!(db.posts(&id).await.len(), 5);
}

#[tokio::test]
async fn a_session_cancelled_before_its_card_was_posted_still_posts_the_card() {
    let db = Db::open().await;
    let id = db.start(1).await;
    db.store.cancel_session(&id, event(7, "cancel"), String::new(), vec![], AT).await.unwrap();
    assert_eq!(db.store.next_post(&id).await.unwrap().unwrap().key, "live");
}

#[tokio::test]
async fn unfinished_is_whatever_has_something_left_to_do() {
    let db = Db::open().await;
    let unfinished = async || {
        let rows = db.store.unfinished_sessions().await.unwrap();
        rows.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    let id = db.start(1).await;
    let card = db.store.next_post(&id).await.unwrap().unwrap();
    db.store.thread_opened(&id, ChannelId(900)).await.unwrap();
    db.store.post_sent(card.id, MessageId(900)).await.unwrap();
    assert_eq!(unfinished().await, std::slice::from_ref(&id), "it runs");
    db.store.intend(attempt(&id, "slow"), AT).await.unwrap();
    db.store
        .move_session(&id, RUNNING, SessionState::Done, None, posts(&id, &["closing"]), AT)
        .await
        .unwrap();
    db.store.card_shows(&id, SessionState::Done, None).await.unwrap();
    assert_eq!(unfinished().await, std::slice::from_ref(&id), "its closing line is not posted");
    let closing = db.store.next_post(&id).await.unwrap().unwrap();
    db.store.post_dead(closing.id, "no access".to_owned()).await.unwrap();
    assert_eq!(unfinished().await, std::slice::from_ref(&id), "what a call held is not settled");
    db.store.end_attempt(&id, unanswered("slow", 1), AT).await.unwrap();
    assert_eq!(unfinished().await, []);
    db.store.card_shows(&id, SessionState::Running, None).await.unwrap();
    assert_eq!(unfinished().await, std::slice::from_ref(&id), "its card shows another state");
    db.store.card_shows(&id, SessionState::Done, None).await.unwrap();
    let question = QuestionRow {
        id: 5,
        session: id.clone(),
        author: MEMBER,
        author_name: "Ada".to_owned(),
        text: "Why?".to_owned(),
        reply_to: None,
        addressee: None,
        audit: None,
    };
    db.store.ask(question.clone(), "asked".to_owned(), AT).await.unwrap();
    assert_eq!(unfinished().await, [id], "a question is open");
    db.store.close_question(&question, vec![], AT).await.unwrap();
    assert_eq!(unfinished().await, []);
}
