//! Telling everyone what happened: the bot over the gateway, people over the page's event stream.

use std::sync::Arc;

use serde_json::{Value, json};

use super::message::{Message, Viewer, add_nonce};
use super::snowflake::Id;
use super::world::World;

/// Intents by which the gateway sorts its events (Discord, "Gateway Intents").
pub(super) mod intent {
    pub(crate) const GUILDS: u64 = 1;
    pub(crate) const GUILD_MEMBERS: u64 = 1 << 1;
    pub(crate) const GUILD_PRESENCES: u64 = 1 << 8;
    pub(crate) const GUILD_MESSAGES: u64 = 1 << 9;
    pub(crate) const GUILD_MESSAGE_TYPING: u64 = 1 << 11;
    pub(crate) const MESSAGE_CONTENT: u64 = 1 << 15;
    pub(crate) const PRIVILEGED: u64 = GUILD_MEMBERS | GUILD_PRESENCES | MESSAGE_CONTENT;
}

/// Who may get a page event.
#[derive(Clone, Copy)]
pub(super) enum Audience {
    Everyone,
    /// Those who see this channel.
    Channel(Id),
    Member(Id),
}

/// An event for the page, already written out.
#[derive(Clone)]
pub(super) struct PageEvent {
    pub(super) to: Audience,
    pub(super) data: Arc<str>,
}

impl World {
    /// Sends a gateway event to every session that has the intent. `plain` is for sessions without the
    /// message content intent, when it differs.
    pub(super) fn dispatch(&mut self, name: &str, intent: u64, data: &Value, plain: Option<&Value>) {
        let guild = if name.starts_with("GUILD_") { &data["id"] } else { &data["guild_id"] };
        let guild = guild.as_str().and_then(|id| id.parse().ok());
        let (mut full_text, mut plain_text) = (None, None);
        for session in self.sessions.values_mut() {
            if (intent != 0 && session.intents & intent == 0) || !session.shard.hears(guild) {
                continue;
            }
            let text = match plain {
                Some(plain) if session.intents & intent::MESSAGE_CONTENT == 0 => {
                    plain_text.get_or_insert_with(|| plain.to_string())
                }
                _ => full_text.get_or_insert_with(|| data.to_string()),
            };
            session.dispatch(name, text);
        }
    }

    /// Sends an event to the pages; it is only written out when one is open.
    pub(super) fn tell_pages(&self, to: Audience, event: impl FnOnce() -> Value) {
        if self.pages.receiver_count() > 0 {
            let _ = self.pages.send(PageEvent { to, data: event().to_string().into() });
        }
    }

    /// Whether the bot hears of this channel at all.
    fn bot_hears(&self, channel: Id) -> bool {
        !self.sessions.is_empty() && self.sees(self.bot, channel)
    }

    /// Tells pages and whoever waits whether a bot is connected now.
    pub(super) fn bot_came_or_went(&self) {
        let online = self.bot_online();
        self.tell_pages(Audience::Everyone, || json!({"type": "bot_status", "online": online}));
        self.changed.send_modify(|n| *n += 1);
    }

    /// Puts a new message into its channel and tells everyone.
    pub(super) fn post(&mut self, mut message: Message) {
        message.pinged = self.pinged_by(&message);
        let (channel, id, member) = (message.channel, message.id, message.ephemeral_for);
        if member.is_none() && !message.system() {
            let author = message.author;
            self.joins(channel, message.mentions.iter().copied().chain([author]).collect());
        }
        let counts = !message.system() && member.is_none();
        if let Some(place) = self.channels.get_mut(&channel) {
            place.messages.insert(id, message);
            if member.is_none() {
                place.last_message = Some(id);
            }
            if counts {
                place.sent += 1;
            }
        }
        self.touch();
        self.announce("message_create", "MESSAGE_CREATE", channel, id);
    }

    /// Puts members who see it into a thread. Nobody is told: Discord says so only to applications that read who is on a
    /// server, and the page draws the number.
    pub(super) fn joins(&mut self, thread: Id, who: Vec<Id>) {
        let Some(place) = self.channels.get(&thread).filter(|place| place.is_thread()) else { return };
        let there = place.thread.as_ref().map_or(&[][..], |state| &state.members);
        let new: Vec<Id> =
            who.into_iter().filter(|id| !there.contains(id) && self.sees(*id, thread)).collect();
        if new.is_empty() {
            return;
        }
        if let Some(state) = self.channels.get_mut(&thread).and_then(|place| place.thread.as_mut()) {
            state.members.extend(new);
        }
        self.touch();
        if let Some(place) = self.channels.get(&thread) {
            self.tell_pages(
                Audience::Channel(thread),
                || json!({"type": "channel_update", "channel": place.page_json()}),
            );
        }
    }

    /// Tells everyone that a message changed.
    pub(super) fn message_changed(&mut self, channel: Id, id: Id) {
        self.touch();
        self.announce("message_update", "MESSAGE_UPDATE", channel, id);
    }

    fn announce(&mut self, page: &str, name: &str, channel: Id, id: Id) {
        let Some(message) = self.message(channel, id) else { return };
        let to = message.ephemeral_for.map_or(Audience::Channel(channel), Audience::Member);
        if message.kind != super::message::kind::THREAD_STARTER {
            self.tell_pages(to, || {
                json!({"type": page, "channel_id": channel.to_string(),
                    "message": self.message_json(message, Viewer::Page)})
            });
        }
        if self.bot_hears(channel) {
            let mut full = self.message_event(message, true);
            if name == "MESSAGE_CREATE" {
                add_nonce(&mut full, message);
            }
            let plain =
                (message.author != self.bot && !message.readable).then(|| self.message_event(message, false));
            self.dispatch(name, intent::GUILD_MESSAGES, &full, plain.as_ref());
        }
    }

    /// Removes a message and tells everyone. The thread that hung from it stays.
    pub(super) fn remove_message(&mut self, channel: Id, id: Id) -> bool {
        let Some(place) = self.channels.get_mut(&channel) else { return false };
        let Some(gone) = place.messages.remove(&id) else { return false };
        place.pins.retain(|(pin, _)| *pin != id);
        let guild = place.guild;
        for file in &gone.attachments {
            self.files.remove(&file.id);
        }
        self.touch();
        let to = gone.ephemeral_for.map_or(Audience::Channel(channel), Audience::Member);
        self.tell_pages(
            to,
            || json!({"type": "message_delete", "channel_id": channel.to_string(), "id": id.to_string()}),
        );
        if self.bot_hears(channel) {
            let data = json!({"id": id.to_string(), "channel_id": channel.to_string(),
                "guild_id": guild.to_string()});
            self.dispatch("MESSAGE_DELETE", intent::GUILD_MESSAGES, &data, None);
        }
        true
    }

    /// Tells everyone of a new thread.
    pub(super) fn thread_created(&mut self, id: Id) {
        self.touch();
        let Some(thread) = self.channels.get(&id) else { return };
        let mut data = thread.json();
        self.tell_pages(
            Audience::Channel(id),
            || json!({"type": "thread_create", "channel": thread.page_json()}),
        );
        data["newly_created"] = true.into();
        if self.bot_hears(id) {
            self.dispatch("THREAD_CREATE", intent::GUILDS, &data, None);
        }
    }

    /// Tells everyone that a channel or thread changed.
    pub(super) fn channel_changed(&mut self, id: Id) {
        self.touch();
        let Some(channel) = self.channels.get(&id) else { return };
        let (data, thread) = (channel.json(), channel.is_thread());
        self.tell_pages(
            Audience::Channel(id),
            || json!({"type": "channel_update", "channel": channel.page_json()}),
        );
        if self.bot_hears(id) {
            let name = if thread { "THREAD_UPDATE" } else { "CHANNEL_UPDATE" };
            self.dispatch(name, intent::GUILDS, &data, None);
        }
    }
}
