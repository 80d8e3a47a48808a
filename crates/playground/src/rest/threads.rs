//! Threads and channels over REST.

use serde_json::{Value, json};

use super::messages::need;
use super::refusal::{archived, missing_permissions, unknown_channel, unknown_message};
use super::{Answer, Call, Refusal, Reply, forums};
use crate::events::{Audience, intent};
use crate::guild::{Channel, FORUM, NEWS, NEWS_THREAD, PUBLIC_THREAD, TEXT};
use crate::mentions::as_id;
use crate::message::{Message, kind};
use crate::permissions::bits;
use crate::snowflake::{Id, now_ms};
use crate::validate::Check;
use crate::world::World;

pub(super) fn get_channel(call: &Call, channel: Id) -> Answer {
    let world = call.shared.world();
    need(&world, channel, 0)?;
    Reply::ok(world.channel(channel).map(Channel::json).unwrap_or_default())
}

/// What is answered where something is asked of a kind of channel that cannot do it.
pub(super) fn wrong_kind() -> Refusal {
    Refusal::new(400, 50024, "Cannot execute action on this channel type")
}

pub(super) fn check_duration(check: &mut Check, body: &Value) {
    if !body["auto_archive_duration"].is_null()
        && !matches!(body["auto_archive_duration"].as_u64(), Some(60 | 1440 | 4320 | 10080))
    {
        let message = "Value must be one of (60, 1440, 4320, 10080).";
        check.error("auto_archive_duration", "BASE_TYPE_CHOICES", message);
    }
}

pub(super) fn start_from_message(call: &Call, channel: Id, id: Id) -> Answer {
    let mut world = call.shared.world();
    need(&world, channel, bits::CREATE_PUBLIC_THREADS)?;
    let kind = match world.channel(channel).map(|c| c.kind) {
        Some(TEXT) => PUBLIC_THREAD,
        Some(NEWS) => NEWS_THREAD,
        _ => return Err(wrong_kind()),
    };
    let found = world.message(channel, id).filter(|m| m.ephemeral_for.is_none());
    found.ok_or_else(unknown_message)?;
    let mut check = Check::default();
    check.known("", &call.body, &["name", "auto_archive_duration", "rate_limit_per_user"]);
    check.required_text("", &call.body, "name", 100);
    check_duration(&mut check, &call.body);
    call.checked(&check)?;
    if world.channels.contains_key(&id) {
        return Err(Refusal::new(400, 160_004, "A thread has already been created for this message"));
    }
    let bot = world.bot;
    world.start_thread(id, channel, bot, kind, &call.body, Some(id));
    Ok(Reply { status: 201, body: world.channel(id).map(Channel::json) })
}

pub(super) fn change_channel(call: &Call, channel: Id) -> Answer {
    let mut world = call.shared.world();
    need(&world, channel, 0)?;
    let place = world.channel(channel).ok_or_else(unknown_channel)?;
    let renamed = call.body["name"].as_str().map(str::trim).filter(|name| *name != place.name);
    let mut check = Check::default();
    check.text("", &call.body, "name", 1, 100);
    check_duration(&mut check, &call.body);
    let thread = place.thread.as_ref().ok_or_else(wrong_kind)?;
    check.known(
        "",
        &call.body,
        &[
            "name",
            "archived",
            "auto_archive_duration",
            "locked",
            "invitable",
            "rate_limit_per_user",
            "flags",
            "applied_tags",
        ],
    );
    let moderator = world.permissions(world.bot, channel) & bits::MANAGE_THREADS != 0;
    let tags = forums::tags(&mut check, &call.body);
    let (archive, lock) = (call.body["archived"].as_bool(), call.body["locked"].as_bool());
    if !moderator && (thread.owner != world.bot || lock.is_some_and(|lock| lock != thread.locked)) {
        return Err(missing_permissions());
    }
    if thread.locked && thread.archived && archive == Some(false) && !moderator {
        return Err(missing_permissions());
    }
    if thread.archived && archive != Some(false) {
        return Err(archived());
    }
    call.checked(&check)?;
    if let Some(tags) = &tags {
        let (parent, before) = (place.parent.unwrap_or_default(), thread.tags.clone());
        forums::may_carry(&world, parent, &before, tags)?;
    }
    if let Some(place) = world.channels.get_mut(&channel) {
        if let Some(name) = renamed {
            name.clone_into(&mut place.name);
        }
        if let Some(thread) = &mut place.thread {
            thread.tags = tags.unwrap_or_else(|| std::mem::take(&mut thread.tags));
            if let Some(archive) = archive.filter(|archive| *archive != thread.archived) {
                thread.archived = archive;
                thread.archive_changed_ms = now_ms();
            }
            thread.locked = lock.unwrap_or(thread.locked);
            if let Some(minutes) = call.body["auto_archive_duration"].as_u64() {
                thread.auto_archive_minutes = minutes;
            }
        }
    }
    world.channel_changed(channel);
    if let Some(name) = renamed {
        let bot = world.bot;
        world.renamed(channel, bot, name);
    }
    Reply::ok(world.channel(channel).map(Channel::json).unwrap_or_default())
}

pub(super) fn active(call: &Call, guild: Id) -> Answer {
    let world = call.shared.world();
    let Some(place) = world.guilds.get(&guild).filter(|_| world.bot_in(guild)) else {
        return Err(super::refusal::missing_access());
    };
    let open = |id: &&Id| {
        world.channel(**id).and_then(|c| c.thread.as_ref()).is_some_and(|t| !t.archived)
            && world.sees(world.bot, **id)
    };
    let threads: Vec<Value> =
        place.threads.iter().filter(open).filter_map(|id| world.channel(*id)).map(Channel::json).collect();
    Reply::ok(json!({"threads": threads, "members": [], "has_more": false}))
}

impl World {
    /// Makes a thread; `starter` is the message of the parent from which it hangs.
    pub(crate) fn start_thread(
        &mut self,
        id: Id,
        parent: Id,
        owner: Id,
        kind: u8,
        body: &Value,
        starter: Option<Id>,
    ) {
        let name = body["name"].as_str().unwrap_or_default();
        let minutes = body["auto_archive_duration"].as_u64().unwrap_or(1440);
        let Some(guild) = self.channels.get(&parent).map(|c| c.guild) else { return };
        let mut thread = Channel::text(id, guild, name.trim());
        thread.kind = kind;
        thread.parent = Some(parent);
        thread.thread = Some(crate::guild::ThreadState {
            owner,
            archived: false,
            locked: false,
            auto_archive_minutes: minutes,
            archive_changed_ms: now_ms(),
            members: vec![owner],
            tags: body["applied_tags"].as_array().into_iter().flatten().filter_map(as_id).collect(),
        });
        self.channels.insert(id, thread);
        if let Some(guild) = self.guilds.get_mut(&guild) {
            guild.threads.push(id);
        }
        self.thread_created(id);
        if self.channels.get(&parent).is_some_and(|parent| parent.kind == FORUM) {
            // Its first message has its number, and is written by whoever makes it.
            return;
        }
        let notice = self.new_id();
        if let Some(starter) = starter {
            if let Some(message) = self.message_mut(parent, starter) {
                message.thread = Some(id);
                message.flags |= crate::message::HAS_THREAD;
            }
            self.message_changed(parent, starter);
            let mut first = Message::new(notice, id, owner, kind::THREAD_STARTER);
            first.reference = Some((parent, starter));
            self.post(first);
        } else if kind == PUBLIC_THREAD {
            let mut message = Message::new(notice, parent, owner, kind::THREAD_CREATED);
            name.clone_into(&mut message.content);
            message.reference = Some((id, 0));
            message.readable = true;
            self.post(message);
        }
    }

    /// Writes into a thread who gave it this name, as Discord does.
    pub(crate) fn renamed(&mut self, thread: Id, by: Id, name: &str) {
        let mut notice = Message::new(self.new_id(), thread, by, kind::CHANNEL_NAME_CHANGE);
        name.clone_into(&mut notice.content);
        notice.readable = true;
        self.post(notice);
    }

    /// Unarchives a thread because someone writes in it.
    pub(crate) fn wake_thread(&mut self, channel: Id) {
        let thread = self.channels.get_mut(&channel).and_then(|c| c.thread.as_mut());
        if let Some(thread) = thread.filter(|thread| thread.archived) {
            thread.archived = false;
            thread.archive_changed_ms = now_ms();
            self.channel_changed(channel);
        }
    }

    /// Removes a channel or thread with everything in it, and the threads under it.
    pub(crate) fn delete_channel(&mut self, id: Id) {
        let under: Vec<Id> = self.channels.values().filter(|c| c.parent == Some(id)).map(|c| c.id).collect();
        for thread in under {
            self.delete_channel(thread);
        }
        let hears = self.sees(self.bot, id);
        let Some(gone) = self.channels.remove(&id) else { return };
        if let Some(guild) = self.guilds.get_mut(&gone.guild) {
            guild.threads.retain(|thread| *thread != id);
            guild.channels.retain(|channel| *channel != id);
        }
        self.touch();
        self.tell_pages(
            Audience::Everyone,
            || json!({"type": "channel_delete", "channel": {"id": id.to_string(), "type": gone.kind}}),
        );
        if hears {
            let name = if gone.is_thread() { "THREAD_DELETE" } else { "CHANNEL_DELETE" };
            let data = if gone.is_thread() {
                json!({"id": id.to_string(), "guild_id": gone.guild.to_string(), "type": gone.kind,
                    "parent_id": gone.parent.map(|id| id.to_string())})
            } else {
                gone.json()
            };
            self.dispatch(name, intent::GUILDS, &data, None);
        }
    }
}
