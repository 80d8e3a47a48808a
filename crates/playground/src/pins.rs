//! Pinned messages of a channel.

use serde_json::json;

use super::Shared;
use super::events::intent;
use super::guild::Channel;
use super::message::{Message, kind};
use super::options::Sentence;
use super::permissions::bits;
use super::snowflake::{self, Id, now_ms};
use super::world::World;

/// Most pins of a channel (Discord, "Pin Message").
const MOST: usize = 250;

/// Why a message cannot be pinned or unpinned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unpinnable {
    /// There is no such message, or it is private.
    Gone,
    /// The thread is archived.
    Archived,
    /// It is one of Discord's own notices.
    Notice,
    /// The channel has as many pins as it can have.
    TooMany,
}

/// A channel's pinned messages with the time of the pin, the newest pin first, from before a moment in ISO 8601
/// if one is given.
pub(super) fn pinned_before<'a>(
    channel: &'a Channel,
    before: Option<&'a str>,
) -> impl Iterator<Item = (&'a Message, u64)> {
    let pins = channel.pins.iter().rev();
    pins.filter(move |(_, at)| before.is_none_or(|before| snowflake::iso(*at).as_str() < before))
        .filter_map(|(id, at)| Some((channel.messages.get(id)?, *at)))
}

impl Unpinnable {
    /// What a person who tried is told.
    fn sentence(self) -> Sentence {
        match self {
            Self::Gone => "That message is gone.",
            Self::Archived => "This thread is archived. Write in it to open it again.",
            Self::Notice => "A notice cannot be pinned.",
            Self::TooMany => "This channel has 250 pins, the most there can be. Unpin one first.",
        }
        .to_owned()
    }
}

impl Shared {
    /// Pins or unpins a message for a member.
    pub(super) fn pin(&self, member: Id, channel: Id, id: Id, pin: bool) -> Result<(), Sentence> {
        let mut world = self.world();
        world.may(member, channel, bits::PIN_MESSAGES, "pin messages here")?;
        world.pin(member, channel, id, pin).map_err(Unpinnable::sentence)
    }
}

impl World {
    /// Pins or unpins a message, with the notice that Discord posts for a pin in the name of who pinned it.
    pub(super) fn pin(&mut self, who: Id, channel: Id, id: Id, pin: bool) -> Result<(), Unpinnable> {
        let place = self.channels.get_mut(&channel).ok_or(Unpinnable::Gone)?;
        if place.thread.as_ref().is_some_and(|thread| thread.archived) {
            return Err(Unpinnable::Archived);
        }
        let found = place.messages.get_mut(&id).filter(|message| message.ephemeral_for.is_none());
        let message = found.ok_or(Unpinnable::Gone)?;
        if message.system() {
            return Err(Unpinnable::Notice);
        }
        if message.pinned == pin {
            return Ok(());
        }
        if pin && place.pins.len() >= MOST {
            return Err(Unpinnable::TooMany);
        }
        message.pinned = pin;
        place.pins.retain(|(pinned, _)| *pinned != id);
        if pin {
            // Two pins in one millisecond would not be told apart by a reader who asks for those before one.
            let after = place.pins.last().map_or(0, |(_, at)| at + 1);
            place.pins.push((id, now_ms().max(after)));
        }
        let data = json!({"guild_id": place.guild.to_string(), "channel_id": channel.to_string(),
            "last_pin_timestamp": place.pins.last().map(|(_, at)| snowflake::iso(*at))});
        self.message_changed(channel, id);
        self.dispatch("CHANNEL_PINS_UPDATE", intent::GUILDS, &data, None);
        if pin {
            let notice = self.new_id();
            let mut message = Message::new(notice, channel, who, kind::PINNED);
            message.reference = Some((channel, id));
            self.post(message);
        }
        Ok(())
    }
}
