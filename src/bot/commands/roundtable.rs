//! /roundtable.

use std::time::Duration;

use super::{Context, begin, place};
use crate::{
    bot::{Error, reply::actor},
    domain::Problem,
    error::UserError,
    render,
    session::{Request, Wanted},
};

/// How long the answer waits for the thread to be there, so that it can link to it.
const THREAD_PATIENCE: Duration = Duration::from_secs(5);

/// Experts that fit your problem look at it and answer one another; a notary writes down what came.
#[poise::command(slash_command)]
pub(super) async fn roundtable(
    ctx: Context<'_>,
    #[description = "What has to be decided, in a sentence or more (up to 4,000 characters)"] problem: String,
) -> Result<(), Error> {
    let call = begin(ctx).await;
    let (guild, channel) = place(ctx)?;
    let sessions = &ctx.data().sessions;
    let request = Request {
        actor: actor(call.interaction, &ctx.interaction.user, ctx.interaction.member.as_deref()),
        guild,
        channel,
        problem: Problem::new(&problem).map_err(|error| UserError(error.to_string()))?,
        wanted: Wanted::Roundtable(2),
        document: None,
        model: None,
        voting: sessions.guild_settings(guild).await?.voting,
    };
    let session = sessions.start(request).await?;
    match sessions.thread_of(&session, THREAD_PATIENCE).await? {
        Some(thread) => call.finish(&[render::notices::started(thread)]).await,
        None => call.finish_with("It has begun. Its thread opens in this channel in a moment.").await,
    }
}
