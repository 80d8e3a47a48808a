//! What comes in from Discord: commands, buttons, forms, and messages in session threads. The only user of
//! poise.
//!
//! Invariants: everything is acknowledged before any work is done; a handler checks, calls `session` and
//! replies, and decides nothing itself; what goes wrong ends in `on_error`, as a private sentence. Nothing that
//! counts is remembered here: a press works the same after a restart, for it carries all that it means. Called by `app`.

mod beginning;
mod caller;
mod commands;
mod components;
mod connections;
mod gateway;
mod locales;
mod mentions;
mod messages;
mod missed;
mod on_error;
mod readable;
mod registration;
mod reply;
mod rivals;
mod unanswered;
mod understood;

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use anyhow::Context as _;
use poise::serenity_prelude as serenity;
use tokio::sync::mpsc;
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};
use url::Url;

pub use connections::Connections;

use missed::Reader;
use rivals::Rivals;

use crate::session::Sessions;
use discord::{ApplicationId, Discord, Gateway, Me, SendError};
use documents::Documents;
use domain::{GuildId, Pace, Ranges, RestRate, Secret, ShardRange, UserId};

/// What every handler can reach.
pub struct Data {
    sessions: Sessions,
    discord: Discord,
    documents: Documents,
    /// Known once the gateway has said READY.
    me: OnceLock<UserId>,
    rivals: Arc<Rivals>,
}

type Error = anyhow::Error;
type Context<'a> = poise::ApplicationContext<'a, Data, Error>;

/// How the bot is reached.
pub struct Access {
    /// Discord's API.
    pub api: Url,
    /// The API's address was set, so serenity's requests go there too.
    pub api_is_explicit: bool,
    /// The bot's token.
    pub token: Secret,
    /// The shards that this process runs; `None`: all that Discord recommends.
    pub shards: Option<ShardRange>,
    /// The shards of every process, if they are known.
    pub fleet: Option<Ranges>,
    /// Who keeps the rate limits of Discord's API.
    pub rest: RestRate,
}

impl Access {
    /// A stand-in's, of which one process serves all servers.
    #[must_use]
    pub fn alone(api: Url, token: Secret) -> Self {
        Self { api, api_is_explicit: true, token, shards: None, fleet: None, rest: RestRate::default() }
    }
}

/// How soon Discord is asked again where its gateway is, at first and at last.
const ASK_AGAIN: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(1));

/// How long saying good-bye to the gateway may take.
const GOOD_BYE: Duration = Duration::from_secs(5);

/// Runs the bot until `stop` is cancelled or the gateway refuses it for good. `connections` tells whether it hears anything.
pub async fn run(
    access: Access,
    me: Me,
    sessions: Sessions,
    discord: Discord,
    documents: Documents,
    connections: Connections,
    stop: CancellationToken,
) -> anyhow::Result<()> {
    let application = serenity::ApplicationId::new(me.id.0);
    let commands = commands::all();
    let wanted = registration::wanted(&commands)?;
    // Of several processes one registers, so that two versions of Quorum do not undo one another's commands.
    let registering = access.shards.is_none_or(ShardRange::has_first).then(|| {
        let register =
            registration::register(discord.clone(), ApplicationId(me.id.0), wanted, sessions.pace());
        AbortOnDropHandle::new(tokio::spawn(register))
    });
    let pace = sessions.pace();
    let gateway = tokio::select! {
        gateway = ask_gateway(&discord, pace) => gateway?,
        () = stop.cancelled() => return Ok(()),
    };
    let range = access.shards.unwrap_or_else(|| ShardRange::whole(gateway.shards));
    gateway::told(range, &gateway);
    let wait = gateway.starts.wait(range.count());
    if !wait.is_zero() {
        let left = gateway.starts.remaining;
        tracing::warn!(?wait, left, "few connections to Discord are left for today; this one waits");
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = stop.cancelled() => return Ok(()),
        }
    }
    let (missed, heard) = mpsc::unbounded_channel();
    let rivals = Arc::new(Rivals::new(connections.clone(), sessions.now_ms()));
    let mut relay = gateway::Relay::open(&gateway, range, pace, connections, missed).await?;
    let data = Data { sessions, discord, documents, me: OnceLock::new(), rivals };
    let framework = poise::Framework::builder()
        .options(poise::FrameworkOptions {
            commands,
            on_error: |error| Box::pin(on_error::on_error(error)),
            event_handler: |framework, event| Box::pin(on_event(framework, event)),
            // A mention is a question, and no command with the bot's name before it.
            prefix_options: poise::PrefixFrameworkOptions { mention_as_prefix: false, ..Default::default() },
            // poise itself never answers anybody here, but its default would let models ping members.
            allowed_mentions: Some(serenity::CreateAllowedMentions::new()),
            ..Default::default()
        })
        .setup(move |context, ready, _| {
            Box::pin(async move {
                let me = UserId(ready.user.id.get());
                let _ = data.me.set(me);
                tracing::info!(bot = ready.user.name, servers = ready.guilds.len(), "connected to Discord");
                let (sessions, discord) = (data.sessions.clone(), data.discord.clone());
                let cache = Arc::clone(&context.cache);
                tokio::spawn(Reader { sessions, discord, cache, me }.read(heard));
                unanswered::finish_all(&data);
                Ok(data)
            })
        })
        .build();

    let intents = serenity::GatewayIntents::GUILDS | serenity::GatewayIntents::GUILD_MESSAGES;
    let client = serenity::ClientBuilder::new_with_http(http(&access, application)?, intents)
        .framework(framework)
        .cache_settings(lean_cache());
    let mut client = tokio::select! {
        client = client.into_future() => client.context("building the Discord client")?,
        () = stop.cancelled() => return Ok(()),
    };
    client.ws_url.lock().await.clone_from(&relay.url);
    let shards = client.shard_manager.clone();
    let ended = tokio::select! {
        // serenity's range has its last shard in it.
        ended = client.start_shard_range(range.first()..range.last(), range.of()) => {
            ended.context("the connection to Discord ended")
        }
        code = relay.closed() => Err(gateway::ended(code, access.shards, gateway.shards)),
        () = stop.cancelled() => {
            // Whoever waits for the other side's good-bye may wait for ever.
            let _ = tokio::time::timeout(GOOD_BYE, shards.shutdown_all()).await;
            Ok(())
        }
    };
    drop(registering);
    ended
}

/// Asks how to connect until Discord says so, or that it does not know the token.
async fn ask_gateway(discord: &Discord, pace: Pace) -> Result<Gateway, SendError> {
    let mut pause = ASK_AGAIN.0;
    loop {
        match discord.gateway().await {
            Err(error) if !error.is_final() => {
                tracing::warn!(%error, "Discord does not say where its gateway is; it is asked again");
                tokio::time::sleep(pace.of(pause).max(error.retry_after.unwrap_or_default())).await;
                pause = (pause * 2).min(ASK_AGAIN.1);
            }
            answered => return answered,
        }
    }
}

/// serenity's client for the gateway. Its own rate limiter is off, because it would ignore the address that was set; all
/// that the bot says goes through the room `discord` anyway.
fn http(access: &Access, application: serenity::ApplicationId) -> anyhow::Result<serenity::Http> {
    let mut builder = serenity::HttpBuilder::new(access.token.reveal())
        .client(tls::client().build().context("the HTTP client for the gateway cannot be set up")?)
        .ratelimiter_disabled(true)
        .application_id(application)
        .default_allowed_mentions(serenity::CreateAllowedMentions::new());
    if access.api_is_explicit {
        builder = builder.proxy(access.api.as_str().trim_end_matches('/'));
    }
    Ok(builder.build())
}

/// No messages are kept, and of servers only what routing needs.
fn lean_cache() -> serenity::cache::Settings {
    let mut settings = serenity::cache::Settings::default();
    settings.max_messages = 0;
    settings.cache_users = false;
    settings
}

async fn on_event(
    framework: poise::FrameworkContext<'_, Data, Error>,
    event: &serenity::FullEvent,
) -> Result<(), Error> {
    let data = framework.user_data;
    match event {
        serenity::FullEvent::InteractionCreate { interaction: serenity::Interaction::Component(pressed) } => {
            components::pressed(data, &framework.serenity_context.cache, pressed).await;
        }
        serenity::FullEvent::InteractionCreate { interaction: serenity::Interaction::Modal(form) } => {
            components::submitted(data, &framework.serenity_context.cache, form).await;
        }
        serenity::FullEvent::Message { new_message } => {
            messages::arrived(data, &framework.serenity_context.cache, new_message).await;
        }
        serenity::FullEvent::GuildCreate { guild, is_new: Some(true) } => {
            let (id, name, members) = (guild.id.get(), &guild.name, guild.member_count);
            if data.sessions.settings().serves(GuildId(id)) {
                tracing::warn!(
                    server = id,
                    name,
                    members,
                    "a new server has the bot; what it spends is yours to pay"
                );
            } else {
                tracing::warn!(
                    server = id,
                    name,
                    members,
                    "a new server has the bot; it is not in QUORUM_SERVERS and gets nothing but a sentence"
                );
            }
        }
        _ => {}
    }
    Ok(())
}
