//! The outside of a measurement, and the bot as a process in it.

use std::{
    collections::HashMap,
    fs::{self, File},
    ops::Range,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use chrono::{DateTime, Utc};
use playground::{Id, Options, Playground, ids};
use serde_json::json;
use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use tempfile::TempDir;

use super::{model::ModelServer, table::ms};

/// What the bot's log says at READY.
const CONNECTED: &str = "connected to Discord";

/// Discord, the models and a database, all fresh.
pub struct Scene {
    pub discord: Playground,
    pub model: ModelServer,
    folder: TempDir,
    channels: Vec<Id>,
}

/// A session that was asked for.
#[derive(Clone, Copy)]
pub struct Case {
    /// Its number, which stands in its problem.
    pub n: usize,
    /// The channel; each case has its own.
    pub channel: Id,
    pub asked: Instant,
    pub asked_ms: u64,
}

/// The bot in a process of its own; killed when dropped.
pub struct Process {
    child: Child,
    /// When it was started.
    pub began: Instant,
}

impl Scene {
    /// A scene in which so many sessions can each have a channel: half of them on one server, the others on a
    /// server of their own each.
    pub async fn new(sessions: usize, latency: Duration) -> Self {
        let half = sessions / 2;
        let options = Options {
            extra_channels: sessions - half,
            extra_guilds: half,
            keep_bodies: true,
            ..Options::default()
        };
        let discord = Playground::start(options).await.unwrap();
        let model = ModelServer::start().await;
        model.latency(latency);
        let channels = (0..(sessions - half) as u64).map(|n| ids::EXTRA_CHANNEL + n);
        let channels = channels.chain((0..half as u64).map(|n| ids::EXTRA_GUILD + 10 * n + 1)).collect();
        Self { discord, model, folder: tempfile::tempdir().unwrap(), channels }
    }

    fn spawn(&self) -> Process {
        let path = self.folder.path();
        let log = File::options().create(true).append(true).open(path.join("log")).unwrap();
        let plenty = "1000000000";
        let mut command = Command::new(env!("CARGO_BIN_EXE_quorum"));
        command
            .arg("run")
            .current_dir(path)
            .env_clear()
            .envs(
                std::env::vars_os().filter(|(name, _)| name == "PATH" || name == "HOME" || name == "TMPDIR"),
            )
            .env("DISCORD_TOKEN", self.discord.token())
            .env("DISCORD_API_BASE", self.discord.url())
            .env("DATABASE_URL", format!("sqlite://{}", path.join("quorum.db").display()))
            .env("OPENAI_API_KEY", "sk-bench")
            .env("OPENAI_BASE_URL", self.model.openai_base().as_str())
            .env("QUORUM_MODELS", "openai/alpha")
            .env("QUORUM_MAX_RUNNING_PER_SERVER", "1000")
            .env("QUORUM_MAX_OPEN_PER_MEMBER", "1000")
            .env("RUST_LOG", "warn,quorum::bot=info")
            .stdout(Stdio::null())
            .stderr(log);
        for name in ["MEMBER_DAY_TOKENS", "MEMBER_DAY_CALLS", "SERVER_DAY_TOKENS", "SERVER_DAY_CALLS"] {
            command.env(format!("QUORUM_BUDGET_{name}"), plenty);
        }
        let began = Instant::now();
        Process { child: command.spawn().unwrap(), began }
    }

    /// Starts the bot; gives how long it took to READY, in milliseconds, by the time that stands before that in its log:
    /// whoever looks from here looks late, while the stand-in puts ten thousand threads into words.
    pub async fn start(&self) -> (Process, f64) {
        let connected = || self.log().matches(CONNECTED).count();
        let (before, began) = (connected(), Utc::now());
        let process = self.spawn();
        while connected() == before {
            assert!(process.began.elapsed() < Duration::from_mins(10), "no READY\n{}", self.log());
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let (log, seen) = (self.log(), process.began.elapsed());
        let line = log.lines().rfind(|line| line.contains(CONNECTED)).unwrap();
        let at: DateTime<Utc> = line.split(' ').next().unwrap().parse().unwrap();
        // By a clock that was set meanwhile it would be later than it was seen, or before the start.
        let took = (at - began).to_std().ok().filter(|took| *took <= seen);
        (process, ms(took.unwrap_or(seen)))
    }

    /// Starts the bot and waits until it is connected and its commands are there.
    pub async fn bot(&self) -> Process {
        let (process, _) = self.start().await;
        let registered = self.discord.client().wait_bot(Duration::from_secs(20)).await;
        assert!(registered, "the bot has no commands:\n{}", self.log());
        process
    }

    /// Asks for the sessions of these numbers, all at once.
    pub fn ask(&self, numbers: Range<usize>) -> Vec<Case> {
        let client = self.discord.client();
        numbers
            .map(|n| {
                let (channel, asked, asked_ms) = (self.channels[n], Instant::now(), now_ms());
                let problem = format!("Case {n}: we want to build a food delivery app for a town of 40,000");
                client.run_command(ids::ADA, channel, "mediate", json!({"problem": problem})).unwrap();
                Case { n, channel, asked, asked_ms }
            })
            .collect()
    }

    /// Waits until the rows of all cases say that they are done; gives how long each took from its command.
    pub async fn wait_done(&self, cases: &[Case], patience: Duration) -> Vec<Duration> {
        let mut database = self.database().await;
        let until = Instant::now() + patience;
        let mut done: HashMap<Id, Instant> = HashMap::new();
        while !cases.iter().all(|case| done.contains_key(&case.channel)) {
            let rows: Vec<(i64, String, Option<String>)> =
                sqlx::query_as("SELECT channel_id, state, notice FROM session WHERE state <> 'running'")
                    .fetch_all(&mut database)
                    .await
                    .unwrap();
            let now = Instant::now();
            for (channel, state, notice) in rows {
                assert_eq!(state, "done", "a session ended otherwise: {notice:?}\n{}", self.log());
                done.entry(channel.cast_unsigned()).or_insert(now);
            }
            assert!(now < until, "{} of {} are done\n{}", done.len(), cases.len(), self.log());
            tokio::time::sleep(Duration::from_millis(4)).await;
        }
        cases.iter().map(|case| done[&case.channel] - case.asked).collect()
    }

    /// Waits until everything is posted; gives how long each case took from its command to its last post.
    pub async fn wait_posted(&self, cases: &[Case], patience: Duration) -> Vec<Duration> {
        let mut database = self.database().await;
        let until = Instant::now() + patience;
        loop {
            let unsent: i64 = sqlx::query_scalar("SELECT count(*) FROM outbox WHERE state = 'pending'")
                .fetch_one(&mut database)
                .await
                .unwrap();
            if unsent == 0 {
                break;
            }
            assert!(Instant::now() < until, "{unsent} posts are not sent\n{}", self.log());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let requests = self.discord.requests();
        let last = |case: &Case| {
            let path = format!("channels/{}/messages", self.thread(case));
            let posts = requests.iter().filter(|request| request.method == "POST");
            let last =
                posts.filter(|post| post.path.trim_start_matches('/') == path).map(|post| post.at_ms).max();
            // The machine's clock may have been set back meanwhile.
            Duration::from_millis(last.expect("posts in the thread").saturating_sub(case.asked_ms))
        };
        cases.iter().map(last).collect()
    }

    /// Whether a case's thread is there.
    pub fn has_thread(&self, case: &Case) -> bool {
        !self.discord.threads(case.channel).is_empty()
    }

    /// A case's thread.
    pub fn thread(&self, case: &Case) -> Id {
        let threads = self.discord.threads(case.channel);
        threads[0]["id"].as_str().unwrap().parse().unwrap()
    }

    /// Where the database is.
    pub fn database_path(&self) -> PathBuf {
        self.folder.path().join("quorum.db")
    }

    pub async fn database(&self) -> SqliteConnection {
        let path = self.folder.path().join("quorum.db");
        let options =
            SqliteConnectOptions::new().filename(path).read_only(true).busy_timeout(Duration::from_secs(5));
        SqliteConnection::connect_with(&options).await.unwrap()
    }

    /// What the bot has logged.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }
}

impl Process {
    /// Memory in use now, and the most that ever was, in megabytes.
    pub fn memory(&self) -> (f64, f64) {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let megabytes = |name: &str| {
            let line = status.lines().find(|line| line.starts_with(name));
            let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
            kilobytes.unwrap_or(f64::NAN) / 1024.0
        };
        (megabytes("VmRSS:"), megabytes("VmHWM:"))
    }

    /// Processor time that it has taken so far, to 10 ms.
    pub fn processor(&self) -> Duration {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        // The program's name, in brackets, may hold spaces; after it, the 12th and 13th are its ticks (proc(5)).
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let ticks: u64 = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
        Duration::from_millis(ticks * 10)
    }

    /// Ends it as a power cut would.
    pub fn kill(mut self) {
        self.end();
    }

    fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Milliseconds since 1970, as the stand-in counts.
pub fn now_ms() -> u64 {
    u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}
