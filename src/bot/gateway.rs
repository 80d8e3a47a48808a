//! The way to Discord's gateway: all that serenity says and hears there passes through here, on this machine alone.
//! serenity does not tell with which code Discord closed a connection, goes on after codes that are final (after 4010 and
//! 4011 for ever and at full speed), and begins sessions as often as it likes. Here a final code ends the process with a
//! sentence, and sessions are counted before Discord counts them. What serenity would not read is put in words that it knows
//! (`understood`).
//!
//! Each shard has a connection of its own here, and one that dies comes back alone. A connection that was closed or asked
//! to reconnect is resumed where Discord allows it; one that is dead, so that heartbeats are not acknowledged, serenity
//! gives up for a new session. That one counts, and what was said meanwhile is read back (`messages`).

use std::{
    net::Ipv4Addr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::Context as _;
use futures::{SinkExt, StreamExt};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::mpsc,
    task::JoinSet,
    time::{Instant, sleep, timeout},
};
use tokio_util::task::AbortOnDropHandle;
use websocket::{
    Connector, MaybeTlsStream, WebSocketStream, accept_hdr_async, connect_async_tls_with_config,
    tungstenite::{
        self, Message,
        handshake::server::{ErrorResponse, Request, Response},
        protocol::{CloseFrame, frame::coding::CloseCode},
    },
};

use super::{
    connections::Connections,
    missed::Heard,
    understood::{Understood, understood},
};
use discord::Gateway;
use domain::{Pace, ShardRange};

/// Who resumes a session speaks first and at once; who begins one waits for Discord's greeting. One that is taken for the
/// other loses nothing: what is held back is only looked at here, and counted where it passes.
const SPEAKS_FIRST: Duration = Duration::from_millis(20);
/// Pauses between tries to reach the gateway.
const REACH_AGAIN: [Duration; 4] =
    [Duration::ZERO, Duration::from_secs(1), Duration::from_secs(3), Duration::from_secs(6)];
/// How long the other side may take to answer a close.
const CLOSES_WITHIN: Duration = Duration::from_secs(1);
/// Most time for reaching the gateway once.
const REACHES_WITHIN: Duration = Duration::from_secs(10);
const DAY: f64 = 24.0 * 60.0 * 60.0;

/// What to do about a code after which Discord takes no connection of this bot any more (documentation,
/// topics/opcodes-and-status-codes); `None`: connect again.
fn remedy(code: u16) -> Option<&'static str> {
    Some(match code {
        4004 => {
            "it does not know the bot's token. Copy it anew from the developer portal (Bot, Reset Token) to DISCORD_TOKEN"
        }
        4010 | 4011 => {
            "it wants the bot's connection to be shared out among shards in another way. Start the bot again: it asks Discord how"
        }
        4012 => "it no longer speaks the gateway's version that this Quorum speaks. Install a newer Quorum",
        4013 => "it does not know the events that this Quorum asks for. Install a newer Quorum",
        4014 => {
            "it does not give this bot the events that Quorum asks for. Look at Bot, Privileged Gateway Intents in the developer portal; Quorum needs none of them"
        }
        _ => return None,
    })
}

/// The sentence with which the process ends. `set`: the shards that were set for it; `recommended`: how many Discord
/// recommends in all.
pub(super) fn ended(code: u16, set: Option<ShardRange>, recommended: u32) -> anyhow::Error {
    let remedy = match (code, set) {
        (4010, Some(range)) => format!(
            "it does not take the shards {range} that QUORUM_SHARDS says. Set a range within a count that it takes, the same \
             count in every process; it recommends {recommended} in all"
        ),
        (4011, Some(range)) => format!(
            "{} shards, as QUORUM_SHARDS says, are too few for this bot's servers. Set a greater count in every process (it \
             recommends {recommended}), each begun on a copy of the database that has its servers; docs/scale.md says how",
            range.of()
        ),
        _ => remedy(code).unwrap_or("it gave no reason that is known").to_owned(),
    };
    anyhow::anyhow!("Discord closed the connection for good (code {code}): {remedy}.")
}

/// Tells the log which shards this process runs, and what is doubtful about it.
pub(super) fn told(range: ShardRange, gateway: &Gateway) {
    if !range.is_whole() {
        tracing::info!(shards = %range, "this process serves a part of the bot's servers");
    }
    if range.of() < gateway.shards {
        tracing::warn!(
            shards = range.of(),
            recommended = gateway.shards,
            "Discord recommends more shards than QUORUM_SHARDS counts, and refuses too few of them some day"
        );
    }
}

/// How often sessions are begun: a tenth of what Discord allows for a day at once, and in the long run six tenths.
#[derive(Debug)]
struct Budget {
    left: f64,
    most: f64,
    a_second: f64,
    seen: Instant,
}

impl Budget {
    /// For a process that runs these shards: of what there is for all, its part.
    fn new(gateway: &Gateway, range: ShardRange, now: Instant) -> Self {
        let part = f64::from(range.count()) / f64::from(range.of());
        let total = f64::from(gateway.starts.total.max(1)) * part;
        let most = (total / 10.0).max(f64::from(range.count()));
        let left = most.min(f64::from(gateway.starts.remaining)).max(1.0);
        Self { left, most, a_second: total * 0.6 / DAY, seen: now }
    }

    /// How long until one may be begun.
    fn wait(&mut self, now: Instant) -> Duration {
        let passed = now.duration_since(self.seen).as_secs_f64();
        (self.left, self.seen) = ((self.left + passed * self.a_second).min(self.most), now);
        Duration::from_secs_f64(((1.0 - self.left) / self.a_second).max(0.0))
    }

    fn count(&mut self) {
        self.left -= 1.0;
    }
}

/// The relay. It ends with this value.
pub(super) struct Relay {
    /// What serenity connects to.
    pub(super) url: String,
    closed: mpsc::UnboundedReceiver<u16>,
    _task: AbortOnDropHandle<()>,
}

impl Relay {
    /// A relay to the gateway for the shards of this range.
    pub(super) async fn open(
        gateway: &Gateway,
        range: ShardRange,
        pace: Pace,
        connections: Connections,
        missed: mpsc::UnboundedSender<Heard>,
    ) -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .await
            .context("no port on 127.0.0.1 is free for the way to Discord's gateway")?;
        // Nobody else on this machine can begin sessions.
        let path = format!("/{:032x}", rand::random::<u128>());
        let url = format!("ws://{}{path}", listener.local_addr()?);
        let (tell, closed) = mpsc::unbounded_channel();
        let budget = Mutex::new(Budget::new(gateway, range, Instant::now()));
        connections.want(range);
        let outside = address(&gateway.url)?;
        let begun = AtomicBool::default();
        let way = Arc::new(Way { outside, path, budget, begun, tell, pace, connections, missed });
        let task = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                match listener.accept().await {
                    Ok((stream, _)) => {
                        let way = Arc::clone(&way);
                        connections.spawn(async move { way.carry(stream).await });
                    }
                    Err(_) => sleep(Duration::from_millis(100)).await,
                }
                while connections.try_join_next().is_some() {}
            }
        });
        Ok(Self { url, closed, _task: AbortOnDropHandle::new(task) })
    }

    /// The code with which Discord closed a connection for good.
    pub(super) async fn closed(&mut self) -> u16 {
        match self.closed.recv().await {
            Some(code) => code,
            None => std::future::pending().await,
        }
    }
}

struct Way {
    outside: String,
    path: String,
    budget: Mutex<Budget>,
    /// A session was begun since this process began.
    begun: AtomicBool,
    tell: mpsc::UnboundedSender<u16>,
    pace: Pace,
    connections: Connections,
    /// Told of what may have been missed.
    missed: mpsc::UnboundedSender<Heard>,
}

impl Way {
    /// Carries one connection to its end.
    async fn carry(&self, stream: TcpStream) {
        // The handshake's own types are large.
        #[allow(clippy::result_large_err)]
        let known = |request: &Request, response: Response| {
            if request.uri().path() == self.path { Ok(response) } else { Err(ErrorResponse::new(None)) }
        };
        let Ok(mut inside) = accept_hdr_async(stream, known).await else { return };
        let first = if self.begun.load(Ordering::Relaxed) {
            match timeout(SPEAKS_FIRST, inside.next()).await {
                Ok(Some(Ok(message))) => Some(message),
                Ok(_) => return,
                Err(_) => None,
            }
        } else {
            // There is no session yet that could be resumed.
            None
        };
        if first.is_none() {
            let wait = self.budget().wait(Instant::now());
            if !wait.is_zero() {
                tracing::error!(
                    ?wait,
                    "sessions were begun on Discord's gateway too often; the next one waits"
                );
                sleep(wait).await;
            }
        }
        let Some(mut outside) = self.reach().await else {
            close(&mut inside, None).await;
            return;
        };
        if let Some(first) = first
            && outside.send(first).await.is_err()
        {
            close(&mut inside, None).await;
            return;
        }
        let mut served = None;
        loop {
            tokio::select! {
                said = inside.next() => match said {
                    Some(Ok(Message::Close(frame))) => {
                        // Reading on answers serenity's close.
                        let answer = async { while let Some(Ok(_)) = inside.next().await {} };
                        let _ = tokio::join!(close(&mut outside, frame), timeout(CLOSES_WITHIN, answer));
                        return;
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(message)) => {
                        if begins_session(&message) {
                            self.begun.store(true, Ordering::Relaxed);
                            self.budget().count();
                        }
                        if outside.send(message).await.is_err() {
                            close(&mut inside, None).await;
                            return;
                        }
                    }
                    Some(Err(_)) | None => return,
                },
                heard = outside.next() => match heard {
                    Some(Ok(Message::Close(frame))) => {
                        let code = frame.as_ref().map(|frame| u16::from(frame.code));
                        if let Some(code) = code.filter(|&code| remedy(code).is_some()) {
                            let _ = self.tell.send(code);
                            // serenity hears nothing of it: the process is about to end.
                            std::future::pending::<()>().await;
                        }
                        close(&mut inside, frame).await;
                        return;
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(message)) => {
                        if served.is_none() && is_event(&message) {
                            served = Some(self.connections.serve());
                        }
                        let Understood { message, heard } = understood(message);
                        if let Some(heard) = heard {
                            let _ = self.missed.send(heard);
                        }
                        if inside.send(message).await.is_err() {
                            return;
                        }
                    }
                    Some(Err(_)) | None => {
                        close(&mut inside, None).await;
                        return;
                    }
                },
            }
        }
    }

    /// A connection to Discord; `None` if it cannot be reached for some seconds.
    async fn reach(&self) -> Option<Outside> {
        for pause in REACH_AGAIN {
            sleep(self.pace.of(pause)).await;
            match timeout(REACHES_WITHIN, connect(&self.outside)).await {
                Ok(Ok(reached)) => return Some(reached),
                Ok(Err(error)) => tracing::warn!(%error, "Discord's gateway cannot be reached"),
                Err(_) => tracing::warn!("Discord's gateway does not answer"),
            }
        }
        None
    }

    fn budget(&self) -> std::sync::MutexGuard<'_, Budget> {
        self.budget.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection to Discord.
type Outside = WebSocketStream<MaybeTlsStream<TcpStream>>;

async fn connect(address: &str) -> tungstenite::Result<Outside> {
    let connector = Connector::Rustls(tls::setting());
    let (reached, _) = connect_async_tls_with_config(address, None, false, Some(connector)).await?;
    Ok(reached)
}

/// Where to connect: Discord says neither a path nor the version.
fn address(gateway: &str) -> anyhow::Result<String> {
    let mut url = url::Url::parse(gateway).context("Discord's address of its gateway is none")?;
    url.query_pairs_mut().append_pair("v", "10");
    Ok(url.into())
}

/// Closes one side, as the other was closed; with 4000, which lets a session be resumed, if it broke.
async fn close<S>(side: &mut WebSocketStream<S>, frame: Option<CloseFrame>)
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
{
    let broke = || CloseFrame { code: CloseCode::from(4000), reason: "the connection broke".into() };
    let _ = side.close(Some(frame.unwrap_or_else(broke))).await;
    let _ = timeout(CLOSES_WITHIN, async { while let Some(Ok(_)) = side.next().await {} }).await;
}

/// Whether this is an IDENTIFY.
fn begins_session(message: &Message) -> bool {
    let Message::Text(text) = message else { return false };
    serde_json::from_str::<serde_json::Value>(text).is_ok_and(|payload| payload["op"] == 2)
}

/// Whether this is an event: Discord sends the first one once it has taken the session, be it new or resumed. What it
/// compresses, which comes in bytes, is events alone.
fn is_event(message: &Message) -> bool {
    match message {
        Message::Text(text) => {
            serde_json::from_str::<serde_json::Value>(text).is_ok_and(|payload| payload["op"] == 0)
        }
        Message::Binary(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use discord::SessionStarts;

    use super::*;

    #[test]
    fn no_loop_begins_a_day_s_thousand_sessions() {
        let start = Instant::now();
        let starts = SessionStarts { total: 1_000, remaining: 1_000, reset_after: 0 };
        let gateway = Gateway { url: String::new(), shards: 4, starts };
        let begun = |range| {
            let mut budget = Budget::new(&gateway, range, start);
            let (mut now, mut begun) = (start, 0);
            while now < start + Duration::from_hours(24) {
                let wait = budget.wait(now);
                if wait.is_zero() {
                    budget.count();
                    begun += 1;
                }
                // Five seconds are what serenity leaves between two.
                now += wait.max(Duration::from_secs(5));
            }
            begun
        };
        let alone = begun(ShardRange::whole(1));
        assert!((600..=710).contains(&alone), "{alone} sessions in a day");
        let parts = ["0/4", "1-3/4"].map(|range| begun(range.parse().unwrap()));
        assert!((600..=710).contains(&parts.iter().sum()), "{parts:?} sessions of two processes in a day");
        assert!((150..=180).contains(&parts[0]), "{parts:?}");
    }

    #[test]
    fn a_count_that_discord_refuses_says_what_to_set() {
        let range = "0-1/2".parse().ok();
        let sentence = |code| ended(code, range, 8).to_string();
        assert!(sentence(4010).contains("does not take the shards 0-1/2 that QUORUM_SHARDS says"));
        assert!(sentence(4011).contains("2 shards, as QUORUM_SHARDS says, are too few"));
        assert!([4010, 4011].iter().all(|code| sentence(*code).contains("recommends 8")));
        assert!(ended(4011, None, 8).to_string().contains("Start the bot again"));
    }

    /// The stand-in has no certificate, so no other test goes this way.
    #[tokio::test]
    async fn an_address_of_wss_is_spoken_to_in_tls() {
        use tokio::io::AsyncReadExt as _;

        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = format!("wss://localhost:{}/?v=10", listener.local_addr().unwrap().port());
        let heard = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = [0; 3];
            stream.read_exact(&mut head).await.unwrap();
            head
        };
        let (reached, record) = tokio::join!(connect(&address), heard);
        // A record of a handshake, by any version of TLS (RFC 8446, 5.1).
        assert!(matches!(record, [22, 3, _]), "{record:?}");
        assert!(reached.is_err(), "nobody has answered");
    }

    #[test]
    fn the_address_has_a_path_and_the_version() {
        assert_eq!(address("wss://gateway.discord.gg").unwrap(), "wss://gateway.discord.gg/?v=10");
        assert_eq!(address("ws://127.0.0.1:8/gateway").unwrap(), "ws://127.0.0.1:8/gateway?v=10");
    }

    #[test]
    fn final_codes_say_what_to_do_and_others_are_not_final() {
        for code in [4004, 4010, 4011, 4012, 4013, 4014] {
            assert!(ended(code, None, 1).to_string().contains(&code.to_string()) && remedy(code).is_some());
        }
        for code in [1000, 1001, 1006, 4000, 4001, 4002, 4003, 4005, 4007, 4008, 4009] {
            assert_eq!(remedy(code), None);
        }
    }
}
