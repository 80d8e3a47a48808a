//! Votes that are held while a session waits for people, as before a debate: nothing is taken once it goes on, and
//! nothing that was said to other words; and the vote that asks the same again afterwards.

use domain::{
    BallotChoice, Closed, Electorate, Framing, Level, Opinion, Proposition, PropositionContext, SessionId,
    SessionState, StepKey, UserId, Vote, VoteKind, VoteRules, VoteState,
};
use quorum::store::{Cast, NewBallot, NewDraft, NewVote, NewWait, Settled, StoreError, VoteRefusal, VoteRow};

use super::fixture::{AT, Db, LIVE, MANY, MEMBER, event, posts, settled};

const DAY: i64 = 24 * 3_600_000;

fn key() -> StepKey {
    StepKey::from("proposition")
}

fn vote(question: &str, electorate: Electorate) -> NewVote {
    NewVote {
        kind: VoteKind::Opinion,
        question: question.to_owned(),
        rules: VoteRules { electorate, ..VoteRules::default() },
        ..NewVote::default()
    }
}

fn proposition(question: &str) -> Proposition {
    Proposition {
        raw: "move?".to_owned(),
        question: question.to_owned(),
        context: PropositionContext::default(),
        framing: Framing::Policy,
        complexity: Level::Low,
        changed: String::new(),
        objection: None,
        answered_by: None,
        edited_by: None,
    }
}

fn draft(proposition: &Proposition) -> serde_json::Value {
    serde_json::to_value(proposition).unwrap()
}

/// A session that waits for the start of its debate, and asks these what they think.
async fn waits(db: &Db, n: u64, electorate: Electorate, proposition: &Proposition) -> SessionId {
    let id = db.start(n).await;
    let new = NewWait {
        key: key(),
        kind: "proposition",
        deadline_ms: AT + DAY,
        draft: draft(proposition),
        vote: Some(vote(&proposition.question, electorate)),
        posts: posts(&id, &["proposition"]),
    };
    db.store.open_wait(&id, new, AT).await.unwrap();
    id
}

fn says(event_id: u64, voter: u64, opinion: Opinion) -> NewBallot {
    NewBallot {
        event: event(event_id, "ballot"),
        older: "older".to_owned(),
        voter: UserId(voter),
        voter_name: format!("member {voter}"),
        roles: Vec::new(),
        choice: BallotChoice::Opinion(opinion),
        revision: 0,
    }
}

/// Somebody starts it who has read the newest edit.
async fn start(db: &Db, id: &SessionId, event_id: u64, at_ms: i64) -> Result<(), StoreError> {
    let by = (MEMBER, "Ada".to_owned());
    let read = db.store.asked(id, &key()).await?.unwrap().revision;
    db.store.answer_wait((id, &key()), read, event(event_id, "start debate"), by, MANY, at_ms).await
}

async fn edit(db: &Db, id: &SessionId, event_id: u64, to: &Proposition) -> Result<bool, StoreError> {
    let new = NewDraft {
        draft: draft(to),
        question: Some(to.question.clone()),
        plan: None,
        late: "late".to_owned(),
    };
    db.store.change_draft((id, &key()), event(event_id, "proposition"), new, AT).await
}

async fn asking(db: &Db, id: &SessionId) -> VoteRow {
    db.store.vote(id, &key()).await.unwrap().unwrap()
}

fn opinions(vote: &Vote) -> Vec<(u64, Opinion)> {
    vote.ballots.iter().map(|ballot| (ballot.voter.0, ballot.opinion().unwrap())).collect()
}

async fn said(db: &Db, id: &SessionId) -> Vec<(u64, Opinion)> {
    opinions(&asking(db, id).await.vote)
}

fn refusal(outcome: Result<Cast, StoreError>) -> VoteRefusal {
    match outcome {
        Err(StoreError::Vote(refusal)) => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

/// Casts a ballot by a press on the card of this edit.
async fn cast(
    db: &Db,
    id: &SessionId,
    revision: i64,
    ballot: NewBallot,
    at_ms: i64,
) -> Result<Cast, StoreError> {
    db.store.cast(id, &key(), NewBallot { revision, ..ballot }, at_ms).await
}

#[tokio::test]
async fn the_proposition_asks_what_people_think_until_the_debate_starts() {
    let db = Db::open().await;
    let id = waits(&db, 1, Electorate::Everyone, &proposition("Should we move?")).await;
    let opened = asking(&db, &id).await;
    assert_eq!((opened.vote.state, opened.deadline_ms, opened.counted), (VoteState::Open, None, false));
    assert_eq!(db.store.next_deadline(AT).await.unwrap(), Some(AT + DAY), "the wait's, with no reminder");

    let before = async |event_id, voter, opinion| cast(&db, &id, 0, says(event_id, voter, opinion), AT).await;
    assert_eq!(before(10, 7, Opinion::For).await.unwrap(), Cast::Counts);
    assert_eq!(before(20, 7, Opinion::Against).await.unwrap(), Cast::Counts, "changeable");
    assert_eq!(
        before(15, 7, Opinion::Undecided).await.unwrap(),
        Cast::Older,
        "pressed before, arrives after"
    );
    assert!(
        matches!(before(20, 7, Opinion::For).await, Err(StoreError::Duplicate(said)) if said == "ballot 20")
    );
    assert!(matches!(before(15, 7, Opinion::For).await, Err(StoreError::Duplicate(said)) if said == "older"));
    before(16, 8, Opinion::For).await.unwrap();
    assert_eq!(said(&db, &id).await, [(7, Opinion::Against), (8, Opinion::For)]);
    let raised = "SELECT revision FROM panel WHERE key = 'proposition'";
    assert_eq!(db.number(raised).await, 4, "opened, and three that count");
    let after = db.store.cast(&id, &"opinion".into(), says(30, 7, Opinion::For), AT).await;
    assert_eq!(refusal(after), VoteRefusal::Absent);

    start(&db, &id, 40, AT + 5).await.unwrap();
    let closed = asking(&db, &id).await;
    assert_eq!((closed.vote.state, closed.vote.ballots.len()), (VoteState::Closed(Closed::Start), 2));
    assert_eq!(refusal(before(50, 9, Opinion::For).await), VoteRefusal::Over);
    assert_eq!(db.store.applied(50).await.unwrap(), None, "what was refused was not applied");
    assert!(
        matches!(before(20, 7, Opinion::For).await, Err(StoreError::Duplicate(_))),
        "the same is said again"
    );
    assert_eq!(db.store.uncounted_votes().await.unwrap(), [], "it has no count of its own");
    assert!(db.store.deciding_vote(&id).await.unwrap().is_none(), "and nothing is decided on it");
}

#[tokio::test]
async fn an_edit_of_the_question_asks_again_and_one_of_its_bounds_does_not() {
    let db = Db::open().await;
    let first = proposition("Should we move?");
    let id = waits(&db, 1, Electorate::Everyone, &first).await;
    cast(&db, &id, 0, says(10, 7, Opinion::For), AT).await.unwrap();
    let context = PropositionContext { geography: "Brno".to_owned(), ..PropositionContext::default() };
    assert!(edit(&db, &id, 20, &Proposition { context, ..first.clone() }).await.unwrap());
    assert_eq!(said(&db, &id).await, [(7, Opinion::For)]);

    let reread = cast(&db, &id, 0, says(30, 8, Opinion::For), AT).await;
    assert_eq!(refusal(reread), VoteRefusal::Reread, "they had the card before the edit");
    cast(&db, &id, 20, says(31, 8, Opinion::For), AT).await.unwrap();
    assert!(edit(&db, &id, 40, &proposition("Should we sell?")).await.unwrap());
    assert_eq!(said(&db, &id).await, []);
    // An older edit that comes late changes nothing, and forgets nothing.
    cast(&db, &id, 40, says(50, 8, Opinion::Against), AT).await.unwrap();
    assert!(!edit(&db, &id, 35, &proposition("Should we stay?")).await.unwrap());
    assert_eq!(said(&db, &id).await, [(8, Opinion::Against)]);

    start(&db, &id, 60, AT).await.unwrap();
    assert!(matches!(edit(&db, &id, 70, &first).await, Err(StoreError::NotRunning(_))));
    assert_eq!(said(&db, &id).await, [(8, Opinion::Against)]);
}

#[tokio::test]
async fn a_session_that_ends_takes_no_opinions_and_one_that_asks_again_keeps_them() {
    let db = Db::open().await;
    let first = proposition("Should we move?");
    let id = waits(&db, 1, Electorate::Everyone, &first).await;
    cast(&db, &id, 0, says(10, 7, Opinion::For), AT).await.unwrap();
    let overdue = cast(&db, &id, 0, says(11, 8, Opinion::For), AT + DAY).await;
    assert!(matches!(overdue, Err(StoreError::NotRunning(_))), "{overdue:?}");
    db.store.move_session(&id, LIVE, SessionState::Failed, None, vec![], AT).await.unwrap();
    let ended = cast(&db, &id, 0, says(12, 8, Opinion::For), AT).await;
    assert!(matches!(ended, Err(StoreError::NotRunning(state)) if state == "failed"));

    db.store.retry_session(&id, event(13, "retry"), MANY, AT).await.unwrap();
    let again = NewWait {
        key: key(),
        kind: "proposition",
        deadline_ms: AT + DAY,
        draft: draft(&first),
        vote: Some(vote("Should we move?", Electorate::Named(vec![UserId(1)]))),
        posts: Vec::new(),
    };
    db.store.open_wait(&id, again, AT).await.unwrap();
    let asked = asking(&db, &id).await;
    assert_eq!(asked.vote.rules.electorate, Electorate::Everyone, "the rules are those it opened with");
    assert_eq!(said(&db, &id).await, [(7, Opinion::For)]);
    cast(&db, &id, 0, says(14, 8, Opinion::For), AT).await.unwrap();
}

#[tokio::test]
async fn the_start_closes_it_not_the_last_who_votes() {
    let db = Db::open().await;
    let id =
        waits(&db, 1, Electorate::Named(vec![UserId(7), UserId(8)]), &proposition("Should we move?")).await;
    let stranger = cast(&db, &id, 0, says(10, 9, Opinion::For), AT).await;
    assert_eq!(refusal(stranger), VoteRefusal::Ineligible);
    for (event_id, voter) in [(11, 7), (12, 8)] {
        let said = cast(&db, &id, 0, says(event_id, voter, Opinion::For), AT).await;
        assert_eq!(said.unwrap(), Cast::Counts);
    }
    assert_eq!(asking(&db, &id).await.vote.state, VoteState::Open);
    let mut raw = db.raw().await;
    let change =
        |what: &str| sqlx::AssertSqlSafe(format!("UPDATE vote SET {what} WHERE key = 'proposition'"));
    for what in [
        "state = 'closed', closed_ms = 1, closed_why = 'deadline'",
        "state = 'counted'",
        "remind_ms = 99999999999999",
    ] {
        let refused = sqlx::query(change(what)).execute(&mut raw).await.unwrap_err().to_string();
        assert!(refused.contains("constraint failed"), "{what}: {refused}");
    }
}

#[tokio::test]
async fn asked_again_it_knows_what_was_said_before_and_a_cancelled_session_keeps_that() {
    let db = Db::open().await;
    let id = waits(&db, 1, Electorate::Everyone, &proposition("Should we move?")).await;
    for (n, voter, opinion) in [(10, 7, Opinion::For), (11, 8, Opinion::Undecided)] {
        cast(&db, &id, 0, says(n, voter, opinion), AT).await.unwrap();
    }
    start(&db, &id, 12, AT).await.unwrap();
    let opened = Settled { kind: "opinions".to_owned(), ..settled(&id, "opinion", &["opinion"]) };
    let again = NewVote { repeats: Some(key()), ..vote("Should we move?", Electorate::Everyone) };
    db.store.open_vote(&id, opened, again, AT).await.unwrap();
    let after = StepKey::from("opinion");
    for (n, voter, opinion) in [(20, 7, Opinion::Against), (22, 9, Opinion::For), (24, 8, Opinion::Undecided)]
    {
        db.store.cast(&id, &after, says(n, voter, opinion), AT).await.unwrap();
    }
    let vote = db.store.vote(&id, &after).await.unwrap().unwrap().vote;
    assert_eq!(opinions(&Vote { ballots: vote.earlier.clone(), ..vote.clone() }), said(&db, &id).await);
    let swing = vote.swing();
    assert_eq!((swing.before, swing.after), ([1, 1, 0], [1, 1, 1]));
    assert_eq!((swing.both(), swing.changed()), (2, 1));

    db.store.cancel_session(&id, event(70, "cancel"), "x".to_owned(), Vec::new(), AT).await.unwrap();
    assert!(db.store.vote(&id, &after).await.unwrap().is_none(), "nobody has seen it");
    assert_eq!(said(&db, &id).await.len(), 2);
}
