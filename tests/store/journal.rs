//! The journal: intended first, settled once, with its posts and its cost in one transaction.

use domain::{Money, SessionState};
use quorum::store::{NewAttempt, Settled, StepState, StoreError};
use serde_json::json;

use super::fixture::{AT, Db, RUNNING, answered, attempt, event, id, post, posts, settled, unanswered};

#[tokio::test]
async fn a_step_is_intended_tried_and_done() {
    let db = Db::open().await;
    let id = db.start(1).await;
    assert!(db.store.step(&id, &"round-1/market".into()).await.unwrap().is_none());
    assert_eq!(db.store.intend(attempt(&id, "round-1/market"), AT).await.unwrap(), 1);
    let step = db.store.step(&id, &"round-1/market".into()).await.unwrap().unwrap();
    assert_eq!((step.kind.as_str(), step.state, step.output), ("ask", StepState::Intent, None));

    db.store.end_attempt(&id, unanswered("round-1/market", 1), AT + 30).await.unwrap();
    assert_eq!(db.store.intend(attempt(&id, "round-1/market"), AT + 40).await.unwrap(), 2);
    let end = Some(answered("round-1/market", 2));
    db.store.settle(&id, end, settled(&id, "round-1/market", &["card"]), AT + 90).await.unwrap();
    let step = db.store.step(&id, &"round-1/market".into()).await.unwrap().unwrap();
    assert_eq!((step.state, step.output), (StepState::Done, Some(json!({"of": "round-1/market"}))));

    let tries = db.store.attempts(&id, &"round-1/market".into()).await.unwrap();
    let brief: Vec<_> = tries.iter().map(|a| (a.n, a.state.as_str(), a.millis)).collect();
    assert_eq!(brief, [(1, "failed", Some(30)), (2, "ok", Some(50))]);
    assert_eq!(tries[0].problem.as_deref(), Some("network: refused"));
    let ok = &tries[1];
    assert_eq!((ok.model.as_str(), ok.answered.as_deref()), ("openai/asked", Some("gpt-real")));
    assert_eq!((ok.prompt_version.as_str(), ok.request.as_deref()), ("v1", Some("request round-1/market")));
    assert_eq!(ok.reply.as_deref(), Some("reply round-1/market 2"));
    assert_eq!((ok.input_tokens, ok.cached_tokens, ok.output_tokens), (Some(10), Some(20), Some(10)));
    assert_eq!(ok.money, Some(Money(7)));
    assert_eq!(db.store.models_used(&id).await.unwrap(), [("gpt-real".to_owned(), 1)]);
}

#[tokio::test]
async fn a_step_settles_once() {
    let db = Db::open().await;
    let id = db.start(1).await;
    let n = db.store.intend(attempt(&id, "a"), AT).await.unwrap();
    db.store.settle(&id, Some(answered("a", n)), settled(&id, "a", &["one", "two"]), AT).await.unwrap();
    let ledger = db.store.ledger(&id).await.unwrap();

    // Again with another result and other posts, with the attempt and without, as a failure too.
    for (end, failed) in [(Some(answered("a", n)), false), (None, false), (None, true)] {
        let other = Settled {
            failed,
            kind: "other".to_owned(),
            output: json!("other"),
            ..settled(&id, "a", &["one", "three"])
        };
        db.store.settle(&id, end, other, AT + 9).await.unwrap();
    }
    let step = db.store.step(&id, &"a".into()).await.unwrap().unwrap();
    assert_eq!((step.kind.as_str(), step.state), ("ask", StepState::Done));
    assert_eq!(step.output, Some(json!({"of": "a"})));
    assert_eq!(db.posts(&id).await, ["one", "two"]);
    assert_eq!(db.store.ledger(&id).await.unwrap(), ledger, "charged once");
    assert_eq!(db.store.attempts(&id, &"a".into()).await.unwrap()[0].millis, Some(0));
}

#[tokio::test]
async fn of_a_hundred_settlements_at_once_one_stands_with_its_posts() {
    let db = Db::open().await;
    let id = db.start(1).await;
    let tasks = (0..100).map(|n| {
        let (store, id) = (db.store.clone(), id.clone());
        let settled = Settled {
            output: json!(n),
            posts: posts(&id, &[&format!("{n}/a"), &format!("{n}/b")]),
            ..settled(&id, "a", &[])
        };
        tokio::spawn(async move { store.settle(&id, None, settled, AT).await })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap().unwrap();
    }
    let won = db.store.step(&id, &"a".into()).await.unwrap().unwrap().output.unwrap();
    assert_eq!(db.posts(&id).await, [format!("{won}/a"), format!("{won}/b")]);
}

#[tokio::test]
async fn posts_stand_in_order_and_are_never_written_twice() {
    let db = Db::open().await;
    let id = db.start(1).await;
    let parts = |key: &str| -> Vec<_> {
        let part =
            |part| quorum::store::NewPost { part, nonce: format!("{id}/{key}/{part}"), ..post(&id, key) };
        (0..3).map(part).collect()
    };
    for key in ["z", "a", "m"] {
        let settled = Settled { posts: parts(key), ..settled(&id, key, &[]) };
        db.store.settle(&id, None, settled, AT).await.unwrap();
    }
    // A step of its own that writes a post which is there already leaves it as it is.
    let again = Settled { posts: parts("a"), ..settled(&id, "again", &[]) };
    db.store.settle(&id, None, again, AT).await.unwrap();
    assert_eq!(db.posts(&id).await, ["z", "z", "z", "a", "a", "a", "m", "m", "m"]);
}

#[tokio::test]
async fn what_one_transaction_cannot_keep_whole_it_does_not_keep() {
    let db = Db::open().await;
    let (one, two) = (db.start(1).await, db.start(2).await);
    db.store.settle(&one, None, settled(&one, "a", &["card-1"]), AT).await.unwrap();
    let n = db.store.intend(attempt(&two, "a"), AT).await.unwrap();
    // The second post's nonce is taken, so the step and its charge fall with it.
    let mut clash = settled(&two, "a", &["first", "second"]);
    clash.posts[1].nonce = format!("{one}/card-1");
    let refused = db.store.settle(&two, Some(answered("a", n)), clash, AT).await;
    assert!(matches!(refused, Err(StoreError::Database(_))), "{refused:?}");
    assert_eq!(db.store.step(&two, &"a".into()).await.unwrap().unwrap().state, StepState::Intent);
    assert_eq!(db.store.attempts(&two, &"a".into()).await.unwrap()[0].state, "sent");
    assert_eq!(db.posts(&two).await, Vec::<String>::new());
    assert_eq!(db.number("SELECT sum(calls_held) FROM account WHERE scope = 'session'").await, 1);
}

#[tokio::test]
async fn nothing_is_sent_or_settled_in_a_session_that_does_not_run() {
    use SessionState::{Cancelled, Done, Failed, Parked, Paused, Waiting};
    const AFTER: &[SessionState] = &[Done];
    let db = Db::open().await;
    for (n, state) in (1..).zip([Paused, Waiting, Done, Failed, Cancelled, Parked]) {
        let id = db.start_in(n, state).await;
        let intend = db.store.intend(attempt(&id, "a"), AT).await;
        assert!(matches!(intend, Err(StoreError::NotRunning(now)) if now == state.as_str()));
        let settle = db.store.settle(&id, None, settled(&id, "a", &["card"]), AT).await;
        assert!(matches!(settle, Err(StoreError::NotRunning(now)) if now == state.as_str()));
        assert!(db.store.step(&id, &"a".into()).await.unwrap().is_none());
        assert_eq!(db.posts(&id).await, Vec::<String>::new());
    }
    assert_eq!(db.number("SELECT count(*) FROM attempt").await, 0);
    assert_eq!(db.number("SELECT count(*) FROM account").await, 0);
    // A follow-up names the states in which it is allowed.
    let follow_up = NewAttempt { allowed: AFTER, ..attempt(&id(3), "followup/1") };
    db.store.intend(follow_up, AT).await.unwrap();
    let answer = Settled { allowed: AFTER, ..settled(&id(3), "followup/1", &["answer"]) };
    db.store.settle(&id(3), Some(answered("followup/1", 1)), answer, AT).await.unwrap();
    assert_eq!(db.posts(&id(3)).await, ["answer"]);
    assert!(matches!(db.store.intend(attempt(&id(99), "a"), AT).await, Err(StoreError::Missing("session"))));
}

#[tokio::test]
async fn a_reply_that_comes_late_is_kept_and_charged() {
    let db = Db::open().await;
    let late = async |n, to| {
        let id = db.start(n).await;
        let n = db.store.intend(attempt(&id, "a"), AT).await.unwrap();
        if to == SessionState::Cancelled {
            let cancel = event(70, "cancel");
            db.store.cancel_session(&id, cancel, String::new(), vec![], AT).await.unwrap();
        } else {
            db.store.move_session(&id, RUNNING, to, None, vec![], AT).await.unwrap();
        }
        db.store.settle(&id, Some(answered("a", n)), settled(&id, "a", &["card"]), AT).await.unwrap();
        let step = db.store.step(&id, &"a".into()).await.unwrap().unwrap();
        assert_eq!((step.state, step.output), (StepState::Done, Some(json!({"of": "a"}))));
        let ledger = db.store.ledger(&id).await.unwrap();
        assert_eq!((ledger.calls, ledger.tokens, ledger.cost), (1, 40, Money(7)), "{to:?}");
        assert_eq!(db.store.attempts(&id, &"a".into()).await.unwrap()[0].reply.as_deref(), Some("reply a 1"));
        db.posts(&id).await
    };
    assert_eq!(late(1, SessionState::Cancelled).await, Vec::<String>::new());
    // These can go on, and the step, being done, would not write its card again.
    assert_eq!(late(2, SessionState::Paused).await, ["card"]);
    assert_eq!(late(3, SessionState::Failed).await, ["card"]);
}

#[tokio::test]
async fn finished_steps_are_listed_by_the_beginning_of_their_key() {
    let db = Db::open().await;
    let (id, other) = (db.start(1).await, db.start(2).await);
    for key in ["round-1/b", "round-1/a", "round-10/a", "rounds/x", "vote"] {
        db.store.settle(&id, None, settled(&id, key, &[]), AT).await.unwrap();
    }
    let failed = Settled { failed: true, ..settled(&id, "round-1/c", &[]) };
    db.store.settle(&id, None, failed, AT).await.unwrap();
    db.store.settle(&other, None, settled(&other, "round-1/z", &[]), AT).await.unwrap();
    db.store.intend(attempt(&id, "round-1/open"), AT).await.unwrap();
    let keys = async |prefix: &str| {
        let steps = db.store.steps(&id, prefix).await.unwrap();
        steps.into_iter().map(|(key, step)| (key, step.state)).collect::<Vec<_>>()
    };
    let done = |key: &str| (key.to_owned(), StepState::Done);
    let failed = ("round-1/c".to_owned(), StepState::Failed);
    assert_eq!(keys("round-1/").await, [done("round-1/a"), done("round-1/b"), failed]);
    assert_eq!(keys("round-%").await, []);
    assert_eq!(keys("").await.len(), 6);
}
