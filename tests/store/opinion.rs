//! What a team thinks before and after a debate: what must never be is refused by the schema, each thing happens once,
//! and nothing is taken outside the two times at which it is asked.

use quorum::{
    domain::{
        Closed, Electorate, Framing, Level, Opinion, OpinionStage, OpinionState, Proposition,
        PropositionContext, RoleId, SessionId, SessionState, StepKey, Swing, UserId, VoteRules,
    },
    store::{
        Cast, Closing, NewDraft, NewOpinion, NewWait, OpinionRefusal, OpinionRow, PanelMessage, Settled,
        StoreError,
    },
};
use sqlx::AssertSqlSafe;

use super::fixture::{AT, Db, LIVE, MEMBER, RUNNING, event, posts, settled};

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

fn key() -> StepKey {
    StepKey::from("proposition")
}

fn rules(electorate: Electorate) -> VoteRules {
    VoteRules { electorate, ..VoteRules::default() }
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
        vote: Some(rules(electorate)),
        posts: posts(&id, &["proposition"]),
    };
    db.store.open_wait(&id, new, AT).await.unwrap();
    id
}

/// A session whose team is asked once more.
pub(super) async fn asks_after(db: &Db, n: u64, electorate: Electorate) -> SessionId {
    let id = waits(db, n, electorate.clone(), &proposition("Should we move?")).await;
    start(db, &id, 900 + n, AT).await.unwrap();
    let settled = Settled { kind: "opinions".to_owned(), ..settled(&id, "opinion", &["opinion"]) };
    db.store.open_opinions(&id, settled, rules(electorate), AT).await.unwrap();
    id
}

fn says(event_id: u64, voter: u64, opinion: Opinion) -> NewOpinion {
    NewOpinion {
        event: event(event_id, "opinion"),
        older: "older".to_owned(),
        voter: UserId(voter),
        voter_name: format!("member {voter}"),
        roles: Vec::new(),
        opinion,
    }
}

/// Somebody starts it who has read the newest edit.
async fn start(db: &Db, id: &SessionId, event_id: u64, at_ms: i64) -> Result<(), StoreError> {
    let by = (MEMBER, "Ada".to_owned());
    let read = db.store.asked(id, &key()).await?.unwrap().revision;
    db.store.answer_wait((id, &key()), read, event(event_id, "start debate"), by, at_ms).await
}

async fn edit(db: &Db, id: &SessionId, event_id: u64, to: &Proposition) -> Result<bool, StoreError> {
    let new = NewDraft { draft: draft(to), question: Some(to.question.clone()), late: "late".to_owned() };
    db.store.change_draft((id, &key()), event(event_id, "proposition"), new, AT).await
}

async fn asking(db: &Db, id: &SessionId, stage: OpinionStage) -> OpinionRow {
    db.store.opinions(id, stage).await.unwrap().unwrap()
}

async fn said(db: &Db, id: &SessionId, stage: OpinionStage) -> Vec<(u64, Opinion)> {
    asking(db, id, stage).await.vote.ballots.iter().map(|(voter, opinion)| (voter.0, *opinion)).collect()
}

fn refusal(outcome: Result<Cast, StoreError>) -> OpinionRefusal {
    match outcome {
        Err(StoreError::Opinion(refusal)) => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

#[tokio::test]
async fn the_proposition_asks_what_people_think_until_the_debate_starts() {
    let db = Db::open().await;
    let id = waits(&db, 1, Electorate::Everyone, &proposition("Should we move?")).await;
    let opened = asking(&db, &id, OpinionStage::Before).await;
    assert_eq!((opened.vote.state, opened.deadline_ms, opened.counted), (OpinionState::Open, None, false));

    let before = |event_id, voter, opinion| db.store.opine_before(&id, 0, says(event_id, voter, opinion), AT);
    assert_eq!(before(10, 7, Opinion::For).await.unwrap(), Cast::Counts);
    assert_eq!(before(20, 7, Opinion::Against).await.unwrap(), Cast::Counts, "changeable");
    assert_eq!(
        before(15, 7, Opinion::Undecided).await.unwrap(),
        Cast::Older,
        "pressed before, arrives after"
    );
    assert!(
        matches!(before(20, 7, Opinion::For).await, Err(StoreError::Duplicate(said)) if said == "opinion 20")
    );
    assert!(matches!(before(15, 7, Opinion::For).await, Err(StoreError::Duplicate(said)) if said == "older"));
    before(16, 8, Opinion::For).await.unwrap();
    assert_eq!(said(&db, &id, OpinionStage::Before).await, [(7, Opinion::Against), (8, Opinion::For)]);
    let raised = "SELECT revision FROM panel WHERE key = 'proposition'";
    assert_eq!(db.number(raised).await, 4, "opened, and three that count");
    assert_eq!(
        refusal(db.store.opine_after(&id, says(30, 7, Opinion::For), AT).await),
        OpinionRefusal::Absent
    );

    start(&db, &id, 40, AT + 5).await.unwrap();
    let closed = asking(&db, &id, OpinionStage::Before).await;
    assert_eq!((closed.vote.state, closed.vote.ballots.len()), (OpinionState::Started, 2));
    assert_eq!(refusal(before(50, 9, Opinion::For).await), OpinionRefusal::Started);
    assert_eq!(db.store.applied(50).await.unwrap(), None, "what was refused was not applied");
    assert!(
        matches!(before(20, 7, Opinion::For).await, Err(StoreError::Duplicate(_))),
        "the same is said again"
    );
    assert_eq!(db.store.uncounted_opinions().await.unwrap(), [], "the first asking has no count of its own");
}

#[tokio::test]
async fn an_edit_of_the_question_asks_again_and_one_of_its_bounds_does_not() {
    let db = Db::open().await;
    let first = proposition("Should we move?");
    let id = waits(&db, 1, Electorate::Everyone, &first).await;
    db.store.opine_before(&id, 0, says(10, 7, Opinion::For), AT).await.unwrap();
    let context = PropositionContext { geography: "Brno".to_owned(), ..PropositionContext::default() };
    assert!(edit(&db, &id, 20, &Proposition { context, ..first.clone() }).await.unwrap());
    assert_eq!(said(&db, &id, OpinionStage::Before).await, [(7, Opinion::For)]);

    let reread = db.store.opine_before(&id, 0, says(30, 8, Opinion::For), AT).await;
    assert_eq!(refusal(reread), OpinionRefusal::Reread, "they had the card before the edit");
    db.store.opine_before(&id, 20, says(31, 8, Opinion::For), AT).await.unwrap();
    assert!(edit(&db, &id, 40, &proposition("Should we sell?")).await.unwrap());
    assert_eq!(said(&db, &id, OpinionStage::Before).await, []);
    // An older edit that comes late changes nothing, and forgets nothing.
    db.store.opine_before(&id, 40, says(50, 8, Opinion::Against), AT).await.unwrap();
    assert!(!edit(&db, &id, 35, &proposition("Should we stay?")).await.unwrap());
    assert_eq!(said(&db, &id, OpinionStage::Before).await, [(8, Opinion::Against)]);

    start(&db, &id, 60, AT).await.unwrap();
    assert!(matches!(edit(&db, &id, 70, &first).await, Err(StoreError::NotRunning(_))));
    assert_eq!(said(&db, &id, OpinionStage::Before).await, [(8, Opinion::Against)]);
}

#[tokio::test]
async fn a_session_that_ends_takes_no_opinions_and_one_that_asks_again_keeps_them() {
    let db = Db::open().await;
    let first = proposition("Should we move?");
    let id = waits(&db, 1, Electorate::Everyone, &first).await;
    db.store.opine_before(&id, 0, says(10, 7, Opinion::For), AT).await.unwrap();
    let overdue = db.store.opine_before(&id, 0, says(11, 8, Opinion::For), AT + DAY).await;
    assert!(matches!(overdue, Err(StoreError::NotRunning(_))), "{overdue:?}");
    db.store.move_session(&id, LIVE, SessionState::Failed, None, vec![], AT).await.unwrap();
    let ended = db.store.opine_before(&id, 0, says(12, 8, Opinion::For), AT).await;
    assert!(matches!(ended, Err(StoreError::NotRunning(state)) if state == "failed"));

    db.store.retry_session(&id, event(13, "retry"), AT).await.unwrap();
    let again = NewWait {
        key: key(),
        kind: "proposition",
        deadline_ms: AT + DAY,
        draft: draft(&first),
        vote: Some(rules(Electorate::Named(vec![UserId(1)]))),
        posts: Vec::new(),
    };
    db.store.open_wait(&id, again, AT).await.unwrap();
    let asked = asking(&db, &id, OpinionStage::Before).await;
    assert_eq!(asked.vote.rules.electorate, Electorate::Everyone, "the rules are those it opened with");
    assert_eq!(said(&db, &id, OpinionStage::Before).await, [(7, Opinion::For)]);
    db.store.opine_before(&id, 0, says(14, 8, Opinion::For), AT).await.unwrap();
}

#[tokio::test]
async fn after_the_debate_it_is_asked_once_and_counted_once() {
    let db = Db::open().await;
    let id = waits(&db, 1, Electorate::Everyone, &proposition("Should we move?")).await;
    db.store.opine_before(&id, 0, says(10, 7, Opinion::For), AT).await.unwrap();
    db.store.opine_before(&id, 0, says(11, 8, Opinion::Undecided), AT).await.unwrap();
    start(&db, &id, 12, AT).await.unwrap();
    for at_ms in [AT, AT + 5] {
        let settled = Settled { kind: "opinions".to_owned(), ..settled(&id, "opinion", &["opinion"]) };
        db.store.open_opinions(&id, settled, rules(Electorate::Everyone), at_ms).await.unwrap();
    }
    assert_eq!(db.posts(&id).await, ["proposition", "opinion"]);
    let panel = db.store.panel(&id, "opinion").await.unwrap().unwrap();
    assert_eq!((panel.revision, panel.shown, panel.message), (1, 1, PanelMessage::Waiting));
    let opened = asking(&db, &id, OpinionStage::After).await;
    assert_eq!((opened.deadline_ms, opened.vote.deadline), (Some(AT + DAY), Some((AT + DAY) / 1000)));
    assert_eq!(db.store.next_deadline(AT).await.unwrap(), Some(AT + 20 * HOUR), "the reminder");
    assert_eq!(db.store.next_deadline(AT + 20 * HOUR).await.unwrap(), Some(AT + DAY));

    let after = |event_id, voter, opinion, at| db.store.opine_after(&id, says(event_id, voter, opinion), at);
    after(20, 7, Opinion::Against, AT).await.unwrap();
    after(22, 9, Opinion::For, AT).await.unwrap();
    after(24, 8, Opinion::Undecided, AT).await.unwrap();
    assert_eq!(after(23, 8, Opinion::For, AT).await.unwrap(), Cast::Older);
    assert!(!db.store.close_opinions(&id, Closing::Deadline, AT + DAY - 1).await.unwrap(), "too early");
    assert!(!db.store.count_opinions(&id, posts(&id, &["early"])).await.unwrap(), "it is open");
    let late = after(30, 9, Opinion::For, AT + DAY).await;
    assert_eq!(refusal(late), OpinionRefusal::Over, "though nobody has looked at the clock");

    let person = |n| Closing::Person { event: event(n, "close"), by: MEMBER, by_name: "Ada".to_owned() };
    assert!(db.store.close_opinions(&id, person(40), AT + 9).await.unwrap());
    assert!(matches!(db.store.close_opinions(&id, person(40), AT + 9).await, Err(StoreError::Duplicate(_))));
    let again = db.store.close_opinions(&id, person(41), AT + 9).await;
    assert!(matches!(again, Err(StoreError::Opinion(OpinionRefusal::Over))), "{again:?}");
    assert!(!db.store.close_opinions(&id, Closing::Deadline, AT + DAY).await.unwrap());
    assert_eq!(refusal(after(42, 9, Opinion::For, AT + 10).await), OpinionRefusal::Over);
    let closed = asking(&db, &id, OpinionStage::After).await;
    assert_eq!(closed.vote.state, OpinionState::Closed(Closed::Person("Ada".to_owned())));

    assert_eq!(db.store.uncounted_opinions().await.unwrap(), std::slice::from_ref(&id));
    assert!(db.store.count_opinions(&id, posts(&id, &["swing"])).await.unwrap());
    assert!(!db.store.count_opinions(&id, posts(&id, &["swing again"])).await.unwrap());
    assert_eq!(db.posts(&id).await, ["proposition", "opinion", "swing"]);
    assert_eq!(db.store.uncounted_opinions().await.unwrap(), []);
    let before = asking(&db, &id, OpinionStage::Before).await.vote.ballots;
    let swing = Swing::of(&before, &asking(&db, &id, OpinionStage::After).await.vote.ballots);
    assert_eq!((swing.before, swing.after), ([1, 1, 0], [1, 1, 1]));
    assert_eq!((swing.both(), swing.changed()), (2, 1));
}

#[tokio::test]
async fn who_is_not_asked_is_refused_and_the_last_who_is_closes_it() {
    let db = Db::open().await;
    let named = Electorate::Named(vec![UserId(7), UserId(8)]);
    let id = waits(&db, 1, named.clone(), &proposition("Should we move?")).await;
    let stranger = db.store.opine_before(&id, 0, says(10, 9, Opinion::For), AT).await;
    assert_eq!(refusal(stranger), OpinionRefusal::Ineligible);
    for (event_id, voter) in [(11, 7), (12, 8)] {
        let said = db.store.opine_before(&id, 0, says(event_id, voter, Opinion::For), AT).await;
        assert_eq!(said.unwrap(), Cast::Counts, "before, it is the start that closes");
    }
    let id = asks_after(&db, 2, named).await;
    assert_eq!(
        refusal(db.store.opine_after(&id, says(20, 9, Opinion::For), AT).await),
        OpinionRefusal::Ineligible
    );
    assert_eq!(db.store.opine_after(&id, says(21, 7, Opinion::For), AT).await.unwrap(), Cast::Counts);
    assert_eq!(db.store.opine_after(&id, says(22, 7, Opinion::Against), AT).await.unwrap(), Cast::Counts);
    assert_eq!(db.store.opine_after(&id, says(23, 8, Opinion::For), AT).await.unwrap(), Cast::Last);
    assert_eq!(
        asking(&db, &id, OpinionStage::After).await.vote.state,
        OpinionState::Closed(Closed::Everyone)
    );

    let id = asks_after(&db, 3, Electorate::Role(RoleId(5))).await;
    let new = says(31, 7, Opinion::For);
    assert_eq!(refusal(db.store.opine_after(&id, new.clone(), AT).await), OpinionRefusal::Ineligible);
    let with = NewOpinion { roles: vec![RoleId(4), RoleId(5)], ..new };
    assert_eq!(db.store.opine_after(&id, with, AT).await.unwrap(), Cast::Counts);
}

#[tokio::test]
async fn deadlines_and_reminders_are_kept_once() {
    let db = Db::open().await;
    let id = asks_after(&db, 1, Electorate::Everyone).await;
    assert_eq!(db.store.opinions_to_remind(AT + 20 * HOUR - 1).await.unwrap(), []);
    assert_eq!(db.store.opinions_to_remind(AT + 20 * HOUR).await.unwrap(), std::slice::from_ref(&id));
    assert!(db.store.remind_opinions(&id, posts(&id, &["remind"]), AT + 20 * HOUR).await.unwrap());
    assert!(!db.store.remind_opinions(&id, posts(&id, &["remind"]), AT + 20 * HOUR).await.unwrap());
    assert_eq!(db.store.overdue_opinions(AT + DAY - 1).await.unwrap(), []);
    assert_eq!(db.store.overdue_opinions(AT + DAY).await.unwrap(), std::slice::from_ref(&id));
    assert!(db.store.close_opinions(&id, Closing::Deadline, AT + DAY).await.unwrap());
    assert_eq!(db.store.overdue_opinions(AT + DAY).await.unwrap(), []);
    assert_eq!(
        asking(&db, &id, OpinionStage::After).await.vote.state,
        OpinionState::Closed(Closed::Deadline)
    );
    assert_eq!(db.posts(&id).await, ["proposition", "opinion", "remind"]);
}

#[tokio::test]
async fn an_asking_that_nobody_has_seen_ends_with_its_session_and_a_posted_one_outlives_it() {
    let db = Db::open().await;
    for (n, posted) in [(1, false), (2, true)] {
        let id = asks_after(&db, n, Electorate::Everyone).await;
        if posted {
            let sent = format!(
                "UPDATE outbox SET state = 'sent', message_id = 5, first_try_ms = 1 WHERE session_id = '{id}' AND post_key = 'opinion'"
            );
            let mut raw = db.raw().await;
            let done = sqlx::query(AssertSqlSafe(sent)).execute(&mut raw).await.unwrap();
            assert_eq!(done.rows_affected(), 1);
        }
        let cancel = event(70 + n, "cancel");
        db.store.cancel_session(&id, cancel, "x".to_owned(), Vec::new(), AT).await.unwrap();
        let asked = db.store.opinions(&id, OpinionStage::After).await.unwrap();
        assert_eq!(asked.is_some(), posted);
        assert!(db.store.opinions(&id, OpinionStage::Before).await.unwrap().is_some());
    }
    let halted = db.start_in(3, SessionState::Cancelled).await;
    let settled = Settled { allowed: RUNNING, ..settled(&halted, "opinion", &["opinion"]) };
    let refused = db.store.open_opinions(&halted, settled, rules(Electorate::Everyone), AT).await;
    assert!(matches!(refused, Err(StoreError::NotRunning(_))), "{refused:?}");
    assert!(db.store.opinions(&halted, OpinionStage::After).await.unwrap().is_none());
}

#[tokio::test]
async fn the_schema_refuses_what_must_never_be_in_an_asking() {
    let db = Db::open().await;
    let id = asks_after(&db, 1, Electorate::Everyone).await;
    let over = asks_after(&db, 2, Electorate::Everyone).await;
    db.store.opine_after(&over, says(11, 7, Opinion::For), AT).await.unwrap();
    assert!(db.store.close_opinions(&over, Closing::Deadline, AT + DAY).await.unwrap());
    let mut raw = db.raw().await;
    let say = |session: &SessionId, stage: &str, opinion: &str| {
        format!("INSERT INTO opinion VALUES ('{session}', '{stage}', 99, 'x', '{opinion}', 1, 1)")
    };
    let change = |session: &SessionId, stage: &str, what: &str| {
        format!("UPDATE opinion_vote SET {what} WHERE session_id = '{session}' AND stage = '{stage}'")
    };
    let refused = [
        say(&over, "after", "for"),
        say(&id, "before", "for"),
        say(&id, "after", "maybe"),
        say(&id, "during", "for"),
        format!("UPDATE opinion SET opinion = 'against' WHERE session_id = '{over}'"),
        format!(
            "INSERT INTO opinion_vote (session_id, stage, rules, opened_ms) VALUES ('{id}', 'before', '{{}}', 1)"
        ),
        format!(
            "INSERT INTO opinion_vote (session_id, stage, rules, opened_ms) VALUES ('{id}', 'during', '{{}}', 1)"
        ),
        change(&id, "after", "closed_ms = 1"),
        change(&id, "after", "state = 'closed'"),
        change(&id, "after", "deadline_ms = NULL, remind_ms = NULL"),
        change(&id, "after", "deadline_ms = opened_ms"),
        change(&id, "after", "state = 'closed', closed_ms = 1, closed_why = 'start', remind_ms = NULL"),
        change(&id, "after", "state = 'closed', closed_ms = 1, closed_why = 'deadline'"),
        change(&id, "before", "closed_why = 'deadline'"),
        change(&id, "before", "deadline_ms = 99999999999999"),
        change(&id, "before", "state = 'open'"),
        change(&over, "after", "closed_why = 'person'"),
        change(&over, "after", "closed_why = 'boredom'"),
        change(&over, "after", "closed_by_id = 4"),
        change(&over, "after", "remind_ms = 4"),
        change(&over, "after", "rules = '{'"),
    ];
    for statement in refused {
        let outcome = sqlx::query(AssertSqlSafe(statement.clone())).execute(&mut raw).await;
        let error = outcome.expect_err(&statement).to_string();
        let known = ["constraint failed", "opinions are not asked now"];
        assert!(known.iter().any(|known| error.contains(known)), "{statement}: {error}");
    }
    // The neighbours of what is refused are allowed.
    for statement in [
        say(&id, "after", "undecided"),
        format!("UPDATE opinion SET opinion = 'against' WHERE session_id = '{id}'"),
        change(&id, "after", "state = 'closed', closed_ms = 1, closed_why = 'everyone', remind_ms = NULL"),
        change(&over, "after", "state = 'counted'"),
    ] {
        sqlx::query(AssertSqlSafe(statement.clone())).execute(&mut raw).await.expect(&statement);
    }
}
