//! Slash commands, a file each. Their doc comments and descriptions are what members read.

mod ask;
mod audit;
mod choice;
mod critique;
mod debate;
mod decisions;
mod export;
mod given;
mod investigate;
mod link;
mod lists;
mod mediate;
mod opening;
mod roundtable;
mod session;
mod settings;
mod venue;
mod voting;

use poise::serenity_prelude as serenity;

use super::{Context, Data, Error, reply::Call};
use crate::{
    domain::{ChannelId, GuildId},
    error::UserError,
};

/// Every command, as it is registered.
pub(super) fn all() -> Vec<poise::Command<Data, Error>> {
    vec![
        mediate::mediate(),
        roundtable::roundtable(),
        debate::debate(),
        critique::critique(),
        critique::critique_message(),
        investigate::investigate(),
        ask::ask(),
        session::session(),
        export::export(),
        audit::audit(),
        decisions::decisions(),
        settings::settings(),
        lists::history(),
        lists::privacy(),
        lists::modules(),
        lists::help(),
    ]
}

/// The interaction of a command, acknowledged.
async fn begin(ctx: Context<'_>) -> Call<'_> {
    let call = Call::command(ctx.data(), ctx.interaction);
    call.defer().await;
    call
}

/// Server and channel of a command; a private sentence in a direct message.
fn place(ctx: Context<'_>) -> anyhow::Result<(GuildId, ChannelId)> {
    let Some(guild) = ctx.interaction.guild_id else {
        return UserError::of(
            "This works only in a channel of a server, because sessions live in threads there.",
        );
    };
    Ok((GuildId(guild.get()), ChannelId(ctx.interaction.channel_id.get())))
}

/// Whether the command was used in a thread.
fn in_thread(ctx: Context<'_>) -> bool {
    use serenity::ChannelType::{NewsThread, PrivateThread, PublicThread};
    let kind = ctx.interaction.channel.as_ref().map(|channel| channel.kind);
    matches!(kind, Some(PublicThread | PrivateThread | NewsThread))
}

/// The channel a command belongs to: in a thread, the one it hangs from. What was asked in a channel is shown
/// only there, for who sees the channel may see it.
fn home(ctx: Context<'_>) -> anyhow::Result<ChannelId> {
    let (_, channel) = place(ctx)?;
    if !in_thread(ctx) {
        return Ok(channel);
    }
    let parent = ctx.interaction.channel.as_ref().and_then(|channel| channel.parent_id);
    match parent {
        Some(parent) => Ok(ChannelId(parent.get())),
        None => UserError::of("Use this in the channel that the thread hangs from."),
    }
}
