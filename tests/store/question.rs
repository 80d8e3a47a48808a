//! Follow-up questions.

use domain::{MessageId, Money, SessionId, SessionState, UserId};
use quorum::store::{NewAttempt, QuestionRow, Quota, Reserve, StoreError};

use super::fixture::{AT, Db, MEMBER, attempt, caps, id, posts, reserve};

fn question(n: u64, session: &SessionId) -> QuestionRow {
    QuestionRow {
        id: n,
        session: session.clone(),
        author: UserId(9),
        author_name: "Bo".to_owned(),
        text: format!("Why {n}?"),
        reply_to: Some(MessageId(n)),
        addressee: None,
        audit: None,
    }
}

async fn open(db: &Db, session: &SessionId) -> Vec<u64> {
    db.store.open_questions(session).await.unwrap().into_iter().map(|question| question.id).collect()
}

#[tokio::test]
async fn a_question_is_asked_once_and_closed_once() {
    let db = Db::open().await;
    let (one, two) = (db.start(1).await, db.start(2).await);
    for (n, session) in [(22, &one), (21, &one), (23, &two)] {
        db.store.ask(question(n, session), format!("asked {n}"), AT).await.unwrap();
    }
    let again = db.store.ask(question(22, &one), "other".to_owned(), AT).await;
    assert!(matches!(again, Err(StoreError::Duplicate(said)) if said == "asked 22"));
    assert_eq!((open(&db, &one).await, open(&db, &two).await), (vec![21, 22], vec![23]), "oldest first");
    let read = db.store.open_questions(&one).await.unwrap().remove(0);
    assert_eq!((read.author, read.author_name.as_str(), read.text.as_str()), (UserId(9), "Bo", "Why 21?"));
    assert_eq!((read.session, read.reply_to), (one.clone(), Some(MessageId(21))));

    db.store.close_question(&question(21, &one), posts(&one, &["sorry"]), AT).await.unwrap();
    assert_eq!(open(&db, &one).await, [22]);
    db.store.close_question(&question(21, &one), posts(&one, &["sorry", "again"]), AT + 1).await.unwrap();
    assert_eq!(db.posts(&one).await, ["sorry"], "closed once, said once");
    // A question that was closed is not opened by another delivery.
    assert!(db.store.ask(question(21, &one), "again".to_owned(), AT).await.is_err());
    assert_eq!(open(&db, &one).await, [22]);
}

#[tokio::test]
async fn one_reader_has_a_share_of_the_sessions_budget_and_its_starter_all_of_it() {
    let db = Db::open().await;
    let session = db.start(1).await;
    let reader = UserId(9);
    // 50 millionths are held for each call, of 200 that the session may use.
    for (n, member) in [(1, reader), (2, MEMBER)] {
        let mut reserve = Reserve { member, ..reserve(&session) };
        reserve.caps[0] = caps(1_000, 1_000_000, 200);
        let key = format!("followup/{n}");
        db.store.intend(NewAttempt { reserve, ..attempt(&session, &key) }, AT).await.unwrap();
    }
    let asked = |n, author| QuestionRow { author, ..question(n, &session) };
    let refused = db.store.ask(asked(21, reader), String::new(), AT).await;
    assert!(matches!(&refused, Err(StoreError::Quota(Quota::Share))), "{refused:?}");
    db.store.ask(asked(22, MEMBER), String::new(), AT).await.unwrap();
    db.store.ask(asked(23, UserId(10)), String::new(), AT).await.unwrap();
    assert_eq!(open(&db, &session).await, [22, 23]);
    assert_eq!(reserve(&session).money, Money(50));
    // Asked before the first of them cost anything, questions are many; their calls have the one share all the same.
    for (n, member, may) in
        [(3, reader, false), (4, UserId(10), true), (5, UserId(10), false), (6, MEMBER, true)]
    {
        let mut reserve = Reserve { member, ..reserve(&session) };
        reserve.caps[0] = caps(1_000, 1_000_000, 200);
        let allowed = &[SessionState::Running, SessionState::Done];
        let call = NewAttempt { reserve, allowed, ..attempt(&session, &format!("followup/{n}")) };
        match db.store.intend(call, AT).await {
            Err(StoreError::Quota(Quota::Share)) if !may => {}
            called => assert!(called.is_ok() && may, "{n}: {called:?}"),
        }
    }
}

#[tokio::test]
async fn a_question_delivered_a_hundred_times_at_once_is_asked_once() {
    let db = Db::open().await;
    let session = db.start(1).await;
    let tasks = (0..100).map(|n| {
        let (store, question) = (db.store.clone(), question(21, &session));
        tokio::spawn(async move { store.ask(question, format!("said {n}"), AT).await })
    });
    let mut asked = 0;
    for task in tasks.collect::<Vec<_>>() {
        asked += u32::from(task.await.unwrap().is_ok());
    }
    assert_eq!((asked, open(&db, &session).await), (1, vec![21]));
}

#[tokio::test]
async fn a_question_about_no_session_leaves_no_trace() {
    let db = Db::open().await;
    assert!(db.store.ask(question(21, &id(99)), "asked".to_owned(), AT).await.is_err());
    assert_eq!(db.store.applied(21).await.unwrap(), None);
}
