//! A rate-limit proxy that answers nonsense, or nothing: `doctor` and a start say so with what to do, and once it is mended the
//! bot is there. What it does in the middle of a session: `faults`.

use std::time::Duration;

use futures::future::join_all;
use playground::Fault;

use super::{Process, cut, no_rule_was_broken, online, stage};
use crate::support::until;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proxy_that_answers_nonsense_or_nothing_is_named_and_waited_for() {
    let cases = [
        (
            Fault::Status(200),
            "HTTP 200: an answer that is not Discord's own",
            "HTTP 200: an answer that is not",
        ),
        (
            Fault::Refused(200, 0, "It works"),
            "cannot be read: missing field `id`",
            "cannot be read: missing field",
        ),
        (
            Fault::Status(502),
            "HTTP 502: an answer that is not Discord's own",
            "HTTP 502: an answer that is not",
        ),
        (Fault::Stall(Duration::from_mins(2)), "no answer came within 20 s", "no answer came within 10 s"),
    ];
    join_all(cases.map(|(fault, by_doctor, at_start)| named(fault, by_doctor, at_start))).await;
}

async fn named(fault: Fault, by_doctor: &str, at_start: &str) {
    let stage = stage().await;
    for asked in ["/users/@me", "/gateway/bot"] {
        stage.discord.faults().on("GET", asked, usize::MAX, fault.clone());
    }
    let mut process = Process::new("0/4").with("QUORUM_REST_RATE", "proxy");
    let mut doctor = cut::doctor_command(&stage, &process, &[]);
    doctor.env("QUORUM_REST_RATE", "proxy");
    let said = cut::run(doctor).await;
    let remedy = format!(
        "Look whether the rate-limit proxy runs at {}/ (DISCORD_API_BASE) and reaches Discord.",
        stage.discord.url()
    );
    let line = |begins: &str| said.lines().find(|line| line.contains(begins)).unwrap_or_default().to_owned();
    let who = line("WRONG  Discord: ");
    assert!(who.contains(by_doctor) && who.ends_with(&remedy), "{fault:?}: {said}");
    let shards = line("WRONG  shards: Discord does not say how many it recommends: ");
    assert!(shards.ends_with(&remedy), "{fault:?}: {said}");

    process.start(&stage);
    let sentence = "Discord did not say who this bot is: ";
    until(|| process.log().contains(sentence), || format!("{fault:?}: {}", process.log())).await;
    let log = process.log();
    let told = log.lines().find(|line| line.contains(sentence)).unwrap();
    assert!(told.contains(at_start) && told.contains(&remedy), "{fault:?}: {told}");
    stage.discord.faults().clear();
    online(&stage, &[0]).await;
    no_rule_was_broken(&stage);
}
