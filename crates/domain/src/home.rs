//! Where a session lies.

use strum::{EnumString, IntoStaticStr};

use super::ChannelId;

/// Where a session begins. Who may read the channel may read the session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// In a thread of its own, which is started from its live card in this channel.
    OwnThread {
        /// A channel for text or announcements.
        channel: ChannelId,
    },
    /// Within a thread that is there, a forum's post among them.
    Within {
        /// What the thread hangs from.
        channel: ChannelId,
        /// The thread.
        thread: ChannelId,
    },
    /// In a post of its own, whose first message is its live card.
    OwnPost {
        /// The forum.
        forum: ChannelId,
    },
}

impl Home {
    /// The channel to which it belongs.
    #[must_use]
    pub fn channel(self) -> ChannelId {
        match self {
            Self::OwnThread { channel } | Self::Within { channel, .. } | Self::OwnPost { forum: channel } => {
                channel
            }
        }
    }

    /// The thread that is there already.
    #[must_use]
    pub fn thread(self) -> Option<ChannelId> {
        match self {
            Self::Within { thread, .. } => Some(thread),
            Self::OwnThread { .. } | Self::OwnPost { .. } => None,
        }
    }

    /// The same without the places.
    #[must_use]
    pub fn lies(self) -> Lies {
        match self {
            Self::OwnThread { .. } => Lies::OwnThread,
            Self::Within { .. } => Lies::Within,
            Self::OwnPost { .. } => Lies::OwnPost,
        }
    }
}

/// In what a session lies, which never changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, IntoStaticStr, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Lies {
    /// In a thread of its own, started from its live card, whose number it has. The card stands in the channel.
    OwnThread,
    /// Within a thread that was there before it.
    Within,
    /// In a forum's post of its own, whose first message is its live card and has the post's number.
    OwnPost,
}

impl Lies {
    /// As the database spells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Reads the database's spelling.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}
