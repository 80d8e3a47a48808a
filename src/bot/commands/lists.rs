//! /history, /privacy, /modules and /help.

use super::{Caller, Context, begin, place};
use crate::{bot::Error, render};

/// The sessions of this channel, or those that hold your words in all channels you can read.
#[poise::command(slash_command)]
pub(super) async fn history(
    ctx: Context<'_>,
    #[description = "Words of the question, of what came out, of the decision or of a card"] search: Option<
        String,
    >,
) -> Result<(), Error> {
    let call = begin(ctx).await?;
    let caller = Caller::of_command(ctx);
    // By name, as it is kept of whoever is mentioned.
    let search = match search {
        Some(words) => Some(caller.named(&words).await),
        None => None,
    };
    call.finish(&[ctx.data().sessions.history(&caller.asker()?, search.as_deref()).await?]).await
}

/// What I keep about you and this server, for how long, and how to have it deleted.
#[poise::command(slash_command)]
pub(super) async fn privacy(ctx: Context<'_>) -> Result<(), Error> {
    let call = begin(ctx).await?;
    let asker = Caller::of_command(ctx).asker()?;
    call.finish(&[ctx.data().sessions.privacy(&asker).await?]).await
}

/// The specialists there are and what each looks at.
#[poise::command(slash_command)]
pub(super) async fn modules(ctx: Context<'_>) -> Result<(), Error> {
    let call = begin(ctx).await?;
    let (guild, _) = place(ctx)?;
    call.finish(&ctx.data().sessions.modules(guild).await?).await
}

/// What I do and how to begin.
#[poise::command(slash_command)]
pub(super) async fn help(ctx: Context<'_>) -> Result<(), Error> {
    let call = begin(ctx).await?;
    call.finish(&render::lists::help()).await
}
