//! The playground's page in a real browser. Needs Chromium and its driver, so `cargo test` leaves it out and
//! `.ci/run` runs it as a step of its own.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)] // a test

#[path = "page/critique.rs"]
mod critique;
#[path = "page/debate.rs"]
mod debate;
#[path = "page/fake.rs"]
mod fake;
#[path = "page/kept.rs"]
mod kept;
#[path = "page/story.rs"]
mod story;
#[path = "support/mod.rs"]
mod support;
#[path = "page/week.rs"]
mod week;
#[allow(dead_code)] // the stand-in's own tests use all of it
#[path = "../crates/playground/tests/standin/wire.rs"]
mod wire;

use std::{path::Path, time::Duration};

use playground::Options;
use quorum::app::prepare_example;
use support::Stage;

/// Runs a script of `tests/page` against a playground; true when every check in it held. With the bot's database it
/// can let a day come that is weeks away.
async fn passes(script: &str, url: &str, database: Option<&Path>) -> bool {
    let run = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/page/run.sh");
    let mut command = tokio::process::Command::new(run);
    command.args([script, url]).envs(database.map(|file| ("PAGE_DATABASE", file)));
    command.status().await.expect("the page's test starts").success()
}

/// Against the real bot with a scripted model: the page, a mediation and its vote, a roundtable.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs a browser; .ci/run runs it as a step of its own"]
async fn the_page_in_a_browser() {
    holds("page.py").await;
}

/// A debate, and a session that asks before it begins.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs a browser; .ci/run runs it as a step of its own"]
async fn the_page_in_a_debate() {
    holds("debated.py").await;
}

/// Every check of a script holds against a bot whose models take two seconds: one can watch it, and add context while it runs.
async fn holds(script: &str) {
    let mut stage = Stage::with(Options::default()).await;
    stage.panel(&["openai/alpha", "openai/beta", "anthropic/gamma"]);
    stage.model.latency(Duration::from_secs(2));
    stage.model.on(|call| debate::tell(call).or_else(|| story::tell(call)));
    let bot = stage.bot().await;
    let passed = passes(script, &stage.discord.url(), Some(&stage.database())).await;
    bot.kill().await;
    assert!(passed, "the page's test failed; its lines above say where");
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
}

/// A forum, from a post to the decision on it, and what goes on from there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs a browser; .ci/run runs it as a step of its own"]
async fn the_page_of_a_forum() {
    let mut stage = Stage::with(Options::default()).await;
    stage.panel(&["openai/alpha", "openai/beta", "anthropic/gamma"]);
    stage.model.latency(Duration::from_millis(200));
    stage.model.on(|call| debate::tell(call).or_else(|| story::tell(call)));
    let bot = stage.bot().await;
    let passed = passes("forum.py", &stage.discord.url(), None).await;
    bot.kill().await;
    assert!(passed, "the page's test failed; its lines above say where");
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
}

/// What a newcomer sees: the page opens on the example.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs a browser; .ci/run runs it as a step of its own"]
async fn the_page_opens_on_the_example() {
    let home = tempfile::tempdir().unwrap();
    let database = home.path().join("playground.db");
    prepare_example(&database).await;
    let state_path = Some(database.with_extension("discord.json"));
    let stage = Stage::with(Options { state_path, ..Options::default() }).await;
    std::fs::copy(&database, stage.database()).unwrap();
    let bot = stage.bot().await;
    let passed = passes("example.py", &stage.discord.url(), None).await;
    bot.kill().await;
    assert!(passed, "the page's test failed; its lines above say where");
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
}

/// A critique from the attached file to the triaged list, against the real bot.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs a browser; .ci/run runs it as a step of its own"]
async fn the_page_in_a_critique() {
    let mut stage = Stage::with(Options::default()).await;
    stage.panel(&["openai/alpha", "openai/beta", "openai/gamma"]);
    // Three levels take more than half of these tokens, so it waits for a *Go*.
    stage.settings.budgets.session.tokens = 345_000;
    stage.model.latency(Duration::from_millis(700));
    stage.model.on(critique::tell);
    let bot = stage.bot().await;
    let passed = passes("critique.py", &stage.discord.url(), None).await;
    bot.kill().await;
    assert!(passed, "the page's test failed; its lines above say where");
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
}

/// What comes after a deliberation, and around it: specialists who join, an audit, a report, an investigation, the
/// history of a channel, and what is kept of somebody.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs a browser; .ci/run runs it as a step of its own"]
async fn the_page_of_what_is_kept() {
    let mut stage = Stage::with(Options::default()).await;
    stage.panel(&["openai/alpha", "openai/beta", "anthropic/gamma"]);
    stage.model.latency(Duration::from_millis(400));
    stage.model.on(kept::tell);
    // Round 1 waits for the press that has others join.
    stage.model.hold(kept::is_first_of_hens);
    let bot = stage.bot().await;
    let url = stage.discord.url();
    let joined = async {
        let wished = "SELECT count(*) FROM session WHERE offer_state = 'wished'";
        while stage.number(wished).await == 0 {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        stage.model.let_go();
        std::future::pending::<()>().await;
    };
    tokio::select! {
        passed = passes("kept.py", &url, None) => assert!(passed, "the page's test failed; its lines above say where"),
        () = joined => unreachable!("it waits for ever"),
    }
    bot.kill().await;
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
}

/// What the bot does not do often: private panels that change in place, forms of five boxes, pings, pins.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs a browser; .ci/run runs it as a step of its own"]
async fn the_parts_of_the_page_in_a_browser() {
    let discord = wire::without_limits().await;
    let url = discord.url();
    tokio::select! {
        passed = passes("parts.py", &url, None) => assert!(passed, "the page's test failed; its lines above say where"),
        () = fake::serve(&discord) => unreachable!("the fake bot answers until it is dropped"),
    }
    assert_eq!(discord.violations(), Vec::<String>::new());
}
