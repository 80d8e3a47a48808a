//! Servers, channels, threads, roles and people, and their JSON as Discord writes it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::message::Message;
use super::snowflake::{self, Id};
use super::world::World;

/// A text channel's type number.
pub(super) const TEXT: u8 = 0;
/// Type number of a channel for announcements.
pub(super) const NEWS: u8 = 5;
/// Type number of a thread in one.
pub(super) const NEWS_THREAD: u8 = 10;
/// Type number of a forum, which has posts and no messages of its own.
pub(super) const FORUM: u8 = 15;
/// A public thread's type number.
pub(super) const PUBLIC_THREAD: u8 = 11;
/// A private thread's type number.
pub(super) const PRIVATE_THREAD: u8 = 12;

/// A person, or the bot.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct User {
    pub(super) id: Id,
    pub(super) username: String,
    pub(super) display: String,
    pub(super) bot: bool,
    /// Language of the member's client, such as `en-US`.
    pub(super) locale: String,
    /// Colour of the avatar on the page, `#rrggbb`.
    pub(super) color: String,
}

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Role {
    pub(super) id: Id,
    pub(super) name: String,
    pub(super) permissions: u64,
    pub(super) position: u32,
    /// The bot it belongs to, for a managed role.
    pub(super) bot: Option<Id>,
    /// Whether everyone may ping it.
    pub(super) mentionable: bool,
    /// Colour of the role's name, `0xRRGGBB`; 0 for none.
    pub(super) color: u32,
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Member {
    pub(super) roles: Vec<Id>,
    pub(super) joined_ms: u64,
}

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Guild {
    pub(super) id: Id,
    pub(super) name: String,
    pub(super) owner: Id,
    pub(super) locale: String,
    pub(super) roles: Vec<Role>,
    pub(super) members: BTreeMap<Id, Member>,
    /// Text channels in the order shown.
    pub(super) channels: Vec<Id>,
    /// Threads in the order made, archived ones included.
    pub(super) threads: Vec<Id>,
    /// The level, 0 to 3, that its boosts have reached.
    pub(super) boosts: u8,
}

/// What one role or member is allowed or denied in one channel.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Overwrite {
    pub(super) id: Id,
    /// Whether `id` is a role; else a member.
    pub(super) role: bool,
    pub(super) allow: u64,
    pub(super) deny: u64,
}

/// A tag that posts of a forum can carry.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct ForumTag {
    pub(super) id: Id,
    pub(super) name: String,
    /// Only who manages threads sets it or takes it away.
    pub(super) moderated: bool,
}

/// Flag of a forum in which every post carries a tag.
const REQUIRE_TAG: u64 = 1 << 4;

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct ThreadState {
    pub(super) owner: Id,
    pub(super) archived: bool,
    pub(super) locked: bool,
    pub(super) auto_archive_minutes: u64,
    pub(super) archive_changed_ms: u64,
    pub(super) members: Vec<Id>,
    /// Tags of a forum's post.
    pub(super) tags: Vec<Id>,
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Channel {
    pub(super) id: Id,
    pub(super) guild: Id,
    pub(super) kind: u8,
    pub(super) name: String,
    pub(super) topic: Option<String>,
    /// The channel a thread hangs in.
    pub(super) parent: Option<Id>,
    pub(super) overwrites: Vec<Overwrite>,
    pub(super) thread: Option<ThreadState>,
    pub(super) messages: BTreeMap<Id, Message>,
    /// Messages ever sent by people or bots, for a thread's `message_count`.
    pub(super) sent: u64,
    /// Newest message, kept when that message is deleted, as Discord does.
    pub(super) last_message: Option<Id>,
    /// Pinned messages, newest pin last, with the time.
    pub(super) pins: Vec<(Id, u64)>,
    /// Tags that a forum has.
    pub(super) tags: Vec<ForumTag>,
    /// Whether every post of a forum has to carry one.
    pub(super) requires_tag: bool,
}

impl User {
    pub(super) fn json(&self) -> Value {
        json!({
            "id": self.id.to_string(), "username": self.username, "global_name": self.display,
            "discriminator": "0", "avatar": null, "bot": self.bot, "system": false, "public_flags": 0,
        })
    }
}

impl Role {
    pub(super) fn json(&self) -> Value {
        let mut role = json!({
            "id": self.id.to_string(), "name": self.name, "color": self.color,
            "colors": {"primary_color": self.color, "secondary_color": null, "tertiary_color": null},
            "hoist": false, "icon": null, "unicode_emoji": null, "position": self.position,
            "permissions": self.permissions.to_string(), "managed": self.bot.is_some(),
            "mentionable": self.mentionable, "flags": 0,
        });
        if let Some(bot) = self.bot {
            role["tags"] = json!({"bot_id": bot.to_string()});
        }
        role
    }
}

impl Channel {
    pub(super) fn is_thread(&self) -> bool {
        self.thread.is_some()
    }

    /// The same for the page, which shows who is in a thread.
    pub(super) fn page_json(&self) -> Value {
        let mut channel = self.json();
        if let Some(thread) = &self.thread {
            channel["member_ids"] = thread.members.iter().map(ToString::to_string).collect();
        }
        channel
    }

    /// A channel or thread as Discord writes it.
    pub(super) fn json(&self) -> Value {
        let last = self.last_message.map(|id| id.to_string());
        let pinned = self.pins.last().map(|(_, at)| snowflake::iso(*at));
        let mut channel = json!({
            "id": self.id.to_string(), "type": self.kind, "guild_id": self.guild.to_string(),
            "name": self.name, "parent_id": self.parent.map(|id| id.to_string()),
            "last_message_id": last, "last_pin_timestamp": pinned, "rate_limit_per_user": 0,
            "flags": if self.requires_tag { REQUIRE_TAG } else { 0 },
        });
        if let Some(thread) = &self.thread {
            if !thread.tags.is_empty() {
                channel["applied_tags"] = thread.tags.iter().map(ToString::to_string).collect();
            }
            channel["owner_id"] = thread.owner.to_string().into();
            channel["message_count"] = self.sent.into();
            channel["total_message_sent"] = self.sent.into();
            channel["member_count"] = thread.members.len().min(50).into();
            channel["thread_metadata"] = json!({
                "archived": thread.archived, "locked": thread.locked,
                "auto_archive_duration": thread.auto_archive_minutes,
                "archive_timestamp": snowflake::iso(thread.archive_changed_ms),
                "create_timestamp": snowflake::iso(snowflake::created_ms(self.id)),
            });
            if self.kind == PRIVATE_THREAD {
                channel["thread_metadata"]["invitable"] = true.into();
            }
        } else {
            channel["topic"] = self.topic.clone().into();
            channel["position"] = 0.into();
            channel["nsfw"] = false.into();
            channel["permission_overwrites"] = self
                .overwrites
                .iter()
                .map(|o| {
                    json!({"id": o.id.to_string(), "type": u8::from(!o.role),
                        "allow": o.allow.to_string(), "deny": o.deny.to_string()})
                })
                .collect();
            if self.kind == FORUM {
                channel["available_tags"] = self
                    .tags
                    .iter()
                    .map(|tag| {
                        json!({"id": tag.id.to_string(), "name": tag.name, "moderated": tag.moderated,
                            "emoji_id": null, "emoji_name": null})
                    })
                    .collect();
                channel["default_reaction_emoji"] = Value::Null;
                channel["default_sort_order"] = Value::Null;
                channel["default_forum_layout"] = 0.into();
            }
        }
        channel
    }
}

impl World {
    /// A member as Discord writes it, with the `user` inside.
    pub(super) fn member_json(&self, guild: Id, user: Id) -> Value {
        let mut member = self.partial_member_json(guild, user);
        member["user"] = self.user_json(user);
        member
    }

    /// A member without the `user`, as it stands beside a message's author.
    pub(super) fn partial_member_json(&self, guild: Id, user: Id) -> Value {
        let member = self.guilds.get(&guild).and_then(|g| g.members.get(&user)).cloned().unwrap_or_default();
        let roles: Vec<String> = member.roles.iter().map(ToString::to_string).collect();
        json!({
            "nick": null, "avatar": null, "banner": null, "roles": roles,
            "joined_at": snowflake::iso(member.joined_ms), "premium_since": null,
            "deaf": false, "mute": false, "flags": 0, "pending": false, "communication_disabled_until": null,
        })
    }

    /// A user as Discord writes it; someone unknown is shown as deleted.
    pub(super) fn user_json(&self, user: Id) -> Value {
        self.users.get(&user).map_or_else(
            || {
                json!({"id": user.to_string(), "username": "Deleted User", "discriminator": "0",
                    "global_name": null, "avatar": null})
            },
            User::json,
        )
    }

    /// The bot, as only it sees itself.
    pub(super) fn own_json(&self) -> Value {
        let mut user = self.user_json(self.bot);
        user["verified"] = true.into();
        user["mfa_enabled"] = false.into();
        user["email"] = Value::Null;
        user["flags"] = 0.into();
        user
    }

    /// A server as `GET /guilds/{id}` answers.
    pub(super) fn guild_json(guild: &Guild) -> Value {
        json!({
            "id": guild.id.to_string(), "name": guild.name, "icon": null, "icon_hash": null, "splash": null,
            "discovery_splash": null, "owner_id": guild.owner.to_string(), "afk_channel_id": null,
            "afk_timeout": 300, "widget_enabled": false, "widget_channel_id": null, "verification_level": 1,
            "default_message_notifications": 1, "explicit_content_filter": 0,
            "roles": guild.roles.iter().map(Role::json).collect::<Vec<_>>(),
            "emojis": [], "features": [], "mfa_level": 0, "application_id": null,
            "system_channel_id": guild.channels.first().map(ToString::to_string), "system_channel_flags": 0,
            "rules_channel_id": null, "max_presences": null, "max_members": 500_000, "vanity_url_code": null,
            "description": null, "banner": null, "premium_tier": guild.boosts, "premium_subscription_count": 0,
            "preferred_locale": guild.locale, "public_updates_channel_id": null,
            "max_video_channel_users": 25, "max_stage_video_channel_users": 50, "nsfw_level": 0,
            "stickers": [], "premium_progress_bar_enabled": false, "safety_alerts_channel_id": null,
            "incidents_data": null,
        })
    }

    /// A server as the gateway's `GUILD_CREATE` gives it.
    pub(super) fn guild_create_json(&self, guild: &Guild) -> Value {
        let mut full = Self::guild_json(guild);
        let visible = |id: &&Id| self.sees(self.bot, **id);
        let json_of = |id: &Id| self.channels.get(id).map(Channel::json);
        let open = |id: &&Id| {
            self.channels.get(id).and_then(|c| c.thread.as_ref()).is_some_and(|thread| !thread.archived)
        };
        full["joined_at"] =
            snowflake::iso(guild.members.get(&self.bot).map_or(0, |member| member.joined_ms)).into();
        full["large"] = false.into();
        full["unavailable"] = false.into();
        full["member_count"] = guild.members.len().into();
        full["voice_states"] = json!([]);
        full["members"] = json!([self.member_json(guild.id, self.bot)]);
        full["channels"] = guild.channels.iter().filter(visible).filter_map(json_of).collect();
        full["threads"] = guild.threads.iter().filter(visible).filter(open).filter_map(json_of).collect();
        full["presences"] = json!([]);
        full["stage_instances"] = json!([]);
        full["guild_scheduled_events"] = json!([]);
        full["soundboard_sounds"] = json!([]);
        full
    }
}
