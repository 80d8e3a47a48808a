//! /history, /modules and /help.

use super::{Context, begin, home, place};
use crate::{bot::Error, render};

/// The sessions that were started in this channel.
#[poise::command(slash_command)]
pub(super) async fn history(ctx: Context<'_>) -> Result<(), Error> {
    let call = begin(ctx).await;
    let (guild, _) = place(ctx)?;
    let home = home(ctx)?;
    call.finish(&ctx.data().sessions.history(guild, home).await?).await
}

/// The specialists there are and what each looks at.
#[poise::command(slash_command)]
pub(super) async fn modules(ctx: Context<'_>) -> Result<(), Error> {
    let call = begin(ctx).await;
    let (guild, _) = place(ctx)?;
    call.finish(&ctx.data().sessions.modules(guild).await?).await
}

/// What I do and how to begin.
#[poise::command(slash_command)]
pub(super) async fn help(ctx: Context<'_>) -> Result<(), Error> {
    let call = begin(ctx).await;
    call.finish(&render::lists::help()).await
}
