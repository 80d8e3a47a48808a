//! The gateway as it fails: codes after which nothing helps, starts that are used up, connections that are dead, and a
//! signal that ends the process whatever becomes of them.

use std::{fs, time::Duration};

use futures::{StreamExt, stream};
use playground::{
    Options,
    ids::{ADA, BEN, BOT, DECISIONS, RIVERSIDE},
};
use serde_json::{Value, json};

use crate::support::{
    Stage, nothing_comes,
    play::PATIENCE,
    program::{end, program, signal},
    until, wait_for_end,
};

/// Stages that are played on side by side.
const AT_ONCE: usize = 3;

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
            // It has been refused more than once, and waits between two tries.
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
        signal(&program, "-TERM");
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
    nothing_comes(Duration::from_millis(1_500)).await;
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_shards_one_that_dies_comes_back_alone_and_misses_nothing() {
    // The one that hears of the server, and the other one.
    let hears = (RIVERSIDE >> 22) % 2;
    let shards = [hears, 1 - hears];
    // One connection may be resumed after the first two codes, none after the last.
    for (shard, code) in [(shards[0], 4000), (shards[1], 4000), (shards[0], 4009), (shards[1], 4009)] {
        let what = format!("shard {shard} closed with {code}");
        let options = Options { rate_limits: false, shards: 2, limit_identify: true, ..Options::default() };
        let stage = Stage::with(options).await;
        let bot = stage.bot().await;
        let online = async |wanted: &[u64]| {
            let now = || stage.discord.shards_online();
            until(|| now() == wanted, || format!("{wanted:?} are connected: {what}, {:?} are", now())).await;
        };
        online(&[0, 1]).await;
        let thread = stage.mediate(json!({})).await;
        wait_for_end(&stage, thread).await;
        let before = stage.discord.connections();
        stage.discord.faults().refuse_gateway(true);
        stage.discord.faults().close_shard(shard, code);
        online(&[1 - shard]).await;
        let question = stage.discord.client().say(BEN, thread, &format!("<@{BOT}> Why?")).unwrap();
        let question = question.to_string();
        let under = |message: &Value| message["message_reference"]["message_id"] == question.as_str();
        let answers = || stage.public(thread).into_iter().filter(|message| under(message)).count();
        if shard != hears {
            let answer = stage.discord.client().wait_message(thread, PATIENCE, under).await;
            assert!(answer.is_some(), "{what}: the other one does not hear");
        }
        stage.discord.faults().refuse_gateway(false);
        online(&[0, 1]).await;
        until(|| answers() > 0, || format!("it is answered: {what}\n{}", stage.read(thread))).await;
        stage.discord.faults().repeat_events(50);
        nothing_comes(Duration::from_millis(300)).await;
        assert_eq!(answers(), 1, "{what}: {}", stage.read(thread));
        assert_eq!(stage.discord.connections(), before + 1, "{what}: it alone connects again");
        assert_eq!(stage.discord.threads(DECISIONS).len(), 1, "{what}: nothing is begun twice");
        bot.kill().await;
    }
}
