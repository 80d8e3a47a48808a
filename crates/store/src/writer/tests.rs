use super::*;
use crate::{Inbound, StoreOptions, inbound};
use domain::SessionId;

fn event(id: u64) -> Inbound {
    Inbound { id, kind: "test", session: None::<SessionId>, by: None, effect: String::new() }
}

macro_rules! record {
    ($id:expr) => {
        move |tx| Box::pin(async move { inbound::record(tx, &event($id), 0).await })
    };
}

#[tokio::test]
async fn a_piece_of_work_that_panics_is_refused_alone() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("q.db"), StoreOptions::default(), 0).await.unwrap();
    let good = |n| store.write(move |tx| Box::pin(async move { inbound::record(tx, &event(n), 0).await }));
    let bad = store.write::<(), _>(|tx| {
        Box::pin(async move {
            inbound::record(tx, &event(2), 0).await?;
            panic!("in the midst of its work")
        })
    });
    let (before, bad, after) = tokio::join!(good(1), bad, good(3));
    assert!(before.is_ok() && after.is_ok());
    assert!(matches!(bad, Err(StoreError::Panicked(_))));
    good(2).await.unwrap(); // nothing of the one that panicked was kept
}

#[tokio::test]
async fn what_can_wait_goes_with_what_comes_next_and_alone_after_a_moment() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("q.db"), StoreOptions::default(), 0).await.unwrap();
    // A machine that is slow just between two lines lets the moment pass; not each time.
    let mut shared = false;
    for first in (1..40).step_by(2) {
        let before = store.writer.commits();
        let ahead = store.write_ahead(record!(first)).unwrap();
        let again = store.write_ahead(record!(first)).unwrap();
        store.write(record!(first + 1)).await.unwrap();
        // What was handed over earlier is there or was refused by now.
        assert!(ahead.written().now_or_never().is_some_and(|written| written.is_ok()));
        assert!(again.written().now_or_never().is_some_and(|written| written.is_err()));
        shared |= store.writer.commits() == before + 1;
    }
    assert!(shared, "they never went with what came next");
    let before = store.writer.commits();
    store.write_with_next(record!(100)).await.unwrap();
    assert_eq!(store.writer.commits(), before + 1);
}

#[tokio::test]
async fn the_end_of_the_writer_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("q.db"), StoreOptions::default(), 0).await.unwrap();
    assert!(store.stopped().now_or_never().is_none());
    let broken = Job {
        run: Box::new(|_| panic!("beyond what is caught")),
        finish: Box::new(|_| ()),
        turn: Arc::default(),
        with_next: false,
    };
    assert!(store.writer.jobs.send(broken).is_ok());
    assert!(matches!(store.stopped().await, StoreError::Closed));
    let refused = store.write(|tx| Box::pin(async move { inbound::record(tx, &event(1), 0).await })).await;
    assert!(matches!(refused, Err(StoreError::Closed)));
}

#[tokio::test]
async fn a_full_disk_is_waited_for_and_its_neighbours_are_written_once() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("q.db"), StoreOptions::default(), 0).await.unwrap();
    // What is handed over while a transaction is being done goes into the next one together. Were the first of them alone
    // in its own, the file would be left without room for good.
    let (at_work, mut works) = watch::channel(false);
    let (open, opened) = watch::channel(false);
    let gate = store
        .write_ahead(move |_| {
            Box::pin(async move {
                at_work.send_replace(true);
                let _ = opened.clone().wait_for(|open| *open).await;
                Ok(())
            })
        })
        .unwrap();
    assert!(works.wait_for(|works| *works).await.is_ok());
    // No room until it was said that there is none, and then at the next try still.
    let (tries, said_at) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(u64::MAX)));
    let (seen, told_at) = (Arc::clone(&tries), Arc::clone(&said_at));
    let room = store.write(move |tx| {
        Box::pin(async move {
            let at = seen.fetch_add(1, Ordering::SeqCst);
            let pages = if at <= told_at.load(Ordering::SeqCst) { 1 } else { 1_000_000 };
            let set = format!("PRAGMA max_page_count = {pages}");
            sqlx::query(sqlx::AssertSqlSafe(set)).execute(tx).await?;
            Ok(())
        })
    });
    let large = store.write(|tx| {
        Box::pin(async move {
            let effect = "x".repeat(300_000);
            inbound::record(tx, &Inbound { effect, ..event(1) }, 0).await
        })
    });
    let mut waits = store.waits_for_disk();
    let small = store.write(|tx| Box::pin(async move { inbound::record(tx, &event(2), 0).await }));
    // What `wait_for` gives holds a lock, which must not be kept.
    let said = async {
        open.send_replace(true);
        let said = waits.wait_for(|waits| *waits).await.is_ok();
        said_at.store(tries.load(Ordering::SeqCst), Ordering::SeqCst);
        said
    };
    let (room, large, small, said) = tokio::join!(room, large, small, said);
    assert!(gate.written().await.is_ok());
    assert!(room.is_ok() && large.is_ok() && small.is_ok() && said, "{large:?}");
    assert_eq!(tries.load(Ordering::SeqCst), said_at.load(Ordering::SeqCst) + 2);
    assert!(!*store.waits_for_disk().borrow());
    assert!(store.applied(1).await.unwrap().is_some() && store.applied(2).await.unwrap().is_some());
}
