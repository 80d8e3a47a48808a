//! Messages that hand another one on, with a copy of it as it was then.

use serde_json::{Value, json};

use super::Shared;
use super::message::{Message, Viewer, kind};
use super::options::Sentence;
use super::rest;
use super::snowflake::{self, Id};
use super::world::World;

impl Shared {
    /// Forwards a message, named by its channel and its number. Nothing can be written beside it (Discord, "Message
    /// Reference Types").
    pub(super) fn forward(&self, member: Id, from: (Id, Id), channel: Id) -> Result<Id, Sentence> {
        let mut world = self.world();
        world.may(member, channel, rest::write_permission(&world, channel), "write here")?;
        let found = world.message(from.0, from.1).filter(|found| found.ephemeral_for.is_none());
        let copy =
            found.filter(|_| world.sees(member, from.0)).ok_or("The message to forward is gone.")?.clone();
        let mut message = Message::new(world.new_id(), channel, member, kind::DEFAULT);
        message.reference = Some(from);
        message.forwarded = Some(Box::new(copy));
        let id = message.id;
        world.wake_thread(channel);
        world.post(message);
        Ok(id)
    }
}

impl World {
    /// Adds the copy. Whose it is does not stand in it (Discord, "Message Snapshot Object").
    pub(super) fn add_forwarded(&self, out: &mut Value, copy: &Message, viewer: Viewer) {
        let blank = viewer == Viewer::Bot(false) && copy.author != self.bot;
        let files = copy.attachments.iter().filter(|_| !blank);
        out["message_reference"]["type"] = 1.into();
        out["message_snapshots"] = json!([{"message": {
            "type": copy.kind,
            "content": if blank { "" } else { &copy.content },
            "timestamp": snowflake::iso(snowflake::created_ms(copy.id)),
            "edited_timestamp": copy.edited_ms.map(snowflake::iso),
            "flags": copy.flags,
            "mentions": copy.mentions.iter().map(|id| self.user_json(*id)).collect::<Vec<_>>(),
            "mention_roles": copy.mention_roles.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "attachments": files.map(|file| self.attachment_json(copy.channel, file)).collect::<Vec<_>>(),
            "embeds": [], "components": [],
        }}]);
    }
}
