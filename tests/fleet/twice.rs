//! Two processes of one range, each with a file of its own: nothing keeps them apart, and Discord tells both of everything.

use std::{
    net::{Ipv4Addr, TcpListener},
    time::Duration,
};

use playground::{Fault, Id, ids::ADA};
use serde_json::json;

use super::{Process, all_over, is_whole, online, registered, servers, stage};
use crate::{
    resume::scene::{PROBLEM, posts},
    support::{Stage, nothing_comes, play::id, until},
    vote::scene::component,
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

    // A ballot is counted where the session is, whoever answers first; a form begins one session, whoever has opened it.
    for channel in channels {
        vote(&stage, channel).await;
    }
    let counted = || async { ballots(&both[0]).await + ballots(&both[1]).await };
    for _ in 0..100 {
        if counted().await == channels.len() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(counted().await, channels.len());
    let member = stage.discord.client();
    let opened = member.run_command(ADA, channels[0], "mediate", json!({})).unwrap();
    assert!(member.wait_reply(opened).await.modal.is_some());
    let sent = member.submit_modal(ADA, opened, &[("text", PROBLEM)]).unwrap();
    let said = member.wait_reply(sent).await.text();
    assert!(said.contains("<#"), "{said}");
    nothing_comes(Duration::from_secs(1)).await;
    assert_eq!(sessions(&both[0]).await + sessions(&both[1]).await, channels.len() + 1);
    assert_eq!(stage.discord.threads(channels[0]).len(), 2);
}

/// Gives a channel's first solution all points.
async fn vote(stage: &Stage, channel: Id) {
    let thread = super::thread(stage, channel).unwrap();
    let panel = || posts(stage, thread).into_iter().find(|post| component(post, "vote_all").is_some());
    until(|| panel().is_some(), || "the vote is open").await;
    let panel = panel().unwrap();
    let press = component(&panel, "vote_all").unwrap();
    let member = stage.discord.client();
    let chosen = member.select(ADA, thread, id(&panel["id"]), &press, &["1"]).unwrap();
    let seen = member.wait_reply(chosen).await;
    assert!(seen.failed.is_none(), "{seen:?}");
}

/// How many ballots a process has.
async fn ballots(process: &Process) -> usize {
    let count =
        sqlx::query_scalar::<_, i64>("SELECT count(*) FROM ballot").fetch_one(&process.rows().await).await;
    usize::try_from(count.unwrap()).unwrap()
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
