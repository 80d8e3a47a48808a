//! /history, /modules and /help.

use super::{Context, begin, in_thread, place};
use crate::{bot::Error, domain::ChannelId, error::UserError, render};

/// The sessions that were started in this channel.
#[poise::command(slash_command)]
pub(super) async fn history(ctx: Context<'_>) -> Result<(), Error> {
    let call = begin(ctx).await;
    let (guild, channel) = place(ctx)?;
    let parent = ctx.interaction.channel.as_ref().and_then(|channel| channel.parent_id);
    let home = match parent.filter(|_| in_thread(ctx)) {
        Some(parent) => ChannelId(parent.get()),
        None if in_thread(ctx) => {
            return UserError::of("Use `/history` in the channel the threads hang from.");
        }
        None => channel,
    };
    call.finish(&ctx.data().sessions.history(guild, home).await?).await
}

/// The specialists there are and what each looks at.
#[poise::command(slash_command)]
pub(super) async fn modules(ctx: Context<'_>) -> Result<(), Error> {
    let call = begin(ctx).await;
    call.finish(&render::lists::modules()).await
}

/// What I do and how to begin.
#[poise::command(slash_command)]
pub(super) async fn help(ctx: Context<'_>) -> Result<(), Error> {
    let call = begin(ctx).await;
    call.finish(&render::lists::help()).await
}
