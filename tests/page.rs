//! The playground's page in a real browser, against the real bot with a scripted model. Needs Chromium and its
//! driver, so `cargo test` leaves it out and `.ci/run` runs it as a step of its own.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)] // a test

#[path = "support/mod.rs"]
mod support;

use std::time::Duration;

use quorum::playground::Options;
use support::Stage;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs a browser; .ci/run runs it as a step of its own"]
async fn the_page_in_a_browser() {
    let mut stage = Stage::with(Options::default()).await;
    stage.panel(&["openai/alpha", "openai/beta", "anthropic/gamma"]);
    // Slow enough that one can watch it, and add context while it runs.
    stage.model.latency(Duration::from_secs(2));
    let bot = stage.bot().await;
    let url = stage.discord.url();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/page/run.sh");
    let status =
        tokio::process::Command::new(script).arg(&url).status().await.expect("the page's test starts");
    bot.kill().await;
    assert!(status.success(), "the page's test failed; its lines above say where");
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
}
