//! Two processes whose rate limits a proxy keeps: a real one (nirn.py from the Python package index, where it is installed),
//! and none at all, where every 429 still has to be obeyed.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::{Ipv4Addr, TcpListener},
    process::{Child, Command, Stdio},
    time::Duration,
};

use playground::{Id, Options, ids::BOT};

use super::{PATIENCE, Process, mediate, no_rule_was_broken, online, servers, stage_with};
use crate::{
    resume::scene::{posts, text_of},
    support::{Stage, until},
};

/// A stand-in with Discord's rate limits.
async fn limited_stage() -> Stage {
    let stage = stage_with(Options { rate_limits: true, keep_bodies: true, ..Options::default() }).await;
    stage.model.latency(Duration::from_millis(100));
    stage
}

fn fleet(settings: &[(&'static str, &str)]) -> [Process; 2] {
    ["0-1/4", "2-3/4"].map(|range| {
        let process = Process::new(range).with("QUORUM_REST_RATE", "proxy");
        settings.iter().fold(process, |process, (name, value)| process.with(name, value))
    })
}

/// Plays so many sessions on every server at once, to their ends; each thread has each post once.
async fn play(stage: &Stage, fleet: &mut [Process], sessions: usize) {
    for process in fleet.iter_mut() {
        process.start(stage);
    }
    online(stage, &[0, 1, 2, 3]).await;
    for (_, channel) in servers() {
        for _ in 0..sessions {
            mediate(stage, channel);
        }
    }
    let threads = |channel: Id| -> Vec<Id> {
        let ids = stage.discord.threads(channel).into_iter();
        ids.map(|thread| thread["id"].as_str().unwrap().parse().unwrap()).collect()
    };
    let said = |thread: Id| -> Vec<String> { posts(stage, thread).iter().map(text_of).collect() };
    let over = |thread: Id| said(thread).iter().any(|text| text.starts_with("✅ Done"));
    let all = || servers().into_iter().flat_map(|(_, channel)| threads(channel)).collect::<Vec<_>>();
    let begun = tokio::time::Instant::now();
    while all().len() < sessions * servers().len() || !all().into_iter().all(over) {
        let told = || all().into_iter().map(|thread| said(thread).len()).collect::<Vec<_>>();
        assert!(begun.elapsed() < PATIENCE, "not over in time; posts: {:?}", told());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    for thread in all() {
        let said = said(thread);
        let different: BTreeSet<&String> = said.iter().collect();
        assert_eq!((said.len(), different.len()), (8, 8), "{said:#?}");
    }
    assert_eq!(all().len(), sessions * servers().len());
}

/// After a 429 of a bucket that is used up, nothing more comes in it until its window is over, but what was on its way.
/// Looked at where messages are posted: five in five seconds.
fn every_429_was_waited_for(stage: &Stage) {
    const WINDOW_MS: u64 = 5_000;
    const ON_ITS_WAY_MS: u64 = 500;
    let mut buckets: BTreeMap<String, Vec<(u64, u16)>> = BTreeMap::new();
    for asked in stage.discord.requests() {
        if asked.method == "POST" && asked.path.ends_with("/messages") {
            buckets.entry(asked.path).or_default().push((asked.at_ms, asked.status));
        }
    }
    let mut refused = 0;
    for (path, asked) in buckets {
        let (mut window, mut taken, mut since_429) = (0, 0, None);
        for (at, status) in asked {
            if at >= window + WINDOW_MS - 100 {
                since_429 = None;
                if status == 200 {
                    (window, taken) = (at, 0);
                }
            }
            let early = since_429.is_some_and(|since| at > since + ON_ITS_WAY_MS);
            assert!(!early, "{path}: asked again {} ms before its window was over", window + WINDOW_MS - at);
            taken += u32::from(status == 200);
            if status == 429 && taken == 5 && at < window + WINDOW_MS - 100 {
                refused += 1;
                since_429 = since_429.or(Some(at));
            }
        }
    }
    assert!(refused > 0, "no post was refused");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_nobody_keeps_the_limits_every_429_is_obeyed_and_nothing_is_lost_or_doubled() {
    let stage = limited_stage().await;
    // So few that the limit of all requests together is not reached: those of the buckets are.
    play(&stage, &mut fleet(&[]), 1).await;
    assert!(stage.discord.limited() > 0, "nothing was held back here");
    every_429_was_waited_for(&stage);
    no_rule_was_broken(&stage);
}

/// The proxy as a process of its own.
struct Proxy(Child);

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs nirn.py: `.ci/run` installs it and says in NIRN_PYTHON by which Python it runs"]
async fn nirn_two_processes_under_load_behind_a_real_proxy_are_never_answered_429() {
    #[expect(clippy::disallowed_methods, reason = "no setting of the bot's: where the proxy is")]
    let python = std::env::var("NIRN_PYTHON").expect("NIRN_PYTHON: the Python in which nirn.py is installed");
    let stage = limited_stage().await;
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
    let folder = tempfile::tempdir().unwrap();
    let log = std::fs::File::create(folder.path().join("log")).unwrap();
    let _proxy = Proxy(
        Command::new(python)
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fleet/nirn.py"))
            .current_dir(folder.path())
            .envs([
                ("UPSTREAM", stage.discord.url().as_str()),
                ("BIND_IP", "127.0.0.1"),
                ("PORT", &port.to_string()),
                ("ENABLE_METRICS", "false"),
                // Its bucket lets so many go at once and as many more within the second: 40 together, as our own limiter.
                // With 25 these would be Discord's 50 to the last one, and what leaves it in a second and a little need not
                // take as long to arrive: on a slow machine some would be answered 429.
                ("BOT_RATELIMIT_OVERRIDES", &format!("{BOT}:20")),
            ])
            .stdout(Stdio::from(log.try_clone().unwrap()))
            .stderr(Stdio::from(log))
            .spawn()
            .unwrap(),
    );
    let listens = || std::net::TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok();
    until(listens, || {
        format!("the proxy listens: {}", std::fs::read_to_string(folder.path().join("log")).unwrap())
    })
    .await;
    let base = format!("http://127.0.0.1:{port}");
    play(&stage, &mut fleet(&[("DISCORD_API_BASE", &base)]), 3).await;
    assert_eq!(stage.discord.limited(), 0, "{}", std::fs::read_to_string(folder.path().join("log")).unwrap());
    // The proxy asks two questions of its own, and does not say by whose hand.
    let of_the_proxy = ["GET /users/@me: the User-Agent", "GET /gateway/bot: the User-Agent"];
    let mut broken = stage.discord.violations();
    broken.retain(|rule| !of_the_proxy.iter().any(|own| rule.starts_with(own)));
    assert_eq!(broken, Vec::<String>::new());
}
