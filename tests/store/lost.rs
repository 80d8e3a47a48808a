//! What a crash cut off: charged at its worst case, once, and only what an earlier process had under way.

use domain::Money;
use quorum::store::{Reserve, Store};

use super::fixture::{AT, DAY, Db, GUILD, TAKEOVER, answered, attempt, reserve, settled, unanswered};

#[tokio::test]
async fn only_what_an_earlier_process_had_under_way_is_charged_and_once() {
    let db = Db::open().await;
    let (id, other) = (db.start(1).await, db.start(2).await);
    for key in ["cut-off", "done", "failed", "unpriced"] {
        let money = if key == "unpriced" { Money(0) } else { Money(50) };
        let reserve = Reserve { money, ..reserve(&id) };
        let new = quorum::store::NewAttempt { reserve, ..attempt(&id, key) };
        db.store.intend(new, AT).await.unwrap();
    }
    db.store.intend(attempt(&other, "cut-off"), AT).await.unwrap();
    db.store.settle(&id, Some(answered("done", 1)), settled(&id, "done", &[]), AT).await.unwrap();
    db.store.end_attempt(&id, unanswered("failed", 1), AT).await.unwrap();
    assert_eq!(db.store.charge_lost(&id, AT).await.unwrap(), 0, "its own calls are still under way");

    let next = Store::open(&db.path, TAKEOVER, AT).await.unwrap();
    next.intend(attempt(&id, "new"), AT).await.unwrap();
    assert_eq!(next.charge_lost(&id, AT + 60).await.unwrap(), 2);
    assert_eq!(next.charge_lost(&id, AT + 61).await.unwrap(), 0);
    let ledger = next.ledger(&id).await.unwrap();
    // done 40 tokens and 7; cut off 100 and 50; unpriced 100; the new one holds its call.
    assert_eq!((ledger.calls, ledger.tokens, ledger.cost), (5, 240, Money(57)));
    assert_eq!((ledger.lost_calls, ledger.unpriced_calls), (2, 1));
    assert_eq!(
        next.guild_ledger(GUILD, DAY).await.unwrap().lost_calls,
        2,
        "the other session's is not charged yet"
    );
    let lost = next.attempts(&id, &"cut-off".into()).await.unwrap().remove(0);
    assert_eq!((lost.state.as_str(), lost.millis), ("lost", Some(60)));
    assert_eq!(lost.problem.as_deref(), Some("cut off by a restart"));
    assert_eq!(next.attempts(&id, &"new".into()).await.unwrap()[0].state, "sent");

    // A lost call's step is tried again, and the old call's end, should it still be told, changes nothing.
    assert_eq!(next.intend(attempt(&id, "cut-off"), AT).await.unwrap(), 2);
    next.end_attempt(&id, answered("cut-off", 1), AT).await.unwrap();
    assert_eq!(next.ledger(&id).await.unwrap().tokens, 240);
    assert_eq!(next.attempts(&id, &"cut-off".into()).await.unwrap()[0].state, "lost");
    assert_eq!(next.charge_lost(&other, AT).await.unwrap(), 1);
}

#[tokio::test]
async fn a_cancelled_sessions_lost_calls_are_found_too() {
    let db = Db::open().await;
    let id = db.start(1).await;
    db.store.intend(attempt(&id, "a"), AT).await.unwrap();
    let cancel = super::fixture::event(5, "cancel");
    db.store.cancel_session(&id, cancel, String::new(), vec![], AT).await.unwrap();
    db.store.card_shows(&id, domain::SessionState::Cancelled, None).await.unwrap();
    db.store.drop_unsent(&id, "gone".to_owned()).await.unwrap();
    // Killed here, before the aborted call was settled: else its worst case would stay held for good.
    let next = Store::open(&db.path, TAKEOVER, AT).await.unwrap();
    let left: Vec<_> = next.unfinished_sessions().await.unwrap().into_iter().map(|row| row.id).collect();
    assert_eq!(left, std::slice::from_ref(&id));
    assert_eq!(next.charge_lost(&id, AT).await.unwrap(), 1);
    assert_eq!(next.unfinished_sessions().await.unwrap().len(), 0);
}
