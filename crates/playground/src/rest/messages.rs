//! Messages over REST: create, read, edit, delete, typing.

use serde_json::Value;

use super::refusal::{archived, missing_access, missing_permissions, unknown_channel, unknown_message};
use super::{Answer, Call, Refusal, Reply};
use crate::draft::Draft;
use crate::events::{Audience, intent};
use crate::guild::FORUM;
use crate::mentions::{Unless, as_id};
use crate::message::{Message, Viewer, add_nonce, kind};
use crate::permissions::bits;
use crate::snowflake::{Id, now_ms};
use crate::validate::Body;
use crate::world::World;

/// Refuses unless the bot sees the channel and has these permissions in it.
pub(super) fn need(world: &World, channel: Id, permissions: u64) -> Result<(), Refusal> {
    if !world.channels.contains_key(&channel) {
        return Err(unknown_channel());
    }
    let has = world.permissions(world.bot, channel);
    if has & bits::VIEW_CHANNEL == 0 {
        return Err(missing_access());
    }
    if has & permissions == permissions { Ok(()) } else { Err(missing_permissions()) }
}

/// Refuses unless the bot may send what is in a message beside its text.
pub(super) fn need_for(world: &World, channel: Id, call: &Call, message: &Value) -> Result<(), Refusal> {
    if message["embeds"].as_array().is_some_and(|embeds| !embeds.is_empty()) {
        need(world, channel, bits::EMBED_LINKS)?;
    }
    if call.files.is_empty() { Ok(()) } else { need(world, channel, bits::ATTACH_FILES) }
}

/// Refuses a message of which nothing would be seen.
pub(super) fn not_blank(message: &Message) -> Result<(), Refusal> {
    if message.is_blank() {
        return Err(Refusal::new(400, 50006, "Cannot send an empty message"));
    }
    Ok(())
}

/// The permission to write here: another one in threads.
pub(crate) fn write_permission(world: &World, channel: Id) -> u64 {
    if world.channel(channel).is_some_and(super::super::guild::Channel::is_thread) {
        bits::SEND_MESSAGES_IN_THREADS
    } else {
        bits::SEND_MESSAGES
    }
}

/// In a locked thread only those who manage threads write or edit, even their own.
fn not_locked(world: &World, channel: Id) -> Result<(), Refusal> {
    let locked = world.channel(channel).and_then(|c| c.thread.as_ref()).is_some_and(|t| t.locked);
    if locked && world.permissions(world.bot, channel) & bits::MANAGE_THREADS == 0 {
        return Err(Refusal::new(400, 160_005, "Thread is locked"));
    }
    Ok(())
}

pub(super) fn create(call: &mut Call, channel: Id) -> Answer {
    let shared = call.shared.clone();
    let mut world = shared.world();
    need(&world, channel, write_permission(&world, channel))?;
    not_locked(&world, channel)?;
    if world.channel(channel).is_some_and(|place| place.kind == FORUM) {
        return Err(Refusal::new(400, 50008, "Cannot send messages in a non-text channel"));
    }
    call.check_body(Body::Create, &[])?;
    need_for(&world, channel, call, &call.body)?;
    let reference = reference(&world, channel, &call.body["message_reference"])?;
    let content = call.body["content"].as_str().unwrap_or_default();
    call.check_pings(&call.body, content, Unless::Message);
    let nonce = match &call.body["nonce"] {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let enforced = nonce.filter(|_| call.body["enforce_nonce"].as_bool() == Some(true));
    if let Some(nonce) = &enforced
        && let Some(earlier) = earlier(&mut world, channel, nonce, shared.options.nonce_memory.as_millis())
    {
        return created(&world, channel, earlier);
    }
    let id = world.new_id();
    let kind = if reference.is_some() { kind::REPLY } else { kind::DEFAULT };
    let mut message = Message::new(id, channel, world.bot, kind);
    message.reference = reference;
    let files = std::mem::take(&mut call.files);
    world.fill(&mut message, Draft { body: &call.body, files, mentions: Unless::Message }, false);
    message.flags &= !super::super::message::EPHEMERAL;
    not_blank(&message)?;
    if let Some((channel, replied)) = reference
        && call.body["allowed_mentions"]["replied_user"].as_bool() != Some(false)
        && let Some(author) = world.message(channel, replied).map(|m| m.author)
        && (call.body["allowed_mentions"].is_null()
            || call.body["allowed_mentions"]["replied_user"].as_bool() == Some(true))
        && !message.mentions.contains(&author)
    {
        message.mentions.push(author);
    }
    if let Some(nonce) = enforced
        && !shared.faults().forget_nonces
    {
        world.nonces.insert((channel, nonce.clone()), (id, now_ms()));
        world.nonce_order.push_back((now_ms(), channel, nonce));
    }
    world.wake_thread(channel);
    world.post(message);
    created(&world, channel, id)
}

/// The message that a nonce made a short while ago.
fn earlier(world: &mut World, channel: Id, nonce: &str, memory_ms: u128) -> Option<Id> {
    let now = now_ms();
    let old = |at: u64| u128::from(now.saturating_sub(at)) > memory_ms;
    while let Some((at, ..)) = world.nonce_order.front()
        && old(*at)
    {
        if let Some((at, channel, nonce)) = world.nonce_order.pop_front() {
            let key = (channel, nonce);
            if world.nonces.get(&key).is_some_and(|(_, since)| *since <= at) {
                world.nonces.remove(&key);
            }
        }
    }
    world.nonces.get(&(channel, nonce.to_owned())).filter(|(_, at)| !old(*at)).map(|(id, _)| *id)
}

fn reference(world: &World, channel: Id, reference: &Value) -> Result<Option<(Id, Id)>, Refusal> {
    let Some(id) = as_id(&reference["message_id"]) else { return Ok(None) };
    need(world, channel, bits::READ_MESSAGE_HISTORY)?;
    let found = world.message(channel, id).is_some_and(|m| m.ephemeral_for.is_none());
    if found {
        Ok(Some((channel, id)))
    } else if reference["fail_if_not_exists"].as_bool() == Some(false) {
        Ok(None)
    } else {
        Err(Refusal::form("message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message"))
    }
}

/// The answer to a creation: the message with its nonce.
fn created(world: &World, channel: Id, id: Id) -> Answer {
    let message = world.message(channel, id).ok_or_else(unknown_message)?;
    let mut json = world.message_json(message, Viewer::Bot(true));
    add_nonce(&mut json, message);
    Reply::ok(json)
}

/// The bot's own message as the answer to having written it.
pub(super) fn written(world: &World, channel: Id, id: Id) -> Answer {
    let message = world.message(channel, id).ok_or_else(unknown_message)?;
    Reply::ok(world.message_json(message, Viewer::Bot(true)))
}

pub(super) fn list(call: &Call, channel: Id) -> Answer {
    let world = call.shared.world();
    need(&world, channel, 0)?;
    let limit = call.limit(100)?;
    if need(&world, channel, bits::READ_MESSAGE_HISTORY).is_err() {
        return Reply::ok(Value::Array(Vec::new()));
    }
    let Some(place) = world.channel(channel) else { return Err(unknown_channel()) };
    let id = |name: &str| call.query.get(name).and_then(|id| id.parse::<Id>().ok());
    let public = |m: &&Message| m.ephemeral_for.is_none();
    let before = |id: Id, count: usize| {
        place.messages.range(..id).rev().map(|(_, m)| m).filter(public).take(count).collect::<Vec<_>>()
    };
    let after = |id: Id, count: usize| {
        let mut found: Vec<_> =
            place.messages.range(id..).map(|(_, m)| m).filter(public).take(count).collect();
        found.reverse();
        found
    };
    let found = if let Some(id) = id("around") {
        let mut found = after(id, limit / 2 + 1);
        found.extend(before(id, limit.saturating_sub(found.len())));
        found
    } else if let Some(id) = id("after") {
        after(id + 1, limit)
    } else {
        before(id("before").unwrap_or(Id::MAX), limit)
    };
    let content = call.shared.reads_content();
    Reply::ok(found.into_iter().map(|m| world.message_json(m, Viewer::Bot(content))).collect())
}

pub(super) fn get(call: &Call, channel: Id, id: Id) -> Answer {
    let world = call.shared.world();
    need(&world, channel, bits::READ_MESSAGE_HISTORY)?;
    let found = world.message(channel, id).filter(|m| m.ephemeral_for.is_none());
    let message = found.ok_or_else(unknown_message)?;
    Reply::ok(world.message_json(message, Viewer::Bot(call.shared.reads_content())))
}

pub(super) fn edit(call: &mut Call, channel: Id, id: Id) -> Answer {
    let shared = call.shared.clone();
    let mut world = shared.world();
    need(&world, channel, 0)?;
    let message = world.message(channel, id).filter(|m| m.ephemeral_for.is_none());
    if message.ok_or_else(unknown_message)?.author != world.bot {
        return Err(Refusal::new(403, 50005, "Cannot edit a message authored by another user"));
    }
    if world.channel(channel).and_then(|c| c.thread.as_ref()).is_some_and(|t| t.archived) {
        return Err(archived());
    }
    not_locked(&world, channel)?;
    change(call, &mut world, channel, id, Body::Edit)?;
    written(&world, channel, id)
}

/// Carries an edit's body over into a message that may be edited.
pub(super) fn change(
    call: &mut Call,
    world: &mut World,
    channel: Id,
    id: Id,
    place: Body,
) -> Result<(), Refusal> {
    let mut message = world.message(channel, id).ok_or_else(unknown_message)?.clone();
    let kept: Vec<_> = message.attachments.iter().map(|a| (a.id, a.filename.clone())).collect();
    call.check_body(place, &kept)?;
    let unless = if place == Body::Edit { Unless::Message } else { Unless::Interaction };
    let content = call.body["content"].as_str().unwrap_or(&message.content);
    call.check_pings(&call.body, content, unless);
    let was_thinking = message.flags & super::super::message::LOADING != 0;
    let files = std::mem::take(&mut call.files);
    world.fill(&mut message, Draft { body: &call.body, files, mentions: unless }, true);
    not_blank(&message)?;
    if was_thinking {
        message.flags &= !super::super::message::LOADING;
        message.edited_ms = None;
    }
    let public = message.ephemeral_for.is_none();
    let mentioned = message.mentions.clone();
    if let Some(stored) = world.message_mut(channel, id) {
        *stored = message;
    }
    world.message_changed(channel, id);
    // An edit notifies nobody, and adds whom it mentions to its thread.
    if public {
        world.joins(channel, mentioned);
    }
    Ok(())
}

pub(super) fn typing(call: &Call, channel: Id) -> Answer {
    let mut world = call.shared.world();
    need(&world, channel, write_permission(&world, channel))?;
    let bot = world.bot.to_string();
    let data = serde_json::json!({"channel_id": channel.to_string(), "user_id": bot,
        "timestamp": now_ms() / 1000});
    world.tell_pages(
        Audience::Channel(channel),
        || serde_json::json!({"type": "typing", "channel_id": channel.to_string(), "user_id": bot}),
    );
    world.dispatch("TYPING_START", intent::GUILD_MESSAGE_TYPING, &data, None);
    Reply::none()
}
