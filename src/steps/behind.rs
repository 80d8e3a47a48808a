//! Whether a database is older than what stands on Discord: posts of a session's thread that it does not know. The process
//! that sends posts looks for them before its first one, and `doctor` in a file that nobody has started on.
//!
//! A process that is killed leaves at most what it was just sending, and that was noted as tried before; whatever is there
//! beyond that was posted after the file was copied.

use std::fmt;

use chrono::DateTime;

use crate::store::{KnownPosts, OpenThread, StoreError, Target};
use discord::{Discord, Seen, SendError, Urgency};
use domain::{ChannelId, MessageId, SessionId};

/// Messages read at a time, the most Discord gives.
const PAGE: u8 = 100;

/// Later than every post of an outbox.
const ALL: i64 = i64::MAX;

/// Why it cannot be said whether a post is on Discord.
#[derive(Debug, thiserror::Error)]
pub enum Lost {
    /// The database does not say what it knows.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Discord does not say what is there.
    #[error(transparent)]
    Discord(#[from] SendError),
}

/// That a database is behind a thread, and how far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Behind {
    /// How many posts are there that it neither knows nor had begun to send; at least one.
    pub posts: usize,
    /// The last message that it knows.
    pub known: MessageId,
    /// The newest that it does not know.
    pub newest: MessageId,
}

impl fmt::Display for Behind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let posts = match self.posts {
            1 => "1 post stands in its thread that the file does".to_owned(),
            more => format!("{more} posts stand in its thread that the file does"),
        };
        let at = |message: MessageId| {
            let at = DateTime::from_timestamp_millis(message.made_ms()).unwrap_or_default();
            at.format("%Y-%m-%d %H:%M:%S").to_string()
        };
        let (known, newest) = (at(self.known), at(self.newest));
        write!(
            f,
            "{posts} not know; the last that it knows is of {known}, the newest in the thread of {newest} (UTC)"
        )
    }
}

/// What is in a thread after the last message that is known, and is no known post.
pub(super) struct Unknown {
    /// The last message that is known.
    pub(super) after: MessageId,
    /// The bot's own messages, the oldest first.
    pub(super) own: Vec<Seen>,
    /// How many posts were tried that may be among them, for all that is written.
    pub(super) tried: usize,
}

impl Unknown {
    /// That the database is behind, if that is sure.
    pub(super) fn behind(&self) -> Option<Behind> {
        let posts = self.own.len().saturating_sub(self.tried);
        let newest = self.own.last().filter(|_| posts > 0)?.id;
        Some(Behind { posts, known: self.after, newest })
    }
}

/// The bot's messages in a channel that no post of the session is known to be, from this message on. `before`: the post that
/// is to be sent, or one that is later than all.
pub(super) async fn unknown_after(
    (discord, known): (&Discord, &KnownPosts),
    (session, channel): (&SessionId, ChannelId),
    before: i64,
    after: MessageId,
) -> Result<Unknown, Lost> {
    let me = discord.me().await?.id;
    let (mut own, mut page_after) = (Vec::new(), after);
    loop {
        let seen = discord.messages_after(channel, page_after, PAGE, Urgency::Now).await?;
        let (last, whole) = (seen.last().map(|last| last.id), seen.len() >= usize::from(PAGE));
        // What Discord notes of itself, such as a pin or a new name, is no post, though it is in the bot's name.
        own.extend(seen.into_iter().filter(|message| message.author == me && message.written));
        match last {
            Some(last) if whole => page_after = last,
            _ => break,
        }
    }
    // In this order: one that is just being sent is either counted here or known below.
    let tried = known.tried_after_last_before(session, before).await?;
    let mut unknown = Vec::new();
    for message in own {
        if !known.is_own(session, message.id).await? {
            unknown.push(message);
        }
    }
    Ok(Unknown { after, own: unknown, tried })
}

/// Whether a database that nobody has opened to write is behind the thread of a session.
pub async fn behind(
    discord: &Discord,
    known: &KnownPosts,
    open: &OpenThread,
) -> Result<Option<Behind>, Lost> {
    let OpenThread { session, thread, card } = open;
    let last = known.last_before(session, ALL, Target::Thread).await?;
    let after = after(last, *card, *thread);
    Ok(unknown_after((discord, known), (session, *thread), ALL, after).await?.behind())
}

/// From where on a thread is read: the first card is older than all else, be the thread started from it or it from within a
/// thread.
pub(super) fn after(last: Option<MessageId>, card: Option<MessageId>, thread: ChannelId) -> MessageId {
    last.or(card).unwrap_or(MessageId(thread.0))
}
