//! The message that a session is about.

use serde::{Deserialize, Serialize};

use super::{ChannelId, GuildId, MessageId};

/// A message that a session is about, so that whoever reads the session finds it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AboutMessage {
    /// The server.
    pub guild: GuildId,
    /// The channel or thread in which it stands.
    pub channel: ChannelId,
    /// Its number.
    pub message: MessageId,
    /// The name its author went by.
    pub author: String,
}

impl AboutMessage {
    /// The address at which Discord shows it to whoever may read it; made of its numbers alone.
    #[must_use]
    pub fn link(&self) -> String {
        format!("https://discord.com/channels/{}/{}/{}", self.guild, self.channel, self.message)
    }
}
