//! What members bring into a debate.

use domain::{Clarification, Evidence, SessionId, SessionState, UserId};
use quorum::store::{StoreError, TOO_LATE, TakenIn};

use super::fixture::{AT, Db, LIVE, event, id, posts, settled};

fn evidence(claim: &str, hinge: Option<u8>) -> Evidence {
    Evidence {
        number: 0,
        author: UserId(9),
        author_name: "Bo".to_owned(),
        claim: claim.to_owned(),
        source: String::new(),
        hinge,
        at: 0,
    }
}

async fn add(
    db: &Db,
    session: &SessionId,
    n: u64,
    claim: &str,
    hinge: Option<u8>,
) -> Result<String, StoreError> {
    let of = session.clone();
    let write =
        move |evidence: &Evidence| (format!("E{}", evidence.number), posts(&of, &[&format!("evidence/{n}")]));
    // One member may bring only so many.
    let author = if n < 100 { UserId(9) } else { UserId(n) };
    let brought = (Evidence { author, ..evidence(claim, hinge) }, "synthesis/evidence");
    db.store.add_evidence(session, event(n, "evidence"), brought, write, AT).await
}

fn asked(text: &str) -> Clarification {
    let Evidence { author, author_name, .. } = evidence(text, None);
    Clarification { id: 0, author, author_name, text: text.to_owned(), answer: None, at: 0 }
}

async fn clarify(db: &Db, session: &SessionId, n: u64) -> Result<(), StoreError> {
    let posts = posts(session, &[&format!("clarify/{n}")]);
    db.store.clarify(session, event(n, "clarify"), asked("What is a day?"), (posts, "break/end"), AT).await
}

#[tokio::test]
async fn evidence_is_numbered_in_its_session_and_posted_once() {
    let db = Db::open().await;
    let (one, two) = (db.start(1).await, db.start(2).await);
    assert_eq!(add(&db, &one, 31, "It costs 4", None).await.unwrap(), "E1");
    assert_eq!(add(&db, &two, 32, "It costs 5", None).await.unwrap(), "E1", "numbers are a session's own");
    assert_eq!(add(&db, &one, 33, "It costs 6", None).await.unwrap(), "E2");
    let again = add(&db, &one, 31, "Something else", None).await;
    assert!(matches!(again, Err(StoreError::Duplicate(said)) if said == "E1"), "said again as it was");
    let all = db.store.evidence(&one).await.unwrap();
    let read: Vec<_> = all.iter().map(|evidence| (evidence.number, evidence.claim.as_str())).collect();
    assert_eq!(read, [(1, "It costs 4"), (2, "It costs 6")]);
    assert_eq!((all[0].author, all[0].author_name.as_str(), all[0].at), (UserId(9), "Bo", AT / 1000));
    assert_eq!(db.posts(&one).await, ["evidence/31", "evidence/33"]);
}

#[tokio::test]
async fn evidence_of_a_hundred_members_at_once_has_a_hundred_numbers() {
    let db = std::sync::Arc::new(Db::open().await);
    let session = db.start(1).await;
    let tasks: Vec<_> = (0..100)
        .map(|n| {
            let (db, session) = (db.clone(), session.clone());
            tokio::spawn(async move { add(&db, &session, 100 + n, "So it is", None).await.unwrap() })
        })
        .collect();
    let mut said = Vec::new();
    for task in tasks {
        said.push(task.await.unwrap()[1..].parse::<u32>().unwrap());
    }
    said.sort_unstable();
    assert_eq!(said, (1..=100).collect::<Vec<_>>());
}

#[tokio::test]
async fn after_the_end_evidence_is_taken_on_a_hinge_alone() {
    let db = Db::open().await;
    for (n, state) in [
        (1, SessionState::Running),
        (2, SessionState::Paused),
        (3, SessionState::Waiting),
        (4, SessionState::Done),
        (5, SessionState::Failed),
        (6, SessionState::Cancelled),
    ] {
        let session = db.start_in(n, state).await;
        let added = add(&db, &session, 40 + n, "So it is", None).await;
        let asked = clarify(&db, &session, 60 + n).await;
        if state.is_final() {
            assert!(matches!(added, Err(StoreError::NotRunning(now)) if now == state.as_str()));
            assert!(matches!(asked, Err(StoreError::NotRunning(now)) if now == state.as_str()));
            assert_eq!(db.store.applied(40 + n).await.unwrap(), None, "a refusal leaves no trace");
            assert_eq!(db.posts(&session).await, [""; 0]);
        } else {
            assert_eq!(added.unwrap(), "E1");
            asked.unwrap();
        }
        let number = if state.is_final() { "E1" } else { "E2" };
        assert_eq!(add(&db, &session, 50 + n, "So it is", Some(2)).await.unwrap(), number);
    }
}

#[tokio::test]
async fn evidence_on_a_hinge_is_open_in_order_until_it_is_closed_once() {
    let db = Db::open().await;
    let session = db.start_in(1, SessionState::Done).await;
    let open = async || db.store.open_evidence(&session).await.unwrap().map(|evidence| evidence.number);
    let unfinished = async || !db.store.unfinished_sessions().await.unwrap().is_empty();
    sqlx::query("UPDATE session SET card_state = state").execute(&mut db.raw().await).await.unwrap();
    sqlx::query("UPDATE outbox SET state = 'dead', problem = 'no'")
        .execute(&mut db.raw().await)
        .await
        .unwrap();
    assert!(!unfinished().await);
    // Posts that wait would keep the session unfinished by themselves.
    for n in [71, 72] {
        let write = |evidence: &Evidence| (format!("E{}", evidence.number), Vec::new());
        let brought = (evidence("So it is", Some(1)), "synthesis/evidence");
        db.store.add_evidence(&session, event(n, "evidence"), brought, write, AT).await.unwrap();
    }
    assert_eq!((open().await, unfinished().await), (Some(1), true), "the oldest first, resumed at a start");

    db.store.close_evidence(&session, 1, posts(&session, &["sorry"]), AT).await.unwrap();
    db.store.close_evidence(&session, 1, posts(&session, &["again"]), AT).await.unwrap();
    assert_eq!((open().await, db.posts(&session).await), (Some(2), vec!["sorry".to_owned()]));
    db.store.close_evidence(&session, 2, Vec::new(), AT).await.unwrap();
    assert_eq!(open().await, None);
}

#[tokio::test]
async fn what_changes_the_hinges_makes_their_panel_stale() {
    let db = Db::open().await;
    let session = db.start(1).await;
    sqlx::query("INSERT INTO panel (session_id, key) VALUES (?1, 'hinges')")
        .bind(session.as_str())
        .execute(&mut db.raw().await)
        .await
        .unwrap();
    let revision = async || db.store.panel(&session, "hinges").await.unwrap().unwrap().revision;
    let before = revision().await;
    add(&db, &session, 81, "For the advocates", None).await.unwrap();
    assert_eq!(revision().await, before);
    add(&db, &session, 82, "On a hinge", Some(1)).await.unwrap();
    assert_eq!(revision().await, before + 1);
    db.store.close_evidence(&session, 2, Vec::new(), AT).await.unwrap();
    db.store.close_evidence(&session, 2, Vec::new(), AT).await.unwrap();
    assert_eq!(revision().await, before + 2);
}

#[tokio::test]
async fn a_clarification_is_asked_once_and_not_after_the_last_break() {
    let db = Db::open().await;
    let session = db.start(1).await;
    clarify(&db, &session, 91).await.unwrap();
    let again = clarify(&db, &session, 91).await;
    assert!(matches!(again, Err(StoreError::Duplicate(said)) if said == "clarify 91"));
    let read = db.store.clarifications(&session).await.unwrap();
    assert_eq!((read.len(), read[0].id, read[0].text.as_str()), (1, 91, "What is a day?"));
    assert_eq!(db.posts(&session).await, ["clarify/91"]);

    db.store.settle(&session, None, settled(&session, "break/end", &[]), AT).await.unwrap();
    assert!(matches!(clarify(&db, &session, 92).await, Err(StoreError::NotRunning(_))));
    let again = clarify(&db, &session, 91).await;
    assert!(matches!(again, Err(StoreError::Duplicate(_))), "what was taken before is said again");
}

#[tokio::test]
async fn the_schema_refuses_evidence_that_says_nothing_or_belongs_nowhere() {
    let db = Db::open().await;
    let session = db.start(1).await;
    assert!(add(&db, &session, 95, "  ", None).await.is_err(), "no claim");
    assert!(add(&db, &session, 96, "So it is", Some(0)).await.is_err(), "hinges count from 1");
    assert!(add(&db, &id(99), 97, "So it is", Some(1)).await.is_err(), "no such session");
    assert!(db.store.evidence(&session).await.unwrap().is_empty());
    assert_eq!(db.store.applied(95).await.unwrap(), None);
    // Evidence for the advocates is not for the moderator to close.
    add(&db, &session, 98, "So it is", None).await.unwrap();
    db.store.close_evidence(&session, 1, posts(&session, &["sorry"]), AT).await.unwrap();
    let opened = sqlx::query("UPDATE brought SET closed_ms = NULL").execute(&mut db.raw().await).await;
    assert!(opened.is_err() && db.posts(&session).await == ["evidence/98"]);
}

#[tokio::test]
async fn what_is_brought_is_taken_in_once_and_what_comes_after_the_last_time_is_refused() {
    let db = Db::open().await;
    let session = db.start(1).await;
    add(&db, &session, 101, "In time", None).await.unwrap();
    add(&db, &session, 102, "On a hinge", Some(1)).await.unwrap();
    let take = async |key: &str, what: TakenIn| {
        let taken = db.store.take_in(&session, what, settled(&session, key, &[]), AT).await.unwrap();
        taken.as_array().unwrap().len()
    };
    assert_eq!(take("turn/opening/pro/evidence", TakenIn::Evidence).await, 1, "not what is on a hinge");
    add(&db, &session, 103, "Later", None).await.unwrap();
    assert_eq!(take("turn/opening/pro/evidence", TakenIn::Evidence).await, 1, "as it was the first time");
    assert_eq!(take("synthesis/evidence", TakenIn::Evidence).await, 2);
    let late = add(&db, &session, 104, "Too late", None).await;
    assert!(matches!(late, Err(StoreError::NotRunning(why)) if why == TOO_LATE));
    assert_eq!(add(&db, &session, 105, "On a hinge", Some(1)).await.unwrap(), "E4");
    clarify(&db, &session, 106).await.unwrap();
    assert_eq!(take("break/end", TakenIn::Clarifications).await, 1);
    assert!(clarify(&db, &session, 107).await.is_err());
    db.store.move_session(&session, LIVE, SessionState::Paused, None, Vec::new(), AT).await.unwrap();
    let stopped =
        db.store.take_in(&session, TakenIn::Evidence, settled(&session, "later", &[]), AT).await.is_err();
    assert!(stopped, "nothing is taken in by a session that stands still");
}
