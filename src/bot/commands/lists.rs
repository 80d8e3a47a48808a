//! /history, /privacy, /modules and /help.

use super::{Context, begin, home, place};
use crate::{
    bot::{Error, readable::readable, reply::actor},
    domain::InteractionId,
    render,
    session::Asker,
};

/// The sessions of this channel, or those that hold your words in all channels you can read.
#[poise::command(slash_command)]
pub(super) async fn history(
    ctx: Context<'_>,
    #[description = "Words of the question, of what came out, of the decision or of a card"] search: Option<
        String,
    >,
) -> Result<(), Error> {
    let call = begin(ctx).await;
    let asker = asker(ctx)?;
    call.finish(&[ctx.data().sessions.history(&asker, search.as_deref()).await?]).await
}

/// What I keep about you and this server, for how long, and how to have it deleted.
#[poise::command(slash_command)]
pub(super) async fn privacy(ctx: Context<'_>) -> Result<(), Error> {
    let call = begin(ctx).await;
    let asker = asker(ctx)?;
    call.finish(&[ctx.data().sessions.privacy(&asker).await?]).await
}

/// Who uses a command, and what they can read here.
fn asker(ctx: Context<'_>) -> anyhow::Result<Asker> {
    let (guild, _) = place(ctx)?;
    let home = home(ctx)?;
    let member = ctx.interaction.member.as_deref();
    let actor = actor(InteractionId(ctx.interaction.id.get()), &ctx.interaction.user, member);
    let readable = readable(&ctx.serenity_context().cache, guild, member, home);
    Ok(Asker { actor, guild, home, readable })
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
