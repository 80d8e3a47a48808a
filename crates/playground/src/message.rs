//! Messages, and how they look to the bot and to people.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::guild::Channel;
use super::snowflake::{self, Id, now_ms};
use super::validate::find_component;
use super::world::World;

/// Type numbers of messages (Discord, "Message Types").
pub(super) mod kind {
    pub(crate) const DEFAULT: u8 = 0;
    pub(crate) const CHANNEL_NAME_CHANGE: u8 = 4;
    pub(crate) const PINNED: u8 = 6;
    pub(crate) const THREAD_CREATED: u8 = 18;
    pub(crate) const REPLY: u8 = 19;
    pub(crate) const CHAT_INPUT_COMMAND: u8 = 20;
    pub(crate) const THREAD_STARTER: u8 = 21;
    pub(crate) const CONTEXT_MENU_COMMAND: u8 = 23;
}

/// How long a press may have been on its way, in milliseconds.
const ON_ITS_WAY_MS: u64 = 1_000;

/// Flag: only one member sees it.
pub(super) const EPHEMERAL: u64 = 1 << 6;
/// Flag: "thinking…".
pub(super) const LOADING: u64 = 1 << 7;
/// Flag: a thread hangs from it.
pub(super) const HAS_THREAD: u64 = 1 << 5;

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Attachment {
    pub(super) id: Id,
    pub(super) filename: String,
    pub(super) description: Option<String>,
    pub(super) content_type: String,
    pub(super) size: usize,
    /// Width and height in pixels, of an image.
    pub(super) dimensions: Option<(u32, u32)>,
}

/// The interaction that a message answers.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Answering {
    pub(super) id: Id,
    pub(super) kind: u8,
    pub(super) name: String,
    pub(super) user: Id,
    /// The message whose component was used, where there was one.
    pub(super) on_message: Option<Id>,
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Message {
    pub(super) id: Id,
    pub(super) channel: Id,
    pub(super) author: Id,
    pub(super) kind: u8,
    pub(super) content: String,
    pub(super) embeds: Vec<Value>,
    pub(super) components: Vec<Value>,
    /// The components before they were last changed, and when that was: some screens still show them.
    #[serde(skip)]
    pub(super) components_before: Option<(u64, Vec<Value>)>,
    pub(super) attachments: Vec<Attachment>,
    pub(super) mentions: Vec<Id>,
    pub(super) mention_roles: Vec<Id>,
    pub(super) mention_everyone: bool,
    /// Members whom it pinged when it was posted, in the order of their ids; an edit pings nobody.
    pub(super) pinged: Vec<Id>,
    pub(super) edited_ms: Option<u64>,
    pub(super) pinned: bool,
    pub(super) flags: u64,
    pub(super) nonce: Option<Value>,
    /// The message replied to (or pinned, or started from): its channel and id.
    pub(super) reference: Option<(Id, Id)>,
    /// The message that it hands on, as it was then.
    #[serde(default)]
    pub(super) forwarded: Option<Box<Message>>,
    pub(super) answering: Option<Answering>,
    pub(super) ephemeral_for: Option<Id>,
    /// Whether the bot may read it without the message content intent.
    pub(super) readable: bool,
    /// The thread that hangs from it.
    pub(super) thread: Option<Id>,
}

/// For whom a message is written out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Viewer {
    /// The bot; `true` when it has the message content intent.
    Bot(bool),
    /// People on the page: with the extra keys of the page's API.
    Page,
}

impl Message {
    /// An empty message of this author.
    pub(super) fn new(id: Id, channel: Id, author: Id, kind: u8) -> Self {
        Self { id, channel, author, kind, ..Self::default() }
    }

    /// The component that a member presses. What an edit has just taken away or disabled is still as it was to whoever
    /// presses at that moment, and what becomes of it is the bot's to say.
    pub(super) fn pressed(&self, custom_id: &str) -> Option<&Value> {
        let usable = |part: &&Value| part["disabled"].as_bool() != Some(true);
        let now = find_component(&self.components, custom_id);
        let before =
            self.components_before.iter().filter(|(at, _)| now_ms().saturating_sub(*at) < ON_ITS_WAY_MS);
        let before = before.filter_map(|(_, components)| find_component(components, custom_id)).find(usable);
        now.filter(usable).or(before).or(now)
    }

    /// Whether it is a notice by Discord itself rather than something someone wrote.
    pub(super) fn system(&self) -> bool {
        matches!(
            self.kind,
            kind::CHANNEL_NAME_CHANGE | kind::PINNED | kind::THREAD_CREATED | kind::THREAD_STARTER
        )
    }
}

/// Adds the nonce. Discord does not store it: it is in the answer to the creation and in the creation's event,
/// and a message read later does not have it.
pub(super) fn add_nonce(json: &mut Value, message: &Message) {
    if let Some(nonce) = &message.nonce {
        json["nonce"] = nonce.clone();
    }
}

impl World {
    /// A message as Discord writes it for this viewer.
    pub(super) fn message_json(&self, message: &Message, viewer: Viewer) -> Value {
        self.message_at_depth(message, viewer, true)
    }

    fn message_at_depth(&self, message: &Message, viewer: Viewer, outer: bool) -> Value {
        let blank = viewer == Viewer::Bot(false) && message.author != self.bot && !message.readable;
        let mut out = json!({
            "id": message.id.to_string(), "channel_id": message.channel.to_string(), "type": message.kind,
            "author": self.user_json(message.author),
            "content": if blank { "" } else { &message.content },
            "timestamp": snowflake::iso(snowflake::created_ms(message.id)),
            "edited_timestamp": message.edited_ms.map(snowflake::iso),
            "tts": false, "mention_everyone": message.mention_everyone,
            "mentions": message.mentions.iter().map(|id| self.user_json(*id)).collect::<Vec<_>>(),
            "mention_roles": message.mention_roles.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "attachments": if blank { vec![] } else {
                message.attachments.iter().map(|a| self.attachment_json(message.channel, a)).collect() },
            "embeds": if blank { vec![] } else { self.embeds_json(message) },
            "components": if blank { &[][..] } else { &message.components[..] },
            "pinned": message.pinned, "flags": message.flags,
        });
        if message.author == self.bot {
            out["application_id"] = self.bot.to_string().into();
        }
        if let Some(answering) = &message.answering {
            out["webhook_id"] = self.bot.to_string().into();
            self.add_interaction(&mut out, message, answering, viewer);
        }
        if let Some((channel, id)) = message.reference {
            let guild = self.channels.get(&channel).map(|c| c.guild.to_string());
            out["message_reference"] = json!({
                "type": 0, "channel_id": channel.to_string(), "message_id": id.to_string(), "guild_id": guild,
            });
            if outer && matches!(message.kind, kind::REPLY | kind::THREAD_STARTER) {
                out["referenced_message"] = self
                    .message(channel, id)
                    .map_or(Value::Null, |referenced| self.message_at_depth(referenced, viewer, false));
            }
        }
        if let Some(copy) = &message.forwarded {
            self.add_forwarded(&mut out, copy, viewer);
        }
        if let Some(thread) = message.thread.and_then(|id| self.channels.get(&id)) {
            out["thread"] = thread.json();
        }
        if viewer == Viewer::Page {
            Self::add_page_keys(&mut out, message);
        }
        out
    }

    fn add_interaction(&self, out: &mut Value, message: &Message, answering: &Answering, viewer: Viewer) {
        let owners = json!({"0": self.channels.get(&message.channel).map_or(0, |c| c.guild).to_string()});
        let mut metadata = json!({
            "id": answering.id.to_string(), "type": answering.kind, "user": self.user_json(answering.user),
            "authorizing_integration_owners": owners,
        });
        match answering.kind {
            3 => metadata["interacted_message_id"] = answering.on_message.map(|id| id.to_string()).into(),
            5 => {
                metadata["triggering_interaction_metadata"] = json!({
                    "id": answering.id.to_string(), "type": 2, "user": self.user_json(answering.user),
                    "authorizing_integration_owners": owners,
                });
            }
            _ => {
                out["interaction"] = json!({
                    "id": answering.id.to_string(), "type": 2, "name": answering.name,
                    "user": self.user_json(answering.user),
                });
            }
        }
        if viewer == Viewer::Page {
            metadata["name"] = answering.name.clone().into();
        }
        out["interaction_metadata"] = metadata;
    }

    fn add_page_keys(out: &mut Value, message: &Message) {
        out["pinged"] = message.pinged.iter().map(ToString::to_string).collect();
        if let Some(member) = message.ephemeral_for {
            out["ephemeral_for"] = member.to_string().into();
        }
        if message.flags & LOADING != 0 {
            out["loading"] = true.into();
        }
    }

    /// The embeds with `attachment://` resolved to the attachment's address.
    fn embeds_json(&self, message: &Message) -> Vec<Value> {
        let mut embeds = message.embeds.clone();
        for embed in &mut embeds {
            for (part, key) in
                [("image", "url"), ("thumbnail", "url"), ("author", "icon_url"), ("footer", "icon_url")]
            {
                let Some(link) = embed.get_mut(part).and_then(|p| p.get_mut(key)) else { continue };
                let Some(name) = link.as_str().and_then(|l| l.strip_prefix("attachment://")) else {
                    continue;
                };
                if let Some(file) = message.attachments.iter().find(|a| a.filename == name) {
                    *link = self.attachment_url(message.channel, file).into();
                    if let (Some((width, height)), "url") = (file.dimensions, key) {
                        embed[part]["width"] = width.into();
                        embed[part]["height"] = height.into();
                    }
                }
            }
        }
        embeds
    }

    /// The message event's data for the gateway: the message with the server and the author's membership.
    pub(super) fn message_event(&self, message: &Message, content_intent: bool) -> Value {
        let mut data = self.message_json(message, Viewer::Bot(content_intent));
        if let Some(guild) = self.channels.get(&message.channel).map(|c| c.guild) {
            data["guild_id"] = guild.to_string().into();
            data["member"] = self.partial_member_json(guild, message.author);
        }
        data
    }

    /// A channel's messages that a member sees, oldest first, at most `limit`, before `before`.
    pub(super) fn messages_for(
        &self,
        channel: &Channel,
        member: Id,
        limit: usize,
        before: Option<Id>,
    ) -> Vec<Value> {
        let mut found: Vec<&Message> = channel
            .messages
            .range(..before.unwrap_or(Id::MAX))
            .rev()
            .map(|(_, message)| message)
            .filter(|m| m.kind != kind::THREAD_STARTER && m.ephemeral_for.is_none_or(|id| id == member))
            .take(limit)
            .collect();
        found.reverse();
        found.into_iter().map(|m| self.message_json(m, Viewer::Page)).collect()
    }
}
