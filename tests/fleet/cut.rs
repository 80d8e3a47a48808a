//! Ranges that do not fit: cut anew, given twice, refused by Discord, not a whole together.

use std::{process::Command, time::Duration};

use playground::Options;

use super::{
    Process, all_over, is_over, is_whole, mediate, no_rule_was_broken, online, said, servers, stage,
    stage_with,
};
use crate::support::{
    Stage, nothing_comes,
    program::{end, program_with},
    until,
};

/// What `quorum doctor` says with these settings and arguments.
async fn doctor(stage: &Stage, process: &Process, arguments: &[&str]) -> String {
    run(doctor_command(stage, process, arguments)).await
}

pub(super) async fn run(mut command: Command) -> String {
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    String::from_utf8(output.stdout).unwrap()
}

pub(super) fn doctor_command(stage: &Stage, process: &Process, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quorum"));
    command
        .arg("doctor")
        .args(arguments)
        .current_dir(process.folder.path())
        .env_clear()
        .env("DISCORD_TOKEN", stage.discord.token())
        .env("DISCORD_API_BASE", stage.discord.url())
        .env("DATABASE_URL", format!("sqlite://{}", process.database().display()))
        .env("OPENAI_API_KEY", "sk-test")
        .env("OPENAI_BASE_URL", stage.model.openai_base().as_str())
        .env("QUORUM_MODELS", "openai/alpha")
        .env("QUORUM_SHARDS", process.range.to_string());
    command
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_of_a_server_that_another_range_has_now_are_let_be_and_named() {
    let stage = stage().await;
    let mut process = Process::new("0-3/4");
    process.start(&stage);
    online(&stage, &[0, 1, 2, 3]).await;
    let channels = servers().map(|(_, channel)| channel);
    for channel in channels {
        mediate(&stage, channel);
    }
    until(|| channels.iter().all(|channel| said(&stage, *channel).len() >= 3), || "all have begun").await;
    process.kill();
    let before = channels.map(|channel| said(&stage, channel));
    assert!(!channels.iter().any(|channel| is_over(&stage, *channel)), "they are under way");

    process.range = "0-1/4".parse().unwrap();
    process.start(&stage);
    online(&stage, &[0, 1]).await;
    let (here, others) = channels.split_at(2);
    all_over(&stage, here).await;
    for channel in here {
        is_whole(&stage, *channel);
    }
    nothing_comes(Duration::from_secs(1)).await;
    assert_eq!(&before[2..], others.iter().map(|channel| said(&stage, *channel)).collect::<Vec<_>>());
    let sessions = process.sessions().await;
    let log = process.log();
    let told: Vec<&str> =
        log.lines().filter(|line| line.contains("`quorum prune --outside-shards`")).collect();
    assert_eq!(told.len(), 1, "{log}");
    for (shard, (guild, _)) in servers().into_iter().enumerate() {
        let named = format!("server {guild}, now of shard {shard} (sessions: 1, not over: 1)");
        assert_eq!(told[0].contains(&named), shard >= 2, "{log}");
        let running = sessions[&guild] == ["running"];
        assert_eq!(running, shard >= 2, "{sessions:?}: whole and as they were");
    }
    assert!(told[0].contains("servers=2") && told[0].contains("open_sessions=2"), "{log}");
    let said_by_doctor = doctor(&stage, &process, &[]).await;
    assert!(
        said_by_doctor.contains("WRONG  servers: ")
            && said_by_doctor.contains("`quorum prune --outside-shards`"),
        "{said_by_doctor}"
    );
    process.kill();
    the_process_that_has_them_is_named(&stage, &mut process).await;

    // Whoever has their shards goes on with them: here by giving the range back.
    process.range = "0-3/4".parse().unwrap();
    process.start(&stage);
    all_over(&stage, &channels).await;
    for channel in channels {
        is_whole(&stage, channel);
    }
    no_rule_was_broken(&stage);
}

/// Where the settings say who there is, log and `doctor` say who has which server.
async fn the_process_that_has_them_is_named(stage: &Stage, process: &mut Process) {
    process.settings.push(("QUORUM_FLEET", "0-1/4,2-3/4".to_owned()));
    process.start(stage);
    until(
        || process.log().contains("`quorum prune --outside-shards`"),
        || "it says which servers are elsewhere",
    )
    .await;
    let log = process.log();
    process.kill();
    let mut command = doctor_command(stage, process, &[]);
    command.env("QUORUM_FLEET", "0-1/4,2-3/4");
    let by_doctor = run(command).await;
    for (shard, (guild, _)) in servers().into_iter().enumerate() {
        let named = format!(
            "server {guild} is shard {shard} of 4 now: the process with QUORUM_SHARDS=2-3/4 has it (sessions: 1, not over: 1)"
        );
        assert_eq!(log.contains(&named), shard >= 2, "{log}");
        assert_eq!(by_doctor.contains(&named), shard >= 2, "{by_doctor}");
    }
    assert!(
        by_doctor.contains("2 ranges have every shard of 4 exactly once"),
        "without --ranges: {by_doctor}"
    );
    process.settings.clear();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_ranges_on_one_database_are_refused_with_a_sentence() {
    let stage = stage().await;
    let mut first = Process::new("0-1/4");
    first.start(&stage);
    online(&stage, &[0, 1]).await;
    let mut second =
        Process::new("2-3/4").with("DATABASE_URL", &format!("sqlite://{}", first.database().display()));
    second.start(&stage);
    let log = second.ended().await;
    assert!(log.contains("another Quorum process is using") && log.contains("DATABASE_URL"), "{log}");
    assert_eq!(stage.discord.shards_online(), [0, 1]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_count_that_discord_refuses_ends_the_process_with_what_to_set() {
    let stage = stage_with(Options { rate_limits: false, fewest_shards: 8, ..Options::default() }).await;
    let mut process = Process::new("2-3/4");
    process.start(&stage);
    let log = process.ended().await;
    let sentence = log.lines().last().unwrap_or_default();
    assert!(
        sentence.contains("code 4011") && sentence.contains("4 shards, as QUORUM_SHARDS says, are too few"),
        "{log}"
    );
    assert_eq!(stage.discord.connections(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_range_that_is_none_is_refused_before_anything_starts() {
    let stage = stage().await;
    for (range, says) in [
        ("0-4/4", "names shard 4, but of 4 shards the last is 3"),
        ("3-1/4", "goes backwards: write the lower number first, 1-3/4"),
        ("0/0", "of no shards"),
        ("all", "not a range of shards"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut program = program_with(&stage, folder.path(), &[("QUORUM_SHARDS", range)]);
        assert_eq!(program.wait().unwrap().code(), Some(2));
        let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
        assert!(
            log.contains(&format!("QUORUM_SHARDS is \"{range}\", which ")) && log.contains(says),
            "{log}"
        );
    }
    assert!(!stage.database().exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fleet_that_is_no_whole_or_does_not_have_this_range_is_refused_before_anything_starts() {
    let stage = stage().await;
    for (range, fleet, says) in [
        ("0-1/4", "0-1/4,3/4", "does not have every shard exactly once: no range has shard 2: nobody serves"),
        ("0-1/4", "0-1/4,1-3/4", "both have shard 1: its servers would be served twice"),
        ("0-1/4", "0-1/4,2-3/5", "are of different counts"),
        ("0-1/4", "0-1/4,2-4/4", "names shard 4, but of 4 shards the last is 3"),
        ("0-1/4", "0/4,1-3/4", "and QUORUM_SHARDS, which is 0-1/4, is none of these ranges"),
        ("", "0-1/4,2-3/4", "does not say which of these ranges this process runs"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let settings = [("QUORUM_SHARDS", range), ("QUORUM_FLEET", fleet)];
        let program = program_with(&stage, folder.path(), &settings);
        assert_eq!(end(program, fleet).await.code(), Some(2));
        let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
        assert!(log.contains("QUORUM_FLEET is ") && log.contains(says), "{fleet}: {log}");
    }
    assert!(!stage.database().exists());
}

/// A proxy that is down is named.
async fn first_without_its_proxy(stage: &Stage, first: &Process) {
    let mut command = doctor_command(stage, first, &[]);
    command.env("QUORUM_REST_RATE", "proxy").env("DISCORD_API_BASE", "http://127.0.0.1:9");
    let said = run(command).await;
    let remedy = "Look whether the rate-limit proxy runs at http://127.0.0.1:9/ (DISCORD_API_BASE)";
    assert!(said.contains("WRONG  Discord: ") && said.contains(remedy), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn doctor_says_whether_all_ranges_are_a_whole_and_each_server_lies_in_one_database() {
    let stage = stage().await;
    let mut fleet = [Process::new("0-1/4"), Process::new("2-3/4")];
    for process in &mut fleet {
        process.start(&stage);
    }
    online(&stage, &[0, 1, 2, 3]).await;
    for (_, channel) in servers() {
        mediate(&stage, channel);
    }
    until(|| servers().iter().all(|(_, channel)| !said(&stage, *channel).is_empty()), || "all have begun")
        .await;
    let [first, second] = &fleet;
    let paths = [first, second].map(|process| process.database().display().to_string());
    let both = paths.join(",");
    let all = ["--ranges", "0-1/4,2-3/4", "--databases", both.as_str()];
    let said = doctor(&stage, first, &all).await;
    for good in [
        "ok     shards: 2 ranges have every shard of 4 exactly once; Discord recommends 4",
        "ok     servers: 4 lie in one database each, that of their shard",
    ] {
        assert!(said.contains(good), "{said}");
    }
    let alone = doctor(&stage, second, &[]).await;
    assert!(
        alone.contains("ok     shards: this process runs 2-3/4") && alone.contains("ok     servers: 2 lie"),
        "{alone}"
    );

    let swapped = [paths[1].as_str(), paths[0].as_str()].join(",");
    let twice = [paths[0].as_str(), paths[0].as_str()].join(",");
    for (ranges, databases, wrong) in [
        ("0-1/4,3/4", "", "WRONG  shards: no range has shard 2"),
        ("0-2/4,2-3/4", "", "WRONG  shards: 0-2/4 and 2-3/4 both have shard 2"),
        ("0/4,1-3/4", "", "WRONG  shards: QUORUM_SHARDS is 0-1/4, which is none of the ranges"),
        ("0-1/4,2-3/4", swapped.as_str(), "which is of the shards 0-1/4, holds servers of other shards"),
        ("0-1/4,2-3/4", twice.as_str(), "lies in"),
        ("0-1/4,2-3/4", paths[0].as_str(), "WRONG  servers: 1 databases and 2 ranges are given"),
    ] {
        let mut arguments = vec!["--ranges", ranges];
        if !databases.is_empty() {
            arguments.extend(["--databases", databases]);
        }
        let said = doctor(&stage, first, &arguments).await;
        assert!(said.contains(wrong), "{ranges} {databases}: {said}");
    }
    first_without_its_proxy(&stage, first).await;
    let mut few = Process::new("0/2");
    std::mem::swap(&mut few.folder, &mut fleet[0].folder);
    let said = doctor(&stage, &few, &[]).await;
    assert!(said.contains("WRONG  shards: 0/2 is of 2, but Discord recommends 4"), "{said}");
    std::mem::swap(&mut few.folder, &mut fleet[0].folder);
}
