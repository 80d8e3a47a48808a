//! The clock on the wall jumps by an hour, forward and back, while a vote is open: it closes once, and stays closed.

use std::{fs, path::Path, time::Duration};

use playground::ids::{ADA, BEN, BOT, DECISIONS};
use serde_json::json;

use super::{
    power::library,
    processes::command,
    scene::{Journal, PATIENCE, PROBLEM, stage, thread, wait_over},
};
use crate::support::{Stage, nothing_comes, play::read, program::Program, until};

/// More than the bot lets pass between two looks at its deadlines.
const LOOKS: Duration = Duration::from_secs(25);

/// The wall clock is off by so many seconds from now on.
fn set_clock(folder: &Path, seconds: i64) {
    // Renamed, so that nobody reads half of it.
    let (part, whole) = (folder.join("clock.part"), folder.join("clock"));
    fs::write(&part, seconds.to_string()).unwrap();
    fs::rename(part, whole).unwrap();
}

/// How many results of a vote stand in the thread.
fn results(stage: &Stage) -> usize {
    let there = stage.public(thread(stage).unwrap());
    there.iter().map(read).filter(|text| text.contains("What the experts and the team chose")).count()
}

async fn vote_state(stage: &Stage) -> String {
    sqlx::query_scalar("SELECT state FROM vote").fetch_one(&stage.rows().await).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "waits more than a minute for what a jump must not do; .ci/nightly runs it"]
async fn a_vote_over_which_the_clock_jumps_closes_once() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path());
    let stage = stage().await;
    let start = |log: &str| {
        let mut program = command(&stage, folder.path(), log);
        Program::start(program.env("LD_PRELOAD", &library).env("SYNCED", folder.path()))
    };
    let mut program = start("log");
    let member = stage.discord.client();
    assert!(member.wait_bot(PATIENCE).await, "{}", fs::read_to_string(folder.path().join("log")).unwrap());
    member.run_command(ADA, DECISIONS, "mediate", json!({"problem": PROBLEM, "vote_hours": 1})).unwrap();
    let here = wait_over(&stage, "Done").await;
    let panel = stage.wait_for(here, "Close vote").await;

    // Back by an hour: nothing closes and nothing is refused for it.
    set_clock(folder.path(), -3_600);
    let voted = stage.choose(BEN, here, &panel, "All 10 points to…", "1").await;
    assert!(voted.text().contains("10"), "{}", voted.text());
    nothing_comes(LOOKS).await;
    assert_eq!(vote_state(&stage).await, "open");

    // Forward past the deadline: it closes by itself, with the ballot.
    set_clock(folder.path(), 3_700);
    stage.wait_for(here, "What the experts and the team chose").await;
    // Back before it, and past it again.
    for seconds in [0, 7_200] {
        set_clock(folder.path(), seconds);
        nothing_comes(LOOKS).await;
    }
    assert_eq!((vote_state(&stage).await.as_str(), results(&stage)), ("counted", 1), "once, and for good");
    program.kill().unwrap();
    program.wait().unwrap();
    assert_eq!(Journal::read(&stage).await.unsent, Vec::<String>::new());
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
}

/// The days and months on which something was used, by the accounts.
async fn days(stage: &Stage) -> Vec<String> {
    let days = "SELECT DISTINCT day FROM account WHERE day <> '' ORDER BY day";
    sqlx::query_scalar(days).fetch_all(&stage.rows().await).await.unwrap()
}

/// One that stands days ahead when the program starts ends no vote and refuses none, and begins no day of a budget: all goes
/// by what Discord says.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_stands_days_ahead_at_the_start_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path());
    let stage = stage().await;
    let start = |log: &str| {
        let mut program = command(&stage, folder.path(), log);
        Program::start(program.env("LD_PRELOAD", &library).env("SYNCED", folder.path()))
    };
    let log = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    let mut program = start("first.log");
    let member = stage.discord.client();
    assert!(member.wait_bot(PATIENCE).await, "{}", log("first.log"));
    member.run_command(ADA, DECISIONS, "mediate", json!({"problem": PROBLEM, "vote_hours": 1})).unwrap();
    let here = wait_over(&stage, "Done").await;
    stage.wait_for(here, "Close vote").await;
    program.kill().unwrap();
    program.wait().unwrap();

    set_clock(folder.path(), 3 * 24 * 3_600);
    let mut program = start("ahead.log");
    until(|| log("ahead.log").contains("stands far ahead of Discord's"), || log("ahead.log")).await;
    assert!(member.wait_bot(PATIENCE).await, "{}", log("ahead.log"));
    let (panel, used) = (stage.wait_for(here, "Close vote").await, days(&stage).await);
    let voted = stage.choose(BEN, here, &panel, "All 10 points to…", "1").await;
    assert!(voted.text().contains("10"), "{}", voted.text());
    let asked = stage.model.calls().len();
    member.say(BEN, here, &format!("<@{BOT}> Which town comes next?")).unwrap();
    until(|| stage.model.calls().len() > asked, || log("ahead.log")).await;
    assert_eq!(days(&stage).await, used, "no day of a budget begins");
    nothing_comes(LOOKS).await;
    assert_eq!((vote_state(&stage).await.as_str(), results(&stage)), ("open", 0));
    program.kill().unwrap();
    program.wait().unwrap();

    set_clock(folder.path(), 3_700);
    let mut program = start("right.log");
    stage.wait_for(here, "What the experts and the team chose").await;
    program.kill().unwrap();
    program.wait().unwrap();
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
}
