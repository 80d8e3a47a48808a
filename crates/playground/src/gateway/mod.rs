//! The gateway: a plain JSON websocket, from HELLO to close codes (Discord, "Gateway").

mod session;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::Shared;
use super::events::intent;
use super::snowflake::now_ms;

pub(super) use session::{Frame, Session, Shard};

/// Bits of intents that exist.
const KNOWN_INTENTS: u64 = ((1 << 22) - 1) | (1 << 24) | (1 << 25);

/// Most left sessions kept for resuming; a test that restarts a bot often would gather many.
const MOST_LEFT: usize = 4;

fn forget_left(sessions: &mut HashMap<String, Session>) {
    let mut left: Vec<(u64, String)> =
        sessions.iter().filter_map(|(id, session)| Some((session.left_ms()?, id.clone()))).collect();
    left.sort_unstable();
    for (_, id) in left.iter().take(left.len().saturating_sub(MOST_LEFT)) {
        sessions.remove(id);
    }
}

/// A close code with its documented reason.
type Closing = (u16, &'static str);

struct Connection {
    shared: Arc<Shared>,
    number: u64,
    out: UnboundedSender<Frame>,
    session: Option<String>,
    /// A session that has its READY and is not told of its servers yet.
    new: Option<(String, Session)>,
    recent: Vec<Instant>,
}

/// Serves one connection until it ends.
pub(super) async fn serve(shared: Arc<Shared>, mut socket: WebSocket, version: Option<String>) {
    if version.as_deref().is_some_and(|v| v != "10" && v != "9") {
        return close(&mut socket, (4012, "Invalid API version")).await;
    }
    let interval = shared.options.heartbeat_interval;
    let hello = json!({"op": 10, "s": null, "t": null, "d": {"heartbeat_interval": u64::try_from(interval.as_millis()).unwrap_or(u64::MAX)}});
    if socket.send(Message::text(hello.to_string())).await.is_err() {
        return;
    }
    let (out, inbox) = unbounded_channel();
    let number = shared.world().new_id();
    let mut connection =
        Connection { shared: shared.clone(), number, out, session: None, new: None, recent: Vec::new() };
    let polite = connection.run(&mut socket, inbox, interval).await;
    connection.end(polite);
}

/// False once the connection is at its end.
async fn write(socket: &mut WebSocket, frame: Frame) -> bool {
    match frame {
        Frame::Text(text) => socket.send(Message::text(text)).await.is_ok(),
        Frame::Close(code, reason) => {
            close(socket, (code, reason)).await;
            false
        }
    }
}

async fn close(socket: &mut WebSocket, (code, reason): Closing) {
    let _ = socket.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
    // Discord waits for the other side's close; a moment is enough for the frame to be read.
    let _ = tokio::time::timeout(Duration::from_secs(1), socket.recv()).await;
}

impl Connection {
    /// Runs to the end. True when the client closed with 1000 or 1001, which ends the session too.
    async fn run(
        &mut self,
        socket: &mut WebSocket,
        mut inbox: UnboundedReceiver<Frame>,
        interval: Duration,
    ) -> bool {
        let mut stop = self.shared.stop.subscribe();
        let mut deadline = tokio::time::Instant::now() + interval * 2;
        loop {
            tokio::select! {
                frame = inbox.recv() => {
                    let Some(frame) = frame else { return false };
                    if !write(socket, frame).await {
                        return false;
                    }
                }
                message = socket.recv() => match message {
                    Some(Ok(Message::Text(text))) => {
                        match self.receive(text.as_str()) {
                            Ok(true) => deadline = tokio::time::Instant::now() + interval * 2,
                            Ok(false) => {
                                // Its READY is not held back until ten thousand threads are put into words.
                                while let Ok(frame) = inbox.try_recv() {
                                    if !write(socket, frame).await {
                                        return false;
                                    }
                                }
                                self.enter();
                            }
                            Err(closing) => {
                                self.broke(closing);
                                close(socket, closing).await;
                                return false;
                            }
                        }
                    }
                    Some(Ok(Message::Close(frame))) => {
                        return frame.is_some_and(|frame| matches!(frame.code, 1000 | 1001));
                    }
                    Some(Ok(Message::Binary(_))) => {
                        close(socket, (4002, "Error while decoding payload.")).await;
                        return false;
                    }
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => return false,
                },
                () = tokio::time::sleep_until(deadline) => {
                    close(socket, (4009, "Session timed out.")).await;
                    return false;
                }
                _ = stop.changed() => {
                    close(socket, (1001, "Going away")).await;
                    return false;
                }
            }
        }
    }

    fn broke(&self, (code, reason): Closing) {
        self.shared.record().violation(format!("gateway: closed with {code}: {reason}"));
    }

    /// Takes one payload. `Ok(true)` for a heartbeat.
    fn receive(&mut self, text: &str) -> Result<bool, Closing> {
        if text.len() > 4096 {
            return Err((4002, "Error while decoding payload."));
        }
        let now = Instant::now();
        self.recent.retain(|at| now.duration_since(*at) < Duration::from_mins(1));
        self.recent.push(now);
        if self.recent.len() > 120 {
            return Err((4008, "You are being rate limited."));
        }
        let payload: Value =
            serde_json::from_str(text).map_err(|_| (4002, "Error while decoding payload."))?;
        let data = &payload["d"];
        match payload["op"].as_u64() {
            Some(1) => {
                if !self.shared.faults().ignore_heartbeats {
                    self.send(json!({"op": 11, "d": null, "s": null, "t": null}));
                }
                return Ok(true);
            }
            Some(2) if self.session.is_some() => return Err((4005, "Already authenticated.")),
            Some(2) => self.identify(data)?,
            Some(6) => self.resume(data)?,
            Some(3 | 4 | 8) if self.session.is_some() => {}
            Some(3 | 4 | 8) => return Err((4003, "Not authenticated.")),
            _ => return Err((4001, "Unknown opcode.")),
        }
        Ok(false)
    }

    fn send(&self, payload: Value) {
        let _ = self.out.send(Frame::Text(payload.to_string()));
    }

    fn token_fits(&self, data: &Value) -> Result<(), Closing> {
        let token = data["token"].as_str().unwrap_or_default();
        if token.trim_start_matches("Bot ") == self.shared.options.token {
            Ok(())
        } else {
            Err((4004, "Authentication failed."))
        }
    }

    fn identify(&mut self, data: &Value) -> Result<(), Closing> {
        self.token_fits(data)?;
        let intents = data["intents"].as_u64().ok_or((4013, "Invalid intents"))?;
        if intents & !KNOWN_INTENTS != 0 {
            return Err((4013, "Invalid intents"));
        }
        if intents & intent::PRIVILEGED & !self.shared.options.privileged_intents != 0 {
            return Err((4014, "Disallowed intents"));
        }
        let shard = match data["shard"].as_array().map(Vec::as_slice) {
            None => Shard { number: 0, of: 1 },
            Some([number, of]) => match (number.as_u64(), of.as_u64()) {
                (Some(number), Some(of)) if number < of => Shard { number, of },
                _ => return Err((4010, "Invalid shard")),
            },
            Some(_) => return Err((4010, "Invalid shard")),
        };
        if shard.of < self.shared.options.fewest_shards {
            return Err((4011, "Sharding required"));
        }
        if !data["properties"].is_object() {
            return Err((4002, "Error while decoding payload."));
        }
        if !self.shared.identify_allowed() {
            self.send(json!({"op": 9, "d": false, "s": null, "t": null}));
            return Ok(());
        }
        let mut world = self.shared.world();
        world.sessions.retain(|_, session| !session.stale());
        forget_left(&mut world.sessions);
        let id = format!("{:032x}", u128::from(self.number) << 32 | u128::from(now_ms() & 0xFFFF_FFFF));
        let mut session = Session::new(intents, shard, self.out.clone(), self.number);
        let present =
            world.guilds.values().filter(|guild| world.bot_in(guild.id) && shard.hears(Some(guild.id)));
        let ready = json!({
            "v": 10, "user": world.own_json(), "session_id": id, "session_type": "normal",
            "resume_gateway_url": self.shared.gateway_url(), "shard": [shard.number, shard.of], "private_channels": [],
            "guilds": present.map(|g| json!({"id": g.id.to_string(), "unavailable": true}))
                .collect::<Vec<_>>(),
            "application": {"id": world.bot.to_string(), "flags": 0}, "user_settings": {}, "relationships": [],
        });
        session.dispatch("READY", &ready.to_string());
        drop(world);
        self.new = Some((id, session));
        Ok(())
    }

    /// Tells a new session of its servers; from now on it hears what happens there.
    fn enter(&mut self) {
        let Some((id, mut session)) = self.new.take() else { return };
        let mut world = self.shared.world();
        if session.intents & intent::GUILDS != 0 {
            for guild in world.guilds.values() {
                if world.bot_in(guild.id) && session.shard.hears(Some(guild.id)) {
                    session.dispatch("GUILD_CREATE", &world.guild_create_json(guild).to_string());
                }
            }
        }
        world.sessions.insert(id.clone(), session);
        world.connections += 1;
        self.session = Some(id);
        world.bot_came_or_went();
    }

    fn resume(&mut self, data: &Value) -> Result<(), Closing> {
        self.token_fits(data)?;
        let id = data["session_id"].as_str().unwrap_or_default().to_owned();
        let seq = data["seq"].as_u64().unwrap_or(0);
        let mut world = self.shared.world();
        if world.sessions.get(&id).is_some_and(|session| session.resumable && seq > session.seq()) {
            return Err((4007, "Invalid seq"));
        }
        let resumed = world
            .sessions
            .get_mut(&id)
            .is_some_and(|session| session.resume(seq, self.out.clone(), self.number));
        if resumed {
            self.session = Some(id);
            world.connections += 1;
            world.bot_came_or_went();
        } else {
            drop(world);
            self.send(json!({"op": 9, "d": false, "s": null, "t": null}));
        }
        Ok(())
    }

    fn end(&self, polite: bool) {
        let Some(id) = &self.session else { return };
        let mut world = self.shared.world();
        if let Some(session) = world.sessions.get_mut(id) {
            session.leave(self.number);
            if polite {
                session.resumable = false;
            }
        }
        world.bot_came_or_went();
    }
}
