//! Carrying a checked request body over into a message.

use serde_json::Value;

use super::files::Upload;
use super::mentions::{Mentions, Unless, as_id};
use super::message::{EPHEMERAL, Message};
use super::permissions::bits;
use super::snowflake::{Id, now_ms};
use super::world::World;

/// Flags that a bot may set on a message it creates.
const SETTABLE: u64 = 1 << 2 | EPHEMERAL | 1 << 12;

/// A body with its files, checked already.
pub(super) struct Draft<'a> {
    pub(super) body: &'a Value,
    pub(super) files: Vec<(u64, Upload)>,
    pub(super) mentions: Unless,
}

impl World {
    /// Writes a draft into a message: what the body does not name stays as it is.
    pub(super) fn fill(&mut self, message: &mut Message, draft: Draft<'_>, edit: bool) {
        let body = draft.body;
        let listed = |name: &str| body.get(name).map(|v| v.as_array().cloned().unwrap_or_default());
        if let Some(content) = body.get("content") {
            content.as_str().unwrap_or_default().trim().clone_into(&mut message.content);
        }
        if let Some(mut embeds) = listed("embeds") {
            for embed in &mut embeds {
                embed["type"] = "rich".into();
            }
            message.embeds = embeds;
        }
        if let Some(components) = listed("components").filter(|new| *new != message.components) {
            let before = std::mem::replace(&mut message.components, components);
            message.components_before = Some((now_ms(), before));
        }
        if let Some(kept) = listed("attachments").filter(|_| !body["attachments"].is_null()) {
            let kept: Vec<_> = kept.iter().filter_map(|a| as_id(&a["id"])).collect();
            message.attachments.retain(|a| kept.contains(&a.id));
        }
        for (number, file) in draft.files {
            let described = body["attachments"].as_array().into_iter().flatten();
            let description = described
                .filter(|a| as_id(&a["id"]) == Some(number))
                .find_map(|a| a["description"].as_str().map(str::to_owned));
            let attachment = self.keep_file(file, description);
            message.attachments.push(attachment);
        }
        let flags = body["flags"].as_u64().unwrap_or(0);
        if !edit {
            message.flags |= flags & SETTABLE;
            message.nonce = body.get("nonce").filter(|nonce| !nonce.is_null()).cloned();
        } else if body.get("flags").is_some() {
            message.flags = message.flags & !(1 << 2) | flags & (1 << 2);
        }
        if edit {
            message.edited_ms = Some(now_ms());
        }
        if !edit || body.get("content").is_some() || body.get("allowed_mentions").is_some() {
            self.fill_mentions(message, Some(&body["allowed_mentions"]), draft.mentions);
        }
    }

    /// Works out whom a message mentions.
    pub(super) fn fill_mentions(&self, message: &mut Message, allowed: Option<&Value>, unless: Unless) {
        let named = Mentions::scan(&message.content).allowed(allowed, unless);
        message.mentions = named.users.into_iter().filter(|id| self.users.contains_key(id)).collect();
        let guild = self.channels.get(&message.channel).and_then(|c| self.guilds.get(&c.guild));
        let roles = guild.map_or(&[][..], |guild| &guild.roles);
        // Whoever may ping everyone may ping every role; others only those that are open to it.
        let all = self.permissions(message.author, message.channel) & bits::MENTION_EVERYONE != 0;
        let open = |id: &Id| roles.iter().any(|role| role.id == *id && (role.mentionable || all));
        message.mention_roles = named.roles.into_iter().filter(open).collect();
        message.mention_everyone = named.everyone && all;
    }

    /// The members who are notified of a new message: those it names who see it, but its author.
    pub(super) fn pinged_by(&self, message: &Message) -> Vec<Id> {
        let guild = self.channels.get(&message.channel).and_then(|c| self.guilds.get(&c.guild));
        let members = guild.into_iter().flat_map(|guild| &guild.members);
        members
            .filter(|(id, member)| {
                message.mention_everyone
                    || message.mentions.contains(id)
                    || member.roles.iter().any(|role| message.mention_roles.contains(role))
            })
            .map(|(id, _)| *id)
            .filter(|id| *id != message.author && message.ephemeral_for.is_none_or(|only| only == *id))
            .filter(|id| self.sees(*id, message.channel))
            .collect()
    }
}

impl Message {
    /// Whether nothing would be seen of it.
    pub(super) fn is_blank(&self) -> bool {
        self.content.is_empty()
            && self.embeds.is_empty()
            && self.components.is_empty()
            && self.attachments.is_empty()
    }
}

/// The sentence for the list of violations when a body could ping somebody whom the bot does not name: every
/// text of the bot may be a model's, so every create and edit has to silence mentions, but for members and
/// roles listed one by one.
pub(super) fn may_ping(body: &Value, text: &str, unless: Unless) -> Option<String> {
    if body["allowed_mentions"].is_null() {
        return Some("allowed_mentions is missing".to_owned());
    }
    let parsed = serde_json::json!({"parse": body["allowed_mentions"]["parse"]});
    let pinged = Mentions::scan(text).allowed(Some(&parsed), unless);
    (!pinged.is_empty()).then(|| format!("allowed_mentions lets {pinged:?} ping"))
}
