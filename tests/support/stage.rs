//! A stage for tests over the wire: the stand-in for Discord, a scripted model server and a database file, and
//! on it a bot that can be killed like a process and started again.

use std::{
    io::{self, Write as _},
    iter,
    net::SocketAddr,
    path::PathBuf,
    process,
    sync::{
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use documents::Confine;
use domain::{Budgets, ChannelId, GuildId, ModelName, OpenSessions, Pace, Secret, WholeBot};
use models::{
    Endpoint, Endpoints, Limits, Llm, Prices,
    pages::{Pages, Reach},
    search::Search,
};
use playground::{Options, Playground};
use quorum::{
    app::{Bot, Parts},
    bot::Access,
    prompt::Prompts,
    protocols::Appointed,
    render::Rasterizer,
    session::{Sessions, Settings},
    store::{SessionRow, Store, StoreOptions},
};
use tempfile::TempDir;
use tokio::{runtime::Runtime, sync::oneshot};
use tokio_util::sync::CancellationToken;

use super::{
    model::{self, ModelServer},
    play::PATIENCE,
    search::SearchServer,
};

/// How long a bot that is to be killed may take to get there.
const LIFE: Duration = Duration::from_mins(3);

/// How long nothing is written until nothing more will be.
pub const QUIET: Duration = Duration::from_millis(500);

/// How long a test may take: one that waits for what never comes ends everything and says its name, for else nobody
/// would learn more than that the tests did not end.
const TEST: Duration = Duration::from_mins(15);

/// Everything outside the bot. It survives the bot's death.
pub struct Stage {
    /// Discord.
    pub discord: Playground,
    /// The models.
    pub model: ModelServer,
    /// Where the bot searches the web, if it does.
    pub web: Option<SearchServer>,
    /// Who stands in for the hosts of cited pages.
    pub reach: Reach,
    /// What new sessions are started with.
    pub settings: Settings,
    /// How patient the bot is with models.
    pub limits: Limits,
    /// How fast the bot's own pauses pass.
    pub pace: Pace,
    /// The key for every provider.
    pub api_key: String,
    /// The port on which the bot tells how it does, if any.
    pub metrics: Option<u16>,
    folder: TempDir,
    /// How often a bot had connected when the last one was started.
    connections: AtomicU64,
    /// Dropped with it: whoever watches over the test then lets it be. What is sent begins the time anew.
    watched: mpsc::Sender<()>,
}

/// All that there is outside the bot at one moment of its life: what the next one would find if it died there.
pub struct Moment {
    discord: playground::Moment,
    asked: model::Asked,
    /// The database and what of it has not been worked in yet.
    files: Vec<(&'static str, Vec<u8>)>,
}

/// A bot in a runtime of its own, so that it can be killed at any instant with everything it has in memory.
pub struct Actor {
    runtime: Option<Runtime>,
    /// Its sessions.
    pub sessions: Sessions,
    /// Its database.
    pub store: Store,
    /// Where it tells how it does.
    pub metrics: Option<SocketAddr>,
    /// Tells it to stop, as a signal does.
    pub stop: CancellationToken,
    /// Set once it has stopped by itself.
    pub ended: CancellationToken,
}

/// What a bot hands over once it is built.
type Built = oneshot::Receiver<(Sessions, Store, Option<SocketAddr>)>;

/// The stand-in as it is by default, but without waiting for a real Discord's pace.
fn usual_options() -> Options {
    Options { rate_limits: false, keep_bodies: true, ..Options::default() }
}

/// A bot's token that no other stage has: a bot of a test that is over, which would go on looking for its Discord at a port that
/// is another's by now, is not let in there.
fn own_token() -> String {
    static STAGES: AtomicU64 = AtomicU64::new(0);
    let number = STAGES.fetch_add(1, Ordering::Relaxed);
    format!("MTEwMDAwMDAwMDAwMDAwMDAwMQ.playgr.stage-{:010}-{number:010}", process::id())
}

/// Up to how many milliseconds things take longer now and then, by chance: `UNSTEADY=200 cargo test --test whole`. What
/// relies on one thing being sooner than another shows then, if not in each run. Tests of deadlines may fail with it.
fn unsteady() -> Duration {
    let Some(set) = std::env::var_os("UNSTEADY") else { return Duration::ZERO };
    Duration::from_millis(set.to_str().and_then(|set| set.parse().ok()).expect("UNSTEADY in milliseconds"))
}

/// Ends the program, with the name of this thread's test, unless what is given is dropped, or used again, in time.
fn watched() -> mpsc::Sender<()> {
    let (over, ends) = mpsc::channel();
    let name = thread::current().name().unwrap_or("a test").to_owned();
    thread::spawn(move || {
        let last = iter::repeat_with(|| ends.recv_timeout(TEST)).find_map(Result::err);
        if last == Some(mpsc::RecvTimeoutError::Timeout) {
            // Past what keeps the output of tests that succeed.
            let _ = writeln!(io::stderr(), "{name} is not over after {} min", TEST.as_secs() / 60);
            process::exit(101);
        }
    });
    over
}

/// Drops every task of a runtime where it stands.
async fn end(runtime: Runtime) {
    let _ = tokio::task::spawn_blocking(move || runtime.shutdown_timeout(Duration::from_secs(2))).await;
}

impl Stage {
    /// A stage with the stand-in as it is by default, but without waiting for a real Discord's pace.
    pub async fn start() -> Self {
        Self::with(usual_options()).await
    }

    /// A stage with a stand-in set up in a particular way.
    pub async fn with(options: Options) -> Self {
        let usual = options.token == Options::default().token;
        let token = if usual { own_token() } else { options.token };
        let options = Options { unsteady: unsteady(), token, ..options };
        let discord = Playground::start(options).await.expect("the stand-in starts");
        let model = ModelServer::start().await;
        model.stands_beside(discord.token());
        model.unsteady(unsteady());
        let settings = Settings {
            appointed: Appointed::alone(&"openai/alpha".parse().unwrap()),
            pictures: None,
            budgets: Budgets::default(),
            most_open: OpenSessions { of_server: 1_000, of_member: 1_000 },
            document_chars: 60_000,
            prompts: Prompts::embedded(),
            notice: None,
            whole: WholeBot::NO_LIMIT,
            servers: None,
            trust: true,
        };
        Self {
            discord,
            model,
            web: None,
            reach: Reach::default(),
            settings,
            limits: Limits::default(),
            pace: Pace::faster(25),
            api_key: "sk-test".to_owned(),
            metrics: None,
            folder: tempfile::tempdir().expect("a folder"),
            connections: AtomicU64::new(0),
            watched: watched(),
        }
    }

    /// Says that a test of many sessions gets on: from now it has its whole time again.
    pub fn gets_on(&self) {
        let _ = self.watched.send(());
    }

    /// A stage whose bot searches the web.
    pub async fn searching() -> Self {
        Self { web: Some(SearchServer::start().await), ..Self::start().await }
    }

    /// The engine that it searches with.
    pub fn web(&self) -> &SearchServer {
        self.web.as_ref().expect("a stage that searches")
    }

    /// Other models for the panel.
    pub fn panel(&mut self, models: &[&str]) {
        self.settings.appointed.panel =
            models.iter().map(|model| model.parse::<ModelName>().unwrap()).collect();
        self.settings.appointed.mediator = self.settings.appointed.panel[0].clone();
        self.settings.appointed.gatekeeper = self.settings.appointed.panel[0].clone();
        self.settings.appointed.notary = self.settings.appointed.panel[0].clone();
        self.settings.appointed.moderator = self.settings.appointed.panel[0].clone();
        self.settings.appointed.cheap = self.settings.appointed.panel[0].clone();
    }

    /// The database's file.
    pub fn database(&self) -> PathBuf {
        self.folder.path().join("quorum.db")
    }

    /// What a bot's next life would find if it died now. Its writer has to stand still.
    pub fn moment(&self) -> Moment {
        let files = ["quorum.db", "quorum.db-wal"].into_iter();
        let read = |name| Some((name, std::fs::read(self.folder.path().join(name)).ok()?));
        Moment {
            discord: self.discord.moment(),
            asked: self.model.asked(),
            files: files.filter_map(read).collect(),
        }
    }

    /// The same stage, on which everything is as it was at that moment.
    pub async fn back_to(self, moment: &Moment) -> Self {
        for (name, bytes) in &moment.files {
            std::fs::write(self.folder.path().join(name), bytes).unwrap();
        }
        self.model.recall(&moment.asked);
        let options = Options { unsteady: unsteady(), token: own_token(), ..usual_options() };
        let discord = Playground::start_from(options, &moment.discord).await.expect("the stand-in starts");
        self.model.stands_beside(discord.token());
        Self { discord, ..self }
    }

    /// Starts a bot and waits until it is connected.
    pub async fn bot(&self) -> Actor {
        let actor = self.bot_that_halts(None).await;
        self.connected().await;
        actor
    }

    /// Waits until the bot that was started last is connected: one killed before it may not be noticed yet.
    pub async fn connected(&self) {
        let before = self.connections.load(Ordering::Relaxed);
        let connects = self.discord.client().wait_bot_after(before, Duration::from_secs(10)).await;
        assert!(connects, "the bot connects");
    }

    /// Starts a bot that stands still for ever after so many commits, as if it had been killed there. What the one before it
    /// left undone is done before it is built (see [`Actor::rests`]): one that halts there never would be.
    pub async fn bot_that_halts(&self, halt_after_commits: Option<u64>) -> Actor {
        let (runtime, built, [stop, ended]) = self.launch(halt_after_commits).await;
        let built = tokio::time::timeout(PATIENCE, built).await.expect("it halts before it is built");
        let (sessions, store, metrics) = built.expect("the bot is built");
        Actor { runtime: Some(runtime), sessions, store, metrics, stop, ended }
    }

    /// Lets a bot live until it has made so many commits, which it may not outlive its own start to do, or
    /// until `over` says that there is nothing left to wait for; then kills it. Gives how many it made.
    /// Fails where neither comes.
    pub async fn bot_killed_after(&self, commits: u64, over: impl Fn() -> bool) -> u64 {
        let (runtime, built, _) = self.launch(Some(commits)).await;
        // A bot that halts while it resumes never gets as far as this.
        let store = tokio::time::timeout(Duration::from_secs(2), built).await.ok().and_then(Result::ok);
        let made = || store.as_ref().map_or(commits, |(_, store, _)| store.commits());
        let until = Instant::now() + LIFE;
        while made() < commits && !over() {
            assert!(Instant::now() < until, "a life of {commits} commits, of which it made {}", made());
            tokio::time::sleep(Duration::from_millis(3)).await;
        }
        let made = made();
        drop(store);
        end(runtime).await;
        made
    }

    async fn launch(&self, halt_after_commits: Option<u64>) -> (Runtime, Built, [CancellationToken; 2]) {
        self.connections.store(self.discord.connections(), Ordering::Relaxed);
        let parts = self.parts(StoreOptions { halt_after_commits, without_lock: true, space: None });
        let (tell, told) = oneshot::channel();
        let (ready, runtime) = oneshot::channel();
        let (stop, ended) = (CancellationToken::new(), CancellationToken::new());
        let (stops, end) = (stop.clone(), ended.clone());
        // A runtime must not be made inside another one's worker.
        thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            runtime.spawn(async move {
                let bot = Bot::build(parts, stops).await.expect("the bot is built");
                let _ = tell.send((bot.sessions.clone(), bot.store.clone(), bot.metrics_at()));
                if let Err(error) = bot.serve().await {
                    eprintln!("the bot ended: {error:#}");
                }
                end.cancel();
            });
            let _ = ready.send(runtime);
        });
        (runtime.await.expect("a runtime"), told, [stop, ended])
    }

    fn parts(&self, store: StoreOptions) -> Parts {
        let key = || Some(Secret::new(&self.api_key));
        let endpoint = Some(Endpoint::new(self.model.openai_base(), key()));
        let anthropic = Some(Endpoint::new(self.model.anthropic_base(), key()));
        let azure = Some(Endpoint {
            api_version: Some("2024-10-21".to_owned()),
            ..Endpoint::new(self.model.anthropic_base(), key())
        });
        let (openai, openrouter, gemini) = (endpoint.clone(), endpoint.clone(), endpoint.clone());
        let endpoints = Endpoints { anthropic, openai, openrouter, azure, gemini, local: endpoint };
        Parts {
            access: Access::alone(self.discord.url().parse().unwrap(), Secret::new(self.discord.token())),
            database: self.database(),
            store,
            search: self
                .web
                .as_ref()
                .map(|web| Search::new(web.engine(), self.pace).expect("the door to the web")),
            pages: Pages::new(self.reach.clone()).expect("the door to pages"),
            llm: Llm::new(endpoints, self.limits, Prices::embedded()).expect("the door to models"),
            settings: self.settings.clone(),
            program: env!("CARGO_BIN_EXE_quorum").into(),
            confine: Confine::default(),
            // Nobody looks at these pictures; their size is what they cost.
            rasterizer: Rasterizer::new(false).scaled(0.25),
            pace: self.pace,
            drain: Duration::from_secs(25),
            metrics: self.metrics,
        }
    }
}

impl Actor {
    /// The sessions of a channel, the newest first.
    pub async fn sessions_in(&self, guild: u64, channel: u64) -> Vec<SessionRow> {
        let (guild, channel) = (GuildId(guild), ChannelId(channel));
        let (listed, _) = self.store.sessions_of_channel(guild, channel, (0, 1_000)).await.unwrap();
        let mut rows = Vec::new();
        for row in listed {
            rows.push(self.store.session(&row.session).await.unwrap());
        }
        rows
    }

    /// Waits until it has nothing left to do of which its next life would have to know.
    pub async fn rests(&self) {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = self.store.unfinished_sessions().await.unwrap();
            let panels = self.store.stale_panels().await.unwrap();
            if left.is_empty() && panels.is_empty() {
                return;
            }
            assert!(Instant::now() < until, "left to do: {left:?}, {panels:?}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Waits until it has made so many commits, or `over` says that there is nothing left to wait for. Fails where
    /// neither comes.
    pub async fn commits(&self, commits: u64, over: impl Fn() -> bool) {
        let until = Instant::now() + LIFE;
        while self.store.commits() < commits && !over() {
            assert!(Instant::now() < until, "{commits} commits, of which it made {}", self.store.commits());
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    /// Waits until it has made so many commits, or has written nothing for so long that nothing more will come.
    pub async fn commits_or_rests(&self, commits: u64) {
        let (mut made, mut since) = (self.store.commits(), Instant::now());
        while made < commits && since.elapsed() < QUIET {
            tokio::time::sleep(Duration::from_millis(2)).await;
            let now = self.store.commits();
            if now > made {
                (made, since) = (now, Instant::now());
            }
        }
    }

    /// Waits until it writes nothing more.
    pub async fn writes_nothing(&self) {
        self.commits_or_rests(u64::MAX).await;
    }

    /// Kills the bot: every task is dropped where it stands, and nothing it had in memory is left. Those that are dropped
    /// last write nothing down of those that were dropped before them, as nothing would after a SIGKILL.
    pub async fn kill(mut self) {
        self.store.stand_still();
        if let Some(runtime) = self.runtime.take() {
            end(runtime).await;
        }
    }
}

impl Drop for Actor {
    fn drop(&mut self) {
        self.store.stand_still();
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
