//! How the bot does, as `/healthz` and `/metrics` tell it: off unless asked for, true to what happened, in Prometheus'
//! own format, and never in anybody's way.

#![allow(clippy::float_cmp)] // all that is compared are whole numbers

use std::{
    collections::{BTreeMap, BTreeSet},
    net::{SocketAddr, TcpListener},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use futures::future::join_all;
use playground::{
    Fault, Limited,
    ids::{ADA, DECISIONS, RIVERSIDE},
};
use regex::Regex;
use serde_json::json;

use crate::support::{
    Stage, has_not,
    model::{Answer, Fault as ModelFault},
    play::{PATIENCE, PROBLEM},
    program::{end, program_with, signal},
    wait_for_end,
};

/// A stage whose bot tells how it does.
async fn watched() -> Stage {
    let mut stage = Stage::start().await;
    stage.metrics = Some(0);
    stage
}

/// What is answered: the status and the text.
async fn get(at: SocketAddr, path: &str) -> (u16, String) {
    let answer = reqwest::get(format!("http://{at}{path}")).await.unwrap();
    (answer.status().as_u16(), String::from_utf8(answer.bytes().await.unwrap().to_vec()).unwrap())
}

/// Waits until `/healthz` has this status and says this.
async fn wait_health(at: SocketAddr, status: u16, says: &str) {
    let until = Instant::now() + PATIENCE;
    loop {
        let (now, said) = get(at, "/healthz").await;
        if now == status && said.contains(says) {
            return;
        }
        assert!(Instant::now() < until, "{status} {says:?} is waited for, and it is {now}: {said}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// All samples of a page by name and labels, as they stand there. Fails for whatever the text format (version 0.0.4) or
/// Prometheus' rules for names do not allow.
async fn numbers(at: SocketAddr) -> BTreeMap<String, f64> {
    let (status, page) = get(at, "/metrics").await;
    assert_eq!(status, 200);
    assert!(page.ends_with('\n') && !page.contains("\n\n"), "{page}");
    let line = Regex::new(r#"^([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)+)\})? (\S+)$"#).unwrap();
    let (mut samples, mut families) = (BTreeMap::new(), BTreeSet::new());
    let mut lines = page.lines().peekable();
    while let Some(help) = lines.next() {
        let (name, text) = help.strip_prefix("# HELP ").and_then(|rest| rest.split_once(' ')).expect(help);
        assert!(name.starts_with("quorum_") && !text.is_empty(), "{help}");
        assert!(families.insert(name), "{name} begins twice");
        let kind = lines.next().and_then(|line| line.strip_prefix(&format!("# TYPE {name} "))).expect(name);
        assert_eq!(kind == "counter", name.ends_with("_total"), "{name} is a {kind}");
        assert!(["counter", "gauge", "histogram"].contains(&kind), "{name} is a {kind}");
        let (mut buckets, mut had) = (Vec::new(), 0);
        while let Some(sample) = lines.next_if(|line| !line.starts_with('#')) {
            let parts = line.captures(sample).unwrap_or_else(|| panic!("no sample: {sample}"));
            let value: f64 = parts[3].parse().unwrap();
            assert!(value >= 0.0 && value.is_finite(), "{sample}");
            let ending = parts[1].strip_prefix(name).unwrap_or_else(|| panic!("{sample} is not of {name}"));
            match (kind, ending) {
                ("histogram", "_bucket") => buckets.push((parts[2].to_owned(), value)),
                ("histogram", "_sum" | "_count") | ("counter" | "gauge", "") => {}
                _ => panic!("{sample} does not belong to the {kind} {name}"),
            }
            let labels = parts.get(2).map_or(String::new(), |labels| format!("{{{}}}", labels.as_str()));
            let series = format!("{}{labels}", &parts[1]);
            assert!(samples.insert(series, value).is_none(), "twice: {sample}");
            had += 1;
        }
        assert!(had > 0, "{name} has no sample");
        if kind == "histogram" {
            assert!(buckets.is_sorted_by(|a, b| a.1 <= b.1), "{buckets:?}");
            let (last, all) = buckets.last().unwrap();
            assert_eq!((last.as_str(), *all), ("le=\"+Inf\"", samples[&format!("{name}_count")]));
            assert!(samples.contains_key(&format!("{name}_sum")));
        }
    }
    samples
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_port_is_opened_unless_it_is_asked_for() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    assert_eq!(bot.metrics, None);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_is_seen_in_the_numbers_from_start_to_end() {
    let stage = watched().await;
    let bot = stage.bot().await;
    let at = bot.metrics.expect("a port");
    assert!(at.ip().is_loopback());
    // One 429 of the model's, one of Discord's.
    let refused = AtomicBool::new(false);
    let limited = || Answer::Fault(ModelFault::RateLimited(Some(0.1)));
    stage.model.on(move |_| (!refused.swap(true, Ordering::SeqCst)).then(limited));
    let fault = Fault::Limited(Limited { retry_after: 0.2, ..Limited::default() });
    stage.discord.faults().on("POST", "/channels/*/messages", 1, fault);
    stage.model.hold(|call| call.user.contains("You are the mediator."));
    let thread = stage.mediate(json!({})).await;
    stage.model.wait_calls(1, |call| call.user.contains("You are the mediator.")).await;
    let during = numbers(at).await;
    assert_eq!(during["quorum_sessions{state=\"running\"}"], 1.0);
    assert_eq!(during["quorum_model_calls_running{provider=\"openai\"}"], 1.0);
    stage.model.let_go();
    wait_for_end(&stage, thread).await;

    // The rows after the last post are written, and what was read a second ago is read anew.
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    let (after, (_, page)) = (numbers(at).await, get(at, "/metrics").await);
    let count = async |sql: &str| f64::from(i32::try_from(stage.number(sql).await).unwrap());
    let of_guild = "FROM account WHERE scope = 'guild'";
    let mut expected = vec![
        ("quorum_healthy".to_owned(), 1.0),
        ("quorum_database_up".to_owned(), 1.0),
        ("quorum_sessions{state=\"running\"}".to_owned(), 0.0),
        ("quorum_sessions{state=\"done\"}".to_owned(), 1.0),
        ("quorum_model_calls_total{provider=\"openai\",outcome=\"ok\"}".to_owned(), 18.0),
        ("quorum_model_calls_total{provider=\"openai\",outcome=\"rate_limited\"}".to_owned(), 1.0),
        ("quorum_model_calls_total{provider=\"anthropic\",outcome=\"ok\"}".to_owned(), 0.0),
        ("quorum_model_calls_running{provider=\"openai\"}".to_owned(), 0.0),
        ("quorum_discord_requests_total{outcome=\"limited\"}".to_owned(), 1.0),
        ("quorum_queue_length{queue=\"posts\"}".to_owned(), 0.0),
        ("quorum_queue_length{queue=\"writes\"}".to_owned(), 0.0),
        ("quorum_charged_calls_total".to_owned(), 19.0),
    ];
    for (name, sql) in [
        ("quorum_steps_total{outcome=\"done\"}", "SELECT count(*) FROM step WHERE state = 'done'".to_owned()),
        ("quorum_charged_calls_total", format!("SELECT calls_used {of_guild}")),
        ("quorum_charged_tokens_total", format!("SELECT tokens_used + tokens_over {of_guild}")),
        ("quorum_charged_calls_unpriced_total", format!("SELECT unpriced {of_guild}")),
    ] {
        expected.push((name.to_owned(), count(&sql).await));
    }
    for (series, value) in &expected {
        assert_eq!(after.get(series), Some(value), "{series} in\n{page}");
    }
    assert!(after["quorum_charged_tokens_total"] > 1_000.0, "{page}");
    assert!(after["quorum_model_tokens_total{provider=\"openai\",kind=\"output\"}"] > 0.0, "{page}");
    assert!(
        after["quorum_commit_seconds_count"] > 30.0 && after["quorum_commit_seconds_sum"] > 0.0,
        "{page}"
    );
    let session = bot.sessions_in(RIVERSIDE, DECISIONS).await.remove(0).id.to_string();
    let (guild, member) = (RIVERSIDE.to_string(), ADA.to_string());
    has_not(&page, &[PROBLEM, "Ada", "alpha", &session, &guild, &member]);

    // A session that is deleted is not there any more; what it cost was spent.
    stage.alter("DELETE FROM session").await;
    // What was read a second ago is read anew.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let gone = numbers(at).await;
    assert_eq!(gone["quorum_sessions{state=\"done\"}"], 0.0);
    assert_eq!(gone["quorum_charged_calls_total"], 19.0);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn health_tells_when_discord_or_the_database_is_gone_and_when_they_are_back() {
    let stage = watched().await;
    let bot = stage.bot().await;
    let at = bot.metrics.unwrap();
    wait_health(at, 200, "ok").await;
    stage.discord.faults().refuse_gateway(true);
    stage.discord.faults().close_gateway(4000);
    wait_health(at, 503, "not connected to Discord: 0 of 1 connections are served").await;
    assert_eq!(numbers(at).await["quorum_healthy"], 0.0);
    stage.discord.faults().refuse_gateway(false);
    wait_health(at, 200, "ok").await;

    // What cannot be read is left out and said; the rest is there.
    stage.alter("ALTER TABLE tally RENAME TO away").await;
    wait_health(at, 503, "the database cannot be read").await;
    let partial = numbers(at).await;
    assert_eq!(partial["quorum_database_up"], 0.0);
    assert!(!partial.contains_key("quorum_sessions{state=\"done\"}"));
    assert!(partial.contains_key("quorum_discord_requests_total{outcome=\"done\"}"));
    stage.alter("ALTER TABLE away RENAME TO tally").await;
    wait_health(at, 200, "ok").await;

    // As when another process takes over; nothing is written that would find it out.
    stage.alter("UPDATE lease SET epoch = epoch + 1").await;
    wait_health(at, 503, "another Quorum process has taken over this database").await;
    stage.alter("UPDATE lease SET epoch = epoch - 1").await;
    wait_health(at, 200, "ok").await;
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_takes_nothing_is_told_at_once_however_many_ask() {
    let stage = watched().await;
    let bot = stage.bot().await;
    let at = bot.metrics.unwrap();
    wait_health(at, 200, "ok").await;
    let rows = stage.rows().await;
    let mut outside = rows.acquire().await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *outside).await.unwrap();
    stage.discord.client().run_command(ADA, DECISIONS, "mediate", json!({"problem": PROBLEM})).unwrap();
    wait_health(at, 503, "the database cannot be written now").await;
    let begun = Instant::now();
    let answers = join_all((0..200).map(|at_once| async move {
        get(at, if at_once % 2 == 0 { "/metrics" } else { "/healthz" }).await.0
    }));
    let statuses = answers.await;
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert!(statuses.iter().enumerate().all(|(at, status)| *status == if at % 2 == 0 { 200 } else { 503 }));
    let now = numbers(at).await;
    assert_eq!((now["quorum_database_disk_waits"], now["quorum_database_up"]), (1.0, 1.0));
    assert!(now["quorum_queue_length{queue=\"writes\"}"] >= 1.0);
    sqlx::query("ROLLBACK").execute(&mut *outside).await.unwrap();
    wait_health(at, 200, "ok").await;
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_answers_two_paths_and_says_that_it_stops() {
    let stage = Stage::start().await;
    let folder = tempfile::tempdir().unwrap();
    // Free at this moment.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let program = program_with(&stage, folder.path(), &[("QUORUM_METRICS_PORT", &port)]);
    assert!(stage.discord.client().wait_bot(PATIENCE).await);
    let at: SocketAddr = format!("127.0.0.1:{port}").parse().unwrap();
    wait_health(at, 200, "ok").await;
    assert_eq!(get(at, "/").await, (404, "Here are /healthz and /metrics.\n".to_owned()));
    let client = reqwest::Client::new();
    for path in ["healthz", "metrics"] {
        let url = format!("http://{at}/{path}");
        let posted = client.post(&url).send().await.unwrap();
        assert_eq!(
            (posted.status().as_u16(), &posted.headers()["allow"]),
            (405, &"GET,HEAD".parse().unwrap())
        );
        assert_eq!(client.head(&url).send().await.unwrap().status().as_u16(), 200);
    }
    let typed = client.get(format!("http://{at}/metrics")).send().await.unwrap();
    assert_eq!(typed.headers()["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    numbers(at).await;

    // It waits for what is under way, and takes no more.
    stage.model.hold(|_| true);
    stage.mediate(json!({})).await;
    stage.model.wait_calls(1, |_| true).await;
    signal(&program, "-TERM");
    wait_health(at, 503, "the bot is stopping").await;
    stage.model.let_go();
    assert!(end(program, "SIGTERM").await.success());
}
