//! What somebody chose for a session that is not started: kept for whoever chose it, for a day, and gone when they or the
//! server want it gone.

use domain::{GuildId, InteractionId, SessionState, UserId};
use quorum::store::{Erased, Inbound, NewSession, Opening};

use super::fixture::{AT, Db, GUILD, MEMBER, RUNNING, id, new_session};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Chosen at this time, as Discord numbers commands.
fn chosen(ms: i64, member: UserId) -> Opening {
    Opening {
        id: InteractionId(((ms - 1_420_070_400_000) << 22).cast_unsigned()),
        guild: GUILD,
        member,
        chosen: "{\"wish\":1}".to_owned(),
        typed: None,
    }
}

#[tokio::test]
async fn it_is_there_for_who_chose_it_and_keeps_what_was_typed_last() {
    let db = Db::open().await;
    let first = chosen(AT, MEMBER);
    db.store.keep_opening(first.clone()).await.unwrap();
    db.store.keep_opening(Opening { chosen: "{}".to_owned(), ..first.clone() }).await.unwrap();
    let look = async |guild, member| db.store.opening(first.id, guild, member).await.unwrap();
    assert_eq!(look(GUILD, MEMBER).await, Some(first.clone()), "delivered again, it stays as it was");
    assert_eq!(look(GuildId(GUILD.0 + 1), MEMBER).await, None);
    assert_eq!(look(GUILD, UserId(MEMBER.0 + 1)).await, None);

    for (sent_by, typed) in [(901, Some("one")), (902, Some("two")), (903, None)] {
        let written = typed.map(|typed: &str| (typed.to_owned(), format!("\"{typed}\"")));
        db.store.opening_sent(first.id, InteractionId(sent_by), written).await.unwrap();
    }
    let chosen = "\"two\"".to_owned();
    let kept = Some(Opening { typed: Some("two".to_owned()), chosen, ..first.clone() });
    assert_eq!(look(GUILD, MEMBER).await, kept);
    assert_eq!(db.store.opening_sent_by(InteractionId(903)).await.unwrap(), kept);
    assert_eq!(db.store.opening_sent_by(InteractionId(901)).await.unwrap(), None);
}

#[tokio::test]
async fn it_goes_after_a_day() {
    let db = Db::open().await;
    for at in [AT - 2 * DAY_MS, AT - DAY_MS - 1, AT - DAY_MS, AT - 1] {
        db.store.keep_opening(chosen(at, MEMBER)).await.unwrap();
    }
    while db.store.prune_rest(AT).await.unwrap() > 0 {}
    assert_eq!(db.number("SELECT count(*) FROM opening").await, 2);
}

#[tokio::test]
async fn it_goes_with_the_session_that_was_started_from_it() {
    let db = Db::open().await;
    let kept = chosen(AT, MEMBER);
    db.store.keep_opening(kept.clone()).await.unwrap();
    db.store.keep_opening(chosen(AT + 1, MEMBER)).await.unwrap();
    let new = NewSession { interaction: kept.id, ..new_session(1) };
    db.store.start_session(new, AT).await.unwrap();
    db.store.move_session(&id(1), RUNNING, SessionState::Done, None, vec![], AT).await.unwrap();
    let event = Inbound { id: 5, kind: "erase", session: None, by: None, effect: "Deleted.".to_owned() };
    db.store.ask_erasure(event, GUILD, Some(new_session(1).starter), AT + DAY_MS).await.unwrap();
    // Of this member nothing else is looked at before the session is gone.
    let erasure = db.store.erasures().await.unwrap().remove(0);
    assert_eq!(db.store.erase_some(erasure, AT + DAY_MS).await.unwrap(), Erased::More);
    assert_eq!(db.number("SELECT count(*) FROM session").await, 0);
    assert_eq!(db.number("SELECT count(*) FROM opening").await, 1);
}

#[tokio::test]
async fn it_goes_with_whoever_chose_it_and_with_the_server() {
    let db = Db::open().await;
    let other = UserId(MEMBER.0 + 1);
    for (n, (guild, member)) in
        [(GUILD, MEMBER), (GUILD, other), (GuildId(GUILD.0 + 1), MEMBER)].into_iter().enumerate()
    {
        let at = AT + i64::try_from(n).unwrap();
        db.store.keep_opening(Opening { guild, ..chosen(at, member) }).await.unwrap();
    }
    for (press, member, left) in [(1, Some(MEMBER), 2), (2, None, 1)] {
        let event =
            Inbound { id: press, kind: "erase", session: None, by: None, effect: "Deleted.".to_owned() };
        db.store.ask_erasure(event, GUILD, member, AT).await.unwrap();
        for erasure in db.store.erasures().await.unwrap() {
            while db.store.erase_some(erasure, AT).await.unwrap() == Erased::More {}
        }
        assert_eq!(db.number("SELECT count(*) FROM opening").await, left, "{member:?}");
    }
}
