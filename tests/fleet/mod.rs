//! Several processes that serve one bot: the program as it is installed, each with a range of shards and a database of its own,
//! against one stand-in that shares the servers out among the shards by Discord's formula.

mod compose;
mod cut;
mod direct;
mod killed;
mod nonsense;
mod proxied;
mod twice;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
    time::Duration,
};

use domain::{GuildId, ShardRange};
use playground::{
    Id, Options,
    ids::{ADA, EXTRA_GUILD},
};
use serde_json::{Value, json};
use sqlx::{Row, SqlitePool, sqlite::SqliteConnectOptions};
use tempfile::TempDir;

use crate::{
    resume::scene::{PROBLEM, answer_alike, posts, text_of},
    support::{
        Stage,
        program::{Program, end, program_with},
        until,
    },
};

/// How many shards there are.
const SHARDS: usize = 4;
/// How long four sessions may take in which processes are killed; each start connects a shard every five seconds.
const PATIENCE: Duration = Duration::from_mins(3);

/// Servers of which each is on another shard, in the order of the shards, and their channels.
fn servers() -> [(Id, Id); SHARDS] {
    let mut servers = [(0, 0); SHARDS];
    for n in 0..SHARDS {
        let guild = EXTRA_GUILD + ((n as Id) << 22);
        servers[usize::try_from((guild >> 22) % SHARDS as Id).unwrap()] = (guild, guild + 1);
    }
    servers
}

/// A stand-in with a server on each shard, whose models take a little while.
async fn stage_with(options: Options) -> Stage {
    let options =
        Options { shards: SHARDS as u64, extra_guilds: SHARDS, extra_guilds_apart: 1 << 22, ..options };
    let stage = Stage::with(options).await;
    answer_alike(&stage);
    stage.model.latency(Duration::from_millis(400));
    stage
}

async fn stage() -> Stage {
    stage_with(Options { rate_limits: false, keep_bodies: true, ..Options::default() }).await
}

/// A process of the fleet, which can be killed and started again on its database.
struct Process {
    range: ShardRange,
    folder: TempDir,
    settings: Vec<(&'static str, String)>,
    child: Option<Program>,
    /// The logs of its earlier lives.
    before: String,
}

impl Process {
    fn new(range: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let range = range.parse().unwrap();
        Self { range, folder, settings: Vec::new(), child: None, before: String::new() }
    }

    /// The same with a further setting.
    fn with(mut self, name: &'static str, value: &str) -> Self {
        self.settings.push((name, value.to_owned()));
        self
    }

    fn database(&self) -> PathBuf {
        self.folder.path().join("quorum.db")
    }

    /// Starts it, or starts it again.
    fn start(&mut self, stage: &Stage) {
        assert!(self.child.is_none());
        self.before += &self.log();
        let (range, database) = (self.range.to_string(), format!("sqlite://{}", self.database().display()));
        let mut settings = vec![("QUORUM_SHARDS", range.as_str()), ("DATABASE_URL", database.as_str())];
        settings.extend(self.settings.iter().map(|(name, value)| (*name, value.as_str())));
        self.child = Some(program_with(stage, self.folder.path(), &settings));
    }

    /// SIGKILL.
    fn kill(&mut self) {
        let mut child = self.child.take().expect("a process that runs");
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Waits until it ends by itself; gives the log of this life.
    async fn ended(&mut self) -> String {
        let status = end(self.child.take().expect("a process that runs"), "a process of the fleet").await;
        assert!(!status.success(), "{}", self.log());
        self.log()
    }

    /// The log of this life.
    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    async fn rows(&self) -> SqlitePool {
        let connect = SqliteConnectOptions::new().filename(self.database()).read_only(true);
        SqlitePool::connect_with(connect.busy_timeout(Duration::from_secs(10))).await.unwrap()
    }

    /// Its sessions: server and state of each.
    async fn sessions(&self) -> BTreeMap<Id, Vec<String>> {
        let rows = sqlx::query("SELECT guild_id, state FROM session").fetch_all(&self.rows().await).await;
        let mut sessions: BTreeMap<Id, Vec<String>> = BTreeMap::new();
        for row in rows.unwrap() {
            let guild = row.get::<i64, _>("guild_id").cast_unsigned();
            sessions.entry(guild).or_default().push(row.get("state"));
        }
        sessions
    }

    /// Attempts at model calls that were made, by their state.
    async fn attempts(&self, state: &str) -> usize {
        let count = sqlx::query_scalar::<_, i64>("SELECT count(*) FROM attempt WHERE state = ?1");
        usize::try_from(count.bind(state).fetch_one(&self.rows().await).await.unwrap()).unwrap()
    }

    /// The servers of the stage that it has.
    fn servers(&self) -> Vec<(Id, Id)> {
        servers().into_iter().filter(|(guild, _)| self.range.holds(GuildId(*guild))).collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
        if std::thread::panicking() {
            eprintln!("the log of {}:\n{}{}", self.range, self.before, self.log());
        }
    }
}

/// Waits until exactly these shards are connected.
async fn online(stage: &Stage, wanted: &[u64]) {
    let now = || stage.discord.shards_online();
    until(|| now() == wanted, || format!("{wanted:?} are connected: {:?} are", now())).await;
}

/// Starts a session in a channel.
fn mediate(stage: &Stage, channel: Id) {
    stage.discord.client().run_command(ADA, channel, "mediate", json!({"problem": PROBLEM})).unwrap();
}

/// The one thread of a channel, if there is one.
fn thread(stage: &Stage, channel: Id) -> Option<Id> {
    let threads = stage.discord.threads(channel);
    assert!(threads.len() <= 1, "{} threads instead of one", threads.len());
    Some(threads.first()?["id"].as_str().unwrap().parse().unwrap())
}

/// What the bot has posted in a channel's thread.
fn said(stage: &Stage, channel: Id) -> Vec<String> {
    let Some(thread) = thread(stage, channel) else { return Vec::new() };
    posts(stage, thread).iter().map(text_of).collect()
}

/// Whether a channel's session is over, as its thread and its card say.
fn is_over(stage: &Stage, channel: Id) -> bool {
    let closed = said(stage, channel).iter().any(|text| text.starts_with("✅ Done"));
    closed && posts(stage, channel).iter().any(|card| text_of(card).contains("Done"))
}

/// Waits until the sessions of all these channels are over.
async fn all_over(stage: &Stage, channels: &[Id]) {
    let begun = tokio::time::Instant::now();
    while !channels.iter().all(|channel| is_over(stage, *channel)) {
        let told = || channels.iter().map(|channel| said(stage, *channel)).collect::<Vec<_>>();
        assert!(begun.elapsed() < PATIENCE, "not over in time: {:#?}", told());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Whether a channel's thread has the posts of a mediation, each once, below one card.
fn is_whole(stage: &Stage, channel: Id) {
    let said = said(stage, channel);
    let different: BTreeSet<&String> = said.iter().collect();
    assert_eq!((said.len(), different.len()), (8, 8), "{said:#?}");
    assert_eq!(posts(stage, channel).len(), 1, "one card");
}

/// How often the commands were sent to Discord.
fn registered(stage: &Stage) -> usize {
    let sent =
        |request: &&playground::Request| request.method == "PUT" && request.path.ends_with("/commands");
    stage.discord.requests().iter().filter(sent).count()
}

/// Nothing of Discord's rules was broken.
fn no_rule_was_broken(stage: &Stage) {
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
}

/// What a member's `/history` says there.
async fn history(stage: &Stage, channel: Id) -> String {
    stage.told(ADA, channel, "history", Value::Object(serde_json::Map::new())).await
}
