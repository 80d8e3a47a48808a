//! The gateway as it fails: codes after which nothing helps, starts that are used up, connections that are dead, and a
//! signal that ends the process whatever becomes of them.

use std::{
    fs,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::Duration,
};

use futures::{StreamExt, stream};
use quorum::playground::{
    Options,
    ids::{ADA, DECISIONS},
};
use serde_json::json;

use crate::support::{Stage, play::PATIENCE};

/// Stages that are played on side by side.
const AT_ONCE: usize = 3;

/// `quorum run` as it is installed, with the stage around it, and its log in a folder.
fn program(stage: &Stage, folder: &Path) -> Child {
    let log = fs::File::create(folder.join("log")).unwrap();
    Command::new(env!("CARGO_BIN_EXE_quorum"))
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
        .stderr(Stdio::from(log))
        .spawn()
        .unwrap()
}

/// How a program ends; it is killed if it does not.
async fn end(mut program: Child, what: &str) -> ExitStatus {
    let until = tokio::time::Instant::now() + Duration::from_secs(15);
    loop {
        if let Some(status) = program.try_wait().unwrap() {
            return status;
        }
        if tokio::time::Instant::now() > until {
            program.kill().unwrap();
            program.wait().unwrap();
            panic!("{what}: it does not end");
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_final_close_code_ends_the_process_with_a_sentence_that_says_what_to_do() {
    let codes = [
        (4004, "Reset Token"),
        (4010, "Start the bot again"),
        (4011, "Start the bot again"),
        (4012, "newer Quorum"),
        (4013, "newer Quorum"),
        (4014, "Privileged Gateway Intents"),
    ];
    let ended = async |(code, remedy): (u16, &str)| {
        let stage = Stage::start().await;
        let folder = tempfile::tempdir().unwrap();
        let program = program(&stage, folder.path());
        assert!(stage.discord.client().wait_bot(PATIENCE).await, "{code}");
        stage.discord.faults().close_gateway(code);
        let status = end(program, &code.to_string()).await;
        let log = fs::read_to_string(folder.path().join("log")).unwrap();
        assert_eq!(status.code(), Some(1), "{code}: {log}");
        let sentence = log.lines().last().unwrap_or_default();
        assert!(sentence.contains(&code.to_string()) && sentence.contains(remedy), "{code}: {log}");
        assert_eq!(stage.discord.connections(), 1, "{code}: it does not connect again");
    };
    stream::iter(codes).for_each_concurrent(AT_ONCE, ended).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signal_ends_the_process_whatever_becomes_of_the_gateway() {
    for away in [false, true] {
        let stage = Stage::start().await;
        let folder = tempfile::tempdir().unwrap();
        let program = program(&stage, folder.path());
        assert!(stage.discord.client().wait_bot(PATIENCE).await);
        if away {
            stage.discord.faults().refuse_gateway(true);
            stage.discord.faults().close_gateway(4000);
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
        let signal = Command::new("kill").args(["-TERM", &program.id().to_string()]).status().unwrap();
        assert!(signal.success());
        let status = end(program, "SIGTERM").await;
        let log = fs::read_to_string(folder.path().join("log")).unwrap();
        assert!(status.success(), "away: {away}: {log}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_waits_until_discord_allows_one() {
    let stage = Stage::start().await;
    stage.discord.faults().starts_left(0, 3_000);
    let bot = stage.bot_that_halts(None).await;
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert!(!stage.discord.bot_online(), "no session is begun before");
    stage.connected().await;
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_is_dead_is_noticed_and_another_serves() {
    let options = Options {
        rate_limits: false,
        keep_bodies: true,
        heartbeat_interval: Duration::from_secs(2),
        ..Options::default()
    };
    let stage = Stage::with(options).await;
    let bot = stage.bot().await;
    let before = stage.discord.connections();
    stage.discord.faults().ignore_heartbeats(true);
    let until = tokio::time::Instant::now() + Duration::from_secs(20);
    while stage.discord.connections() == before {
        assert!(tokio::time::Instant::now() < until, "it is not noticed");
        // As soon as it is away, the next connection is a good one.
        if !stage.discord.bot_online() {
            stage.discord.faults().ignore_heartbeats(false);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    stage.discord.faults().ignore_heartbeats(false);
    let said = stage.told(ADA, DECISIONS, "history", json!({})).await;
    assert!(!said.is_empty());
    bot.kill().await;
}
