//! Threads and channels, and who the bot is.

use std::time::Duration;

use chrono::{DateTime, Utc};
use reqwest::Method;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Discord, SendError, Urgency, transport::Request};
use domain::{ChannelId, Forum, ForumTag, GuildId, MessageId, TagId, UserId};

/// A channel or thread as Discord describes it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Channel {
    /// Its number.
    pub id: ChannelId,
    /// Discord's channel type: 0 is a text channel, 5 announcements, 10 to 12 are threads, 1 a direct message.
    #[serde(rename = "type")]
    pub kind: u8,
    /// Its server; none for direct messages.
    #[serde(default)]
    pub guild_id: Option<GuildId>,
    /// A thread's channel, or a channel's category.
    #[serde(default)]
    pub parent_id: Option<ChannelId>,
    /// Its name.
    #[serde(default)]
    pub name: Option<String>,
    /// Only of a thread.
    #[serde(default)]
    pub thread_metadata: Option<ThreadState>,
    /// Who made it, of a thread.
    #[serde(default)]
    pub owner_id: Option<UserId>,
    /// The tags that a forum's post carries.
    #[serde(default)]
    pub applied_tags: Vec<TagId>,
    /// The tags that a forum has.
    #[serde(default)]
    available_tags: Vec<ForumTag>,
    /// Discord's channel flags.
    #[serde(default)]
    flags: u64,
}

/// Flag of a forum in which every post carries a tag.
const REQUIRE_TAG: u64 = 1 << 4;

/// Whether a thread can be written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct ThreadState {
    /// Put aside; writing in it brings it back.
    pub archived: bool,
    /// When it was put aside or brought back last.
    #[serde(default)]
    pub archive_timestamp: Option<DateTime<Utc>>,
    /// Only moderators write in it or bring it back.
    #[serde(default)]
    pub locked: bool,
}

impl Channel {
    /// It is a forum or a media channel, in which everything is a post of its own (Discord's documentation, "Channel Types").
    #[must_use]
    pub fn takes_only_posts(&self) -> bool {
        matches!(self.kind, 15 | 16)
    }

    /// What it asks of its posts; `None` where it is no forum.
    #[must_use]
    pub fn forum(&self) -> Option<Forum> {
        let forum =
            || Forum { tags: self.available_tags.clone(), requires_tag: self.flags & REQUIRE_TAG != 0 };
        self.takes_only_posts().then(forum)
    }

    /// It is a thread rather than a channel.
    #[must_use]
    pub fn is_thread(&self) -> bool {
        matches!(self.kind, 10..=12)
    }

    /// It is a thread that whoever reads its channel can read, and no private one.
    #[must_use]
    pub fn is_open_thread(&self) -> bool {
        matches!(self.kind, 10 | 11)
    }
}

/// The bot's own account.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Me {
    /// Its number.
    pub id: UserId,
    /// Its name.
    pub username: String,
}

/// Longest silent wait for a turn to start a thread: new threads have a limit of their own, whose end may be minutes
/// away, and somebody waits for theirs.
pub(super) const START_PATIENCE: Duration = Duration::from_secs(10);

/// Longest silent wait for a turn to rename a thread: others wait for theirs meanwhile.
const RENAME_PATIENCE: Duration = Duration::from_secs(5);

/// Minutes without a message after which Discord puts a thread aside: the longest it offers, a week.
pub(super) const AUTO_ARCHIVE_MINUTES: u16 = 10_080;

impl Discord {
    /// Starts a public thread at a message. Its number is the message's own, so that doing it twice is the same
    /// as doing it once. The name is cut at Discord's 100 characters. Fails with a time to come back where Discord lets
    /// no thread be started for more than ten seconds.
    pub async fn start_thread(
        &self,
        channel: ChannelId,
        message: MessageId,
        name: &str,
    ) -> Result<ChannelId, SendError> {
        let request = Request {
            json: Some(json!({"name": thread_name(name), "auto_archive_duration": AUTO_ARCHIVE_MINUTES})),
            numbered: true,
            permission: Some("Create Public Threads"),
            patience: START_PATIENCE,
            repeatable: true,
            ..Request::new(Method::POST, "/channels/{}/messages/{}/threads", &[&channel, &message])
        };
        match self.transport.send_only(request).await {
            Ok(()) => Ok(ChannelId(message.0)),
            Err(error) if error.code == Some(THREAD_EXISTS) => Ok(ChannelId(message.0)),
            Err(error) => Err(error),
        }
    }

    /// Gives a thread another name. Discord allows this only about twice in ten minutes: fails with a time to come back
    /// where that is more than some seconds away.
    pub async fn rename_thread(&self, thread: ChannelId, name: &str) -> Result<(), SendError> {
        let change = change_of(thread, json!({"name": thread_name(name)}));
        self.transport.send_only(Request { patience: RENAME_PATIENCE, ..change }).await
    }

    /// Puts a thread aside or brings it back.
    pub async fn archive_thread(&self, thread: ChannelId, archived: bool) -> Result<(), SendError> {
        self.change_channel(thread, json!({"archived": archived})).await
    }

    pub(super) async fn change_channel(&self, channel: ChannelId, change: Value) -> Result<(), SendError> {
        self.transport.send_only(change_of(channel, change)).await
    }

    /// A channel or thread by its number.
    pub async fn channel(&self, channel: ChannelId) -> Result<Channel, SendError> {
        let asked = Request::new(Method::GET, "/channels/{}", &[&channel]);
        self.transport.send(Request { permission: Some("View Channel"), ..asked }).await
    }

    /// Who the token belongs to. Discord is asked until it has said so, and not again: of a hundred sessions that go on at a
    /// start, each wants to know.
    pub async fn me(&self) -> Result<Me, SendError> {
        let asked = Request { urgency: Urgency::First, ..Request::new(Method::GET, "/users/@me", &[]) };
        let me = self.me.get_or_try_init(|| self.transport.send(asked)).await?;
        Ok(me.clone())
    }
}

fn change_of(channel: ChannelId, change: Value) -> Request {
    Request {
        json: Some(change),
        numbered: true,
        permission: Some("Manage Threads"),
        ..Request::new(Method::PATCH, "/channels/{}", &[&channel])
    }
}

/// Discord's answer when the message has a thread already.
const THREAD_EXISTS: u32 = 160_004;

/// A name Discord takes: 1 to 100 characters.
pub(super) fn thread_name(name: &str) -> String {
    let name: String = name.trim().chars().take(100).collect();
    if name.is_empty() { "Decision".to_owned() } else { name }
}
