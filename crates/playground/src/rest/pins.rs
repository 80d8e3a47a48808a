//! Pins over REST: pinning, unpinning, the list.

use serde_json::{Value, json};

use super::messages::need;
use super::refusal::{archived, unknown_channel, unknown_message};
use super::{Answer, Call, Refusal, Reply};
use crate::message::Viewer;
use crate::permissions::bits;
use crate::pins::{Unpinnable, pinned_before};
use crate::snowflake::{self, Id};

/// `PUT` and `DELETE` of a pin. Doing again what is done already changes nothing.
pub(super) fn set(call: &Call, channel: Id, id: Id, pin: bool) -> Answer {
    let mut world = call.shared.world();
    need(&world, channel, bits::PIN_MESSAGES)?;
    let bot = world.bot;
    world.pin(bot, channel, id, pin).map_err(|why| match why {
        Unpinnable::Gone => unknown_message(),
        Unpinnable::Archived => archived(),
        Unpinnable::Notice => Refusal::new(403, 50021, "Cannot execute action on a system message"),
        Unpinnable::TooMany => Refusal::new(400, 30003, "Maximum number of pins reached (250)"),
    })?;
    Reply::none()
}

/// The pins of a channel, the newest first: a page of up to 50 with their times.
pub(super) fn list(call: &Call, channel: Id) -> Answer {
    let limit = call.limit(50)?;
    let world = call.shared.world();
    need(&world, channel, bits::READ_MESSAGE_HISTORY)?;
    let place = world.channel(channel).ok_or_else(unknown_channel)?;
    let content = call.shared.reads_content();
    let before = call.query.get("before").map(String::as_str);
    let found = pinned_before(place, before)
        .map(|(message, at)| (world.message_json(message, Viewer::Bot(content)), snowflake::iso(at)));
    let mut items: Vec<Value> =
        found.take(limit + 1).map(|(message, at)| json!({"pinned_at": at, "message": message})).collect();
    let more = items.len() > limit;
    items.truncate(limit);
    Reply::ok(json!({"items": items, "has_more": more}))
}
