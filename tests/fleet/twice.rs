//! Two processes of one range, each with a file of its own: nothing keeps them apart, and Discord tells both of everything.

use std::{
    net::{Ipv4Addr, TcpListener},
    time::Duration,
};

use quorum::playground::{Fault, Id, ids::ADA};
use serde_json::json;

use super::{Process, all_over, is_whole, online, registered, servers, stage};
use crate::{
    resume::scene::PROBLEM,
    support::{Stage, until},
};

const SENTENCE: &str = "another process answers for the same servers with the same token";

/// How many sessions a process has.
async fn sessions(process: &Process) -> usize {
    process.sessions().await.values().map(Vec::len).sum()
}

/// Starts a session by a command, and waits until it is answered.
async fn command(stage: &Stage, channel: Id) {
    let member = stage.discord.client();
    let asked = member.run_command(ADA, channel, "mediate", json!({"problem": PROBLEM})).unwrap();
    let seen = member.wait_reply(asked).await;
    assert!(seen.failed.is_none() && seen.text().contains("<#"), "{seen:?}");
}

async fn health(port: u16) -> (u16, String) {
    let answer = reqwest::get(format!("http://127.0.0.1:{port}/healthz")).await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_processes_on_one_range_each_command_is_done_by_one_and_the_other_says_so_once() {
    let stage = stage().await;
    let ports = [(); 2]
        .map(|()| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap())
        .map(|listener| listener.local_addr().unwrap().port());
    let mut both = ports.map(|port| Process::new("0-3/4").with("QUORUM_METRICS_PORT", &port.to_string()));
    for process in &mut both {
        process.start(&stage);
    }
    online(&stage, &[0, 0, 1, 1, 2, 2, 3, 3]).await;
    until(|| registered(&stage) >= 1, || "the commands are there").await;
    for port in ports {
        assert_eq!(health(port).await, (200, "ok\n".to_owned()), "nobody knows yet");
    }
    let channels = servers().map(|(_, channel)| channel);
    for channel in channels {
        command(&stage, channel).await;
    }
    all_over(&stage, &channels).await;
    // One session for each command, whichever process was quicker; it is whole, and there is one thread and one card.
    for channel in channels {
        is_whole(&stage, channel);
    }
    let has = [sessions(&both[0]).await, sessions(&both[1]).await];
    assert_eq!(has[0] + has[1], channels.len(), "{has:?}");
    // Who was second once says so once, however often it was, and is not well.
    let mut second_times = 0;
    for ((process, port), own) in both.iter().zip(ports).zip(has) {
        let second = channels.len() - own;
        second_times += second;
        let log = process.log();
        assert_eq!(log.matches(SENTENCE).count(), usize::from(second > 0), "second {second} times: {log}");
        let (status, says) = health(port).await;
        assert_eq!((status == 503, says.contains(SENTENCE)), (second > 0, second > 0), "{status} {says}");
        let page =
            reqwest::get(format!("http://127.0.0.1:{port}/metrics")).await.unwrap().text().await.unwrap();
        assert!(page.contains(&format!("quorum_interactions_answered_elsewhere_total {second}\n")), "{page}");
    }
    assert_eq!(second_times, channels.len());
    // Discord refused each second answer, and no other rule was broken.
    let refused = |rule: &String| rule.contains("400 Interaction has already been acknowledged");
    let broken = stage.discord.violations();
    assert!(broken.len() == channels.len() && broken.iter().all(refused), "{broken:#?}");
}

/// What was answered by this process itself, whose receipt was lost, is no sign of another one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_whose_receipt_is_lost_is_not_taken_for_anothers() {
    let stage = stage().await;
    let mut alone = Process::new("0-3/4");
    alone.start(&stage);
    online(&stage, &[0, 1, 2, 3]).await;
    until(|| registered(&stage) == 1, || "the commands are there").await;
    let faults = [
        Fault::LoseReply,
        Fault::Instead("<html>It works!</html>"),
        Fault::SlowReply(Duration::from_secs(3)),
    ];
    let member = stage.discord.client();
    for (fault, (_, channel)) in faults.into_iter().zip(servers()) {
        stage.discord.faults().on("POST", "/interactions/**", 1, fault);
        let asked = member.run_command(ADA, channel, "mediate", json!({"problem": PROBLEM})).unwrap();
        member.redeliver(asked).unwrap();
        let said = member.wait_reply(asked).await.text();
        assert!(said.contains("<#"), "{said}");
        member.redeliver(asked).unwrap();
        all_over(&stage, &[channel]).await;
        is_whole(&stage, channel);
    }
    assert_eq!(sessions(&alone).await, 3);
    assert!(!alone.log().contains(SENTENCE), "{}", alone.log());
}
