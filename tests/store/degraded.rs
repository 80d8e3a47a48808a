//! What was degraded: noted once beside its step, read as it happened, taken back where steps are tried again.

use domain::{Countable, Degraded, ModelName, Piece, SessionId, SessionState};
use quorum::store::Settled;

use super::fixture::{AT, Db, MANY, RUNNING, event, settled};

async fn step(db: &Db, session: &SessionId, (key, at): (&str, i64), kind: &str, failed: bool) {
    let settled = Settled { kind: kind.to_owned(), failed, ..settled(session, key, &[]) };
    db.store.settle(session, None, settled, at).await.unwrap();
}

fn model() -> ModelName {
    "openai/beta".parse().unwrap()
}

#[tokio::test]
async fn notes_stand_once_in_their_order_and_what_is_tried_again_is_noted_anew() {
    let db = Db::open().await;
    let (one, other) = (db.start(1).await, db.start(2).await);
    let stood_in = Piece::Memo.stood_in(Some(&model())).unwrap();
    let citations = Countable::Citations.counted(2).unwrap();
    let missing = Piece::DraftCheck("Ada".to_owned(), domain::Written::Memo)
        .missing(Some("the model declined to answer"));
    let steps =
        [("z", "ask:x", false, &citations), ("b", "ask:x", true, &missing), ("c", "keep", false, &stood_in)];
    for (key, kind, failed, note) in steps {
        // Nobody was asked after what failed, so it is tried again.
        let at = if failed { AT + 1 } else { AT };
        step(&db, &one, (key, at), kind, failed).await;
        for note in [note, &Degraded::TooFewRoles] {
            db.store.note_degraded(&one, &key.into(), std::slice::from_ref(note)).await.unwrap();
        }
    }
    let all = [citations.clone(), missing, stood_in];
    assert_eq!(db.store.degraded(&one).await.unwrap(), all, "the first word stands");
    assert_eq!(db.store.degraded(&other).await.unwrap(), []);

    db.store.move_session(&one, RUNNING, SessionState::Failed, None, vec![], AT).await.unwrap();
    db.store.retry_session(&one, event(9, "retry"), MANY, AT).await.unwrap();
    assert_eq!(db.store.degraded(&one).await.unwrap(), [citations], "an answer that stands needs no new one");
}
