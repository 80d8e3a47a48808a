//! /session show, cancel and retry.

use super::{Call, Caller, Context, begin, home, place};
use crate::{
    bot::{Error, reply::actor},
    error::UserError,
    render,
    session::Actor,
    store::SessionRow,
};
use domain::SessionId;

/// Look at a session, end it, or try again what failed.
#[poise::command(slash_command, subcommands("show", "cancel", "retry"), subcommand_required)]
#[allow(clippy::unused_async)]
pub(super) async fn session(_ctx: Context<'_>) -> Result<(), Error> {
    Ok(())
}

/// Where a session stands: state, phase, calls, tokens, cost.
#[poise::command(slash_command)]
async fn show(
    ctx: Context<'_>,
    #[description = "The session's name; not needed in its thread"] session: Option<String>,
) -> Result<(), Error> {
    let call = begin(ctx).await?;
    let row = named_or_here(ctx, session).await?;
    Caller::of_command(ctx).readable()?.may_read(row.channel)?;
    call.finish(&[ctx.data().sessions.show(&row).await?]).await
}

/// End a session that is not over yet; asks once more before it does.
#[poise::command(slash_command)]
async fn cancel(
    ctx: Context<'_>,
    #[description = "The session's name; not needed in its thread"] session: Option<String>,
) -> Result<(), Error> {
    let (call, row, by) = steered(ctx, session).await?;
    ctx.data().sessions.may_cancel(&row, &by)?;
    call.finish(&[render::notices::confirm_cancel(&row.id)]).await
}

/// Try the failed part of a session again; what succeeded is kept.
#[poise::command(slash_command)]
async fn retry(
    ctx: Context<'_>,
    #[description = "The session's name; not needed in its thread"] session: Option<String>,
) -> Result<(), Error> {
    let (call, row, by) = steered(ctx, session).await?;
    let said = ctx.data().sessions.retry(&row, &by).await?;
    call.finish_with(&said).await
}

/// The acknowledged call, the session it is about, and who wants to steer it.
pub(super) async fn steered(
    ctx: Context<'_>,
    name: Option<String>,
) -> anyhow::Result<(Call<'_>, SessionRow, Actor)> {
    let call = begin(ctx).await?;
    let row = named_or_here(ctx, name).await?;
    let by = actor(call.interaction, &ctx.interaction.user, ctx.interaction.member.as_deref());
    Ok((call, row, by))
}

async fn named_or_here(ctx: Context<'_>, name: Option<String>) -> anyhow::Result<SessionRow> {
    let (guild, channel) = place(ctx)?;
    let Some(name) = name else {
        return match ctx.data().sessions.of_thread(channel).await? {
            Some(row) => Ok(row),
            None => UserError::of(
                "Use this in a session's thread, or give the session's name. `/history` lists them.",
            ),
        };
    };
    match SessionId::parse(name.trim()) {
        Some(id) => {
            let row = ctx.data().sessions.find(&id, guild).await?;
            if row.channel != home(ctx)? && row.thread != Some(channel) {
                return UserError::of(
                    "That session is of another channel. Use this there, or in its thread.",
                );
            }
            Ok(row)
        }
        None => UserError::of(
            "That is not a session's name: it has ten letters and digits, as `/history` shows them.",
        ),
    }
}
