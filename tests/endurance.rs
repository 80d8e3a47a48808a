//! Endurance: the built program, killed by SIGKILL at random instants over whole sessions of all four protocols, while
//! both servers misbehave. It takes about a second a kill, so it is run by hand and at night:
//!
//! `cargo test --test endurance -- --ignored --nocapture`
//!
//! `QUORUM_ENDURANCE_KILLS` says how many kills (1,000), `QUORUM_ENDURANCE_SEED` which dice (1). What is held against the
//! promises is what the two servers saw and what the database holds, never what the bot says of itself. The program has a
//! real clock, so nights of simulated time are not played here.

mod support;

use std::{
    collections::BTreeMap,
    fs,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use playground::{
    Fault, Id, Limited, Upload,
    ids::{ADA, BOT, DECISIONS},
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::json;
use support::{
    Stage,
    model::{Answer, Fault as ModelFault},
    play::{buttons, id},
};

/// How long a session may take with all its lives.
const PATIENCE: Duration = Duration::from_mins(4);
/// A life is at least and at most so long, in milliseconds.
const LIFE: std::ops::Range<u64> = 150..2_500;
/// How much memory may grow from the first sessions to the last, in MiB.
const GROWTH: u64 = 15;
/// Most that the write-ahead log may come to, in MiB.
const MOST_WAL: u64 = 64;

const DOCUMENT: &str = "# Plan\n\nThe shop opens in May because the pilot of two weeks went well. Each order earns \
    three euros and costs four euros to bring. The team hires ten people before the first order.";

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// The built program in a life of its own.
struct Life(Child);

impl Life {
    fn begin(stage: &Stage) -> Self {
        let database = format!("sqlite://{}", stage.database().display());
        let child = Command::new(env!("CARGO_BIN_EXE_quorum"))
            .arg("run")
            .current_dir(stage.database().parent().unwrap())
            .env_clear()
            .env("DISCORD_TOKEN", stage.discord.token())
            .env("DISCORD_API_BASE", stage.discord.url())
            .env("DATABASE_URL", database)
            .env("OPENAI_API_KEY", "sk-test")
            .env("OPENAI_BASE_URL", stage.model.openai_base().as_str())
            .env("QUORUM_MODELS", "openai/alpha,openai/beta")
            .env("QUORUM_MAX_OPEN_PER_MEMBER", "1000")
            .env("QUORUM_MAX_RUNNING_PER_SERVER", "1000")
            .envs(["SESSION", "MEMBER_DAY", "SERVER_DAY", "BOT_DAY", "BOT_MONTH"].into_iter().flat_map(
                |of| {
                    // What is told to stop is not tried here.
                    [("TOKENS", "900000000"), ("CALLS", "900000")]
                        .map(|(what, most)| (format!("QUORUM_BUDGET_{of}_{what}"), most))
                },
            ))
            .env("RUST_LOG", "error")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        Self(child)
    }

    /// Its memory in KiB.
    fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or_default()
    }

    fn kill(mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What goes wrong in a life: a few requests to Discord, a few calls.
fn misbehave(stage: &Stage, dice: &mut StdRng) {
    let faults = stage.discord.faults();
    faults.clear();
    let limited = Fault::Limited(Limited { retry_after: 0.2, ..Limited::default() });
    let all = [Fault::LoseReply, Fault::Refuse, limited, Fault::Status(502), Fault::Status(500)];
    for (method, path) in [("POST", "/channels/**"), ("PATCH", "/channels/**"), ("*", "/interactions/**")] {
        if dice.random_bool(0.5) {
            let fault = all[dice.random_range(0..all.len())].clone();
            faults.after(method, path, dice.random_range(0..6), dice.random_range(1..3), fault);
        }
    }
    let calls = [ModelFault::Server, ModelFault::Overloaded, ModelFault::RateLimited(Some(0.2))];
    let (wrong, each) = (calls[dice.random_range(0..calls.len())].clone(), dice.random_range(5..30_usize));
    let cut = dice.random_bool(0.5);
    stage.model.on(move |call| {
        let unlucky = call.n == 1 && call.user.len() % each == 0;
        unlucky.then(|| if cut { Answer::CutMidStream } else { Answer::Fault(wrong.clone()) })
    });
    stage.model.latency(Duration::from_millis(dice.random_range(0..400)));
}

/// A member starts a session; nothing if the bot died before it was taken up.
async fn start(stage: &Stage, protocol: &str, number: usize) -> Option<Id> {
    let client = stage.discord.client();
    let known = stage.discord.threads(DECISIONS).len();
    let problem = format!("Problem {number}: where does the team meet?");
    let begun = match protocol {
        "critique" => {
            let files = [("document".to_owned(), Upload::new("plan.md", DOCUMENT.to_owned()))].into();
            client.run_command_with(ADA, DECISIONS, "critique", json!({"depth": 1}), files)
        }
        "debate" => {
            let asked =
                json!({"proposition": format!("Should the team meet in room {number}?"), "preset": "quick"});
            client.run_command(ADA, DECISIONS, "debate", asked)
        }
        other => client.run_command(ADA, DECISIONS, other, json!({"problem": problem})),
    };
    begun.ok()?;
    let until = Instant::now() + Duration::from_secs(4);
    while Instant::now() < until {
        let threads = stage.discord.threads(DECISIONS);
        if threads.len() > known {
            return threads.last().map(|thread| id(&thread["id"]));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    None
}

/// Lets a session that waits for somebody go on.
fn confirm(stage: &Stage, thread: Id) {
    for message in stage.public(thread) {
        let go = buttons(&message).into_iter().find(|(label, _)| label == "Start" || label == "Go");
        if let Some((_, custom_id)) = go {
            let _ = stage.discord.client().click(ADA, thread, id(&message["id"]), &custom_id);
        }
    }
}

fn is_over(stage: &Stage, thread: Id) -> bool {
    let said = stage.public(thread).iter().map(ToString::to_string).collect::<String>();
    said.contains("Nothing was degraded") || said.contains("**Degraded:**")
}

/// The cards of a thread by their titles: none is there twice.
fn check_thread(stage: &Stage, thread: Id, what: &str) {
    let mut cards: BTreeMap<String, usize> = BTreeMap::new();
    for message in stage.public(thread) {
        let first = &message["embeds"][0];
        let text = |field: &str| first[field].as_str().unwrap_or_default().to_owned();
        if first.is_object() {
            *cards.entry(format!("{} {}", text("title"), text("description"))).or_default() += 1;
        }
    }
    let twice: Vec<_> = cards.iter().filter(|(_, count)| **count > 1).collect();
    assert!(twice.is_empty(), "{what}: doubled: {twice:#?}");
}

/// Each post that the database calls sent is in its thread once and in its order, and nothing else of the bot's is.
async fn check_posts(stage: &Stage) {
    let rows = stage.rows().await;
    let sessions: Vec<(String, i64)> =
        sqlx::query_as("SELECT id, thread_id FROM session").fetch_all(&rows).await.unwrap();
    assert_eq!(stage.discord.threads(DECISIONS).len(), sessions.len(), "a thread for each session");
    let bot = BOT.to_string();
    for (session, thread) in sessions {
        let sent: Vec<i64> = sqlx::query_scalar(
            "SELECT message_id FROM outbox WHERE session_id = ?1 AND target = 'thread' AND state = 'sent' ORDER BY id",
        )
        .bind(&session)
        .fetch_all(&rows)
        .await
        .unwrap();
        let sent: Vec<Id> = sent.into_iter().map(i64::cast_unsigned).collect();
        let there = stage.public(thread.cast_unsigned()).into_iter().filter(|message| {
            message["author"]["id"] == bot.as_str() && matches!(message["type"].as_u64(), Some(0 | 19))
        });
        let there: Vec<Id> = there.map(|message| id(&message["id"])).collect();
        assert_eq!(there, sent, "each post of {session} once and in order");
    }
}

/// What the database says, beside what the servers saw.
async fn check_rows(stage: &Stage, sessions: usize) {
    let rows = stage.rows().await;
    let count = |sql: &'static str| {
        let rows = rows.clone();
        async move { sqlx::query_scalar::<_, i64>(sql).fetch_one(&rows).await.unwrap() }
    };
    assert_eq!(count("SELECT count(*) FROM session").await, i64::try_from(sessions).unwrap());
    assert_eq!(count("SELECT count(*) FROM session WHERE state <> 'done'").await, 0, "every session ended");
    assert_eq!(
        count("SELECT count(*) FROM outbox WHERE message_id IS NULL AND state <> 'dead'").await,
        0,
        "everything is posted"
    );
    assert_eq!(
        count("SELECT count(*) - count(DISTINCT message_id) FROM outbox WHERE message_id IS NOT NULL").await,
        0
    );
    assert_eq!(count("SELECT count(*) FROM attempt WHERE state = 'sent'").await, 0, "no call is forgotten");
    let over = "SELECT count(*) FROM account WHERE calls_used + calls_held > calls_cap
        OR tokens_used + tokens_held > tokens_cap OR money_used + money_held > money_cap";
    assert_eq!(count(over).await, 0, "no budget is passed");
    let twice = "SELECT count(*) FROM (SELECT 1 FROM attempt WHERE state = 'ok' GROUP BY session_id, key HAVING count(*) > 1)";
    assert_eq!(count(twice).await, 0, "no finished call was made again");
    // What the server answered and nobody could write down was cut off by a kill, and is charged.
    let made = i64::try_from(stage.model.calls().len()).unwrap();
    let known = count("SELECT count(*) FROM attempt").await;
    assert!(made <= known, "{made} calls arrived and {known} are in the ledger");
    let charged = count("SELECT sum(calls_used) FROM account WHERE scope = 'session'").await;
    assert!(made <= charged, "{made} calls arrived and {charged} are charged");
    assert_eq!(stage.model.strays(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes about a second a kill"]
async fn a_thousand_kills_lose_nothing_and_double_nothing() {
    let (wanted, seed) = (setting("QUORUM_ENDURANCE_KILLS", 1_000), setting("QUORUM_ENDURANCE_SEED", 1));
    let mut dice = StdRng::seed_from_u64(seed);
    let stage = Stage::start().await;
    let (begun, mut kills, mut sessions, mut wal) = (Instant::now(), 0, 0, 0);
    let mut memory: Vec<u64> = Vec::new();
    while kills < wanted {
        let protocol = ["mediate", "roundtable", "debate", "critique"][sessions % 4];
        let what = format!("session {sessions} (/{protocol}, seed {seed})");
        let mut thread = None;
        let (until, mut most) = (Instant::now() + PATIENCE, 0);
        loop {
            assert!(
                Instant::now() < until,
                "{what} does not end\n{:#?}",
                thread.map(|thread| stage.read(thread))
            );
            misbehave(&stage, &mut dice);
            let life = Life::begin(&stage);
            let ends = Instant::now() + Duration::from_millis(dice.random_range(LIFE));
            if thread.is_none() && stage.discord.client().wait_bot(Duration::from_secs(5)).await {
                thread = start(&stage, protocol, sessions).await;
            }
            while Instant::now() < ends {
                if let Some(thread) = thread {
                    confirm(&stage, thread);
                }
                most = most.max(life.memory());
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            life.kill();
            kills += 1;
            let log = stage.database().with_extension("db-wal");
            wal = wal.max(fs::metadata(log).map_or(0, |file| file.len()));
            if thread.is_some_and(|thread| is_over(&stage, thread)) {
                break;
            }
        }
        check_thread(&stage, thread.expect("a thread"), &what);
        sessions += 1;
        stage.gets_on();
        memory.push(most);
        eprintln!("{what}: {kills} kills in {} s, {} MiB", begun.elapsed().as_secs(), most / 1024);
    }
    // What is left to be posted is posted in a last, quiet life.
    stage.discord.faults().clear();
    stage.model.on(|_| None);
    let life = Life::begin(&stage);
    tokio::time::sleep(Duration::from_secs(10)).await;
    life.kill();
    for thread in stage.discord.threads(DECISIONS) {
        check_thread(&stage, id(&thread["id"]), "at the end");
    }
    check_posts(&stage).await;
    check_rows(&stage, sessions).await;
    let part = memory.len().div_ceil(4);
    let most = |lives: &[u64]| lives.iter().max().copied().unwrap_or_default() / 1024;
    let (first, last) = (most(&memory[..part]), most(&memory[memory.len() - part..]));
    eprintln!(
        "{kills} kills, {sessions} sessions, {first} MiB at first and {last} MiB at last, WAL {} KiB",
        wal / 1024
    );
    assert!(last <= first + GROWTH, "memory grows: {first} to {last} MiB");
    assert!(wal / 1024 / 1024 <= MOST_WAL, "the write-ahead log grows: {} MiB", wal / 1024 / 1024);
}
