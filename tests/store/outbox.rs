//! Posts waiting to be sent.

use domain::{ChannelId, GuildId, MessageId, Post, SessionState};
use quorum::store::{NewPost, Settled, Target};

use super::fixture::{AT, Db, GUILD, RUNNING, post, settled};

#[tokio::test]
async fn posts_go_out_one_after_another() {
    let db = Db::open().await;
    let (id, other) = (db.start(1).await, db.start(2).await);
    let reply = NewPost { reply_to: Some(MessageId(77)), ..post(&id, "b") };
    let step = Settled { posts: vec![reply, post(&id, "a"), post(&id, "c")], ..settled(&id, "s", &[]) };
    db.store.settle(&id, None, step, AT).await.unwrap();
    db.store.settle(&other, None, settled(&other, "s", &["x"]), AT).await.unwrap();

    let card = db.store.next_post(&id).await.unwrap().unwrap();
    assert_eq!((card.target, card.first_try_ms), (Target::Channel, None));
    db.store.post_tried(card.id, AT + 1).await.unwrap();
    db.store.post_tried(card.id, AT + 2).await.unwrap();
    let again = db.store.next_post(&id).await.unwrap().unwrap();
    assert_eq!((again.id, again.tries, again.first_try_ms), (card.id, 2, Some(AT + 1)), "until it is sent");
    assert_eq!(db.store.session(&id).await.unwrap().status_message, None);
    db.store.post_sent(card.id, MessageId(900)).await.unwrap();
    let row = db.store.session(&id).await.unwrap();
    assert_eq!((row.status_message, row.card_state), (Some(MessageId(900)), Some(SessionState::Running)));

    let next = db.store.next_post(&id).await.unwrap().unwrap();
    assert_eq!((next.key.as_str(), next.target, next.reply_to), ("b", Target::Thread, Some(MessageId(77))));
    assert_eq!(next.nonce, format!("{id}/b"));
    assert_eq!(next.post, Post { content: format!("{id}/b"), ..Post::default() });
    db.store.post_sent(next.id, MessageId(901)).await.unwrap();
    db.store.post_dead(next.id, "too late".to_owned()).await.unwrap(); // it is sent
    let next = db.store.next_post(&id).await.unwrap().unwrap();
    assert_eq!(next.key, "a");
    db.store.post_dead(next.id, "50035: refused".to_owned()).await.unwrap();
    assert_eq!(db.store.next_post(&id).await.unwrap().unwrap().key, "c", "a dead post stops none behind it");
    assert_eq!(db.store.session(&id).await.unwrap().status_message, Some(MessageId(900)));

    assert!(db.store.known_posts().is_own(&id, MessageId(901)).await.unwrap());
    assert!(!db.store.known_posts().is_own(&id, MessageId(902)).await.unwrap());
    assert!(!db.store.known_posts().is_own(&other, MessageId(901)).await.unwrap());
    db.store.drop_unsent(&id, "the thread is gone".to_owned()).await.unwrap();
    assert!(db.store.next_post(&id).await.unwrap().is_none());
    assert!(db.store.next_post(&other).await.unwrap().is_some());
    assert_eq!(db.number("SELECT count(*) FROM outbox WHERE state = 'dead'").await, 2);
    assert_eq!(db.number("SELECT count(*) FROM outbox WHERE state = 'sent'").await, 2);
}

#[tokio::test]
async fn a_post_is_sent_once_whatever_is_said_of_it_later() {
    let db = Db::open().await;
    let id = db.start(1).await;
    let card = db.store.next_post(&id).await.unwrap().unwrap();
    db.store.post_sent(card.id, MessageId(900)).await.unwrap();
    db.store.card_shows(&id, SessionState::Done, None).await.unwrap();
    db.store.post_sent(card.id, MessageId(999)).await.unwrap();
    assert!(db.store.known_posts().is_own(&id, MessageId(900)).await.unwrap());
    assert!(!db.store.known_posts().is_own(&id, MessageId(999)).await.unwrap());
    let row = db.store.session(&id).await.unwrap();
    assert_eq!((row.status_message, row.card_state), (Some(MessageId(900)), Some(SessionState::Done)));
}

#[tokio::test]
async fn a_last_line_waits_for_those_of_its_server_that_were_written_before() {
    let db = Db::open().await;
    let mut closings = Vec::new();
    for n in 1..=3 {
        let id = db.start(n).await;
        db.store.thread_opened(&id, ChannelId(900 + n)).await.unwrap();
        let card = db.store.next_post(&id).await.unwrap().unwrap();
        db.store.post_sent(card.id, MessageId(900 + n)).await.unwrap();
        let closing = vec![post(&id, "closing")];
        db.store.move_session(&id, RUNNING, SessionState::Done, None, closing, AT).await.unwrap();
        closings.push(db.store.next_post(&id).await.unwrap().unwrap().id);
    }
    let waits = async |guild, n: usize| db.store.ends_before(guild, closings[n]).await.unwrap();
    assert_eq!([waits(GUILD, 0).await, waits(GUILD, 1).await, waits(GUILD, 2).await], [false, true, true]);
    assert!(!waits(GuildId(GUILD.0 + 1), 2).await, "another server's");
    db.store.post_sent(closings[0], MessageId(1000)).await.unwrap();
    assert_eq!([waits(GUILD, 1).await, waits(GUILD, 2).await], [false, true]);
    db.store.post_tried(closings[1], AT).await.unwrap();
    assert!(waits(GUILD, 2).await, "it is on its way");
    db.store.post_tried(closings[1], AT).await.unwrap();
    assert!(!waits(GUILD, 2).await, "Discord does not take it, and nobody waits for that");
}
