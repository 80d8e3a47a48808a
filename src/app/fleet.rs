//! Several processes that serve one bot, each a range of its shards with a database of its own: whether they are a whole
//! together, and which servers lie in the wrong place. Called at a start and by `doctor`; `quorum prune --outside-shards` deletes
//! those servers.

use std::{collections::HashMap, path::PathBuf};

use anyhow::ensure;

use super::terminal;
use crate::{
    config::{Config, ConfigError},
    steps::now_ms,
    store::{Elsewhere, Outside, Store, StoreOptions},
};
use discord::Gateway;
use domain::{GuildId, Ranges, ShardRange, covers_all};

/// Most servers that one sentence names.
const MOST_NAMED: usize = 10;

/// What `quorum doctor` is told of the other processes; without ranges it takes those of `QUORUM_FLEET`.
#[derive(Clone, Debug, Default)]
pub struct Fleet {
    /// The shards of every process.
    pub ranges: Vec<ShardRange>,
    /// Their databases, in the same order; none, or one for each range.
    pub databases: Vec<PathBuf>,
}

impl Fleet {
    /// With the ranges that the settings name where none were given.
    pub(super) fn or_set(mut self, config: &Config) -> Self {
        if let Some(set) = config.discord.fleet.as_ref().filter(|_| self.ranges.is_empty()) {
            self.ranges = set.all().to_vec();
        }
        self
    }
}

/// Lets sessions of servers be that another process serves, and tells the log which.
pub(super) async fn let_be(store: &Store, range: ShardRange, all: Option<&Ranges>) -> anyhow::Result<()> {
    let servers = store.keep_to(range).await?;
    if !servers.is_empty() {
        tracing::warn!(
            servers = servers.len(),
            open_sessions = servers.iter().map(|server| server.open).sum::<u64>(),
            "this process runs the shards {range}, but its database holds servers of other shards, whose sessions are let \
             be: {}. Once the process that has their shard has a copy of this database, `quorum prune --outside-shards` \
             deletes them here",
            listed(&servers, all)
        );
    }
    Ok(())
}

/// Whether the ranges are all the shards that Discord recommends.
pub(super) fn shards(config: &Config, fleet: &Fleet, gateway: &Gateway) -> Result<String, String> {
    let recommended = gateway.shards.max(1);
    let set = config.discord.shards;
    let ranges = &fleet.ranges;
    if !ranges.is_empty() {
        covers_all(ranges).map_err(|error| error.to_string())?;
    }
    if let Some(set) = set.filter(|set| !ranges.is_empty() && !ranges.contains(set)) {
        return Err(format!("QUORUM_SHARDS is {set}, which is none of the ranges given with --ranges"));
    }
    let Some(range) = ranges.first().copied().or(set) else {
        return Ok(format!("this process runs all {recommended} that Discord recommends"));
    };
    let of = range.of();
    if of < recommended {
        return Err(format!(
            "{range} is of {of}, but Discord recommends {recommended} and refuses too few some day. Set a count of at least \
             {recommended} in QUORUM_SHARDS of every process: a multiple of {of}, in as many times as many ranges, of which \
             each begins on a copy of one database"
        ));
    }
    let which = match (ranges.as_slice(), set) {
        ([], _) => format!(
            "this process runs {range}; `quorum doctor --ranges` or QUORUM_FLEET checks all processes' ranges together"
        ),
        (all, _) => format!("{} ranges have every shard of {of} exactly once", all.len()),
    };
    Ok(format!("{which}; Discord recommends {recommended}"))
}

/// Whether every server lies in the database of the process that has its shard, and in one alone. `None`: there is nothing
/// to compare, as with one process.
pub(super) async fn servers(config: &Config, fleet: &Fleet) -> Option<Result<String, String>> {
    if fleet.databases.is_empty() {
        let range = config.discord.shards?;
        return Some(
            in_their_places(&[(range, config.database.clone())], config.discord.fleet.as_ref()).await,
        );
    }
    if fleet.databases.len() != fleet.ranges.len() {
        return Some(Err(format!(
            "{} databases and {} ranges are given. Name one database for each range, in the same order (--ranges, or \
             QUORUM_FLEET)",
            fleet.databases.len(),
            fleet.ranges.len()
        )));
    }
    let processes: Vec<_> = fleet.ranges.iter().copied().zip(fleet.databases.iter().cloned()).collect();
    let all = config.discord.fleet.as_ref().filter(|all| all.all() == fleet.ranges);
    Some(in_their_places(&processes, all).await)
}

async fn in_their_places(
    processes: &[(ShardRange, PathBuf)],
    all: Option<&Ranges>,
) -> Result<String, String> {
    let mut held: HashMap<GuildId, &PathBuf> = HashMap::new();
    let mut wrong = Vec::new();
    for (range, path) in processes {
        let shown = path.display();
        if !path.exists() {
            // The first start makes it.
            continue;
        }
        let unreadable = |error| format!("{shown} cannot be read: {error}");
        for guild in Store::servers_in(path).await.map_err(unreadable)? {
            if let Some(other) = held.insert(guild, path) {
                wrong.push(format!("server {guild} lies in {} and in {shown}", other.display()));
            }
        }
        let others = Store::elsewhere_in(path, *range).await.map_err(unreadable)?;
        if !others.is_empty() {
            wrong.push(format!(
                "{shown}, which is of the shards {range}, holds servers of other shards, whose sessions do not go on there: {}",
                listed(&others, all)
            ));
        }
    }
    if wrong.is_empty() {
        return Ok(format!("{} lie in one database each, that of their shard", held.len()));
    }
    Err(format!(
        "{}. The process that has a server's shard needs a copy of the database that has the server; in that database \
         `quorum prune --outside-shards` then deletes it",
        wrong.join("; ")
    ))
}

/// `quorum prune --outside-shards`: deletes what other processes serve from this one's database, while no bot runs on it.
pub async fn prune_outside(config: Config) -> anyhow::Result<()> {
    let path = &config.database;
    let range = config.discord.shards.ok_or_else(|| {
        ConfigError::one(
            "QUORUM_SHARDS",
            "is not set, so that every server is this process's and nothing lies outside",
            "Set it as for the bot of this database, then prune again.",
        )
    })?;
    ensure!(path.exists(), "there is no database at {}; DATABASE_URL names it", path.display());
    let store = Store::open(path, StoreOptions::default(), now_ms()).await?;
    let Outside { servers, sessions } = store.delete_outside(range).await?;
    terminal::say(format_args!(
        "Deleted from {} what is outside the shards {range} (servers: {servers}, sessions: {sessions}).",
        path.display()
    ));
    Ok(())
}

/// Servers with their shards, and with the process that has each where all are known; the first ones by name.
fn listed(servers: &[Elsewhere], all: Option<&Ranges>) -> String {
    let named = servers.iter().take(MOST_NAMED).map(|server| {
        let Elsewhere { guild, shard, sessions, open } = server;
        let whose = match all.and_then(|all| all.of(*guild)) {
            Some(range) => {
                let of = range.of();
                format!(" is shard {shard} of {of} now: the process with QUORUM_SHARDS={range} has it")
            }
            None => format!(", now of shard {shard}"),
        };
        format!("server {guild}{whose} (sessions: {sessions}, not over: {open})")
    });
    let named = named.collect::<Vec<_>>().join(", ");
    match servers.len().saturating_sub(MOST_NAMED) {
        0 => named,
        more => format!("{named}, and {more} more"),
    }
}
