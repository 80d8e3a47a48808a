//! Votes: what must never be is refused by the schema, and each thing happens once.

use domain::{
    Allocation, Ballot, BallotChoice, Basis, Closed, Electorate, ExpertPoints, Influence, MemoOption,
    Opinion, RoleId, SessionId, SessionState, Solution, StepKey, UserId, VoteKind, VoteRules, VoteState,
};
use quorum::store::{
    Cast, Closing, NewBallot, NewSolution, NewVote, PanelMessage, Settled, StoreError, VoteRefusal,
};
use sqlx::AssertSqlSafe;

use super::fixture::{AT, Db, RUNNING, event, posts, settled};

const HOUR: i64 = 3_600_000;

fn solutions() -> Vec<Solution> {
    let some = |title: &str| MemoOption {
        title: title.to_owned(),
        action: format!("{title}, and how."),
        ..MemoOption::default()
    };
    Solution::distinct(&[some("Start with one district"), some("Partner with local restaurants")])
}

pub(super) fn new_vote(electorate: Electorate) -> NewVote {
    let allocation = Allocation::exact(vec![6, 4], 2).unwrap();
    let expert = ExpertPoints {
        title: "Market".to_owned(),
        weight: 2.0,
        influence: Influence::default(),
        allocation,
        basis: Basis::Given,
        chances: Vec::new(),
    };
    NewVote {
        question: "An app?".to_owned(),
        rules: VoteRules { electorate, ..VoteRules::default() },
        solutions: solutions(),
        experts: vec![expert],
        ..NewVote::default()
    }
}

fn key() -> StepKey {
    StepKey::from("vote")
}

async fn open(db: &Db, n: u64, electorate: Electorate) -> SessionId {
    let id = db.start(n).await;
    db.store.open_vote(&id, settled(&id, "vote", &["vote"]), new_vote(electorate), AT).await.unwrap();
    id
}

pub(super) fn ballot(event_id: u64, voter: u64, points: &[u32]) -> NewBallot {
    NewBallot {
        event: event(event_id, "ballot"),
        older: "older".to_owned(),
        voter: UserId(voter),
        voter_name: format!("member {voter}"),
        roles: Vec::new(),
        choice: BallotChoice::Points(Allocation::exact(points.to_vec(), points.len()).unwrap()),
        revision: 0,
    }
}

fn points_of(ballot: &Ballot) -> Vec<u32> {
    ballot.points().unwrap().points().to_vec()
}

fn proposal(event_id: u64, title: &str) -> NewSolution {
    NewSolution {
        event: event(event_id, "proposal"),
        proposer: UserId(8),
        proposer_name: "Ben".to_owned(),
        roles: Vec::new(),
        title: title.to_owned(),
        description: String::new(),
    }
}

fn refusal<T: std::fmt::Debug>(outcome: Result<T, StoreError>) -> VoteRefusal {
    match outcome {
        Err(StoreError::Vote(refusal)) => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

#[tokio::test]
async fn a_vote_opens_with_its_step_once_and_reads_back() {
    let db = Db::open().await;
    let id = open(&db, 1, Electorate::Everyone).await;
    let another = NewVote { question: "Another?".to_owned(), ..new_vote(Electorate::Everyone) };
    db.store.open_vote(&id, settled(&id, "vote", &["vote", "again"]), another, AT + 5).await.unwrap();
    assert_eq!(db.posts(&id).await, ["vote"], "a step that is done posts nothing more");
    let row = db.store.vote(&id, &key()).await.unwrap().unwrap();
    let vote = row.vote;
    assert_eq!((vote.question.as_str(), vote.solutions, vote.experts.len()), ("An app?", solutions(), 1));
    assert_eq!((vote.state, row.counted), (VoteState::Open, false));
    assert_eq!(row.deadline_ms, Some(AT + 24 * HOUR));
    assert_eq!(db.number("SELECT remind_ms FROM vote").await, AT + 20 * HOUR);
    let panel = db.store.panel(&id, "vote").await.unwrap().unwrap();
    assert_eq!((panel.revision, panel.shown, panel.message), (1, 1, PanelMessage::Waiting));

    let halted = db.start_in(2, SessionState::Cancelled).await;
    let settled = Settled { allowed: RUNNING, ..settled(&halted, "vote", &["vote"]) };
    let refused = db.store.open_vote(&halted, settled, new_vote(Electorate::Everyone), AT).await;
    assert!(matches!(refused, Err(StoreError::NotRunning(_))), "{refused:?}");
    assert!(db.store.vote(&halted, &key()).await.unwrap().is_none());
}

#[tokio::test]
async fn the_schema_refuses_what_must_never_be_in_a_vote() {
    let db = Db::open().await;
    let id = open(&db, 1, Electorate::Everyone).await;
    let over = open(&db, 2, Electorate::Everyone).await;
    db.store.cast(&id, &key(), ballot(10, 7, &[10, 0]), AT).await.unwrap();
    db.store.cast(&over, &key(), ballot(11, 7, &[10, 0]), AT).await.unwrap();
    assert!(db.store.close_vote(&over, &key(), Closing::Deadline, AT + 24 * HOUR).await.unwrap());
    let mut raw = db.raw().await;
    let cast = |session: &SessionId, points: &str| {
        format!("INSERT INTO ballot VALUES ('{session}', 'vote', 99, 'x', '{points}', 1, 1)")
    };
    let change = |session: &SessionId, points: &str| {
        format!("UPDATE ballot SET choice = '{points}' WHERE session_id = '{session}'")
    };
    let mut refused = vec![
        cast(&over, "[10]"),
        change(&over, "[0,10]"),
        format!(
            "INSERT INTO solution (session_id, key, n, title, description, raised_by, proposer_id) VALUES ('{over}', 'vote', 3, 'Late', '', '[]', 1)"
        ),
        format!(
            "INSERT INTO solution (session_id, key, n, title, description, raised_by, proposer_id) VALUES ('{id}', 'vote', 11, 'Eleventh', '', '[]', 1)"
        ),
        format!(
            "INSERT INTO solution (session_id, key, n, title, description, raised_by, proposer_id) VALUES ('{id}', 'vote', 0, 'Zeroth', '', '[]', 1)"
        ),
        format!(
            "INSERT INTO solution (session_id, key, n, title, description, raised_by, proposer_id) VALUES ('{id}', 'vote', 2, 'Twice', '', '[]', 1)"
        ),
        format!(
            "INSERT INTO solution (session_id, key, n, title, description, raised_by, proposer_id) VALUES ('{id}', 'vote', 3, '  ', '', '[]', 1)"
        ),
        format!("UPDATE vote SET closed_ms = 1 WHERE session_id = '{id}'"),
        format!("UPDATE vote SET state = 'closed' WHERE session_id = '{id}'"),
        format!("UPDATE vote SET state = 'open' WHERE session_id = '{over}'"),
        format!("UPDATE vote SET closed_why = 'person' WHERE session_id = '{over}'"),
        format!("UPDATE vote SET closed_why = 'start' WHERE session_id = '{over}'"),
        format!("UPDATE vote SET deadline_ms = NULL, remind_ms = NULL WHERE session_id = '{over}'"),
        format!("UPDATE vote SET closed_by_id = 4 WHERE session_id = '{over}'"),
        format!("UPDATE vote SET remind_ms = 4 WHERE session_id = '{over}'"),
        format!("UPDATE vote SET deadline_ms = NULL WHERE session_id = '{id}'"),
        format!(
            "UPDATE vote SET state = 'closed', closed_ms = 1, closed_why = 'deadline' WHERE session_id = '{id}'"
        ),
        format!("UPDATE vote SET rules = '{{' WHERE session_id = '{id}'"),
        format!("INSERT INTO vote SELECT * FROM vote WHERE session_id = '{id}'"),
        format!("UPDATE vote SET deadline_ms = opened_ms WHERE session_id = '{id}'"),
        format!("INSERT INTO ballot SELECT * FROM ballot WHERE session_id = '{id}'"),
        "UPDATE panel SET shown = revision + 1".to_owned(),
        "UPDATE panel SET session_id = 'nowhere'".to_owned(),
    ];
    for points in [
        "[9]",
        "[11]",
        "[-1,11]",
        "[5.5,4.5]",
        "[\"10\"]",
        "[]",
        "[0,0]",
        "[5,5,0]",
        "[2.0,8.0]",
        "10",
        "\"for\"",
        "{",
    ] {
        refused.extend([cast(&id, points), change(&id, points)]);
    }
    for statement in refused {
        let outcome = sqlx::query(AssertSqlSafe(statement.clone())).execute(&mut raw).await;
        let error = outcome.expect_err(&statement).to_string();
        let known = ["constraint failed", "the vote is closed", "ten whole points", "malformed JSON"];
        assert!(known.iter().any(|known| error.contains(known)), "{statement}: {error}");
    }
    // The neighbours of what is refused are allowed.
    for statement in [
        cast(&id, "[1,9]"),
        change(&id, "[10]"),
        format!(
            "INSERT INTO solution (session_id, key, n, title, description, raised_by, proposer_id) VALUES ('{id}', 'vote', 10, 'Tenth', '', '[]', 1)"
        ),
        cast(&id, "[0,4,6]").replace("99", "98"),
        format!("UPDATE vote SET remind_ms = NULL WHERE session_id = '{id}'"),
        format!("UPDATE vote SET state = 'counted' WHERE session_id = '{over}'"),
    ] {
        sqlx::query(AssertSqlSafe(statement.clone())).execute(&mut raw).await.expect(&statement);
    }
}

#[tokio::test]
async fn one_ballot_a_member_and_the_newest_press_wins_in_whatever_order() {
    let db = Db::open().await;
    let id = open(&db, 1, Electorate::Everyone).await;
    assert_eq!(db.store.cast(&id, &key(), ballot(20, 7, &[7, 3]), AT).await.unwrap(), Cast::Counts);
    assert_eq!(db.store.cast(&id, &key(), ballot(19, 7, &[0, 10]), AT).await.unwrap(), Cast::Older);
    let again = db.store.cast(&id, &key(), ballot(20, 7, &[1, 9]), AT).await;
    assert!(matches!(&again, Err(StoreError::Duplicate(said)) if said == "ballot 20"), "{again:?}");
    let again = db.store.cast(&id, &key(), ballot(19, 7, &[1, 9]), AT).await;
    assert!(matches!(&again, Err(StoreError::Duplicate(said)) if said == "older"), "{again:?}");
    assert_eq!(db.store.cast(&id, &key(), ballot(21, 7, &[2, 8]), AT).await.unwrap(), Cast::Counts);
    assert_eq!(db.store.cast(&id, &key(), ballot(22, 9, &[5, 5]), AT).await.unwrap(), Cast::Counts);
    let row = db.store.vote(&id, &key()).await.unwrap().unwrap();
    let points: Vec<_> = row.vote.ballots.iter().map(|b| (b.voter.0, points_of(b))).collect();
    assert_eq!(points, [(7, vec![2, 8]), (9, vec![5, 5])]);
    assert_eq!(db.store.panel(&id, "vote").await.unwrap().unwrap().revision, 4, "three ballots counted");

    let refused = refusal(db.store.cast(&id, &key(), ballot(23, 7, &[5, 4, 1]), AT).await);
    assert_eq!(refused, VoteRefusal::Unknown(2));
    assert_eq!(
        db.number("SELECT count(*) FROM inbound WHERE id = 23").await,
        0,
        "a refused press leaves no trace"
    );
    // A ballot from before another solution was proposed, and one from before a draft knew of it.
    db.store.propose(&id, &key(), proposal(30, "Lease cargo bikes"), AT).await.unwrap();
    db.store.cast(&id, &key(), ballot(31, 9, &[4, 6]), AT).await.unwrap();
    let row = db.store.vote(&id, &key()).await.unwrap().unwrap();
    assert_eq!(points_of(&row.vote.ballots[0]), [2, 8, 0]);
    assert_eq!(points_of(&row.vote.ballots[1]), [4, 6, 0]);
    assert_eq!(db.number("SELECT count(*) FROM solution WHERE proposer_id = 8").await, 1);
}

#[tokio::test]
async fn a_session_holds_votes_of_several_kinds_and_each_takes_its_own() {
    let db = Db::open().await;
    let (id, opinion) = (open(&db, 1, Electorate::Everyone).await, StepKey::from("opinion"));
    let again = NewVote { kind: VoteKind::Opinion, repeats: Some("earlier".into()), ..NewVote::default() };
    let opened = Settled { kind: "opinions".to_owned(), ..settled(&id, "opinion", &["opinion"]) };
    db.store.open_vote(&id, opened, again, AT + 1).await.unwrap();
    let thinks = |n, opinion| NewBallot { choice: BallotChoice::Opinion(opinion), ..ballot(n, 7, &[10, 0]) };
    assert_eq!(db.store.cast(&id, &key(), ballot(20, 7, &[10, 0]), AT).await.unwrap(), Cast::Counts);
    assert_eq!(db.store.cast(&id, &opinion, thinks(19, Opinion::For), AT).await.unwrap(), Cast::Counts);
    assert_eq!(db.store.cast(&id, &opinion, thinks(18, Opinion::Against), AT).await.unwrap(), Cast::Older);
    for (n, wrong) in [(30, key()), (31, "nothing".into())] {
        let refused = refusal(db.store.cast(&id, &wrong, thinks(n, Opinion::For), AT).await);
        assert_eq!(refused, VoteRefusal::Absent);
    }
    let refused = refusal(db.store.cast(&id, &opinion, ballot(32, 7, &[10, 0]), AT).await);
    assert_eq!(refused, VoteRefusal::Absent);
    assert_eq!(
        refusal(db.store.propose(&id, &opinion, proposal(33, "Bikes"), AT).await),
        VoteRefusal::Absent
    );
    assert_eq!(db.store.deciding_vote(&id).await.unwrap().unwrap().key, opinion, "the last one");

    assert_eq!(db.store.votes_to_remind(AT + 20 * HOUR).await.unwrap(), [(id.clone(), key())]);
    assert_eq!(db.store.overdue_votes(AT + 25 * HOUR).await.unwrap().len(), 2);
    assert!(db.store.close_vote(&id, &opinion, Closing::Deadline, AT + 25 * HOUR).await.unwrap());
    assert!(
        db.store.count_vote(&id, &opinion, posts(&id, &["opinion/result"]), (Vec::new(), AT)).await.unwrap()
    );
    let row = db.store.vote(&id, &opinion).await.unwrap().unwrap();
    let said: Vec<_> = row.vote.ballots.iter().map(|ballot| (ballot.voter.0, ballot.opinion())).collect();
    assert_eq!((said, row.counted), (vec![(7, Some(Opinion::For))], true));
    let other = db.store.vote(&id, &key()).await.unwrap().unwrap();
    assert_eq!((other.vote.state, other.vote.ballots.len()), (VoteState::Open, 1), "the other goes on");
}

#[tokio::test]
async fn who_may_not_vote_and_what_comes_too_late_changes_nothing() {
    let db = Db::open().await;
    let role = open(&db, 1, Electorate::Role(RoleId(5))).await;
    let refused = refusal(db.store.cast(&role, &key(), ballot(10, 7, &[10, 0]), AT).await);
    assert_eq!(refused, VoteRefusal::Ineligible);
    let with_role = NewBallot { roles: vec![RoleId(5)], ..ballot(11, 7, &[10, 0]) };
    assert_eq!(db.store.cast(&role, &key(), with_role, AT).await.unwrap(), Cast::Counts);
    assert_eq!(
        refusal(db.store.propose(&role, &key(), proposal(12, "Lease bikes"), AT).await),
        VoteRefusal::Ineligible
    );

    let late = AT + 24 * HOUR;
    let id = open(&db, 2, Electorate::Everyone).await;
    assert_eq!(db.store.cast(&id, &key(), ballot(13, 7, &[10, 0]), late - 1).await.unwrap(), Cast::Counts);
    assert_eq!(refusal(db.store.cast(&id, &key(), ballot(14, 8, &[10, 0]), late).await), VoteRefusal::Over);
    assert_eq!(
        refusal(db.store.propose(&id, &key(), proposal(15, "Lease bikes"), late).await),
        VoteRefusal::Over
    );
    assert!(!db.store.close_vote(&id, &key(), Closing::Deadline, late - 1).await.unwrap(), "not before it");
    let none = db.start(3).await;
    assert_eq!(refusal(db.store.cast(&none, &key(), ballot(16, 7, &[10]), AT).await), VoteRefusal::Absent);
}

#[tokio::test]
async fn a_vote_closes_and_is_counted_once_whoever_is_first() {
    let db = Db::open().await;
    let id = open(&db, 1, Electorate::Named(vec![UserId(7), UserId(8)])).await;
    assert_eq!(db.store.cast(&id, &key(), ballot(10, 7, &[10, 0]), AT).await.unwrap(), Cast::Counts);
    assert_eq!(db.store.cast(&id, &key(), ballot(11, 7, &[9, 1]), AT).await.unwrap(), Cast::Counts);
    assert!(
        !db.store.count_vote(&id, &key(), posts(&id, &["vote/result"]), (Vec::new(), AT)).await.unwrap(),
        "it is open"
    );
    assert_eq!(db.store.cast(&id, &key(), ballot(12, 8, &[0, 10]), AT).await.unwrap(), Cast::Last);
    let person = |n| Closing::Person { event: event(n, "close"), by: UserId(1), by_name: "Ada".to_owned() };
    assert_eq!(refusal(db.store.close_vote(&id, &key(), person(13), AT).await), VoteRefusal::Over);
    assert!(!db.store.close_vote(&id, &key(), Closing::Deadline, AT + 99 * HOUR).await.unwrap());
    let row = db.store.vote(&id, &key()).await.unwrap().unwrap();
    assert_eq!(row.vote.state, VoteState::Closed(Closed::Everyone));
    assert_eq!(db.store.uncounted_votes().await.unwrap(), [(id.clone(), key())]);
    assert!(db.store.count_vote(&id, &key(), posts(&id, &["vote/result"]), (Vec::new(), AT)).await.unwrap());
    assert!(
        !db.store.count_vote(&id, &key(), posts(&id, &["vote/another"]), (Vec::new(), AT)).await.unwrap()
    );
    assert_eq!(db.posts(&id).await, ["vote", "vote/result"]);
    assert!(db.store.uncounted_votes().await.unwrap().is_empty());

    let other = open(&db, 2, Electorate::Everyone).await;
    assert!(db.store.close_vote(&other, &key(), person(14), AT).await.unwrap());
    let again = db.store.close_vote(&other, &key(), person(14), AT).await;
    assert!(matches!(again, Err(StoreError::Duplicate(_))), "{again:?}");
    let row = db.store.vote(&other, &key()).await.unwrap().unwrap();
    assert_eq!(row.vote.state, VoteState::Closed(Closed::Person("Ada".to_owned())));
}

#[tokio::test]
async fn what_is_due_is_found_in_its_time_and_a_reminder_is_posted_once() {
    let db = Db::open().await;
    let id = open(&db, 1, Electorate::Everyone).await;
    let (remind, deadline) = (AT + 20 * HOUR, AT + 24 * HOUR);
    let due = async |at| {
        let store = &db.store;
        (store.votes_to_remind(at).await.unwrap().len(), store.overdue_votes(at).await.unwrap().len())
    };
    assert_eq!(due(remind - 1).await, (0, 0));
    assert_eq!(due(remind).await, (1, 0));
    assert_eq!(due(deadline).await, (0, 1), "nobody is reminded of what is over");
    assert_eq!(db.store.next_deadline(AT).await.unwrap(), Some(remind));
    assert_eq!(db.store.next_deadline(remind).await.unwrap(), Some(deadline));
    assert_eq!(db.store.next_deadline(deadline).await.unwrap(), None);
    assert!(!db.store.remind_vote(&id, &key(), posts(&id, &["vote/reminder"]), remind - 1).await.unwrap());
    assert!(db.store.remind_vote(&id, &key(), posts(&id, &["vote/reminder"]), remind).await.unwrap());
    assert!(!db.store.remind_vote(&id, &key(), posts(&id, &["vote/second"]), remind + 1).await.unwrap());
    assert_eq!(db.posts(&id).await, ["vote", "vote/reminder"]);
    assert_eq!(db.store.next_deadline(AT).await.unwrap(), Some(deadline));
}

#[tokio::test]
async fn proposals_are_numbered_on_and_ten_are_enough() {
    let db = Db::open().await;
    let id = open(&db, 1, Electorate::Everyone).await;
    let same =
        refusal(db.store.propose(&id, &key(), proposal(9, "partner with LOCAL restaurants!"), AT).await);
    assert_eq!(same, VoteRefusal::Same(domain::SolutionId(2)));
    for n in 3..=10 {
        let new = proposal(n, &format!("plan{n} way{n} step{n}"));
        assert_eq!(u64::from(db.store.propose(&id, &key(), new, AT).await.unwrap().0), n);
    }
    let full = refusal(db.store.propose(&id, &key(), proposal(11, "One more thing"), AT).await);
    assert_eq!(full, VoteRefusal::Full);
    let again = db.store.propose(&id, &key(), proposal(10, "plan10 way10 step10"), AT).await;
    assert!(matches!(again, Err(StoreError::Duplicate(_))), "{again:?}");
    assert_eq!(db.number("SELECT count(*) FROM solution").await, 10);
}

#[tokio::test]
async fn a_panel_is_stale_until_its_newest_revision_is_shown() {
    let db = Db::open().await;
    let id = open(&db, 1, Electorate::Everyone).await;
    assert!(db.store.stale_panels().await.unwrap().is_empty());
    db.store.cast(&id, &key(), ballot(10, 7, &[10, 0]), AT).await.unwrap();
    let stale = [(id.clone(), "vote".to_owned())];
    assert_eq!(db.store.stale_panels().await.unwrap(), stale);
    db.store.cast(&id, &key(), ballot(11, 7, &[9, 1]), AT).await.unwrap();
    db.store.panel_shows(&id, "vote", 2).await.unwrap();
    assert_eq!(db.store.stale_panels().await.unwrap(), stale, "it was drawn before the second ballot");
    db.store.panel_shows(&id, "vote", 3).await.unwrap();
    db.store.panel_shows(&id, "vote", 2).await.unwrap();
    assert!(db.store.stale_panels().await.unwrap().is_empty(), "what was shown stays shown");
}

#[tokio::test]
async fn a_vote_that_was_never_posted_goes_with_its_cancelled_session() {
    let db = Db::open().await;
    let id = open(&db, 1, Electorate::Everyone).await;
    let seen = open(&db, 2, Electorate::Everyone).await;
    let tried = db.number("SELECT max(id) FROM outbox WHERE post_key = 'vote'").await;
    db.store.post_tried(tried, AT).await.unwrap();
    for (n, session) in [(5, &id), (6, &seen)] {
        let cancelled =
            db.store.cancel_session(session, event(n, "cancel"), "x".to_owned(), vec![], AT).await;
        cancelled.unwrap();
    }
    assert!(
        db.store.vote(&id, &key()).await.unwrap().is_none(),
        "nobody can see it, so nobody is reminded of it"
    );
    assert!(db.store.vote(&seen, &key()).await.unwrap().is_some(), "it may be there, so it goes on");
}

#[tokio::test]
async fn what_is_looked_for_all_the_time_is_found_by_an_index() {
    let db = Db::open().await;
    for (query, index) in [
        ("SELECT key FROM vote WHERE state = 'open' AND deadline_ms <= ?1", "vote_deadline"),
        ("SELECT key FROM vote WHERE state = 'open' AND remind_ms <= ?1", "vote_reminder"),
        ("SELECT key FROM vote WHERE state = 'closed' AND closed_ms >= ?1", "vote_uncounted"),
        ("SELECT n FROM decision WHERE pin = 'wanted' ORDER BY id", "decision_pin"),
        (
            "SELECT n FROM decision_now WHERE review_ms <= ?1 AND asked_ms IS NULL AND outcome IS NULL",
            "decision_review",
        ),
    ] {
        let plan: Vec<(i64, i64, i64, String)> =
            sqlx::query_as(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {query}")))
                .bind(1)
                .fetch_all(&mut db.raw().await)
                .await
                .unwrap();
        assert!(plan[0].3.contains(index), "{query}: {plan:?}");
    }
}
