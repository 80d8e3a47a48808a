//! Permission bits and who may do what where (Discord, "Topics: Permissions").

use super::snowflake::Id;
use super::world::World;

/// Names of the permissions that the stand-in enforces, by bit.
pub mod bits {
    /// Everything, whatever a channel says.
    pub const ADMINISTRATOR: u64 = 1 << 3;
    /// Change the server's settings.
    pub const MANAGE_GUILD: u64 = 1 << 5;
    /// See a channel at all.
    pub const VIEW_CHANNEL: u64 = 1 << 10;
    /// Write in a channel; has no effect in threads.
    pub const SEND_MESSAGES: u64 = 1 << 11;
    /// Have links and embeds shown.
    pub const EMBED_LINKS: u64 = 1 << 14;
    /// Upload files.
    pub const ATTACH_FILES: u64 = 1 << 15;
    /// Read what was written before.
    pub const READ_MESSAGE_HISTORY: u64 = 1 << 16;
    /// Ping everyone.
    pub const MENTION_EVERYONE: u64 = 1 << 17;
    /// Use slash commands.
    pub const USE_APPLICATION_COMMANDS: u64 = 1 << 31;
    /// Rename, archive, lock and delete threads of others.
    pub const MANAGE_THREADS: u64 = 1 << 34;
    /// Start public threads.
    pub const CREATE_PUBLIC_THREADS: u64 = 1 << 35;
    /// Write in threads.
    pub const SEND_MESSAGES_IN_THREADS: u64 = 1 << 38;
    /// Pin messages.
    pub const PIN_MESSAGES: u64 = 1 << 51;
}

/// What everybody may do in a fresh server.
pub(super) const EVERYONE: u64 = bits::VIEW_CHANNEL
    | bits::SEND_MESSAGES
    | bits::EMBED_LINKS
    | bits::ATTACH_FILES
    | bits::READ_MESSAGE_HISTORY
    | bits::USE_APPLICATION_COMMANDS
    | bits::CREATE_PUBLIC_THREADS
    | bits::SEND_MESSAGES_IN_THREADS;

/// What the bot's own role grants: no more than its invitation link should ask for.
pub(super) const BOT: u64 = EVERYONE | bits::PIN_MESSAGES;

impl World {
    /// What a member may do in a channel; a thread follows its parent. Zero for someone not in the server.
    pub(super) fn permissions(&self, user: Id, channel: Id) -> u64 {
        let Some(place) = self.channels.get(&channel) else { return 0 };
        let place = match place.parent {
            Some(parent) => match self.channels.get(&parent) {
                Some(parent) => parent,
                None => return 0,
            },
            None => place,
        };
        let mut allowed = self.server_permissions(user, place.guild);
        if allowed & bits::ADMINISTRATOR != 0 {
            return allowed | u64::MAX >> 12;
        }
        let Some(member) = self.guilds.get(&place.guild).and_then(|g| g.members.get(&user)) else { return 0 };
        let of = |id: Id| place.overwrites.iter().filter(move |o| o.id == id);
        for overwrite in of(place.guild) {
            allowed = allowed & !overwrite.deny | overwrite.allow;
        }
        let (mut allow, mut deny) = (0, 0);
        for overwrite in member.roles.iter().flat_map(|role| of(*role)) {
            allow |= overwrite.allow;
            deny |= overwrite.deny;
        }
        allowed = allowed & !deny | allow;
        for overwrite in of(user) {
            allowed = allowed & !overwrite.deny | overwrite.allow;
        }
        if user == self.bot {
            allowed &= !self.denied.get(&place.id).copied().unwrap_or(0);
        }
        if allowed & bits::VIEW_CHANNEL == 0 { 0 } else { allowed }
    }

    /// What a member may do in a server, before any channel has its say.
    pub(super) fn server_permissions(&self, user: Id, guild: Id) -> u64 {
        let Some(guild) = self.guilds.get(&guild) else { return 0 };
        let Some(member) = guild.members.get(&user) else { return 0 };
        if guild.owner == user {
            return u64::MAX >> 12;
        }
        guild
            .roles
            .iter()
            .filter(|role| role.id == guild.id || member.roles.contains(&role.id))
            .fold(0, |sum, role| sum | role.permissions)
    }

    /// Whether a member sees a channel.
    pub(super) fn sees(&self, user: Id, channel: Id) -> bool {
        self.permissions(user, channel) & bits::VIEW_CHANNEL != 0
    }
}
