//! What `docs/scale.md` counts with, measured: what a session leaves in the file and asks of Discord, how much a disk takes,
//! what a server costs in memory. It holds nothing to anything; run with
//! `cargo test --test whole -- --ignored scale:: --nocapture --test-threads=1`.
#![allow(clippy::cast_precision_loss, reason = "figures for people")]

use std::{path::Path, time::Duration};

use domain::{GuildId, SessionId};
use playground::Options;
use quorum::store::{Inbound, Store, StoreOptions};
use sqlx::{AssertSqlSafe, Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::{
    cost::played,
    support::{Stage, program::program},
};

async fn number(path: &Path, sql: &str) -> i64 {
    let options = SqliteConnectOptions::new().filename(path);
    let mut file = SqliteConnection::connect_with(&options).await.unwrap();
    let number = sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&mut file).await.unwrap();
    file.close().await.unwrap();
    number
}

/// Bytes of a database without what is free in it, and without the prompts, which sessions share.
async fn bytes(stage: &Stage) -> i64 {
    let copy = stage.database().with_extension("compact");
    Store::backup(&stage.database(), &copy).await.unwrap();
    let prompts = number(&copy, "SELECT coalesce(sum(length(CAST(files AS BLOB))), 0) FROM prompt_set").await;
    i64::try_from(std::fs::metadata(&copy).unwrap().len()).unwrap() - prompts
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "prints what docs/scale.md counts with; it holds nothing to anything"]
async fn what_a_session_leaves_and_asks_for() {
    let (empty, asked) = {
        let stage = Stage::start().await;
        let bot = stage.bot().await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        bot.kill().await;
        (bytes(&stage).await, stage.discord.requests().len())
    };
    println!(
        "| | KB in the file | of them requests and replies | rows | transactions | requests to Discord |\n|---|---|---|---|---|---|"
    );
    for protocol in ["mediate", "debate", "roundtable", "critique", "investigate"] {
        for pages in [0, 20] {
            let panel = ["openai/gpt-6.1-sol", "openai/beta", "openai/gamma"];
            let models = if protocol == "investigate" { &panel[..] } else { &panel[..1] };
            let (stage, commits) = played(protocol, (models, "standard"), pages).await;
            let left = bytes(&stage).await - empty;
            let raw = number(&stage.database(), "SELECT sum(length(bytes)) FROM part").await;
            let rows = number(
                &stage.database(),
                "SELECT (SELECT count(*) FROM step) + (SELECT count(*) FROM attempt) + (SELECT count(*) FROM outbox)
                      + (SELECT count(*) FROM part)",
            )
            .await;
            println!(
                "| `/{protocol}`, {pages} pages | {} | {} | {rows} | {commits} | {} |",
                left / 1_000,
                raw / 1_000,
                stage.discord.requests().len() - asked
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "prints what docs/scale.md counts with; it holds nothing to anything"]
async fn what_a_disk_takes() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("q.db"), StoreOptions::default(), 1).await.unwrap();
    println!("| at once | writes a second | commits a second |\n|---|---|---|");
    let mut next = 1;
    for at_once in [1, 10, 100] {
        let (begun, before) = (std::time::Instant::now(), store.commits());
        let each = if at_once == 1 { 300 } else { 3_000 / at_once };
        let writers = (0..at_once).map(|writer| {
            let (store, first) = (store.clone(), next + writer * each);
            tokio::spawn(async move {
                for id in first..first + each {
                    let event = Inbound {
                        id,
                        kind: "test",
                        session: None::<SessionId>,
                        by: None,
                        effect: "said".to_owned(),
                    };
                    store.ask_erasure(event, GuildId(1), None, 1).await.unwrap();
                }
            })
        });
        for writer in writers.collect::<Vec<_>>() {
            writer.await.unwrap();
        }
        next += at_once * each;
        let took = begun.elapsed().as_secs_f64();
        println!(
            "| {at_once} | {:.0} | {:.0} |",
            (at_once * each) as f64 / took,
            (store.commits() - before) as f64 / took
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "prints what docs/scale.md counts with; it holds nothing to anything"]
async fn what_a_server_costs_in_memory() {
    println!("| servers | memory, MB |\n|---|---|");
    for extra_guilds in [0, 1_000, 2_500] {
        let stage = Stage::with(Options { rate_limits: false, extra_guilds, ..Options::default() }).await;
        let folder = tempfile::tempdir().unwrap();
        let mut bot = program(&stage, folder.path());
        stage.connected().await;
        tokio::time::sleep(Duration::from_secs(8)).await;
        let status = std::fs::read_to_string(format!("/proc/{}/status", bot.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        let kilobytes: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        println!("| {} | {:.1} |", extra_guilds + 2, kilobytes / 1024.0);
        bot.kill().unwrap();
        bot.wait().unwrap();
    }
}
