//! The program's parts, built once and put together. Called by `cli` with settings that can be used, and by
//! tests, which put the same parts together around servers of their own.

pub mod assemble;
mod audit;
mod behind;
mod doctor;
mod example;
mod export;
mod fleet;
mod init;
pub mod terminal;

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    pin::pin,
    sync::Arc,
    time::Duration,
};

use anyhow::Context as _;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::{
    bot::{self, Access, Connections},
    config::{Config, program},
    metrics::{Sources, Watch},
    render::Rasterizer,
    session::{Sessions, Settings},
    steps::{Drain, Drawing, Forums, LateThreads, World, now_ms, recall},
    store::{Store, StoreOptions},
};
use discord::{Discord, Me};
use documents::{Confine, Documents, sandbox::Sandbox};
use domain::{ModelName, Pace, RestRate, Secret};
use models::{
    Llm,
    pages::{Pages, Reach},
    search::Search,
};

pub use audit::{audit, audited};
pub use doctor::doctor;
pub use example::prepare as prepare_example;
pub use export::export;
pub use fleet::{Fleet, prune_outside};
pub use init::{init, unnamed};

/// What `quorum playground` was asked for.
#[derive(Debug)]
pub struct PlaygroundOptions {
    /// Where the page is served on 127.0.0.1; 0 takes a free port.
    pub port: u16,
    /// A small model that was started for it.
    pub small_model: Option<SmallModel>,
    /// The database's file, apart from that of `quorum run`.
    pub db: PathBuf,
}

/// A model on this computer, started by the command line.
#[derive(Clone, Debug)]
pub struct SmallModel {
    /// Its server, ending in `/v1`.
    pub base: Url,
    /// Its name.
    pub model: ModelName,
    /// A sentence that everybody who reads its words should see.
    pub notice: String,
    /// Most characters of a document that it reads at once, unless that is set.
    pub document_chars: usize,
}

/// All that a bot is made of.
pub struct Parts {
    /// How Discord is reached.
    pub access: Access,
    /// The database's file.
    pub database: PathBuf,
    /// How the database is opened.
    pub store: StoreOptions,
    /// The door to models.
    pub llm: Llm,
    /// The door to the web, where a search is set up.
    pub search: Option<Search>,
    /// The door to pages that sessions cite.
    pub pages: Pages,
    /// What new sessions are started with.
    pub settings: Settings,
    /// This program's file, which is started anew for each document that is read and each piece of code that is run.
    pub program: PathBuf,
    /// How that is shut in.
    pub confine: Confine,
    /// How pictures are drawn.
    pub rasterizer: Rasterizer,
    /// How fast the bot's own pauses pass.
    pub pace: Pace,
    /// How long calls in flight get once it is told to stop.
    pub drain: Duration,
    /// The port of 127.0.0.1 on which it tells how it does, if any; 0 takes a free one.
    pub metrics: Option<u16>,
}

/// A bot, put together: its database is taken over and everything unfinished goes on.
pub struct Bot {
    /// Its sessions.
    pub sessions: Sessions,
    /// Its database.
    pub store: Store,
    access: Access,
    /// Who it is, if Discord has said so yet.
    me: Option<Me>,
    discord: Discord,
    documents: Documents,
    stop: CancellationToken,
    drain: Duration,
    connections: Connections,
    /// Answers as long as the bot lives.
    watch: Option<Watch>,
}

impl Bot {
    /// Opens the database and lets everything unfinished go on. `stop` ends it.
    pub async fn build(parts: Parts, stop: CancellationToken) -> anyhow::Result<Self> {
        let Parts { access, database, store, llm, search, pages, settings, program, rasterizer, .. } = parts;
        let Parts { pace, drain, metrics, confine, .. } = parts;
        // First, so that a port that cannot be used changes nothing.
        let watch = match metrics {
            Some(port) => Some(Watch::open(port).await?),
            None => None,
        };
        let store = Store::open(&database, store, now_ms()).await?;
        store.keep_within(settings.whole);
        recall(&llm, store.lessons(now_ms()).await?);
        let discord = Discord::at_rate(access.api.clone(), access.token.clone(), pace, access.rest)?;
        if access.rest == RestRate::Proxy {
            tracing::info!(proxy = %access.api, "a proxy keeps Discord's rate limits; here only what it answers 429 is waited for");
        }
        if let Some(range) = access.shards {
            fleet::let_be(&store, range, access.fleet.as_ref()).await?;
        }
        let connections = Connections::default();
        if let Some(watch) = &watch {
            watch.tell_of(Sources {
                store: store.clone(),
                llm: llm.clone(),
                discord: discord.clone(),
                connections: connections.clone(),
                stop: stop.clone(),
            });
        }
        let sandbox = Sandbox::new(program.clone()).confined(confine);
        let documents = Documents::new(access.api_is_explicit.then(|| access.api.clone()), program)?;
        let documents = documents.confined(confine).seeing(settings.pictures.is_some());
        let (undeliverable, told) = tokio::sync::mpsc::unbounded_channel();
        let world = Arc::new(World {
            store: store.clone(),
            llm,
            search,
            pages,
            documents: documents.clone(),
            sandbox,
            discord: discord.clone(),
            rasterizer: Arc::new(rasterizer),
            pace,
            undeliverable,
            late_threads: LateThreads::default(),
            drawing: Drawing::default(),
            forums: Forums::default(),
            deadlines: tokio::sync::Notify::new(),
            drain: Drain::default(),
        });
        let sessions = Sessions::new(world, settings, told);
        // Asked first: with a token that Discord does not know, no session goes on.
        let me = match tokio::time::timeout(WHO_WITHIN, discord.me()).await {
            Ok(Ok(me)) => Some(me),
            Ok(Err(error)) if error.is_final() => return Err(error).context(WHO),
            // It will say so later; sessions go on meanwhile.
            unanswered => {
                let why = match unanswered {
                    Ok(Err(error)) => error.to_string(),
                    _ => format!("no answer came within {} s", WHO_WITHIN.as_secs()),
                };
                let look = doctor::where_to_look(&access.api, access.rest);
                tracing::warn!("Discord did not say who this bot is: {why}. It is asked again. {look}");
                None
            }
        };
        let resumed = sessions.resume_all().await?;
        if resumed > 0 {
            tracing::info!(resumed, "sessions that the last process left unfinished go on");
        }
        Ok(Self { sessions, store, access, me, discord, documents, stop, drain, connections, watch })
    }

    /// Where it tells how it does, if it does.
    #[must_use]
    pub fn metrics_at(&self) -> Option<SocketAddr> {
        self.watch.as_ref().map(|watch| watch.address)
    }

    /// Connects to Discord and serves until stopped, or until nothing can be written any more.
    pub async fn serve(self) -> anyhow::Result<()> {
        let (stop, sessions, drain) = (self.stop.clone(), self.sessions.clone(), self.drain);
        let me = if let Some(me) = self.me {
            me
        } else {
            tokio::select! {
                me = ask_who(&self.discord, self.sessions.pace()) => me?,
                () = stop.cancelled() => {
                    sessions.drain(drain).await;
                    return Ok(());
                }
                reason = self.store.stopped() => return Err(reason).context("this one has stopped"),
            }
        };
        let mut serving = pin!(bot::run(
            self.access,
            me,
            self.sessions,
            self.discord,
            self.documents,
            self.connections,
            self.stop
        ));
        // No call begins while it says good-bye to Discord, which may take seconds.
        let drained = async {
            stop.cancelled().await;
            sessions.drain(drain).await;
        };
        let served = async {
            let ended = (&mut serving).await;
            stop.cancel();
            ended
        };
        let reason = tokio::select! {
            (ended, ()) = async { tokio::join!(served, drained) } => return ended,
            reason = self.store.stopped() => reason,
        };
        stop.cancel();
        serving.await?;
        Err(reason).context("this one has stopped")
    }
}

const WHO: &str = "asking Discord who this bot is (if the token is wrong, copy it anew from the developer portal: Bot, Reset Token)";

/// How long sessions wait for the first answer to that: a proxy that says nothing holds none of them up for longer.
const WHO_WITHIN: Duration = Duration::from_secs(10);

/// How soon Discord is asked again who the bot is, at first and at last.
const ASK_AGAIN: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(1));

/// Asks until Discord says who the bot is, or that it does not know the token.
async fn ask_who(discord: &Discord, pace: Pace) -> anyhow::Result<Me> {
    let mut pause = ASK_AGAIN.0;
    loop {
        match discord.me().await {
            Err(error) if !error.is_final() => {
                tokio::time::sleep(pace.of(pause).max(error.retry_after.unwrap_or_default())).await;
                pause = (pause * 2).min(ASK_AGAIN.1);
            }
            answered => return answered.context(WHO),
        }
    }
}

/// `quorum run`: the bot, until it is told to stop.
pub async fn run(config: Config) -> anyhow::Result<()> {
    let token = config.token()?.clone();
    export::sweep(&config.database);
    let models = assemble::models(&config).await?;
    tracing::info!("{}", models.chosen);
    let access = Access {
        api: config.discord.api.clone(),
        api_is_explicit: config.discord.api_is_explicit,
        token,
        shards: config.discord.shards,
        fleet: config.discord.fleet.clone(),
        rest: config.discord.rest,
    };
    let parts = Parts {
        access,
        database: config.database.clone(),
        store: StoreOptions::default(),
        llm: assemble::llm(&config, models.local.clone())?,
        search: assemble::search(&config, Pace::REAL)?,
        pages: Pages::new(Reach::default())?,
        settings: assemble::settings(&config, &models, None)?,
        program: program().context("this program's own file cannot be found")?,
        confine: confine(&config),
        rasterizer: Rasterizer::new(true),
        pace: Pace::REAL,
        drain: config.drain,
        metrics: config.metrics_port,
    };
    let (stop, at_once) = stop_on_signal();
    tokio::spawn(tell_confinement(parts.program.clone(), parts.confine));
    let bot = Bot::build(parts, stop).await?;
    serve_until(bot, &at_once).await
}

/// Serves until the bot has stopped, or has to at once; nothing is written from then on.
async fn serve_until(bot: Bot, at_once: &CancellationToken) -> anyhow::Result<()> {
    let store = bot.store.clone();
    let served = tokio::select! {
        served = bot.serve() => served,
        () = at_once.cancelled() => Ok(()),
    };
    store.stand_still();
    served
}

/// `quorum playground`: the stand-in, the bot against it, and the page, until they are told to stop.
pub async fn playground(config: Config, options: PlaygroundOptions) -> anyhow::Result<()> {
    let (models, notice) = match &options.small_model {
        Some(small) => (assemble::only(small), Some(small.notice.clone())),
        None => (assemble::models(&config).await.map_err(assemble::offer_local_model)?, None),
    };
    tracing::info!("{}", models.chosen);
    let (stop, at_once) = stop_on_signal();
    tokio::select! {
        () = prepare_example(&options.db) => {}
        () = stop.cancelled() => return Ok(()),
    }
    let discord = playground::Playground::start(playground::Options {
        port: options.port,
        state_path: Some(state_of(&options.db)),
        ..playground::Options::default()
    })
    .await
    .with_context(|| format!("the playground could not be started on port {}", options.port))?;
    let access = Access::alone(discord.url().parse()?, Secret::new(discord.token()));
    let parts = Parts {
        access,
        database: options.db.clone(),
        store: StoreOptions::default(),
        llm: assemble::llm(&config, models.local.clone())?,
        search: assemble::search(&config, Pace::REAL)?,
        pages: Pages::new(Reach::default())?,
        settings: assemble::settings(&config, &models, options.small_model.as_ref())?,
        program: program().context("this program's own file cannot be found")?,
        confine: confine(&config),
        rasterizer: Rasterizer::new(true),
        pace: Pace::REAL,
        drain: config.drain,
        metrics: config.metrics_port,
    };
    tokio::spawn(tell_confinement(parts.program.clone(), parts.confine));
    let bot = Bot::build(parts, stop).await?;
    let example = discord.channel(playground::ids::EXAMPLE).is_some();
    assemble::greet(&discord.url(), &models, notice.as_deref(), example);
    let served = serve_until(bot, &at_once).await;
    discord.stop().await;
    served
}

/// Where a playground with this database keeps its servers, threads and messages.
fn state_of(database: &Path) -> PathBuf {
    database.with_extension("discord.json")
}

/// `quorum backup PATH`: a copy of the database as it is now, also while the bot runs.
pub async fn backup(config: Config, to: &Path) -> anyhow::Result<()> {
    anyhow::ensure!(
        config.database.exists(),
        "there is no database at {}; DATABASE_URL names it",
        config.database.display()
    );
    anyhow::ensure!(!to.exists(), "{} is there already; choose another name", to.display());
    Store::backup(&config.database, to)
        .await
        .with_context(|| format!("the copy to {} failed", to.display()))?;
    terminal::say(format_args!("Copied {} to {}.", config.database.display(), to.display()));
    Ok(())
}

/// How whoever runs the bot wants the processes shut in that work on anybody's bytes.
fn confine(config: &Config) -> Confine {
    if config.confine_weakly { Confine::Weakly } else { Confine::Strictly }
}

/// Says in the log where the system does not shut in what reads anybody's bytes, and what that means.
async fn tell_confinement(program: PathBuf, confine: Confine) {
    let found = match Documents::new(None, program) {
        Ok(documents) => documents.confinement().await,
        Err(error) => Err(error),
    };
    match found.map(|found| found.wrong(confine)) {
        Ok(None) => {}
        Ok(Some(wrong)) => tracing::warn!("{wrong}"),
        Err(error) => {
            tracing::warn!(%error, "it could not be found out how the process that reads documents is shut in");
        }
    }
}

/// Cancelled by Ctrl+C or SIGTERM: the first of two tells the bot to stop, the second to end at once. That loses
/// nothing either: whatever is under way goes on at the next start, as it would after a power cut.
fn stop_on_signal() -> (CancellationToken, CancellationToken) {
    let (stop, at_once) = (CancellationToken::new(), CancellationToken::new());
    let tokens = [stop.clone(), at_once.clone()];
    tokio::spawn(async move {
        #[cfg(unix)]
        let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()).ok();
        for token in tokens {
            #[cfg(unix)]
            let terminated = async {
                match &mut terminate {
                    Some(terminate) => terminate.recv().await,
                    None => std::future::pending().await,
                }
            };
            #[cfg(not(unix))]
            let terminated = std::future::pending::<Option<()>>();
            tokio::select! { _ = tokio::signal::ctrl_c() => {}, _ = terminated => {} }
            token.cancel();
        }
    });
    (stop, at_once)
}
