//! /mediate over the wire: from the command to the closing line, with everything a member can do on the way.
#![allow(clippy::unwrap_used, clippy::expect_used)] // tests

#[path = "support/mod.rs"]
mod support;

use std::time::Duration;

use quorum::playground::ids::{ADA, DECISIONS};
use serde_json::json;
use support::{Stage, wait_for_end};

const PROBLEM: &str = "We want to build a food delivery app for a town of 40,000";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mediation_runs_from_the_command_to_the_closing_line() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let member = stage.discord.client();
    let started = member.run_command(ADA, DECISIONS, "mediate", json!({"problem": PROBLEM})).unwrap();
    let reply = member.wait_reply(started).await;
    assert!(reply.text().contains("It has begun"), "{}", reply.text());

    let thread = member.wait_thread(DECISIONS, Duration::from_secs(10), |_| true).await.unwrap();
    let thread: u64 = thread["id"].as_str().unwrap().parse().unwrap();
    let text = wait_for_end(&stage, thread).await;
    for title in ["Market · round 1", "Cost · round 2", "Risk · round 2", "Nothing was degraded"] {
        assert!(text.contains(title), "{title} is missing from\n{text}");
    }
    assert_eq!(stage.model.calls().len(), 3 + 3 + 1 + 3);
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    assert_eq!(stage.model.strays(), Vec::<String>::new());
    bot.kill().await;
}
