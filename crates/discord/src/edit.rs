//! An edit that waits for its turn first and is drawn then: of what changes while it waits, nothing is sent twice.

use super::{Discord, SendError, limit::Permit, message::edit, transport::Request, wire};
use domain::{ChannelId, MessageId, Post};

/// The turn to edit a message of a channel. Dropped unused, it costs no request.
pub struct EditTurn<'a> {
    discord: &'a Discord,
    permit: Permit<'a>,
    channel: ChannelId,
    message: MessageId,
}

impl Discord {
    /// Waits until a message may be edited.
    pub async fn turn_to_edit(
        &self,
        channel: ChannelId,
        message: MessageId,
    ) -> Result<EditTurn<'_>, SendError> {
        let permit = self.transport.turn(&edit(channel, message)).await?;
        Ok(EditTurn { discord: self, permit, channel, message })
    }
}

impl EditTurn<'_> {
    /// The channel and the message that it is for.
    #[must_use]
    pub fn of(&self) -> (ChannelId, MessageId) {
        (self.channel, self.message)
    }

    /// Makes the message say this instead, without files.
    pub async fn edit(self, post: &Post) -> Result<(), SendError> {
        let json = Some(wire::message(post, &[]));
        let request = Request { json, ..edit(self.channel, self.message) };
        self.discord.transport.send_only_in(self.permit, request).await
    }
}
