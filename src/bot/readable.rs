//! Which channels of a server a member can read, by Discord's own rules (its documentation, "Permissions"): the roles that
//! the interaction says they have, the server's roles, and what each channel allows or denies. All of it comes with
//! the gateway's `GUILDS`, which is no privileged intent.

use poise::serenity_prelude as serenity;

use crate::session::Readable;
use domain::{ChannelId, GuildId};

/// What a channel has to allow before anything that was said there is shown: to see it, and what was said earlier.
const READ: serenity::Permissions =
    serenity::Permissions::VIEW_CHANNEL.union(serenity::Permissions::READ_MESSAGE_HISTORY);

/// The channels that whoever uses an interaction can read at this moment. Threads are none of them: a session belongs to
/// the channel its thread hangs from, and its thread is open to all who read that; so a private thread is never one. Where
/// the server is not known (it has not come over the gateway yet), only the channel that they are in is, if the interaction
/// says that they may read it.
pub(super) fn readable(
    cache: &serenity::Cache,
    guild: GuildId,
    member: Option<&serenity::Member>,
    here: ChannelId,
) -> Readable {
    let known = member.and_then(|member| Some((member, cache.guild(serenity::GuildId::new(guild.0))?)));
    let may_read = |may: serenity::Permissions| may.administrator() || may.contains(READ);
    let Some((member, server)) = known else {
        let may = member.and_then(|member| member.permissions).is_some_and(may_read);
        return Readable { channels: may.then_some(here).into_iter().collect(), all_known: false };
    };
    let reads = |channel: &&serenity::GuildChannel| may_read(server.user_permissions_in(channel, member));
    let channels = server.channels.values().filter(reads).map(|channel| ChannelId(channel.id.get()));
    Readable { channels: channels.collect(), all_known: true }
}
