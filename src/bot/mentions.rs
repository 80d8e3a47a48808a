//! Names for what members mention: a number says nothing to a model, and `@Ben` does (`domain/mention.rs`).
//!
//! Invariants: a name is what Discord sent with the text, else what it sent of the server, else, for members and threads, the
//! answer to one request each, for which nobody waits long; what has no name then stays as it is. A channel is named only to
//! whoever can read it, for everybody who reads the session would learn its name. Nothing is asked before an interaction has
//! its first answer. Called by `caller`, `messages` and `commands`.

use std::{collections::BTreeMap, time::Duration};

use futures::future::join_all;
use poise::serenity_prelude as serenity;
use tokio::time::timeout;

use crate::session::Readable;
use discord::{Channel, Discord};
use domain::{ChannelId, GuildId, Mention, RoleId, UserId, mentions, with_names};

/// Most time for the names of a text that Discord is asked for.
const LOOK: Duration = Duration::from_secs(2);
/// Most names of a text that it is asked for.
const MOST: usize = 10;

/// Names that came with a text.
pub(super) type Told = BTreeMap<Mention, String>;

/// The names that came with a command. Channels are none of them: whether somebody can read one is looked at here.
pub(super) fn of_command(resolved: &serenity::CommandDataResolved) -> Told {
    let members = resolved.users.iter().map(|(id, user)| {
        let nick = resolved.members.get(id).and_then(|member| member.nick.as_deref());
        (Mention::Member(UserId(id.get())), nick.unwrap_or_else(|| user.display_name()).to_owned())
    });
    let roles = resolved.roles.iter().map(|(id, role)| (Mention::Role(RoleId(id.get())), role.name.clone()));
    members.chain(roles).collect()
}

/// The names that came with a message.
pub(super) fn of_message(message: &serenity::Message) -> Told {
    of_users(&message.mentions)
}

/// The names of these members.
pub(super) fn of_users(users: &[serenity::User]) -> Told {
    let named = users.iter().map(|user| {
        let nick = user.member.as_ref().and_then(|member| member.nick.as_deref());
        (Mention::Member(UserId(user.id.get())), nick.unwrap_or_else(|| user.display_name()).to_owned())
    });
    named.collect()
}

/// The names that came with a message that was asked for.
pub(super) fn of_seen(mentioned: &[(UserId, String)]) -> Told {
    mentioned.iter().map(|(id, name)| (Mention::Member(*id), name.clone())).collect()
}

/// A text with the names that came with it.
pub(super) fn as_told(text: &str, told: &Told) -> String {
    with_names(text, |mention| told.get(&mention).cloned())
}

/// What names are known by.
pub(super) struct Names<'a> {
    pub(super) discord: &'a Discord,
    pub(super) cache: &'a serenity::Cache,
    pub(super) guild: GuildId,
    /// The channels that whoever gives the text can read.
    pub(super) readable: Readable,
    pub(super) told: Told,
}

impl Names<'_> {
    /// A text with names for what it mentions.
    pub(super) async fn put_into(&self, text: &str) -> String {
        let (mut names, mut unknown) = (Told::new(), Vec::new());
        for mention in mentions(text) {
            match self.known(mention) {
                Some(name) => {
                    names.insert(mention, name);
                }
                None if self.can_be_asked(mention) => unknown.push(mention),
                None => {}
            }
        }
        let asked = unknown.into_iter().take(MOST).map(|mention| async move {
            let name = self.asked(mention).await?;
            Some((mention, name))
        });
        names.extend(join_all(asked).await.into_iter().flatten());
        as_told(text, &names)
    }

    /// A name that nobody has to be asked for.
    fn known(&self, mention: Mention) -> Option<String> {
        if let Some(name) = self.told.get(&mention) {
            return Some(name.clone());
        }
        let server = self.cache.guild(serenity::GuildId::new(self.guild.0))?;
        match mention {
            Mention::Member(UserId(id)) => {
                let member = server.members.get(&serenity::UserId::new(id))?;
                Some(member.display_name().to_owned())
            }
            Mention::Role(RoleId(id)) => {
                let role = server.roles.get(&serenity::RoleId::new(id))?;
                Some(role.name.clone())
            }
            Mention::Channel(channel) => {
                let id = serenity::ChannelId::new(channel.0);
                if let Some(found) = server.channels.get(&id) {
                    return self.reads(Some(channel)).then(|| found.name.clone());
                }
                let thread = server.threads.iter().find(|thread| thread.id == id)?;
                let open = thread.kind != serenity::ChannelType::PrivateThread;
                let parent = thread.parent_id.map(|parent| ChannelId(parent.get()));
                (open && self.reads(parent)).then(|| thread.name.clone())
            }
        }
    }

    /// Whether Discord may know more than it has sent. Of a server it sends all roles and channels; of its threads none are
    /// kept that were open before (`understood`).
    fn can_be_asked(&self, mention: Mention) -> bool {
        match mention {
            Mention::Member(_) => true,
            Mention::Role(_) => false,
            Mention::Channel(ChannelId(id)) => {
                let server = self.cache.guild(serenity::GuildId::new(self.guild.0));
                server.is_some_and(|server| !server.channels.contains_key(&serenity::ChannelId::new(id)))
            }
        }
    }

    async fn asked(&self, mention: Mention) -> Option<String> {
        let asked = async {
            match mention {
                Mention::Member(member) => self.discord.member_name(self.guild, member).await.map(Some),
                Mention::Channel(thread) => {
                    self.discord.channel(thread).await.map(|found| self.thread_name(found))
                }
                Mention::Role(_) => Ok(None),
            }
        };
        match timeout(LOOK, asked).await {
            Ok(Ok(name)) => name,
            Ok(Err(error)) => {
                tracing::debug!(?mention, %error, "what is mentioned has no name");
                None
            }
            Err(_) => None,
        }
    }

    fn thread_name(&self, found: Channel) -> Option<String> {
        let here = found.is_open_thread() && found.guild_id == Some(self.guild);
        if here && self.reads(found.parent_id) { found.name } else { None }
    }

    fn reads(&self, channel: Option<ChannelId>) -> bool {
        channel.is_some_and(|channel| self.readable.channels.contains(&channel))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_name_on_this_server_goes_before_the_one_that_somebody_has_everywhere() {
        let user = |id: &str, name: Value| json!({"id": id, "username": "u", "global_name": name});
        let resolved = json!({
            "users": {"1": user("1", json!("Benjamin")), "2": user("2", json!("Ada")), "3": user("3", Value::Null)},
            "members": {"1": {"nick": "Ben", "roles": []}, "2": {"nick": null, "roles": []}},
        });
        let told = of_command(&serde_json::from_value(resolved).unwrap());
        assert_eq!(as_told("<@1> <@!2> <@3> <@4> <@&1>", &told), "@Ben @Ada @u <@4> <@&1>");
        let told = of_seen(&[(UserId(1), "Ben".to_owned())]);
        assert_eq!(as_told("<@1> <@2>", &told), "@Ben <@2>");
    }
}
