//! The index of what sessions say: told of every change, and empty of what is deleted.

use domain::{ChannelId, GuildId, SessionState, wanted};
use quorum::store::{Inbound, SearchText, StoreError};

use super::fixture::{AT, Db, GUILD, MANY, RUNNING, id, post};

const HERE: &[ChannelId] = &[ChannelId(500)];

fn text(outcome: &str) -> SearchText {
    SearchText { title: "Do we open?".to_owned(), outcome: outcome.to_owned(), rest: String::new() }
}

async fn found(db: &Db, words: &str) -> i64 {
    db.store.search(GUILD, HERE, &wanted(words).unwrap(), (0, 10)).await.unwrap().1
}

#[tokio::test]
async fn a_session_is_read_when_it_has_ended_and_again_with_all_that_is_said_after() {
    let db = Db::open().await;
    let session = db.start(1).await;
    let unread = async || db.store.unread_sessions(Some(GUILD), 10).await.unwrap();
    assert_eq!(unread().await, []);
    db.store
        .move_session(&session, RUNNING, SessionState::Failed, None, vec![post(&session, "closing")], AT)
        .await
        .unwrap();
    let (read, first) = unread().await.remove(0);
    assert_eq!(read, session);
    db.store.put_text(&session, first, text("on Sundays")).await.unwrap();
    assert_eq!((unread().await, found(&db, "sund").await), (vec![], 1));
    assert_eq!(db.store.unread_sessions(None, 10).await.unwrap(), []);

    // Tried again, it is found no more until it is over again.
    let event = Inbound { id: 1, kind: "retry", session: None, by: None, effect: String::new() };
    db.store.retry_session(&session, event, MANY, AT).await.unwrap();
    assert_eq!((unread().await, found(&db, "sund").await), (vec![], 0));
    db.store
        .move_session(&session, RUNNING, SessionState::Done, None, vec![post(&session, "vote/result")], AT)
        .await
        .unwrap();
    let (_, now) = unread().await.remove(0);
    // What was read before the last change is not put in.
    db.store.put_text(&session, now - 1, text("on Mondays")).await.unwrap();
    assert_eq!(found(&db, "mondays").await, 0);
    db.store.put_text(&session, now, text("on Tuesdays")).await.unwrap();
    assert_eq!((found(&db, "tuesdays").await, found(&db, "sundays").await), (1, 0));
    assert_eq!(db.store.unread_sessions(Some(GuildId(72)), 10).await.unwrap(), []);

    // Nowhere but on its server and in its channel.
    let words = wanted("tuesdays").unwrap();
    assert_eq!(db.store.search(GuildId(72), HERE, &words, (0, 10)).await.unwrap().1, 0);
    assert_eq!(db.store.search(GUILD, &[ChannelId(501)], &words, (0, 10)).await.unwrap().1, 0);
    assert_eq!(db.store.search(GUILD, &[], &words, (0, 10)).await.unwrap().1, 0);
}

#[tokio::test]
async fn what_is_deleted_is_in_no_table_of_the_index() {
    let db = Db::open().await;
    for n in [1, 2] {
        let session = db.start_in(n, SessionState::Done).await;
        db.store.put_text(&session, 1, text(&format!("quizzacious{n} ferrets"))).await.unwrap();
    }
    let running = db.start(3).await;
    let event = |id| Inbound { id, kind: "delete", session: None, by: None, effect: "gone".to_owned() };
    let refused = db.store.delete_session(&running, event(1), AT).await;
    assert!(matches!(refused, Err(StoreError::NotRunning(_))), "{refused:?}");
    db.store.delete_session(&id(1), event(2), AT).await.unwrap();
    let again = db.store.delete_session(&id(1), event(2), AT).await;
    assert!(matches!(again, Err(StoreError::Duplicate(said)) if said == "gone"));
    assert_eq!((found(&db, "quizzacious1").await, found(&db, "ferrets").await), (0, 1));
    let word = "SELECT count(*) FROM found_data WHERE instr(CAST(block AS TEXT), 'quizzacious1') > 0";
    assert_eq!(db.number(word).await, 0);
    db.store.empty_log().await.unwrap();
    let bytes = std::fs::read(&db.path).unwrap();
    let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(!holds("quizzacious1") && holds("quizzacious2"));
    db.store.delete_session(&id(2), event(3), AT).await.unwrap();
    db.store.empty_log().await.unwrap();
    let bytes = std::fs::read(&db.path).unwrap();
    assert!(!bytes.windows(11).any(|window| window == b"quizzacious"));
}
