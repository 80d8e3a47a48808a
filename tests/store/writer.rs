//! The writer: many pieces of work in one transaction, none of which takes another with it.

use std::time::Duration;

use domain::{ChannelId, ContextNote, SessionState, UserId};
use quorum::store::{NewAttempt, QuestionRow, Reserve, Store, StoreError, StoreOptions};

use super::fixture::{AT, Db, MEMBER, TAKEOVER, attempt, caps, event, id, new_session, reserve, settled};

/// A note of one of many members, for one member may bring only so many.
fn note(n: u64) -> ContextNote {
    ContextNote { author: UserId(n), author_name: "Ada".to_owned(), text: "x".to_owned() }
}

#[tokio::test]
async fn a_piece_of_work_that_fails_does_not_take_its_neighbours_with_it() {
    let db = Db::open().await;
    let (live, ended) = (db.start(1).await, db.start_in(2, SessionState::Done).await);
    db.store.thread_opened(&ended, ChannelId(900)).await.unwrap();
    let before = db.store.commits();
    let tasks = (0..420_u64).map(|n| {
        let (store, live, ended) = (db.store.clone(), live.clone(), ended.clone());
        tokio::spawn(async move {
            match n % 7 {
                0 => store.add_note(&live, event(n + 1, "note"), note(n), AT).await,
                // Refused by what the session's state, an earlier event or a budget says.
                1 => store.add_note(&ended, event(n + 1, "note"), note(n), AT).await,
                2 => store.add_note(&live, event(3, "note"), note(n), AT).await,
                3 => {
                    let none = Reserve { caps: [caps(0, 0, 0); 3], ..reserve(&live) };
                    let new = NewAttempt { reserve: none, ..attempt(&live, &format!("step-{n}")) };
                    store.intend(new, AT).await.map(|_| ())
                }
                4 => store.intend(attempt(&live, &format!("step-{n}")), AT).await.map(|_| ()),
                // Refused by the database, in the midst of their work.
                5 => store.thread_opened(&live, ChannelId(900)).await,
                _ => {
                    let question = QuestionRow {
                        id: n + 1,
                        session: id(99),
                        author: MEMBER,
                        author_name: "Ada".to_owned(),
                        text: String::new(),
                        reply_to: None,
                        addressee: None,
                        audit: None,
                    };
                    store.ask(question, String::new(), AT).await
                }
            }
        })
    });
    let tasks: Vec<_> = tasks.collect();
    let mut outcomes = [[0; 2]; 7];
    for (n, task) in tasks.into_iter().enumerate() {
        let outcome = task.await.unwrap();
        outcomes[n % 7][usize::from(outcome.is_err())] += 1;
        let expected = match n % 7 {
            0 | 4 => outcome.is_ok(),
            1 => matches!(outcome, Err(StoreError::NotRunning(_))),
            2 => matches!(outcome, Ok(()) | Err(StoreError::Duplicate(_))),
            3 => matches!(outcome, Err(StoreError::Budget(_))),
            _ => matches!(outcome, Err(StoreError::Database(_))),
        };
        assert!(expected, "{n}: {outcome:?}");
    }
    assert_eq!(outcomes[2], [1, 59], "event 3 once");
    assert_eq!(db.number("SELECT count(*) FROM brought WHERE kind = 'note'").await, 61);
    assert_eq!(db.number("SELECT count(*) FROM step").await, 60);
    assert_eq!(db.number("SELECT count(*) FROM brought WHERE kind = 'question'").await, 0);
    assert_eq!(db.number("SELECT count(*) FROM inbound").await, 61 + 2, "notes and two starts");
    assert_eq!(db.number("SELECT sum(calls_held) FROM account WHERE scope = 'guild'").await, 60);
    let commits = db.store.commits() - before;
    assert!(commits < 210, "420 pieces of work in {commits} transactions");
}

#[tokio::test]
async fn what_is_written_is_there_even_if_its_asker_went_away() {
    let db = Db::open().await;
    let session = db.start(1).await;
    for n in 1..=50 {
        let (store, session) = (db.store.clone(), session.clone());
        let task = tokio::spawn(async move { store.add_note(&session, event(n, "note"), note(n), AT).await });
        tokio::task::yield_now().await;
        task.abort();
    }
    // Whole or not at all: every event that is recorded has its note.
    db.store.add_note(&session, event(99, "note"), note(99), AT).await.unwrap();
    let events = db.number("SELECT count(*) FROM inbound WHERE kind = 'note'").await;
    assert_eq!(db.number("SELECT count(*) FROM brought WHERE kind = 'note'").await, events);
}

#[tokio::test]
async fn the_writer_stands_still_after_the_commit_it_was_told_and_no_sooner() {
    let options = StoreOptions { halt_after_commits: Some(3), ..TAKEOVER };
    let db = Db::with(options).await;
    db.store.start_session(new_session(1), AT).await.unwrap();
    let write = async |n: u64| {
        let (session, key) = (id(1), format!("step-{n}"));
        let written = db.store.settle(&session, None, settled(&session, &key, &[]), AT);
        tokio::time::timeout(Duration::from_millis(300), written).await
    };
    write(2).await.unwrap().unwrap();
    assert_eq!(db.store.commits(), 2);
    assert!(write(3).await.is_err(), "the third is never told of");
    assert!(write(4).await.is_err());
    assert_eq!(db.store.commits(), 3);

    let next = Store::open(&db.path, TAKEOVER, AT).await.unwrap();
    let steps = next.steps(&id(1), "").await.unwrap();
    let keys: Vec<_> = steps.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["step-2", "step-3"], "what was committed is on the disk, what was not is not");
    next.settle(&id(1), None, settled(&id(1), "step-5", &[]), AT).await.unwrap();
}

#[tokio::test]
async fn at_the_end_of_a_process_nothing_more_is_written() {
    let db = Db::open().await;
    let session = db.start(1).await;
    let before = db.store.commits();
    db.store.stand_still();
    let written = db.store.settle(&session, None, settled(&session, "step-1", &[]), AT);
    assert!(tokio::time::timeout(Duration::from_millis(300), written).await.is_err(), "nobody is told");
    assert_eq!(db.store.commits(), before);
    let next = Store::open(&db.path, TAKEOVER, AT).await.unwrap();
    assert_eq!(next.steps(&session, "").await.unwrap().len(), 0);
}

#[tokio::test]
async fn a_backup_of_a_busy_database_is_consistent_and_opens() {
    let db = Db::open().await;
    let session = db.start(1).await;
    let (store, writing) = (db.store.clone(), session.clone());
    let writer = tokio::spawn(async move {
        for n in 0.. {
            let key = format!("step-{n:05}");
            let step = settled(&writing, &key, &[&key]);
            store.settle(&writing, None, step, AT).await.unwrap();
        }
    });
    for n in 0..5 {
        tokio::time::sleep(Duration::from_millis(40)).await;
        let to = db.dir.path().join(format!("copy-{n}.db"));
        let least = db.store.steps(&session, "").await.unwrap().len();
        Store::backup(&db.path, &to).await.unwrap();
        let copy = Store::open(&to, StoreOptions::default(), AT).await.unwrap();
        let steps: Vec<_> = copy.steps(&session, "").await.unwrap().into_iter().map(|(key, _)| key).collect();
        assert!(steps.len() >= least, "{} of {least}", steps.len());
        let expected: Vec<_> = (0..steps.len()).map(|n| format!("step-{n:05}")).collect();
        assert_eq!(steps, expected);
        let copied = Db { store: copy, path: to, dir: tempfile::tempdir().unwrap() };
        assert_eq!(copied.posts(&session).await, steps, "each step with its post");
        let check: String =
            sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut copied.raw().await).await.unwrap();
        assert_eq!(check, "ok");
        copied.store.settle(&session, None, settled(&session, "goes-on", &[]), AT).await.unwrap();
    }
    assert!(!writer.is_finished());
    writer.abort();
}

#[tokio::test]
async fn a_backup_overwrites_nothing_and_invents_nothing() {
    let db = Db::open().await;
    let there = db.dir.path().join("there.txt");
    std::fs::write(&there, "precious").unwrap();
    assert!(Store::backup(&db.path, &there).await.is_err());
    assert_eq!(std::fs::read_to_string(&there).unwrap(), "precious");
    let (none, to) = (db.dir.path().join("none.db"), db.dir.path().join("to.db"));
    assert!(Store::backup(&none, &to).await.is_err());
    assert!(!none.exists() && !to.exists());
}
