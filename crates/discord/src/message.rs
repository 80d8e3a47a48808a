//! Messages: writing, changing, pinning and reading them.

use bytes::Bytes;
use reqwest::Method;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Discord, Nonce, SendError, Urgency, transport::Request, wire};
use domain::{ChannelId, CustomId, MessageId, Post, UserId};

/// A file to send.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Upload {
    /// Name with its ending.
    pub name: String,
    /// Said by screen readers instead of it, at most 1,024 characters.
    pub alt: String,
    /// Its media type, such as `image/png`.
    pub mime: String,
    /// What is in it; 10 MiB at most unless the server has more.
    pub bytes: Bytes,
}

/// A message as it stands on Discord.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Its number.
    pub id: MessageId,
    /// Who wrote it.
    pub author: UserId,
    /// What the author called it before it had a number.
    pub nonce: Option<String>,
    /// Its text, empty if the bot is not allowed to read it.
    pub content: String,
    /// Title and description of its first embed, empty if there is none.
    pub first_embed: (String, String),
    /// Footer of its first embed.
    pub footer: String,
    /// How many embeds it has.
    pub embeds: usize,
    /// What can be pressed on it, as far as it is the bot's own.
    pub actions: Vec<CustomId>,
    /// Whom it mentions, by mention or by reply with ping, and the name that each goes by.
    pub mentions: Vec<(UserId, String)>,
    /// The message it answers.
    pub replies_to: Option<MessageId>,
    /// The name its author goes by.
    pub author_name: String,
    /// Written by a bot.
    pub by_bot: bool,
    /// Whether its author wrote it. Else Discord noted in their name what they did, such as pinning a message (documentation,
    /// message object: types; 0 is a message, 19 one that answers another).
    pub written: bool,
    /// Its files; none if the bot is not allowed to read them.
    pub attachments: Vec<Attached>,
    /// The messages that it hands on, as they were then: whoever forwards one writes nothing beside it (documentation, message
    /// object: `message_snapshots`).
    pub forwarded: Vec<Forwarded>,
}

/// A message that another one hands on. Who wrote it is not told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forwarded {
    /// Its text, empty if the bot is not allowed to read it.
    pub content: String,
    /// Whom it mentions, and the name that each goes by.
    pub mentions: Vec<(UserId, String)>,
    /// Its files.
    pub attachments: Vec<Attached>,
}

/// A file of a message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Attached {
    /// Its name.
    #[serde(rename = "filename")]
    pub name: String,
    /// Where it lies, for some hours.
    pub url: String,
    /// Its size in bytes.
    pub size: u64,
}

impl<'de> Deserialize<'de> for Seen {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// The fields that are looked at, as Discord names them.
        #[derive(Deserialize)]
        struct Raw {
            id: MessageId,
            #[serde(default, rename = "type")]
            kind: u8,
            author: Author,
            /// A number or a text.
            #[serde(default)]
            nonce: Value,
            #[serde(default)]
            content: String,
            #[serde(default)]
            embeds: Vec<Value>,
            #[serde(default)]
            components: Vec<Value>,
            #[serde(default)]
            mentions: Vec<Author>,
            #[serde(default)]
            message_reference: Option<Reference>,
            #[serde(default)]
            attachments: Vec<Attached>,
            #[serde(default)]
            message_snapshots: Vec<Snapshot>,
        }
        #[derive(Deserialize)]
        struct Snapshot {
            message: Copied,
        }
        #[derive(Deserialize)]
        struct Copied {
            #[serde(default)]
            content: String,
            #[serde(default)]
            mentions: Vec<Author>,
            #[serde(default)]
            attachments: Vec<Attached>,
        }
        #[derive(Deserialize)]
        struct Author {
            id: UserId,
            #[serde(default)]
            username: String,
            #[serde(default)]
            global_name: Option<String>,
            #[serde(default)]
            bot: bool,
        }
        impl Author {
            fn name(self) -> String {
                self.global_name.unwrap_or(self.username)
            }
        }
        #[derive(Deserialize)]
        struct Reference {
            #[serde(default)]
            message_id: Option<MessageId>,
        }

        let raw = Raw::deserialize(deserializer)?;
        let named = |members: Vec<Author>| -> Vec<(UserId, String)> {
            members.into_iter().map(|member| (member.id, member.name())).collect()
        };
        let nonce = match raw.nonce {
            Value::String(text) => Some(text),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let text = |name: &str| {
            raw.embeds.first().and_then(|embed| embed[name].as_str()).unwrap_or_default().to_owned()
        };
        Ok(Self {
            id: raw.id,
            author: raw.author.id,
            nonce,
            content: raw.content,
            first_embed: (text("title"), text("description")),
            footer: raw
                .embeds
                .first()
                .and_then(|embed| embed["footer"]["text"].as_str())
                .unwrap_or_default()
                .to_owned(),
            embeds: raw.embeds.len(),
            actions: raw
                .components
                .iter()
                .filter_map(|row| row["components"].as_array())
                .flatten()
                .filter_map(|inside| CustomId::parse(inside["custom_id"].as_str()?))
                .collect(),
            mentions: named(raw.mentions),
            replies_to: raw.message_reference.and_then(|reference| reference.message_id),
            by_bot: raw.author.bot,
            author_name: raw.author.name(),
            written: matches!(raw.kind, 0 | 19),
            attachments: raw.attachments,
            forwarded: raw
                .message_snapshots
                .into_iter()
                .map(|Snapshot { message }| Forwarded {
                    content: message.content,
                    mentions: named(message.mentions),
                    attachments: message.attachments,
                })
                .collect(),
        })
    }
}

const SEND: &str = "Send Messages (in a thread: Send Messages in Threads)";

/// An edit: what is new goes before it, for a card that shows something a moment later is no loss.
pub(super) fn edit(channel: ChannelId, message: MessageId) -> Request {
    Request {
        numbered: true,
        permission: Some(SEND),
        urgency: Urgency::Later,
        ..Request::new(Method::PATCH, "/channels/{}/messages/{}", &[&channel, &message])
    }
}

impl Discord {
    /// Writes a message, once; under a nonce that was used in the last minutes nothing new is written and the
    /// earlier message is answered. After a [`Kind::Transient`](super::Kind) error it may stand there.
    pub async fn create_message(
        &self,
        channel: ChannelId,
        post: &Post,
        uploads: &[Upload],
        nonce: &Nonce,
        reply_to: Option<MessageId>,
    ) -> Result<MessageId, SendError> {
        let request = Request {
            json: Some(wire::new_message(post, uploads, nonce, reply_to)),
            uploads: uploads.to_vec(),
            permission: Some(SEND),
            ..Request::new(Method::POST, "/channels/{}/messages", &[&channel])
        };
        Ok(self.transport.send::<Written>(request).await?.id)
    }

    /// Whether a message of this channel could be edited now and take nothing from others: for edits that can as well be left
    /// out.
    #[must_use]
    pub fn can_spare_edit(&self, channel: ChannelId) -> bool {
        // All messages of a channel have one limit.
        self.transport.can_spare(&edit(channel, MessageId(0)))
    }

    /// Makes a message say this instead, with these files instead of its earlier ones.
    pub async fn edit_message(
        &self,
        channel: ChannelId,
        message: MessageId,
        post: &Post,
        uploads: &[Upload],
    ) -> Result<(), SendError> {
        let (json, uploads) = (Some(wire::message(post, uploads)), uploads.to_vec());
        let request = Request { json, uploads, ..edit(channel, message) };
        self.transport.send_only(request).await
    }

    /// Makes a message's text say this and leaves all else of it as it is. It mentions these members and nobody else, whatever
    /// its text says: an edit notifies nobody, and in a thread it adds those whom it mentions.
    pub async fn edit_text(
        &self,
        channel: ChannelId,
        message: MessageId,
        (text, mentions): (&str, &[UserId]),
    ) -> Result<(), SendError> {
        let json = Some(wire::text_alone(text, mentions));
        self.transport.send_only(Request { json, ..edit(channel, message) }).await
    }

    /// Pins a message to the top of its channel; needs the optional permission *Pin Messages*.
    pub async fn pin(&self, channel: ChannelId, message: MessageId) -> Result<(), SendError> {
        let request = Request {
            permission: Some("Pin Messages"),
            ..Request::new(Method::PUT, "/channels/{}/messages/pins/{}", &[&channel, &message])
        };
        self.transport.send_only(request).await
    }

    /// The messages written after `after` (any snowflake: also one made from a time), oldest first, at most
    /// `limit` (1 to 100) of them.
    pub async fn messages_after(
        &self,
        channel: ChannelId,
        after: MessageId,
        limit: u8,
        urgency: Urgency,
    ) -> Result<Vec<Seen>, SendError> {
        let request = Request {
            query: vec![("after", after.to_string()), ("limit", limit.clamp(1, 100).to_string())],
            urgency,
            permission: Some("Read Message History"),
            ..Request::new(Method::GET, "/channels/{}/messages", &[&channel])
        };
        let mut seen: Vec<Seen> = self.transport.send(request).await?;
        seen.sort_by_key(|message| message.id);
        Ok(seen)
    }

    /// A message by its number.
    pub async fn message(&self, channel: ChannelId, message: MessageId) -> Result<Seen, SendError> {
        let request = Request {
            permission: Some("Read Message History"),
            ..Request::new(Method::GET, "/channels/{}/messages/{}", &[&channel, &message])
        };
        self.transport.send(request).await
    }
}

/// All that is read of the answer to a message that was written.
#[derive(Deserialize)]
pub(super) struct Written {
    pub(super) id: MessageId,
}
