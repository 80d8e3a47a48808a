//! Triage: every press is kept and applied once, the newest counts in whatever order they come, and the panels that show
//! it are drawn again. And how long calls took.

use domain::{FindingId, SessionId, StepKey, Triage, TriageVerdict, UserId};
use quorum::store::{CallTimes, PanelEffect, Settled, StoreError};
use sqlx::AssertSqlSafe;

use super::fixture::{AT, Db, answered, attempt, event, settled, unanswered};

/// A session whose findings are posted, these of them.
async fn posted(db: &Db, n: u64, findings: &[u8]) -> SessionId {
    let id = db.start(n).await;
    for finding in findings {
        open(db, &id, &format!("finding/{finding}")).await;
    }
    open(db, &id, "triage").await;
    id
}

async fn open(db: &Db, id: &SessionId, key: &str) {
    let settled = Settled { kind: "panel".to_owned(), ..settled(id, key, &[key]) };
    db.store.settle_with_panel(id, settled, (key, PanelEffect::Opened), AT).await.unwrap();
}

fn panels(finding: u8) -> Vec<StepKey> {
    vec![StepKey::new(format!("finding/{finding}")), StepKey::from("triage")]
}

fn word(finding: u8, verdict: TriageVerdict, by: u64) -> Triage {
    Triage { finding: FindingId(finding), verdict, by: UserId(by), by_name: format!("member {by}"), at: 7 }
}

/// Member `by` presses: event, finding, verdict.
async fn press(
    db: &Db,
    id: &SessionId,
    by: u64,
    (n, finding, verdict): (u64, u8, TriageVerdict),
) -> Result<bool, StoreError> {
    let triage = word(finding, verdict, by);
    db.store.triage(id, event(n, "triage"), "late".to_owned(), triage, panels(finding), AT).await
}

async fn said(db: &Db, id: &SessionId) -> Vec<(u8, TriageVerdict, u64)> {
    let said = db.store.triage_of(id).await.unwrap();
    said.iter().map(|said| (said.finding.0, said.verdict, said.by.0)).collect()
}

async fn revision(db: &Db, id: &SessionId, key: &str) -> i64 {
    db.store.panel(id, key).await.unwrap().unwrap().revision
}

use TriageVerdict::{Accepted, Fixed, Open, Rejected};

#[tokio::test]
async fn the_newest_word_of_each_finding_counts_in_whatever_order_they_come() {
    let presses = [(10, 1, Accepted), (20, 1, Rejected), (30, 1, Fixed), (15, 2, Rejected), (25, 2, Open)];
    let orders = [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3], [1, 4, 0, 3, 2]];
    for order in orders {
        let db = Db::open().await;
        let id = posted(&db, 1, &[1, 2, 3]).await;
        for place in order {
            let newest = said(&db, &id).await.iter().any(|word| word.0 == presses[place].1);
            let counts = press(&db, &id, 31, presses[place]).await.unwrap();
            assert!(counts || newest, "the first word of a finding counts");
        }
        assert_eq!(said(&db, &id).await, [(1, Fixed, 31), (2, Open, 31)], "{order:?}");
        assert_eq!(
            db.number("SELECT count(*) FROM brought WHERE kind = 'triage'").await,
            5,
            "every word is kept"
        );
    }
}

#[tokio::test]
async fn a_press_is_applied_once_and_an_older_one_changes_nothing_that_is_shown() {
    let db = Db::open().await;
    let id = posted(&db, 1, &[1, 2]).await;
    let other = posted(&db, 2, &[1]).await;
    let before = (revision(&db, &id, "finding/1").await, revision(&db, &id, "triage").await);

    assert!(press(&db, &id, 31, (20, 1, Accepted)).await.unwrap());
    let after = (revision(&db, &id, "finding/1").await, revision(&db, &id, "triage").await);
    assert_eq!(after, (before.0 + 1, before.1 + 1));
    assert_eq!(revision(&db, &id, "finding/2").await, before.0, "the other findings are as they were");
    assert_eq!(revision(&db, &other, "triage").await, before.1);
    let stale = db.store.stale_panels().await.unwrap();
    assert!(stale.contains(&(id.clone(), "finding/1".to_owned())), "{stale:?}");

    let again = press(&db, &id, 31, (20, 1, Accepted)).await.unwrap_err();
    assert!(matches!(&again, StoreError::Duplicate(said) if said == "triage 20"), "{again:?}");
    assert!(!press(&db, &id, 32, (19, 1, Rejected)).await.unwrap(), "older than what stands");
    let again = press(&db, &id, 32, (19, 1, Rejected)).await.unwrap_err();
    assert!(matches!(&again, StoreError::Duplicate(said) if said == "late"), "{again:?}");
    assert_eq!((revision(&db, &id, "finding/1").await, revision(&db, &id, "triage").await), after);
    assert_eq!(said(&db, &id).await, [(1, Accepted, 31)]);
    assert_eq!(said(&db, &other).await, []);
    let row = &db.store.triage_of(&id).await.unwrap()[0];
    assert_eq!((row.by_name.as_str(), row.at), ("member 31", AT / 1000));

    // One press is one event, whatever it says of which session.
    assert!(press(&db, &other, 31, (20, 1, Fixed)).await.is_err());
    assert_eq!(said(&db, &other).await, []);
}

#[tokio::test]
async fn nothing_is_said_of_findings_whose_panels_are_not_all_open() {
    let db = Db::open().await;
    let id = db.start(1).await;
    open(&db, &id, "finding/1").await;
    let early = press(&db, &id, 31, (20, 1, Accepted)).await;
    assert!(matches!(early, Err(StoreError::Missing(_))), "{early:?}");
    assert_eq!(db.store.applied(20).await.unwrap(), None, "the press can come again");
    open(&db, &id, "triage").await;
    assert!(matches!(press(&db, &id, 31, (20, 2, Accepted)).await, Err(StoreError::Missing(_))));
    assert!(press(&db, &id, 31, (20, 1, Accepted)).await.unwrap());
    assert_eq!(said(&db, &id).await, [(1, Accepted, 31)]);
}

#[tokio::test]
async fn words_that_were_said_stay_as_they_were() {
    let db = Db::open().await;
    let id = posted(&db, 1, &[1]).await;
    press(&db, &id, 31, (20, 1, Accepted)).await.unwrap();
    let changed = sqlx::query("UPDATE brought SET text = 'fixed'").execute(&mut db.raw().await).await;
    assert!(changed.unwrap_err().to_string().contains("stays as it was said"));
    let corrupt = format!(
        "INSERT INTO brought (id, session_id, kind, number, author_id, author_name, text, at_ms, closed_ms)
         VALUES (99, '{id}', 'triage', 300, 1, 'Ada', 'fixed', 1, 1)"
    );
    sqlx::query(AssertSqlSafe(corrupt)).execute(&mut db.raw().await).await.unwrap();
    assert!(matches!(db.store.triage_of(&id).await, Err(StoreError::Corrupt(_))));
}

#[tokio::test]
async fn calls_are_timed_by_model_the_newest_first_and_only_those_that_succeeded() {
    let db = Db::open().await;
    let id = db.start(1).await;
    let call = async |key: &str, model: &str, started: i64, took: Option<i64>| {
        let new = quorum::store::NewAttempt { model: model.to_owned(), ..attempt(&id, key) };
        let n = db.store.intend(new, AT + started).await.unwrap();
        let end = if took.is_some() { answered(key, n) } else { unanswered(key, n) };
        db.store.end_attempt(&id, end, AT + started + took.unwrap_or(1)).await.unwrap();
    };
    call("a", "openai/alpha", 10, Some(100)).await;
    call("b", "openai/alpha", 20, Some(300)).await;
    call("c", "openai/beta", 30, Some(500)).await;
    call("d", "openai/alpha", 40, None).await;
    db.store.intend(attempt(&id, "e"), AT + 50).await.unwrap();

    let times = async |models: &[&str], most: i64| {
        let models: Vec<_> = models.iter().map(|model| model.parse().unwrap()).collect();
        let times = db.store.call_times(&models, most).await.unwrap();
        times
            .iter()
            .map(|CallTimes { started_ms, finished_ms }| (started_ms - AT, finished_ms - AT))
            .collect::<Vec<_>>()
    };
    assert_eq!(times(&["openai/alpha"], 100).await, [(20, 320), (10, 110)]);
    assert_eq!(times(&["openai/beta", "openai/alpha"], 2).await, [(30, 530), (20, 320)]);
    assert_eq!(times(&["openai/gamma"], 100).await, []);
    assert_eq!(times(&[], 100).await, []);
}
