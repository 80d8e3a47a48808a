//! A session that waits for people, killed before, while and after they answer: they are asked once, in one
//! thread, and what they answered stands.

use std::time::Duration;

use quorum::playground::{
    Id,
    ids::{ADA, DECISIONS},
};
use serde_json::json;
use sqlx::Row;

use crate::{
    people::{Doing, People, Then},
    scene::{
        Journal, PATIENCE, PROBLEM, card, database, posts, stage, text_of, texts, thread, wait_over,
        wait_thread,
    },
    support::Stage,
};

/// Ada sees to it that the second expert is a courier, and lets it go on.
const EDIT_AND_GO: &[Doing] = &[
    Doing {
        member: ADA,
        verb: "roles_edit",
        choose: &[],
        then: Then::Send(&["Baker", "Asks for bread.", "Courier", "Asks who rides in the rain."]),
    },
    Doing::press(ADA, "roles_go"),
];

/// Ada thinks better of it.
const CANCEL: &[Doing] =
    &[Doing { member: ADA, verb: "roles_cancel", choose: &[], then: Then::Sure("cancel_sure") }];

fn roundtable(stage: &Stage) {
    let options = json!({"problem": PROBLEM});
    stage.discord.client().run_command(ADA, DECISIONS, "roundtable", options).unwrap();
}

/// Waits until every panel is as it should be.
async fn wait_panels(stage: &Stage) {
    let pool = database(stage).await;
    let until = tokio::time::Instant::now() + PATIENCE;
    loop {
        let behind = sqlx::query("SELECT count(*) AS n FROM panel WHERE shown < revision");
        if behind.fetch_one(&pool).await.unwrap().get::<i64, _>("n") == 0 {
            return pool.close().await;
        }
        assert!(tokio::time::Instant::now() < until, "a panel is behind: {}", card(stage));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The end of a session, with all that it shows as it should be.
async fn wait_end(stage: &Stage) -> Id {
    let thread = wait_over(stage, "Done").await;
    wait_panels(stage).await;
    thread
}

fn is_done(stage: &Stage) -> bool {
    thread(stage).is_some_and(|thread| texts(stage, thread).iter().any(|text| text == "closing"))
}

/// What a session leaves behind that nothing disturbs: its commits and its texts.
async fn undisturbed() -> (u64, Vec<String>) {
    let stage = stage().await;
    let bot = stage.bot().await;
    let people = People::follow(&stage, EDIT_AND_GO);
    roundtable(&stage);
    let thread = wait_end(&stage).await;
    drop(people);
    let commits = bot.store.commits();
    bot.kill().await;
    (commits, texts(&stage, thread))
}

/// Holds a finished session against an undisturbed one, and against what the journal held at each kill.
async fn check(stage: &Stage, wanted: &[String], kills: &[Journal]) {
    let thread = thread(stage).expect("a thread");
    assert_eq!(texts(stage, thread), wanted, "the thread is not what it is without a kill");
    let live: Vec<String> = posts(stage, DECISIONS).iter().map(text_of).collect();
    assert_eq!(live.len(), 1, "one live card: {live:#?}");
    let after = Journal::read(stage).await;
    assert_eq!(after.sessions, ["done"]);
    assert_eq!(after.unsent, Vec::<String>::new());
    for before in kills {
        for (key, output) in &before.finished {
            assert_eq!(after.finished.get(key), Some(output), "{key} changed");
            assert_eq!(after.attempts.get(key), before.attempts.get(key), "{key} was asked for again");
        }
    }
    let minded = stage.discord.violations();
    assert_eq!(minded, Vec::<String>::new());
    assert_eq!(stage.model.strays(), Vec::<String>::new());
}

/// A session is killed once it has made `k` commits, then in each further life after so many more; the people are
/// there in every life.
async fn killed_at(k: u64, lives: &[u64], wanted: &[String]) {
    let stage = stage().await;
    let bot = stage.bot_that_halts(Some(k)).await;
    assert!(stage.discord.client().wait_bot(Duration::from_secs(10)).await);
    let people = People::follow(&stage, EDIT_AND_GO);
    roundtable(&stage);
    while bot.store.commits() < k && !is_done(&stage) {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    drop(people);
    if k.is_multiple_of(2) {
        // What is under way outside ends, and nobody writes it down.
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    bot.kill().await;
    let mut kills = vec![Journal::read(&stage).await];
    for commits in lives {
        let people = People::follow(&stage, EDIT_AND_GO);
        stage.bot_killed_after(*commits, || is_done(&stage)).await;
        drop(people);
        kills.push(Journal::read(&stage).await);
    }
    let bot = stage.bot_that_halts(None).await;
    let people = People::follow(&stage, EDIT_AND_GO);
    wait_end(&stage).await;
    drop(people);
    bot.kill().await;
    check(&stage, wanted, &kills).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_after_every_commit_people_are_asked_once_and_their_answer_stands() {
    let (commits, wanted) = undisturbed().await;
    assert!(commits > 15, "{commits} commits");
    assert!(wanted.iter().any(|text| text.contains("Courier")), "{wanted:#?}");
    let wanted: std::sync::Arc<[String]> = wanted.into();
    crate::killed::play((1..=commits + 3).map(|k| {
        let wanted = wanted.clone();
        (format!("killed after commit {k}"), async move { killed_at(k, &[], &wanted).await })
    }))
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_again_and_again_they_are_still_asked_once() {
    let (commits, wanted) = undisturbed().await;
    let wanted: std::sync::Arc<[String]> = wanted.into();
    let lives: [&[u64]; 4] = [&[1, 1], &[2], &[3, 1], &[4]];
    crate::killed::play((1..=commits).step_by(3).zip(lives.into_iter().cycle()).map(|(k, lives)| {
        let wanted = wanted.clone();
        (format!("killed after {k} and then {lives:?}"), async move { killed_at(k, lives, &wanted).await })
    }))
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wait_costs_nothing_and_survives_one_restart_after_another() {
    let stage = stage().await;
    let bot = stage.bot().await;
    roundtable(&stage);
    let thread = wait_thread(&stage).await;
    let asked = |message: &serde_json::Value| text_of(message).contains("Go");
    stage.discord.client().wait_message(thread, PATIENCE, asked).await.expect("proposed roles");
    bot.kill().await;
    let (calls, said) = (stage.model.calls().len(), texts(&stage, thread));
    for _ in 0..3 {
        let bot = stage.bot().await;
        // The card is drawn anew, which is the last thing that a start does.
        let waits = |message: &serde_json::Value| text_of(message).contains("Waits for Ada");
        stage.discord.client().wait_message(DECISIONS, PATIENCE, waits).await.expect("whom it waits for");
        tokio::time::sleep(Duration::from_millis(200)).await;
        bot.kill().await;
        assert_eq!(Journal::read(&stage).await.sessions, ["waiting"]);
        assert_eq!(stage.model.calls().len(), calls);
        assert_eq!(texts(&stage, thread), said);
    }
    let bot = stage.bot().await;
    let people = People::follow(&stage, EDIT_AND_GO);
    wait_end(&stage).await;
    drop(people);
    bot.kill().await;
    assert_eq!(stage.discord.threads(DECISIONS).len(), 1);
}

/// A session that is cancelled while it waits, killed once after `k` commits.
async fn cancelled_and_killed_at(k: u64) {
    let stage = stage().await;
    let bot = stage.bot_that_halts(Some(k)).await;
    assert!(stage.discord.client().wait_bot(Duration::from_secs(10)).await);
    let people = People::follow(&stage, CANCEL);
    roundtable(&stage);
    let over = || card(&stage).contains("Cancelled");
    while bot.store.commits() < k && !over() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    drop(people);
    bot.kill().await;
    let bot = stage.bot_that_halts(None).await;
    let people = People::follow(&stage, CANCEL);
    let thread = wait_over(&stage, "Cancelled").await;
    wait_panels(&stage).await;
    drop(people);
    bot.kill().await;
    assert_eq!(Journal::read(&stage).await.sessions, ["cancelled"]);
    let said = texts(&stage, thread);
    assert_eq!(said.iter().filter(|text| text.contains("ended the session")).count(), 1, "{said:#?}");
    assert_eq!(said.len(), 2, "the roles and the note: {said:#?}");
    let left = posts(&stage, thread).iter().any(|post| post["components"].to_string().contains("roles_"));
    assert!(!left, "nothing is left to press");
    assert_eq!(stage.model.strays(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelled_while_it_waits_and_killed_it_ends_once() {
    crate::killed::play(
        (1..=14)
            .map(|k| (format!("killed after commit {k}"), async move { cancelled_and_killed_at(k).await })),
    )
    .await;
}
