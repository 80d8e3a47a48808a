//! A local stand-in for Discord: REST, gateway, attachments, and a page on which people use the bot.
//!
//! With it anyone can run the bot without an account, and tests run over the wire. The bot reaches it through
//! the same code as Discord; only the base URL differs. It enforces Discord's documented rules and answers
//! violations as Discord does, and it keeps a list of them: [`Playground::violations`] should stay empty.
//!
//! Invariants: it listens on loopback only and refuses foreign origins; all state is behind one lock that is
//! never held across an await; ids only grow. Called by the command line (`quorum playground`), by `example`, tests and
//! benches; it knows nothing of the rest of the project.

mod actions;
mod assets;
mod draft;
mod driver;
mod events;
mod faults;
mod files;
mod forwards;
mod gateway;
mod guild;
mod interaction;
mod mentions;
mod message;
mod options;
mod page;
mod page_api;
mod permissions;
mod persist;
mod pins;
mod posts;
mod ratelimit;
mod record;
mod rest;
mod seed;
mod sent_form;
mod snowflake;
pub mod unsteady;
mod validate;
mod wire;
mod world;

use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::watch;

use faults::Script;
use guild::Channel;
use message::Viewer;
use ratelimit::Limits;
use record::Record;
use world::World;

pub use driver::{Client, Seen};
pub use faults::{Fault, Faults, Limited};
pub use files::Upload;
pub use permissions::bits;
pub use record::Request;
pub use seed::ids;
pub use snowflake::Id;

/// The bot token accepted unless another is set.
const TOKEN: &str = "MTEwMDAwMDAwMDAwMDAwMDAwMQ.playgr.ound-playground-playground-0";

/// How the stand-in is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// Port on 127.0.0.1; `0` takes any free one.
    pub port: u16,
    /// The bot token it accepts.
    pub token: String,
    /// Whether rate limits are enforced.
    pub rate_limits: bool,
    /// File that keeps the state over restarts; without it everything is forgotten.
    pub state_path: Option<PathBuf>,
    /// Servers beyond the usual two, one channel each.
    pub extra_guilds: usize,
    /// How far their numbers are apart: at `1 << 22` each is of the next shard.
    pub extra_guilds_apart: Id,
    /// Channels beyond the usual ones, in the first server.
    pub extra_channels: usize,
    /// Members beyond the usual four, in the first server.
    pub extra_members: usize,
    /// Privileged intents the application has; without `1 << 15` message content is withheld.
    pub privileged_intents: u64,
    /// Time within which an interaction must be acknowledged (Discord: 3 s).
    pub acknowledge_within: Duration,
    /// Time for which an interaction's token works (Discord: 15 min).
    pub token_life: Duration,
    /// Time for which a nonce is remembered (Discord: "the past few minutes").
    pub nonce_memory: Duration,
    /// Heartbeat interval asked of the bot (Discord: about 41 s).
    pub heartbeat_interval: Duration,
    /// Whether a second IDENTIFY within 5 s is refused with op 9, as Discord's `max_concurrency` of 1 says.
    pub limit_identify: bool,
    /// With how many shards it recommends to connect.
    pub shards: u64,
    /// Fewer shards than this are refused with 4011, as Discord refuses a bot with too many servers on one.
    pub fewest_shards: u64,
    /// Whether request bodies are kept in the record.
    pub keep_bodies: bool,
    /// Now and then a request, its answer, or what a member does waits for up to this time.
    pub unsteady: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            port: 0,
            token: TOKEN.to_owned(),
            rate_limits: true,
            state_path: None,
            extra_guilds: 0,
            extra_guilds_apart: 10,
            extra_channels: 0,
            extra_members: 0,
            privileged_intents: 0,
            acknowledge_within: Duration::from_secs(3),
            token_life: Duration::from_mins(15),
            nonce_memory: Duration::from_mins(3),
            heartbeat_interval: Duration::from_millis(41_250),
            limit_identify: false,
            shards: 1,
            fewest_shards: 1,
            keep_bodies: false,
            unsteady: Duration::ZERO,
        }
    }
}

/// What all requests and connections share.
struct Shared {
    options: Options,
    /// `127.0.0.1:port`.
    host: String,
    world: Mutex<World>,
    limits: Mutex<Limits>,
    faults: Mutex<Script>,
    record: Mutex<Record>,
    /// Held by each request from before anything can be seen of it until it stands in the record.
    underway: RwLock<()>,
    identified: Mutex<Option<Instant>>,
    stop: watch::Sender<bool>,
    /// The newest change that is in the state file.
    saved: watch::Sender<u64>,
}

/// A lock that a panicked holder does not make useless: every change leaves the state consistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn world(&self) -> MutexGuard<'_, World> {
        lock(&self.world)
    }
    fn limits(&self) -> MutexGuard<'_, Limits> {
        lock(&self.limits)
    }
    fn faults(&self) -> MutexGuard<'_, Script> {
        lock(&self.faults)
    }
    fn record(&self) -> MutexGuard<'_, Record> {
        lock(&self.record)
    }
    /// A request is being done.
    fn underway(&self) -> RwLockReadGuard<'_, ()> {
        self.underway.read().unwrap_or_else(PoisonError::into_inner)
    }
    /// The record, in which all stands of which anything can be seen.
    fn whole_record(&self) -> MutexGuard<'_, Record> {
        drop(self.underway.write().unwrap_or_else(PoisonError::into_inner));
        self.record()
    }

    fn gateway_url(&self) -> String {
        format!("ws://{}/gateway", self.host)
    }

    /// Whether the application reads message content over REST without being mentioned.
    fn reads_content(&self) -> bool {
        self.options.privileged_intents & events::intent::MESSAGE_CONTENT != 0
    }

    /// Counts an IDENTIFY. False when it comes too soon after another.
    fn identify_allowed(&self) -> bool {
        let mut last = lock(&self.identified);
        let soon = last.is_some_and(|at| at.elapsed() < Duration::from_secs(5));
        if soon && self.options.limit_identify {
            return false;
        }
        *last = Some(Instant::now());
        true
    }
}

/// All that a stand-in held at one moment, for others that go on from there.
pub struct Moment {
    world: World,
    violations: Vec<String>,
}

/// A running stand-in. It stops when dropped.
pub struct Playground {
    shared: Arc<Shared>,
    keeper: Option<tokio::task::JoinHandle<()>>,
}

impl Playground {
    /// Binds to loopback and serves until dropped. Fails when the port is taken or the state file unusable.
    pub async fn start(options: Options) -> anyhow::Result<Self> {
        Self::start_at(options, None).await
    }

    /// Everything as it is at this moment.
    #[must_use]
    pub fn moment(&self) -> Moment {
        let world = self.shared.world();
        Moment {
            world: world.copy(world.origin.clone()),
            violations: self.shared.record().violations.clone(),
        }
    }

    /// The same as [`Playground::start`], but with all that another one held at that moment. Its state file, if it has
    /// one, is not read. No bot is connected to it yet.
    pub async fn start_from(options: Options, moment: &Moment) -> anyhow::Result<Self> {
        Self::start_at(options, Some(moment)).await
    }

    async fn start_at(options: Options, moment: Option<&Moment>) -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))
            .await
            .with_context(|| format!("cannot listen on 127.0.0.1:{}", options.port))?;
        let host = listener.local_addr()?.to_string();
        let mut world = World::empty(format!("http://{host}"), ids::BOT);
        let loaded = match (moment, &options.state_path) {
            (Some(moment), _) => {
                world = moment.world.copy(world.origin);
                true
            }
            (None, Some(path)) => persist::load(&mut world, path)?,
            (None, None) => false,
        };
        if !loaded {
            world.seed(
                (options.extra_guilds, options.extra_guilds_apart),
                options.extra_channels,
                options.extra_members,
            );
        }
        let shared = Arc::new(Shared {
            options,
            host,
            world: Mutex::new(world),
            limits: Mutex::default(),
            faults: Mutex::default(),
            record: Mutex::new(Record {
                violations: moment.map(|moment| moment.violations.clone()).unwrap_or_default(),
                ..Record::default()
            }),
            underway: RwLock::default(),
            identified: Mutex::default(),
            stop: watch::Sender::new(false),
            saved: watch::Sender::new(0),
        });
        // Whoever waited for an answer waits for it from now on.
        let waiting: Vec<Id> = {
            let world = shared.world();
            let open = world.interactions.values().filter(|i| i.acknowledged.is_none() && i.failed.is_none());
            open.map(|i| i.id).collect()
        };
        for id in waiting {
            shared.start_clock(id);
        }
        let keeper =
            shared.options.state_path.clone().map(|path| tokio::spawn(persist::keep(shared.clone(), path)));
        let mut stop = shared.stop.subscribe();
        let service = page::router(shared.clone()).into_make_service_with_connect_info::<wire::Connection>();
        let server = axum::serve(wire::Loopback(listener), service).with_graceful_shutdown(async move {
            let _ = stop.changed().await;
        });
        tokio::spawn(async move {
            if let Err(error) = server.await {
                tracing::error!("the playground stopped serving: {error}");
            }
        });
        Ok(Self { shared, keeper })
    }

    /// Its address, `http://127.0.0.1:PORT`: the bot's base URL, and the page's.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.shared.host)
    }

    /// The bot token it accepts.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.shared.options.token
    }

    /// Stops serving and writes the state a last time.
    pub async fn stop(mut self) {
        self.shared.stop.send_replace(true);
        if let Some(keeper) = self.keeper.take() {
            let _ = keeper.await;
        }
    }

    /// Whether a bot is connected to the gateway.
    #[must_use]
    pub fn bot_online(&self) -> bool {
        self.shared.world().bot_online()
    }

    /// Which shards are connected, in order.
    #[must_use]
    pub fn shards_online(&self) -> Vec<u64> {
        let world = self.shared.world();
        let connected = world.sessions.values().filter(|session| session.connected());
        let mut shards: Vec<u64> = connected.map(|session| session.shard.number).collect();
        shards.sort_unstable();
        shards
    }

    /// How often a bot has connected so far, be it anew or to resume. See [`Client::wait_bot_after`].
    #[must_use]
    pub fn connections(&self) -> u64 {
        self.shared.world().connections
    }

    /// A channel's messages in order, ephemeral ones and Discord's own notices included.
    #[must_use]
    pub fn messages(&self, channel: Id) -> Vec<Value> {
        let world = self.shared.world();
        let messages = world.channel(channel).into_iter().flat_map(|c| c.messages.values());
        messages.map(|m| world.message_json(m, Viewer::Page)).collect()
    }

    /// The members whom a message pinged when it was posted, in the order of their ids; none for one that is
    /// gone.
    #[must_use]
    pub fn pinged(&self, channel: Id, message: Id) -> Vec<Id> {
        self.shared.world().message(channel, message).map(|m| m.pinged.clone()).unwrap_or_default()
    }

    /// A channel or thread as Discord writes it.
    #[must_use]
    pub fn channel(&self, id: Id) -> Option<Value> {
        self.shared.world().channel(id).map(Channel::json)
    }

    /// The members of a thread in the order in which they came, the bot among them; none where it is no thread.
    #[must_use]
    pub fn thread_members(&self, thread: Id) -> Vec<Id> {
        let world = self.shared.world();
        let state = world.channel(thread).and_then(|place| place.thread.as_ref());
        state.map(|state| state.members.clone()).unwrap_or_default()
    }

    /// The threads under a channel, in the order made.
    #[must_use]
    pub fn threads(&self, channel: Id) -> Vec<Value> {
        let world = self.shared.world();
        let guild = world.channel(channel).and_then(|c| world.guilds.get(&c.guild));
        let threads = guild.into_iter().flat_map(|g| &g.threads).filter_map(|id| world.channel(*id));
        threads.filter(|thread| thread.parent == Some(channel)).map(Channel::json).collect()
    }

    /// The commands that the bot registered.
    #[must_use]
    pub fn commands(&self) -> Vec<Value> {
        self.shared.world().all_commands().into_iter().cloned().collect()
    }

    /// The bot's requests so far, oldest first; at most the last 200,000.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.shared.whole_record().requests.iter().cloned().collect()
    }

    /// Every documented rule or limit that the bot broke, with the request.
    #[must_use]
    pub fn violations(&self) -> Vec<String> {
        self.shared.whole_record().violations.clone()
    }

    /// How many requests were answered 429, scripted ones included.
    #[must_use]
    pub fn limited(&self) -> u64 {
        self.shared.whole_record().limited
    }

    /// Forgets requests, violations and the count of 429s.
    pub fn clear_record(&self) {
        *self.shared.whole_record() = Record::default();
    }

    /// Gives the first server the channel #example. For one to which no bot has connected yet.
    pub fn add_example(&self) {
        let mut world = self.shared.world();
        world.add_example();
        world.touch();
    }

    /// As if every member had dismissed all that only they could see.
    pub fn dismiss_private(&self) {
        let mut world = self.shared.world();
        for channel in world.channels.values_mut() {
            channel.messages.retain(|_, message| message.ephemeral_for.is_none());
        }
        world.touch();
    }

    /// Does in-process what people do on the page.
    #[must_use]
    pub fn client(&self) -> Client {
        Client::new(self.shared.clone())
    }

    /// Makes things go wrong.
    #[must_use]
    pub fn faults(&self) -> Faults<'_> {
        Faults(&self.shared)
    }
}

impl Drop for Playground {
    fn drop(&mut self) {
        self.shared.stop.send_replace(true);
    }
}
