//! The state of the stand-in: servers, channels, messages, interactions, and who listens.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::{broadcast, watch};

use super::events::PageEvent;
use super::gateway::Session;
use super::guild::{Channel, Guild, User};
use super::interaction::Interaction;
use super::message::Message;
use super::snowflake::{self, Id};

/// Most events that a page may be behind before it reads everything anew.
const MOST_NEWS: usize = 4096;

/// Everything there is. Kept behind one lock that is never held across an await.
#[derive(Clone)]
pub(super) struct World {
    pub(super) origin: String,
    pub(super) bot: Id,
    pub(super) last_id: Id,
    pub(super) users: BTreeMap<Id, User>,
    pub(super) guilds: BTreeMap<Id, Guild>,
    pub(super) channels: HashMap<Id, Channel>,
    /// Commands as registered, with their ids: global ones under `0`, a server's under its id.
    pub(super) commands: BTreeMap<Id, Vec<Value>>,
    pub(super) interactions: HashMap<Id, Interaction>,
    pub(super) by_token: HashMap<String, Id>,
    /// Ids in order of creation, for forgetting the oldest.
    pub(super) interaction_order: VecDeque<Id>,
    /// Nonces remembered: (channel, nonce) to (message, when in ms).
    pub(super) nonces: HashMap<(Id, String), (Id, u64)>,
    pub(super) nonce_order: VecDeque<(u64, Id, String)>,
    /// Permissions that a test denies the bot, by channel.
    pub(super) denied: HashMap<Id, u64>,
    /// Whether a test has interactions look as if they came from direct messages.
    pub(super) direct_messages: bool,
    /// Whether every member may use every command, whatever permission it asks for by default.
    pub(super) commands_for_all: bool,
    /// Bytes of attachments, by id.
    pub(super) files: HashMap<Id, bytes::Bytes>,
    pub(super) sessions: HashMap<String, Session>,
    /// How often a bot has identified or resumed.
    pub(super) connections: u64,
    pub(super) pages: broadcast::Sender<PageEvent>,
    /// Set on every change that has to reach the state file.
    pub(super) dirty: bool,
    /// Told on every change, for whoever waits for something to appear.
    pub(super) changed: watch::Sender<u64>,
}

/// What outlives a restart.
#[derive(Serialize, Deserialize)]
pub(super) struct Saved<'a> {
    last_id: Id,
    users: Cow<'a, BTreeMap<Id, User>>,
    guilds: Cow<'a, BTreeMap<Id, Guild>>,
    channels: Cow<'a, HashMap<Id, Channel>>,
    commands: Cow<'a, BTreeMap<Id, Vec<Value>>>,
    interactions: Cow<'a, HashMap<Id, Interaction>>,
}

impl World {
    pub(super) fn empty(origin: String, bot: Id) -> Self {
        Self {
            origin,
            bot,
            last_id: 0,
            users: BTreeMap::new(),
            guilds: BTreeMap::new(),
            channels: HashMap::new(),
            commands: BTreeMap::new(),
            interactions: HashMap::new(),
            by_token: HashMap::new(),
            interaction_order: VecDeque::new(),
            nonces: HashMap::new(),
            nonce_order: VecDeque::new(),
            denied: HashMap::new(),
            direct_messages: false,
            commands_for_all: false,
            files: HashMap::new(),
            sessions: HashMap::new(),
            connections: 0,
            pages: broadcast::channel(MOST_NEWS).0,
            dirty: false,
            changed: watch::Sender::new(0),
        }
    }

    /// A new id, larger than all before.
    pub(super) fn new_id(&mut self) -> Id {
        self.last_id = snowflake::after(self.last_id);
        self.last_id
    }

    /// Notes a change: for the state file, and for whoever waits.
    pub(super) fn touch(&mut self) {
        self.dirty = true;
        self.changed.send_modify(|n| *n += 1);
    }

    pub(super) fn channel(&self, id: Id) -> Option<&Channel> {
        self.channels.get(&id)
    }

    pub(super) fn message(&self, channel: Id, id: Id) -> Option<&Message> {
        self.channels.get(&channel)?.messages.get(&id)
    }

    pub(super) fn message_mut(&mut self, channel: Id, id: Id) -> Option<&mut Message> {
        self.channels.get_mut(&channel)?.messages.get_mut(&id)
    }

    /// Whether the bot is a member of the server of this channel.
    pub(super) fn bot_in(&self, guild: Id) -> bool {
        self.guilds.get(&guild).is_some_and(|g| g.members.contains_key(&self.bot))
    }

    /// Whether any bot process is connected.
    pub(super) fn bot_online(&self) -> bool {
        self.sessions.values().any(Session::connected)
    }

    /// The same for another stand-in at this address, to which no bot has connected yet.
    pub(super) fn copy(&self, origin: String) -> Self {
        let mut interactions = self.interactions.clone();
        for interaction in interactions.values_mut() {
            interaction.changed = Arc::default();
        }
        Self {
            origin,
            interactions,
            sessions: HashMap::new(),
            connections: 0,
            pages: broadcast::channel(MOST_NEWS).0,
            dirty: false,
            changed: watch::Sender::new(0),
            ..self.clone()
        }
    }

    /// The state for the file, as JSON.
    pub(super) fn save(&self) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(&Saved {
            last_id: self.last_id,
            users: Cow::Borrowed(&self.users),
            guilds: Cow::Borrowed(&self.guilds),
            channels: Cow::Borrowed(&self.channels),
            commands: Cow::Borrowed(&self.commands),
            interactions: Cow::Borrowed(&self.interactions),
        })
    }

    /// Takes over a saved state.
    pub(super) fn restore(&mut self, saved: Saved<'_>) {
        self.last_id = saved.last_id;
        self.users = saved.users.into_owned();
        self.guilds = saved.guilds.into_owned();
        self.channels = saved.channels.into_owned();
        self.commands = saved.commands.into_owned();
        self.interactions = saved.interactions.into_owned();
        let mut order: Vec<Id> = self.interactions.keys().copied().collect();
        order.sort_unstable();
        self.by_token = self.interactions.values().map(|i| (i.token.clone(), i.id)).collect();
        self.interaction_order = order.into();
        for interaction in self.interactions.values_mut().filter(|i| i.acknowledged.is_none()) {
            interaction.failed.get_or_insert_with(|| "The application did not respond".to_owned());
        }
        let recent = snowflake::now_ms().saturating_sub(600_000);
        let mut nonces: Vec<(u64, Id, String, Id)> = Vec::new();
        for channel in self.channels.values() {
            for message in channel.messages.values().rev() {
                let at = snowflake::created_ms(message.id);
                if at < recent {
                    break;
                }
                if let Some(nonce) = message.nonce.as_ref().and_then(Value::as_str) {
                    nonces.push((at, channel.id, nonce.to_owned(), message.id));
                }
            }
        }
        nonces.sort_unstable();
        for (at, channel, nonce, message) in nonces {
            self.nonces.insert((channel, nonce.clone()), (message, at));
            self.nonce_order.push_back((at, channel, nonce));
        }
    }
}
