//! Posts of forums over REST, and the tags that they carry.

use serde_json::Value;

use super::messages::{need, need_for, not_blank};
use super::refusal::{missing_permissions, unknown_channel, unknown_message};
use super::threads::{check_duration, wrong_kind};
use super::{Answer, Call, Refusal, Reply};
use crate::draft::Draft;
use crate::guild::{Channel, FORUM, PUBLIC_THREAD};
use crate::mentions::{Unless, as_id};
use crate::message::{EPHEMERAL, Message, Viewer, kind};
use crate::permissions::bits;
use crate::snowflake::{Id, iso};
use crate::validate::{Body, Check};
use crate::world::World;

/// Most tags of a post.
const MOST_TAGS: usize = 5;

/// A post of its own with its first message, whose number is the thread's.
pub(super) fn create(call: &mut Call, forum: Id) -> Answer {
    let shared = call.shared.clone();
    let mut world = shared.world();
    need(&world, forum, bits::SEND_MESSAGES)?;
    // Threads of other channels hang from a message, or are made by members.
    if world.channel(forum).is_none_or(|place| place.kind != FORUM) {
        return Err(wrong_kind());
    }
    let mut check = Check::default();
    check.known(
        "",
        &call.body,
        &["name", "auto_archive_duration", "rate_limit_per_user", "applied_tags", "message"],
    );
    check.required_text("", &call.body, "name", 100);
    check_duration(&mut check, &call.body);
    let tags = tags(&mut check, &call.body).unwrap_or_default();
    if !call.body["message"].is_object() {
        check.error("message", "BASE_TYPE_REQUIRED", "This field is required");
    }
    call.checked(&check)?;
    let message = call.body["message"].take();
    call.check_message(Body::Post, &message, &[])?;
    need_for(&world, forum, call, &message)?;
    may_carry(&world, forum, &[], &tags)?;
    call.check_pings(&message, message["content"].as_str().unwrap_or_default(), Unless::Message);
    let (id, bot) = (world.new_id(), world.bot);
    let mut first = Message::new(id, id, bot, kind::DEFAULT);
    let files = std::mem::take(&mut call.files);
    world.fill(&mut first, Draft { body: &message, files, mentions: Unless::Message }, false);
    first.flags &= !EPHEMERAL;
    not_blank(&first)?;
    world.start_thread(id, forum, bot, PUBLIC_THREAD, &call.body, None);
    world.post(first);
    let first = world.message(id, id).ok_or_else(unknown_message)?;
    let mut made = world.channel(id).map(Channel::json).ok_or_else(unknown_channel)?;
    made["message"] = world.message_json(first, Viewer::Bot(true));
    Ok(Reply { status: 201, body: Some(made) })
}

/// The tags that a body names; `None` where it says nothing of them.
pub(super) fn tags(check: &mut Check, body: &Value) -> Option<Vec<Id>> {
    if body["applied_tags"].is_null() {
        return None;
    }
    let tags = check.list("", body, "applied_tags", MOST_TAGS);
    let ids: Vec<Id> = tags.iter().filter_map(as_id).collect();
    if ids.len() != tags.len() {
        check.error("applied_tags", "NUMBER_TYPE_COERCE", "Value is not snowflake.");
    }
    Some(ids)
}

/// Refuses tags that the forum does not have, that only moderators set or take away, and none where one is required.
pub(super) fn may_carry(world: &World, forum: Id, before: &[Id], tags: &[Id]) -> Result<(), Refusal> {
    let place = world.channel(forum).ok_or_else(unknown_channel)?;
    let moderator = world.permissions(world.bot, forum) & bits::MANAGE_THREADS != 0;
    if tags.iter().any(|tag| !place.tags.iter().any(|there| there.id == *tag)) {
        return Err(Refusal::new(404, 10087, "Unknown tag"));
    }
    let changes = |tag: Id| before.contains(&tag) != tags.contains(&tag);
    if !moderator && place.tags.iter().any(|tag| tag.moderated && changes(tag.id)) {
        return Err(missing_permissions());
    }
    if place.requires_tag && tags.is_empty() && !moderator {
        return Err(if place.tags.iter().all(|tag| tag.moderated) {
            Refusal::new(400, 40066, "There are no tags available that can be set by non-moderators")
        } else {
            Refusal::new(400, 40067, "A tag is required to create a forum post in this channel")
        });
    }
    Ok(())
}

/// The archived public threads of a channel, those that were put aside last first.
pub(super) fn archived(call: &Call, channel: Id) -> Answer {
    let world = call.shared.world();
    need(&world, channel, bits::READ_MESSAGE_HISTORY)?;
    let before = call.query.get("before");
    let limit =
        call.query.get("limit").and_then(|limit| limit.parse().ok()).unwrap_or(50_usize).clamp(2, 100);
    let mut found: Vec<(String, Value)> = Vec::new();
    for place in world.channels.values().filter(|place| place.parent == Some(channel)) {
        let Some(thread) = place.thread.as_ref().filter(|thread| thread.archived) else { continue };
        let at = iso(thread.archive_changed_ms);
        if place.kind == PUBLIC_THREAD && before.is_none_or(|before| at < *before) {
            found.push((at, place.json()));
        }
    }
    found.sort_by(|(first, _), (second, _)| second.cmp(first));
    let more = found.len() > limit;
    let threads: Vec<Value> = found.into_iter().take(limit).map(|(_, thread)| thread).collect();
    Reply::ok(serde_json::json!({"threads": threads, "members": [], "has_more": more}))
}
