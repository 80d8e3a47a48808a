//! A database from when points and opinions were in tables of their own: what was open goes on under the keys that
//! panels always had, and what was counted keeps its result.

use quorum::{
    domain::{BallotChoice, Closed, Opinion, StepKey, UserId, VoteKind, VoteState},
    store::{Cast, Closing, NewBallot, Settled, Store, StoreOptions, VoteRefusal},
};

use super::{
    earlier,
    fixture::{AT, Db, id, posts, settled},
    vote::{ballot, new_vote},
};

const RULES: &str = r#"{"electorate": "everyone", "hours": 24, "quorum": 2, "live": false, "remind_hours": 4, "ping": false}"#;

/// Three sessions: one that votes with points, one whose vote of points is counted, and a debate that is voted on again.
async fn database() -> Db {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("quorum.db");
    let (open, counted, debate) = (id(1), id(2), id(3));
    let mut rows = vec!["INSERT INTO prompt_set VALUES ('v1', '{}')".to_owned()];
    for (session, protocol) in [(&open, "roundtable"), (&counted, "mediate"), (&debate, "debate")] {
        rows.push(format!(
            "INSERT INTO session (id, guild_id, channel_id, starter_id, starter_name, protocol, title, plan,
                                  prompt_version, state, started_ms)
             VALUES ('{session}', 71, 500, 31, 'Ada', '{protocol}', 'Old', '{{}}', 'v1', 'running', 1)"
        ));
    }
    for session in [&open, &counted] {
        rows.extend([
            format!(
                "INSERT INTO vote (session_id, question, rules, experts, opened_ms, deadline_ms, remind_ms)
                 VALUES ('{session}', 'An app?', '{RULES}', '[]', 1, {}, {})",
                AT + 100,
                AT + 50
            ),
            format!("INSERT INTO solution VALUES ('{session}', 1, 'Wait', '', '[]', NULL)"),
            format!("INSERT INTO solution VALUES ('{session}', 2, 'Go', '', '[\"Ben\"]', 8)"),
            format!("INSERT INTO ballot VALUES ('{session}', 7, 'Cyd', '[10]', 20, 1)"),
            format!("INSERT INTO panel (session_id, key) VALUES ('{session}', 'vote')"),
        ]);
    }
    rows.extend([
        format!(
            "UPDATE vote SET state = 'counted', closed_ms = 3, closed_why = 'person', closed_by_id = 31,
                             closed_by_name = 'Ada' WHERE session_id = '{counted}'"
        ),
        format!(
            "INSERT INTO wait (session_id, key, kind, deadline_ms, value, draft)
             VALUES ('{debate}', 'proposition', 'proposition', 5, 'answered', '{{\"question\": \"Should we move?\"}}')"
        ),
        format!("INSERT INTO opinion_vote (session_id, stage, rules, opened_ms) VALUES ('{debate}', 'before', '{RULES}', 1)"),
        format!("INSERT INTO opinion VALUES ('{debate}', 'before', 7, 'Cyd', 'for', 10, 1)"),
        format!("UPDATE opinion_vote SET state = 'closed', closed_ms = 2, closed_why = 'start' WHERE session_id = '{debate}'"),
        format!(
            "INSERT INTO opinion_vote (session_id, stage, rules, opened_ms, deadline_ms, remind_ms)
             VALUES ('{debate}', 'after', '{RULES}', 2, {}, {})",
            AT + 200, AT + 150
        ),
        format!("INSERT INTO opinion VALUES ('{debate}', 'after', 7, 'Cyd', 'undecided', 20, 1)"),
        format!("INSERT INTO panel (session_id, key) VALUES ('{debate}', 'opinion')"),
        format!("INSERT INTO step VALUES ('{debate}', 'opinion', 'opinions', 'done', 'null', 1, 2)"),
    ]);
    earlier::database(&path, dir.path(), 4, &rows).await;
    let store = Store::open(&path, StoreOptions::default(), AT).await.unwrap();
    Db { store, path, dir }
}

#[tokio::test]
async fn open_votes_of_earlier_versions_go_on_and_counted_ones_keep_their_result() {
    let db = database().await;
    let (open, counted, debate) = (id(1), id(2), id(3));
    let (points, before, after): (StepKey, StepKey, StepKey) =
        ("vote".into(), "proposition".into(), "opinion".into());

    let kept = db.store.vote(&counted, &points).await.unwrap().unwrap();
    assert_eq!((kept.counted, kept.vote.kind), (true, VoteKind::Points));
    assert_eq!(kept.vote.state, VoteState::Closed(Closed::Person("Ada".to_owned())));
    assert_eq!(kept.vote.ballots[0].points().unwrap().points(), [10, 0]);
    assert!(kept.vote.solutions[1].proposed && kept.vote.rules.quorum == 2);
    assert!(
        !db.store.count_vote(&counted, &points, posts(&counted, &["again"]), (Vec::new(), AT)).await.unwrap()
    );

    assert_eq!(db.store.next_deadline(AT).await.unwrap(), Some(AT + 50), "its reminder is still to come");
    assert_eq!(db.store.cast(&open, &points, ballot(19, 7, &[0, 10]), AT).await.unwrap(), Cast::Older);
    assert_eq!(db.store.cast(&open, &points, ballot(30, 7, &[4, 6]), AT).await.unwrap(), Cast::Counts);
    assert!(db.store.close_vote(&open, &points, Closing::Deadline, AT + 100).await.unwrap());

    let first = db.store.vote(&debate, &before).await.unwrap().unwrap();
    assert_eq!((first.vote.state, first.deadline_ms), (VoteState::Closed(Closed::Start), None));
    let thinks = NewBallot { choice: BallotChoice::Opinion(Opinion::Against), ..ballot(31, 8, &[10]) };
    let over = db.store.cast(&debate, &before, thinks.clone(), AT).await;
    assert!(matches!(over, Err(quorum::store::StoreError::Vote(VoteRefusal::Over))), "{over:?}");
    assert_eq!(db.store.cast(&debate, &after, thinks, AT).await.unwrap(), Cast::Counts);
    let settled = Settled { kind: "opinions".to_owned(), ..settled(&debate, "opinion", &[]) };
    db.store.open_vote(&debate, settled, new_vote(quorum::domain::Electorate::default()), AT).await.unwrap();
    let second = db.store.deciding_vote(&debate).await.unwrap().unwrap();
    assert_eq!((&second.key, second.vote.question.as_str()), (&after, "Should we move?"));
    let said: Vec<_> = second.vote.ballots.iter().map(|b| (b.voter, b.opinion().unwrap())).collect();
    assert_eq!(said, [(UserId(7), Opinion::Undecided), (UserId(8), Opinion::Against)]);
    assert_eq!((second.vote.swing().before, second.vote.swing().both()), ([1, 0, 0], 1));

    assert_eq!(db.store.uncounted_votes().await.unwrap(), [(open.clone(), points.clone())]);
    let due = db.store.votes_to_remind(AT + 150).await.unwrap();
    assert_eq!(due, [(debate.clone(), after.clone())]);
    assert!(
        db.store.count_vote(&open, &points, posts(&open, &["vote/result"]), (Vec::new(), AT)).await.unwrap()
    );
    let mut raw = db.raw().await;
    let sound: String = sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut raw).await.unwrap();
    assert_eq!(sound, "ok");
    assert!(sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut raw).await.unwrap().is_empty());
    let left = "SELECT count(*) FROM sqlite_schema WHERE name LIKE '%opinion%' OR name LIKE 'points%'";
    assert_eq!(db.number(left).await, 0);
}
