//! Sessions that are paused or wait for people: nothing is left to do about them, unless their card shows less than is so.

use domain::{ChannelId, MessageId, SessionId, SessionState};
use quorum::store::Pause;
use sqlx::{AssertSqlSafe, query};

use super::fixture::{AT, Db, attempt, event, unanswered};

/// A paused session whose card is in its thread and has not been drawn since.
async fn paused() -> (Db, SessionId) {
    let db = Db::open().await;
    let id = db.start(1).await;
    let card = db.store.next_post(&id).await.unwrap().unwrap();
    db.store.post_sent(card.id, MessageId(900)).await.unwrap();
    db.store.intend(attempt(&id, "slow"), AT).await.unwrap();
    let (asked, times) = (Some(event(5, "pause")), (AT, AT + 1_000));
    db.store.pause_session(&id, Pause::Asked, asked, "Paused.".to_owned(), vec![], times).await.unwrap();
    (db, id)
}

async fn unfinished(db: &Db) -> usize {
    db.store.unfinished_sessions().await.unwrap().len()
}

/// Its card is drawn as it is now.
async fn draw(db: &Db, id: &SessionId) {
    let row = db.store.session(id).await.unwrap();
    db.store.card_shows(id, row.state, row.card_due).await.unwrap();
}

#[tokio::test]
async fn a_session_that_sleeps_is_nothing_to_do() {
    let (db, id) = paused().await;
    draw(&db, &id).await;
    assert_eq!(unfinished(&db).await, 1, "a call is not settled, and it has no thread");
    db.store.thread_opened(&id, ChannelId(900)).await.unwrap();
    assert_eq!(unfinished(&db).await, 1, "a call is not settled");
    db.store.end_attempt(&id, unanswered("slow", 1), AT).await.unwrap();
    draw(&db, &id).await;
    assert_eq!(unfinished(&db).await, 0);
    db.store
        .resume_session(&id, event(6, "resume"), super::fixture::MEMBER, super::fixture::MANY, AT)
        .await
        .unwrap();
    assert_eq!(unfinished(&db).await, 1, "it runs");
    assert_eq!(db.number("SELECT count(*) FROM card_due").await, 0);
}

#[tokio::test]
async fn whatever_its_card_shows_makes_it_due_when_it_changes() {
    let (db, id) = paused().await;
    db.store.thread_opened(&id, ChannelId(900)).await.unwrap();
    draw(&db, &id).await;
    db.store.end_attempt(&id, unanswered("slow", 1), AT).await.unwrap();
    assert!(
        db.store.session(&id).await.unwrap().card_due.is_some(),
        "what a call cost that had been under way"
    );
    let mut raw = db.raw().await;
    for change in [
        "UPDATE session SET notice = 'Paused by Ben.'",
        "UPDATE session SET question = 'Where?', question_state = 'open'",
        "UPDATE session SET offer_state = 'open'",
        "UPDATE wait SET draft = '{}'",
        "UPDATE account SET calls_cap = calls_cap + 1 WHERE scope = 'session'",
        "INSERT INTO step VALUES ('$', 'budget/1', 'budget', 'done', '{}', 1, 1)",
        "UPDATE outbox SET state = 'dead', message_id = NULL",
        "UPDATE outbox SET state = 'pending'",
    ] {
        draw(&db, &id).await;
        assert!(!db.store.session(&id).await.unwrap().card_is_due(), "before {change}");
        query(AssertSqlSafe(change.replace('$', id.as_str()))).execute(&mut raw).await.unwrap();
        assert!(db.store.session(&id).await.unwrap().card_is_due(), "{change}");
        assert!(unfinished(&db).await == 1, "{change}");
    }
}

#[tokio::test]
async fn what_changes_while_a_card_is_drawn_is_drawn_too() {
    let (db, id) = paused().await;
    let drawn = db.store.session(&id).await.unwrap();
    query("UPDATE session SET notice = 'Paused by Ben.'").execute(&mut db.raw().await).await.unwrap();
    db.store.card_shows(&id, drawn.state, drawn.card_due).await.unwrap();
    let now = db.store.session(&id).await.unwrap();
    assert_eq!(now.card_state, Some(SessionState::Paused));
    assert!(now.card_is_due() && now.card_due != drawn.card_due);
    draw(&db, &id).await;
    assert!(!db.store.session(&id).await.unwrap().card_is_due());
}

#[tokio::test]
async fn the_next_deadline_is_the_nearest_that_has_not_passed() {
    let (db, id) = paused().await;
    assert_eq!(db.store.next_deadline(AT).await.unwrap(), Some(AT + 1_000));
    assert_eq!(db.store.next_deadline(AT + 1_000).await.unwrap(), None);
    query("UPDATE wait SET value = 'running'").execute(&mut db.raw().await).await.unwrap();
    assert_eq!(db.store.next_deadline(AT).await.unwrap(), None);
    let _ = id;
}
