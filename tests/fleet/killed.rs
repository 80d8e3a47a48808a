//! Two processes, four shards, two databases: killed in the midst of sessions again and again, they are as one that never was.

use std::{
    net::{Ipv4Addr, TcpListener},
    time::Duration,
};

use super::{
    Process, all_over, history, is_over, is_whole, mediate, no_rule_was_broken, online, registered, said,
    servers, stage,
};
use crate::{
    resume::scene::{MEDIATE_CALLS, PROBLEM},
    support::{Stage, until},
};

/// The number of posts in the threads of a process's servers.
fn posts_of(stage: &Stage, process: &Process) -> usize {
    process.servers().iter().map(|(_, channel)| said(stage, *channel).len()).sum()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_processes_each_killed_again_and_again_no_session_runs_twice_and_none_is_orphaned() {
    let stage = stage().await;
    stage.model.latency(Duration::from_secs(1));
    let mut fleet = [Process::new("0-1/4"), Process::new("2-3/4")];
    for process in &mut fleet {
        process.start(&stage);
    }
    online(&stage, &[0, 1, 2, 3]).await;
    until(|| registered(&stage) == 1, || "the commands are there").await;
    let channels = servers().map(|(_, channel)| channel);
    for channel in channels {
        mediate(&stage, channel);
    }
    for channel in channels {
        until(|| super::thread(&stage, channel).is_some(), || "each session has its thread").await;
    }
    // In turn, each time at another place of the protocol: the other range goes on meanwhile.
    let mut in_the_midst = 0;
    for kill in 0..6 {
        let [killed, other] = if kill % 2 == 0 { [0, 1] } else { [1, 0] };
        tokio::time::sleep(Duration::from_millis(150 + 130 * kill)).await;
        fleet[killed].kill();
        let under_way = |(_, channel): &(u64, u64)| !is_over(&stage, *channel);
        in_the_midst += usize::from(fleet[killed].servers().iter().any(under_way));
        let alive: Vec<u64> = if killed == 0 { vec![2, 3] } else { vec![0, 1] };
        until(
            || stage.discord.shards_online().iter().all(|shard| alive.contains(shard)),
            || "the killed process's shards are gone",
        )
        .await;
        let (silent, before) = (posts_of(&stage, &fleet[killed]), posts_of(&stage, &fleet[other]));
        if before < 20 {
            until(|| posts_of(&stage, &fleet[other]) > before, || "the other range goes on").await;
        }
        assert_eq!(posts_of(&stage, &fleet[killed]), silent, "nobody speaks for a range that is down");
        fleet[killed].start(&stage);
    }
    assert!(in_the_midst >= 4, "only {in_the_midst} of the kills were in the midst of sessions");
    all_over(&stage, &channels).await;
    online(&stage, &[0, 1, 2, 3]).await;

    let mut calls = servers().len() * MEDIATE_CALLS;
    for process in &fleet {
        let sessions = process.sessions().await;
        let mut here: Vec<u64> = process.servers().into_iter().map(|(guild, _)| guild).collect();
        here.sort_unstable();
        assert_eq!(sessions.keys().copied().collect::<Vec<_>>(), here, "its servers and no others");
        assert!(sessions.values().all(|states| states.len() == 1), "{sessions:?}");
        calls += process.attempts("lost").await;
    }
    for channel in channels {
        is_whole(&stage, channel);
        // A command reaches the process that has the server's data.
        let told = history(&stage, channel).await;
        assert!(told.contains(&PROBLEM[..30]), "{told}");
    }
    assert!(stage.model.calls().len() <= calls, "{} calls", stage.model.calls().len());
    assert_eq!(registered(&stage), 1, "by one process, once, over all starts");
    no_rule_was_broken(&stage);
}

/// Discord lets a bot begin one session in five seconds, whichever process begins it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_that_start_together_share_what_discord_lets_begin() {
    let options =
        playground::Options { rate_limits: false, limit_identify: true, ..playground::Options::default() };
    let stage = super::stage_with(options).await;
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
    let first = Process::new("0-1/4").with("QUORUM_METRICS_PORT", &port.to_string());
    let mut fleet = [first, Process::new("2/4"), Process::new("3/4")];
    for process in &mut fleet {
        process.start(&stage);
    }
    let now = || stage.discord.shards_online();
    for _ in 0..3 {
        // Each start of four takes twenty seconds at least.
        let _ = tokio::time::timeout(Duration::from_secs(25), online(&stage, &[0, 1, 2, 3])).await;
        if now().len() == 4 {
            break;
        }
    }
    assert_eq!(now(), [0, 1, 2, 3]);
    // One process sees to the commands: the others do not even ask which there are.
    let of_commands = |method: &str| {
        let asked = stage.discord.requests();
        asked.iter().filter(|asked| asked.method == method && asked.path.ends_with("/commands")).count()
    };
    assert_eq!([of_commands("GET"), of_commands("PUT")], [1, 1]);
    let metrics =
        reqwest::get(format!("http://127.0.0.1:{port}/metrics")).await.unwrap().text().await.unwrap();
    assert!(
        metrics.contains(r#"quorum_shards_info{range="0-1/4",first="0",last="1",of="4"} 1"#)
            && metrics.contains("quorum_gateway_connections_wanted 2\n"),
        "{metrics}"
    );
    no_rule_was_broken(&stage);
}
