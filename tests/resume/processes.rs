//! Two processes on one database, and the program itself killed by the system.

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use playground::ids::{ADA, DECISIONS};
use quorum::store::{Store, StoreOptions};
use serde_json::json;
use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::{
    resume::scene::{
        Journal, MEDIATE_CALLS, PATIENCE, PROBLEM, account, mediate, posts, stage, texts, wait_over,
    },
    support::{
        Stage,
        program::{Program, end, signal},
        until,
    },
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_process_is_kept_out_by_the_lock() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quorum.db");
    let first = Store::open(&path, StoreOptions::default(), 1).await.unwrap();
    let refused = Store::open(&path, StoreOptions::default(), 2).await.err().expect("a refusal").to_string();
    assert!(refused.contains("another Quorum process is using"), "{refused}");
    assert!(refused.contains("Stop it first, or choose another database with DATABASE_URL"), "{refused}");
    drop(first);
    assert_eq!(Store::open(&path, StoreOptions::default(), 3).await.unwrap().epoch(), 2);
}

async fn wait_ended(bot: &crate::support::Actor) {
    let ended = tokio::time::timeout(Duration::from_secs(10), bot.ended.cancelled());
    ended.await.expect("the older bot stops");
}

/// The lock is of one machine; the epoch holds everywhere.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bot_whose_database_was_taken_over_writes_nothing_and_stops() {
    let stage = stage().await;
    stage.model.latency(Duration::from_millis(300));
    let older = stage.bot().await;
    mediate(&stage);
    stage.model.wait_calls(4, |_| true).await;
    let newer = stage.bot_that_halts(None).await;
    assert_eq!(newer.store.epoch(), older.store.epoch() + 1);
    wait_ended(&older).await;
    let thread = wait_over(&stage, "Done").await;
    older.kill().await;
    newer.kill().await;
    let mut said = texts(&stage, thread);
    assert_eq!(said.len(), 8, "{said:#?}");
    said.sort();
    said.dedup();
    assert_eq!(said.len(), 8, "something is there twice");
    let journal = Journal::read(&stage).await;
    let lost = journal.in_state("lost");
    assert!(stage.model.calls().len() <= MEDIATE_CALLS + lost);
    assert_eq!(account(&stage).await.1, 0);
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
}

/// A process that was stopped (a laptop that slept, a virtual machine that was moved) wakes up after another has taken its
/// place: on another machine, where the lock is not seen.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_slept_while_another_took_over_writes_nothing_and_ends() {
    let stage = stage().await;
    stage.model.latency(Duration::from_millis(300));
    let folder = tempfile::tempdir().unwrap();
    let sleeper = program(&stage, folder.path(), "sleeper.log");
    assert!(stage.discord.client().wait_bot(PATIENCE).await);
    mediate(&stage);
    stage.model.wait_calls(4, |_| true).await;
    // All of round 2 and of the drafts beside it, and time to stop before anything is answered: a call that is just leaving when
    // the process falls asleep leaves when it wakes up.
    stage.model.latency(Duration::from_secs(3));
    stage.model.wait_calls(12, |_| true).await;
    stop_between_writes(&stage, &sleeper).await;
    stage.model.latency(Duration::from_millis(300));
    fs::remove_file(stage.database().with_extension("db.lock")).unwrap();
    let mut taker = program(&stage, folder.path(), "taker.log");
    let thread = wait_over(&stage, "Done").await;
    let (calls, said, journal) =
        (stage.model.calls().len(), texts(&stage, thread), Journal::read(&stage).await);
    signal(&sleeper, "-CONT");
    let status = end(sleeper, "a process whose database was taken").await;
    let log = fs::read_to_string(folder.path().join("sleeper.log")).unwrap();
    assert!(!status.success() && log.contains("another Quorum process has taken over"), "{status}: {log}");
    assert_eq!(stage.model.calls().len(), calls, "it asks for nothing more");
    assert_eq!(texts(&stage, thread), said, "and posts nothing more");
    assert_eq!(Journal::read(&stage).await.finished, journal.finished);
    assert_eq!(said.len(), 8, "{said:#?}");
    assert!(calls <= MEDIATE_CALLS + journal.in_state("lost"));
    assert_eq!(account(&stage).await.1, 0);
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    taker.kill().unwrap();
    taker.wait().unwrap();
}

/// A bot with nothing to do learns of it with the first thing that it is asked for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_bot_whose_database_was_taken_over_stops_too() {
    let stage = stage().await;
    let older = stage.bot().await;
    let newer = stage.bot_that_halts(None).await;
    // Both have looked back by now, so that the command is news to them.
    tokio::time::sleep(Duration::from_millis(500)).await;
    mediate(&stage);
    wait_ended(&older).await;
    wait_over(&stage, "Done").await;
    assert_eq!(stage.model.calls().len(), MEDIATE_CALLS);
    older.kill().await;
    newer.kill().await;
}

/// Stops a process while it writes nothing. Stopped within a write, it would keep SQLite's lock on this machine, and whoever
/// took over would wait for it; on another machine, where the test plays, there is no such lock.
async fn stop_between_writes(stage: &Stage, process: &Child) {
    let options = SqliteConnectOptions::new().filename(stage.database()).busy_timeout(Duration::ZERO);
    let mut outside = SqliteConnection::connect_with(&options).await.unwrap();
    loop {
        signal(process, "-STOP");
        tokio::time::sleep(Duration::from_millis(20)).await;
        if sqlx::raw_sql("BEGIN IMMEDIATE; ROLLBACK").execute(&mut outside).await.is_ok() {
            return;
        }
        signal(process, "-CONT");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn program(stage: &Stage, folder: &Path, log: &str) -> Program {
    Program::start(&mut command(stage, folder, log))
}

/// `quorum run` as it is installed, with the stage around it.
pub(super) fn command(stage: &Stage, folder: &Path, log: &str) -> Command {
    let log = fs::File::options().create(true).append(true).open(folder.join(log)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_quorum"));
    command
        .arg("run")
        .current_dir(folder)
        .env_clear()
        .env("DISCORD_TOKEN", stage.discord.token())
        .env("DISCORD_API_BASE", stage.discord.url())
        .env("DATABASE_URL", format!("sqlite://{}", stage.database().display()))
        .env("OPENAI_API_KEY", "sk-test")
        .env("OPENAI_BASE_URL", stage.model.openai_base().as_str())
        .env("QUORUM_MODELS", "openai/alpha")
        .stdout(Stdio::from(log.try_clone().unwrap()))
        .stderr(Stdio::from(log));
    command
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_killed_in_round_2_finishes_the_same_thread() {
    let stage = stage().await;
    stage.model.latency(Duration::from_millis(200));
    let folder = tempfile::tempdir().unwrap();
    let mut first = program(&stage, folder.path(), "first.log");
    let member = stage.discord.client();
    let log = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(member.wait_bot(PATIENCE).await, "{}", log("first.log"));
    member.run_command(ADA, DECISIONS, "mediate", json!({"problem": PROBLEM})).unwrap();
    let in_round_2 =
        || stage.model.calls().iter().any(|call| call.schema_name.as_deref() == Some("module_revision"));
    until(in_round_2, || format!("round 2 is under way: {}", log("first.log"))).await;
    // While it runs, a second one is kept out and says why.
    let second = program(&stage, folder.path(), "second.log").wait().unwrap();
    assert!(!second.success());
    assert!(log("second.log").contains("another Quorum process is using"), "{}", log("second.log"));
    // SIGKILL.
    first.kill().unwrap();
    first.wait().unwrap();
    let before = Journal::read(&stage).await;
    assert!(!before.finished.contains_key("synthesis"));

    let mut again = program(&stage, folder.path(), "again.log");
    let thread = wait_over(&stage, "Done").await;
    again.kill().unwrap();
    again.wait().unwrap();
    let mut said = texts(&stage, thread);
    assert_eq!(said.len(), 8, "{said:#?}");
    said.sort();
    said.dedup();
    assert_eq!(said.len(), 8, "something is there twice");
    assert_eq!(posts(&stage, DECISIONS).len(), 1);
    let after = Journal::read(&stage).await;
    for (key, output) in &before.finished {
        assert_eq!(after.finished.get(key), Some(output), "{key} changed");
    }
    assert_eq!(after.in_state("lost"), before.open.len());
    assert!(stage.model.calls().len() <= MEDIATE_CALLS + before.open.len());
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
}
